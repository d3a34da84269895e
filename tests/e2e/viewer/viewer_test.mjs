// The HTML page in a real browser: node viewer_test.mjs COPSE MODULES CHROMIUM
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { percent } from '../../../reports/viewer/src/format.js';
import { columnScale, fractionInWords, inWords, unitNamed } from '../../../reports/viewer/src/quantity.js';
import { fallingOrder } from '../../../reports/viewer/src/places.js';
import { factsOfOptions } from '../../../reports/viewer/src/run_options.js';
import { Search } from '../../../reports/viewer/src/search.js';
import { chartPoint } from './browser.mjs';
import './address_tests.mjs';
import './color_tests.mjs';
import './command_tests.mjs';
import './comparison_tests.mjs';
import './difference_tests.mjs';
import './event_tests.mjs';
import {
  BACKGROUND, cells, clickFrame, colorsAt, FAINT, FOUND, places, search, text, textTreeOf, withPage,
} from './harness.mjs';
import { deep, evicted, HOSTILE, hostile, large, longNames, measured, overloaded, recursive, report, small, thin } from './samples.mjs';
import './layout_tests.mjs';
import './name_tests.mjs';
import './part_tests.mjs';
import './reshape_tests.mjs';
import './saving_tests.mjs';
import './screen_tests.mjs';
import './slice_tests.mjs';
import './switch_tests.mjs';
import './thread_tests.mjs';
import './timeline_tests.mjs';
import './tree_tests.mjs';

test('shows the totals and their proof', () => withPage('totals', small(), async (page) => {
  assert.equal(await page.title(), 'Copse: java Main');
  assert.match(await text(page, '#totals'), /calls\s+1,000\s+contexts\s+4\s+methods\s+3/);
  assert.equal(await text(page, '#proof'), '1,000 calls seen = 1,000 in nodes + 0 lost');
  assert.equal(await text(page, '#proof-mark'), '✓ proved');
  assert.equal(await page.getAttribute('#proof-mark', 'title'), '1,000 calls seen = 1,000 in nodes + 0 lost');
}));

test('has one line of head; program, proof and notes behind it', async () => {
  const report = small();
  report.notes = ['Recursion was merged.', 'Contexts were evicted.'];
  await withPage('one-line', report, async (page) => {
    assert.ok((await page.locator('header').boundingBox()).height < 40);
    assert.ok((await page.locator('#chart').boundingBox()).y < 170, 'the graph is high up');
    assert.equal(await text(page, '#note-count'), '2 notes');
    for (const [button, box, shown] of [
      ['#note-count', '#notes', /^Recursion was merged\.\s+Contexts were evicted\.$/], ['#proof-mark', '#proof', /^1,000 calls seen/],
      ['#command', '#program', /^java demo\.Main\nTest VM\nprocess 1\n[^]*recorded for 1\.23 s$/],
    ]) {
      assert.equal(await page.isVisible(box), false);
      await page.click(button);
      assert.match(await text(page, box), shown);
      await page.keyboard.press('Escape');
      assert.equal(await page.isVisible(box), false);
    }
  });
  report.notes = ['DEFECT: calls do not add up.'];
  await withPage('defect', report, async (page) => {
    assert.equal(await text(page, '#note-count'), '1 note');
    assert.match(await page.getAttribute('#note-count', 'class'), /defect/);
  });
  report.notes = [];
  await withPage('no-notes', report, async (page) => assert.equal(await page.isVisible('#note-count'), false));
});

test('says what was run, without what hides it', async () => {
  const report = small();
  report.program.command = ['/usr/bin/java', '-Xmx2g', '-cp', 'a.jar:b.jar', '-Dkey=value', 'demo.Main', '-cp', 'x'];
  await withPage('command', report, async (page) => {
    assert.equal(await page.title(), 'Copse: java … Main -cp x');
    assert.equal(await text(page, '#command'), 'java … Main -cp x');
    assert.equal(await page.getAttribute('#command', 'title'), report.program.command.join(' '), 'all of it, for the pointer');
  });
  for (const [command, shown] of [
    [['java', '-ea', '-jar', 'app.jar', '--port', '1'], 'java … -jar app.jar --port 1'], [['java', '-version'], 'java -version'],
    [['javac', '-d', 'out', 'A.java'], 'javac -d out A.java'],
    [['java', 'a.b.C$D', 'e.F'], 'java C$D e.F'], [['java', 'Src.java'], 'java Src.java'], [['java', '-m', 'mod/a.B'], 'java -m mod/a.B'],
    [['app'], 'app'], [[], 'Copse report'],
  ]) {
    report.program.command = command;
    await withPage('commands', report, async (page) => assert.equal(await text(page, '#command'), shown));
  }
});

