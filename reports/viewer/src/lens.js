// Leaves the waits of threads for work, and the JVM's own threads, out of what is read, unless they are asked for. The
// rows of the tree stay the same; amounts are left out of the columns.
//
// The rule of idle waits is that of the text reports (src/report/model/idle_waits.h): a context is idle if it is that
// of a method that waits for work, or of a thread outside all recorded methods, or if its caller is idle and it goes on
// with the wait. Of an idle context the time is left out in which its thread was neither runnable nor blocked by a
// monitor.
const BUSY = ['runnable', 'blocked'];
const TIMES = /^(old_)?(wall|native|waiting|parked|sleeping)_(ns|samples)$/;

const [BEGINS, GOES_ON] = [1, 2]; // as `idle` of a page's methods has them
const [IDLE, OUTSIDE] = [1, 2]; // by row
const OUTSIDE_NAME = '(no recorded caller)';

export class Lens {
  #report;
  #idleRows = null;
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

  // Columns are made when they are asked for: there may be millions of contexts and a dozen of measures.
  #make(idle, jvm) {
    const { whole } = this.#report;
    const changed = new Map();
    for (const measure of whole.measures) {
      const isLess = !idle && TIMES.test(measure.name) && this.#hasIdle;
      const isMore = jvm && measure.jvm > 0;
      if (isLess || isMore) changed.set(measure, () => this.#column(measure, isLess, isMore));
    }
    return changed.size === 0 ? whole : whole.with(changed);
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
    const [, old = '', state, unit] = TIMES.exec(measure.name) ?? [];
    if (state === undefined) return null;
    const { whole } = this.#report;
    const named = (name) => whole.measures.find((one) => one.name === `${old}${name}_${unit}`);
    const busy = state === 'wall' ? BUSY.map(named).filter((one) => one !== undefined) : [];
    // A report without states does not tell waits from work.
    if (state === 'wall' && busy.length === 0) return null;
    const rows = this.#rows;
    const columns = busy.map((one) => whole.exclusiveOf(one));
    const column = whole.exclusiveOf(measure).slice();
    let total = 0;
    for (let row = 1; row < whole.count; ++row) {
      if (rows[row] === 0 || column[row] === 0) continue;
      const idle = Math.max(0, columns.reduce((rest, one) => rest - one[row], column[row]));
      column[row] -= idle;
      total += idle;
    }
    return total === 0 ? null : { total, column };
  }

  get #hasIdle() {
    return this.#rows.some((row) => row !== 0);
  }

  // One byte per row: IDLE; OUTSIDE where only events go on with the wait; 0.
  get #rows() {
    this.#idleRows ??= this.#findRows();
    return this.#idleRows;
  }

  #findRows() {
    const {
      whole: { count, parent, method },
      methods,
      objects,
      names,
      threadRows,
    } = this.#report;
    const waits = methods.idle ?? [];
    const isThread = new Set(threadRows);
    const rows = new Uint8Array(count);
    for (let row = 1; row < count; ++row) {
      const m = method[row];
      const above = rows[parent[row]];
      if (waits[m] === BEGINS) rows[row] = IDLE;
      else if (isThread.has(row) || (methods.class[m] === '' && names[m] === OUTSIDE_NAME)) rows[row] = OUTSIDE;
      else if (above !== 0 && objects.has(m)) rows[row] = IDLE;
      else if (above === IDLE && waits[m] === GOES_ON) rows[row] = IDLE;
    }
    return rows;
  }
}
