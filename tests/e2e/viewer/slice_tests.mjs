// The tab of slices.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cells, copied, text, withPage } from './harness.mjs';
import { small } from './samples.mjs';

// main -> work, log: of the three slices of main two are kept.
const sliced = () => ({
  ...small(),
  slice_totals: { keep: 20, in_part: 0, open: 2 },
  slice_methods: { method: [1], slices: [3], calls: [60], wall_ns: [9e6] },
  slices: {
    id: [1, 3], method: [1, 1], thread: ['http-1', 'http-2'], kept: ['sample', 'slowest,sample'], start_ns: [1e6, 3e6],
    wall_ns: [2e6, 5e6], cpu_ns: [1e6, 0], calls: [3, 51], calls_left_out: [0, 0], contexts: [3, 2],
  },
  slice_contexts: { node: [1, 2, 3, 1, 3], calls: [1, 1, 1, 1, 50] },
  slice_calls: {
    of: [1, 1], method: [1, 2], slices: [3, 2], calls: [3, 51], most: [1, 50], most_in: [1, 3], buckets: [1, 2],
  },
  slice_buckets: { least: [1, 1, 50], slices: [3, 1, 1] },
  slice_measures: {
    name: ['allocated_bytes', 'exceptions', 'parked_ns'], unit: ['bytes', 'events', 'ns'], sampled: [0, 0, 1],
  },
  slice_method_amounts: { of: [0, 0], measure: [0, 2], amount: [8192, 4e6] },
  slice_amounts: { of: [0, 1, 1], measure: [0, 0, 2], amount: [4096, 2048, 4e6] },
});

test('lists the kept slices, and how often they called each method', () =>
  withPage('slices', sliced(), async (page) => {
    await page.click('#tab-slices');
    assert.equal(await text(page, '#tab-slices'), 'Slices (2)');
    assert.match(await text(page, '#slices-hint'), /slices of Main\.main, [^]* ≈ is an estimate [^]*2 slices not ended/);
    assert.deepEqual(await cells(page, '#slices-table tbody tr'), [
      ['http-2', '3', '5.00 ms', '', '51', '2.00 KiB', '4.00 ms', '3.00 ms', 'slowest, sample'],
      ['http-1', '1', '2.00 ms', '1.00 ms', '3', '4.00 KiB', '', '1.00 ms', 'sample'],
    ]);
    assert.deepEqual(await cells(page, '#slice-calls-table tbody tr'), [
      ['Main.work', '1', '50', '50', '3'],
      ['Main.main', '1', '1', '1', '1'],
    ]);
  }));

test('shows a slice that is picked as the measure of graph and tree', () =>
  withPage('slice', sliced(), async (page) => {
    await page.click('#tab-slices');
    await page.click('#slices-table tbody tr');
    assert.match(page.url(), /show=slice_3/);
    assert.equal(await text(page, '#measured'), '51');
    await page.click('#tab-tree');
    assert.match(await text(page, '#tree'), /Main\.main\s+1\s+51\s+100\.0/);
    await page.selectOption('#measure', { label: 'calls' });
    assert.doesNotMatch(page.url(), /slice_/);
  }));

// main -> handle -> find: the slices of handle.
const served = () => {
  const raw = sliced();
  raw.slices = { ...raw.slices, method: [2, 2], contexts: [1, 1] };
  raw.slice_contexts = { node: [2, 2], calls: [3, 51] };
  return raw;
};

test('shows a slice at the frame that has all of it, not at its callers', () =>
  withPage('served', served(), async (page) => {
    await page.click('#tab-slices');
    await page.click('#slices-table tbody tr');
    assert.match(page.url(), /zoom=2/);
    await page.click('#reset');
    assert.doesNotMatch(page.url(), /zoom=2/);
  }));

test('shows the span of a slice and copies its ids, and the tasks that it handed over', () => {
  const trace = 'a1'.repeat(16);
  const raw = sliced();
  raw.slices = { ...raw.slices, trace: ['', trace], span: ['', 'b2'.repeat(8)] };
  raw.slice_tasks = { of: [1, 1], node: [1, 2], tasks: [2, 3], calls: [20, 20] };
  return withPage('spans', raw, async (page) => {
    await page.click('#tab-slices');
    const rows = await cells(page, '#slices-table tbody tr');
    assert.deepEqual(rows.map((row) => row.slice(-2)), [[trace, 'b2'.repeat(8)], ['', '']]);
    assert.deepEqual(rows.map((row) => row[7]), ['5', '']);
    const at = page.url();
    await page.click(`#slices-table button:text("${trace}")`);
    assert.equal(await copied(page, trace), trace);
    assert.equal(page.url(), at);
  });
});

test('is not there without slices', () =>
  withPage('no-slices', small(), async (page) => {
    assert.equal(await page.locator('#tab-slices').isVisible(), false);
  }));
