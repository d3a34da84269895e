// Makes the pictures of docs/tour.md from the page of its first run:
//   node pictures.mjs before.html MODULES CHROMIUM docs/tour
// MODULES is the folder whose node_modules holds playwright-core, CHROMIUM the browser's program.
import { join } from 'node:path';
import { Browser } from '../viewer/browser.mjs';

const [html, modules, chromium, out] = process.argv.slice(2);
const browser = await Browser.start(modules, chromium, { viewport: { width: 1280, height: 560 } });
const picture = (page, name) => page.screenshot({ path: join(out, name) });
try {
  const page = await browser.open(html);
  await picture(page, 'flame-graph.png');

  await page.click('#tab-methods');
  await page.locator('#method-table tbody tr', { hasText: 'Invoice.total' }).click();
  await picture(page, 'methods.png');

  await page.click('#tab-graph');
  await page.fill('#search', 'hasId');
  await page.waitForFunction(() => !document.getElementById('found').hidden);
  await picture(page, 'search.png');

  await page.fill('#search', '');
  await page.waitForFunction(() => document.getElementById('found').hidden);
  await page.click('#tab-tree');
  await page.click('#heaviest');
  await page.waitForFunction(() => document.querySelector('#tree-detail strong')?.textContent === 'shop.Customer.hasId');
  await picture(page, 'tree.png');
} finally {
  await browser.stop();
}
