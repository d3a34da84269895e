// The table of threads: pools, or each thread, with what is known of them: calls, and each measure that has amounts by
// thread, or whose contexts hang below threads or groups of them (--by-thread). The JVM's own threads stand apart.
import { select } from 'd3-selection';
import { differenceColumn } from './compared_methods.js';
import { grouped, percent, printable } from './format.js';
import { partsOfThread, shortName } from './names.js';
import { number, Table, text } from './table.js';

const SHAPES = ['pools', 'each'];
const MOST_ENTRIES = 2; // of the first calls of a pool
const OTHERS = /^other threads: \d+$/; // a row for many threads

// As thread_group() (src/base/normal_names.h).
const poolOf = (name) => (OTHERS.test(name) ? 'other threads' : name.replace(/\d+/g, '*'));

export class ThreadViews {
  #report;
  #rowsOfNames; // rows of the tree by the names of threads or groups, or null
  #shape = SHAPES[0];
  #listeners;

  // listeners: {openThread(row): the context of a thread or group was picked, moved(): the reader chose another shape}.
  constructor(report, listeners) {
    this.#report = report;
    this.#listeners = listeners;
    const { threadRows: rows, whole, names } = report;
    this.#rowsOfNames =
      rows.length === 0 ? null : new Map(rows.map((row) => [names[whole.method[row]].slice(1, -1), row]));
    for (const shape of SHAPES) {
      select(`#threads-${shape}`).on('click', () => {
        this.#turn(shape);
        listeners.moved();
      });
    }
    const counts = [...new Set(this.#sides.map(({ totals }) => grouped(totals.threads)))];
    select('#tab-threads').text(`Threads (${counts.join(' → ')})`);
    this.refresh();
  }

  // Parts of the page's address that are not as at first.
  get parts() {
    return this.#shape === SHAPES[0] ? [] : [['threads', this.#shape]];
  }

  // As these parts say; what cannot be is as at first. Returns why.
  restore(parts) {
    const shape = parts.get('threads') ?? SHAPES[0];
    const isShape = SHAPES.includes(shape);
    this.#turn(isShape ? shape : SHAPES[0]);
    return isShape ? [] : [`threads ${shape} is neither of ${SHAPES.join(' and ')}`];
  }

  #turn(shape) {
    this.#shape = shape;
    this.refresh();
  }

  // One report, or both of a comparison: `of` gives a measure's counterpart there.
  get #sides() {
    const { compared, threads, totals } = this.#report;
    const now = { side: 'new', threads, totals, of: (measure) => measure };
    if (compared === null) return [now];
    return [
      { side: 'old', threads: compared.oldThreads, totals: compared.oldTotals, of: (measure) => measure.old },
      now,
    ];
  }

  // Draws the table by the measure shown.
  refresh() {
    for (const shape of SHAPES) select(`#threads-${shape}`).attr('aria-pressed', shape === this.#shape);
    const lines = this.#sides.map((side) => (this.#shape === 'pools' ? this.#pools(side) : this.#threads(side)));
    const rows = joined(lines);
    const hasCalls = lines.flat().some(({ calls }) => calls > 0);
    const { columns, sorted } = this.#columns(rows, hasCalls);
    const pick = this.#rowsOfNames === null ? null : ({ row }) => row > 0 && this.#listeners.openThread(row);
    new Table(document.getElementById('thread-table'), columns, { sorted, pick }).setRows(rows);
    this.#showHint(hasCalls);
    this.#showJvm();
  }

  #showHint(hasCalls) {
    const { measure, calls } = this.#report;
    const isMissing = measure !== calls && !this.#isKnown(measure);
    select('#threads-hint').text(
      !isMissing
        ? ''
        : `${hasCalls ? 'By thread only calls are known here' : 'Nothing is known by thread here'}: ` +
            `record with --by-thread group to have ${measure.words} of each pool.`,
    );
  }

