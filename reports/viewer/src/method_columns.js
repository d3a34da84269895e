// Columns of the table of methods: what each has of the measure shown, exclusively and inclusively, and per call.
// Events count at the method of their context, with their objects beside it.
import { contextsOf, eventsOf, objectText, titleOf } from './event_objects.js';
import { grouped, percent } from './format.js';
import { partsOfMethod } from './names.js';
import { fractionInColumn } from './quantity.js';
import { number, text } from './table.js';

const MOST_TYPES = 2; // in a cell

export const share = (value, total, error) => ({ title: '', number: true, text: (row) => percent(value(row), total, error(row)) });

// Names of methods. methodOf(row): -1 is a thread. words(m): another name than the usual one.
export const nameColumn = (report, methodOf = (m) => m, words = (m) => report.label(m)) =>
  text('method', (row) => (methodOf(row) < 0 ? '(thread entry)' : words(methodOf(row))), {
    full: (row) => report.names[methodOf(row)] ?? '',
    parts: partsOfMethod,
  });

// Columns of methods, by their numbers: {columns, sorted} for Table.
export function methodColumns(report, tree) {
  const { measure } = report;
  const total = tree.inclusive[0];
  const events = eventsOf(tree, measure);
  const contexts = contextsOf(tree);
  const errors = errorsOf(tree, measure);
  const own = (m) => events.exclusive[m];
  const inclusive = (m) => events.inclusive[m];
  const byOwn = number(measure.columnTitle, own, measure.scale.text, errors.exclusive);
  const columns = [
    nameColumn(report),
    ...typeColumn(report, events),
    byOwn,
    share(own, total, errors.exclusive),
    number(measure.inclusiveTitle, inclusive, measure.scale.text, errors.inclusive),
    share(inclusive, total, errors.inclusive),
    ...perCallColumns(report, tree),
    number('contexts', (m) => contexts[m]),
  ];
  return { columns, sorted: byOwn };
}

// Objects of a method's events, largest first; no column where there are no such events.
function typeColumn({ measure, objects }, events) {
  if (events.objects.size === 0) return [];
  const found = new Map();
  for (const byMethod of events.objects.values())
    for (const object of byMethod.keys()) found.set(object, objects.get(object));
  const ranked = (m) => [...(events.objects.get(m) ?? [])].sort((a, b) => b[1] - a[1]);
  const listed = (m) => {
    const all = ranked(m);
    const whole = all.reduce((sum, [, amount]) => sum + amount, 0);
    const first = all
      .slice(0, MOST_TYPES)
      .map(([object, amount]) =>
        all.length === 1
          ? objectText(objects.get(object))
          : `${objectText(objects.get(object))} ${percent(amount, whole)}`,
      );
    return [...first, ...(all.length > MOST_TYPES ? [`${grouped(all.length - MOST_TYPES)} more`] : [])].join(', ');
  };
  const full = (m) =>
    ranked(m)
      .map(([object, amount]) => {
        const { type, place } = objects.get(object);
        return `${measure.text(amount)}: ${type}${place === '' ? '' : ` at ${place}`}`;
      })
      .join('\n');
  return [text(titleOf([...found.values()]), listed, { full })];
}

// Per-call columns of the measure shown, or of times when calls are shown. Inclusive ones divide by outermost calls
// (amounts.js).
function perCallColumns({ calls, measure: shown, measures }, tree) {
  if (calls === null) return [];
  const made = tree.methodsOf(calls);
  const wanted = shown === calls ? measures.filter(({ unit }) => unit === 'ns') : [shown];
  return wanted
    .filter(({ isPerCall }) => isPerCall)
    .flatMap((measure) => {
      const { exclusive, inclusive } = eventsOf(tree, measure);
      const column = (title, amount, by, error) =>
        number(
          title,
          (m) => (by[m] > 0 ? amount[m] / by[m] : 0),
          (value, off) => (value > 0 ? fractionInColumn(value, off) : ''),
          error,
        );
      const errors = errorsOf(tree, measure);
      const title = measure.perCallColumnTitle;
      return [
        column(title, exclusive, made.exclusive, errors.exclusive),
        column(`incl. ${title}`, inclusive, made.outer, errors.inclusive),
      ];
    });
}

// How far a method's amounts may be off, as parts of them; null: not at all.
function errorsOf(tree, measure) {
  if (measure.samples === null) return { exclusive: () => null, inclusive: () => null };
  const { exclusive, inclusive } = eventsOf(tree, measure.samples);
  return { exclusive: (m) => measure.errorOf(exclusive[m]), inclusive: (m) => measure.errorOf(inclusive[m]) };
}
