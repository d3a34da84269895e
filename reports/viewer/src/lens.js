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
  #idle = new Map(); // amounts by measure; null: none
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

  #make(idle, jvm) {
    const { whole } = this.#report;
    const changed = new Map();
    for (const measure of whole.measures) {
      const without = idle ? null : this.#idleOf(measure);
      if (without === null && !(jvm && measure.jvm > 0)) continue;
      const column = whole.exclusiveOf(measure).slice();
      if (without !== null) for (let row = 0; row < column.length; ++row) column[row] -= without.amounts[row];
      if (jvm) for (const [row, amount] of measure.jvmRows) column[row] += amount;
      changed.set(measure, column);
    }
    return changed.size === 0 ? whole : whole.with(changed);
  }

  // {total, amounts by row}, or null.
  #idleOf(measure) {
    if (!this.#idle.has(measure)) this.#idle.set(measure, this.#findIdle(measure));
    return this.#idle.get(measure);
  }

  #findIdle(measure) {
    const [, old = '', state, unit] = TIMES.exec(measure.name) ?? [];
    if (state === undefined) return null;
    const { whole } = this.#report;
    const busy =
      state === 'wall'
        ? BUSY.map((name) => whole.measures.find((one) => one.name === `${old}${name}_${unit}`)).filter(
            (one) => one !== undefined,
          )
        : [];
    // A report without states does not tell waits from work.
    if (state === 'wall' && busy.length === 0) return null;
    const rows = this.#rows;
    const values = whole.exclusiveOf(measure);
    const columns = busy.map((one) => whole.exclusiveOf(one));
    const amounts = new Float64Array(whole.count);
    let total = 0;
    for (let row = 1; row < whole.count; ++row) {
      if (rows[row] === 0 || values[row] === 0) continue;
      amounts[row] = Math.max(
        0,
        columns.reduce((rest, column) => rest - column[row], values[row]),
      );
      total += amounts[row];
    }
    return total === 0 ? null : { total, amounts };
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
