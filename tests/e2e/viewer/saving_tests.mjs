// The graph as a file, and a second report on the page.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Report } from '../../../reports/viewer/src/report.js';
import { shownNames } from '../../../reports/viewer/src/shown_names.js';
import { unionOf } from '../../../reports/viewer/src/union.js';
import { cells, pageOf, text, withPage } from './harness.mjs';
import { large, named, queries, report, small } from './samples.mjs';

async function saved(page, format) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(`#save-${format}`)]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

test('saves the graph as SVG and PNG', () =>
  withPage('save', small(), async (page) => {
    const svg = await saved(page, 'svg');
    assert.equal(svg.name, 'save.svg');
    const drawn = await page.evaluate((source) => {
      const root = new DOMParser().parseFromString(source, 'image/svg+xml').documentElement;
      return {
        error: root.querySelector('parsererror') !== null,
        texts: [...root.querySelectorAll('text')].map(({ textContent }) => textContent),
      };
    }, svg.bytes.toString());
    assert.deepEqual(drawn, {
      error: false,
      texts: ['all threads', 'Main.main', 'Log.log', 'Main.work', 'Log.log', 'java Main · 1,000 calls'],
    });
    const png = await saved(page, 'png');
    assert.equal(png.name, 'save.png');
    assert.equal(png.bytes.subarray(1, 4).toString(), 'PNG');
    assert.ok(png.bytes.readUInt32BE(16) > 1000, 'its width');
  }));

test('saves hatches of a comparison', () =>
  withPage('save-compared', queries(), async (page) => {
    await page.click('#width-old');
    assert.match((await saved(page, 'svg')).bytes.toString(), /fill="url\(#hatch\d\)"/);
  }));

// A lambda that another build numbers differently is called five times as often; each report has a method alone.
const pair = () => {
  const methods = [
    ['demo.Main', 'main'],
    ['demo.Main', 'lambda$work$1'],
    ['demo.Old', 'gone'],
  ];
  const old = report(methods, [
    [0, 0, -1, 1],
    [1, 1, 10, 100],
    [1, 2, 11, 7],
  ]);
  const now = report(
    [
      ['demo.Main', 'lambda$work$2'],
      ['demo.Main', 'main'],
      ['demo.New', 'come'],
    ],
    [
      [0, 1, -1, 1],
      [1, 0, 12, 500],
      [2, 2, 20, 3],
    ],
  );
  now.program = { ...now.program, started: '2026-11-22T08:00:00Z', pid: 2 };
  return { old, now };
};

async function drop(page, name, content) {
  await page.evaluate(
    ([file, body]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([body], file));
      for (const type of ['dragover', 'drop'])
        window.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    },
    [name, content],
  );
}

for (const kind of ['report', 'page']) {
  test(`compares with a ${kind} dropped on it`, () => {
    const { old, now } = pair();
    const content = kind === 'report' ? JSON.stringify(old) : readFileSync(pageOf('dropped-page', old), 'utf8');
    return withPage(`dropped-on-${kind}`, now, async (page) => {
      await drop(page, 'a.json', content);
      await page.waitForFunction(
        () => document.documentElement.dataset.compared === 'true' && document.documentElement.dataset.ready === 'true',
      );
      assert.equal(await text(page, '#command'), `a.json → dropped-on-${kind}.html`);
      assert.match(
        (await text(page, '#totals')).replace(/\s+/g, ' '),
        /^calls 108 → 504 \+366\.7 % .* new contexts 1 gone 1 changed 1$/,
      );
      assert.equal(
        await text(page, '#proof'),
        'old: 108 calls seen = 108 in nodes + 0 lost · new: 504 calls seen = 504 in nodes + 0 lost',
      );
      await page.click('#tab-methods');
      assert.deepEqual(
        (await cells(page, '#method-table tbody tr')).map((row) => row.slice(0, 5)),
        [
          ['Main.lambda$work$2', '', '100', '500', '+400'],
          ['Old.gone', 'gone', '7', '0', '−7'],
          ['New.come', 'new', '0', '3', '+3'],
          ['Main.main', '', '1', '1', '0'],
        ],
      );
      page.troubles.splice(0); // the page in its place is a request
    });
  });
}

test('says why a file cannot be compared', () =>
  withPage('dropped-odd', small(), async (page) => {
    for (const [content, why] of [
      ['{', 'JSON'],
      ['{}', 'it is no report of Copse'],
    ]) {
      await drop(page, 'odd.json', content);
      await page.waitForFunction((reason) => document.getElementById('said').textContent.includes(reason), why);
    }
  }));

test('adds up both reports exactly', () => {
  const [old, now] = [3, 4].map((seed) => new Report(named(large(3000, seed))));
  const { nodes, metrics } = unionOf({ report: old, name: 'a' }, { report: now, name: 'b' });
  const sum = (values) => values.reduce((total, value) => total + value, 0);
  for (const measure of ['calls', 'cpu_ns', 'cpu_samples']) {
    for (const [side, prefix] of [
      [old, 'old_'],
      [now, ''],
    ]) {
      assert.equal(sum(nodes[prefix + measure]), side.counted.find(({ name }) => name === measure).total);
    }
  }
  assert.deepEqual(
    metrics.map(({ name }) => name),
    ['old_calls', 'cpu_ns', 'old_cpu_ns', 'cpu_samples', 'old_cpu_samples'],
  );
  nodes.parent.forEach((parent, row) => assert.ok(parent < row));
  const same = unionOf({ report: old, name: 'a' }, { report: old, name: 'a' });
  assert.deepEqual(same.nodes.calls, same.nodes.old_calls);
});

test('names methods as copse does', () => {
  const names = shownNames({
    class: ['demo.L', 'demo.L', 'demo.L', ''],
    name: ['fetch', 'fetch', 'one', '[main]'],
    descriptor: ['(JLa/b/C$D;[[I)V', '()V', '(I)V', ''],
  });
  assert.deepEqual(names, ['demo.L.fetch(long, C$D, int[][])', 'demo.L.fetch()', 'demo.L.one', '[main]']);
  const descriptor = ['(I)V', '(La/Id;)V', '(Lb/Id;)V', '(J)La/Key;', '(J)Lb/Key;', '(J)V', '(Lint;)V', '(D)V'];
  const overloads = shownNames({ class: descriptor.map(() => 'p.A'), name: descriptor.map(() => 'f'), descriptor });
  assert.deepEqual(overloads.map((name) => name.slice('p.A.f'.length)), [
    '(I)V', '(a.Id)', '(b.Id)', '(long): a.Key', '(long): b.Key', '(long): void', '(Lint;)V', '(double)',
  ]);
});
