// Opens a page in a headless Chromium and watches what it must not do.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const FLAGS = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync',
];

export class Browser {
  // modules: the folder whose node_modules holds playwright-core.
  static async start(modules, executablePath, options = {}) {
    const { chromium } = createRequire(join(modules, 'package.json'))('playwright-core');
    const profile = mkdtempSync(join(tmpdir(), 'copse-chromium-'));
    const context = await chromium.launchPersistentContext(profile, {
      executablePath, args: FLAGS, headless: true, viewport: { width: 1280, height: 720 }, ...options,
    });
    return new Browser(context, profile);
  }

  constructor(context, profile) {
    this.context = context;
    this.profile = profile;
  }

  // The page, once it is ready, with everything suspicious it did in page.troubles.
  async open(file) {
    const page = await this.context.newPage();
    page.setDefaultTimeout(300_000);  // what hangs is found, and no busy machine is taken for it
    page.troubles = [];
    // Processor time of the page's thread since it was opened: the same on a busy machine.
    const session = await this.context.newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    page.usedMs = async () => {
      const { metrics } = await session.send('Performance.getMetrics');
      return Math.round(1000 * metrics.find(({ name }) => name === 'TaskDuration').value);
    };
    const url = pathToFileURL(file).href;
    page.on('request', (request) => {
      if (request.url().split('#')[0] !== url) page.troubles.push(`request: ${request.url()}`);
    });
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') page.troubles.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => page.troubles.push(`error: ${error.message}`));
    page.on('dialog', (dialog) => {
      page.troubles.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.goto(url, { waitUntil: 'commit' });
    await page.waitForFunction(() => document.documentElement.dataset.ready === 'true');
    return page;
  }

  async stop() {
    await this.context.close();
    rmSync(this.profile, { recursive: true, force: true });
  }
}

// The place of the chart where a frame of a level (0: topmost) is at `share` of the width.
export async function chartPoint(page, level, share) {
  const box = await page.locator('#chart').boundingBox();
  return { x: box.x + 1 + (box.width - 2) * share, y: box.y + 1 + 19 * level + 9 };
}
