// How long the page of a comparison takes for what a person does, on many contexts:
//   node measure_comparison.mjs COPSE MODULES CHROMIUM [CONTEXTS]   default: 3,000,000
// Prints a line for each, with the processor time of the page, which is the same on a busy machine; fails when one takes
// longer than five seconds.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Browser, chartPoint } from './browser.mjs';
import { writeLargePage } from './large_file.mjs';
import { largeComparison, named } from './samples.mjs';

const MOST_MS = 5000;
const [, modules, chromium, contexts = '3000000'] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'copse-measure-'));
const html = join(folder, 'page.html');
await writeLargePage(modules, named(largeComparison(Number(contexts))), html);
const browser = await Browser.start(modules, chromium);
try {
  const page = await browser.open(html);
  const say = (name, ms) => {
    console.log(`${String(Math.round(ms)).padStart(6)} ms  ${name}`);
    assert.ok(ms < MOST_MS, `${name} took ${ms} ms`);
  };
  const timed = async (name, action) => {
    const before = await page.usedMs();
    await action();
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    say(name, (await page.usedMs()) - before);
  };
  console.log(`        ${(await page.locator('#totals').innerText()).replaceAll('\n', ' ')}`);
  say('ready', await page.usedMs());
  await timed('zoom', async () => {
    const point = await chartPoint(page, 3, 0.5);
    await page.mouse.click(point.x, point.y);
  });
  await timed('reset', () => page.click('#reset'));
  await timed('width by old', () => page.click('#width-old'));
  await timed('width by the larger of both', () => page.click('#width-larger'));
  await timed('colour by inclusive change', () => page.selectOption('#color', 'difference/relative'));
  await timed('show time', () => page.selectOption('#measure', { label: 'cpu time' }));
  await timed('show calls', () => page.selectOption('#measure', { label: 'calls' }));
  await timed('turn round', () => page.click('#bottom-up'));
  await timed('turn back', () => page.click('#top-down'));
  await timed('search', async () => {
    await page.fill('#search', 'shop');
    await page.waitForFunction(() => document.getElementById('matches').textContent !== '');
  });
  for (let i = 1; i <= 2; ++i) await timed(`place ${i}`, () => page.press('#search', 'Enter'));
  await timed('end the search', async () => {
    await page.fill('#search', '');
    await page.waitForFunction(() => document.getElementById('found').hidden);
  });
  await timed('tree', () => page.click('#tab-tree'));
  await timed('unfold the largest difference', () => page.click('#most-changed'));
  for (const key of ['calls/inclusive-difference', 'calls/inclusive-size', 'cpu_ns/exclusive-size', 'calls/inclusive-change']) {
    await timed(`sort by ${key}`, () => page.locator(`#tree-table [data-key="${key}"]`).click());
  }
  await timed('tree, turned round', () => page.click('#bottom-up'));
  await timed('sort methods by difference', () => page.locator('#tree-table [data-key="calls/exclusive-difference"]').click());
  await timed('methods', () => page.click('#tab-methods'));
  await timed('callers and callees', () => page.locator('#method-table tbody tr').first().click());
  const act = (title) => page.locator('#method-detail .actions button', { hasText: title }).click();
  await timed('merged callees', () => act('Merged callees'));
  await timed('everything', () => page.locator('#steps button').first().click());
  await page.click('#tab-methods');
  await page.locator('#method-table tbody tr').first().click();
  await timed('back traces', () => act('Back traces'));
} finally {
  await browser.stop();
  rmSync(folder, { recursive: true, force: true });
}
