// The HTML page in a real browser: node viewer_test.mjs COPSE MODULES CHROMIUM
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { columnScale, inWords, unitNamed } from '../../../reports/viewer/src/quantity.js';
import { Browser, chartPoint } from './browser.mjs';
import { deep, HOSTILE, hostile, large, measured, recursive, small } from './samples.mjs';

const [copse, modules, chromium] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'copse-viewer-'));
let browser;

before(async () => {
  browser = await Browser.start(modules, chromium);
});
after(async () => {
  await browser?.stop();
  rmSync(folder, { recursive: true, force: true });
});

function pageOf(name, report) {
  const json = join(folder, `${name}.json`);
  const html = join(folder, `${name}.html`);
  writeFileSync(json, JSON.stringify(report));
  execFileSync(copse, ['report', json, '-o', html]);
  return html;
}

async function withPage(name, report, use) {
  const page = await browser.open(pageOf(name, report));
  try {
    await use(page);
    assert.deepEqual(page.troubles, [], 'no request, no message on the console, no dialog');
  } finally {
    await page.close();
  }
}

const text = (page, selector) => page.locator(selector).innerText();
const cells = (page, selector) => page.locator(selector).evaluateAll(
  (rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));

async function clickFrame(page, level, share) {
  const point = await chartPoint(page, level, share);
  await page.mouse.click(point.x, point.y);
}

async function search(page, what, expected) {
  await page.fill('#search', what);
  await page.waitForFunction(
    (wanted) => document.getElementById('matches').textContent === wanted, expected, { timeout: 5000 });
}

test('shows the totals and their proof', () => withPage('totals', small(), async (page) => {
  assert.equal(await page.title(), 'Copse: java demo.Main');
  assert.match(await text(page, '#totals'), /calls\s+1,000\s+contexts\s+4\s+methods\s+3/);
  assert.equal(await text(page, '#proof'), '1,000 calls seen = 1,000 in nodes + 0 lost');
}));

test('says what was run, without what hides it', async () => {
  const report = small();
  report.program.command = ['/usr/bin/java', '-Xmx2g', '-cp', 'a.jar:b.jar', '-Dkey=value', 'demo.Main', '-cp', 'x'];
  await withPage('command', report, async (page) => {
    assert.equal(await page.title(), 'Copse: java … demo.Main -cp x');
    assert.equal(await text(page, '#command'), 'java … demo.Main -cp x');
    assert.equal(await page.getAttribute('#command', 'title'), report.program.command.join(' '), 'all of it, for the pointer');
  });
  for (const [command, shown] of [
    [['java', '-ea', '-jar', 'app.jar', '--port', '1'], 'java … -jar app.jar --port 1'], [['java', '-version'], 'java -version'],
    [['javac', '-d', 'out', 'A.java'], 'javac -d out A.java'],
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
    'demo.Main.work\ncalls 300 (30.0 %)\ninclusive calls 900 (90.0 %)\ncalled at Main.java:10');
  assert.match(await text(page, '#detail'), /calls 300 .* 2 contexts/);
}));

test('zooms into a clicked frame and back', () => withPage('zoom', small(), async (page) => {
  await clickFrame(page, 2, 0.5);
  assert.equal(await text(page, '#path'), 'all threads › Main.main › Main.work'.replaceAll(' › ', '\n›\n'));
  const point = await chartPoint(page, 1, 0.3);  // log below work now takes two thirds
  await page.mouse.move(point.x, point.y);
  assert.match(await text(page, '#tip'), /demo\.Log\.log\ncalls 600 \(60\.0 %, 66\.7 % of the zoomed frame\)/);
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
  assert.match(await text(page, '#detail'), /calls by this chain 699 \(69\.9 %\) · 2 contexts/);
  const point = await chartPoint(page, 1, 0.2);
  await page.mouse.move(point.x, point.y);
  assert.match(await text(page, '#tip'), /demo\.Main\.work\ncalls by this chain 600/);
}));

