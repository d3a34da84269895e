// Events in the tables of methods: at the method of their context, with their types or locks beside it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cells, search, text, texts, withPage } from './harness.mjs';
import { report } from './samples.mjs';

const heads = (page) => texts(page, '#method-table th');
const rows = (page) => cells(page, '#method-table tbody tr');

// main -> load (2) allocates byte[] and int[], and throws; main -> save (5) allocates byte[].
export const events = () => {
  const made = report(
    [
      ['', 'new byte[]', ''],
      ['', 'new int[]', ''],
      ['', 'throw demo.Missing at demo.Dao.load:31', ''],
      ['demo.Dao', 'load'],
      ['demo.Dao', 'save'],
      ['demo.Main', 'main'],
    ],
    [
      [0, 5, -1, 1],
      [1, 3, 10, 2],
      [2, 0, -1, 0],
      [2, 1, -1, 0],
      [2, 2, -1, 0],
      [1, 4, 11, 5],
      [6, 0, -1, 0],
    ],
  );
  const { nodes, ...rest } = made;
  return {
    ...rest,
    metrics: [
      { name: 'allocated_bytes', unit: 'bytes', lost: 0 },
      { name: 'exceptions', unit: 'events', lost: 0 },
    ],
    shown: 'allocated_bytes',
    nodes: { ...nodes, allocated_bytes: [0, 0, 0, 300, 100, 0, 0, 600], exceptions: [0, 0, 0, 0, 0, 4, 0, 0] },
  };
};

test('ranks methods by their events, with types beside them', () =>
  withPage('events', events(), async (page) => {
    await page.click('#tab-methods');
    assert.deepEqual(await heads(page), [
      'method',
      'type',
      'allocated B',
      '',
      'inclusive B',
      '',
      'allocated B/call',
      'incl. allocated B/call',
      'contexts',
    ]);
    assert.deepEqual(await rows(page), [
      ['Dao.save', 'byte[]', '600', '60.0 %', '600', '60.0 %', '120', '120', '1'],
      ['Dao.load', 'byte[] 75.0 %, int[] 25.0 %', '400', '40.0 %', '400', '40.0 %', '200', '200', '2'],
      ['Main.main', '', '0', '0.0 %', '1,000', '100.0 %', '', '1,000', '0'],
    ]);
    assert.match(await text(page, '#totals'), /methods\s+2\s/);
    await page.locator('#method-table tbody tr', { hasText: 'Dao.load' }).click();
    assert.match(await text(page, '#method-detail'), /400 B allocated in 2 contexts, 400 B with everything below\./);
    assert.deepEqual(await cells(page, '#objects tbody tr'), [
      ['byte[]', '300', '75.0 %'],
      ['int[]', '100', '25.0 %'],
    ]);
    assert.deepEqual(await cells(page, '#callees tbody tr'), []);
    await search(page, 'int[]', '1 method in 1 context: 100 B allocated (10.0 %), 100 B inclusive (10.0 %)');
    assert.deepEqual(
      (await rows(page)).map(([name]) => name),
      ['Dao.load'],
      'found by its type',
    );
  }));

test('ranks types, with the methods of each', () =>
  withPage('types', events(), async (page) => {
    await page.click('#tab-methods');
    await page.click('#rank-types');
    assert.deepEqual(await heads(page), ['type', 'allocated B', '', 'methods']);
    assert.deepEqual(await rows(page), [
      ['byte[]', '900', '90.0 %', '2'],
      ['int[]', '100', '10.0 %', '1'],
    ]);
    await page.locator('#method-table tbody tr').first().click();
    assert.deepEqual(await cells(page, '#members tbody tr'), [
      ['Dao.save', '600', '66.7 %'],
      ['Dao.load', '300', '33.3 %'],
    ]);
    assert.match(page.url(), /rank=types/);
    await page.selectOption('#measure', { label: 'exceptions' });
    assert.deepEqual(await rows(page), [['demo.Missing', '4', '100.0 %', '1', 'demo.Dao.load:31']]);
    await page.reload();
    await page.waitForFunction(() => document.documentElement.dataset.ready === 'true');
    assert.deepEqual(await heads(page), ['type', 'exceptions', '', 'methods', 'at']);
    await page.locator('#method-table tbody tr').first().click();
    await page.locator('#members tbody tr').first().click();
    assert.equal(await text(page, '#method-detail h2'), 'demo.Dao.load');
    await page.selectOption('#measure', { label: 'calls' });
    assert.equal(await page.isVisible('#rank-types'), false, 'calls have no types');
  }));
