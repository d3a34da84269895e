// Two reports on one page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changes } from '../../../reports/viewer/src/ramps.js';
import { chartPoint } from './browser.mjs';
import { cells, clickFrame, colorsAt, diffPageOf, places, search, text, texts, withFile, withPage } from './harness.mjs';
import { comparison, HOSTILE, queries, report } from './samples.mjs';

const EQUAL = '195,201,209';

test('tells both files and programs, and totals of both with their proofs', () => withPage('head', queries(), async (page) => {
  assert.equal(await page.title(), 'Copse: a.json → b.json');
  assert.equal(await text(page, '#command'), 'a.json → b.json');
  assert.match(await text(page, '#program'), /^old: java Main .* recorded for 1\.00 s\s*new: java Main .* recorded for 1\.23 s$/);
  assert.equal((await text(page, '#totals')).replace(/\s+/g, ' '),
    'calls 1,051 → 10,801 ×10.3 contexts 7 → 6 −14.3 % methods 5 threads 1 max depth 4 new contexts 1 gone 2 changed 1');
  assert.equal(await text(page, '#proof'),
    'old: 1,051 calls seen = 1,051 in nodes + 0 lost · new: 10,801 calls seen = 10,801 in nodes + 0 lost');
  assert.equal(await text(page, '#notes'), '1 method with another name in old: demo.Dao.find → demo.Dao.query');
  assert.deepEqual(await texts(page, '#measure option'), ['calls', 'cpu time'], 'old ones and numbers of samples are no measures of their own');
  await page.click('#tab-run');
  assert.match(await text(page, '#run-table'), /renamed\s+demo\.Dao\.find → demo\.Dao\.query/);
}));

test('says old, new and the difference of the frame under the pointer', () => withPage('old-new', queries(), async (page) => {
  const point = await chartPoint(page, 3, 0.3);
  await page.mouse.move(point.x, point.y);
  assert.equal(await text(page, '#tip'), [
    'demo.Dao.query', '\told\tnew\tdifference\tchange',
    'calls, exclusive\t100 (9.5 %)\t10,100 (93.5 %)\t+10,000\t×101', 'calls, inclusive\t200 (19.0 %)\t10,200 (94.4 %)\t+10,000\t×51.0',
    'cpu time, exclusive\t5.0 ms ± 45 % (36 %)\t400 ms ± 5 % (96.2 %)\t+395 ms ± 20 ms\t×80.0',
    'cpu time, inclusive\t6.0 ms ± 41 % (43 %)\t401 ms ± 5 % (96.4 %)\t+395 ms ± 20 ms\t×66.8',
    'cpu time per call, exclusive\t50 us ± 45 %\t39.6 us ± 5 %\t−10 us ± 22 us\t−20.8 %',
    'cpu time per call, inclusive\t60 us ± 41 %\t39.7 us ± 5 %\t−20 us ± 25 us\t−33.8 %',
    'was demo.Dao.find', 'called at Main.java:20',
  ].join('\n'));
  await clickFrame(page, 0, 0.5);
  assert.match(await text(page, '#detail'), /all threads\s+8 contexts\s+calls, inclusive[^]*old\s+1,051 [^]*new\s+10,801 [^]*difference\s+\+9,750/);
}));

test('does not say that a folded package had another name', () => withPage('fold-renamed', queries(), async (page) => {
  await clickFrame(page, 3, 0.3);
  await page.locator('#detail .more-actions').click();
  await page.locator('#menu button', { hasText: 'Fold demo.**' }).click();
  await clickFrame(page, 1, 0.5);
  assert.match(await text(page, '#detail'), /^demo\.\*\*\s+(?!was)/);
}));

const rgb = ({ fill }) => /\d.*\d/.exec(fill)[0].replaceAll(' ', '');