test('draws the flame with its root at the bottom', () => withPage('flame', small(), async (page) => {
  await page.click('#flame');
  const box = await page.locator('#chart').boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height - 10);
  assert.match(await text(page, '#tip'), /^all threads/);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height - 10 - 19);
  assert.match(await text(page, '#tip'), /^demo\.Main\.main/);
}));

test('counts what a search matches, recursion-proof', () => withPage('search', small(), async (page) => {
  await search(page, 'LOG', '1 method: 699 calls (69.9 %), 699 inclusive (69.9 %)');
  await search(page, '/main\\.(main|work)$/', '2 methods: 301 calls (30.1 %), 1,000 inclusive (100.0 %)');
  await search(page, 'nothing', 'no method matches');
  await search(page, '', '');
  await page.fill('#search', '/(/');
  await page.waitForFunction(() => document.getElementById('matches').textContent.startsWith('not a regular'));
}));

test('paints matching frames in the colour of the search', () => withPage('paint', small(), async (page) => {
  await search(page, 'work', '1 method: 300 calls (30.0 %), 900 inclusive (90.0 %)');
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const places = [await chartPoint(page, 2, 0.8), await chartPoint(page, 1, 0.8)];
  const colors = await page.evaluate((points) => {
    const canvas = document.querySelector('#chart canvas');
    const box = canvas.getBoundingClientRect();
    const image = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return points.map(({ x, y }) => {
      const at = 4 * (Math.round(y + 7 - box.top) * image.width + Math.round(x - box.left));
      return image.data.slice(at, at + 3).join();
    });
  }, places);
  assert.deepEqual(colors, ['162,28,175', '233,235,238'], 'work stands out, main fades');
}));

test('ranks methods and lists callers and callees exactly', () => withPage('methods', small(), async (page) => {
  await page.click('#tab-methods');
  assert.deepEqual(await cells(page, '#method-table tbody tr'), [
    ['699', '69.9 %', '699', '69.9 %', '2', 'demo.Log.log'],
    ['300', '30.0 %', '900', '90.0 %', '1', 'demo.Main.work'],
    ['1', '0.1 %', '1,000', '100.0 %', '1', 'demo.Main.main'],
  ]);
  await page.locator('#method-table th button', { hasText: 'inclusive' }).click();
  assert.equal((await cells(page, '#method-table tbody tr'))[0][5], 'demo.Main.main');
  await page.locator('#method-table tbody tr', { hasText: 'demo.Main.work' }).click();
  assert.deepEqual(await cells(page, '#callers tbody tr'), [['300', '100.0 %', 'demo.Main.main']]);
  assert.deepEqual(await cells(page, '#callees tbody tr'), [['600', '100.0 %', 'demo.Log.log']]);
  await page.locator('#callees tbody tr').first().click();
  assert.equal(await text(page, '#method-detail h2'), 'demo.Log.log');
  assert.equal((await cells(page, '#callers tbody tr')).length, 2);
}));

