// One context as root, merged callees, back traces: of random trees against what is written out, and on the page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BackTraces } from '../../../reports/viewer/src/bottom_up.js';
import { TopDown } from '../../../reports/viewer/src/directions.js';
import { merged, under } from '../../../reports/viewer/src/parts.js';
import { Report } from '../../../reports/viewer/src/report.js';
import { Search } from '../../../reports/viewer/src/search.js';
import { chartPoint } from './browser.mjs';
import { cells, clickFrame, search, text, texts, withPage } from './harness.mjs';
import { deep, measured, named, recursive, report, small } from './samples.mjs';

const METHODS = 6;

// A tree of few methods, so that they recurse.
function recursiveReport(seed, contexts = 300) {
  let state = seed;
  const random = (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 4294967296) * below);
  };
  const nodes = [];
  const path = [0];
  while (nodes.length < contexts) {
    while (path.length > 1 && random(10) < 4) path.pop();
    const row = nodes.length + 1;
    nodes.push([path.at(-1), random(METHODS), path.length === 1 ? -1 : 1 + random(5), random(4)]);
    path.push(row);
  }
  return new Report(named(report(Array.from({ length: METHODS }, (_, m) => ['r.C', `m${m}`]), nodes)));
}

const seedOf = (what) => {
  const seed = Number(process.env.COPSE_SEED ?? Date.now() % 1_000_000);
  console.log(`# ${what}: COPSE_SEED=${seed}`);
  return seed;
};

const isOutermost = (tree, row) => {
  for (let up = tree.parent[row]; up > 0; up = tree.parent[up]) if (tree.method[up] === tree.method[row]) return false;
  return true;
};

// The methods and call sites from `top`'s on down to a row.
function pathBelow(tree, row, top) {
  const path = [];
  for (let up = row; up !== tree.parent[top]; up = tree.parent[up]) {
    path.push(`${tree.method[up]}@${up === top ? -1 : tree.site[up]}`);
  }
  return path.reverse().join();
}

// By path: what a tree of one node for each has.
function written(tree) {
  const all = new Map();
  for (let row = 1; row < tree.count; ++row) all.set(pathBelow(tree, row, 1), [tree.values[row], tree.inclusive[row], tree.contexts[row]]);
  return new Map([...all].sort());
}

test('lays all contexts of a method over each other, each call once', () => {
  const seed = seedOf('merged callees');
  for (let round = 0; round < 10; ++round) {
    const { whole, calls } = recursiveReport(seed + round);
    for (let m = 0; m < METHODS; ++m) {
      const expected = new Map();
      for (let top = 1; top < whole.count; ++top) {
        if (whole.method[top] !== m || !isOutermost(whole, top)) continue;
        for (let row = top; row < top + whole.size[top]; ++row) {
          const path = pathBelow(whole, row, top);
          const sums = expected.get(path) ?? [0, 0, 0];
          expected.set(path, sums.map((sum, i) => sum + [whole.values, whole.inclusive, whole.contexts][i][row]));
        }
      }
      const tree = merged(whole, m);
      tree.show(calls);
      assert.deepEqual(written(tree), new Map([...expected].sort()));
      assert.equal(tree.count - 1, expected.size, 'one node for each path');
      assert.equal(tree.inclusive[0], whole.methodInclusive[m], 'as much as the method has, recursion counted once');
      for (let row = 2; row < tree.count; ++row) {
        const parent = tree.parent[row];
        assert.ok(parent < row && row < parent + tree.size[parent], 'rows are in pre-order');
      }
    }
  }
});

test('keeps the call sites of merged contexts', () => {
  const { whole, calls } = new Report(named(report(
    [['s.C', 'main'], ['s.C', 'f'], ['s.C', 'g'], ['s.C', 'h']],
    [[0, 0, -1, 1], [1, 1, 1, 1], [2, 2, 5, 1], [2, 3, 6, 1], [1, 1, 2, 1], [5, 2, 5, 1], [5, 3, 7, 1]],
  )));
  const tree = merged(whole, 1);
  tree.show(calls);
  assert.deepEqual([...tree.site].map((site) => whole.report.siteName(site)), ['', '', 'Main.java:5', 'Main.java:6', 'Main.java:7']);
});

test('makes a context the whole', () => {
  const { whole, calls } = recursiveReport(seedOf('a context as root'));
  for (const top of [1, 2, 17, whole.count - 1]) {
    const tree = under(whole, top);
    tree.show(calls);
    assert.equal(tree.count, whole.size[top] + 1);
    assert.equal(tree.inclusive[0], whole.inclusive[top]);
    for (let row = 1; row < tree.count; ++row) {
      const same = top + row - 1;
      assert.equal(tree.site[row], row === 1 ? -1 : whole.site[same]);
      for (const column of ['method', 'values', 'inclusive', 'contexts', 'size']) assert.equal(tree[column][row], whole[column][same]);
      assert.equal(tree.parent[row], row === 1 ? 0 : whole.parent[same] - top + 1);
    }
  }
});