test('colours frames by their difference: red for more, blue for less, grey for equal', () => withPage('differences', queries(), async (page) => {
  const { less, more } = changes(false);
  assert.equal(await page.inputValue('#color'), 'difference/relative-own');
  assert.deepEqual(await texts(page, '#legend .tick'), ['to 0', '½', '−10 %', 'equal', '+10 %', '2×', 'from 0']);
  assert.deepEqual(await texts(page, '#legend .unknown'), ['equal', 'new', 'gone']);
  const at = (place) => rgb(more[Math.round(place * 63)]);
  // query by 101 times, check is new; main, get and log are as they were.
  assert.deepEqual(await colorsAt(page, [[1, 0.5], [2, 0.5], [3, 0.5], [3, 0.955], [2, 0.99]]),
    [EQUAL, EQUAL, at(Math.sqrt(10_000 / 10_100)), at(1), EQUAL]);
  await page.selectOption('#color', 'difference/relative');
  assert.deepEqual(await colorsAt(page, [[1, 0.5], [2, 0.5]]), [at(Math.sqrt(9750 / 10_801)), at(Math.sqrt(9750 / 10_500))]);
  await page.selectOption('#color', 'difference/absolute');
  assert.deepEqual(await texts(page, '#legend .tick'), ['−100 %', '−1 %', 'equal', '+1 %', '+100 %']);
  assert.deepEqual(await colorsAt(page, [[3, 0.5]]), [at(1 + Math.log10(10_000 / 10_801) / 4)]);
  // Of shares, what grew less than everything is less.
  await page.selectOption('#color', 'difference/share');
  const [old, now] = [300 / 1051, 300 / 10_801];
  assert.deepEqual(await colorsAt(page, [[2, 0.99]]), [rgb(less[Math.round(Math.sqrt((old - now) / old) * 63)])]);
  await page.selectOption('#color', 'cpu_ns/call-difference');
  assert.equal(await text(page, '#legend .unknown >> nth=0'), 'equal or not known, or within 2 standard errors');
  // 50 us with 5 samples became 39.6 us with 400: no difference.
  assert.deepEqual(await colorsAt(page, [[3, 0.5]]), [EQUAL]);
  await page.selectOption('#color', 'package');
  assert.equal(await page.isVisible('#legend'), false);
}));

test('draws by new, by old or by the larger of both, and says what is not drawn', () => withPage('widths', queries(), async (page) => {
  assert.equal(await text(page, '#undrawn'), 'Not drawn: 2 gone contexts, 450 calls in old. Draw all');
  assert.match(await text(page, '#shown'), /^7 frames/);
  await page.click('#width-old');
  assert.equal(await text(page, '#undrawn'), 'Not drawn: 1 new context, 200 calls in new. Draw all');
  assert.match(await text(page, '#shown'), /^8 frames/);
  const point = await chartPoint(page, 3, 0.4);  // query 200 of 1,051, look 450 behind it
  await page.mouse.move(point.x, point.y);
  assert.match(await text(page, '#tip'), /^demo\.Cache\.look\n[^]*calls, inclusive\t450 \(42\.8 %\)\t0 \(0\.0 %\)\t−450\t−100 %[^]*\ngone: not in the new report\n/);
  await page.locator('#undrawn button').click();
  assert.equal(await page.getAttribute('#width-larger', 'aria-pressed'), 'true');
  assert.equal(await page.isVisible('#undrawn'), false);
  assert.match(await text(page, '#shown'), /^9 frames/);
  assert.match(new URL(page.url()).hash, /width=larger/);
  await page.goBack();
  assert.equal(await page.getAttribute('#width-old', 'aria-pressed'), 'true');
  await clickFrame(page, 3, 0.4);
  assert.equal(await text(page, '#path strong'), 'Cache.look');
  await page.click('#width-new');
  assert.equal(await text(page, '#path strong'), 'all threads', 'what has no width is left');
}));