test('shows exact counts of the frame under the pointer', () => withPage('tip', small(), async (page) => {
  const point = await chartPoint(page, 2, 0.5);  // all threads, main, work
  await page.mouse.move(point.x, point.y);
  assert.equal(await text(page, '#tip'),
    'demo.Main.work\n\texclusive\tinclusive\ncalls\t300 (30.0 %)\t900 (90.0 %)\ncalled at Main.java:10');
  assert.match(await text(page, '#detail'), /called at Main\.java:10 · 2 contexts[^]*exclusive\s+300 \(30\.0 %\)\s+inclusive\s+900 \(90\.0 %\)/);
}));

test('zooms into a clicked frame and back', () => withPage('zoom', small(), async (page) => {
  await clickFrame(page, 2, 0.5);
  assert.equal(await text(page, '#path'), 'all threads › Main.main › Main.work'.replaceAll(' › ', '\n›\n'));
  const point = await chartPoint(page, 1, 0.3);  // log below work now takes two thirds
  await page.mouse.move(point.x, point.y);
  assert.match(await text(page, '#tip'), /demo\.Log\.log\n.*\ncalls\t600 \(60\.0 %\)\t600 \(60\.0 %\)\n66\.7 % of the zoomed frame/);
  await page.locator('#path button', { hasText: 'Main.main' }).click();
  assert.equal(await text(page, '#path strong'), 'Main.main');
  await page.click('#reset');
  assert.equal(await text(page, '#path'), 'all threads');
  assert.equal(await page.isDisabled('#reset'), true);
}));

test('merges callers behind each method when turned round', () => withPage('up', small(), async (page) => {
  await page.click('#bottom-up');
  await clickFrame(page, 1, 0.2);  // the hottest method, log with 699 calls
  assert.equal(await text(page, '#path strong'), 'Log.log');
  assert.match(await text(page, '#detail'), /2 contexts[^]*exclusive\s+699 \(69\.9 %\)\s+inclusive\s+699 /);
  const point = await chartPoint(page, 1, 0.2);
  await page.mouse.move(point.x, point.y);
  assert.match(await text(page, '#tip'), /demo\.Main\.work\n.*\ncalls\t600 \(60\.0 %\)\t600 \(60\.0 %\)\n85\.8 % of the zoomed frame/);
}));

test('draws the flame with its root at the bottom', () => withPage('flame', small(), async (page) => {
  await page.click('#flame');
  const box = await page.locator('#chart').boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height - 10);
  assert.match(await text(page, '#tip'), /^all threads/);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height - 10 - 19);
  assert.match(await text(page, '#tip'), /^demo\.Main\.main/);
}));

test('keeps the graph in its place, whatever is said of a frame', () => withPage('still', measured(), async (page) => {
  const box = () => page.locator('#chart').boundingBox();
  const before = await box();
  for (const [level, share] of [[0, 0.5], [1, 0.5], [2, 0.05], [3, 0.9]]) {
    const point = await chartPoint(page, level, share);
    await page.mouse.move(point.x, point.y);
    assert.deepEqual(await box(), before);
  }
  await clickFrame(page, 2, 0.5);
  assert.deepEqual(await box(), before);
}));

test('counts what a search matches, recursion-proof', () => withPage('search', small(), async (page) => {
  await search(page, 'LOG', '1 method in 2 contexts: 699 calls (69.9 %), 699 inclusive (69.9 %)');
  await search(page, '/main\\.(main|work)$/', '2 methods in 2 contexts: 301 calls (30.1 %), 1,000 inclusive (100.0 %)');
  await search(page, 'nothing', 'no method matches');
  await search(page, '', '');
  await page.fill('#search', '/(/');
  await page.waitForFunction(() => document.getElementById('matches').textContent.startsWith('not a regular'));
}));

test('means the method that was chosen, not those whose names begin alike', () => withPage('chosen', longNames(), async (page) => {
  await page.click('#tab-methods');
  await page.locator('#method-table tbody tr', { hasText: 'compareTo(Value)' }).click();
  await page.locator('#method-detail button', { hasText: 'Find all of this method' }).click();
  assert.equal(await text(page, '#matches'), '1 method in 1 context: 50 calls (50.0 %), 90 inclusive (90.0 %)');
  assert.equal(await page.inputValue('#search'), 'demo.Value.compareTo(Value)');
  assert.deepEqual(await places(page), ['Value.compareTo\n90 (90.0 %) · 2 contexts\nMain.main']);
  assert.deepEqual(await colorsAt(page, [[2, 0.5], [3, 0.2]]), [FOUND, FAINT], 'what it calls is not meant');
  // The same from the graph: the zoomed frame's method.
  await clickFrame(page, 3, 0.2);
  await page.locator('#detail button', { hasText: 'Find all of this method' }).click();
  assert.equal(await text(page, '#matches'), '1 method in 1 context: 40 calls (40.0 %), 40 inclusive (40.0 %)');
}));

