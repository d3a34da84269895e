// Frames taken away: subtrees subtracted, a method hidden, a package folded.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Report } from '../../../reports/viewer/src/report.js';
import { folded, hidden, withoutContext, withoutMethod } from '../../../reports/viewer/src/reshaped.js';
import { cells, clickFrame, search, text, texts, withPage } from './harness.mjs';
import { large, measured, named, report } from './samples.mjs';

// What each path has, of names joined; a path of no name is ROOT.
function pathsOf(tree, frames, amount = (row) => tree.exclusiveOf(tree.report.calls)[row]) {
  const paths = [[]];
  const sums = new Map();
  for (let row = 0; row < tree.count; ++row) {
    if (row > 0) paths[row] = frames(paths[tree.parent[row]], row);
    if (paths[row] === null) continue;
    const key = paths[row].join(';');
    sums.set(key, (sums.get(key) ?? 0) + amount(row));
  }
  return new Map([...sums].filter(([, sum]) => sum > 0));
}
const plainPaths = (tree, names) => pathsOf(tree, (above, row) => [...above, names[tree.method[row]]]);

test('keeps every amount where it belongs, whatever frames are taken away', () => {
  const made = new Report(named(large(6000, 5)));
  const { whole, names, methods } = made;
  const calls = whole.exclusiveOf(made.calls);
  const name = 'org.acme.shop';
  const isInside = (row) => row > 0 && methods.class[whole.method[row]].startsWith(`${name}.`);
  const frame = made.frame(`${name}.**`);
  const nameOf = (row) => names[whole.method[row]];
  const foldedPaths = pathsOf(whole, (above, row) => {
    if (!isInside(row)) return [...above, nameOf(row)];
    return isInside(whole.parent[row]) ? above : [...above, names[frame]];
  });
  assert.deepEqual(plainPaths(folded(whole, name, frame), names), foldedPaths);

  const wanted = whole.method[7];
  const isOf = (row) => whole.method[row] === wanted;
  const isHidden = (row) => isOf(row) && whole.parent[row] > 0;
  const hiddenPaths = pathsOf(
    whole,
    (above, row) => (isHidden(row) ? above : [...above, nameOf(row)]),
    (row) => (isHidden(row) ? 0 : calls[row]),
  );
  assert.deepEqual(plainPaths(hidden(whole, wanted), names), hiddenPaths);

  const without = (isTop) =>
    pathsOf(whole, (above, row) => (above === null || isTop(row) ? null : [...above, nameOf(row)]));
  assert.deepEqual(plainPaths(withoutMethod(whole, wanted), names), without(isOf));
  const less = withoutContext(whole, 3);
  assert.deepEqual(
    plainPaths(less, names),
    without((row) => row === 3),
  );
  assert.equal(less.count, whole.count - whole.size[3], 'call sites stay apart');
});

const menu = async (page, title) => {
  await page.locator('#detail .more-actions').click();
  await page.locator('#menu button', { hasText: title }).click();
};
const ranked = async (page) => {
  await page.click('#tab-methods');
  const rows = await cells(page, '#method-table tbody tr');
  await page.click('#tab-graph');
  return rows.map((row) => row.slice(0, 5));
};

test('subtracts a context, and goes back', () =>
  withPage('less', measured(), async (page) => {
    await clickFrame(page, 2, 0.5); // work
    await menu(page, 'Subtract this context');
    assert.equal(await text(page, '#steps strong'), 'without a context of Main.work');
    assert.match(page.url(), /read=less:3/);
    assert.deepEqual(await ranked(page), [
      ['Log.log', '99', '99.0 %', '99', '99.0 %'],
      ['Main.main', '1', '1.0 %', '100', '100.0 %'],
    ]);
    await page.reload();
    await page.waitForFunction(() => document.documentElement.dataset.ready === 'true');
    assert.match(await text(page, '#detail'), /all threads[^]*100 \(100\.0 %\)/);
    await page.locator('#steps button', { hasText: 'everything' }).click();
    assert.match(await text(page, '#detail'), /1,000 \(100\.0 %\)/);
  }));