test('has old, new and difference in the columns of the tree, sorted by any', () => withPage('tree-compared', queries(), async (page) => {
  await page.click('#tab-tree');
  await page.focus('#tree-table');
  await page.keyboard.press('h');
  const drawn = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const rows = async () => {
    await drawn();
    return page.locator('.tree-lines .tree-row').evaluateAll((lines) => lines.map((line) => [...line.children].slice(0, 8).map((cell) => cell.textContent)));
  };
  await drawn();
  assert.deepEqual(await texts(page, '.tree-head .group'), [
    '', 'calls, exclusive', 'calls, inclusive', 'cpu time, ms, exclusive', 'cpu time, ms, inclusive', 'cpu time per call, ns',
  ]);
  assert.deepEqual(await rows(), [
    ['▾all threads', '0', '0', '0', '1,051', '10,801', '+9,750', '×10.3'],
    ['▾Main.main', '1', '1', '0', '1,051', '10,801', '+9,750', '×10.3'],
    ['▾Handler.get Main.java:10', '100', '100', '0', '750', '10,500', '+9,750', '×14.0'],
    ['▸Dao.query Main.java:20', '100', '10,100', '+10,000', '200', '10,200', '+10,000', '×51.0'],
    ['▸goneCache.look Main.java:21', '400', '0', '−400', '450', '0', '−450', '−100 %'],
    ['newCheck.run Main.java:22', '0', '200', '+200', '0', '200', '+200', 'from 0'],
    ['Log.log Main.java:11', '300', '300', '0', '300', '300', '0', '0 %'],
  ], 'along the largest differences, siblings by their size');
  const below = async () => (await rows()).map(([name]) => /(query|look|run)/.exec(name)?.[1]).filter(Boolean);
  const sort = (key) => page.click(`#tree-table [data-key="${key}"]`);
  await sort('calls/inclusive-difference');
  assert.deepEqual(await below(), ['query', 'run', 'look'], 'more first');
  await sort('calls/inclusive-difference');
  assert.deepEqual(await below(), ['look', 'run', 'query'], 'less first');
  await sort('calls/exclusive-old');
  assert.deepEqual(await below(), ['look', 'query', 'run']);
  await sort('calls/inclusive-change');
  assert.deepEqual(await below(), ['run', 'query', 'look']);
  await sort('calls/inclusive-size');
  assert.deepEqual(await below(), ['query', 'look', 'run']);
  assert.equal(await text(page, '.tree-head [aria-sort=descending] .sorted'), '±');
  const tones = await page.locator('.tree-lines .tree-row').evaluateAll((lines) => lines.map((line) => line.children[6].className));
  assert.deepEqual(tones.slice(3), ['number more-than', 'number less-than', 'number more-than', 'number zero']);
}));

test('does not take what samples may be off by for a difference', () => withPage('sampled-difference', queries(), async (page) => {
  await page.selectOption('#measure', { label: 'cpu time' });
  assert.match(await text(page, '#legend .unknown >> nth=0'), /^equal, or within 2 standard errors$/);
  await page.click('#width-larger');
  await page.click('#tab-tree');
  await page.click('#most-changed');
  // Log went from 4 samples to 5, check from none to 9: its one standard error is 3.
  const row = (name) => page.locator('.tree-lines .tree-row', { hasText: name }).first().locator('.number').nth(5)
    .evaluate(({ textContent, title, className }) => [textContent, title, className]);
  await page.locator('.tree-lines .tree-row', { hasText: 'Check.run' }).waitFor();
  assert.deepEqual(await row('Log.log'), ['+1.0', 'samples may be off by as much', 'number rough']);
  assert.deepEqual(await row('Check.run'), ['+9.0', '', 'number more-than']);
  await page.click('#tab-methods');
  await page.locator('#method-table tbody tr', { hasText: 'Handler.get' }).click();
  const callee = (name) => page.locator('#callees tbody tr', { hasText: name }).locator('td').nth(3)
    .evaluate(({ textContent, className }) => [textContent, className]);
  assert.deepEqual(await callee('Cache.look'), ['−3.0', 'number rough']);
  assert.deepEqual(await callee('Dao.query'), ['+395', 'number more-than']);
}));

