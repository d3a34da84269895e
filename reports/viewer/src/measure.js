// A measure that a report can be shown by, calls included, and its texts (as src/report/model/measure_view.h).
import { printable } from './format.js';
import { columnScale, fractionInWords, inWords, unitNamed } from './quantity.js';

const SAMPLES = '_samples';

// Returns true if a measure of this name says how often another one was sampled.
export const isSamples = (name) => name.endsWith(SAMPLES);

const GROUPS = [
  [/^(least|greatest)_/, 'Of several runs'], [/^cpu/, 'Processor time'], [/^alloc/, 'Allocations'],
  [/^exceptions$/, 'Exceptions'], [/^conten/, 'Waits for monitors'],
  [/^(wall|runnable|native|blocked|waiting|parked|sleeping)_/, 'Wall-clock time and its states'],
];

class Measure {
  constructor({ name, unit, unitName = unit, words, title = words, heading, total, lost, seen, threads = null }) {
    this.name = name;
    this.words = printable(words);
    this.title = printable(title);
    this.heading = printable(heading);
    this.unit = unit;
    this.unitName = unitName;  // as the report has it
    this.lost = lost;
    this.total = total;
    this.seen = seen ?? total + lost;
    this.jvm = 0;       // amount of the JVM's own threads, which is not in `total`
    this.jvmRows = [];  // [row, amount] of these
    this.threads = threads;  // amounts by thread, or null
    this.scale = columnScale(unit, total);
    this.samples = null;  // of a measure that was sampled: the one that says how often
    this.old = null;      // in a comparison: the same of the old report
    this.larger = null;   // in a comparison: of each context the larger of both
    this.of = null;       // of such a one: the two
    this.isSlice = false;  // counts the calls of one slice
  }

  get isPerCall() {
    return this.name !== 'calls' && !this.isSlice;
  }

  // Name of the measures that it stands beside in a menu; '' for calls.
  get group() {
    if (this.name === 'calls') return '';
    return this.isSlice ? 'Slices' : GROUPS.find(([names]) => names.test(this.name))?.[1] ?? 'Others';
  }

  get perCallTitle() {
    return `${this.words} per call`;
  }

  // A column of amounts per call has one unit, the smallest: "cpu ns/call".
  get perCallColumnTitle() {
    const suffix = { ns: ' ns', bytes: ' B', count: '' }[this.unit];
    return `${this.heading}${suffix}/call`;
  }

  // How far an amount may be off that rests on so many samples, as a part of it: one standard error.
  // Null: it is exact, or nothing was seen.
  errorOf(samples) {
    return this.samples === null || samples === 0 || this.isWhole(samples) ? null : 1 / Math.sqrt(samples);
  }

  // Samples divide what clocks tell: an amount of all of them is what the clocks told.
  isWhole(samples) {
    return /^(old_)?(cpu|wall)_ns$/.test(this.name) && samples === this.samples.total;
  }

  // error: of the value, as of errorOf(); it has no digits that are unknown.
  text(value, error) {
    return inWords(this.unit, value, error);
  }

  // "300 calls", "12.3 ms of cpu time", "4.00 MiB allocated".
  amount(value, error) {
    const text = this.text(value, error);
    if (this.unit === 'ns') return `${text} of ${this.words}`;
    if (this.unit === 'bytes') return `${text} ${this.heading}`;
    return `${text} ${value === 1 ? this.words.replace(/s$/, '') : this.words}`;
  }

  perCallText(value, error) {
    return fractionInWords(this.unit, value, error);
  }

  // Title of a column: "exceptions", "cpu ms".
  get columnTitle() {
    return this.unit === 'count' ? this.heading : `${this.heading} ${this.scale.suffix}`;
  }

  get inclusiveTitle() {
    return `inclusive ${this.unit === 'count' ? this.heading : this.scale.suffix}`;
  }

  // To the last ns and byte.
  get proof() {
    const exact = (value) => inWords('count', value);
    const what = this.unit === 'ns' ? `ns of ${this.words}` : this.words;
    const nodes = this.total + this.jvm;
    const equals = this.seen === nodes + this.lost ? '=' : 'IS NOT';
    return `${exact(this.seen)} ${what} seen ${equals} ${exact(nodes)} in nodes + ${exact(this.lost)} lost`;
  }

  get isProved() {
    return this.seen === this.total + this.jvm + this.lost && this.lost === 0;
  }
}

function sum(column) {
  let total = 0;
  for (let row = 0; row < column.length; ++row) total += column[row];
  return total;
}

function calls(totals, values, name = 'calls') {
  const column = Float64Array.from(values);
  const measure = new Measure({
    name, unit: 'count', heading: 'calls', words: totals.calls_of ? `calls of ${totals.calls_of}` : 'calls',
    total: sum(column), lost: totals.calls_lost, seen: totals.calls_seen,
  });
  return [measure, column];
}

// The calls of a kept slice, as slicesOf() has it.
export function sliceMeasure({ id, calls: all, calls_left_out: lost }) {
  const measure = new Measure({ name: `slice_${id}`, unit: 'count', heading: 'calls', words: `calls in slice ${id}`, total: all - lost, lost });
  measure.isSlice = true;
  return measure;
}

