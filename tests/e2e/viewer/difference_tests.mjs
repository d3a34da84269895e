// Differences of two reports, of random trees against what is written out.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BackTraces, BottomUp } from '../../../reports/viewer/src/bottom_up.js';
import { apart, countChanges, statusOf } from '../../../reports/viewer/src/comparison.js';
import { changeText, differenceOf, signed } from '../../../reports/viewer/src/difference.js';
import { TopDown } from '../../../reports/viewer/src/directions.js';
import { merged, under } from '../../../reports/viewer/src/parts.js';
import { fallingOrder } from '../../../reports/viewer/src/places.js';
import { grouped } from '../../../reports/viewer/src/quantity.js';
import { Report } from '../../../reports/viewer/src/report.js';
import { Search } from '../../../reports/viewer/src/search.js';
import { comparison, named } from './samples.mjs';

test('puts differences into words', () => {
  const words = (old, now) => [signed(now - old, grouped), changeText(old, now)].join(' ');
  for (const [old, now, expected] of [
    [0, 0, '0 '], [5, 5, '0 0 %'], [0, 3, '+3 from 0'], [3, 0, '−3 −100 %'], [100, 101, '+1 +1.0 %'], [1000, 999, '−1 −0.1 %'],
    [10_000, 10_001, '+1 +<0.1 %'], [10_000, 9999, '−1 −<0.1 %'], [1, 2, '+1 +100.0 %'], [1, 101, '+100 ×101'], [2, 21, '+19 ×10.5'],
  ]) assert.equal(words(old, now), expected);
});

test('calls files by what tells them apart', () => {
  for (const [one, other, expected] of [
    ['a.json', 'b.json', 'a.json b.json'], ['/x/a.json', '/x/b.json', 'a.json b.json'], ['/x/1/a.json', '/x/2/a.json', '1/a.json 2/a.json'],
    ['a.json', 'x/a.json', 'a.json x/a.json'], ['/x/a.json', '/x/a.json', 'a.json a.json'],
  ]) assert.equal(apart(one, other).join(' '), expected);
});

test('orders differences, which may be negative, in any number', () => {
  let state = 11;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
  for (const count of [10, 30_000]) {
    const values = Float64Array.from({ length: count }, () => Math.round(1e9 * (random() - 0.5) ** 5));
    for (let i = 0; i < count; ++i) values[i] = values[i] === 0 ? 0 : values[i] / 8;
    const expected = [...values.keys()].sort((a, b) => values[b] - values[a] || a - b);
    assert.deepEqual([...fallingOrder(values)], expected, `${count} values`);
  }
});

// Random trees of few methods, which recurse, with contexts that are in one report alone.
function randomComparison(seed, contexts = 200, methods = 6) {
  let state = seed;
  const random = (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 4294967296) * below);
  };
  const nodes = [];
  const path = [0];
  while (nodes.length < contexts) {
    while (path.length > 1 && random(10) < 4) path.pop();
    const row = nodes.length + 1;
    const amount = () => (random(3) === 0 ? 0 : random(1000));
    nodes.push([path.at(-1), random(methods), path.length === 1 ? -1 : 1 + random(5), amount(), amount()]);
    path.push(row);
  }
  const column = () => [0, ...nodes.map(() => random(4) * random(1_000_000))];
  return comparison(Array.from({ length: methods }, (_, m) => ['r.C', `m${m}`]), nodes, { measures: { cpu_ns: ['ns', column(), column()] } });
}

// What the columns say below a row, added up here.
function writtenOut(raw, name, top) {
  const { parent } = raw.nodes;
  const isBelow = parent.map(() => false);
  let sum = 0;
  for (let row = 0; row < parent.length; ++row) {
    isBelow[row] = row === top || (parent[row] >= 0 && isBelow[parent[row]]);
    if (isBelow[row]) sum += raw.nodes[name][row];
  }
  return sum;
}