test('ranks methods by difference, with callers and callees of both reports', () => withPage('methods-compared', queries(), async (page) => {
  await page.click('#tab-methods');
  assert.deepEqual((await cells(page, '#method-table tbody tr')).map((row) => row.slice(0, 9)), [
    ['Dao.query (was demo.Dao.find)', '', '100', '10,100', '+10,000', '200', '10,200', '+10,000', '×51.0'],
    ['Cache.look', 'gone', '400', '0', '−400', '450', '0', '−450', '−100 %'],
    ['Check.run', 'new', '0', '200', '+200', '0', '200', '+200', 'from 0'],
    ['Log.log', '', '450', '400', '−50', '450', '400', '−50', '−11.1 %'],
    ['Main.main', '', '1', '1', '0', '1,051', '10,801', '+9,750', '×10.3'],
    ['Handler.get', '', '100', '100', '0', '750', '10,500', '+9,750', '×14.0'],
  ]);
  await page.locator('#method-table th button', { hasText: 'difference' }).first().click();
  assert.deepEqual((await cells(page, '#method-table tbody tr')).map(([, , , , difference]) => difference), ['+10,000', '+200', '0', '0', '−50', '−400']);
  await page.locator('#method-table tbody tr', { hasText: 'Log.log' }).click();
  assert.match(await text(page, '#method-detail'), /450 → 400 calls \(−11\.1 %\) in 3 contexts, 450 → 400 \(−11\.1 %\) with everything below\./);
  assert.deepEqual(await cells(page, '#callers tbody tr'), [
    ['Cache.look', '50', '0', '−50', '−100 %'], ['Main.main', '300', '300', '0', '0 %'], ['Dao.query', '100', '100', '0', '0 %'],
  ]);
}));

test('finds what is gone, and takes it as root, merged or as back traces', () => withPage('gone', queries(), async (page) => {
  await search(page, 'look', '1 method in 1 context: 400 → 0 calls (−100 %), inclusive 450 → 0 (−100 %)');
  assert.deepEqual(await places(page), ['Cache.look\n450 → 0 (−100 %) · 2 contexts\nMain.main › Handler.get']);
  await page.press('#search', 'Enter');
  assert.equal(await text(page, '#path strong'), 'Cache.look');
  assert.equal(await text(page, '#shown'), 'there is no calls here in new: show another width or measure');
  await page.click('#width-old');
  await page.press('#search', 'Enter');
  assert.match(await text(page, '#shown'), /^2 frames/);
  await page.locator('#detail .actions button', { hasText: 'Set as root' }).click();
  assert.match(await text(page, '#steps'), /Cache\.look as root/);
  await page.fill('#search', '');
  await page.click('#steps button');
  await page.click('#tab-methods');
  await page.locator('#method-table tbody tr', { hasText: 'Log.log' }).click();
  await page.locator('#method-detail button', { hasText: 'Back traces' }).click();
  await page.click('#width-new');
  await search(page, 'look', '1 method in 1 context: 400 → 0 calls (−100 %), inclusive 450 → 0 (−100 %)');
  assert.deepEqual(await places(page), ['Cache.look\n50 → 0 (−100 %) · 1 context\n']);
}));

test('finds a renamed method by both of its names', () => withPage('renamed', queries(), async (page) => {
  const found = '1 method in 1 context: 100 → 10,100 calls (×101), inclusive 200 → 10,200 (×51.0)';
  await search(page, 'Dao.query', found);
  await search(page, 'dao.find', found);
  await search(page, '/find$/', found);
  assert.deepEqual(await places(page), ['Dao.query\n200 → 10,200 (×51.0) · 2 contexts\nMain.main › Handler.get']);
}));

