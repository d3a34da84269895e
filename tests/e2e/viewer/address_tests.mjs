// The page's address: what is shown, to link to and to go back to.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stepsOf, stepsText } from '../../../reports/viewer/src/address.js';
import { BackTraces, BottomUp } from '../../../reports/viewer/src/bottom_up.js';
import { TopDown } from '../../../reports/viewer/src/directions.js';
import { Report } from '../../../reports/viewer/src/report.js';
import { clickFrame, search, text, withPage } from './harness.mjs';
import { HOSTILE, measured, named, small, thin } from './samples.mjs';

const hash = (page) => page.evaluate(() => location.hash);
const settled = (page) => page.evaluate(
  () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

// What a reader sees of where the page is.
const view = (page) => page.evaluate(() => ({
  tab: document.querySelector('nav [aria-selected=true]').textContent,
  measure: document.getElementById('measure').selectedOptions[0]?.textContent,
  color: document.getElementById('color').value,
  steps: document.getElementById('steps').textContent,
  path: document.getElementById('path').textContent,
  flame: document.getElementById('flame').getAttribute('aria-pressed'),
  turned: document.getElementById('bottom-up').getAttribute('aria-pressed'),
  found: document.getElementById('matches').textContent,
  row: document.querySelector('#tree-detail strong')?.textContent,
  sort: document.querySelector('.tree-head [aria-sort] button')?.dataset.key,
  method: document.querySelector('#method-detail h2')?.textContent,
}));

// Goes to another address of the same page, as a reader who types it.
async function goTo(page, to) {
  await page.evaluate((wanted) => new Promise((done) => {
    addEventListener('hashchange', () => done(), { once: true });
    location.hash = wanted;
  }), to);
  await settled(page);
}

test('has an address for everything that is chosen, and shows it again', () => withPage('address', measured(), async (page) => {
  assert.equal(await hash(page), '', 'none at first');
  await page.selectOption('#measure', { label: 'cpu time' });
  await page.selectOption('#color', 'cpu_ns/call');
  await page.click('#flame');
  await page.click('#icicle');
  await page.click('#flame');
  const box = await page.locator('#chart').boundingBox();
  await page.mouse.click(box.x + 300, box.y + box.height - 10 - 2 * 19);
  await page.locator('#detail .actions button', { hasText: 'Set as root' }).click();
  assert.equal(await hash(page), '#show=cpu_ns&read=root:3&color=cpu_ns/call&shape=flame');
  await page.click('#bottom-up');
  await page.mouse.click(box.x + 300, box.y + box.height - 10 - 19);
  await page.click('#tab-methods');
  await page.locator('#method-table tbody tr').first().click();
  await page.click('#tab-tree');
  await page.focus('#tree-table');
  await page.keyboard.press('ArrowDown');
  await page.click('#tree-table [data-key="calls/exclusive"]');
  await page.fill('#search', 'Main.work');
  await page.waitForFunction(() => document.getElementById('matches').textContent !== '');
  await page.click('#tab-run');
  const wanted = '#tab=run&show=cpu_ns&read=root:3&direction=bottom-up&color=cpu_ns/call&shape=flame&zoom=0&sort=calls/exclusive&row=0&method=0&search=Main.work';
  assert.equal(await hash(page), wanted);
  const shown = await view(page);
  assert.match(shown.path, /all methods›Log\.log$/);
  const url = page.url();
  await page.goto('about:blank');
  await page.goto(url);
  await page.waitForFunction(() => document.documentElement.dataset.ready === 'true');
  assert.deepEqual({ ...await view(page), row: shown.row }, shown);
  assert.equal(await hash(page), wanted);
  await page.click('#tab-tree');
  await page.waitForFunction(() => document.querySelector('#tree-detail strong') !== null);
  assert.equal((await view(page)).row, 'demo.Log.log');
}));

test('goes back and forward', () => withPage('history', measured(), async (page) => {
  const seen = [await view(page)];
  const act = async (action) => {
    await action();
    await settled(page);
    seen.push(await view(page));
  };
  await act(() => clickFrame(page, 1, 0.5));
  await act(() => clickFrame(page, 1, 0.5));
  await act(() => page.selectOption('#measure', { label: 'cpu time' }));
  await act(() => page.selectOption('#color', 'cpu_ns/call-own'));
  await act(() => page.locator('#detail .actions button', { hasText: 'Back traces' }).click());
  await act(() => page.click('#tab-methods'));
  assert.equal(seen[3].path, seen[2].path, 'another measure leaves the frame');
  assert.equal(new Set(seen.map((one) => JSON.stringify(one))).size, seen.length, 'each is something else');
  const travel = async (by, expected) => {
    await page.evaluate((steps) => new Promise((done) => {
      addEventListener('hashchange', () => done(), { once: true });
      history.go(steps);
    }), by);
    await settled(page);
    assert.deepEqual(await view(page), expected);
  };
  for (let i = seen.length - 2; i >= 0; --i) await travel(-1, seen[i]);
  for (let i = 1; i < seen.length; ++i) await travel(1, seen[i]);
  await travel(-4, seen[2]);
  assert.equal(await page.isVisible('#address-problem'), false);
}));

test('steps through places and rows without filling the history', () => withPage('steps', thin(), async (page) => {
  const length = () => page.evaluate(() => history.length);
  const before = await length();
  await page.fill('#search', 'found');
  await page.waitForFunction(() => !document.getElementById('found').hidden);
  for (let i = 0; i < 3; ++i) await page.press('#search', 'Enter');
  await page.waitForFunction(() => location.hash === '#zoom=65&search=found');
  assert.equal(await length(), before);
  await page.click('#tab-tree');
  await page.focus('#tree-table');
  for (const key of ['ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
  await page.waitForFunction(() => location.hash.includes('row='));
  assert.equal(await length(), before + 1, 'for the tab');
}));

test('says what of an address cannot be shown, and shows the rest', () => withPage('stale', measured(), async (page) => {
  await goTo(page, '#tab=nowhere&show=cpu_ns&zoom=99&color=mauve&shape=round&read=root:77&sort=up&row=x&method=12345&find=8&more=1');
  const message = await text(page, '#address-problem');
  for (const part of [
    'it has nothing called more', 'there is no tab nowhere', 'there is no context 77 in 4 contexts', 'colour mauve',
    'shape round', 'there is no frame 99', 'there is no column up', 'there is no row x', 'method 12345', 'no method 8 to find',
  ]) assert.ok(message.includes(part), `${part} in: ${message}`);
  await page.waitForFunction(() => location.hash === '#show=cpu_ns');
  assert.equal((await view(page)).measure, 'cpu time');
  await clickFrame(page, 1, 0.5);
  assert.equal(await page.isVisible('#address-problem'), false, 'once the reader goes on');
  for (const bad of [
    '#read=merge:0.5', '#read=', '#read=root:0', '#read=root:-1', '#read=back:0,root:1', '#read=merge:99', '#read=root:3,merge:1',
    '#zoom=-1', '#zoom=1e3', '#zoom=', '#direction=bottom-up&zoom=0.0.0', '#direction=left', '#show=', '#sort=&row=',
    '#%%%', '#=', '#zoom', '#tab=tree&tab=graph&zoom=NaN', `#search=${encodeURIComponent(HOSTILE[0])}&x=${encodeURIComponent(HOSTILE[3])}`,
  ]) {
    await goTo(page, bad);
    assert.equal(await page.isVisible('#address-problem'), true, bad);
    assert.doesNotMatch(await text(page, '#address-problem'), /[\u202e\u0007\u2028]/);
    assert.match(await text(page, '#detail'), /inclusive\s/, bad);
  }
  await goTo(page, '#search=/(/');
  assert.match(await text(page, '#matches'), /^not a regular expression/);
  await goTo(page, '#');
  assert.equal(await page.isVisible('#address-problem'), false);
  assert.equal(await page.evaluate(() => window.hacked), undefined);
}));

test('finds every item by its own address', () => {
  const report = new Report(named(small()));
  const { whole } = report;
  for (const direction of [new TopDown(whole), new BottomUp(whole), new BackTraces(whole, 0)]) {
    const visit = (item) => {
      const again = direction.itemAt(direction.addressOf(item));
      assert.deepEqual([again.method, again.value, direction.keysTo(again)], [item.method, item.value, direction.keysTo(item)]);
      const { keys, item: of } = direction.kids(item);
      for (const key of keys) visit(of(key));
    };
    visit(direction.root);
    for (const wrong of ['-1', '99', 'x', '1.', '0.99', ' 1']) assert.equal(direction.itemAt(wrong), null, wrong);
  }
  const stepsIn = (one) => [
    { kind: 'root', row: 12 }, { kind: 'merge', method: 0 }, { kind: 'fold', name: 'a.b' }, { kind: 'hide', method: one.frame('a.b.**') },
    { kind: 'back', method: 2 },
  ];
  const other = new Report(named(small()));
  other.frame('c.**');  // so the frame of a.b has another number there
  assert.deepEqual(stepsOf(stepsText(stepsIn(report), report), other), stepsIn(other));
  for (const wrong of ['', 'root', 'root:', 'root:1,', 'up:1', 'root:1 ', 'merge:3']) assert.equal(stepsOf(wrong, report), null);
});

test('counts longer names in a search by address as it did when typed', () => withPage('address-search', small(), async (page) => {
  await search(page, 'log', '1 method in 2 contexts: 699 calls (69.9 %), 699 inclusive (69.9 %)');
  await page.waitForFunction(() => location.hash === '#search=log');
  await page.click('#tab-tree');
  await page.evaluate(() => history.back());
  await page.waitForFunction(() => location.hash === '#search=log');
  assert.equal(await text(page, '#matches'), '1 method in 2 contexts: 699 calls (69.9 %), 699 inclusive (69.9 %)');
}));
