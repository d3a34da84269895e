// The tab of slices: the kept ones, each of them a click away, and how often a slice called each method.
import { select } from 'd3-selection';
import { copy } from './copying.js';
import { grouped, plural, printable } from './format.js';
import { isSamples, samplesOf } from './measure.js';
import { nameColumn } from './method_columns.js';
import { partsOfThread } from './names.js';
import { inWords, unitNamed } from './quantity.js';
import { number, Table, text } from './table.js';

const inUnit = (unit) => (value, error) => (value === 0 ? '' : inWords(unit, value, error));

// A column, unless all it has is zeros.
const amount = (slices, title, of, unit, error) => (slices.some((row) => of(row) !== 0) ? [number(title, of, inUnit(unit), error)] : []);

// Columns of the measures that slices have. Numbers of samples tell the error of the others.
function measured({ measuresOfSlices: measures }, slices) {
  const names = measures.map(({ name }) => name);
  return measures.flatMap(({ name, unit, sampled }, i) => {
    if (isSamples(name)) return [];
    const samples = names.indexOf(samplesOf(name));
    const error = ({ amounts }) => (sampled === 0 || samples < 0 || amounts[samples] === 0 ? null : 1 / Math.sqrt(amounts[samples]));
    const title = `${sampled === 0 ? '' : '≈ '}${name.replace(/_(ns|bytes)$/, '')}`;
    return amount(slices, title, (row) => row.amounts[i], unitNamed(unit), error);
  });
}

// Columns of the span of a trace in which slices began. A click copies an id.
function spans(slices) {
  if (slices.every((row) => (row.trace ?? '') === '')) return [];
  return ['trace', 'span'].map((key) => text(key, (row) => row[key], {
    press: (row) => copy(row[key]), full: (row) => (row[key] === '' ? '' : `Copy the id of the ${key}: ${row[key]}`),
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
  const methods = new Set([...slices.map(({ method }) => method), ...calls.map(({ of }) => of)]);
  const [only] = methods;
  select('#slices-hint').text([
    `Kept are the slowest slices${methods.size === 1 ? ` of ${report.label(only)}` : ''}, those with the most calls, and a sample. `
    + 'A click shows one as a flame graph.',
    ...(report.measuresOfSlices.some(({ sampled }) => sampled !== 0) ? ['≈ is an estimate from samples.'] : []),
    ...(others === '' ? [] : [`In none of these numbers: ${others}.`]),
  ].join(' '));
  showKept(report, slices, openSlice, methods.size === 1);
  showCalls(report, calls, methods.size === 1);
}

function showKept(report, slices, openSlice, isOneMethod) {
  const sorted = number('time', (row) => row.wall_ns, inUnit('ns'));
  const columns = [
    ...(isOneMethod ? [] : [nameColumn(report, (row) => row.method)]),
    text('thread', (row) => printable(row.thread), { parts: partsOfThread }), number('slice', (row) => row.id, String), sorted,
    ...amount(slices, 'processor', (row) => row.cpu_ns, 'ns'), number('calls', (row) => row.calls),
    ...measured(report, slices),
    ...amount(slices, 'tasks elsewhere', (row) => row.tasks, 'count'),
    number('began', (row) => row.start_ns, (ns) => inWords('ns', ns)),
    text('kept as', (row) => row.kept.replaceAll(',', ', ')),
    ...spans(slices),
  ];
  new Table(document.getElementById('slices-table'), columns, { sorted, pick: ({ measure }) => openSlice(measure) })
    .setRows(slices.toSorted((a, b) => b.wall_ns - a.wall_ns));
}

function showCalls(report, calls, isOneMethod) {
  const columns = [
    nameColumn(report, (row) => row.method), number('median', (row) => row.median), number('99 %', (row) => row.most99),
    number('most', (row) => row.most), number('in slice', (row) => row.mostIn, String),
    ...(isOneMethod ? [] : [{ ...nameColumn(report, (row) => row.of), title: 'in slices of' }]),
  ];
  new Table(document.getElementById('slice-calls-table'), columns)
    .setRows(calls.toSorted((a, b) => (b.most - b.median) - (a.most - a.median)));
}