test('shows what a link says of widths, colours and order', () => withPage('link', queries(), async (page) => {
  const hash = '#tab=tree&width=old&color=difference%2Fabsolute&sort=calls%2Fexclusive-size,up&row=5';
  await page.evaluate((wanted) => { location.hash = wanted; }, hash);
  await page.waitForFunction(() => document.getElementById('tab-tree').getAttribute('aria-selected') === 'true');
  assert.equal(await page.isVisible('#address-problem'), false);
  assert.equal(await page.getAttribute('#width-old', 'aria-pressed'), 'true');
  assert.equal(await page.inputValue('#color'), 'difference/absolute');
  await page.locator('.tree-lines [aria-selected=true]', { hasText: 'Cache.look' }).waitFor();
  assert.equal(await text(page, '.tree-head [aria-sort=ascending] .sorted'), '±');
  await page.evaluate(() => { location.hash = '#width=none'; });
  await page.waitForFunction(() => !document.getElementById('address-problem').hidden);
  assert.equal(await text(page, '#address-problem'), 'The address cannot be shown as it is: there is no width none.');
}));

test('shows what is left when one report has nothing of a measure', async () => {
  const none = comparison([['demo.Main', 'main'], ['demo.Dao', 'query']], [[0, 0, -1, 0, 1], [1, 1, 5, 0, 9]]);
  await withPage('from-nothing', none, async (page) => {
    assert.match((await text(page, '#totals')).replace(/\s+/g, ' '), /^calls 0 → 10 from 0 contexts/);
    await page.click('#width-old');
    assert.equal(await text(page, '#shown'), 'there is no calls here in old: show another width or measure');
    await page.selectOption('#color', 'difference/share');
    await page.click('#tab-tree');
    await page.click('#most-changed');
    await page.locator('.tree-lines .tree-row', { hasText: 'Dao.query' }).waitFor();
    await page.click('#tab-methods');
    assert.deepEqual((await cells(page, '#method-table tbody tr')).map(([name, status]) => [name, status]), [['Dao.query', 'new'], ['Main.main', 'new']]);
  });
});

test('does not compare what was counted in one report alone, and says so', async () => {
  const alone = queries();
  alone.compared.only_new = ['cpu_ns', 'cpu_samples'];
  await withPage('alone', alone, async (page) => {
    assert.match(await text(page, '#notes'), /Of the new report alone, and not compared: cpu ns, cpu samples/);
    assert.equal(await page.isVisible('#measures'), false, 'calls are left');
    const point = await chartPoint(page, 3, 0.3);
    await page.mouse.move(point.x, point.y);
    assert.doesNotMatch(await text(page, '#tip'), /cpu/);
  });
});

test('has what became of the rules of a gate, and shows the contexts that broke one', async () => {
  const judged = queries();
  judged.compared.rules = [
    { rule: 'calls(Dao.query) > +0', outcome: 'broken', found: '100 in a.json, 10,100 in b.json', notes: ['A note.'], measure: 'calls', contexts: [{ node: 3, old: 100, new: 10_100 }, { node: -1, old: 0, new: 1 }], other_contexts: 4 },
    { rule: 'calls(Db.f) > 0', outcome: 'cannot say', found: 'Db.f matches nothing', notes: [], measure: 'calls', contexts: [], other_contexts: 0 },
  ];
  await withPage('judged', judged, async (page) => {
    assert.equal(await text(page, '#tab-gate'), 'Gate (1 of 2 broken)');
    await page.click('#bottom-up');
    await page.click('#tab-gate');
    assert.deepEqual((await text(page, '#rules')).split(/\n+/).map((line) => line.trim()), [
      'broken calls(Dao.query) > +0', '100 in a.json, 10,100 in b.json', 'A note.', '100 → 10,100 Dao.query ← Handler.get ← Main.main',
      '0 → 1 a context that this page has no room for', 'and 4 contexts more', 'cannot say calls(Db.f) > 0', 'Db.f matches nothing',
    ]);
    await page.click('#rules button');
    assert.match(await text(page, '.tree-row[aria-selected="true"]'), /Dao\.query/);
    assert.match(page.url(), /tab=tree/);
  });
  await withPage('not-judged', queries(), async (page) => {
    assert.equal(await page.isVisible('#tab-gate'), false);
    assert.equal(await page.isVisible('#gate'), false);
  });
});

