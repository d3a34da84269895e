// What is left out of graph, tree and rankings unless it is asked for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cells, clickFrame, text, withPage } from './harness.mjs';
import { report } from './samples.mjs';

const rows = (page) => cells(page, '#method-table tbody tr');
const timeAndName = (page) => rows(page).then((all) => all.map(([name, , time]) => [time, name]));

// A worker waits for work in getTask (60 ms, 5 of them runnable), and runs a job that takes from a queue as well (30
// ms); a thread is parked outside all recorded code (20 ms).
export const idle = () => {
  const made = report(
    [
      ['', '(no recorded caller)', ''],
      ['', 'park java.util.concurrent.FutureTask', ''],
      ['demo.Job', 'run'],
      ['java.util.concurrent.LinkedBlockingQueue', 'take'],
      ['java.util.concurrent.ThreadPoolExecutor', 'getTask'],
      ['java.util.concurrent.ThreadPoolExecutor$Worker', 'run'],
    ],
    [
      [0, 0, -1, 0],
      [1, 1, -1, 0],
      [0, 5, -1, 1],
      [3, 2, 10, 1],
      [4, 3, 11, 4],
      [3, 4, 12, 9],
      [6, 3, 13, 9],
    ],
  );
  const { nodes, ...rest } = made;
  const measures = ['wall_ns', 'runnable_ns', 'parked_ns'].map((name) => ({ name, unit: 'ns', lost: 0 }));
  return {
    ...rest,
    idle: { rows: [1, 2, 6, 7], all: 'wall_ns', waiting: ['parked_ns'], busy: ['runnable_ns', 'blocked_ns'] },
    metrics: measures,
    shown: 'wall_ns',
    kinds: { method: [1], kind: ['parked'], class: ['java.util.concurrent.FutureTask'], place: [''] },
    nodes: {
      ...nodes,
      wall_ns: [0, 0, 20e6, 1e6, 40e6, 30e6, 5e6, 55e6],
      runnable_ns: [0, 0, 0, 1e6, 40e6, 0, 5e6, 0],
      parked_ns: [0, 0, 20e6, 0, 0, 30e6, 0, 55e6],
    },
  };
};

test('leaves idle waits out, says how much that is, and brings them in', () =>
  withPage('idle', idle(), async (page) => {
    assert.equal(await text(page, '#with-idle'), 'idle 75.0 ms left out');
    assert.match(await text(page, '#totals'), /^wall time\s+151 ms/, 'totals have all');
    assert.match(await text(page, '#detail'), /wall time[^]*inclusive\s+76\.0 ms \(100\.0 %\)/);
    await page.click('#tab-methods');
    assert.deepEqual(
      (await rows(page)).map(([name, time, share]) => [time, share, name]),
      [
        ['40.000', '52.6 %', 'Job.run'],
        ['30.000', '39.5 %', 'LinkedBlockingQueue.take'],
        ['5.000', '6.6 %', 'ThreadPoolExecutor.getTask'],
        ['1.000', '1.3 %', 'ThreadPoolExecutor$Worker.run'],
      ],
      "a job's own wait stays",
    );
    await page.click('#with-idle');
    assert.equal(await text(page, '#with-idle'), 'idle 75.0 ms shown');
    assert.match(page.url(), /with=idle/);
    assert.deepEqual((await timeAndName(page)).slice(0, 3), [
      ['85.000', 'LinkedBlockingQueue.take'],
      ['40.000', 'Job.run'],
      ['20.000', '(no recorded caller)'],
    ]);
    await page.selectOption('#measure', { label: 'parked time' });
    assert.equal(await text(page, '#with-idle'), 'idle 75.0 ms shown');
    await page.selectOption('#measure', { label: 'runnable time' });
    assert.equal(await page.isVisible('#with-idle'), false);
    await page.selectOption('#measure', { label: 'calls' });
    assert.equal(await page.isVisible('#with-idle'), false);
  }));

