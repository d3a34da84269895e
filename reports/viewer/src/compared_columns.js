// The columns of the tree table in a comparison: for each measure what a row has exclusively and inclusively in the old
// and the new report, with the difference, and what it has per call.
import { errors, perCall } from './amounts.js';
import { changeText, differenceOf, isWithinError, relative, signed } from './difference.js';
import { widthOf, widthPerCall } from './format.js';
import { fractionInColumn } from './quantity.js';

const CHANGE = 88;  // pixels
const SORTS = 36;   // of a second button in a head

// Rows are at first by the largest differences, whether more or less.
export const firstComparedKey = ({ tree, widthSide }) => `${tree.report.measure.name}/${widthSide}-size`;

// Groups of columns as of treeColumns(), without the name's. A column of differences is sorted by `also`, too: by their
// size; tone(item) is above 0 for more and below for less.
export function comparedGroups(direction, measures) {
  const { calls } = direction.tree.report;
  return measures.flatMap((measure) => {
    const unit = measure.scale.suffix === '' ? '' : `, ${measure.scale.suffix}`;
    const groups = ['exclusive', 'inclusive'].map((side) => (
      { title: `${measure.title}${unit}, ${side}`, columns: amounts(direction, measure, side) }));
    if (measure.isPerCall && calls !== null) {
      const perUnit = { ns: ', ns', bytes: ', B', count: '' }[measure.unit];
      groups.push({ title: `${measure.perCallTitle}${perUnit}`, columns: byCall(direction, measure) });
    }
    return groups;
  });
}

function amounts(direction, measure, side) {
  const key = (name) => `${measure.name}/${side}-${name}`;
  const of = (item) => differenceOf(direction, item, measure, side);
  const { text } = measure.scale;
  const widest = text(Math.max(measure.total, measure.old.total));
  const amount = (name, which) => ({
    key: key(name), title: name, width: widthOf(name, widest), lastIfZero: false,
    value: (item) => direction.amounts(item, which)[side],
    text: (item) => text(direction.amounts(item, which)[side], errors(direction, item, which)[side]),
    error: (item) => errors(direction, item, which)[side],
  });
  const difference = {
    key: key('difference'), title: 'difference', width: Math.max(widthOf(`+${widest}`), widthOf('difference') + SORTS), lastIfZero: false,
    value: (item) => of(item).difference, text: (item) => signed(of(item).difference, text, of(item).error), error: () => null,
    tone: (item) => toneOf(of(item)), isUnsure: (item) => isWithinError(of(item)),
    also: {
      key: key('size'), title: '±', hint: 'difference, largest first, whether more or less', lastIfZero: false,
      value: (item) => Math.abs(of(item).difference),
    },
  };
  const change = {
    key: key('change'), title: 'change', width: CHANGE, lastIfZero: false, error: () => null,
    value: (item) => relative(of(item).old, of(item).new) ?? 0, text: (item) => changeText(of(item).old, of(item).new),
  };
  const pair = [amount('old', measure.old), amount('new', measure), difference];
  return side === 'inclusive' ? [...pair, change] : pair;
}

const toneOf = (amount) => (isWithinError(amount) ? 0 : amount.difference);

function byCall(direction, measure) {
  const { calls } = direction.tree.report;
  const column = (side, title, which, ofCalls, name) => ({
    key: `${measure.name}/call-${name}`, title, width: widthPerCall(title), lastIfZero: true,
    value: (item) => perCall(direction, item, which, ofCalls)[side] ?? 0, error: (item) => errors(direction, item, which)[side],
    text: (item) => {
      const value = perCall(direction, item, which, ofCalls)[side];
      return value === null ? '' : fractionInColumn(value, errors(direction, item, which)[side]);
    },
  });
  return [
    column('exclusive', 'old excl.', measure.old, calls.old, 'own-old'), column('exclusive', 'new excl.', measure, calls, 'own-new'),
    column('inclusive', 'old incl.', measure.old, calls.old, 'old'), column('inclusive', 'new incl.', measure, calls, 'new'),
  ];
}