  // Returns true if the table has amounts of the measure.
  #isKnown(measure) {
    return this.#rowsOfNames !== null || measure.threads !== null || (measure.old?.threads ?? null) !== null;
  }

  // {key: what lines of both reports share, name, count, id, calls, row (0: none), rows, numbers: of its threads, side, entries}
  #threads(side) {
    const counts = new Map();
    for (const { name } of side.threads) counts.set(name, (counts.get(name) ?? 0) + 1);
    return side.threads.map((thread, i) => {
      const row = this.#rowsOfNames?.get(printable(thread.name)) ?? 0;
      return {
        key: thread.name,
        name: thread.name,
        id: thread.id === 0 ? '' : String(thread.id),
        side,
        row,
        rows: row > 0 && counts.get(thread.name) === 1 ? [row] : [], // of several with one name the context is not one's alone
        numbers: [i],
        count: thread.threads ?? 1,
        calls: thread.calls,
        entries: this.#entriesOf([thread]),
      };
    });
  }

  // Threads whose names differ in numbers alone. A pool of one thread has that thread's name.
  #pools(side) {
    const pools = new Map();
    const poolNamed = (name) => {
      if (!pools.has(name)) pools.set(name, { threads: [], numbers: [], rows: [] });
      return pools.get(name);
    };
    side.threads.forEach((thread, number) => {
      const pool = poolNamed(poolOf(thread.name));
      pool.threads.push(thread);
      pool.numbers.push(number);
    });
    for (const [name, row] of this.#rowsOfNames ?? []) {
      if (this.#has(row, side)) poolNamed(poolOf(name)).rows.push(row);
    }
    return Array.from(pools, ([name, { threads, numbers, rows }]) => ({
      key: name,
      id: '',
      side,
      row: rows[0] ?? 0,
      rows,
      numbers,
      name: threads.length === 1 && (threads[0].threads ?? 1) === 1 ? threads[0].name : name,
      count: threads.reduce((sum, one) => sum + (one.threads ?? 1), 0),
      calls: threads.length > 0 ? threads.reduce((sum, one) => sum + one.calls, 0) : this.#callsBelow(rows, side),
      entries: rows.length > 0 ? this.#entriesBelow(rows) : this.#entriesOf(threads),
    }));
  }

  #callsBelow(rows, { of }) {
    const { calls, whole } = this.#report;
    return calls === null ? 0 : rows.reduce((sum, row) => sum + whole.inclusiveOf(of(calls))[row], 0);
  }

  #has(row, { of }) {
    return this.#report.measures.some((measure) => this.#report.whole.inclusiveOf(of(measure))[row] > 0);
  }

  // Names of the methods that threads began with. The node of a thread may be that of its group.
  #entriesOf(threads) {
    const { whole, methods, names } = this.#report;
    const found = new Set();
    for (const { node } of threads) {
      if (node < 0) continue;
      if (methods.class[whole.method[node]] === '') for (const name of this.#entriesBelow([node])) found.add(name);
      else found.add(names[whole.method[node]]);
    }
    return [...found];
  }

  #entriesBelow(rows) {
    const { whole, methods, names } = this.#report;
    const found = new Set();
    for (const row of rows) {
      for (let kid = row + 1; kid < row + whole.size[row]; kid += whole.size[kid]) {
        if (methods.class[whole.method[kid]] !== '') found.add(names[whole.method[kid]]);
      }
    }
    return [...found];
  }

  #columns(rows, hasCalls) {
    const { compared, calls, measure: shown, measures } = this.#report;
    const isKnown = (measure) =>
      measure === calls ? hasCalls : this.#isKnown(measure) && measure.total + (measure.old?.total ?? 0) > 0;
    const wanted = [shown, ...measures.filter((measure) => measure !== shown)].filter(isKnown);
    const amounts = wanted.map((measure) => this.#amountColumns(measure, measure === shown || measure === calls));
    const isEach = this.#shape === 'each';
    const count = ({ lines }) => lines.map((line) => line?.count ?? 0);
    const id = number('id', ({ lines: [line] }) => Number(line.id), (value) => (value === 0 ? '' : String(value)));
    const threads = { ...number('threads', (row) => count(row).at(-1)), text: (row) => countText(count(row)) };
    const columns = [
      text(isEach ? 'thread' : 'pool', ({ name }) => printable(name), { parts: partsOfThread }),
      ...(amounts[0] ?? []),
      ...(isEach ? (compared === null ? [id] : []) : [threads]),
      ...amounts.slice(1).flat(),
    ];
    if (rows.some(({ entries }) => entries.length > 0)) {
      columns.push(text('first call', ({ entries }) => inShort(entries), { full: ({ entries }) => entries.join('\n') }));
    }
    const first = amounts[0] ?? [];
    return { columns, sorted: (compared === null ? first[0] : first[2]?.also) ?? null };
  }

  // A line's amount of the measure, null if it is not known, and its error as a part of it; 0 for a line that is not there.
  #amountOf(line, measure) {
    if (line === null) return { amount: 0, error: null };
    const own = line.side.of(measure);
    const samples = own.samples === null ? null : this.#sum(line, own.samples);
    return { amount: this.#sum(line, own), error: samples === null ? null : own.errorOf(samples) };
  }

  // Null: not known.
  #sum({ calls, numbers, rows }, measure) {
    if (measure.name === 'calls' || measure.name === 'old_calls') return calls;
    const sum = (places, column) => places.reduce((all, place) => all + column[place], 0);
    if (measure.threads !== null && numbers.length > 0) return sum(numbers, measure.threads);
    return rows.length === 0 ? null : sum(rows, this.#report.whole.inclusiveOf(measure));
  }

  #amountColumns(measure, hasShare) {
    const { text: words } = measure.scale;
    const of = ({ lines }, i) => this.#amountOf(lines.at(i), measure);
    const column = (title, i) => ({
      ...number(title, (row) => of(row, i).amount ?? -1, (value, error) => (value < 0 ? '' : words(value, error)), (row) => of(row, i).error),
    });
    const now = column(measure.columnTitle, -1);
    if (measure.old === null) {
      const whole = this.#sides[0];
      const total = measure.name === 'calls' ? whole.totals.calls_seen : measure.total;
      const shareOf = ({ amount, error }) => (amount === null ? '' : percent(amount, total, error));
      return hasShare ? [now, { title: '', number: true, text: (row) => shareOf(of(row, -1)) }] : [now];
    }
    const both = (row) => [of(row, 0), of(row, 1)];
    const isKnown = (row) => both(row).every(({ amount }) => amount !== null);
    const difference = differenceColumn('difference', (row) => (isKnown(row) ? of(row, 1).amount - of(row, 0).amount : 0), words,
      (row) => errorOfBoth(...both(row)));
    return [
      column(`${measure.columnTitle}, old`, 0), { ...now, title: 'new' },
      { ...difference, text: (row) => (isKnown(row) ? difference.text(row) : '') },
    ];
  }

  // Shows the amounts of compilers, collectors and other threads in which no call was recorded, in a line for each part.
  #showJvm() {
    const { measures, whole, names, compared } = this.#report;
    const shown = measures.filter((measure) => measure.jvm > 0 || (measure.old?.jvm ?? 0) > 0);
    const columns = shown.flatMap((measure) => this.#sides.map(({ side, of }) => ({ side, measure: of(measure) })));
    const rows = [...new Set(columns.flatMap(({ measure }) => measure.jvmRows.map(([row]) => row)))];
    const amountOf = (measure, row) => measure.jvmRows.find(([one]) => one === row)?.[1] ?? 0;
    select('#jvm-threads').property('hidden', rows.length === 0);
    const title = ({ side, measure }) => (compared === null ? measure.columnTitle : `${measure.columnTitle}, ${side}`);
    // The context itself has what is in none of its parts.
    const isPart = (row) => whole.parent[row] !== 0;
    const nameOf = (row) => (isPart(row) || rows.length === 1 ? names[whole.method[row]].replace(/^\((.*)\)$/, '$1') : 'others');
    const used = rows.filter((row) => columns.some(({ measure }) => amountOf(measure, row) > 0));
    const first = (row) => amountOf(columns[0].measure, row);
    const ranked = used.toSorted((a, b) => isPart(b) - isPart(a) || first(b) - first(a));
    new Table(document.getElementById('jvm-table'), [
      text('', nameOf),
      ...columns.map((column) => number(title(column), (row) => amountOf(column.measure, row), column.measure.scale.text)),
    ]).setRows(ranked);
  }
}