test('takes a whole name for that method, and offers the longer ones', () => withPage('whole', longNames(), async (page) => {
  const whole = '3 methods in 3 contexts: 60 calls (60.0 %), 100 inclusive (100.0 %)';
  await search(page, 'Value.compareTo', whole);
  assert.equal(await text(page, '#widen'), '1 longer name left out: search all');
  await page.click('#widen');
  assert.equal(await text(page, '#matches'), '4 methods in 4 contexts: 100 calls (100.0 %), 100 inclusive (100.0 %)');
  assert.equal(await page.isVisible('#widen'), false);
  await search(page, 'other.value.compareTO', '1 method in 1 context: 1 call (1.0 %), 1 inclusive (1.0 %)');
  await search(page, 'Value.compareTo(int)', '1 method in 1 context: 9 calls (9.0 %), 9 inclusive (9.0 %)');
  // Part of a name is as before; methods of just this name come first in the list.
  await search(page, 'compareTo', '4 methods in 4 contexts: 100 calls (100.0 %), 100 inclusive (100.0 %)');
  assert.deepEqual((await places(page)).map((place) => place.split('\n').slice(0, 2).join(' ')), [
    'Value.compareTo 90 (90.0 %) · 2 contexts', 'Value.compareTo 9 (9.0 %) · 1 context',
    'Value.compareTo 1 (1.0 %) · 1 context', 'Value.compareToNotNullable 40 (40.0 %) · 1 context']);
  await page.click('#tab-help');
  assert.match(await text(page, '#help-text'), /Value\.compareTo .* means that method alone, and not Value\.compareToNotNullable/);
}));

test('goes to places that are too thin to be drawn', () => withPage('thin', thin(), async (page) => {
  await page.fill('#search', 'found');
  await page.waitForFunction(() => !document.getElementById('found').hidden);
  assert.equal(await text(page, '#position'), '3 places');
  assert.deepEqual(await places(page), [
    'Thin.found\n31 (<0.1 %) · 31 contexts\nMain.main › … › Thin.step › Thin.step',
    'Thin.found\n1 (<0.1 %) · 1 context\nMain.main › … › Thin.step › Thin.step',
    'Thin.found\n1 (<0.1 %) · 1 context\nMain.main › Main.rare',
  ]);
  await page.press('#search', 'Enter');
  assert.equal(await text(page, '#position'), '1 of 3 places');
  assert.match(await text(page, '#path'), /^all threads\n›\nMain\.main\n›\n… 27 more …\n›[^]*Thin\.found$/);
  assert.deepEqual(await colorsAt(page, [[0, 0.9], [1, 0.5]]), [FOUND, FAINT], 'in full width, with what is below');
  await page.press('#search', 'Enter');
  await page.press('#search', 'Enter');
  assert.equal(await text(page, '#position'), '3 of 3 places');
  assert.equal(await text(page, '#path'), ['all threads', 'Main.main', 'Main.rare', 'Thin.found'].join('\n›\n'));
  await page.press('#search', 'Enter');
  assert.equal(await text(page, '#position'), '1 of 3 places', 'round');
  await page.press('#search', 'Shift+Enter');
  assert.equal(await text(page, '#position'), '3 of 3 places');
  await page.locator('#found-list button').nth(1).click();
  assert.equal(await text(page, '#position'), '2 of 3 places');
  assert.equal(await page.locator('#found-list button[aria-current]').count(), 1);
  await page.click('#previous');
  assert.equal(await text(page, '#position'), '1 of 3 places');
}));

test('marks where places are too thin, and goes there by a click', () => withPage('tick', thin(), async (page) => {
  await page.fill('#search', 'found');
  await page.waitForFunction(() => !document.getElementById('found').hidden);
  const box = await page.locator('#chart').boundingBox();
  const inPixels = (x) => (x - 1) / (box.width - 2);
  // Below hot, whose callees have no pixel, and below main, behind hot.
  const colors = await colorsAt(page, [[3, inPixels(2)], [3, inPixels(30)], [2, inPixels(box.width - 3)], [2, 0.5]]);
  assert.deepEqual(colors, [FOUND, BACKGROUND, FOUND, FAINT]);
  const tick = await chartPoint(page, 3, inPixels(2));
  await page.mouse.move(tick.x, tick.y);
  assert.equal(await text(page, '#tip'), '2 places found, too thin to draw\nClick to go to the largest');
  await page.mouse.click(tick.x, tick.y);
  assert.equal(await text(page, '#position'), '1 of 3 places');
  assert.equal(await text(page, '#path strong'), 'Thin.found');
  await page.keyboard.press('Escape');
  const other = await chartPoint(page, 2, inPixels(box.width - 3));
  await page.mouse.click(other.x, other.y);
  assert.equal(await text(page, '#position'), '3 of 3 places');
}));

