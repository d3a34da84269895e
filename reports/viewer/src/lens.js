// Leaves the waits of threads for work, and the JVM's own threads, out of what is read, unless they are asked for. The
// rows of the tree stay the same; amounts are left out of the columns.
//
// Which contexts are idle, and which times, is in the page's data (report/model/idle_waits.h). Of an idle context the time
// is left out in which its thread was neither runnable nor blocked by a monitor.
import { isSamples } from './measure.js';

const NONE = { rows: [], all: '', waiting: [], busy: [] };
const SAMPLES = /_samples$/;
const OLD = /^old_/;

export class Lens {
  #report;
  #idle = new Map(); // by measure; null: none
  #trees = new Map();

  constructor(report) {
    this.#report = report;
  }

  // Idle part of a measure, in all contexts.
  idleTotal(measure) {
    return this.#idleOf(measure)?.total ?? 0;
  }

  // The tree with these switches, {idle, jvm}; a tree is made once.
  tree({ idle, jvm }) {
    const key = `${idle} ${jvm}`;
    if (!this.#trees.has(key)) this.#trees.set(key, this.#make(idle, jvm));
    return this.#trees.get(key);
  }

  get #waits() {
    return this.#report.idle ?? NONE;
  }

  // Columns are made when they are asked for: there may be millions of contexts and a dozen of measures.
  #make(idle, jvm) {
    const { whole } = this.#report;
    const changed = new Map();
    for (const measure of whole.measures) {
      const isLess = !idle && this.#waits.rows.length > 0 && this.#mayWait(measure);
      const isMore = jvm && measure.jvm > 0;
      if (isLess || isMore) changed.set(measure, () => this.#column(measure, isLess, isMore));
    }
    return changed.size === 0 ? whole : whole.with(changed);
  }

  #isAll(measure) {
    return timeOf(measure) === this.#waits.all;
  }

  #mayWait(measure) {
    return this.#isAll(measure) || this.#waits.waiting.includes(timeOf(measure));
  }

  #column(measure, isLess, isMore) {
    const column = (isLess ? this.#idleOf(measure)?.column : null) ?? this.#report.whole.exclusiveOf(measure);
    if (!isMore) return column;
    const more = column.slice();
    for (const [row, amount] of measure.jvmRows) more[row] += amount;
    return more;
  }

  // {total, column: without it}, or null.
  #idleOf(measure) {
    if (!this.#idle.has(measure)) this.#idle.set(measure, this.#findIdle(measure));
    return this.#idle.get(measure);
  }

  #findIdle(measure) {
    if (!this.#mayWait(measure)) return null;
    const { whole } = this.#report;
    const { rows, busy: names } = this.#waits;
    const isBusy = (one) => names.includes(timeOf(one)) && isOld(one) === isOld(measure) && isSamples(one.name) === isSamples(measure.name);
    const busy = this.#isAll(measure) ? whole.measures.filter(isBusy) : [];
    // A report without states does not tell waits from work.
    if (this.#isAll(measure) && busy.length === 0) return null;
    const columns = busy.map((one) => whole.exclusiveOf(one));
    const column = whole.exclusiveOf(measure).slice();
    let total = 0;
    for (const row of rows) {
      const idle = Math.max(0, columns.reduce((rest, one) => rest - one[row], column[row]));
      column[row] -= idle;
      total += idle;
    }
    return total === 0 ? null : { total, column };
  }
}

const isOld = ({ name }) => OLD.test(name);

// Name of the time that a measure is, or whose samples it counts.
const timeOf = ({ name }) => name.replace(OLD, '').replace(SAMPLES, '_ns');
