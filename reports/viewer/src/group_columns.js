// Sums by class and by package, and the columns of their tables.
import { differenceColumn } from './compared_methods.js';
import { contextsOf, eventsOf } from './event_objects.js';
import { number, share } from './method_columns.js';
import { byText } from './table.js';

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
  const text = measure.scale.text;
  const name = {
    title: by === 'classes' ? 'class' : 'package',
    number: false,
    text: (row) => row.name,
    order: byText((row) => row.name),
  };
  const rest = [number('methods', ({ members }) => members.length), number('contexts', ({ contexts }) => contexts)];
  if (measure.old === null) {
    const total = tree.inclusive[0];
    const own = number(measure.columnTitle, (row) => row.own(measure), text);
    const inclusive = number(measure.inclusiveTitle, (row) => row.inclusive(measure), text);
    return {
      columns: [
        name,
        own,
        share((row) => row.own(measure), total),
        inclusive,
        share((row) => row.inclusive(measure), total),
        ...rest,
      ],
      sorted: own,
    };
  }
  const columns = [
    ['own', measure.columnTitle],
    ['inclusive', measure.inclusiveTitle],
  ].flatMap(([side, title]) => [
    number(`${title}, old`, (row) => row[side](measure.old), text),
    number('new', (row) => row[side](measure), text),
    differenceColumn('difference', (row) => row[side](measure) - row[side](measure.old), text),
  ]);
  return { columns: [name, ...columns, ...rest], sorted: columns[2].also };
}