// plain: the name without the mark of the old report.
function counted({ name, unit: unitName, lost, threads = null }, nodes, plain = name) {
  const unit = unitNamed(unitName);
  // Names end in their unit where they have one.
  const stem = plain.replace(/(?<=.)_(ns|bytes)$/, '');
  const spaced = (text) => text.replaceAll('_', ' ');
  const words = unit === 'ns' && stem !== plain ? `${spaced(stem)} time` : spaced(plain);
  const heading = unit === 'count' ? words.replace(/^.* samples$/, 'samples') : spaced(stem);
  const estimate = unitName.endsWith('(estimate)') ? ' (estimate)' : '';
  const column = Float64Array.from(nodes[name]);
  const title = words + estimate;
  return [new Measure({ name, unit, unitName, words, title, heading, total: sum(column), lost, threads }), column];
}

// Context, a child of ROOT, with the processor time of threads in which nothing was recorded; its children have the parts
// that are known, such as that of the JIT compilers.
const THREADS_WITHOUT_CALLS = '(threads without recorded calls)';

// Takes their amounts out of the columns: they are no answer to a question about the program.
function setJvmApart(raw, measures) {
  const { parent, method } = raw.nodes;
  const { name, class: type } = raw.methods;
  let top = -1;
  for (let row = 1; row < parent.length; ++row) {
    if (parent[row] === 0 && name[method[row]] === THREADS_WITHOUT_CALLS && type[method[row]] === '') top = row;
    else if (parent[row] !== top) continue;
    for (const [measure, column] of measures) {
      measure.jvm += column[row];
      measure.jvmRows.push([row, column[row]]);
      measure.total -= column[row];
      column[row] = 0;
      measure.scale = columnScale(measure.unit, measure.total);
    }
  }
}

// cpu_ns has cpu_samples, allocated_bytes allocation_samples.
export const samplesOf = (name) => name.replace(/_(ns|bytes)$/, '').replace(/allocated$/, 'allocation') + SAMPLES;

function linkSamples(measures) {
  for (const weight of measures.filter(({ name }) => !isSamples(name))) {
    weight.samples = measures.find(({ name }) => name === samplesOf(weight.name)) ?? null;
  }
}

// Calls, unless none were counted where there is something else, then the report's measures: a Map from each
// to its column.
export function measuresOf(raw) {
  const others = (raw.metrics ?? []).map((measure) => counted(measure, raw.nodes));
  const all = raw.totals.calls_seen > 0 || others.length === 0 ? [calls(raw.totals, raw.nodes.calls), ...others] : others;
  setJvmApart(raw, all);
  linkSamples(all.map(([measure]) => measure));
  return new Map(all);
}

const OLD = 'old_';

// The same of a comparison: measures that both reports have, each with the old one's as `old`; the columns of both.
export function comparedMeasuresOf(raw) {
  const { metrics = [], nodes, totals, compared: { old_totals: oldTotals, only_old: onlyOld, only_new: onlyNew } } = raw;
  const named = new Map(metrics.map((metric) => [metric.name, metric]));
  const isAlone = ({ name }) => onlyOld.includes(name) || onlyNew.includes(name);
  const isOld = ({ name }) => name.startsWith(OLD) && (name === `${OLD}calls` || named.has(name.slice(OLD.length)));
  const pairs = metrics.filter((metric) => !isOld(metric) && !isAlone(metric)).map((metric) => {
    const old = named.get(OLD + metric.name);
    if (old === undefined) throw new Error(`it compares ${metric.name}, but has no ${OLD}${metric.name}`);
    return [counted(metric, nodes), counted(old, nodes, metric.name)];
  });
  if (totals.calls_seen > 0 || oldTotals.calls_seen > 0 || pairs.length === 0) {
    pairs.unshift([calls(totals, nodes.calls), calls(oldTotals, nodes[`${OLD}calls`], `${OLD}calls`)]);
  }
  setJvmApart(raw, pairs.flat());
  linkSamples(pairs.map(([[measure]]) => measure));
  for (const [[measure], [old]] of pairs) {
    measure.old = old;
    old.samples = pairs.find(([[other]]) => other === measure.samples)?.[1][0] ?? null;
    measure.larger = largerOf(measure, old);
  }
  return { measures: pairs.map(([[measure]]) => measure), columns: new Map(pairs.flat()) };
}

// Columns of both have one unit.
function largerOf(measure, old) {
  const { unit, words, title, heading } = measure;
  const total = Math.max(measure.total, old.total);
  const larger = new Measure({ name: `larger_${measure.name}`, unit, words, title, heading, total, lost: 0 });
  larger.of = [measure, old];
  measure.scale = larger.scale;
  old.scale = larger.scale;
  return larger;
}

const MOST_WITHOUT_GROUPS = 5;

// Those that tell something. Numbers of samples tell the errors of the measures that they are of.
export function withoutSamples(measures) {
  const samples = new Set(measures.map((measure) => measure.samples));
  return measures.filter((measure) => !samples.has(measure));
}

// Measures as a menu has them: [[group, measures]], groups in the order of their first measures. Few are in no group.
export function grouping(measures) {
  if (measures.length <= MOST_WITHOUT_GROUPS) return [['', measures]];
  const groups = new Map();
  for (const measure of measures) {
    if (!groups.has(measure.group)) groups.set(measure.group, []);
    groups.get(measure.group).push(measure);
  }
  return [...groups];
}
