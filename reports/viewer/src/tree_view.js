// The tree table: rows that unfold, with every measure in columns. Only the rows in sight are elements.
import { select } from 'd3-selection';
import { statusOf } from './comparison.js';
import { differenceOf } from './difference.js';
import { plural } from './format.js';
import { appendActions } from './menu.js';
import { appendName, partsOfMethod } from './names.js';
import { appendStatus, setTone } from './status.js';
import { errorInWords, isRough, isZero } from './quantity.js';
import { firstKey, METHOD, treeColumns } from './tree_columns.js';
import { TreeRows } from './tree_rows.js';

const ROW = 22;
const TWISTY = 18;  // pixels of what may be beside a name
const DIGIT = 9;
const STATUS = 48;
const DOTS = 18;
const LEAST_NAME = 430;
const MOST_NAME = 680;
const MOST_OF_NARROW = 0.5;  // of a narrow table is the names'
const INDENT = 11;
const MOST_INDENTATION = { wide: 0.3, narrow: 0.2 };  // of the width of names
const FEW = 0.15;          // of the rows in sight may be of higher levels than the one at the left
const LEVELS_ABOVE = 3;    // that rows are still indented by where the upper levels are out of sight
const MOST_HEIGHT = 8_000_000;  // pixels, which every browser can lay out
const SPARE = 4;

// Columns that rows can be sorted by.
const ordersOf = (groups) => groups.flatMap(({ columns }) => columns)
  .flatMap((column) => (column.also === undefined ? [column] : [column, column.also]));

export class TreeView {
  #reading;
  #listeners;
  #grid;
  #head;
  #body;
  #lines;
  #groups = [];
  #rows = null;       // of #direction
  #direction = null;
  #key = null;        // of the column that orders siblings
  #isOwnKey = false;  // chosen by the reader, not by the measure
  #descending = true;
  #selected = null;
  #scheduled = false;
  #isNarrow = false;
  #mostIndented = 0;  // levels; deeper ones are no farther to the right