test('shows another metric in the place of calls, and calls again', () => withPage('metric', measured(), async (page) => {
  assert.deepEqual(await page.locator('#metric option').allInnerTexts(), ['calls', 'allocated bytes (estimate)', 'cpu time']);
  assert.equal(await text(page, '#measured'), '1,000');
  await page.selectOption('#metric', { label: 'allocated bytes (estimate)' });
  assert.equal(await text(page, '#measured'), '5.00 KiB, 5 B more lost');
  assert.match(await text(page, '#totals'), /^allocated bytes \(estimate\)\s+5\.00 KiB\s+contexts\s+2\s+methods\s+2\s+threads\s+1$/);
  assert.equal(await text(page, '#proof'), '5,125 allocated bytes seen = 5,120 in nodes + 5 lost');
  const point = await chartPoint(page, 2, 0.9);  // work, with a fifth of them
  await page.mouse.move(point.x, point.y);
  assert.equal(await text(page, '#tip'),
    'demo.Main.work\nallocated bytes 1.00 KiB (20.0 %)\ninclusive allocated bytes 1.00 KiB (20.0 %)\ncalled at Main.java:10');
  await search(page, 'log', '1 method: 4.00 KiB allocated (80.0 %), 4.00 KiB inclusive (80.0 %)');
  await page.click('#tab-methods');
  assert.deepEqual(await page.locator('#method-table th').allInnerTexts(),
    ['allocated B', '', 'inclusive B', '', 'contexts', 'method']);
  assert.deepEqual((await cells(page, '#method-table tbody tr'))[0], ['4,096', '80.0 %', '4,096', '80.0 %', '1', 'demo.Log.log']);
  await page.locator('#method-table tbody tr').first().click();
  assert.match(await text(page, '#method-detail'), /4\.00 KiB allocated in 1 context, 4\.00 KiB with everything below\./);
  assert.deepEqual((await cells(page, '#callers tbody tr'))[0], ['4,096', '100.0 %', 'demo.Main.main']);
  await page.selectOption('#metric', { label: 'calls' });
  await search(page, '', '');
  assert.deepEqual((await cells(page, '#method-table tbody tr'))[0], ['699', '69.9 %', '699', '69.9 %', '2', 'demo.Log.log']);
  assert.equal(await text(page, '#proof'), '1,000 calls seen = 1,000 in nodes + 0 lost');
}));

test('gives times in a unit that fits, and columns of them in ms', () => withPage('times', measured('cpu_ns'), async (page) => {
  assert.equal(await page.locator('#metric option:checked').innerText(), 'cpu time', 'what the report says comes first');
  assert.match(await text(page, '#totals'), /^cpu time\s+752 ms\s/);
  assert.equal(await text(page, '#proof'), '751,750,000 ns of cpu time seen = 751,750,000 in nodes + 0 lost');
  const point = await chartPoint(page, 1, 0.5);
  await page.mouse.move(point.x, point.y);
  assert.match(await text(page, '#tip'), /^demo\.Main\.main\ncpu time 250 us \(<0\.1 %\)\ninclusive cpu time 752 ms \(100\.0 %\)/);
  await page.click('#tab-methods');
  assert.deepEqual(await page.locator('#method-table th').allInnerTexts(), ['cpu ms', '', 'inclusive ms', '', 'contexts', 'method']);
  assert.deepEqual((await cells(page, '#method-table tbody tr')).map((row) => row[0]), ['750.000', '1.500', '0.250']);
  // What is below: main has a quarter of a ms of its own.
  await page.locator('#method-table tbody tr', { hasText: 'demo.Main.main' }).click();
  assert.deepEqual(await page.locator('#callees th').allInnerTexts(), ['inclusive ms', '', 'method']);
  assert.deepEqual(await cells(page, '#callers tbody tr'), [['751.750', '100.0 %', '(thread entry)']]);
  assert.deepEqual(await cells(page, '#callees tbody tr'), [['751.500', '100.0 %', 'demo.Main.work']], 'log has none from here');
}));

test('counts a recursive method once for its callers and callees', () => withPage('recursive', recursive(), async (page) => {
  await page.click('#tab-methods');
  await page.locator('#method-table tbody tr', { hasText: 'demo.R.f' }).click();
  assert.deepEqual(await cells(page, '#callers tbody tr'), [['65.000', '100.0 %', 'demo.Main.main']]);
  assert.deepEqual(await cells(page, '#callees tbody tr'), [['55.000', '84.6 %', 'demo.R.g']]);
  await page.selectOption('#metric', { label: 'calls' });
  await page.locator('#method-table tbody tr', { hasText: 'demo.R.f' }).click();
  assert.deepEqual(await cells(page, '#callers tbody tr'), [['1', '50.0 %', 'demo.Main.main'], ['1', '50.0 %', 'demo.R.g']]);
}));

