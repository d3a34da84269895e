// What every view must look like, at every size of the window, in light and dark: checked as far as it can be without eyes,
// and kept as a picture.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const SIZES = [
  [1440, 900],
  [1024, 768],
  [400, 800],
];
const LEAST_CONTRAST = 4.5; // WCAG AA
const LEAST_LETTERS = 10; // of a method or another name that is cut
const MOST_LINES = 2; // of a row

const firstFrame = async (page, button = 'left') => {
  const box = await page.locator('#chart').boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + 2 * 19 + 9, { button });
};
const show = async (page, unit) => {
  const option = page.locator('#measure option', { hasText: unit }).first();
  if ((await option.count()) > 0) await page.selectOption('#measure', await option.getAttribute('value'));
};

// Opens each view, from the page as it is at first. needs: what the page must have for it.
const VIEWS = {
  graph: { open: async () => {} },
  tip: {
    open: async (page) => {
      const box = await page.locator('#chart').boundingBox();
      await page.mouse.move(box.x + box.width / 2, box.y + 3 * 19 + 9);
    },
  },
  color: { open: (page) => page.selectOption('#color', { index: 2 }) },
  flame: { open: (page) => page.click('#flame') },
  'bottom-up': { open: (page) => page.click('#bottom-up') },
  found: {
    open: async (page) => {
      await page.fill('#search', 'a');
      await page.waitForSelector('#found:not([hidden])');
      await page.press('#search', 'Enter');
    },
  },
  menu: { open: (page) => firstFrame(page, 'right') },
  zoomed: { open: (page) => firstFrame(page) },
  'back-traces': {
    open: async (page) => {
      await firstFrame(page, 'right');
      await page.locator('#menu button', { hasText: 'Back traces' }).click();
    },
  },
  states: {
    needs: '#measure option:text-is("wall time")',
    open: async (page) => {
      await show(page, 'wall time');
      if (await page.isVisible('#with-states')) await page.click('#with-states');
    },
  },
  tree: {
    open: async (page) => {
      await page.click('#tab-tree');
      for (let i = 0; i < 3; ++i) await page.keyboard.press('h');
    },
  },
  'tree-with-packages': {
    open: async (page) => {
      await page.click('#tab-tree');
      await page.keyboard.press('h');
      await page.click('#full-names');
    },
  },
  methods: { open: (page) => page.click('#tab-methods') },
  method: {
    open: async (page) => {
      await page.click('#tab-methods');
      await page.locator('#method-table tbody tr').first().click();
    },
  },
  'methods-with-packages': {
    open: async (page) => {
      await page.click('#tab-methods');
      await page.click('#full-names');
    },
  },
  allocations: {
    open: async (page) => {
      await show(page, 'allocated');
      await page.click('#tab-methods');
    },
  },
  types: {
    needs: '#measure option:text("allocated")',
    open: async (page) => {
      await show(page, 'allocated');
      await page.click('#tab-methods');
      if (await page.isVisible('#rank-types')) await page.click('#rank-types');
    },
  },
  classes: {
    open: async (page) => {
      await page.click('#tab-methods');
      await page.click('#rank-classes');
    },
  },
  packages: {
    open: async (page) => {
      await page.click('#tab-methods');
      await page.click('#rank-packages');
      await page.locator('#method-table tbody tr').first().click();
    },
  },
  slices: { needs: '#tab-slices:visible', open: (page) => page.click('#tab-slices') },
  slice: {
    needs: '#tab-slices:visible',
    open: async (page) => {
      await page.click('#tab-slices');
      await page.locator('#slices-table tbody tr').first().click();
    },
  },
  gate: { needs: '#tab-gate:visible', open: (page) => page.click('#tab-gate') },
  threads: { open: (page) => page.click('#tab-threads') },
  'each-thread': {
    open: async (page) => {
      await page.click('#tab-threads');
      await page.click('#threads-each');
    },
  },
  'all-columns': {
    open: async (page) => {
      await page.click('#tab-threads');
      const all = page.locator('#thread-table .all-columns button');
      if (await all.isVisible()) await all.click();
    },
  },
  skipped: { open: (page) => page.click('#tab-skipped') },
  run: { open: (page) => page.click('#tab-run') },
  help: { open: (page) => page.click('#tab-help') },
  program: { open: (page) => page.click('#command') },
  proof: { open: (page) => page.click('#proof-mark') },
  notes: { needs: '#note-count:visible', open: (page) => page.click('#note-count') },
};

