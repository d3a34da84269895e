// A table with sortable heads that shows its first rows and more on demand, so that 100,000 methods
// cost no more than what is looked at. It has the columns that there is room for; a button shows the others.
import { select } from 'd3-selection';
import { grouped } from './format.js';
import { appendName } from './names.js';
import { errorInWords, isRough, isZero } from './quantity.js';
import { setTone } from './status.js';

const ROWS_AT_ONCE = 300;
const LEAST_TEXT = 130; // pixels of a column of text
const LEAST_NAME = 260; // of the first one
const MOST_OF_NARROW = 0.46; // of a narrow table is the first one's
const BUTTON = 52; // pixels of the button that shows all columns

// columns: [{title, text(row), number: bool, order(a, b)?, error(row)?, full(row)?, parts(text)?, tone(row)?, isUnsure(row)?,
// also?, press?(row)}], the most important first; rows in the order to show at first. press: what a button with the text
// does. full: for the pointer. parts: of the text, the first ones are cut first (names.js). also: {title, hint, order(a, b)},
// another order to sort a column by. tone, isUnsure: of a difference (status.js).
const ordersOf = (column) => (column.also === undefined ? [column] : [column, column.also]);

const shown = new WeakMap(); // the table in each box
const resized = new ResizeObserver((entries) => {
  for (const { target } of entries) shown.get(target).fit();
});

export class Table {
  #table;
  #box;
  #more;
  #columns;
  #rows = [];
  #limit = ROWS_AT_ONCE;
  #sorted = null;
  #descending = true;
  #pick;
  #hasAll = false; // columns, whether there is room or not

