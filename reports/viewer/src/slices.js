// Slices of a run (docs/slices.md): the kept ones, each a measure that counts its calls by context, and how often a slice called
// each method.
import { sliceMeasure } from './measure.js';

const rowsOf = (columns) => {
  const names = Object.keys(columns);
  return columns[names[0]].map((_, i) => Object.fromEntries(names.map((name) => [name, columns[name][i]])));
};

// Rows of the kept slices, by id, each with its `measure` and a `column` that is made when it is asked for.
export function slicesOf(raw) {
  if (raw.slices === undefined) return [];
  const { node, calls } = raw.slice_contexts;
  const measures = measuresOfSlices(raw);
  const amounts = raw.slice_amounts ?? { of: [], measure: [], amount: [] };
  const amountsOf = raw.slices.id.map(() => measures.map(() => 0));
  amounts.of.forEach((slice, i) => { amountsOf[slice][amounts.measure[i]] = amounts.amount[i]; });
  const tasksOf = raw.slices.id.map(() => 0);
  raw.slice_tasks?.of.forEach((slice, i) => { tasksOf[slice] += raw.slice_tasks.tasks[i]; });
  let next = 0;
  return rowsOf(raw.slices).map((slice, i) => {
    const first = next;
    next += slice.contexts;
    const column = () => {
      const values = new Float64Array(raw.nodes.parent.length);
      for (let i = first; i < first + slice.contexts; ++i) values[node[i]] += calls[i];
      return values;
    };
    return { ...slice, measure: sliceMeasure(slice), column, amounts: amountsOf[i], tasks: tasksOf[i] };
  });
}

// Measures that slices have besides calls and time: {name, unit, sampled}.
export function measuresOfSlices(raw) {
  return raw.slice_measures === undefined ? [] : rowsOf(raw.slice_measures);
}

// Rows of methods that slices called: {of, method, median, most99, most, mostIn, slices}.
export function callsOfSlices(raw) {
  if (raw.slice_calls === undefined) return [];
  const { method: of, slices } = raw.slice_methods;
  let next = 0;
  return rowsOf(raw.slice_calls).map((row) => {
    const buckets = { least: raw.slice_buckets.least, slices: raw.slice_buckets.slices, first: next, end: next + row.buckets };
    next += row.buckets;
    const all = slices[of.indexOf(row.of)];
    return {
      of: row.of, method: row.method, slices: all, most: row.most, mostIn: row.most_in,
      median: quantile(buckets, all, row.slices, 500), most99: quantile(buckets, all, row.slices, 990),
    };
  });
}

// The least number that so many thousandths of the slices do not exceed, as CallsInSlices has it.
function quantile({ least, slices, first, end }, all, calling, thousandths) {
  const rank = Math.max(1, Math.ceil((all * thousandths) / 1000));
  let seen = all - calling;
  if (seen >= rank) return 0;
  for (let i = first; i < end; ++i) {
    seen += slices[i];
    if (seen >= rank) return least[i];
  }
  return least[end - 1];
}
