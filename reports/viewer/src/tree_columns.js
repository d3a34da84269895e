// The columns of the tree table: for each measure what a row has exclusively and inclusively, the inclusive share,
// and what it has per call.
import { errors, perCall } from './amounts.js';
import { comparedGroups, firstComparedKey } from './compared_columns.js';
import { percent, widthOf, widthPerCall } from './format.js';
import { fractionInColumn } from './quantity.js';

export const METHOD = 'method';

// The key of the column by which rows are sorted at first.
export function firstKey(direction) {
  const { tree, widthSide } = direction;
  return tree.report.compared === null ? `${tree.report.measure.name}/${widthSide}` : firstComparedKey(direction);
}

// Names in the order of letters, as numbers from 1 by method.
function ranks(names) {
  const order = names.map((_, m) => m).sort((a, b) => (names[a] < names[b] ? -1 : names[a] > names[b] ? 1 : a - b));
  const rank = new Uint32Array(names.length);
  order.forEach((m, i) => {
    rank[m] = i + 1;
  });
  return rank;
}

// Groups of columns, {title, columns: [{key, title, width in pixels, value(item), text(item), error(item), lastIfZero}]}: one without a title for
// the name, then the measure shown, then the others. A value is what rows are sorted by; 0 may mean that nothing
// is known, where lastIfZero says so. In a comparison columns may have more (compared_columns.js).
export function treeColumns(direction) {
  const { tree } = direction;
  const { report } = tree;
  const { measure: shown, measures } = report;
  let rank = null;
  const name = {
    key: METHOD, title: 'method', text: () => '', error: () => null, lastIfZero: false,
    value: ({ method }) => {
      rank ??= ranks(report.names);
      return method < 0 ? 0 : rank[method];
    },
  };
  const told = [shown, ...measures.filter((measure) => measure !== shown && measure.total + (measure.old?.total ?? 0) > 0)];
  const groups = report.compared === null ? told.map((measure) => groupOf(direction, measure)) : comparedGroups(direction, told);
  return [{ title: '', columns: [name] }, ...groups];
}

function groupOf(direction, measure) {
  const whole = direction.tree.inclusiveOf(measure)[0];
  const amount = (side) => ({
    key: `${measure.name}/${side}`, title: side, width: widthOf(`${side} `, measure.scale.text(whole)), lastIfZero: false,
    value: (item) => direction.amounts(item, measure)[side],
    text: (item) => measure.scale.text(direction.amounts(item, measure)[side], errors(direction, item, measure)[side]),
    error: (item) => errors(direction, item, measure)[side],
  });
  const share = {
    key: `${measure.name}/share`, title: '%', width: 66, lastIfZero: false,
    value: (item) => direction.amounts(item, measure).inclusive,
    text: (item) => {
      const { inclusive } = errors(direction, item, measure);
      return percent(direction.amounts(item, measure).inclusive, whole, inclusive).replace(' %', '');
    },
    error: (item) => errors(direction, item, measure).inclusive,
  };
  const byCall = (suffix, side, title) => ({
    key: `${measure.name}/${suffix}`, title, width: widthPerCall(title), lastIfZero: true,
    value: (item) => perCall(direction, item, measure)[side] ?? 0,
    error: (item) => errors(direction, item, measure)[side],
    text: (item) => {
      const value = perCall(direction, item, measure)[side];
      return value === null ? '' : fractionInColumn(value, errors(direction, item, measure)[side]);
    },
  });
  const unit = { ns: 'ns', bytes: 'B', count: '' }[measure.unit];
  const columns = [amount('exclusive'), amount('inclusive'), share];
  if (measure.isPerCall && direction.tree.report.calls !== null) {
    columns.push(byCall('call-own', 'exclusive', `${unit}/call excl.`), byCall('call', 'inclusive', `${unit}/call incl.`));
  }
  return { title: `${measure.title}${measure.scale.suffix === '' ? '' : `, ${measure.scale.suffix}`}`, columns };
}
