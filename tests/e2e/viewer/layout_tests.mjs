// What is seen at every size of the window, and reached by keys.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chartPoint } from './browser.mjs';
import { text, texts, withPage } from './harness.mjs';
import { queries, report, small } from './samples.mjs';
import { SIZES } from './screens.mjs';

const PANES = {
  graph: ['#chart', '#detail'],
  tree: ['#tree-table', '#tree-detail'],
  methods: ['#method-table'],
  threads: ['#thread-table'],
  skipped: ['#skipped-table'],
  run: ['#run-table'],
  help: ['#help-text'],
};

// Every measure that a run can have.
const waves = (height, period) => Array.from({ length: 60 }, (_, i) => Math.round(height * (1 + Math.sin(i / period))));

export const rich = () => {
  const { nodes, ...rest } = small();
  const names = [
    'cpu_ns',
    'cpu_samples',
    'allocated_bytes',
    'allocation_samples',
    'exceptions',
    'contended_ns',
    'contentions',
    'wall_ns',
    'wall_samples',
    ...['runnable', 'native', 'blocked', 'waiting', 'parked', 'sleeping'].flatMap((state) => [
      `${state}_ns`,
      `${state}_samples`,
    ]),
  ];
  const unit = (name) => (name.endsWith('_ns') ? 'ns' : name.endsWith('_bytes') ? 'bytes (estimate)' : 'events');
  const columns = Object.fromEntries(names.map((name, i) => [name, nodes.calls.map((calls) => calls * (i + 1))]));
  return {
    ...rest,
    metrics: names.map((name, i) => ({ name, unit: unit(name), lost: 0, threads: [1000 * (i + 1)] })),
    shown: 'wall_ns',
    timeline: {
      step_ms: 100,
      program_ns: waves(7e7, 11),
      compilers_ns: waves(5e7, 3),
      collectors_ns: waves(4e7, 17),
      others_ns: waves(1e7, 5),
    },
    nodes: { ...nodes, ...columns },
  };
};

test('cuts no total, whatever the size of the window', async () => {
  for (const [name, report] of [['totals', rich()], ['compared-totals', queries()]]) {
    await withPage(name, report, async (page) => {
      for (const [width, height] of [...SIZES, [1300, 800]]) {
        await page.setViewportSize({ width, height });
        await page.waitForFunction(() => {
          const room = document.querySelector('#totals').getBoundingClientRect();
          const inside = (part) => part.left >= room.left - 0.5 && part.right <= room.right + 0.5;
          const totals = [...document.querySelectorAll('#totals div')].map((total) => total.getBoundingClientRect());
          return room.right <= innerWidth && totals.length > 3 && totals.every(inside);
        }, null, { timeout: 60_000 });
      }
    });
  }
});

test('cuts no pane, whatever the size of the window', () =>
  withPage('sizes', rich(), async (page) => {
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      for (const [tab, panes] of Object.entries(PANES)) {
        await page.click(`#tab-${tab}`);
        for (const pane of panes) {
          const measure = () =>
            page.locator(pane).evaluate((element) => {
              const scroller = element.closest('.scroll') ?? element;
              return { ...scroller.getBoundingClientRect().toJSON(), page: document.documentElement.scrollWidth };
            });
          const fits = (box) =>
            box.left >= 0 && box.right <= width && box.bottom <= height && box.page <= width &&
            box.width > 200 && box.height > (pane.endsWith('detail') ? 20 : height / 4);
          // The page lays itself out anew a while after its window has another size.
          let box = await measure();
          for (let frame = 0; frame < 300 && !fits(box); frame++) {
            await page.evaluate(() => new Promise(requestAnimationFrame));
            box = await measure();
          }
          assert.ok(fits(box), `${pane} at ${width}x${height}: ${JSON.stringify(box)}`);
        }
      }
      await page.click('#tab-graph');
      await page.fill('#search', 'log');
      await page.waitForSelector('#found:not([hidden])');
      const found = await page.locator('#found').boundingBox();
      assert.ok(
        found.x + found.width <= width && found.y + found.height <= height && found.height > 120,
        `places at ${width}: ${JSON.stringify(found)}`,
      );
      await page.fill('#search', '');
    }
  }));

test('has the columns that there is room for, and all when they are asked for', () =>
  withPage('columns', rich(), async (page) => {
    await page.click('#tab-threads');
    const heads = async () => (await texts(page, '#thread-table th:visible')).filter((head) => head !== '');
    await page.setViewportSize({ width: 400, height: 800 });
    await page.waitForSelector('#thread-table .all-columns');
    const [name, amount] = await heads();
    assert.deepEqual([name, amount], ['pool', 'wall ms'], 'the most important ones');
    const more = page.locator('#thread-table .all-columns button');
    assert.match(await more.innerText(), /^\+\d+ ›$/);
    assert.match(await more.getAttribute('title'), /calls, [^]*sleeping ms, first call$/);
    await more.click();
    assert.deepEqual((await heads()).slice(-3), ['sleeping ms', 'first call', 'fewer']);
    await more.click();
    assert.equal((await heads())[1], 'wall ms');
    await page.setViewportSize({ width: 2400, height: 800 });
    await page.waitForSelector('#thread-table .all-columns', { state: 'detached' });
    assert.equal((await heads()).at(-1), 'first call');
  }));