test('follows the callers of a method, and finds what is searched for among them', () => {
  const seed = seedOf('back traces');
  for (let round = 0; round < 10; ++round) {
    const { whole, calls, names } = recursiveReport(seed + round, 120);
    for (let m = 0; m < METHODS; ++m) {
      const expected = new Map();  // by chain: exclusive, inclusive
      for (let row = 1; row < whole.count; ++row) {
        if (whole.method[row] !== m) continue;
        let chain = '';
        for (let up = row; up > 0; up = whole.parent[up]) {
          chain += `${whole.method[up]}.`;
          const sums = expected.get(chain) ?? [0, 0];
          expected.set(chain, [sums[0] + whole.values[row], sums[1] + (isOutermost(whole, row) ? whole.inclusive[row] : 0)]);
        }
      }
      const direction = new BackTraces(whole, m);
      const found = new Map();
      const visit = (item, chain) => {
        const { exclusive, inclusive } = direction.amounts(item, calls);
        assert.equal(item.value, inclusive);
        found.set(chain, [exclusive, inclusive]);
        const { keys, item: of } = direction.kids(item);
        assert.equal(direction.hasChildren(item), keys.length > 0);
        for (const key of keys) visit(of(key), `${chain}${key}.`);
      };
      visit(direction.root, `${m}.`);
      assert.deepEqual(new Map([...found].sort()), new Map([...expected].sort()));

      const wanted = round % METHODS;
      const findings = direction.find(new Search(names).chosen(wanted));
      const chains = [...expected].filter(([chain, [, inclusive]]) => inclusive > 0 && chain.split('.').at(-2) === String(wanted));
      const chainOf = (item) => [m, ...direction.keysTo(item), ''].join('.');
      const places = Array.from({ length: findings.count }, (_, i) => findings.item(i));
      assert.ok(findings.isComplete);
      assert.deepEqual(places.map(chainOf).sort(), chains.map(([chain]) => chain).sort());
      assert.ok(places.every(({ value }, i) => i === 0 || value <= places[i - 1].value), 'widest first');
      const { items } = direction.children(direction.root, 0);
      const beyond = places.filter((place) => place !== direction.root);
      assert.equal(findings.hiddenBelow(direction.root, []), beyond.length);
      for (const drawn of items) {
        const others = beyond.filter((place) => !chainOf(place).startsWith(chainOf(drawn)));
        assert.equal(findings.hiddenBelow(direction.root, [drawn]), others.length);
        assert.equal(findings.item(findings.firstHidden(direction.root, [drawn])), others[0]);
      }
    }
  }
});

test('has as many merged calls as there are below the method in a deep recursion', () => {
  const { whole, calls } = new Report(named(deep(50_000)));
  const tree = merged(whole, 1);
  tree.show(calls);
  assert.equal(tree.inclusive[0], 49_999);
  assert.equal(new TopDown(tree).amounts({ row: 1 }, calls).exclusive, 1);
  const direction = new BackTraces(whole, 1);
  assert.ok(direction.find(new Search(whole.report.names).chosen(0)).count > 0);
});

const steps = (page) => text(page, '#steps').then((line) => line.replaceAll('\n', ' '));
const action = (page, where, title) => page.locator(`${where} .actions button`, { hasText: title }).click();

test('makes the zoomed frame the whole, and goes back', () => withPage('root', measured(), async (page) => {
  await clickFrame(page, 2, 0.5);
  await action(page, '#detail', 'Set as root');
  assert.equal(await steps(page), 'everything › Main.work as root Copy command');
  const point = await chartPoint(page, 1, 0.5);
  await page.mouse.move(point.x, point.y);
  assert.match(await text(page, '#tip'), /^demo\.Main\.work\n.*\ncalls\t300 \(33\.3 %\)\t900 \(100\.0 %\)\n/, 'shares are of it');
  await page.click('#tab-methods');
  assert.deepEqual((await cells(page, '#method-table tbody tr')).map((row) => row.slice(0, 3)),
    [['Log.log', '600', '66.7 %'], ['Main.work', '300', '33.3 %']], 'methods are those below it');
  await search(page, 'log', '1 method in 1 context: 600 calls (66.7 %), 600 inclusive (66.7 %)');
  assert.match(await text(page, '#proof'), /^1,000 calls seen/, 'the proof is of all');
  await page.click('#tab-graph');
  await page.selectOption('#measure', { label: 'cpu time' });
  assert.match(await text(page, '#detail'), /Main\.work as root[^]*inclusive\s+752 ms \(100\.0 %\)/, 'the root stays');
  await page.locator('#steps button', { hasText: 'everything' }).click();
  assert.equal(await page.isVisible('#steps'), false);
  assert.match(await text(page, '#matches'), /750 ms of cpu time \(99\.8 %\)/);
}));

