// Names, and what can be done with them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ShortNames, shortName } from '../../../reports/viewer/src/names.js';
import { cells, clickFrame, withPage } from './harness.mjs';
import { longNames, measured, queries, small } from './samples.mjs';

const names = (page) => cells(page, '#method-table tbody tr').then((rows) => rows.map(([name]) => name));

// A copy takes its time.
const isSaid = (page, what) =>
  page.waitForFunction((wanted) => document.getElementById('said').textContent === wanted, what);

test('shortens names as far as they stay apart', () => {
  for (const [name, short] of [
    ['a.b.Log.log(int)', 'Log.log'],
    ['a.Outer$Inner.<init>', 'Outer$Inner.<init>'],
    ['[main]', '[main]'],
    ['[Acceptor tcp://10.0.0.1:8080]', '[Acceptor tcp://10.0.0.1:8080]'],
    ['[*.*.*.*:*@*]', '[*.*.*.*:*@*]'],
    ['[a.b.C (idle)]', '[a.b.C (idle)]'],
    ['(a.b)', '(a.b)'],
    ['new (other classes)', 'new (other classes)'],
    ['new byte[]', 'new byte[]'],
    ['new java.lang.String', 'new String'],
    ['park a.b.Lock$Sync', 'park Lock$Sync'],
    ['synchronized a.B.class', 'synchronized B.class'],
    ['throw a.b.Missing at a.b.Store.find:13', 'throw Missing at Store.find:13'],
  ])
    assert.equal(shortName(name), short);
  const made = new ShortNames(['a.Log.log(int)', 'a.Log.log(long)', 'b.X.f', 'c.X.f', 'c.X.g', 'throw a.M at a.S.f:1', '[a.b (1)]']);
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5, 6].map((m) => made.of(m)),
    ['Log.log(int)', 'Log.log(long)', 'b.X.f', 'c.X.f', 'X.g', 'throw M at S.f:1', '[a.b (1)]'],
  );
});

test('shows names without packages, or with them', () =>
  withPage('names', longNames(), async (page) => {
    await page.click('#tab-methods');
    assert.deepEqual((await names(page)).sort(), [
      'Main.main',
      'Value.compareTo',
      'Value.compareTo(Value)',
      'Value.compareTo(int)',
      'Value.compareToNotNullable',
    ]);
    assert.equal(
      await page.locator('#method-table td', { hasText: 'compareTo(int)' }).getAttribute('title'),
      'demo.Value.compareTo(int)',
    );
    await page.click('#full-names');
    assert.match(page.url(), /names=full/);
    assert.ok((await names(page)).includes('other.Value.compareTo'));
    await page.click('#tab-tree');
    await page.locator('.tree-lines', { hasText: 'demo.Main.main' }).waitFor();
  }));

test('sums by class and by package', () =>
  withPage('groups', measured(), async (page) => {
    await page.click('#tab-methods');
    await page.click('#rank-classes');
    assert.deepEqual(await cells(page, '#method-table tbody tr'), [
      ['demo.Log', '699', '69.9 %', '699', '69.9 %', '1', '2'],
      ['demo.Main', '301', '30.1 %', '1,000', '100.0 %', '2', '2'],
    ]);
    await page.locator('#method-table tbody tr', { hasText: 'demo.Main' }).click();
    assert.deepEqual(await cells(page, '#members tbody tr'), [
      ['Main.work', '300', '99.7 %'],
      ['Main.main', '1', '0.3 %'],
    ]);
    await page.click('#rank-packages');
    assert.match(page.url(), /rank=packages/);
    assert.deepEqual(await cells(page, '#method-table tbody tr'), [
      ['demo', '1,000', '100.0 %', '1,000', '100.0 %', '3', '4'],
    ]);
    await page.selectOption('#measure', { label: 'cpu time' });
    assert.deepEqual((await cells(page, '#method-table tbody tr'))[0].slice(0, 2), ['demo', '751.750']);
  }));

test('compares classes', () =>
  withPage('compared-groups', queries(), async (page) => {
    await page.click('#tab-methods');
    await page.click('#rank-classes');
    assert.deepEqual((await cells(page, '#method-table tbody tr'))[0], [
      'demo.Dao',
      '100',
      '10,100',
      '+10,000',
      '200',
      '10,200',
      '+10,000',
      '1',
      '1',
    ]);
  }));

test('copies a name, and a command that shows the same', () =>
  withPage('copy', measured(), async (page) => {
    const act = async (title, said) => {
      await page.locator('#detail .more-actions').click();
      await page.locator('#menu button', { hasText: title }).click();
      await isSaid(page, `Copied: ${said}`);
    };
    await clickFrame(page, 2, 0.5);
    await act('Copy name', 'demo.Main.work');
    await page.click('#bottom-up');
    await clickFrame(page, 1, 0.2);
    await act('Copy command', 'copse report copy.json --callers demo.Log.log --format tree');
    await page.selectOption('#measure', { label: 'cpu time' });
    await act('Copy command', 'copse report copy.json --measure cpu_ns --callers demo.Log.log --format tree');
    await page.click('#tab-methods');
    await page.locator('#method-table tbody tr', { hasText: 'Log.log' }).click();
    await page.locator('#method-detail .more-actions').click();
    await page.locator('#menu button', { hasText: 'Copy command' }).click();
    await isSaid(page, 'Copied: copse report copy.json --measure cpu_ns --callers demo.Log.log');
  }));

test('quotes what a shell would take apart', () => {
  const report = small();
  report.methods.class[0] = 'demo.Log$Inner';
  return withPage('quotes', report, async (page) => {
    await page.click('#tab-methods');
    await page.locator('#method-table tbody tr', { hasText: '$Inner.log' }).click();
    await page.locator('#method-detail .more-actions').click();
    await page.locator('#menu button', { hasText: 'Copy command' }).click();
    await isSaid(page, "Copied: copse report quotes.json --root 'demo.Log$Inner.log'");
  });
});
