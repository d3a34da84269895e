// How long the page takes for what a person does, on a report of many contexts:
//   node measure.mjs COPSE MODULES CHROMIUM [CONTEXTS]        default: 3,000,000, a synthetic report
//   node measure.mjs COPSE MODULES CHROMIUM REPORT.json TEXT  a real one, searched for TEXT
// Prints a line for each, with the processor time of the page, which is the same on a busy machine; fails when one takes
// longer than five seconds.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Browser, chartPoint } from './browser.mjs';
import { writeLarge } from './large_file.mjs';
import { large } from './samples.mjs';

const MOST_MS = 5000;
const [copse, modules, chromium, what = '3000000', wanted = 'shop'] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'copse-measure-'));

let json = what;
if (/^\d+$/.test(what)) {
  json = join(folder, 'large.json');
  await writeLarge(large(Number(what)), json);
}
const html = join(folder, 'page.html');
execFileSync(copse, ['report', json, '-o', html]);
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
  console.log(`        ${await page.locator('#totals').innerText().then((text) => text.replaceAll('\n', ' '))}`);
  say('ready', await page.usedMs());
  const searched = () => page.waitForFunction(
    (text) => document.getElementById('search').value === text && document.getElementById('matches').textContent !== '',
    wanted);
  await timed('zoom', async () => {
    const point = await chartPoint(page, 3, 0.5);
    await page.mouse.click(point.x, point.y);
  });
  await timed('reset', () => page.click('#reset'));
  await timed('colour by time per call', () => page.selectOption('#color', 'cpu_ns/call'));
  await timed('point at a frame', async () => {
    const point = await chartPoint(page, 3, 0.4);
    await page.mouse.move(point.x, point.y);
    await page.waitForFunction(() => !document.getElementById('tip').hidden);
  });
  await timed('show time', () => page.selectOption('#measure', { label: 'cpu time' }));
  await timed('show calls', () => page.selectOption('#measure', { label: 'calls' }));
  await timed('turn round', () => page.click('#bottom-up'));
  await timed('turn back', () => page.click('#top-down'));
  await timed(`search for "${wanted}"`, async () => {
    await page.fill('#search', wanted);
    await searched();
  });
  console.log(`        ${await page.locator('#matches').innerText()}; ${await page.locator('#position').innerText()}`);
  for (let i = 1; i <= 3; ++i) await timed(`place ${i}`, () => page.press('#search', 'Enter'));
  await timed('the place before', () => page.press('#search', 'Shift+Enter'));
  await timed('the last place', async () => {
    for (let i = 0; i < 3; ++i) await page.press('#search', 'Shift+Enter');
  });
  await timed('reset', () => page.click('#reset'));
  await timed('search for every method', async () => {
    await page.fill('#search', '/./');
    await page.waitForFunction(() => document.getElementById('matches').textContent.endsWith('(100.0 %)'));
  });
  await timed('turn round, searching', () => page.click('#bottom-up'));
  await timed('zoom into a method', async () => {
    const point = await chartPoint(page, 1, 0.01);
    await page.mouse.click(point.x, point.y);
  });
  await timed('end the search', async () => {
    await page.fill('#search', '');
    await page.waitForFunction(() => document.getElementById('found').hidden);
  });
  const sortBy = async (key) => {
    await page.locator(`#tree-table [data-key="${key}"]`).click();
  };
  const unfolded = (rows) => page.waitForFunction(
    (least) => Number(document.getElementById('tree-count').textContent.replace(/\D/g, '')) >= least, rows);
  await timed('tree, turned round', async () => {
    await page.click('#tab-tree');
    await unfolded(1000);
  });
  await timed('sort methods by time', () => sortBy('cpu_ns/exclusive'));
  await timed('sort methods by time per call', () => sortBy('cpu_ns/call'));
  await timed('sort methods by name', () => sortBy('method'));
  await timed('unfold callers', async () => {
    await page.focus('#tree-table');
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
  });
  await timed('tree', async () => {
    await page.click('#top-down');
    await page.waitForFunction(() => document.querySelector('.tree-lines .name').textContent.includes('threads'));
  });
  await timed('unfold the heaviest path', () => page.click('#heaviest'));
  await timed('and on', async () => {
    for (let i = 0; i < 10; ++i) await page.click('#heaviest');
  });
  console.log(`        ${await page.locator('#tree-count').innerText()}`);
  await timed('sort the tree', () => sortBy('cpu_ns/exclusive'));
  await timed('scroll to the end', () => page.press('#tree-table', 'End'));
  await timed('methods', () => page.click('#tab-methods'));
  await timed('callers and callees', () => page.locator('#method-table tbody tr').first().click());
  const act = (title) => page.locator('#method-detail .actions button', { hasText: title }).click();
  await timed('merged callees', () => act('Merged callees'));
  await timed('everything', () => page.locator('#steps button').first().click());
  await page.click('#tab-methods');
  await page.locator('#method-table tbody tr').first().click();
  await timed('back traces', () => act('Back traces'));
  await timed(`search for "${wanted}" among callers`, async () => {
    await page.fill('#search', wanted);
    await searched();
  });
  console.log(`        ${await page.locator('#position').innerText()}`);
  await page.fill('#search', '');
  await timed('everything', () => page.locator('#steps button').first().click());
  await timed('a frame as root', async () => {
    const point = await chartPoint(page, 2, 0.5);
    await page.mouse.click(point.x, point.y);
    await page.locator('#detail .actions button', { hasText: 'Set as root' }).click();
  });
  await timed('everything', () => page.locator('#steps button').first().click());
  await page.click('#tab-methods');
  await timed('classes', () => page.click('#rank-classes'));
  await timed('packages', () => page.click('#rank-packages'));
  await page.click('#rank-methods');
  await page.locator('#method-table tbody tr').first().click();
  for (const title of ['Subtract this method', 'Hide this method', 'Fold ']) {
    await timed(title.toLowerCase().trim(), async () => {
      await act('More');
      await page.locator('#menu button', { hasText: title }).first().click();
    });
    await timed('everything', () => page.locator('#steps button').first().click());
    await page.click('#tab-methods');
    await page.locator('#method-table tbody tr').first().click();
  }
} finally {
  await browser.stop();
  rmSync(folder, { recursive: true, force: true });
}