test('lists no method that has none of the metric', async () => {
  const report = measured('cpu_ns');
  report.nodes.cpu_ns = [0, 0, 0, 5, 0];
  await withPage('none', report, async (page) => {
    await page.click('#tab-methods');
    assert.deepEqual(await cells(page, '#method-table tbody tr'), [
      ['0.000', '100.0 %', '0.000', '100.0 %', '1', 'demo.Main.work'],
      ['0', '0.0 %', '0.000', '100.0 %', '0', 'demo.Main.main'],
    ]);
  });
});

// In a report of today and in one that says neither what to show first nor whose calls it counts.
test('shows the metric of a report in which no call was counted', async () => {
  const report = measured();
  report.nodes.calls = report.nodes.calls.map(() => 0);
  report.totals.calls = report.totals.calls_seen = report.threads[0].calls = 0;
  delete report.shown;
  await withPage('no-calls', report, async (page) => {
    assert.deepEqual(await page.locator('#metric option').allInnerTexts(), ['allocated bytes (estimate)', 'cpu time']);
    assert.equal(await page.locator('#metric option:checked').innerText(), 'allocated bytes (estimate)');
    assert.match(await text(page, '#detail'), /inclusive allocated bytes 5\.00 KiB /);
    await page.click('#tab-threads');
    assert.deepEqual(await cells(page, '#thread-table tbody tr'), [['1', 'main']], 'nobody counted by thread');
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
  assert.equal(columnScale('ns', 5e9).text(4_510_698_772), '4,510.7');
  assert.equal(columnScale('ns', 999_999_999).text(20_000), '0.020');
  assert.equal(columnScale('bytes', 10 * 2 ** 20).text(1536), '1.5');
  assert.equal(columnScale('bytes', 20 * 2 ** 30).text(20 * 2 ** 30), '20,480.0');
  assert.deepEqual(['ns', 'bytes (estimate)', 'events'].map(unitNamed), ['ns', 'bytes', 'count']);
});

test('lists threads and what was skipped', () => withPage('lists', small(), async (page) => {
  await page.click('#tab-threads');
  assert.deepEqual(await cells(page, '#thread-table tbody tr'), [['1,000', '100.0 %', '1', 'main', 'demo.Main.main']]);
  await page.click('#tab-skipped');
  assert.deepEqual(await cells(page, '#skipped-table tbody tr'), [['too large', 'demo.Huge', 'parse()V']]);
}));

test('says when calls were lost', async () => {
  const report = small();
  report.totals.calls_seen += 5;
  report.totals.calls_lost = 5;
  await withPage('lost', report, async (page) => {
    assert.equal(await text(page, '#proof'), '1,005 calls seen = 1,000 in nodes + 5 lost');
    assert.match(await page.getAttribute('#proof', 'class'), /broken/);
  });
});

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
  const names = (await cells(page, '#method-table tbody tr')).map((row) => row[5]);
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
  assert.match(await text(page, '#detail'), /25,000 \(50\.0 %\)/);
}));

// Generous limits: they are here to catch work that grows with the report, not to time the machine.
test('stays responsive with 500,000 contexts', { timeout: 120_000 }, () =>
  withPage('large', large(500_000), async (page) => {
    const timed = async (what, action) => {
      const start = performance.now();
      await action();
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      const ms = Math.round(performance.now() - start);
      console.log(`# 500,000 contexts: ${what} ${ms} ms`);
      assert.ok(ms < 2000, `${what} took ${ms} ms`);
    };
    console.log(`# 500,000 contexts: ready after ${page.readyMs} ms`);
    assert.ok(page.readyMs < 10_000);
    await timed('zoom', () => clickFrame(page, 3, 0.5));
    await timed('reset', () => page.click('#reset'));
    await timed('turn round', () => page.click('#bottom-up'));
    await timed('search', async () => {
      await page.fill('#search', 'shop');
      await page.waitForFunction(() => document.getElementById('matches').textContent !== '');
    });
    await timed('methods', () => page.click('#tab-methods'));
    await timed('callers and callees', () => page.locator('#method-table tbody tr').first().click());
  }));