// What is wrong in the page, in words. Runs in the browser.
function faults({ leastContrast, leastLetters, mostLines }) {
  const found = [];
  const inSight = (element) => element.getClientRects().length > 0;
  const described = (element) => `${element.tagName} ${element.className} "${element.textContent.slice(0, 40)}"`;
  const over = document.documentElement.scrollWidth - innerWidth;
  if (over > 0) found.push(`the page is ${over} pixels wider than its window`);

  // Texts stand out: by WCAG's contrast of their colour and the nearest opaque background.
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
  // Values that are none, and sources of functions.
  const isNoText = (text) => /\bNaN\b|\bundefined\b|\bnull\b|\[object |=>|\bfunction ?\(|Infinity/.test(text);
  for (const element of document.querySelectorAll('body *')) {
    for (const name of ['title', 'aria-label', 'aria-valuetext', 'value']) {
      if (isNoText(element.getAttribute(name) ?? '')) found.push(`${described(element)} has ${name} "${element.getAttribute(name)}"`);
    }
    if (element.matches('script, style')) continue;
    const texts = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '');
    if (texts.some(({ data }) => isNoText(data))) found.push(`${described(element)} says what is no text`);
    if (texts.length === 0 || !inSight(element) || element.closest('button:disabled, option, [role=tooltip]') !== null) continue;
    const [one, other] = [luminance(parts(getComputedStyle(element).color)), luminance(behind(element))];
    const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (contrast < leastContrast) found.push(`${described(element)} has a contrast of ${contrast.toFixed(2)}`);
  }
  if (isNoText(document.title)) found.push(`the page is called "${document.title}"`);

  // Nothing is off the screen, unless the reader has asked for all columns; the tree has its names in sight.
  for (const box of [...document.querySelectorAll('main div, main aside, main table')].filter(inSight)) {
    const hasAll = [...box.querySelectorAll('.all-columns')].some(({ textContent }) => textContent === 'fewer');
    const isScrolled = box.scrollWidth > box.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(box).overflowX);
    if (isScrolled && !hasAll && box.id !== 'tree-table') found.push(`${described(box)} is ${box.scrollWidth} pixels wide in ${box.clientWidth}`);
  }
  // Rows are low, numbers and heads whole, and enough of each name is seen.
  for (const cell of [...document.querySelectorAll('table:not(#run-table, .facts) :is(td, th), .tree-row > span')].filter(inSight)) {
    const style = getComputedStyle(cell);
    const cut = cell.scrollWidth - cell.clientWidth;
    if (cell.clientHeight > mostLines * 1.5 * parseFloat(style.fontSize) + 7) found.push(`${described(cell)} is ${cell.clientHeight} pixels high`);
    if (cut <= 1 || cell.classList.contains('group')) continue;
    if (cell.matches('th, .number, [role=columnheader]')) {
      found.push(`${described(cell)} is cut by ${cut} pixels`);
      continue;
    }
    const end = cell.querySelector('.beginning')?.parentNode.lastChild ?? cell.firstChild;
    const range = document.createRange();
    range.selectNode(end);
    const { left, width } = range.getBoundingClientRect();
    const seen = cell.getBoundingClientRect().right - parseFloat(style.paddingRight) - left;
    const letters = end.textContent.length * Math.min(1, seen / width);
    if (letters < Math.min(leastLetters, end.textContent.length)) found.push(`${described(cell)} shows ${letters.toFixed(1)} letters`);
  }
  return found;
}

// Fails unless all views are as they must be. kept: a folder for the pictures, or null.
export async function look(page, name, scheme, kept) {
  await page.emulateMedia({ colorScheme: scheme });
  if (kept !== null) mkdirSync(kept, { recursive: true });
  const first = await page.evaluate(() => location.hash);
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    for (const [view, { needs, open }] of Object.entries(VIEWS)) {
      await page.keyboard.press('Escape');
      await page.mouse.move(0, 0);
      await page.evaluate((hash) => {
        if (location.hash === hash) return null;
        return new Promise((done) => {
          addEventListener('hashchange', () => done(), { once: true });
          location.hash = hash;
        });
      }, first);
      if (needs !== undefined && (await page.locator(needs).count()) === 0) continue;
      await open(page);
      await page.evaluate(async () => {
        for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame);
      });
      const limits = { leastContrast: LEAST_CONTRAST, leastLetters: LEAST_LETTERS, mostLines: MOST_LINES };
      const where = `${name}-${view}-${width}-${scheme}`;
      if (kept !== null) writeFileSync(join(kept, `${where}.png`), await page.screenshot());
      assert.deepEqual(await page.evaluate(faults, limits), [], where);
    }
  }
}
