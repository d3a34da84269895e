// Sums by class and by package, and the columns of their tables.
import { differenceColumn } from './compared_methods.js';
import { errorOfDifference } from './difference.js';
import { contextsOf, eventsOf } from './event_objects.js';
import { share } from './method_columns.js';
import { partsOfType } from './names.js';
import { number, text } from './table.js';

// Name of a method's class or package. A frame that is no method is by itself.
const NAMES = {
  classes: ({ methods, names }, m) => methods.class[m] || names[m],
  packages: ({ methods, names }, m) => {
    const type = methods.class[m];
    if (type === '') return names[m];
    const end = type.lastIndexOf('.');
    return end < 0 ? '(no package)' : type.slice(0, end);
  },
};

// Rows of classes or packages with some of the measure: [{name, members (methods), own, inclusive, contexts}] where
// amounts are functions of a measure. Inclusive amounts count each subtree once, at the group's outermost occurrence on
// the path.
export function groupRows(tree, by) {
  const { report } = tree;
  const rows = [];
  const groups = new Map();
  const groupOf = new Int32Array(report.names.length).fill(-1);
  for (let m = 0; m < report.names.length; ++m) {
    if (report.objects.has(m)) continue;
    const name = NAMES[by](report, m);
    if (!groups.has(name)) {
      groups.set(name, rows.length);
      rows.push({ name, members: [], id: rows.length });
    }
    groupOf[m] = groups.get(name);
    rows[groupOf[m]].members.push(m);
  }
  const outermost = findOutermost(tree, groupOf, rows.length);
  const known = new Map();
  const amounts = (measure) => {
    if (!known.has(measure)) known.set(measure, sums(tree, measure, groupOf, outermost, rows.length));
    return known.get(measure);
  };
  const contexts = contextsOf(tree);
  const { inclusive } = amounts(tree.presence);
  return rows
    .filter(({ id }) => inclusive[id] > 0)
    .map(({ name, members, id }) => ({
      name,
      members,
      own: (measure) => amounts(measure).own[id],
      inclusive: (measure) => amounts(measure).inclusive[id],
      contexts: members.reduce((sum, m) => sum + contexts[m], 0),
    }));
}

// One byte per row: 1 where its group is not on the path above it.
function findOutermost({ count, method, parent }, groupOf, groups) {
  const outermost = new Uint8Array(count);
  const onPath = new Uint32Array(groups + 1); // the last: of no group
  const at = (row) => (groupOf[method[row]] < 0 ? groups : groupOf[method[row]]);
  for (let row = 1; row < count; ++row) {
    for (let open = row - 1; open !== parent[row]; open = parent[open]) --onPath[at(open)];
    if (onPath[at(row)]++ === 0) outermost[row] = 1;
  }
  return outermost;
}

function sums(tree, measure, groupOf, outermost, groups) {
  const own = new Float64Array(groups);
  const inclusive = new Float64Array(groups);
  const all = tree.inclusiveOf(measure);
  eventsOf(tree, measure).exclusive.forEach((amount, m) => {
    if (groupOf[m] >= 0) own[groupOf[m]] += amount;
  });
  for (let row = 1; row < tree.count; ++row) {
    const group = groupOf[tree.method[row]];
    if (group >= 0 && outermost[row] === 1) inclusive[group] += all[row];
  }
  return { own, inclusive };
}

// {columns, sorted} for Table.
export function groupColumns(tree, by) {
  const { measure } = tree.report;
  const { scale } = measure;
  const name = text(by === 'classes' ? 'class' : 'package', (row) => row.name, { parts: partsOfType });
  const rest = [number('methods', ({ members }) => members.length), number('contexts', ({ contexts }) => contexts)];
  if (measure.old === null) {
    const total = tree.inclusive[0];
    const amount = (title, side) => number(title, (row) => row[side](measure), scale.text, errorOf(measure, side));
    const own = amount(measure.columnTitle, 'own');
    const inclusive = amount(measure.inclusiveTitle, 'inclusive');
    return {
      columns: [
        name,
        own,
        share((row) => row.own(measure), total, errorOf(measure, 'own')),
        inclusive,
        share((row) => row.inclusive(measure), total, errorOf(measure, 'inclusive')),
        ...rest,
      ],
      sorted: own,
    };
  }
  const columns = [
    ['own', measure.columnTitle],
    ['inclusive', measure.inclusiveTitle],
  ].flatMap(([side, title]) => [
    number(`${title}, old`, (row) => row[side](measure.old), scale.text, errorOf(measure.old, side)),
    number('new', (row) => row[side](measure), scale.text, errorOf(measure, side)),
    differenceColumn('difference', (row) => row[side](measure) - row[side](measure.old), scale.text,
      (row) => errorOfDifference(measure, row[side](measure.old), row[side](measure), row[side])),
  ]);
  return { columns: [name, ...columns, ...rest], sorted: columns[2].also };
}

// How far a row's amount may be off, as a part of it; null: not at all.
const errorOf = (measure, side) => (row) => (measure.samples === null ? null : measure.errorOf(row[side](measure.samples)));