test('has notes and threads of both reports, each with its side', async () => {
  const both = queries();
  both.notes = ['Only contexts through demo.Dao.** (--focus).'];
  both.compared = {
    ...both.compared, old_notes: ['Recursion was merged.', 'Of both.'], new_notes: ['DEFECT: calls do not add up.', 'Of both.'],
    old_threads: [{ id: 9, name: 'worker-1', node: 1, calls: 1_051 }], old_totals: { ...both.compared.old_totals, threads: 3 },
  };
  await withPage('both-sides', both, async (page) => {
    assert.deepEqual(await texts(page, '#notes li'), [
      'Only contexts through demo.Dao.** (--focus).', '1 method with another name in old: demo.Dao.find → demo.Dao.query',
      'old: Recursion was merged.', 'new: DEFECT: calls do not add up.', 'Of both.',
    ]);
    assert.equal(await page.locator('#notes .defect').count(), 1);
    assert.equal(await text(page, '#tab-threads'), 'Threads (3 → 1)');
    await page.click('#tab-threads');
    assert.deepEqual(await cells(page, '#thread-table tbody tr'), [
      ['main', '0', '10,801', '+10,801', '0 → 1', 'Main.main'], ['worker-1', '1,051', '0', '−1,051', '1 → 0', 'Main.main'],
    ]);
  });
});

test('keeps hostile names of files and methods harmless', async () => {
  const hostile = comparison(HOSTILE.map((name) => [name, name, name]), HOSTILE.map((_, i) => [i, i, i === 0 ? -1 : 5, i, 10]), {
    compared: {
      old: HOSTILE[0], new: HOSTILE[6], renamed: HOSTILE.map((name) => ({ from: name, to: `${name}.${name}` })), old_notes: HOSTILE,
      old_threads: HOSTILE.map((name) => ({ id: 1, name, node: 1, calls: 1 })),
      rules: HOSTILE.map((name) => ({ rule: name, outcome: 'broken', found: name, notes: [name], measure: 'calls', contexts: [{ node: 1, old: 0, new: 1 }], other_contexts: 0 })),
    },
  });
  await withPage('hostile-compared', hostile, async (page) => {
    for (const tab of ['tree', 'methods', 'gate', 'threads', 'run', 'graph']) await page.click(`#tab-${tab}`);
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.equal(await page.locator('main img, header img').count(), 0);
  });
});

test('shows what copse diff writes', async () => {
  const methods = [['demo.Main', 'main'], ['demo.Dao', 'find'], ['demo.Dao', 'close'], ['demo.Old', 'gone']];
  const old = report(methods, [[0, 0, -1, 1], [1, 1, 10, 2], [2, 2, 20, 2], [1, 3, 11, 7]]);
  const now = report([...methods.slice(0, 3), ['demo.New', 'come']], [[0, 0, -1, 1], [1, 1, 10, 202], [2, 2, 20, 2], [1, 3, 12, 5]]);
  await withFile(diffPageOf('diff', old, now), async (page) => {
    assert.equal(await page.title(), 'Copse: diff-old.json → diff-new.json');
    assert.equal((await text(page, '#totals')).replace(/\s+/g, ' '),
      'calls 12 → 210 ×17.5 contexts 4 methods 4 threads 1 max depth 3 new contexts 1 gone 1 changed 1');
    await page.click('#tab-methods');
    assert.deepEqual((await cells(page, '#method-table tbody tr')).map((row) => row.slice(0, 5)), [
      ['Dao.find', '', '2', '202', '+200'], ['Old.gone', 'gone', '7', '0', '−7'], ['New.come', 'new', '0', '5', '+5'],
      ['Dao.close', '', '2', '2', '0'], ['Main.main', '', '1', '1', '0'],
    ]);
  });
});