test('has sums of differences that are differences of sums, however contexts are laid together', () => {
  const seed = Number(process.env.COPSE_SEED ?? Date.now() % 1_000_000);
  console.log(`# differences: COPSE_SEED=${seed}`);
  for (let round = 0; round < 8; ++round) {
    const raw = randomComparison(seed + round);
    const report = new Report(named(raw));
    const { whole, measures } = report;
    for (const measure of measures) {
      for (const width of ['new', 'old', 'larger']) {
        report.compared.width = width;
        report.show(measure);
        const top = new TopDown(whole);
        let own = 0;
        for (let row = 0; row < whole.count; ++row) {
          const item = top.item(row);
          const { old, new: now, difference } = differenceOf(top, item, measure, 'inclusive');
          assert.deepEqual([old, now], [writtenOut(raw, `old_${measure.name}`, row), writtenOut(raw, measure.name, row)]);
          const exclusive = differenceOf(top, item, measure, 'exclusive').difference;
          own += exclusive;
          const { keys, item: of } = top.kids(item);
          const below = [...keys].reduce((sum, key) => sum + differenceOf(top, of(key), measure, 'inclusive').difference, 0);
          assert.equal(below + exclusive, difference);
          assert.equal(top.children(item, 0).items.reduce((sum, { value }) => sum + value, whole.values[row]), item.value, 'widths fit');
        }
        const all = measure.total - measure.old.total;
        assert.equal(own, all);
        const bottom = new BottomUp(whole);
        const { keys, item: of } = bottom.kids(bottom.root);
        const methods = [...keys].map((key) => of(key));
        const sum = (items, direction) => items.reduce((total, item) => total + differenceOf(direction, item, measure, 'exclusive').difference, 0);
        assert.equal(sum(methods, bottom), all);
        for (const method of methods) {
          const callers = bottom.kids(method);
          const entries = [...method.at].filter((row) => whole.parent[row] === 0)
            .reduce((total, row) => total + differenceOf(top, top.item(row), measure, 'exclusive').difference, 0);
          assert.equal(sum([...callers.keys].map((key) => callers.item(key)), bottom) + entries, differenceOf(bottom, method, measure, 'exclusive').difference);
          const back = new BackTraces(whole, method.method);
          assert.equal(differenceOf(back, back.root, measure, 'inclusive').difference, differenceOf(bottom, method, measure, 'inclusive').difference);
          const laid = merged(whole, method.method);
          laid.show(report.width, report.presence);
          const one = new TopDown(laid);
          assert.equal(differenceOf(one, one.item(1), measure, 'inclusive').difference, differenceOf(bottom, method, measure, 'inclusive').difference);
        }
        const row = 1 + ((seed + round) % (whole.count - 1));
        const part = under(whole, row);
        part.show(report.width, report.presence);
        const alone = new TopDown(part);
        assert.deepEqual(differenceOf(alone, alone.item(1), measure, 'inclusive'), differenceOf(top, top.item(row), measure, 'inclusive'));
      }
    }
  }
});

test('counts contexts that are new, gone or changed, and finds each that is in either', () => {
  for (let seed = 1; seed <= 5; ++seed) {
    const raw = randomComparison(seed);
    const report = new Report(named(raw));
    const { whole } = report;
    const expected = { fresh: 0, gone: 0, changed: 0, freshAmount: 0, goneAmount: 0 };
    let present = 0;
    for (let row = 1; row < whole.count; ++row) {
      const [old, now] = [writtenOut(raw, 'old_calls', row), writtenOut(raw, 'calls', row)];
      const status = old > 0 && now === 0 ? 'gone' : old === 0 && now > 0 ? 'new' : null;
      const top = new TopDown(whole);
      assert.equal(statusOf(top, top.item(row)), status);
      if (old > 0 || now > 0) ++present;
      if (status === 'new') {
        ++expected.fresh;
        expected.freshAmount += raw.nodes.calls[row];
      } else if (status === 'gone') {
        ++expected.gone;
        expected.goneAmount += raw.nodes.old_calls[row];
      } else if (raw.nodes.calls[row] !== raw.nodes.old_calls[row]) ++expected.changed;
    }
    assert.deepEqual(countChanges(whole), expected);
    const found = new Search(report.names).typed('r.C');
    assert.equal(new TopDown(whole).find(found).count, present, 'whatever the width');
  }
});