test('has methods for places when turned round', () => withPage('places-up', thin(), async (page) => {
  await page.click('#bottom-up');
  await page.fill('#search', 'thin');
  await page.waitForFunction(() => !document.getElementById('found').hidden);
  assert.deepEqual(await places(page), ['Thin.step\n59 (<0.1 %) · 59 contexts\n', 'Thin.found\n3 (<0.1 %) · 3 contexts\n']);
  await page.press('#search', 'Enter');
  assert.equal(await text(page, '#path strong'), 'Thin.step');
  await page.click('#top-down');
  assert.equal(await text(page, '#position'), '62 places');
}));

test('goes on to further places of many, and back to the last', () => withPage('many', deep(2000), async (page) => {
  await page.fill('#search', 'odd');
  await page.waitForFunction(() => !document.getElementById('found').hidden);
  assert.equal(await page.locator('#found-list li').count(), 50);
  await page.locator('#found .more button', { hasText: 'Show 50 more of 950' }).click();
  assert.equal(await page.locator('#found-list li').count(), 100);
  await page.press('#search', 'Shift+Enter');
  assert.equal(await text(page, '#position'), '1,000 of 1,000 places');
  assert.match(await text(page, '#found-list button[aria-current]'), /^B\.odd\n1 \(0\.1 %\) · 1 context/);
  await page.press('#search', 'Enter');
  assert.equal(await text(page, '#position'), '1 of 1,000 places');
}));

test('finds methods by parts and by whole names', () => {
  const names = ['a.Log.log', 'a.Log.logAll', 'b.Outer$Inner.log(int)', 'b.Outer$Inner.log(long)', '(no recorded caller)', 'b.Logs.flush'];
  const found = (what, wide) => {
    const { matched, first, methods, others } = new Search(names).typed(what, wide);
    const marked = (bytes) => names.filter((_, m) => bytes[m]);
    assert.equal(methods, marked(matched).length);
    return { names: marked(matched), first: marked(first), others };
  };
  assert.deepEqual(found('a.log.LOG'), { names: ['a.Log.log'], first: [], others: 1 });
  assert.deepEqual(found('Log.log', true), { names: ['a.Log.log', 'a.Log.logAll'], first: ['a.Log.log'], others: 0 });
  assert.deepEqual(found('Inner.log').names, names.slice(2, 4));
  assert.deepEqual(found('Outer$Inner.log(long)').names, [names[3]]);
  assert.deepEqual(found('log').first, [names[0], names[2], names[3]]);
  assert.equal(found('log').names.length, 5);
  assert.deepEqual(found('recorded c'), { names: ['(no recorded caller)'], first: [], others: 0 });
  assert.deepEqual(found('/log$/').names, ['a.Log.log'], 'overloaded ones end in their parameters');
  assert.deepEqual(found('nothing').names, []);
  assert.equal(new Search(names).typed(''), null);
  assert.throws(() => new Search(names).typed('/(/'), SyntaxError);
});

test('shows processor time of the JVM apart from that of the program', async () => {
  const whole = report(
    [['', '(threads without recorded calls)', ''], ['demo.Main', 'main'], ['demo.Main', 'work']],
    [[0, 0, -1, 0], [0, 1, -1, 1], [2, 2, 10, 5]],
  );
  const cpu = [0, 9_000_000, 1_000_000, 3_000_000];
  const { nodes, ...rest } = whole;  // measures come before their columns
  const timed = { ...rest, metrics: [{ name: 'cpu_ns', unit: 'ns', lost: 0 }], shown: 'cpu_ns', nodes: { ...nodes, cpu_ns: cpu } };
  await withPage('jvm', timed, async (page) => {
    assert.match(await text(page, '#totals'), /cpu time\s+4\.00 ms\s+JVM\s+9\.00 ms\s+calls/);
    assert.match(await text(page, '#proof'), /^13,000,000 ns of cpu time seen = 13,000,000 in nodes \+ 0 lost/);
    await page.click('#tab-methods');
    const table = await text(page, '#method-table');
    assert.ok(!table.includes('threads without'), table);
    assert.match(table, /^Main\.work\t3\.000\t75\.0 %/m);
  });
});

test('names overloaded methods as the text formats do', async () => {
  const fetch = (types) => ['demo.L', 'fetch', `(${types})V`];
  const report = overloaded([
    ['demo.Main', 'main'], fetch('Ljava/util/ArrayList;Ljava/util/Locale;[Ljava/lang/Long;Ljava/util/List;'), fetch('JLLong;'),
    fetch('[[I[[Ldemo/L$L;'), ['demo.Main', 'work', '(LL;)L/L;'],
  ]);
  const listed = textTreeOf('overloaded', report).match(/demo\.\S.*$/gm).map((line) => line.trim());
  await withPage('overloaded', report, async (page) => {
    await page.click('#tab-methods');
    await page.click('#full-names');
    const table = await text(page, '#method-table');
    for (const name of [
      'demo.Main.main', 'demo.L.fetch(ArrayList, Locale, Long[], List)', 'demo.L.fetch(long, Long)', 'demo.L.fetch(int[][], L$L[][])',
      'demo.Main.work',
    ]) {
      assert.ok(listed.some((line) => line.startsWith(name)), `${name} in ${listed.join(' | ')}`);
      assert.ok(table.includes(name), `${name} in ${table}`);
    }
  });
});

