// The strip of processor time over the time of the run.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { text, texts, withPage } from './harness.mjs';
import { measured } from './samples.mjs';

const MS = 1e6;
const timed = (rows) => ({
  ...measured('cpu_ns'),
  timeline: {
    step_ms: 100,
    program_ns: rows.map((row) => row * MS),
    compilers_ns: rows.map((_, i) => (i === 0 ? 50 * MS : 0)),
    collectors_ns: rows.map((_, i) => (i === 3 ? 10 * MS : 0)),
    others_ns: rows.map(() => 0),
  },
});

test('shows processor time over the time of the run, by pointer and by keys', () =>
  withPage('timeline', timed([100, 100, 0, 80, 20, 100]), async (page) => {
    assert.equal(await text(page, '#timeline .when'), '0.0 s to 0.6 s, up to 150 % of a processor');
    assert.deepEqual(await texts(page, '#timeline .parts > span'), [
      'program 400 ms',
      'JIT compilers 50.0 ms',
      'garbage collectors 10.0 ms',
      'others 0 ns',
    ]);
    assert.equal(await page.locator('#timeline path').count(), 3, 'parts that used nothing have no area');
    const { x, y, width, height } = await page.locator('#timeline .strip').boundingBox();
    await page.mouse.move(x + (3.5 / 6) * width, y + height / 2);
    assert.equal(await text(page, '#timeline .when'), '0.3 s to 0.4 s, of a processor');
    assert.match(await text(page, '#timeline .parts'), /^program 80 %\s*JIT compilers 0 %\s*garbage collectors 10 %/);
    await page.mouse.move(x, y - 20);
    assert.match(await text(page, '#timeline .when'), /up to/);
    await page.focus('#timeline .strip');
    for (const key of ['Home', 'ArrowRight', 'End', 'ArrowLeft']) await page.keyboard.press(key);
    assert.equal(
      await page.getAttribute('#timeline .strip', 'aria-valuetext'),
      '0.4 s to 0.5 s, of a processor: program 20 %, JIT compilers 0 %, garbage collectors 0 %, others 0 %',
    );
    await page.keyboard.press('Escape');
    assert.match(await text(page, '#timeline .when'), /up to/);
  }));

test('has no strip of a run too short for one, and none without rows', async () => {
  const isVisible = (page) => page.isVisible('#timeline');
  await withPage('timeline-short', timed([100, 100]), async (page) => assert.equal(await isVisible(page), false));
  await withPage('timeline-none', measured('cpu_ns'), async (page) => assert.equal(await isVisible(page), false));
});