test('merges the callees of a method from a menu', () => withPage('merge', recursive(), async (page) => {
  const point = await chartPoint(page, 2, 0.5);  // f
  await page.mouse.click(point.x, point.y, { button: 'right' });
  assert.deepEqual(await texts(page, '#menu [role=menuitem]'),
    ['Set as root', 'Merged callees', 'Back traces', 'Find all of this method', 'Copy name', 'Copy command', 'Subtract this method',
      'Hide this method', 'Fold demo.**', 'Show in the tree', 'Subtract this context']);
  assert.equal(await text(page, '#menu :focus'), 'Set as root');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  assert.equal(await page.isVisible('#menu'), false);
  assert.equal(await steps(page), 'everything › all contexts of R.f, merged Copy command a call of the method from inside itself is below that one and counts once');
  await page.click('#tab-tree');
  await page.focus('#tree-table');
  await page.click('#heaviest');
  await page.waitForFunction(() => document.querySelectorAll('.tree-lines .tree-row').length === 4);
  const names = await texts(page, '.tree-lines .name');
  assert.deepEqual(names.map((name) => name.replace(/[▾▸]/, '').trim()),
    ['all contexts of R.f, merged', 'R.f', 'R.g Main.java:2', 'R.f Main.java:3']);
  assert.match(await page.locator('.tree-lines .tree-row').nth(1).innerText(), /10\.000\s+65\.000\s+100\.0/);
}));

test('shows the back traces of a method, with a search among the callers', () => withPage('back', small(), async (page) => {
  await page.click('#tab-methods');
  await page.locator('#method-table tbody tr', { hasText: 'Log.log' }).click();
  await action(page, '#method-detail', 'Back traces');
  assert.equal(await page.getAttribute('#tab-graph', 'aria-selected'), 'true');
  assert.match(await steps(page), /^everything › back traces of Log\.log Copy command by what it has inclusively/);
  assert.equal(await page.isVisible('#bottom-up'), false, 'it is turned round already');
  const at = async (level, share) => {
    const point = await chartPoint(page, level, share);
    await page.mouse.move(point.x, point.y);
    return (await text(page, '#tip')).split('\n')[0];
  };
  assert.equal(await at(0, 0.5), 'demo.Log.log');
  assert.equal(await at(1, 0.5), 'demo.Main.work');
  assert.equal(await at(1, 0.95), 'demo.Main.main');
  assert.equal(await at(2, 0.5), 'demo.Main.main', 'behind work');
  await page.fill('#search', 'main.main');
  await page.waitForFunction(() => !document.getElementById('found').hidden);
  assert.deepEqual(await texts(page, '#found-list button'),
    ['Main.main\n600 (60.0 %) · 1 context\nMain.work', 'Main.main\n99 (9.9 %) · 1 context']);
  await page.press('#search', 'Enter');
  assert.equal(await text(page, '#path'), 'Log.log\n›\nMain.work\n›\nMain.main');
  await page.click('#tab-tree');
  await page.press('#search', 'Enter');
  await page.waitForFunction(() => document.querySelectorAll('.tree-lines .tree-row').length === 3);
  assert.deepEqual(await texts(page, '.tree-lines .name'), ['▾Log.log', '▸Main.work', 'Main.main']);
}));

test('takes steps from the rows of the tree, by keys too', () => withPage('tree-steps', small(), async (page) => {
  await page.click('#tab-tree');
  await page.focus('#tree-table');
  for (const key of ['ArrowDown', 'ArrowRight', 'ArrowDown']) await page.keyboard.press(key);
  await page.waitForFunction(() => document.querySelector('#tree-detail strong').textContent === 'demo.Main.work');
  await page.keyboard.press('Shift+F10');
  await page.waitForFunction(() => !document.getElementById('menu').hidden);
  await page.keyboard.press('Escape');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'tree-table', 'the focus goes back');
  await action(page, '#tree-detail', 'Set as root');
  assert.equal(await steps(page), 'everything › Main.work as root Copy command');
}));

// [main] -> main (1) -> work (10); [pool-*-thread-*] -> work (89).
const byThread = () => report(
  [['', '[main]', ''], ['', '[pool-*-thread-*]', ''], ['demo.Main', 'main'], ['demo.Main', 'work']],
  [[0, 0, -1, 0], [1, 2, -1, 1], [2, 3, 5, 10], [0, 1, -1, 0], [4, 3, -1, 89]],
);

test('offers the threads that contexts hang below', () => withPage('threads', byThread(), async (page) => {
  assert.deepEqual(await texts(page, '#thread option'), ['all', '[main]', '[pool-*-thread-*]']);
  await page.selectOption('#thread', { label: '[pool-*-thread-*]' });
  assert.equal(await steps(page), 'everything › [pool-*-thread-*] as root Copy command');
  await page.click('#tab-methods');
  assert.deepEqual((await cells(page, '#method-table tbody tr')).map((row) => row.slice(0, 2)),
    [['Main.work', '89'], ['[pool-*-thread-*]', '0']]);
  await page.goBack();
  await page.goBack();
  assert.equal(await page.inputValue('#thread'), '0', 'Back goes back to all');
  await page.selectOption('#thread', { label: '[main]' });
  await page.selectOption('#thread', { label: 'all' });
  assert.equal(await page.isVisible('#steps'), false);
}));

test('offers no threads where contexts do not hang below them', () => withPage('no-threads', small(), async (page) => {
  assert.equal(await page.isVisible('#thread'), false);
}));
