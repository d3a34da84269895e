// What a report is shown by: its calls or one of its measures, with what to call it (as src/report/measure_view.h).
import { printable } from './format.js';
import { columnScale, inWords, unitNamed } from './quantity.js';

class Measure {
  constructor({ name, unit, words, title = words, heading, values, lost, seen }) {
    this.name = name;
    this.words = printable(words);
    this.title = printable(title);
    this.heading = printable(heading);
    this.unit = unit;
    this.values = values;
    this.lost = lost;
    this.total = values.reduce((sum, value) => sum + value, 0);
    this.seen = seen ?? this.total + lost;
    this.scale = columnScale(unit, this.total);
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
  return new Measure({
    name: 'calls', unit: 'count', heading: 'calls',
    words: totals.calls_of ? `calls of ${totals.calls_of}` : 'calls',
    values: Float64Array.from(nodes.calls), lost: totals.calls_lost, seen: totals.calls_seen,
  });
}

function counted({ name, unit: unitName, lost }, nodes) {
  const unit = unitNamed(unitName);
  // Names end in their unit where they have one.
  const stem = name.replace(/(?<=.)_(ns|bytes)$/, '');
  const spaced = (text) => text.replaceAll('_', ' ');
  const words = unit === 'ns' && stem !== name ? `${spaced(stem)} time` : spaced(name);
  const heading = unit === 'count' ? words.replace(/^.* samples$/, 'samples') : spaced(stem);
  const estimate = unitName.endsWith('(estimate)') ? ' (estimate)' : '';
  return new Measure({
    name, unit, words, title: words + estimate, heading, values: Float64Array.from(nodes[name]), lost,
  });
}

// Calls, unless none were counted where there is something else, then the report's measures.
export function measuresOf(raw) {
  const others = (raw.metrics ?? []).map((measure) => counted(measure, raw.nodes));
  return raw.totals.calls_seen > 0 || others.length === 0 ? [calls(raw), ...others] : others;
}
