// The tree table, and the rows behind it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BottomUp } from '../../../reports/viewer/src/bottom_up.js';
import { TopDown } from '../../../reports/viewer/src/directions.js';
import { Report } from '../../../reports/viewer/src/report.js';
import { TreeRows } from '../../../reports/viewer/src/tree_rows.js';
import { search, text, texts, withPage } from './harness.mjs';
import { deep, large, measured, named, recursive, small, thin } from './samples.mjs';

// Level, sign and name of each row in sight, then its cells.
const rows = (page) => page.locator('.tree-lines .tree-row').evaluateAll((lines) => lines.map((line) => {
  const [name, ...numbers] = [...line.children].map(({ textContent }) => textContent);
  return [`${line.getAttribute('aria-level')} ${name}`, ...numbers];
}));
const names = async (page) => (await rows(page)).map(([name]) => name);

// Once what was done has been drawn.
const settled = (page) => page.evaluate(
  () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
  await settled(page);
}

async function openTree(page) {
  await page.click('#tab-tree');
  await page.focus('#tree-table');
  await settled(page);
}

const selected = async (page) => {
  const id = await page.getAttribute('#tree-table', 'aria-activedescendant');
  return text(page, `#${id} .name`);
};

test('unfolds a tree with every measure in columns', () => withPage('tree', measured(), async (page) => {
  await openTree(page);
  assert.deepEqual(await texts(page, '.tree-head .group'), ['', 'calls', 'allocated bytes (estimate), B', 'cpu time, ms']);
  assert.deepEqual(await texts(page, '.tree-head [role=columnheader]'), [
    'method', 'exclusive', 'inclusive', '%',
    'exclusive', 'inclusive', '%', 'B/call excl.', 'B/call incl.',
    'exclusive', 'inclusive', '%', 'ns/call excl.', 'ns/call incl.',
  ]);
  assert.deepEqual(await names(page), ['1 ▾all threads', '2 ▸Main.main']);
  await press(page, 'ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowRight');
  assert.deepEqual(await rows(page), [
    ['1 ▾all threads', '0', '1,000', '100.0', '0', '5,120', '100.0', '', '', '0', '751.750', '100.0', '', ''],
    ['2 ▾Main.main', '1', '1,000', '100.0', '0', '5,120', '100.0', '', '5,120', '0.250', '751.750', '100.0', '250,000', '751,750,000'],
    ['3 ▾Main.work Main.java:10', '300', '900', '90.0', '1,024', '1,024', '20.0', '3.41', '3.41', '1.500', '751.500', '100.0', '5,000', '2,505,000'],
    ['4 Log.log Main.java:20', '600', '600', '60.0', '0', '0', '0.0', '', '', '750.000', '750.000', '99.8', '1,250,000', '1,250,000'],
    ['3 Log.log Main.java:11', '99', '99', '9.9', '4,096', '4,096', '80.0', '41', '41', '0', '0', '0.0', '', ''],
  ]);
}));

test('has numbers below their heads, on any screen', () => withPage('tree-align', measured(), async (page) => {
  await openTree(page);
  const edges = (line) => page.locator(line).first().evaluate((row) => [...row.children].map((cell) => {
    const { left, right } = cell.getBoundingClientRect();
    return [left, right];
  }));
  for (const width of [700, 1280, 1700, 2600]) {
    await page.setViewportSize({ width, height: 720 });
    await page.waitForFunction((wanted) => document.getElementById('tree-table').offsetWidth === wanted - (wanted > 760 ? 40 : 20), width);
    await settled(page);
    const row = await edges('.tree-lines .tree-row');
    assert.deepEqual(await edges('.tree-head [role=row]'), row, `${width} pixels`);
    assert.ok(row[0][1] - row[0][0] >= (width > 760 ? 430 : 330) && row[0][1] - row[0][0] <= 680);
  }
}));

