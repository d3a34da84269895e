// What colours of frames say, and amounts per call.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changes, diverging, sequential } from '../../../reports/viewer/src/ramps.js';
import { chartPoint } from './browser.mjs';
import { clickFrame, colorsAt, text, texts, withPage } from './harness.mjs';
import { measured } from './samples.mjs';

test('colours frames by time per call, with a legend of numbers', () => withPage('per-call', measured(), async (page) => {
  assert.deepEqual(await texts(page, '#color option'), [
    'package', 'allocated bytes per call, inclusive', 'allocated bytes per call, exclusive',
    'cpu time per call, inclusive', 'cpu time per call, exclusive',
    'share of allocated bytes, by share of calls', 'share of cpu time, by share of calls',
  ]);
  assert.equal(await page.isVisible('#legend'), false, 'packages have none');
  await page.selectOption('#color', 'cpu_ns/call-own');
  // main 250 us, its log none, work 5 us, work's log 1.25 ms: the decades around them.
  assert.deepEqual(await texts(page, '#legend .tick'), ['1 us', '10 us', '100 us', '1 ms', '10 ms']);
  assert.equal(await text(page, '#legend .unknown'), 'no calls or no cpu time');
  const ramp = sequential(false);
  const rgb = (place) => /\d.*\d/.exec(ramp[Math.round(place * (ramp.length - 1))].fill)[0].replaceAll(' ', '');
  const at = (ns) => rgb((Math.log10(ns) - 3) / 4);
  const colors = await colorsAt(page, [[1, 0.99], [2, 0.05], [2, 0.95], [3, 0.5]]);
  assert.deepEqual(colors, [at(250_000), '195,201,209', at(5_000), at(1_250_000)], 'log called by main is grey: no time');
  await page.selectOption('#color', 'cpu_ns/call');  // main takes 752 ms, work 2.5 ms
  assert.deepEqual(await texts(page, '#legend .tick'), ['1 ms', '10 ms', '100 ms', '1 s']);
  assert.deepEqual(await colorsAt(page, [[1, 0.99]]), [rgb((Math.log10(751.75) / 3))]);
  // The choice outlasts another width, unless it has become the same as the width.
  await page.selectOption('#measure', { label: 'cpu time' });
  assert.equal(await page.inputValue('#color'), 'cpu_ns/call');
  await page.selectOption('#color', 'calls/width');
  await page.selectOption('#measure', { label: 'calls' });
  assert.equal(await page.inputValue('#color'), 'package');
}));

test('marks a wide scale at few places', async () => {
  const report = measured();
  report.nodes.cpu_ns = [0, 5e12, 0, 3, 7e9];  // by call: from 0.01 ns, or 100, to more than an hour
  await withPage('wide-scale', report, async (page) => {
    await page.selectOption('#color', 'cpu_ns/call-own');
    const ticks = await page.locator('#legend .tick').evaluateAll((all) => all.map((tick) => {
      const { left, right } = tick.getBoundingClientRect();
      return { text: tick.textContent, left, right };
    }));
    assert.ok(ticks.length >= 3 && ticks.length <= 7, JSON.stringify(ticks));
    assert.ok(ticks.every(({ left }, i) => i === 0 || left > ticks[i - 1].right), 'no two overlap');
  });
});

test('says when there is none of the measure', async () => {
  const report = measured();
  report.nodes.cpu_ns = [0, 9, 0, 0, 0];
  await withPage('none-below', report, async (page) => {
    await clickFrame(page, 2, 0.95);
    await page.locator('#detail .actions button', { hasText: 'Set as root' }).click();
    assert.match(await text(page, '#shown'), /^3 frames drawn/);
    await page.selectOption('#measure', { label: 'cpu time' });
    assert.equal(await text(page, '#shown'), 'there is no cpu time here: show another measure');
    await page.selectOption('#color', 'allocated_bytes/width');
    assert.match(await text(page, '#detail'), /inclusive\s+0 ns\s+900/);
    // Nor in a frame that a row of the tree leads to.
    await page.locator('#steps button').first().click();
    await page.click('#tab-tree');
    await page.focus('#tree-table');
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowDown']) await page.keyboard.press(key);
    await page.locator('#tree-detail .actions button', { hasText: 'Show in the graph' }).click();
    assert.equal(await text(page, '#path strong'), 'Log.log');
    await page.waitForFunction(() => document.getElementById('shown').textContent.startsWith('there is no cpu time here'));
  });
});

