// The table of types: what was allocated, thrown or waited for, wherever that was.
import { differenceColumn } from './compared_methods.js';
import { titleOf, typesOf } from './event_objects.js';
import { grouped } from './format.js';
import { share } from './method_columns.js';
import { partsOfType } from './names.js';
import { number, text } from './table.js';

const keyOf = ({ kind, type }) => `${kind} ${type}`;

// Types by their keys; none where there is no such measure.
const typesByKey = (tree, measure) => new Map((measure === null ? [] : typesOf(tree, measure)).map((row) => [keyOf(row), row]));

// Rows of types, with their amount in the old report if there are two: [{kind, type, value, error, old, oldError, methods,
// samples (of the methods), places}]. Errors are parts of the amounts; null: exact.
export function typeRows(tree, measure) {
  const { old } = measure;
  const [now, before] = [measure, old].map((one) => typesByKey(tree, one));
  const [samples, oldSamples] = [measure, old].map((one) => typesByKey(tree, one?.samples ?? null));
  return Array.from(new Map([...before, ...now]), ([key, row]) => ({
    ...row,
    value: now.get(key)?.value ?? 0,
    error: measure.errorOf(samples.get(key)?.value ?? 0),
    samples: samples.get(key)?.methods ?? [],
    old: before.get(key)?.value ?? 0,
    oldError: old?.errorOf(oldSamples.get(key)?.value ?? 0) ?? null,
  }));
}

// Null: neither amount is sampled.
const errorOfBoth = ({ value, error, old, oldError }) =>
  error === null && oldError === null ? null : Math.hypot(value * (error ?? 0), old * (oldError ?? 0));

export function typeColumns(tree, measure, rows) {
  const { scale } = measure;
  const byValue = number(measure.columnTitle, ({ value }) => value, scale.text, ({ error }) => error);
  const amounts =
    measure.old === null
      ? [byValue, share(({ value }) => value, tree.inclusive[0], ({ error }) => error)]
      : [
          number(`${measure.columnTitle}, old`, ({ old }) => old, scale.text, ({ oldError }) => oldError),
          { ...byValue, title: 'new' },
          differenceColumn('difference', ({ value, old }) => value - old, scale.text, errorOfBoth),
        ];
  const columns = [
    text(titleOf(rows), ({ type }) => type, { parts: partsOfType }),
    ...amounts,
    number('methods', ({ methods }) => methods.length, grouped),
  ];
  if (rows.some(({ places }) => places.length > 0)) columns.push(placesColumn);
  return { columns, sorted: measure.old === null ? byValue : amounts[2].also };
}

const placesColumn = text(
  'at', ({ places }) => (places.length > 1 ? `${places[0]} and ${grouped(places.length - 1)} more` : (places[0] ?? '')),
  { full: ({ places }) => places.join('\n') },
);