test('sorts rows within what one row calls, by any column', () => withPage('tree-sort', measured(), async (page) => {
  await openTree(page);
  await press(page, 'ArrowDown', 'ArrowRight');
  const below = async () => (await names(page)).slice(2).map((name) => name.replace(/.*(Main|Log)\.(\w+) .*/, '$2'));
  assert.deepEqual(await below(), ['work', 'log'], 'by inclusive calls');
  const sort = async (key) => {
    await page.click(`#tree-table [data-key="${key}"]`);
    await settled(page);
  };
  await sort('allocated_bytes/exclusive');
  assert.deepEqual(await below(), ['log', 'work']);
  assert.equal(await text(page, '.tree-head [aria-sort=descending]'), 'exclusive');
  await sort('allocated_bytes/exclusive');
  assert.deepEqual(await below(), ['work', 'log']);
  assert.equal(await page.locator('.tree-head [aria-sort=ascending]').count(), 1);
  await sort('method');
  assert.deepEqual(await below(), ['log', 'work'], 'names rise at first');
  await sort('cpu_ns/call');
  assert.deepEqual(await below(), ['work', 'log']);
  await sort('cpu_ns/call');
  assert.deepEqual(await below(), ['work', 'log'], 'what is not known comes last either way');
  assert.equal(await selected(page), '▾Main.main', 'what was selected still is');
  // The choice outlasts another measure, and so does what is unfolded.
  await page.selectOption('#measure', { label: 'allocated bytes (estimate)' });
  await settled(page);
  assert.deepEqual(await below(), ['work', 'log']);
  assert.equal(await text(page, '.tree-head [aria-sort=ascending]'), 'ns/call incl.');
}));

test('moves, unfolds and folds by keys, as tree grids do', () => withPage('tree-keys', small(), async (page) => {
  await openTree(page);
  await press(page, 'ArrowRight');
  assert.equal(await selected(page), '▸Main.main');
  await press(page, 'Enter', 'ArrowRight', ' ');
  assert.deepEqual(await names(page),
    ['1 ▾all threads', '2 ▾Main.main', '3 ▾Main.work Main.java:10', '4 Log.log Main.java:20', '3 Log.log Main.java:11']);
  const work = page.locator('.tree-lines [aria-level="3"]').first();
  for (const [name, value] of [
    ['role', 'row'], ['aria-expanded', 'true'], ['aria-selected', 'true'], ['aria-posinset', '1'], ['aria-setsize', '2'], ['aria-rowindex', '4'],
  ]) assert.equal(await work.getAttribute(name), value, name);
  assert.equal(await page.getAttribute('#tree-table', 'aria-rowcount'), '6', 'with the head');
  assert.equal(await page.locator('.tree-lines [aria-level="4"]').getAttribute('aria-expanded'), null, 'there is nothing to unfold');
  await press(page, 'End');
  assert.equal(await selected(page), 'Log.log Main.java:11');
  await press(page, 'ArrowRight', 'ArrowLeft');
  assert.equal(await selected(page), '▾Main.main', 'from a leaf up');
  await press(page, 'ArrowLeft');
  assert.deepEqual(await names(page), ['1 ▾all threads', '2 ▸Main.main']);
  await press(page, 'ArrowRight');
  assert.equal((await names(page)).length, 4);
  await press(page, 'Home', 'ArrowLeft');
  assert.equal((await names(page)).length, 4, 'the root does not fold');
  await page.click('#fold-all');
  await settled(page);
  assert.equal(await text(page, '#tree-count'), '2 rows unfolded');
  await page.locator('.tree-lines .twisty').nth(1).click();
  await settled(page);
  assert.equal(await text(page, '#tree-count'), '4 rows unfolded');
  await page.locator('.tree-lines .name').nth(2).dblclick();
  await settled(page);
  assert.equal(await text(page, '#tree-count'), '5 rows unfolded');
}));

test('takes keys before its first rows are drawn', () => withPage('tree-at-once', small(), async (page) => {
  await page.evaluate(() => {
    document.getElementById('tab-tree').click();
    const grid = document.getElementById('tree-table');
    for (const key of ['ArrowDown', 'ArrowRight']) grid.dispatchEvent(new KeyboardEvent('keydown', { key }));
  });
  await settled(page);
  assert.equal(await selected(page), '▾Main.main');
}));

