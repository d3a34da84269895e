// The table of types: what was allocated, thrown or waited for, wherever that was.
import { differenceColumn } from './compared_methods.js';
import { titleOf, typesOf } from './event_objects.js';
import { grouped } from './format.js';
import { number, share } from './method_columns.js';
import { byText } from './table.js';

// Rows of types, with their amount in the old report if there are two: [{kind, type, value, old, methods, places}].
export function typeRows(tree, measure) {
  const now = typesOf(tree, measure);
  if (measure.old === null) return now;
  const keyOf = ({ kind, type }) => `${kind} ${type}`;
  const rows = new Map(now.map((row) => [keyOf(row), { ...row, old: 0 }]));
  for (const row of typesOf(tree, measure.old)) {
    const found = rows.get(keyOf(row));
    if (found === undefined) rows.set(keyOf(row), { ...row, old: row.value, value: 0 });
    else found.old = row.value;
  }
  return [...rows.values()];
}

export function typeColumns(tree, measure, rows) {
  const text = measure.scale.text;
  const byValue = number(measure.columnTitle, ({ value }) => value, text);
  const amounts =
    measure.old === null
      ? [byValue, share(({ value }) => value, tree.inclusive[0])]
      : [
          number(`${measure.columnTitle}, old`, ({ old }) => old, text),
          { ...byValue, title: 'new' },
          differenceColumn('difference', ({ value, old }) => value - old, text),
        ];
  const columns = [
    { title: titleOf(rows), number: false, text: ({ type }) => type, order: byText(({ type }) => type) },
    ...amounts,
    number('methods', ({ methods }) => methods.length, grouped),
  ];
  if (rows.some(({ places }) => places.length > 0)) columns.push(placesColumn);
  return { columns, sorted: measure.old === null ? byValue : amounts[2].also };
}

const placesColumn = {
  title: 'at',
  number: false,
  hint: ({ places }) => places.join('\n'),
  order: byText(({ places }) => places[0] ?? ''),
  text: ({ places }) => (places.length > 1 ? `${places[0]} and ${grouped(places.length - 1)} more` : (places[0] ?? '')),
};
