// The table of threads.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cells, text, texts, withPage } from './harness.mjs';
import { report } from './samples.mjs';

const threads = [
  { id: 1, name: 'main', node: 1, calls: 1 },
  { id: 8, name: 'pool-1-thread-1', node: 2, calls: 30 },
  { id: 9, name: 'pool-1-thread-2', node: 2, calls: 20 },
  { id: 0, name: 'other threads: 40', node: -1, calls: 5, threads: 40 },
];
const heads = (page) => texts(page, '#thread-table th');
const rows = (page) => cells(page, '#thread-table tbody tr');

// Recorded without --by-thread.
const plain = () => {
  const made = report(
    [
      ['demo.Main', 'main'],
      ['demo.Job', 'run'],
    ],
    [
      [0, 0, -1, 1],
      [0, 1, -1, 55],
    ],
  );
  const { nodes, ...rest } = made;
  return {
    ...rest,
    threads,
    totals: { ...made.totals, threads: 43 },
    metrics: [{ name: 'cpu_ns', unit: 'ns', lost: 0 }],
    shown: 'calls',
    nodes: { ...nodes, cpu_ns: [0, 1e6, 9e6] },
  };
};

test('groups threads by pool, and lists each', () =>
  withPage('pools', plain(), async (page) => {
    await page.click('#tab-threads');
    assert.deepEqual(await heads(page), ['pool', 'calls', '', 'threads', 'first call']);
    assert.deepEqual(await rows(page), [
      ['pool-*-thread-*', '50', '89.3 %', '2', 'Job.run'],
      ['other threads', '5', '8.9 %', '40', ''],
      ['main', '1', '1.8 %', '1', 'Main.main'],
    ]);
    await page.click('#threads-each');
    assert.deepEqual(await rows(page), [
      ['pool-1-thread-1', '30', '53.6 %', '8', 'Job.run'],
      ['pool-1-thread-2', '20', '35.7 %', '9', 'Job.run'],
      ['other threads: 40', '5', '8.9 %', '', ''],
      ['main', '1', '1.8 %', '1', 'Main.main'],
    ]);
    assert.match(page.url(), /threads=each/);
    assert.equal(await text(page, '#threads-hint'), '');
    await page.selectOption('#measure', { label: 'cpu time' });
    assert.equal(
      await text(page, '#threads-hint'),
      'By thread only calls are known here: record with --by-thread group to have cpu time of each pool.',
    );
  }));

test('has the measures of each thread that the report has', () => {
  const { metrics, nodes, ...rest } = plain(); // metrics come before nodes
  const known = { ...rest, metrics: [{ ...metrics[0], threads: [1e6, 4e6, 2e6, 3e6] }], nodes };
  return withPage('measured-threads', known, async (page) => {
    await page.click('#tab-threads');
    assert.deepEqual(await heads(page), ['pool', 'calls', '', 'threads', 'cpu ms', 'first call']);
    await page.selectOption('#measure', { label: 'cpu time' });
    assert.equal(await text(page, '#threads-hint'), '');
    assert.deepEqual((await rows(page)).map((row) => row.slice(0, 5)), [
      ['pool-*-thread-*', '6.000', '60.0 %', '2', '50'],
      ['other threads', '3.000', '30.0 %', '40', '5'],
      ['main', '1.000', '10.0 %', '1', '1'],
    ]);
    await page.click('#threads-each');
    assert.deepEqual((await rows(page)).map(([name, time]) => [name, time])[0], ['pool-1-thread-1', '4.000']);
  });
});