  // listeners: {actions(item): what can be done with it (menu.js), menu(item, x, y), changed(): another row is
  // selected, or rows are sorted by another column}.
  constructor(reading, listeners) {
    this.#reading = reading;
    this.#listeners = listeners;
    this.#grid = select('#tree-table');
    this.#head = this.#grid.append('div').attr('class', 'tree-head').attr('role', 'rowgroup');
    this.#body = this.#grid.append('div').attr('class', 'tree-body').attr('role', 'rowgroup');
    this.#lines = this.#body.append('div').attr('class', 'tree-lines').attr('role', 'presentation');
    this.#grid
      .on('scroll', () => this.#draw())
      .on('keydown', (event) => this.#press(event))
      .on('contextmenu', (event) => this.#menu(event));
    this.#lines.on('click', (event) => this.#click(event)).on('dblclick', () => this.#toggle());
    const isCompared = reading.report.compared !== null;
    select('#heaviest').property('hidden', isCompared);
    select('#most-changed').property('hidden', !isCompared);
    for (const id of ['#heaviest', '#most-changed']) select(id).on('click', () => this.#unfoldHeaviest());
    select('#fold-all').on('click', () => this.refresh(true));
    new ResizeObserver(() => this.#draw()).observe(this.#grid.node());
  }

  // Draws what the reading now has. Rows stay unfolded if direction and tree are the same, unless `fold` is set.
  refresh(fold = false) {
    this.#rows = fold || this.#direction?.constructor !== this.#reading.direction.constructor
      || this.#direction.tree !== this.#reading.tree ? null : this.#rows;
    this.#draw();
  }

  // A search found something else.
  setFound() {
    this.#draw();
  }

  // Parts of the page's address that are not as at first.
  get parts() {
    const parts = [];
    if (this.#isOwnKey) parts.push(['sort', `${this.#key}${this.#descending ? '' : ',up'}`]);
    if (this.#selected !== null && this.#selected.parent !== null && this.#direction === this.#reading.direction) {
      parts.push(['row', this.#direction.addressOf(this.#selected.parent.kids.item(this.#selected.key))]);
    }
    return parts;
  }

  // As these parts say; what cannot be is as at first. Returns why.
  restore(parts) {
    const [key, up] = (parts.get('sort') ?? '').split(',');
    const { direction } = this.#reading;
    const isKey = ordersOf(treeColumns(direction)).some((order) => order.key === key);
    this.#isOwnKey = isKey;
    this.#key = isKey ? key : firstKey(direction);
    this.#descending = !isKey || up !== 'up';
    const item = parts.has('row') ? direction.itemAt(parts.get('row')) : direction.root;
    if (this.#rows !== null || (parts.has('row') && item !== null)) {
      this.#settle();
      this.#rows.sortBy(this.#order);
      this.#drawHead();
      this.go(item ?? direction.root);
    }
    return [
      isKey || !parts.has('sort') ? null : `there is no column ${key}`,
      item === null ? `there is no row ${parts.get('row')}` : null,
    ].filter((problem) => problem !== null);
  }

  // Unfolds down to an item, and selects it.
  go(item) {
    this.#settle();
    this.#select(this.#rows.reveal(this.#direction.keysTo(item)));
  }

  get #node() {
    return this.#grid.node();
  }

  // Columns and rows of what is read now.
  #settle() {
    const { direction } = this.#reading;
    if (this.#rows !== null && this.#direction === direction) return;
    this.#groups = treeColumns(direction);
    if (!this.#isOwnKey || !ordersOf(this.#groups).some(({ key }) => key === this.#key)) {
      this.#key = firstKey(direction);
      this.#isOwnKey = false;
      this.#descending = true;
    }
    if (this.#rows === null) {
      this.#rows = new TreeRows(direction, this.#order);
      this.#selected = this.#rows.root;
    } else {
      const moved = this.#rows.movedTo(direction, this.#order);
      this.#rows = moved.rows;
      this.#selected = moved.row(this.#selected);
    }
    this.#direction = direction;
    this.#drawHead();
  }

  get #columns() {
    return this.#groups.flatMap((group) => group.columns);
  }

  get #order() {
    const { value, lastIfZero } = ordersOf(this.#groups).find(({ key }) => key === this.#key);
    return { value, lastIfZero, descending: this.#descending };
  }

  #sortBy(key) {
    this.#descending = this.#key === key ? !this.#descending : key !== METHOD;
    this.#key = key;
    this.#isOwnKey = true;
    this.#rows.sortBy(this.#order);
    this.#drawHead();
    this.#select(this.#selected);
    this.#listeners.changed();
  }

  #drawHead() {
    this.#grid.attr('aria-colcount', this.#columns.length);
    this.#head.selectChildren().remove();
    const titles = this.#head.append('div').attr('class', 'tree-row').attr('role', 'presentation');
    for (const { title, columns } of this.#groups) {
      titles.append('span').attr('class', 'group').style('grid-column', `span ${columns.length}`).text(title);
    }
    const row = this.#head.append('div').attr('class', 'tree-row').attr('role', 'row').attr('aria-rowindex', 1);
    for (const { title: group, columns } of this.#groups) {
      for (const { key, title, also } of columns) {
        const head = row.append('span').attr('role', 'columnheader').classed('number', key !== METHOD)
          .attr('aria-sort', ![key, also?.key].includes(this.#key) ? null : this.#descending ? 'descending' : 'ascending');
        this.#appendSort(head, key, title, `${group} ${title}`.trim());
        if (also !== undefined) this.#appendSort(head, also.key, also.title, `${group} ${also.hint}`);
      }
    }
  }

  #appendSort(head, key, title, what) {
    head.append('button').attr('data-key', key).attr('tabindex', -1).attr('title', `Sort by ${what}`)
      .classed('sorted', key === this.#key).text(title).on('click', () => this.#sortBy(key));
  }

  // Names have what numbers leave, within limits; head and rows are as wide.
  #layOut() {
    const widths = this.#columns.slice(1).map(({ width }) => width);
    const numbers = widths.reduce((sum, width) => sum + width, 0);
    const least = Math.min(LEAST_NAME, Math.round(this.#node.clientWidth * MOST_OF_NARROW));
    const name = Math.max(least, Math.min(MOST_NAME, this.#node.clientWidth - numbers));
    this.#isNarrow = name < LEAST_NAME;
    this.#mostIndented = Math.floor((name * MOST_INDENTATION[this.#isNarrow ? 'narrow' : 'wide']) / INDENT);
    this.#node.style.setProperty('--columns', [name, ...widths].map((width) => `${width}px`).join(' '));
    this.#node.style.setProperty('--table', `${name + numbers}px`);
  }

  #draw() {
    if (this.#scheduled) return;
    this.#scheduled = true;
    requestAnimationFrame(() => {
      this.#scheduled = false;
      if (this.#node.clientHeight > 0) this.#drawNow();
    });
  }

  // How many rows fit.
  get #room() {
    return Math.max(1, (this.#node.clientHeight - this.#head.node().offsetHeight) / ROW);
  }

  get #height() {
    return Math.min(MOST_HEIGHT, this.#rows.count * ROW);
  }

  // Rows per pixel that is scrolled: where rows are higher together than an element may be, a pixel is more of one.
  get #rate() {
    const most = this.#height - this.#room * ROW;
    return most <= 0 ? 0 : (this.#rows.count - this.#room) / most;
  }

  #drawNow() {
    this.#settle();
    this.#layOut();
    this.#body.style('height', `${this.#height}px`);
    const { scrollTop } = this.#node;
    const top = scrollTop * this.#rate;
    const first = Math.max(0, Math.floor(top));
    const last = Math.min(this.#rows.count, first + Math.floor(this.#room) + SPARE);
    this.#lines.style('transform', `translateY(${scrollTop - (top - first) * ROW}px)`);
    this.#lines.selectChildren().remove();
    const selected = this.#rows.indexOf(this.#selected);
    const rows = [];
    for (let index = first; index < last; ++index) rows.push(this.#rows.at(index));
    // Deep down rows move to the left together, and have the number of their level.
    const levels = rows.map(({ level }) => level).sort((a, b) => a - b);
    const shift = first === 0 ? 0 : Math.max(0, levels[Math.floor(levels.length * FEW)] - 1 - LEVELS_ABOVE);
    rows.forEach((row, i) => this.#drawRow(row, first + i, first + i === selected, shift));
    this.#grid.attr('aria-rowcount', this.#rows.count + 1)
      .attr('aria-activedescendant', selected >= first && selected < last ? `tree-row-${selected}` : null);
    select('#tree-count').text(`${plural(this.#rows.count, 'row')} unfolded`);
    this.#drawDetail();
  }

  // The selected row's method in full.
  #drawDetail() {
    const { item } = this.#rows.at(this.#rows.indexOf(this.#selected));
    const detail = select('#tree-detail');
    detail.selectChildren().remove();
    detail.append('strong').text(this.#reading.name(item));
    const site = this.#direction.site(item);
    if (site !== '') detail.append('span').text(`called at ${site}`);
    detail.append('span').text(plural(this.#direction.contexts(item), 'context'));
    const before = item.method < 0 ? null : this.#reading.report.nameBefore(item.method);
    if (before !== null) detail.append('span').text(`was ${before}`);
    appendActions(detail, this.#listeners.actions(item));
  }

  // Opens the menu of the row under the pointer, or of the selected row when a key asks for it.
  #menu(event) {
    const line = event.target.closest('[data-index]') ?? this.#lines.select('[aria-selected=true]').node();
    if (line === null) return;
    event.preventDefault();
    const row = this.#rows.at(Number(line.dataset.index));
    this.#selected = row;
    this.#drawNow();
    const box = this.#lines.select(`[data-index="${line.dataset.index}"]`).node().getBoundingClientRect();
    const isByKey = event.target === this.#node;
    this.#listeners.menu(row.item, isByKey ? box.left + 40 : event.clientX, isByKey ? box.bottom : event.clientY);
  }

  #drawRow({ item, level, isOpen, hasChildren, place, siblings }, index, isSelected, shift) {
    const { matched } = this.#reading;
    const row = this.#lines.append('div').attr('class', 'tree-row').attr('role', 'row').attr('id', `tree-row-${index}`)
      .attr('data-index', index).attr('aria-rowindex', index + 2).attr('aria-level', level)
      .attr('aria-posinset', place + 1).attr('aria-setsize', siblings).attr('aria-selected', isSelected)
      .attr('aria-expanded', hasChildren ? isOpen : null)
      .classed('found', matched !== null && item.method >= 0 && matched[item.method] === 1);
    const name = row.append('span').attr('role', 'gridcell').attr('class', 'name').attr('title', this.#reading.name(item))
      .style('padding-left', `${INDENT * Math.min(Math.max(0, level - 1 - shift), this.#mostIndented) + 4}px`);
    const hasLevel = shift > 0 || level - 1 > this.#mostIndented;
    if (hasLevel) name.append('span').attr('class', 'hint').text(`${level - 1} `);
    name.append('span').attr('class', 'twisty').text(hasChildren ? (isOpen ? '▾' : '▸') : '');
    const status = this.#reading.report.compared === null ? null : statusOf(this.#direction, item);
    appendStatus(name, status);
    const label = this.#reading.label(item);
    const site = this.#isNarrow ? '' : this.#direction.site(item);
    const beside = TWISTY + (hasLevel ? DIGIT * `${level} `.length : 0) + (status === null ? 0 : STATUS) + (site === '' ? 0 : DOTS);
    appendName(name.append('span'), partsOfMethod(label), beside);
    if (site !== '') name.append('span').attr('class', 'hint site').text(` ${site}`);
    for (const { key, text, error, tone, isUnsure } of this.#columns.slice(1)) {
      const words = text(item);
      const cell = row.append('span').attr('role', 'gridcell').attr('class', 'number').text(words)
        .classed('zero', isZero(words)).classed('rough', isRough(error(item))).attr('title', errorInWords(error(item)) || null);
      if (tone !== undefined) setTone(cell, tone(item), isUnsure(item));
      if (key === `${this.#reading.report.measure.name}/share`) {
        const part = Math.min(100, Number.parseFloat(words) || 0);
        cell.style('background', `linear-gradient(to left, var(--bar) ${part}%, transparent ${part}%)`);
      }
    }
  }

  #click(event) {
    const line = event.target.closest('[data-index]');
    if (line === null) return;
    this.#selected = this.#rows.at(Number(line.dataset.index));
    this.#listeners.changed();
    if (event.target.classList.contains('twisty')) this.#toggle();
    else this.#draw();
  }

  #toggle() {
    const { isOpen, hasChildren } = this.#rows.at(this.#rows.indexOf(this.#selected));
    if (!hasChildren) return;
    if (isOpen) this.#rows.fold(this.#selected);
    else this.#rows.unfold(this.#selected);
    this.#draw();
  }

  // Selects a row and scrolls to it.
  #select(row) {
    this.#selected = { parent: row.parent, key: row.key };
    const index = this.#rows.indexOf(this.#selected);
    this.#body.style('height', `${this.#height}px`);
    const rate = this.#rate;
    const first = this.#node.scrollTop * rate;
    const last = first + this.#room - 1;
    const wanted = index < first ? index : index > last ? index - this.#room + 1 : null;
    if (wanted !== null && rate > 0) this.#node.scrollTop = Math.ceil(wanted / rate);
    this.#draw();
  }

  #selectAt(index) {
    this.#select(this.#rows.at(Math.max(0, Math.min(this.#rows.count - 1, index))));
    this.#listeners.changed();
  }

  #unfoldHeaviest() {
    this.#settle();
    const { direction, report } = this.#reading;
    const { measure, compared } = report;
    const width = compared === null
      ? (item) => direction.widthBy(item, measure)
      : (item) => Math.abs(differenceOf(direction, item, measure, direction.widthSide).difference);
    this.#select(this.#rows.unfoldHeaviest(this.#selected, width));
    this.#listeners.changed();
    this.#node.focus();
  }

  // A key, wherever the focus is.
  press(event) {
    this.#node.focus({ preventScroll: true });
    this.#act(event);
  }

  #press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== this.#node) return;
    this.#act(event);
  }

  #act(event) {
    this.#settle();
    const index = this.#rows.indexOf(this.#selected);
    const { isOpen, hasChildren } = this.#rows.at(index);
    const page = Math.floor(this.#room) - 1;
    const actions = {
      ArrowDown: () => this.#selectAt(index + 1),
      ArrowUp: () => this.#selectAt(index - 1),
      PageDown: () => this.#selectAt(index + page),
      PageUp: () => this.#selectAt(index - page),
      Home: () => this.#selectAt(0),
      End: () => this.#selectAt(this.#rows.count - 1),
      ArrowRight: () => (isOpen && hasChildren ? this.#selectAt(index + 1) : this.#toggle()),
      ArrowLeft: () => this.#foldOrUp(isOpen && hasChildren),
      Enter: () => this.#toggle(),
      ' ': () => this.#toggle(),
      h: () => this.#unfoldHeaviest(),
    };
    const action = actions[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  }

  #foldOrUp(isOpen) {
    const { parent } = this.#selected;
    if (parent === null) return;
    if (isOpen) this.#toggle();
    else {
      this.#select({ parent: parent.parent, key: parent.key });
      this.#listeners.changed();
    }
  }
}
