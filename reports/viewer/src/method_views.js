// The rankings: methods, or sums by class, package, or type of events; and what one row of them is made of.
import { select } from 'd3-selection';
import { comparedMethodColumns } from './compared_methods.js';
import { eventsOf, titleOf } from './event_objects.js';
import { groupColumns, groupRows } from './group_columns.js';
import { methodColumns } from './method_columns.js';
import { MethodDetail, withSamples } from './method_detail.js';
import { Table } from './table.js';
import { typeColumns, typeRows } from './type_columns.js';

const SHAPES = ['methods', 'classes', 'packages', 'types'];
const HINTS = {
  methods: 'Pick a method to see who calls it and what it calls',
  classes: 'Pick a class to see its methods',
  packages: 'Pick a package to see its methods',
  types: 'Pick a row to see the methods of its events',
};

export class MethodViews {
  #report;
  #reading;
  #tableElement;
  #table;
  #matched = null;
  #detail;
  #listeners;
  #picked = null;
  #shape = SHAPES[0];
  #rows = [];
  #isStale = true; // what is read has changed since the table was drawn

  // listeners: {actionsOfMethod(m): what can be done with it (menu.js), moved(): the reader picked another}.
  constructor(reading, tableElement, detailElement, listeners) {
    this.#report = reading.report;
    this.#reading = reading;
    this.#tableElement = tableElement;
    this.#detail = new MethodDetail(reading, detailElement, {
      actionsOfMethod: (m) => listeners.actionsOfMethod(m),
      pick: (m) => {
        this.#picked = m;
        if (this.#shape !== SHAPES[0]) this.#turn(SHAPES[0]);
        else this.#detail.show(m);
        listeners.moved();
      },
      close: () => {
        this.#showNone();
        listeners.moved();
      },
    });
    this.#listeners = listeners;
    for (const shape of SHAPES) {
      select(`#rank-${shape}`).on('click', () => {
        this.#turn(shape);
        listeners.moved();
      });
    }
  }

  get #tree() {
    return this.#reading.tree;
  }

  // Draws what the reading now has, or waits until the table is in sight: a sum over millions of contexts takes its
  // time.
  refresh() {
    this.#isStale = true;
    if (this.#picked === null && select('#methods').property('hidden')) return;
    this.#draw();
  }

  // The table came in sight.
  open() {
    if (this.#isStale) this.#draw();
  }

  #draw() {
    this.#isStale = false;
    const types = typeRows(this.#tree, this.#report.measure);
    if (this.#shape === 'types' && types.length === 0) this.#shape = SHAPES[0];
    for (const shape of SHAPES) select(`#rank-${shape}`).attr('aria-pressed', shape === this.#shape);
    select('#methods-hint').text(HINTS[this.#shape]);
    select('#rank-types')
      .property('hidden', types.length === 0)
      .text(`${titleOf(types).replace(/^./, (first) => first.toUpperCase())}s`);
    const { rows, columns, sorted } = this.#contents(types);
    this.#rows = rows;
    this.#table = new Table(this.#tableElement, columns, { sorted, pick: (row) => this.#pick(row) });
    this.setMatched(this.#matched);
    if (this.#shape !== SHAPES[0] || this.#picked === null || !this.#has(this.#picked)) this.#showNone();
    else this.#detail.show(this.#picked);
  }

  #contents(types) {
    const tree = this.#tree;
    const { measure, compared, names, objects } = this.#report;
    if (this.#shape === 'types') return { rows: types, ...typeColumns(tree, measure, types) };
    if (this.#shape !== 'methods') return { rows: groupRows(tree, this.#shape), ...groupColumns(tree, this.#shape) };
    const isRanked = (m) => this.#has(m) && !(objects.has(m) && eventsOf(tree, measure).exclusive[m] === 0);
    const rows = names.map((_, m) => m).filter(isRanked);
    return {
      rows,
      ...(compared === null ? methodColumns(this.#report, tree) : comparedMethodColumns(this.#report, tree)),
    };
  }

  #turn(shape) {
    this.#shape = SHAPES.includes(shape) ? shape : SHAPES[0];
    this.refresh();
  }

  // Returns true if a method has some of the measure shown.
  #has(m) {
    return this.#tree.methodsOf(this.#tree.presence).inclusive[m] > 0;
  }

  // Parts of the page's address that are not as at first.
  get parts() {
    if (this.#shape !== SHAPES[0]) return [['rank', this.#shape]];
    return this.#picked === null ? [] : [['method', this.#report.methodText(this.#picked)]];
  }

  // As these parts say; what cannot be is as at first. Returns why.
  restore(parts) {
    const method = parts.get('method');
    const picked = this.#report.methodOf(method ?? '');
    const isMethod = picked >= 0 && this.#has(picked);
    this.#picked = isMethod ? picked : null;
    this.#turn(parts.get('rank') ?? SHAPES[0]);
    return [
      method === undefined || isMethod ? null : `method ${method} has nothing of what is shown`,
      this.#shape === (parts.get('rank') ?? SHAPES[0]) ? null : `there is no ranking of ${parts.get('rank')}`,
    ].filter((problem) => problem !== null);
  }

  #pick(row) {
    if (this.#shape === 'methods') {
      this.#picked = row;
      this.#detail.show(row);
      this.#listeners.moved();
    } else if (this.#shape === 'types') {
      this.#detail.showMethodsOf(row.type, withSamples(row.methods, row.samples));
    } else {
      const { measure } = this.#report;
      const { exclusive } = eventsOf(this.#tree, measure);
      const counts = measure.samples === null ? null : eventsOf(this.#tree, measure.samples).exclusive;
      const members = row.members.filter((m) => this.#has(m));
      this.#detail.showMethodsOf(row.name, members.map((m) => [m, exclusive[m], counts?.[m]]));
    }
  }

  #showNone() {
    this.#picked = null;
    this.#detail.showNone();
  }

  // One byte per method, or null: rows of others are not listed.
  setMatched(matched) {
    this.#matched = matched;
    if (this.#isStale) return;
    this.#table.setRows(matched === null ? this.#rows : this.#rows.filter((row) => this.#isMeant(row, matched)));
  }

  #isMeant(row, matched) {
    const { measure, objects } = this.#report;
    const ofEvents = (m) => [...(eventsOf(this.#tree, measure).objects.get(m)?.keys() ?? [])];
    if (this.#shape === 'methods') return matched[row] === 1 || ofEvents(row).some((object) => matched[object]);
    if (this.#shape === 'types') return [...objects].some(([object, { type }]) => matched[object] && type === row.type);
    return row.members.some((m) => matched[m]);
  }
}