test('hides a method, and subtracts another', () =>
  withPage('hide', measured('cpu_ns'), async (page) => {
    await clickFrame(page, 2, 0.5); // work
    await menu(page, 'Hide this method');
    assert.equal(
      (await text(page, '#steps')).split('\n').at(-1),
      "what it has is its callers', and its calls are left out",
    );
    assert.deepEqual(
      (await ranked(page)).map((row) => row.slice(0, 2)),
      [
        ['Log.log', '750.000'],
        ['Main.main', '1.750'],
      ],
    );
    await page.selectOption('#measure', { label: 'calls' });
    assert.deepEqual(
      (await ranked(page)).map((row) => row.slice(0, 2)),
      [
        ['Log.log', '699'],
        ['Main.main', '1'],
      ],
    );
    await clickFrame(page, 2, 0.9);
    await menu(page, 'Subtract this method');
    assert.deepEqual(await ranked(page), [['Main.main', '1', '100.0 %', '1', '100.0 %']]);
  }));

const layered = () =>
  report(
    [
      ['app.Main', 'main'],
      ['org.lib.web.Server', 'run'],
      ['org.lib.util.Text', 'cut'],
      ['app.Page', 'show'],
    ],
    [
      [0, 0, -1, 1],
      [1, 1, 10, 2],
      [2, 2, 20, 30],
      [2, 3, 21, 4],
      [4, 2, 30, 5],
    ],
  );

test('folds a package', () =>
  withPage('fold', layered(), async (page) => {
    await clickFrame(page, 2, 0.5); // Server.run
    await page.locator('#detail .more-actions').click();
    assert.deepEqual(
      (await texts(page, '#menu button')).filter((title) => title.startsWith('Fold')),
      ['Fold org.lib.web.**', 'Fold org.lib.**'],
    );
    await page.locator('#menu button', { hasText: 'Fold org.lib.**' }).click();
    assert.match(page.url(), /read=fold:org\.lib/);
    assert.deepEqual(await ranked(page), [
      ['org.lib.**', '37', '88.1 %', '41', '97.6 %'],
      ['Page.show', '4', '9.5 %', '9', '21.4 %'],
      ['Main.main', '1', '2.4 %', '42', '100.0 %'],
    ]);
  }));

test('counts as before when a folded package is unfolded again', () =>
  withPage('unfold', layered(), async (page) => {
    const counts = '2 methods in 3 contexts: 37 calls (88.1 %), 41 inclusive (97.6 %)';
    await search(page, 'org.lib', counts);
    await page.fill('#search', '');
    await clickFrame(page, 2, 0.5);
    await menu(page, 'Fold org.lib.**');
    await search(page, 'lib', '1 method in 3 contexts: 37 calls (88.1 %), 41 inclusive (97.6 %)');
    await page.locator('#steps button', { hasText: 'everything' }).click();
    await search(page, 'lib', counts);
    await search(page, '/lib/', counts);
  }));

test('shows the same by the address of a folded package, whatever was folded before', () =>
  withPage('folds', layered(), async (page) => {
    await clickFrame(page, 2, 0.5);
    await menu(page, 'Fold org.lib.web.**');
    await page.locator('#steps button', { hasText: 'everything' }).click();
    await clickFrame(page, 2, 0.5);
    await menu(page, 'Fold org.lib.**');
    await page.locator('#chart').click({ position: { x: 400, y: 50 } }); // the package
    await menu(page, 'Merged callees');
    await page.click('#tab-methods');
    await page.locator('#method-table tbody tr', { hasText: 'org.lib.**' }).click();
    const shown = () => Promise.all(['#steps', '#method-detail', '#method-table'].map((part) => text(page, part)));
    const before = await shown();
    assert.match(page.url(), /read=fold:org\.lib,merge:org\/lib\/\*\*&method=org\/lib\/\*\*/);
    await page.reload();
    await page.waitForFunction(() => document.documentElement.dataset.ready === 'true');
    assert.deepEqual(await shown(), before);
  }));