test('orders places by falling value, equal ones as they are', () => {
  let state = 7;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
  for (const count of [0, 1, 500, 30_000]) {
    const values = Float64Array.from({ length: count }, () => Math.floor(1e15 * random() ** 20));
    const expected = [...values.keys()].sort((a, b) => values[b] - values[a] || a - b);
    assert.deepEqual([...fallingOrder(values)], expected, `${count} values`);
  }
});

test('paints matching frames in the colour of the search', () => withPage('paint', small(), async (page) => {
  await search(page, 'work', '1 method in 1 context: 300 calls (30.0 %), 900 inclusive (90.0 %)');
  const colors = await colorsAt(page, [[2, 0.8], [1, 0.8]]);
  assert.deepEqual(colors, [FOUND, FAINT], 'work stands out, main fades');
}));

test('ranks methods and lists callers and callees exactly', () => withPage('methods', small(), async (page) => {
  await page.click('#tab-methods');
  assert.deepEqual(await cells(page, '#method-table tbody tr'), [
    ['Log.log', '699', '69.9 %', '699', '69.9 %', '2'],
    ['Main.work', '300', '30.0 %', '900', '90.0 %', '1'],
    ['Main.main', '1', '0.1 %', '1,000', '100.0 %', '1'],
  ]);
  await page.locator('#method-table th button', { hasText: 'inclusive' }).click();
  assert.equal((await cells(page, '#method-table tbody tr'))[0][0], 'Main.main');
  await page.locator('#method-table tbody tr', { hasText: 'Main.work' }).click();
  assert.deepEqual(await cells(page, '#callers tbody tr'), [['Main.main', '300', '100.0 %']]);
  assert.deepEqual(await cells(page, '#callees tbody tr'), [['Log.log', '600', '100.0 %']]);
  await page.locator('#callees tbody tr').first().click();
  assert.equal(await text(page, '#method-detail h2'), 'demo.Log.log');
  assert.equal((await cells(page, '#callers tbody tr')).length, 2);
}));

test('shows another measure in the place of calls, and calls again', () => withPage('measure', measured(), async (page) => {
  assert.deepEqual(await page.locator('#measure option').allInnerTexts(), ['calls', 'allocated bytes (estimate)', 'cpu time']);
  assert.equal(await text(page, '#measured'), '1,000');
  await page.selectOption('#measure', { label: 'allocated bytes (estimate)' });
  assert.equal(await text(page, '#measured'), '5.00 KiB, 5 B more lost');
  assert.match(await text(page, '#totals'), /^allocated bytes \(estimate\)\s+5\.00 KiB\s+calls\s+1,000\s+contexts\s+2\s+methods\s+2\s+threads\s+1$/);
  assert.equal(await text(page, '#proof'), '5,125 allocated bytes seen = 5,120 in nodes + 5 lost · 1,000 calls seen = 1,000 in nodes + 0 lost');
  const point = await chartPoint(page, 2, 0.9);  // work, with a fifth of them
  await page.mouse.move(point.x, point.y);
  assert.equal(await text(page, '#tip'), [
    'demo.Main.work', '\texclusive\tinclusive', 'allocated bytes (estimate)\t1.00 KiB (20.0 %)\t1.00 KiB (20.0 %)',
    'calls\t300 (30.0 %)\t900 (90.0 %)', 'cpu time\t1.50 ms (0.2 %)\t752 ms (100.0 %)',
    'allocated bytes per call\t3.41 B\t3.41 B', 'cpu time per call\t5.00 us\t2.50 ms', 'called at Main.java:10',
  ].join('\n'));
  await search(page, 'log', '1 method in 1 context: 4.00 KiB allocated (80.0 %), 4.00 KiB inclusive (80.0 %)');
  await page.click('#tab-methods');
  assert.deepEqual(await page.locator('#method-table th').allInnerTexts(),
    ['method', 'allocated B', '', 'inclusive B', '', 'allocated B/call', 'incl. allocated B/call', 'contexts']);
  assert.deepEqual((await cells(page, '#method-table tbody tr'))[0],
    ['Log.log', '4,096', '80.0 %', '4,096', '80.0 %', '5.86', '5.86', '1']);
  await page.locator('#method-table tbody tr').first().click();
  assert.match(await text(page, '#method-detail'), /4\.00 KiB allocated in 1 context, 4\.00 KiB with everything below\./);
  assert.deepEqual((await cells(page, '#callers tbody tr'))[0], ['Main.main', '4,096', '100.0 %']);
  await page.selectOption('#measure', { label: 'calls' });
  await search(page, '', '');
  assert.deepEqual((await cells(page, '#method-table tbody tr'))[0],
    ['Log.log', '699', '69.9 %', '699', '69.9 %', '1,072,961', '1,072,961', '2'], 'with times, by call');
  assert.equal(await text(page, '#proof'), '1,000 calls seen = 1,000 in nodes + 0 lost');
}));