test('keeps what is read when idle waits come in', () =>
  withPage('idle-root', idle(), async (page) => {
    await page.evaluate(() => {
      location.hash = '#read=root:3';
    });
    assert.match(await text(page, '#steps'), /ThreadPoolExecutor\$Worker\.run as root/);
    assert.match(await text(page, '#detail'), /wall time[^]*inclusive\s+76\.0 ms/);
    await page.click('#with-idle');
    assert.match(await text(page, '#steps'), /ThreadPoolExecutor\$Worker\.run as root/);
    assert.match(await text(page, '#detail'), /wall time[^]*inclusive\s+131 ms/);
  }));

test("brings the JVM's own threads into the rankings", () => {
  const made = report(
    [
      ['', '(threads without recorded calls)', ''],
      ['demo.Main', 'main'],
    ],
    [
      [0, 0, -1, 0],
      [0, 1, -1, 1],
    ],
  );
  const { nodes, ...rest } = made;
  const timed = {
    ...rest,
    metrics: [{ name: 'cpu_ns', unit: 'ns', lost: 0 }],
    shown: 'cpu_ns',
    nodes: { ...nodes, cpu_ns: [0, 9e6, 3e6] },
  };
  return withPage('jvm-shown', timed, async (page) => {
    assert.equal(await text(page, '#with-jvm'), 'JVM 9.00 ms left out');
    await page.click('#tab-methods');
    assert.deepEqual(
      (await rows(page)).map((row) => row.slice(0, 3)),
      [['Main.main', '3.000', '100.0 %']],
    );
    await page.click('#with-jvm');
    assert.equal(await text(page, '#with-jvm'), 'JVM 9.00 ms shown');
    assert.deepEqual(
      (await rows(page)).map((row) => row.slice(0, 3)),
      [
        ['(threads without recorded calls)', '9.000', '75.0 %'],
        ['Main.main', '3.000', '25.0 %'],
      ],
    );
  });
});

test('divides wall-clock time by the states of threads', () =>
  withPage('states', idle(), async (page) => {
    await page.click('#with-states');
    assert.match(page.url(), /with=states/);
    assert.match(await text(page, '#detail'), /wall time[^]*inclusive\s+76\.0 ms \(100\.0 %\)/, 'the sum is the same');
    await page.click('#tab-tree');
    await page.click('#heaviest');
    await page.locator('.tree-lines', { hasText: '(runnable)' }).waitFor();
    await page.click('#tab-methods');
    assert.deepEqual(
      (await rows(page)).map((row) => row.slice(0, 3)),
      [
        ['Job.run', 'runnable', '40.000'],
        ['LinkedBlockingQueue.take', 'parked', '30.000'],
        ['ThreadPoolExecutor.getTask', 'runnable', '5.000'],
        ['ThreadPoolExecutor$Worker.run', 'runnable', '1.000'],
      ],
    );
    await page.selectOption('#measure', { label: 'calls' });
    assert.equal(await page.isVisible('#with-states'), false);
  }));

test('stays at the zoomed frame when states come and go', () =>
  withPage('states-zoom', idle(), async (page) => {
    await clickFrame(page, 2, 0.3);
    await clickFrame(page, 1, 0.2);
    const zoomed = () => text(page, '#path strong');
    assert.equal(await zoomed(), 'LinkedBlockingQueue.take');
    await page.click('#with-states');
    assert.equal(await zoomed(), 'LinkedBlockingQueue.take');
    await clickFrame(page, 1, 0.5);
    assert.equal(await zoomed(), '(parked)');
    await page.selectOption('#measure', { label: 'runnable time' });
    assert.equal(await zoomed(), 'all threads', 'there is none of this measure');
    await page.selectOption('#measure', { label: 'wall time' });
    await clickFrame(page, 2, 0.3);
    await page.click('#with-states');
    assert.equal(await zoomed(), 'Job.run');
  }));
