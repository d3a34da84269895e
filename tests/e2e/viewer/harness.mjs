// What the browser tests share: node TESTS COPSE MODULES CHROMIUM. One browser for all of a process's tests.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before } from 'node:test';
import { Browser, chartPoint } from './browser.mjs';
import { named } from './samples.mjs';

const [copse, modules, chromium] = process.argv.slice(2);
export const folder = mkdtempSync(join(tmpdir(), 'copse-viewer-'));
const MARKER = '@COPSE_REPORT@';
let browser;

before(async () => {
  browser = await Browser.start(modules, chromium);
});
after(async () => {
  await browser?.stop();
  rmSync(folder, { recursive: true, force: true });
});

// What copse writes into the page alone is in no report that it reads: two reports compared, and which contexts wait for work.
const isPageData = ({ compared, idle }) => compared !== undefined || idle !== undefined;

function pageOfData(name, data) {
  const html = join(folder, `${name}.html`);
  const page = readFileSync(join(modules, 'page.html'), 'utf8');
  const at = page.indexOf(MARKER);
  const json = JSON.stringify(named(data)).replaceAll('<', '\\u003c');
  writeFileSync(html, page.slice(0, at) + json + page.slice(at + MARKER.length));
  return html;
}

export function pageOf(name, report) {
  if (isPageData(report)) return pageOfData(name, report);
  const json = join(folder, `${name}.json`);
  const html = join(folder, `${name}.html`);
  writeFileSync(json, JSON.stringify(report));
  execFileSync(copse, ['report', json, '-o', html]);
  return html;
}

export function textTreeOf(name, report) {
  const json = join(folder, `${name}-tree.json`);
  writeFileSync(json, JSON.stringify(report));
  return execFileSync(copse, ['report', json, '--format', 'tree'], { encoding: 'utf8' });
}

// What a command prints beside this report and others that were written before.
export function outputOf(name, report, command) {
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(report));
  const PATH = `${dirname(copse)}:${process.env.PATH}`;
  const options = { cwd: folder, encoding: 'utf8', env: { ...process.env, PATH }, maxBuffer: 2 ** 28 };
  return execFileSync('bash', ['-o', 'pipefail', '-c', command], options);
}

// The text that the page says it copied, with these words.
export async function copied(page, words) {
  await page.locator('#said', { hasText: words }).waitFor();
  return (await text(page, '#said')).replace('Copied: ', '');
}

// As copse writes it of two reports.
export function diffPageOf(name, old, now) {
  const files = [['old', old], ['new', now]].map(([which, report]) => {
    const json = join(folder, `${name}-${which}.json`);
    writeFileSync(json, JSON.stringify(report));
    return json;
  });
  const html = join(folder, `${name}.html`);
  execFileSync(copse, ['diff', ...files, '-o', html]);
  return html;
}

export const withPage = (name, report, use) => withFile(pageOf(name, report), use);

export async function withFile(html, use) {
  const page = await browser.open(html);
  try {
    await use(page);
    assert.deepEqual(page.troubles, [], 'no request, no message on the console, no dialog');
  } finally {
    await page.close();
  }
}

// The page draws in the frame behind an input, or behind the one in which a pane got its size.
async function drawn(page) {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  });
}

export async function text(page, selector) {
  await drawn(page);
  return page.locator(selector).innerText();
}

export async function texts(page, selector) {
  await drawn(page);
  return page.locator(selector).allInnerTexts();
}

export async function cells(page, selector) {
  await drawn(page);
  return page.locator(selector).evaluateAll(
    (rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));
}

export async function clickFrame(page, level, share) {
  const point = await chartPoint(page, level, share);
  await page.mouse.click(point.x, point.y);
}

export const FOUND = '162,28,175';
export const FAINT = '233,235,238';
export const BACKGROUND = '255,255,255';

// What is drawn at [level, share of the width], below the labels.
export async function colorsAt(page, where) {
  await drawn(page);
  const points = await Promise.all(where.map(([level, share]) => chartPoint(page, level, share)));
  return page.evaluate((all) => {
    const canvas = document.querySelector('#chart canvas');
    const box = canvas.getBoundingClientRect();
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const image = copy.getImageData(0, 0, canvas.width, canvas.height);
    return all.map(({ x, y }) => {
      const at = 4 * (Math.round(y + 7 - box.top) * image.width + Math.round(x - box.left));
      return image.data.slice(at, at + 3).join();
    });
  }, points);
}

// The list of places found: name, amounts and path of each.
export async function places(page) {
  await drawn(page);
  return page.locator('#found-list button').evaluateAll(
    (buttons) => buttons.map((button) => [...button.children].map(({ textContent }) => textContent).join('\n')));
}

export async function search(page, what, expected) {
  await page.fill('#search', what);
  await page.waitForFunction(
    (wanted) => document.getElementById('matches').textContent === wanted, expected);
}
