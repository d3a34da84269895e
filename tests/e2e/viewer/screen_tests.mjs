// Pictures of each view at three sizes, in light and dark; COPSE_SCREENS=FOLDER keeps them. What can be checked without
// eyes is checked: text stands out from what is behind it, and nothing is wider than the window.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { withPage } from './harness.mjs';
import { rich, SIZES } from './layout_tests.mjs';
import { queries } from './samples.mjs';

const KEPT = process.env.COPSE_SCREENS ?? null;
const LEAST_CONTRAST = 4.5; // WCAG AA

// Texts in sight that do not stand out: by WCAG's contrast of their colour and the nearest opaque background.
const faint = (page) =>
  page.evaluate((least) => {
    const parts = (color) => color.match(/[\d.]+/g).map(Number);
    const luminance = ([red, green, blue]) => {
      const linear = [red, green, blue].map((part) =>
        part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
      );
      return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
    };
    const behind = (element) => {
      for (let at = element; at !== null; at = at.parentElement) {
        const color = parts(getComputedStyle(at).backgroundColor);
        if (color.length < 4 || color[3] === 1) return color;
      }
      return [255, 255, 255];
    };
    const found = [];
    for (const element of document.querySelectorAll('body *')) {
      const hasText = [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '',
      );
      if (
        !hasText ||
        element.getClientRects().length === 0 ||
        element.closest('button:disabled, option, [role=tooltip]') !== null
      )
        continue;
      const [one, other] = [luminance(parts(getComputedStyle(element).color)), luminance(behind(element))];
      const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
      if (contrast < least)
        found.push(
          `${element.tagName} ${element.className} "${element.textContent.slice(0, 30)}": ${contrast.toFixed(2)}`,
        );
    }
    return found;
  }, LEAST_CONTRAST);

// Opens each view in turn.
const VIEWS = {
  graph: async () => {},
  'graph-of-time': (page) => page.selectOption('#color', { index: 2 }),
  found: async (page) => {
    await page.fill('#search', 'log');
    await page.waitForSelector('#found:not([hidden])');
  },
  tree: async (page) => {
    await page.fill('#search', '');
    await page.click('#tab-tree');
    await page.click('#heaviest:visible, #most-changed:visible');
  },
  methods: async (page) => {
    await page.click('#tab-methods');
    await page.locator('#method-table tbody tr').first().click();
  },
  classes: (page) => page.click('#rank-classes'),
  threads: (page) => page.click('#tab-threads'),
  skipped: (page) => page.click('#tab-skipped'),
  run: (page) => page.click('#tab-run'),
  help: (page) => page.click('#tab-help'),
};

for (const [name, report] of [
  ['report', rich()],
  ['comparison', queries()],
]) {
  for (const scheme of ['light', 'dark']) {
    test(`can be seen: a ${name}, ${scheme}, at every size`, () =>
      withPage(`screens-${name}`, report, async (page) => {
        await page.emulateMedia({ colorScheme: scheme });
        for (const [width, height] of SIZES) {
          await page.setViewportSize({ width, height });
          await page.evaluate(() => {
            location.hash = '';
          });
          await page.click('#tab-graph');
          for (const [view, open] of Object.entries(VIEWS)) {
            await open(page);
            await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
            const where = `${view} at ${width}x${height}`;
            assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), where);
            assert.deepEqual(await faint(page), [], where);
            if (KEPT === null) continue;
            mkdirSync(KEPT, { recursive: true });
            writeFileSync(join(KEPT, `${name}-${view}-${width}-${scheme}.png`), await page.screenshot());
          }
        }
      }),
    );
  }
}