test('unfolds the heaviest path until it parts', () => withPage('tree-heaviest', thin(), async (page) => {
  await openTree(page);
  await press(page, 'h');
  assert.equal(await selected(page), '▸Main.hot Main.java:10', 'below hot is next to nothing');
  await press(page, 'h');
  assert.match(await selected(page), /Thin\.found/, 'but if that is asked for, to its end');
  assert.equal(await text(page, '#tree-count'), '65 rows unfolded');
  assert.equal(await page.locator('.tree-lines [aria-selected=true]').getAttribute('aria-level'), '64');
  // Rows deep down are where they can be read, with the number of their level.
  const box = await page.locator('.tree-lines [aria-selected=true] .name').evaluate((cell) => Number.parseFloat(cell.style.paddingLeft));
  assert.ok(box < 250);
  assert.match(await selected(page), /^63 /);
}));

test('goes from place to place in the tree', () => withPage('tree-search', thin(), async (page) => {
  await openTree(page);
  await page.fill('#search', 'found');
  await page.waitForFunction(() => !document.getElementById('found').hidden);
  await page.press('#search', 'Enter');
  await settled(page);
  assert.equal(await page.getAttribute('#tab-tree', 'aria-selected'), 'true', 'the tree stays open');
  assert.equal(await text(page, '#position'), '1 of 3 places');
  assert.match(await selected(page), /^33 ▸Thin\.found/);
  assert.equal(await page.locator('.tree-lines .found').count(), 1);
  await page.press('#search', 'Enter');
  await settled(page);
  assert.match(await selected(page), /^63 Thin\.found/);
  await page.press('#search', 'Enter');
  await settled(page);
  assert.match(await selected(page), /^3 Thin\.found/);
  await page.click('#tab-methods');
  assert.equal(await page.isVisible('#found'), false);
}));

test('has callers behind methods, with recursion counted once', () => withPage('tree-up', recursive(), async (page) => {
  await page.click('#bottom-up');
  await openTree(page);
  await press(page, 'ArrowDown', 'ArrowRight');
  // f: 10 ns at its outermost call, with 65 below; 30 in the other, which is below g.
  assert.deepEqual((await rows(page)).map((row) => row.slice(0, 6)), [
    ['1 ▾all methods', '0', '65.000', '100.0', '', ''],
    ['2 ▾R.f', '40.000', '65.000', '100.0', '20,000,000', '65,000,000'],
    ['3 ▸R.g', '30.000', '0', '0.0', '30,000,000', ''],
    ['3 Main.main', '10.000', '65.000', '100.0', '10,000,000', '65,000,000'],
    ['2 ▸R.g', '25.000', '55.000', '84.6', '12,500,000', '55,000,000'],
    ['2 Main.main', '0', '65.000', '100.0', '', '65,000,000'],
  ]);
}));

test('unfolds a chain of 50,000 calls', () => withPage('tree-deep', deep(50_000), async (page) => {
  await openTree(page);
  await press(page, 'h');
  assert.equal(await text(page, '#tree-count'), '50,001 rows unfolded');
  assert.match(await selected(page), /^50,?000 B\.odd/);
  await press(page, 'Home', 'ArrowDown');
  assert.match(await selected(page), /A\.even/);
}));

test('reaches every one of half a million rows, more than an element can be high for', () => withPage('tree-wide', wide(500_000), async (page) => {
  await openTree(page);
  await press(page, 'ArrowDown', 'ArrowRight');
  assert.equal(await text(page, '#tree-count'), '500,002 rows unfolded');
  await press(page, 'End');
  assert.equal(await page.locator('.tree-lines [aria-selected=true]').getAttribute('aria-posinset'), '500000');
  const isInSight = () => page.evaluate(() => {
    const row = document.querySelector('.tree-lines [aria-selected=true]').getBoundingClientRect();
    const grid = document.getElementById('tree-table').getBoundingClientRect();
    return row.top >= grid.top + 40 && row.bottom <= grid.bottom;
  });
  assert.ok(await isInSight());
  await press(page, 'PageUp');
  assert.ok(await isInSight());
  await press(page, 'Home');
  assert.equal(await selected(page), '▾all threads');
  await page.locator('#tree-table').evaluate((grid) => { grid.scrollTop = grid.scrollHeight; });
  await settled(page);
  assert.equal(await page.locator('.tree-lines [aria-posinset="500000"]').count(), 1, 'by scrolling, too');
}));