// Lines of one report, or of both by their keys, as rows: {name, row, entries, lines: [line], or [old or null, new or null]}.
function joined(sides) {
  const rows = new Map();
  sides.forEach((lines, i) => {
    const seen = new Map(); // threads may share a name
    for (const line of lines) {
      const nth = seen.get(line.key) ?? 0;
      seen.set(line.key, nth + 1);
      const key = `${nth} ${line.key}`;
      const row = rows.get(key) ?? { name: line.name, row: line.row, entries: [], lines: sides.map(() => null) };
      rows.set(key, row);
      row.lines[i] = line;
      if (row.name !== line.name) row.name = line.key;
      row.entries = [...new Set([...row.entries, ...line.entries])];
    }
  });
  return [...rows.values()];
}

// "3", "0 → 4"; empty: a context of threads in which no call began.
function countText(counts) {
  if (new Set(counts).size > 1) return counts.map(grouped).join(' → ');
  return counts[0] === 0 ? '' : grouped(counts[0]);
}

// One standard error of a difference; null: both are exact.
const errorOfBoth = (old, now) =>
  old.error === null && now.error === null ? null : Math.hypot(old.amount * (old.error ?? 0), now.amount * (now.error ?? 0));

function inShort(entries) {
  const names = entries.slice(0, MOST_ENTRIES).map(shortName).join(', ');
  const rest = entries.length - MOST_ENTRIES;
  return rest > 0 ? `${names} and ${grouped(rest)} more` : names;
}
