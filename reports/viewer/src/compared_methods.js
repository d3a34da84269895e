// Tables of methods in a comparison: what each has in the old and the new report.
import { statusOfMethod } from './comparison.js';
import { changeText, errorOfDifference, isWithinError, relative, signed } from './difference.js';
import { contextsOf, eventsOf } from './event_objects.js';
import { nameColumn } from './method_columns.js';
import { fractionInColumn } from './quantity.js';
import { byNumber, number, text } from './table.js';

// A column of differences, which is sorted by their size, too. difference(row), error(row): null where it is exact.
export function differenceColumn(title, difference, words, error = () => null) {
  const isUnsure = (row) => isWithinError({ difference: difference(row), error: error(row) });
  return {
    title, number: true, text: (row) => signed(difference(row), words, error(row)), order: byNumber(difference),
    tone: (row) => (isUnsure(row) ? 0 : difference(row)), isUnsure,
    also: { title: '±', hint: 'difference, largest first, whether more or less', order: byNumber((row) => Math.abs(difference(row))) },
  };
}

const changeColumn = (old, now) => ({
  title: 'change', number: true, text: (row) => changeText(old(row), now(row)),
  order: byNumber((row) => relative(old(row), now(row)) ?? 0),
});

// Columns of methods, by their numbers: {columns, sorted} for Table, sorted at first by the size of the exclusive
// difference.
export function comparedMethodColumns(report, tree) {
  const { measure } = report;
  const { old } = measure;
  const words = measure.scale.text;
  const contexts = contextsOf(tree);
  const status = text('', (m) => statusOfMethod(tree, m) ?? '');
  const hasStatus = report.names.some((_, m) => tree.has(m) && status.text(m) !== '');
  const columns = [nameColumn(report, (m) => m, nameOf(report)), ...(hasStatus ? [status] : [])];
  for (const side of ['exclusive', 'inclusive']) {
    const before = eventsOf(tree, old)[side];
    const now = eventsOf(tree, measure)[side];
    const prefix = side === 'exclusive' ? measure.columnTitle : measure.inclusiveTitle;
    columns.push(
      number(`${prefix}, old`, (m) => before[m], words, errorOf(tree, old, side)),
      number('new', (m) => now[m], words, errorOf(tree, measure, side)),
      differenceColumn('difference', (m) => now[m] - before[m], words, errorOfMethod(tree, measure, side)),
    );
    if (side === 'inclusive') columns.push(changeColumn((m) => before[m], (m) => now[m]));
  }
  const sorted = columns.find(({ also }) => also !== undefined).also;
  columns.push(...perCallColumns(report, tree), number('contexts', (m) => contexts[m]));
  return { columns, sorted };
}

const nameOf = (report) => (m) => {
  const before = report.nameBefore(m);
  return before === null ? report.label(m) : `${report.label(m)} (was ${before})`;
};

// How far amounts may be off, as parts of them; null: not at all.
function errorOf(tree, measure, side) {
  if (measure.samples === null) return () => null;
  const samples = eventsOf(tree, measure.samples)[side];
  return (m) => measure.errorOf(samples[m]);
}

function errorOfMethod(tree, measure, side) {
  const amounts = (one) => eventsOf(tree, one)[side];
  return (m) => errorOfDifference(measure, amounts(measure.old)[m], amounts(measure)[m], (samples) => amounts(samples)[m]);
}

// Per-call columns of the measure shown, or of times when calls are shown. Inclusive ones divide by outermost calls
// (amounts.js).
function perCallColumns({ calls, measure: shown, measures }, tree) {
  if (calls === null) return [];
  const wanted = shown === calls ? measures.filter(({ unit }) => unit === 'ns') : [shown];
  return wanted.filter(({ isPerCall }) => isPerCall).flatMap((measure) => [['old', measure.old, calls.old], ['new', measure, calls]]
    .map(([title, which, made]) => {
      const { inclusive } = eventsOf(tree, which);
      const { outer } = eventsOf(tree, made);
      const value = (m) => (outer[m] > 0 ? inclusive[m] / outer[m] : 0);
      return number(`${title === 'old' ? `incl. ${measure.perCallColumnTitle}, ` : ''}${title}`, value,
        (amount, error) => (amount > 0 ? fractionInColumn(amount, error) : ''), errorOf(tree, which, 'inclusive'));
    }));
}

// Callers and callees of a method in both reports: [{method, old, oldError, new, newError, error}]; error: one standard error
// of the difference, the others of the amounts, as parts of them.
export function comparedNeighbours(tree, method, measure) {
  const { samples } = measure;
  const wanted = [measure.old, measure, ...(samples === null ? [] : [samples.old, samples])];
  const found = new Map(wanted.map((one) => [one, tree.neighbours(method, one)]));
  const joined = (id) => {
    const amounts = new Map([...found].map(([one, neighbours]) => [one, new Map(neighbours[id])]));
    const methods = new Set([...amounts.get(measure.old).keys(), ...amounts.get(measure).keys()]);
    return Array.from(methods, (m) => {
      const of = (one) => amounts.get(one).get(m) ?? 0;
      const errorOf = (one) => (one.samples === null ? null : one.errorOf(of(one.samples)));
      return {
        method: m, old: of(measure.old), oldError: errorOf(measure.old), new: of(measure), newError: errorOf(measure),
        error: errorOfDifference(measure, of(measure.old), of(measure), of),
      };
    });
  };
  return { callers: joined('callers'), callees: joined('callees') };
}

// Columns of the rows that comparedNeighbours gives, after that of their names.
export function comparedNeighbourColumns(measure, name) {
  const words = measure.scale.text;
  const title = measure.name === 'calls' ? measure.columnTitle : measure.inclusiveTitle;
  const columns = [
    name,
    number(`${title}, old`, (row) => row.old, words, (row) => row.oldError),
    number('new', (row) => row.new, words, (row) => row.newError),
    differenceColumn('difference', (row) => row.new - row.old, words, (row) => row.error),
    changeColumn((row) => row.old, (row) => row.new),
  ];
  return { columns, sorted: columns[3].also };
}