test('cuts a package before the class in it, and a class before its method', () => {
  const classes = ['com.example.a.very.long.name.of.a.package.Handler', 'com.example.AHandlerOfEverythingThatHasAVeryLongName'];
  const others = Array.from({ length: 20 }, (_, i) => `com.example.${'H'.repeat(i + 3)}`);
  const methods = [...classes, ...others].map((type) => [type, 'handle']);
  return withPage('cut', report(methods, methods.map((_, m) => [0, m, -1, 1])), async (page) => {
    await page.setViewportSize({ width: 400, height: 800 });
    await page.click('#full-names');
    for (const [tab, cell] of [['methods', '#method-table td'], ['tree', '.tree-lines .name']]) {
      await page.click(`#tab-${tab}`);
      for (const [type, areCut] of [[classes[0], [true, false]], [classes[1], [true, true]]]) {
        const name = page.locator(cell, { hasText: type });
        await name.waitFor();
        assert.match(await name.innerText(), new RegExp(`${type.replaceAll('.', '\\.')}\\.handle`), 'a copy has all of it');
        const seen = await name.evaluate((element) => {
          const beginnings = [...element.querySelectorAll('.beginning')];
          const method = document.createRange();
          method.selectNode(beginnings[0].parentNode.lastChild);
          return {
            areCut: beginnings.map(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth),
            isSeen: method.getBoundingClientRect().right <= element.getBoundingClientRect().right,
          };
        });
        assert.deepEqual(seen, { areCut, isSeen: true }, `${tab}: ${type}`);
      }
    }
    await page.click('#tab-methods');
    const cut = await page.locator('#method-table .beginning').evaluateAll((all) =>
      all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ offsetWidth }) => offsetWidth));
    assert.deepEqual(cut.filter((width) => width > 0 && width < 20), [], 'all of it, or a few letters, or nothing');
  });
});

test('has a pane beside the methods only when one is picked', () =>
  withPage('pane', small(), async (page) => {
    await page.click('#tab-methods');
    assert.equal(await page.isVisible('#method-detail'), false);
    await page.locator('#method-table tbody tr').first().click();
    assert.equal(await page.isVisible('#method-detail'), true);
    assert.match(page.url(), /method=0/);
    await page.click('#method-detail .close');
    assert.equal(await page.isVisible('#method-detail'), false);
    assert.doesNotMatch(page.url(), /method=/);
  }));

test('goes from frame to frame by arrow keys', () =>
  withPage('arrows', small(), async (page) => {
    const at = () => text(page, '#detail strong');
    const press = async (key, name) => {
      await page.keyboard.press(key);
      assert.equal(await at(), name, key);
    };
    await press('ArrowDown', 'all threads');
    await press('ArrowDown', 'demo.Main.main');
    await press('ArrowDown', 'demo.Main.work'); // the widest
    await press('ArrowLeft', 'demo.Log.log');
    await press('ArrowLeft', 'demo.Log.log'); // the first of its level
    await press('ArrowRight', 'demo.Main.work');
    await press('ArrowDown', 'demo.Log.log');
    await press('ArrowUp', 'demo.Main.work');
    await page.keyboard.press('Enter');
    assert.equal(await text(page, '#path strong'), 'Main.work');
    await page.keyboard.press('Backspace');
    assert.equal(await text(page, '#path strong'), 'Main.main');
    await page.click('#flame');
    await press('ArrowUp', 'demo.Main.main');
    await press('ArrowUp', 'demo.Main.work'); // its root is at the bottom
  }));

test('unfolds the heaviest path of the tree by H, without a selection', () =>
  withPage('h', small(), async (page) => {
    await page.click('#tab-tree');
    await page.keyboard.press('h');
    await page.waitForFunction(() => document.querySelector('#tree-detail strong')?.textContent === 'demo.Log.log');
    await page.keyboard.press('ArrowUp');
    await page.waitForFunction(() => document.querySelector('#tree-detail strong')?.textContent === 'demo.Main.work');
    await page.fill('#search', 'h');
    assert.equal(await page.inputValue('#search'), 'h', 'a letter in a field is a letter');
  }));

test('keeps the tip small where there are many measures', () =>
  withPage('tip-many', rich(), async (page) => {
    const point = await chartPoint(page, 2, 0.5);
    await page.mouse.move(point.x, point.y);
    const lines = (await text(page, '#tip .facts')).split('\n').map((line) => line.split('\t')[0].trim());
    assert.deepEqual(lines.slice(1), [
      'wall time',
      'calls',
      'cpu time',
      'allocated bytes (estimate)',
      'exceptions',
      'contended time',
      'contentions',
      'wall time per call',
    ]);
  }));

test('groups measures and colours in their menus', () =>
  withPage('menus', rich(), async (page) => {
    const groups = (menu) => page.locator(`${menu} optgroup`).evaluateAll((all) => all.map(({ label }) => label));
    assert.deepEqual(await groups('#measure'), [
      'Processor time',
      'Allocations',
      'Exceptions',
      'Waits for monitors',
      'Wall-clock time and its states',
    ]);
    assert.deepEqual((await groups('#color')).slice(0, 4), [
      'per call: Processor time',
      'per call: Allocations',
      'per call: Exceptions',
      'per call: Waits for monitors',
    ]);
    await page.selectOption('#measure', { label: 'parked time' });
    assert.match(await text(page, '#totals'), /^parked time/);
  }));

test('has both reports of a comparison at every size', () =>
  withPage('compared-sizes', queries(), async (page) => {
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      for (const tab of ['graph', 'tree', 'methods']) {
        await page.click(`#tab-${tab}`);
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(over <= 0, `${tab} at ${width}`);
      }
    }
  }));