  constructor(table, columns, { sorted = null, pick = null } = {}) {
    this.#table = select(table);
    this.#box = table.parentNode;
    this.#more = select(this.#box).select('.more');
    this.#columns = columns.map((column) => ({ error: () => null, ...column }));
    this.#sorted = this.#columns.flatMap(ordersOf)[columns.flatMap(ordersOf).indexOf(sorted)] ?? null;
    this.#pick = pick;
    this.#table.selectChildren().remove();
    this.#table.classed('columns', true).classed('sticky-first', columns[0].number === false);
    this.#table.append('colgroup');
    this.#table.append('thead').append('tr').selectAll('th').data(this.#columns).join('th').attr('scope', 'col')
      .classed('number', (column) => column.number)
      .each((column, i, heads) => {
        if (column.order === undefined) {
          heads[i].textContent = column.title;
          return;
        }
        for (const one of ordersOf(column)) {
          select(heads[i]).append('button').text(one.title).attr('title', one.hint === undefined ? null : `Sort by ${one.hint}`)
            .on('click', () => this.#sortBy(one));
        }
      });
    this.#table.append('tbody');
    shown.set(this.#box, this);
    resized.observe(this.#box);
  }

  setRows(rows) {
    this.#rows = rows;
    this.#limit = ROWS_AT_ONCE;
    this.#arrange();
  }

  #sortBy(column) {
    this.#descending = this.#sorted === column ? !this.#descending : column.number ?? true;
    this.#sorted = column;
    this.#arrange();
  }

  #arrange() {
    if (this.#sorted !== null) {
      const sign = this.#descending ? -1 : 1;
      this.#rows = [...this.#rows].sort((a, b) => sign * this.#sorted.order(a, b));
    }
    this.#table
      .selectAll('th[scope]')
      .attr('aria-sort', (column) =>
        !ordersOf(column).includes(this.#sorted) ? null : this.#descending ? 'descending' : 'ascending')
      .each((column, i, heads) => select(heads[i]).selectAll('button')
        .classed('sorted', (_, at) => ordersOf(column)[at] === this.#sorted));
    this.#render();
  }

  #render() {
    const visible = this.#rows.slice(0, this.#limit);
    const rows = this.#table.select('tbody').selectAll('tr').data(visible).join('tr');
    rows
      .selectAll('td')
      .data((row) => this.#columns.map((column) => [column, row]))
      .join('td')
      .each(([column, row], i, all) => fill(select(all[i]), column, row));
    if (this.#pick !== null) {
      rows
        .attr('tabindex', 0)
        .attr('class', 'pickable')
        .on('click', (event, row) => this.#pick(row))
        .on('keydown', (event, row) => {
          if (event.key === 'Enter') this.#pick(row);
        });
    }
    this.#renderMore();
    this.fit();
  }

  #renderMore() {
    const rest = this.#rows.length - this.#limit;
    this.#more.selectAll('button').remove();
    if (rest <= 0) return;
    this.#more
      .append('button')
      .text(`Show ${grouped(Math.min(rest, ROWS_AT_ONCE))} more of ${grouped(rest)}`)
      .on('click', () => {
        this.#limit += ROWS_AT_ONCE;
        this.#render();
      });
  }

  // Chooses the columns that there is room for, and their widths.
  fit() {
    const room = this.#box.clientWidth;
    if (room === 0) return; // not in sight
    this.#show(this.#columns.map(() => true));
    this.#table.select('.all-columns').remove();
    this.#table.style('width', null).classed('measured', true);
    const widths = this.#table.selectAll('th').nodes().map((head) => Math.ceil(head.getBoundingClientRect().width) + 1);
    this.#table.classed('measured', false);
    const least = this.#leastWidths(widths, room);
    const sum = (values) => values.reduce((all, value) => all + value, 0);
    const isShown = this.#hasAll || sum(least) <= room ? least.map(() => true) : this.#choose(least, room - BUTTON);
    const hidden = this.#columns.filter((_, i) => !isShown[i]);
    const given = least.map((width, i) => (isShown[i] ? width : 0));
    let left = room - sum(given) - (hidden.length > 0 || this.#hasAll ? BUTTON : 0);
    if (left < 0 && !this.#hasAll) given[0] += left; // what rows are sorted by is wide
    left = Math.max(0, left);
    // Texts get what numbers leave, the first one first.
    given.forEach((width, i) => {
      const more = isShown[i] ? Math.min(left, widths[i] - width) : 0;
      given[i] += more;
      left -= more;
    });
    if (hidden.length > 0) given[0] += left;
    this.#show(isShown, given);
    this.#table.style('width', `${Math.max(room, sum(given) + (this.#hasAll ? BUTTON : 0))}px`);
    if (hidden.length > 0 || this.#hasAll) this.#appendButton(hidden);
  }

  #leastWidths(widths, room) {
    const first = Math.min(LEAST_NAME, Math.round(room * MOST_OF_NARROW));
    return widths.map((width, i) => (this.#columns[i].number ? width : Math.min(width, i === 0 ? first : LEAST_TEXT)));
  }

  // The first column, the one that rows are sorted by, and then as many as fit.
  #choose(least, room) {
    const chosen = least.map(() => false);
    let left = room;
    const sorted = this.#columns.findIndex((column) => ordersOf(column).includes(this.#sorted));
    for (const i of new Set([0, sorted, ...least.keys()])) {
      if (i < 0) continue;
      left -= least[i];
      if (left < 0 && i !== 0 && i !== sorted) break;
      chosen[i] = true;
    }
    return chosen;
  }

  // widths: of the columns; the one behind them takes the rest.
  #show(isShown, widths = null) {
    for (const row of this.#table.node().rows) {
      for (let i = 0; i < isShown.length; ++i) row.cells[i].hidden = !isShown[i];
    }
    const given = widths === null ? [] : [...widths.filter((_, i) => isShown[i]), null];
    this.#table.select('colgroup').selectAll('col').data(given).join('col')
      .style('width', (width) => (width === null ? null : `${width}px`));
  }

  #appendButton(hidden) {
    const titles = hidden.map(({ title }) => title).filter((title) => title !== '').join(', ');
    const what = this.#hasAll ? 'Only the columns that there is room for' : `Show all columns: ${titles}`;
    this.#table.select('thead tr').append('th').attr('class', 'all-columns').append('button')
      .attr('title', what).attr('aria-label', what).text(this.#hasAll ? 'fewer' : `+${grouped(hidden.length)} ›`)
      .on('click', () => {
        this.#hasAll = !this.#hasAll;
        this.fit();
      });
  }
}

function fill(cell, { number, text, error, full, parts, tone, isUnsure, press }, row) {
  const words = text(row);
  cell.classed('number', number).classed('zero', isZero(words)).classed('rough', isRough(error(row)))
    .attr('title', full?.(row) || (number ? errorInWords(error(row)) : words) || null);
  if (tone !== undefined) setTone(cell, tone(row), isUnsure(row));
  cell.text('');
  if (press === undefined || words === '') {
    appendName(cell, parts?.(words) ?? [words]);
    return;
  }
  cell.append('button').text(words).on('click', (event) => {
    event.stopPropagation();
    press(row);
  }).on('keydown', (event) => event.stopPropagation());
}

const byText = (value) => (a, b) => (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : 0);
export const byNumber = (value) => (a, b) => value(a) - value(b);

// Columns of numbers and of texts. words(number, error).
export const number = (title, value, words = grouped, error = () => null) => (
  { title, number: true, text: (row) => words(value(row), error(row)), order: byNumber(value), error });

// more: {full, parts, press}.
export const text = (title, value, more = {}) => ({ title, number: false, text: value, order: byText(value), ...more });