// main, called once, calls as many methods.
function wide(count) {
  const nodes = [[0, 0, -1, 1]];
  for (let i = 0; i < count; ++i) nodes.push([1, 1 + (i % 50), 1 + i, count - i]);
  const methods = Array.from({ length: 51 }, (_, m) => [`wide.C${m}`, 'run']);
  const sites = nodes.map((_, i) => i);
  const raw = small();
  return {
    ...raw,
    totals: { ...raw.totals, calls: 1 + (count * (count + 1)) / 2, calls_seen: 1 + (count * (count + 1)) / 2, contexts: count + 1 },
    methods: {
      class: methods.map(([c]) => c), name: methods.map(([, n]) => n), descriptor: methods.map(() => '()V'),
      source: methods.map(() => 'C.java'), loader: methods.map(() => 'app'),
    },
    sites: { method: sites.map(() => 0), bci: sites, line: sites },
    nodes: {
      parent: [-1, ...nodes.map(([parent]) => parent)], method: [-1, ...nodes.map(([, method]) => method)],
      site: [-1, -1, ...nodes.slice(1).map(([, , site]) => site)], calls: [0, ...nodes.map(([, , , calls]) => calls)],
    },
    skipped: [],
  };
}

// Rows after random steps, compared with rows that are written out.
test('finds the rows of whatever is unfolded', () => {
  const seed = Number(process.env.COPSE_SEED ?? Date.now() % 1_000_000);
  console.log(`# rows of a tree: COPSE_SEED=${seed}`);
  let state = seed;
  const random = (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 4294967296) * below);
  };
  const report = new Report(named(large(400, seed)));
  for (const direction of [new TopDown(report.whole), new BottomUp(report.whole)]) {
    const byCalls = (descending) => (
      { value: (item) => direction.amounts(item, report.calls).exclusive, descending, lastIfZero: false });
    let order = byCalls(true);
    let tree = new TreeRows(direction, order);
    const open = new Set(['']);  // paths of keys
    const writtenOut = () => {
      const all = [];
      const visit = (item, path, level) => {
        all.push([path.join(), level]);
        if (!open.has(path.join())) return;
        const { keys, item: of } = direction.kids(item);
        const sign = order.descending ? -1 : 1;
        const places = [...keys.keys()].sort((a, b) => sign * (order.value(of(keys[a])) - order.value(of(keys[b]))) || sign * (b - a));
        for (const place of places) visit(of(keys[place]), [...path, keys[place]], level + 1);
      };
      visit(direction.root, [], 1);
      return all;
    };
    const pathOf = (row) => {
      const path = [];
      for (let { parent, key } = row; parent !== null; { parent, key } = parent) path.push(key);
      return path.reverse();
    };
    for (let step = 0; step < 120; ++step) {
      const row = tree.at(random(tree.count));
      const path = pathOf(row);
      const what = random(10);
      if (what < 5) {
        tree.unfold(row);
        open.add(path.join());
      } else if (what < 7 && path.length > 0) {
        tree.fold(row);
        for (const one of [...open]) if (`${one},`.startsWith(`${path.join()},`)) open.delete(one);
      } else if (what === 7) {
        order = byCalls(random(2) === 1);
        tree.sortBy(order);
      } else if (what === 8) {
        tree = tree.movedTo(direction, order).rows;
      } else {
        const deepest = tree.reveal(path);
        assert.deepEqual(pathOf(deepest), path);
        for (let length = 0; length < path.length; ++length) open.add(path.slice(0, length).join());
      }
      const expected = writtenOut();
      assert.equal(tree.count, expected.length);
      expected.forEach(([wanted, level], index) => {
        const found = tree.at(index);
        assert.deepEqual([pathOf(found).join(), found.level], [wanted, level], `row ${index} after ${step} steps`);
        assert.equal(tree.indexOf(found), index);
      });
    }
  }
});
