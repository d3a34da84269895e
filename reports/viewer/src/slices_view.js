// The tab of slices: the kept ones, each of them a click away, and how often a slice called each method.
import { select } from 'd3-selection';
import { copy } from './copying.js';
import { grouped, plural, printable } from './format.js';
import { inWords, unitNamed } from './quantity.js';
import { byText, Table } from './table.js';

const number = (title, of, text = grouped) => ({ title, number: true, text: (row) => text(of(row)), order: (a, b) => of(a) - of(b) });
const time = (title, key) => number(title, (row) => row[key], (ns) => (ns === 0 ? '' : inWords('ns', ns)));

// A column of a measure that a slice has.
function amount({ name, unit, sampled }, i, slices) {
  if (slices.every((row) => row.amounts[i] === 0)) return [];
  const title = name.replace(/_(ns|bytes)$/, '');
  const words = (value) => (value === 0 ? '' : inWords(unitNamed(unit), value));
  return [number(sampled === 0 ? title : `${title} (about)`, (row) => row.amounts[i], words)];
}

// Columns of the span of a trace in which slices began. A click copies an id.
function spans(slices) {
  if (slices.every((row) => (row.trace ?? '') === '')) return [];
  return ['trace', 'span'].map((key) => ({
    title: key, number: false, text: (row) => row[key], order: byText((row) => row[key]), press: (row) => copy(row[key]),
    hint: (row) => (row[key] === '' ? '' : `Copy the id of the ${key}`),
  }));
}

// openSlice(measure): a slice was picked.
export function showSlices(report, openSlice) {
  const { slices, callsOfSlices: calls, sliceTotals: totals } = report;
  select('#tab-slices').property('hidden', totals === null).text(`Slices (${grouped(slices.length)})`);
  if (totals === null) return;
  const others = [
    [totals.in_part, 'slice', 'followed in part'], [totals.open, 'slice', 'not ended'],
    [totals.tasks_open ?? 0, 'task', 'not ended'], [totals.tasks_late ?? 0, 'task', 'begun long after their slice'],
  ].filter(([count]) => count > 0).map(([count, what, why]) => `${plural(count, what)} ${why}`).join(', ');
  select('#slices-hint').text([
    'Kept are the slowest slices, those with the most calls, and a sample. A click shows one as a flame graph.',
    ...(others === '' ? [] : [`In none of these numbers: ${others}.`]),
  ].join(' '));
  showKept(report, slices, openSlice);
  showCalls(report, calls);
}

function showKept(report, slices, openSlice) {
  const name = (row) => report.label(row.method);
  const sorted = time('time', 'wall_ns');
  const columns = [
    number('slice', (row) => row.id, String), sorted, time('processor', 'cpu_ns'), number('calls', (row) => row.calls),
    ...report.measuresOfSlices.flatMap((measure, i) => amount(measure, i, slices)),
    ...(slices.every((row) => row.tasks === 0) ? [] : [number('tasks elsewhere', (row) => row.tasks, (count) => (count === 0 ? '' : grouped(count)))]),
    number('began', (row) => row.start_ns, (ns) => inWords('ns', ns)),
    { title: 'method', number: false, text: name, order: byText(name) },
    { title: 'thread', number: false, text: (row) => printable(row.thread), order: byText((row) => row.thread) },
    { title: 'kept as', number: false, text: (row) => row.kept.replaceAll(',', ', '), order: byText((row) => row.kept) },
    ...spans(slices),
  ];
  new Table(document.getElementById('slices-table'), columns, { sorted, pick: ({ measure }) => openSlice(measure) })
    .setRows(slices.toSorted((a, b) => b.wall_ns - a.wall_ns));
}

function showCalls(report, calls) {
  const name = (row) => report.label(row.method);
  const of = (row) => report.label(row.of);
  const columns = [
    number('median', (row) => row.median), number('99 %', (row) => row.most99), number('most', (row) => row.most),
    number('in slice', (row) => row.mostIn, String),
    { title: 'method', number: false, text: name, order: byText(name) },
    { title: 'in slices of', number: false, text: of, order: byText(of) },
  ];
  new Table(document.getElementById('slice-calls-table'), columns)
    .setRows(calls.toSorted((a, b) => (b.most - b.median) - (a.most - a.median)));
}
