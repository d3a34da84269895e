// The table of threads: pools, or each thread, with what is known of them: calls, and each measure that has amounts by
// thread, or whose contexts hang below threads or groups of them (--by-thread). The JVM's own threads stand apart.
import { select } from 'd3-selection';
import { grouped, percent, printable } from './format.js';
import { shortName } from './names.js';
import { byNumber, byText, Table } from './table.js';

const SHAPES = ['pools', 'each'];
const MOST_ENTRIES = 2; // of the first calls of a pool
const OTHERS = /^other threads: \d+$/; // a row for many threads

// As thread_group() (src/base/thread_group.h).
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
    const rows = this.#sides.flatMap((side) => (this.#shape === 'pools' ? this.#pools(side) : this.#threads(side)));
    const hasCalls = rows.some(({ calls }) => calls > 0);
    const { columns, sorted } = this.#columns(rows, hasCalls);
    const table = document.getElementById('thread-table');
    select(table).selectChildren().remove();
    const pick = this.#rowsOfNames === null ? null : ({ row }) => row > 0 && this.#listeners.openThread(row);
    new Table(table, columns, { sorted, pick }).setRows(rows);
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

  // {name, count, id, calls, seen, row (0: none), numbers: of its threads, side, of, entries}
  #threads(side) {
    return side.threads.map((thread, number) => {
      const row = this.#rowsOfNames?.get(thread.name) ?? 0;
      const id = thread.id === 0 ? '' : String(thread.id);
      return {
        ...this.#lineOf(side, row),
        name: thread.name,
        id,
        numbers: [number],
        count: thread.threads ?? 1,
        calls: thread.calls,
        entries: this.#entriesOf([thread]),
      };
    });
  }

  #lineOf({ side, totals, of }, row) {
    return { side, of, row, rows: row > 0 ? [row] : [], seen: totals.calls_seen, id: '' };
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
      ...this.#lineOf(side, rows[0] ?? 0),
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

  #columns(lines, hasCalls) {
    const { compared, calls, measure: shown, measures } = this.#report;
    const text = (title, value) => ({
      title,
      number: false,
      text: (line) => printable(value(line)),
      order: byText(value),
    });
    const numbers = (measure) =>
      measure === calls ? this.#callColumns() : this.#amountColumns(measure, measure === shown);
    const isKnown = (measure) =>
      measure === calls
        ? hasCalls
        : this.#isKnown(measure) && !measure.isSamples && measure.total + (measure.old?.total ?? 0) > 0;
    const wanted = [shown, ...measures.filter((measure) => measure !== shown)].filter(isKnown);
    const amounts = wanted.map(numbers);
    const isEach = this.#shape === 'each';
    const columns = [
      text(isEach ? 'thread' : 'pool', ({ name }) => name),
      ...(compared === null ? [] : [text('report', ({ side }) => side)]),
      isEach
        ? { title: 'id', number: true, text: ({ id }) => id, order: byNumber(({ id }) => Number(id)) }
        : {
            title: 'threads',
            number: true,
            text: ({ count }) => (count === 0 ? '' : grouped(count)),
            order: byNumber(({ count }) => count),
          },
      ...amounts.flat(),
    ];
    if (lines.some(({ entries }) => entries.length > 0)) {
      columns.push({
        ...text('first call', ({ entries }) => inShort(entries)),
        hint: ({ entries }) => entries.join('\n'),
      });
    }
    return { columns, sorted: amounts[0]?.[0] ?? null };
  }

  #callColumns() {
    const {
      calls: { title },
    } = this.#report;
    return [
      { title, number: true, text: ({ calls }) => grouped(calls), order: byNumber(({ calls }) => calls) },
      { title: '', number: true, text: ({ calls, seen }) => percent(calls, seen) },
    ];
  }

  #amountColumns(measure, isShown) {
    const { whole } = this.#report;
    const sum = (places, column) => places.reduce((all, place) => all + column[place], 0);
    // -1: not known.
    const value = ({ rows, numbers, of }) => {
      const own = of(measure);
      if (own.threads !== null && numbers.length > 0) return sum(numbers, own.threads);
      return rows.length === 0 ? -1 : sum(rows, whole.inclusiveOf(own));
    };
    const amount = {
      title: measure.columnTitle,
      number: true,
      order: byNumber(value),
      text: (line) => (value(line) < 0 ? '' : measure.scale.text(value(line))),
    };
    return isShown
      ? [
          amount,
          {
            title: '',
            number: true,
            text: (line) => (value(line) < 0 ? '' : percent(value(line), line.of(measure).total)),
          },
        ]
      : [amount];
  }

  // Shows the amounts of compilers, collectors and other threads in which no call was recorded, in a line for each part.
  #showJvm() {
    const { measures, whole, names, compared } = this.#report;
    const shown = measures.filter((measure) => measure.jvm > 0 || (measure.old?.jvm ?? 0) > 0);
    const columns = shown.flatMap((measure) => this.#sides.map(({ side, of }) => ({ side, measure: of(measure) })));
    const rows = [...new Set(columns.flatMap(({ measure }) => measure.jvmRows.map(([row]) => row)))];
    const amountOf = (measure, row) => measure.jvmRows.find(([one]) => one === row)?.[1] ?? 0;
    const box = select('#jvm-threads').property('hidden', rows.length === 0);
    const title = ({ side, measure }) => (compared === null ? measure.columnTitle : `${measure.columnTitle}, ${side}`);
    box.select('thead tr').selectAll('th').data(['', ...columns.map(title)]).join('th').text((text) => text);
    // The context itself has what is in none of its parts.
    const isPart = (row) => whole.parent[row] !== 0;
    const nameOf = (row) => (isPart(row) || rows.length === 1 ? names[whole.method[row]].replace(/^\((.*)\)$/, '$1') : 'others');
    const used = rows.filter((row) => columns.some(({ measure }) => amountOf(measure, row) > 0));
    const first = (row) => amountOf(columns[0].measure, row);
    const ranked = used.toSorted((a, b) => isPart(b) - isPart(a) || first(b) - first(a));
    box.select('tbody').selectAll('tr').data(ranked).join('tr').selectAll('td')
      .data((row) => [nameOf(row), ...columns.map(({ measure }) => measure.scale.text(amountOf(measure, row)))])
      .join('td').classed('number', (_, i) => i > 0).text((text) => text);
  }
}

function inShort(entries) {
  const names = entries.slice(0, MOST_ENTRIES).map(shortName).join(', ');
  const rest = entries.length - MOST_ENTRIES;
  return rest > 0 ? `${names} and ${grouped(rest)} more` : names;
}