test('gives times in a unit that fits, and columns of them in ms', () => withPage('times', measured('cpu_ns'), async (page) => {
  assert.equal(await page.locator('#measure option:checked').innerText(), 'cpu time', 'what the report says comes first');
  assert.match(await text(page, '#totals'), /^cpu time\s+752 ms\s/);
  assert.equal(await text(page, '#proof'), '751,750,000 ns of cpu time seen = 751,750,000 in nodes + 0 lost · 1,000 calls seen = 1,000 in nodes + 0 lost');
  const point = await chartPoint(page, 1, 0.5);
  await page.mouse.move(point.x, point.y);
  assert.match(await text(page, '#tip'), /^demo\.Main\.main\n.*\ncpu time\t250 us \(<0\.1 %\)\t752 ms \(100\.0 %\)/);
  await page.click('#tab-methods');
  assert.deepEqual(await page.locator('#method-table th').allInnerTexts(), ['method', 'cpu ms', '', 'inclusive ms', '', 'cpu ns/call', 'incl. cpu ns/call', 'contexts']);
  assert.deepEqual((await cells(page, '#method-table tbody tr')).map((row) => row[1]), ['750.000', '1.500', '0.250']);
  // What is below: main has a quarter of a ms of its own.
  await page.locator('#method-table tbody tr', { hasText: 'Main.main' }).click();
  assert.deepEqual(await page.locator('#callees th').allInnerTexts(), ['method', 'inclusive ms', '']);
  assert.deepEqual(await cells(page, '#callers tbody tr'), [['(thread entry)', '751.750', '100.0 %']]);
  assert.deepEqual(await cells(page, '#callees tbody tr'), [['Main.work', '751.500', '100.0 %']], 'log has none from here');
}));

test('counts a recursive method once for its callers and callees', () => withPage('recursive', recursive(), async (page) => {
  await page.click('#tab-methods');
  await page.locator('#method-table tbody tr', { hasText: 'R.f' }).click();
  // f: 40 ns of its own in 2 calls; 65 below its one call from main, which contains the other.
  assert.deepEqual((await cells(page, '#method-table tbody tr'))[0].slice(5, 7), ['20,000,000', '65,000,000']);
  assert.deepEqual(await cells(page, '#callers tbody tr'), [['Main.main', '65.000', '100.0 %']]);
  assert.deepEqual(await cells(page, '#callees tbody tr'), [['R.g', '55.000', '84.6 %']]);
  await page.selectOption('#measure', { label: 'calls' });
  await page.locator('#method-table tbody tr', { hasText: 'R.f' }).click();
  assert.deepEqual(await cells(page, '#callers tbody tr'), [['Main.main', '1', '50.0 %'], ['R.g', '1', '50.0 %']]);
}));

test('lists no method that has none of the measure', async () => {
  const report = measured('cpu_ns');
  report.nodes.cpu_ns = [0, 0, 0, 5, 0];
  await withPage('none', report, async (page) => {
    await page.click('#tab-methods');
    assert.deepEqual(await cells(page, '#method-table tbody tr'), [
      ['Main.work', '0.000', '100.0 %', '0.000', '100.0 %', '0.017', '0.017', '1'],
      ['Main.main', '0', '0.0 %', '0.000', '100.0 %', '', '5.00', '0'],
    ]);
  });
});

// In a report of today and in one that says neither what to show first nor whose calls it counts.
test('shows the measure of a report in which no call was counted', async () => {
  const report = measured();
  report.nodes.calls = report.nodes.calls.map(() => 0);
  report.totals.calls = report.totals.calls_seen = report.threads[0].calls = 0;
  delete report.shown;
  await withPage('no-calls', report, async (page) => {
    assert.deepEqual(await page.locator('#measure option').allInnerTexts(), ['allocated bytes (estimate)', 'cpu time']);
    assert.equal(await page.locator('#measure option:checked').innerText(), 'allocated bytes (estimate)');
    assert.match(await text(page, '#detail'), /allocated bytes \(estimate\)[^]*inclusive\s+5\.00 KiB /);
    await page.click('#tab-threads');
    assert.deepEqual(await cells(page, '#thread-table tbody tr'), [['main', '1', 'Main.main']], 'nobody counted by thread');
    assert.match(await text(page, '#threads-hint'), /^Nothing is known by thread here: record with --by-thread group/);
  });
});