// main waits, the pool works; the JVM has threads of its own.
const byThread = () => {
  const made = report(
    [
      ['', '(threads without recorded calls)', ''],
      ['', '[main]', ''],
      ['', '[pool-*-thread-*]', ''],
      ['demo.Job', 'run'],
      ['demo.Main', 'main'],
    ],
    [
      [0, 0, -1, 0],
      [0, 1, -1, 0],
      [2, 4, -1, 1],
      [0, 2, -1, 0],
      [4, 3, -1, 50],
    ],
  );
  const { nodes, ...rest } = made;
  const measures = { cpu_ns: 'ns', wall_ns: 'ns', parked_ns: 'ns', exceptions: 'events', contended_ns: 'ns' };
  return {
    ...rest,
    threads: [
      { ...threads[0], node: 3 },
      { ...threads[1], node: 4 },
      { ...threads[2], node: 4 },
    ],
    totals: { ...made.totals, threads: 3 },
    metrics: Object.entries(measures).map(([name, unit]) => ({ name, unit, lost: 0 })),
    shown: 'cpu_ns',
    nodes: {
      ...nodes,
      cpu_ns: [0, 9e6, 0, 1e6, 0, 3e6],
      wall_ns: [0, 0, 0, 9e6, 5e6, 4e6],
      parked_ns: [0, 0, 0, 8e6, 5e6, 0],
      exceptions: [0, 0, 0, 0, 0, 7],
      contended_ns: [0, 0, 0, 0, 0, 0],
    },
  };
};

test('has every measure by pool where contexts hang below threads, by the measure shown', () =>
  withPage('by-thread', byThread(), async (page) => {
    await page.click('#tab-threads');
    assert.deepEqual(await heads(page), [
      'pool',
      'cpu ms',
      '',
      'threads',
      'calls',
      '',
      'wall ms',
      'parked ms',
      'exceptions',
      'first call',
    ]);
    assert.deepEqual(await rows(page), [
      ['pool-*-thread-*', '3.000', '75.0 %', '2', '50', '98.0 %', '9.000', '5.000', '7', 'Job.run'],
      ['main', '1.000', '25.0 %', '1', '1', '2.0 %', '9.000', '8.000', '0', 'Main.main'],
    ]);
    assert.match(await text(page, '#jvm-threads'), /^Threads without recorded calls: [^]*cpu ms\s+threads without recorded calls\s+9\.000\s*$/);
    await page.selectOption('#measure', { label: 'parked time' });
    assert.deepEqual((await heads(page)).slice(0, 4), ['pool', 'parked ms', '', 'threads']);
    assert.deepEqual(
      (await rows(page)).map((row) => row.slice(0, 4)),
      [
        ['main', '8.000', '61.5 %', '1'],
        ['pool-*-thread-*', '5.000', '38.5 %', '2'],
      ],
    );
    await page.locator('#thread-table tbody tr', { hasText: 'pool' }).click();
    assert.match(await text(page, '#steps'), /\[pool-\*-thread-\*\] as root/);
  }));

test('has the time of compilers and collectors in lines of their own', () => {
  const made = report(
    [['', '(JIT compilers)', ''], ['', '(garbage collectors)', ''], ['', '(threads without recorded calls)', ''], ['demo.Main', 'main']],
    [[0, 2, -1, 0], [1, 0, -1, 0], [1, 1, -1, 0], [0, 3, -1, 1]],
  );
  const { nodes, ...rest } = made;
  const metrics = [{ name: 'cpu_ns', unit: 'ns', lost: 0 }];
  const timed = { ...rest, metrics, shown: 'cpu_ns', nodes: { ...nodes, cpu_ns: [0, 2e6, 7e6, 1e6, 5e6] } };
  return withPage('jvm-parts', timed, async (page) => {
    assert.match(await text(page, '#totals'), /cpu time\s+5\.00 ms\s+JVM\s+10\.0 ms/);
    assert.equal(await text(page, '#with-jvm'), 'JVM 10.0 ms left out');
    await page.click('#tab-threads');
    assert.deepEqual(await cells(page, '#jvm-threads tbody tr'), [['JIT compilers', '7.000'], ['garbage collectors', '1.000'], ['others', '2.000']]);
    await page.click('#tab-methods');
    assert.deepEqual((await cells(page, '#method-table tbody tr')).map(([name]) => name), ['Main.main']);
    await page.click('#with-jvm');
    assert.equal((await cells(page, '#method-table tbody tr')).length, 4);
  });
});
