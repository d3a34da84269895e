// What a report is shown by: its calls or one of its measures, with what to call it (as src/report/measure_view.h).
import { printable } from './format.js';
import { columnScale, fractionInWords, inWords, unitNamed } from './quantity.js';

const SAMPLES = '_samples';

class Measure {
  constructor({ name, unit, words, title = words, heading, column, lost, seen }) {
    this.name = name;
    this.words = printable(words);
    this.title = printable(title);
    this.heading = printable(heading);
    this.unit = unit;
    this.lost = lost;
    this.total = column.reduce((sum, value) => sum + value, 0);
    this.seen = seen ?? this.total + lost;
    this.scale = columnScale(unit, this.total);
    this.samples = null;  // of a measure that was sampled: the one that says how often
  }

  // Says how often another measure was sampled.
  get isSamples() {
    return this.name.endsWith(SAMPLES);
  }

  get isPerCall() {
    return this.name !== 'calls' && !this.isSamples;
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
    return this.samples === null || samples === 0 ? null : 1 / Math.sqrt(samples);
  }

  text(value) {
    return inWords(this.unit, value);
  }

  // "300 calls", "12.3 ms of cpu time", "4.00 MiB allocated".
  amount(value) {
    if (this.unit === 'ns') return `${this.text(value)} of ${this.words}`;
    if (this.unit === 'bytes') return `${this.text(value)} ${this.heading}`;
    return `${this.text(value)} ${value === 1 ? this.words.replace(/s$/, '') : this.words}`;
  }

  perCallText(value) {
    return fractionInWords(this.unit, value);
  }

  // Of a column: "exceptions", "cpu ms".
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
    const equals = this.seen === this.total + this.lost ? '=' : 'IS NOT';
    return `${exact(this.seen)} ${what} seen ${equals} ${exact(this.total)} in nodes + ${exact(this.lost)} lost`;
  }

  get isProved() {
    return this.seen === this.total + this.lost && this.lost === 0;
  }
}

function calls({ totals, nodes }) {
  const column = Float64Array.from(nodes.calls);
  const measure = new Measure({
    name: 'calls', unit: 'count', heading: 'calls',
    words: totals.calls_of ? `calls of ${totals.calls_of}` : 'calls',
    column, lost: totals.calls_lost, seen: totals.calls_seen,
  });
  return [measure, column];
}

function counted({ name, unit: unitName, lost }, nodes) {
  const unit = unitNamed(unitName);
  // Names end in their unit where they have one.
  const stem = name.replace(/(?<=.)_(ns|bytes)$/, '');
  const spaced = (text) => text.replaceAll('_', ' ');
  const words = unit === 'ns' && stem !== name ? `${spaced(stem)} time` : spaced(name);
  const heading = unit === 'count' ? words.replace(/^.* samples$/, 'samples') : spaced(stem);
  const estimate = unitName.endsWith('(estimate)') ? ' (estimate)' : '';
  const column = Float64Array.from(nodes[name]);
  return [new Measure({ name, unit, words, title: words + estimate, heading, column, lost }), column];
}

// cpu_ns has cpu_samples, allocated_bytes allocation_samples.
function linkSamples(measures) {
  for (const samples of measures.filter(({ isSamples }) => isSamples)) {
    const stem = samples.name.slice(0, -SAMPLES.length).replace(/ion$/, '');
    const weight = measures.find(({ name, unit }) => unit !== 'count' && name.startsWith(stem));
    if (weight !== undefined) weight.samples = samples;
  }
}

// Calls, unless none were counted where there is something else, then the report's measures: a Map from each
// to its column.
export function measuresOf(raw) {
  const others = (raw.metrics ?? []).map((measure) => counted(measure, raw.nodes));
  const all = raw.totals.calls_seen > 0 || others.length === 0 ? [calls(raw), ...others] : others;
  linkSamples(all.map(([measure]) => measure));
  return new Map(all);
}
