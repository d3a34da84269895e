// A table with sortable heads that shows its first rows and more on demand, so that 100,000 methods
// cost no more than what is looked at.
import { select } from 'd3-selection';
import { grouped } from './format.js';
import { errorInWords, isRough } from './quantity.js';
import { setTone } from './status.js';

const ROWS_AT_ONCE = 300;

// columns: [{title, text(row), number: bool, order(a, b)?, error(row)?, hint(row)?, tone(row)?, isUnsure(row)?,
// also?, press?(row)}]; rows in the order to show at first. press: what a button with the text does. hint: for the pointer. also: {title, hint, order(a, b)}, another order
// to sort a column by. tone, isUnsure: of a difference (status.js).
const ordersOf = (column) => (column.also === undefined ? [column] : [column, column.also]);

export class Table {
  #table;
  #more;
  #columns;
  #rows = [];
  #limit = ROWS_AT_ONCE;
  #sorted = null;
  #descending = true;
  #pick;

  constructor(table, columns, { sorted = null, pick = null } = {}) {
    this.#table = select(table);
    this.#more = select(table.parentNode).select('.more');
    this.#columns = columns.map((column) => ({ error: () => null, ...column }));
    this.#sorted = this.#columns.flatMap(ordersOf)[columns.flatMap(ordersOf).indexOf(sorted)] ?? null;
    this.#pick = pick;
    this.#table.classed('sticky-first', columns[0].number === false);
    const head = this.#table.append('thead').append('tr');
    head
      .selectAll('th')
      .data(this.#columns)
      .join('th')
      .attr('scope', 'col')
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
      .selectAll('th')
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
      .classed('number', ([column]) => column.number)
      .classed('rough', ([column, row]) => isRough(column.error(row)))
      .attr('title', ([column, row]) => column.hint?.(row) || errorInWords(column.error(row)) || null)
      .text(([column, row]) => column.text(row))
      .each(([{ tone, isUnsure, press, text }, row], i, all) => {
        if (tone !== undefined) setTone(select(all[i]), tone(row), isUnsure(row));
        if (press === undefined || text(row) === '') return;
        select(all[i]).text('').append('button').text(text(row)).on('click', (event) => {
          event.stopPropagation();
          press(row);
        }).on('keydown', (event) => event.stopPropagation());
      });
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
}

export const byNumber = (value) => (a, b) => value(a) - value(b);
export const byText = (value) => (a, b) => (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : 0);