test('colours frames by how much of another measure they have beside their width', () => withPage('share', measured(), async (page) => {
  await page.selectOption('#color', 'allocated_bytes/width');
  assert.deepEqual(await texts(page, '#legend .tick'), ['≤ ¹⁄₁₆', '¼', 'even', '4 times', '≥ 16']);
  const ramp = diverging(false);
  const rgb = (power) => /\d.*\d/.exec(ramp[Math.round(((power + 4) / 8) * (ramp.length - 1))].fill)[0].replaceAll(' ', '');
  // main has all of both; its log 80 % of the bytes by 9.9 % of the calls; work 20 % by 90 %.
  const colors = await colorsAt(page, [[1, 0.99], [2, 0.05], [2, 0.95], [3, 0.5]]);
  assert.deepEqual(colors, [rgb(0), rgb(Math.log2(80 / 9.9)), rgb(Math.log2(20 / 90)), '195,201,209']);
}));

test('has scales whose order and labels lightness alone tells', () => {
  const luminance = (fill) => {
    const [red, green, blue] = fill.match(/\d+/g).map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  const isRising = (values) => values.every((value, i) => i === 0 || value > values[i - 1]);
  for (const dark of [false, true]) {
    const { less, more } = changes(dark);
    for (const ramp of [sequential(dark), diverging(dark), less, more]) {
      for (const { fill, ink } of ramp) {
        assert.ok(contrast(luminance(fill), ink === '#000' ? 0 : 1) >= 4.5, `${ink} on ${fill}`);
      }
    }
    const lights = (ramp) => ramp.map(({ fill }) => luminance(fill));
    assert.ok(isRising(dark ? lights(sequential(dark)) : lights(sequential(dark)).reverse()), 'more is farther from the page');
    for (const ramp of [less, more]) assert.ok(isRising(dark ? lights(ramp) : lights(ramp).reverse()), 'so is a larger difference');
    const both = lights(diverging(dark));
    const halves = [both.slice(0, 32).reverse(), both.slice(32)];
    for (const half of halves) assert.ok(isRising(dark ? half : half.reverse()), 'and so is each side');
  }
});

test('says how far sampled amounts may be off', async () => {
  const report = measured();
  report.metrics.push({ name: 'cpu_samples', unit: 'events', lost: 0 });
  report.nodes.cpu_samples = [0, 1, 0, 4, 400];
  await withPage('sampled', report, async (page) => {
    const point = await chartPoint(page, 2, 0.95);
    await page.mouse.move(point.x, point.y);
    assert.match(await text(page, '#tip'), /\ncpu time per call\t5\.0 us ± 50 %\t2\.50 ms ± 5 %\n/);
    assert.match(await text(page, '#tip'), /\ncpu time\t1\.5 ms ± 50 % \(0\.2 %\)\t750 ms ± 5 % \(100\.0 %\)\n/);
    assert.doesNotMatch(await text(page, '#tip'), /samples per call/);
    const root = await chartPoint(page, 0, 0.5);
    await page.mouse.move(root.x, root.y);
    assert.match(await text(page, '#tip'), /^all threads\n[^]*\t752 ms \(100\.0 %\)$/, 'the sum is exact');
    await page.selectOption('#color', 'cpu_ns/call');
    assert.equal(await text(page, '#legend .unknown'), 'no calls or no cpu time seen');
    // What rests on few samples does not look as sure as the rest.
    const rough = (cells) => cells.evaluateAll((all) => all.map((cell) => [cell.textContent, cell.title, cell.classList.contains('rough')]));
    await page.selectOption('#measure', { label: 'cpu time' });
    await page.click('#tab-methods');
    const work = page.locator('#method-table tbody tr', { hasText: 'Main.work' });
    assert.deepEqual((await rough(work.locator('td'))).filter((_, i) => i !== 2 && i !== 4), [
      ['Main.work', 'demo.Main.work', false], ['1.5', '± 50 %', true], ['750', '± 5 %', false], ['5,000', '± 50 %', true], ['2,510,000', '± 5 %', false],
      ['1', '', false],
    ]);
    await page.click('#tab-tree');
    await page.click('#heaviest');
    const row = page.locator('.tree-lines .tree-row', { hasText: 'Main.work' });
    await row.first().waitFor();  // rows are drawn with the next frame
    assert.deepEqual((await rough(row.locator('.number'))).slice(0, 6), [
      ['1.5', '± 50 %', true], ['750', '± 5 %', false], ['100.0', '± 5 %', false], ['5,000', '± 50 %', true],
      ['2,510,000', '± 5 %', false], ['300', '', false],
    ]);
  });
});