test('says whose calls it counts', async () => {
  const report = measured();
  report.totals.calls_of = 'marked methods';
  await withPage('marked', report, async (page) => {
    assert.match(await text(page, '#totals'), /^calls of marked methods\s+1,000/);
    assert.equal(await text(page, '#proof'), '1,000 calls of marked methods seen = 1,000 in nodes + 0 lost');
  });
});

test('says amounts as the texts of copse report do', () => {
  for (const [unit, amount, words] of [
    ['count', 1234567, '1,234,567'], ['ns', 0, '0 ns'], ['ns', 999, '999 ns'], ['ns', 12_345, '12.3 us'],
    ['ns', 999_499, '999 us'], ['ns', 999_500, '1.00 ms'], ['ns', 9_994, '9.99 us'], ['ns', 9_995, '10.0 us'],
    ['ns', 99_950, '100 us'], ['ns', 510_698_772, '511 ms'], ['ns', 3.6e12, '3,600 s'], ['bytes', 999, '999 B'],
    ['bytes', 1000, '0.98 KiB'], ['bytes', 248_395_584, '237 MiB'], ['bytes', 5000 * 2 ** 30, '5,000 GiB'],
  ]) assert.equal(inWords(unit, amount), words);
  for (const [unit, amount, words] of [
    ['ns', 0.4, '0.40 ns'], ['ns', 0.00312, '0.0031 ns'], ['ns', 9.99, '9.99 ns'], ['ns', 9.996, '10 ns'],
    ['ns', 1250, '1.25 us'], ['bytes', 3.414, '3.41 B'], ['count', 0.5, '0.50'], ['count', 0, '0'],
  ]) assert.equal(fractionInWords(unit, amount), words);
  assert.equal(columnScale('ns', 5e9).text(4_510_698_772), '4,510.7');
  assert.equal(columnScale('ns', 999_999_999).text(20_000), '0.020');
  assert.equal(columnScale('bytes', 10 * 2 ** 20).text(1536), '1.5');
  assert.equal(columnScale('bytes', 20 * 2 ** 30).text(20 * 2 ** 30), '20,480.0');
  assert.deepEqual(['ns', 'bytes (estimate)', 'events'].map(unitNamed), ['ns', 'bytes', 'count']);
});

test('writes no digits that the error of samples leaves unknown', () => {
  const of = (samples) => 1 / Math.sqrt(samples);
  for (const [unit, amount, samples, words] of [
    ['ns', 538.7e6, 16, '540 ms'], ['ns', 33.7e6, 1, '34 ms'], ['ns', 2.4241e9, 72, '2.42 s'], ['ns', 2.4241e9, 8, '2.4 s'],
    ['ns', 995.4e6, 4, '1.0 s'], ['ns', 101e6, 3, '100 ms'], ['bytes', 908.4 * 2 ** 20, 1815, '908 MiB'], ['count', 1234, 10, '1,200'],
  ]) assert.equal(inWords(unit, amount, of(samples)), words);
  assert.equal(fractionInWords('ns', 7.345, of(5)), '7.3 ns');
  assert.equal(columnScale('ns', 5e9).text(538.7e6, of(16)), '540');
  assert.equal(columnScale('ns', 5e8).text(1_234_600, of(16)), '1.23');
  assert.equal(columnScale('ns', 5e8).text(1_234_600, null), '1.235');
  assert.deepEqual([[287, of(16)], [287, null], [3.9, of(5)], [998, of(400)], [0.1, of(1)]].map(([part, error]) => percent(part, 1000, error)),
    ['29 %', '28.7 %', '0.4 %', '99.8 %', '<0.1 %'], 'what nearly all have is as sure as the rest');
});

test('lists threads and what was skipped', () => withPage('lists', small(), async (page) => {
  await page.click('#tab-threads');
  assert.deepEqual(await cells(page, '#thread-table tbody tr'), [['main', '1,000', '100.0 %', '1', 'Main.main']]);
  assert.equal(await page.isVisible('#jvm-threads'), false);
  await page.click('#tab-skipped');
  assert.deepEqual(await cells(page, '#skipped-table tbody tr'), [['demo.Huge', 'parse()V', 'too large']]);
}));

