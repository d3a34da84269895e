// One run's report: what is said of the run, names, measures, and the tree of its contexts.
import { ContextTree } from './context_tree.js';
import { objectsIn } from './event_objects.js';
import { printable } from './format.js';
import { Comparison, statusOfMethod } from './comparison.js';
import { comparedMeasuresOf, measuresOf, withoutSamples } from './measure.js';
import { ShortNames } from './names.js';
import { callsOfSlices, measuresOfSlices, slicesOf } from './slices.js';

// Name as shown. The class is '' where a row stands for no method.
const displayName = (className, method) => (className === '' ? method : `${className}.${method}`);

export class Report {
  hasFullNames = false;
  #short = null;
  #frames = new Map();
  #before = [];  // by method: its name in the old report of a comparison
  #ownMethods;   // without frames

  constructor(raw) {
    this.program = raw.program;
    this.createdBy = raw.created_by;
    this.options = raw.options;
    this.totals = raw.totals;
    this.notes = raw.notes ?? [];
    this.threads = raw.threads;
    this.skipped = raw.skipped;
    this.methods = raw.methods;
    this.sites = raw.sites;
    this.compared = raw.compared === undefined ? null : new Comparison(raw.compared);
    this.names = raw.methods.shown;
    this.#ownMethods = this.names.length;
    this.objects = objectsIn(raw);
    this.idle = raw.idle ?? null;  // waits for work; null: none
    this.timeline = raw.timeline ?? null;
    const exclusive = this.#takeMeasures(raw);
    this.measures = withoutSamples(this.counted);
    this.slices = slicesOf(raw);  // kept ones
    this.measuresOfSlices = measuresOfSlices(raw);
    this.callsOfSlices = callsOfSlices(raw);
    this.sliceTotals = raw.slice_totals ?? null;  // null: no slices were followed
    for (const { measure, column } of this.slices) exclusive.set(measure, column);
    this.calls = this.measures.find(({ name }) => name === 'calls') ?? null;
    this.whole = new ContextTree(this, {
      parent: Int32Array.from(raw.nodes.parent), method: Int32Array.from(raw.nodes.method),
      site: Int32Array.from(raw.nodes.site), exclusive,
    });
    this.show(this.measures.find(({ name }) => name === raw.shown) ?? this.measures[0]);
  }

  // The measures that it can be shown by, those of slices too, though tables have no columns for these.
  get shownMeasures() {
    return [...this.measures, ...this.slices.map(({ measure }) => measure)];
  }

  // Name of a method as tables and frames have it.
  label(m) {
    if (this.hasFullNames) return this.names[m];
    if (this.#short?.count !== this.names.length) this.#short = new ShortNames(this.names);
    return this.#short.of(m);
  }

  // A frame that stands for no method of the report, by its name; made once.
  frame(name) {
    const known = this.#frames.get(name);
    if (known !== undefined) return known;
    const m = this.names.push(name) - 1;
    for (const column of ['class', 'name', 'descriptor', 'source', 'loader']) {
      this.methods[column].push(column === 'name' ? name : '');
    }
    this.#frames.set(name, m);
    return m;
  }

  // A method in an address: its number; a frame by its name, because its number depends on those made before it.
  methodText(m) {
    return m < this.#ownMethods ? String(m) : this.names[m].replaceAll('.', '/');
  }

  // -1: there is none.
  methodOf(text) {
    if (!/^\d+$/.test(text)) return this.#frames.get(text.replaceAll('/', '.')) ?? -1;
    return Number(text) < this.#ownMethods ? Number(text) : -1;
  }

  // Such a frame for a state of threads, which counts as an object of its context's events.
  stateFrame(state) {
    const m = this.frame(`(${state})`);
    this.objects.set(m, { kind: 'state', type: state, place: '' });
    return m;
  }

  // Rows of the threads, and of groups of them, that contexts hang below where they were recorded so.
  get threadRows() {
    const { parent, method, size, count } = this.whole;
    const rows = [];
    for (let row = 1; row < count; row += size[row]) {
      const m = method[row];
      if (parent[row] === 0 && this.methods.class[m] === '' && this.names[m].startsWith('[')) rows.push(row);
    }
    return rows;
  }

  // Takes all measures that were counted. Returns the columns.
  #takeMeasures(raw) {
    if (this.compared === null) {
      const columns = measuresOf(raw);
      this.counted = [...columns.keys()];
      return columns;
    }
    const { measures, columns } = comparedMeasuresOf(raw);
    this.counted = measures;
    return columns;
  }

  // Sets the measure that everything is shown by: calls or another one.
  show(measure) {
    this.measure = measure;
    this.whole.show(this.width, this.presence);
  }

  // Measure that frames are as wide as: the one shown; in a comparison that of one report, or the larger of both.
  get width() {
    return this.compared === null ? this.measure : this.compared.widthOf(this.measure);
  }

  // Measure that is greater than 0 where either report has some of the measure shown.
  get presence() {
    return this.measure.larger ?? this.measure;
  }

  // Name of a method in the old report of a comparison, or null if unchanged.
  nameBefore(m) {
    if (this.compared === null || this.compared.renamed.length === 0) return null;
    return (this.#before[m] ??= [this.#findNameBefore(m)])[0];
  }

  #findNameBefore(m) {
    if (statusOfMethod(this.whole, m) === 'gone') return null;
    const plain = displayName(this.methods.class[m], this.methods.name[m]);
    return this.compared.nameBefore([this.names[m], printable(plain)]);
  }

  // A call site, or -1: "Main.java:12", the line, or '' when unknown.
  siteName(site) {
    if (site < 0) return '';
    const line = this.sites.line[site];
    const source = printable(this.methods.source[this.sites.method[site]]);
    if (line < 0) return source ? `${source}, bytecode ${this.sites.bci[site]}` : '';
    return source ? `${source}:${line}` : `line ${line}`;
  }
}