test('has the options of a run as they are given on the command line', () => {
  const usual = {
    engine: 'inline', 'event-every': '0', exclude: '', include: '', jdk: 'false', 'main-stack': '8388608', measure: 'calls cpu', memory: '6319125504',
    packet: '4096', recursion: 'auto', sites: 'true', 'stack-scale': '8', workers: '0',
  };
  const memory = ['memory for contexts', 'at most 5.89 GiB'];
  assert.deepEqual(factsOfOptions(usual), [['options', 'none'], memory]);
  const given = { 'by-thread': 'group', include: 'a.** b.C', jdk: 'true', measure: 'calls cpu wall', sites: 'false', 'stack-scale': '1' };
  assert.deepEqual(factsOfOptions({ ...usual, ...given, engine: 'parallel', workers: '2', packet: '64' }), [
    ['options', '--engine parallel:workers=2:packet=64'], ['', "--include 'a.**'"], ['', '--include b.C'], ['', '--jdk'], ['', '--measure calls,cpu,wall'],
    ['', '--no-sites'], ['', '--keep-stack-size'], ['', '--by-thread group'], memory,
  ]);
  assert.deepEqual(factsOfOptions({ encoder: 'pcce', mark: 'a.B.c', packet: '64', recording: 'thread' }), [
    ['options', '--encoder pcce'], ['', '--mark a.B.c'], ['', '--packet-slots 64'], ['recorded', 'thread'],
  ]);
});

test('says when calls were lost', async () => {
  const report = small();
  report.totals.calls_seen += 5;
  report.totals.calls_lost = 5;
  await withPage('lost', report, async (page) => {
    assert.equal(await text(page, '#proof'), '1,005 calls seen = 1,000 in nodes + 5 lost');
    assert.equal(await text(page, '#proof-mark'), '✗ 5 calls lost');
    assert.match(await page.getAttribute('#proof-mark', 'class'), /broken/);
  });
});

test('says how many calls are of evicted contexts', () => withPage('evicted', evicted(), async (page) => {
  assert.match(await text(page, '#totals'), /evicted calls\s+36$/);
  await page.click('#tab-methods');
  assert.deepEqual((await cells(page, '#method-table tbody tr')).map(([name]) => name).sort(),
    ['(evicted).contexts', 'Main.main', 'Main.work']);
}));

test('runs nothing a name contains', () => withPage('hostile', hostile(), async (page) => {
  for (const tab of ['methods', 'threads', 'skipped', 'run', 'graph']) await page.click(`#tab-${tab}`);
  for (let level = 1; level <= HOSTILE.length; ++level) {
    const point = await chartPoint(page, level, 0.02);
    await page.mouse.move(point.x, point.y);
  }
  await clickFrame(page, 3, 0.02);
  await page.click('#tab-methods');
  await page.locator('#method-table tbody tr').first().click();
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.locator('img, svg, iframe, object, a').count(), 0);
  assert.equal((await cells(page, '#method-table tbody tr')).length, HOSTILE.length);
  const names = (await cells(page, '#method-table tbody tr')).map(([name]) => name);
  assert.ok(names.some((name) => name.includes(HOSTILE[0])), 'the name is shown as it is');
  assert.ok(names.every((name) => !/[\u202e\u0007\u2028]/.test(name)), 'invisible characters are spelled out');
}));

test('shows a chain of 50,000 calls a window at a time', () => withPage('deep', deep(50_000), async (page) => {
  assert.equal(await text(page, '#shown'), '400 frames drawn; it goes on below: click a marked frame');
  await page.locator('#chart').evaluate((box) => { box.scrollTop = box.scrollHeight; });
  const box = await page.locator('#chart').boundingBox();
  await page.mouse.click(box.x + 100, box.y + box.height - 12);
  assert.match(await text(page, '#path'), /39\d more|… 39\d more …/);
  assert.match(await text(page, '#detail'), /49,60\d contexts/);
  await page.click('#bottom-up');
  await clickFrame(page, 1, 0.2);
  assert.match(await text(page, '#detail'), /exclusive\s+25,000 \(50\.0 %\)\s+inclusive\s+50,000 \(100\.0 %\)/);
}));

// Generous limits of processor time: they are here to catch work that grows with the report, not to time the machine.
test('stays responsive with 500,000 contexts', () =>
  withPage('large', large(500_000), async (page) => {
    const timed = async (what, action) => {
      const before = await page.usedMs();
      await action();
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      const ms = (await page.usedMs()) - before;
      console.log(`# 500,000 contexts: ${what} ${ms} ms`);
      assert.ok(ms < 2000, `${what} took ${ms} ms`);
    };
    const readyMs = await page.usedMs();
    console.log(`# 500,000 contexts: ready after ${readyMs} ms`);
    assert.ok(readyMs > 0 && readyMs < 10_000);
    await timed('zoom', () => clickFrame(page, 3, 0.5));
    await timed('reset', () => page.click('#reset'));
    await timed('turn round', () => page.click('#bottom-up'));
    await timed('search', async () => {
      await page.fill('#search', 'shop');
      await page.waitForFunction(() => document.getElementById('matches').textContent !== '');
    });
    await page.click('#top-down');
    await timed('next place', () => page.press('#search', 'Enter'));
    await timed('last place', () => page.press('#search', 'Shift+Enter'));
    assert.match(await text(page, '#position'), /^([\d,]+) of \1 places$/);
    await timed('methods', () => page.click('#tab-methods'));
    await timed('callers and callees', () => page.locator('#method-table tbody tr').first().click());
  }));
