// The table of methods, or of types of events, and one of them with its callers and callees, or with the methods it is of.
import { select } from 'd3-selection';
import { comparedMethodColumns, comparedNeighbourColumns, comparedNeighbours } from './compared_methods.js';
import { statusOfMethod } from './comparison.js';
import { fromToText } from './difference.js';
import { grouped, percent, plural, printable } from './format.js';
import { contextsOf, eventsOf, objectText, titleOf } from './event_objects.js';
import { appendActions } from './menu.js';
import { methodColumns } from './method_columns.js';
import { byNumber, byText, Table } from './table.js';
import { typeColumns, typeRows } from './type_columns.js';

const SHAPES = ['methods', 'types'];

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
  #types = [];

  // listeners: {actionsOfMethod(m): what can be done with it (menu.js), moved(): the reader picked another}.
  constructor(reading, tableElement, detailElement, listeners) {
    this.#report = reading.report;
    this.#reading = reading;
    this.#tableElement = tableElement;
    this.#detail = select(detailElement);
    this.#listeners = listeners;
    for (const shape of SHAPES) {
      select(`#rank-${shape}`).on('click', () => {
        this.#turn(shape);
        listeners.moved();
      });
    }
    this.refresh();
  }

  get #tree() {
    return this.#reading.tree;
  }

  // Draws the methods or types of what the reading now has.
  refresh() {
    const tree = this.#tree;
    const { measure, compared } = this.#report;
    const hasTypes = eventsOf(tree, measure).objects.size + (measure.old === null ? 0 : eventsOf(tree, measure.old).objects.size) > 0;
    if (!hasTypes) this.#shape = SHAPES[0];
    select('#rankings').property('hidden', !hasTypes);
    for (const shape of SHAPES) select(`#rank-${shape}`).attr('aria-pressed', shape === this.#shape);
    const isTypes = this.#shape === 'types';
    this.#types = hasTypes ? typeRows(tree, measure) : [];
    if (hasTypes) select('#rank-types').text(titleOf(this.#types) === 'lock' ? 'Locks' : 'Types');
    const { columns, sorted } = isTypes ? typeColumns(tree, measure, this.#types)
      : compared === null ? methodColumns(this.#report, tree) : comparedMethodColumns(this.#report, tree);
    select(this.#tableElement).selectChildren().remove();
    this.#table = new Table(this.#tableElement, columns, { sorted, pick: (row) => (isTypes ? this.#showType(row) : this.#pick(row)) });
    this.setMatched(this.#matched);
    if (isTypes || this.#picked === null || !this.#has(this.#picked)) this.#showNone();
    else this.#show(this.#picked);
  }

  #turn(shape) {
    this.#shape = shape;
    this.refresh();
  }

  // Returns true if a method has some of the measure shown.
  #has(m) {
    return this.#tree.methodsOf(this.#tree.presence).inclusive[m] > 0;
  }

  // Parts of the page's address that are not as at first.
  get parts() {
    if (this.#shape !== SHAPES[0]) return [['rank', this.#shape]];
    return this.#picked === null ? [] : [['method', String(this.#picked)]];
  }

  // As these parts say; what cannot be is as at first. Returns why.
  restore(parts) {
    this.#picked = null;
    this.#turn(parts.get('rank') ?? SHAPES[0]);
    if (parts.has('rank') && this.#shape !== parts.get('rank')) return [`there is no ranking of ${parts.get('rank')}`];
    if (!parts.has('method')) return [];
    const text = parts.get('method');
    if (!/^\d+$/.test(text) || !this.#has(Number(text))) return [`method ${text} has nothing of what is shown`];
    this.#show(Number(text));
    return [];
  }

  #pick(m) {
    this.#show(m);
    this.#listeners.moved();
  }

  #showNone() {
    this.#picked = null;
    this.#detail.selectChildren().remove();
    this.#detail.append('p').attr('class', 'hint').text(this.#shape === 'types' ? 'Pick a row to see the methods of its events.' : 'Pick a method to see who calls it and what it calls.');
  }

  setMatched(matched) {
    this.#matched = matched;
    const { names, objects, measure } = this.#report;
    if (this.#shape === 'types') {
      const isMatched = new Set([...objects].filter(([object]) => matched?.[object]).map(([, { type }]) => type));
      this.#table.setRows(matched === null ? this.#types : this.#types.filter(({ type }) => isMatched.has(type)));
      return;
    }
    const tree = this.#tree;
    const all = names.map((_, m) => m).filter((m) => this.#has(m) && !(objects.has(m) && eventsOf(tree, measure).exclusive[m] === 0));
    const isMeant = (m) => matched[m] || [...eventsOf(tree, measure).objects.get(m)?.keys() ?? []].some((object) => matched[object]);
    this.#table.setRows(matched === null ? all : all.filter(isMeant));
  }

  // The methods of a type's events.
  #showType({ type, value, methods }) {
    this.#detail.selectChildren().remove();
    this.#detail.append('h2').text(type);
    this.#list(`Methods (${grouped(methods.length)})`, 'methods-of-type', methods, value, 'columnTitle', (m) => {
      this.#shape = SHAPES[0];
      this.#picked = m;
      this.refresh();
      this.#listeners.moved();
    });
  }

  // What a method's events were about.
  #showObjects(m) {
    const { objects, measure } = this.#report;
    const found = [...eventsOf(this.#tree, measure).objects.get(m) ?? []];
    if (found.length === 0) return;
    const whole = found.reduce((sum, [, amount]) => sum + amount, 0);
    const title = titleOf(found.map(([object]) => objects.get(object)));
    const table = this.#appendTable(`${title === 'lock' ? 'Locks' : 'Types'} (${grouped(found.length)})`, 'objects');
    const byValue = { title: measure.columnTitle, number: true, text: ([, amount]) => measure.scale.text(amount), order: byNumber(([, amount]) => amount) };
    const name = ([object]) => objectText(objects.get(object));
    new Table(table, [
      byValue, { title: '', number: true, text: ([, amount]) => percent(amount, whole) },
      { title, number: false, text: name, hint: ([object]) => objects.get(object).type, order: byText(name) },
    ], { sorted: byValue }).setRows(found);
  }

  #show(m) {
    this.#picked = m;
    const report = this.#report;
    const tree = this.#tree;
    const { methods } = report;
    this.#detail.selectChildren().remove();
    this.#detail.append('h2').text(report.names[m]);
    const where = [methods.source[m], methods.descriptor[m], `loader ${methods.loader[m]}`];
    this.#detail.append('p').attr('class', 'hint').text(where.filter(Boolean).map(printable).join(' · '));
    this.#detail.append('p').text(this.#sentence(m));
    appendActions(this.#detail, this.#listeners.actionsOfMethod(m));
    this.#showObjects(m);
    if (report.compared === null) this.#showNeighbours(m);
    else this.#showComparedNeighbours(m);
  }

  #sentence(m) {
    const tree = this.#tree;
    const { measure, compared } = this.#report;
    const contexts = plural(contextsOf(tree)[m], 'context');
    if (compared === null) {
      return `${measure.amount(eventsOf(tree, measure).exclusive[m])} in ${contexts}, ${measure.text(tree.methodInclusive[m])} with everything below.`;
    }
    const [old, now] = [eventsOf(tree, measure.old), eventsOf(tree, measure)];
    const change = (side, withWords) => fromToText(measure, { old: old[side][m], new: now[side][m] }, withWords);
    const before = this.#report.nameBefore(m);
    const status = statusOfMethod(tree, m);
    return `${before === null ? '' : `Was ${before}. `}${status === null ? '' : `${status === 'new' ? 'New' : 'Gone'}. `}` +
      `${change('exclusive', true)} in ${contexts}, ${change('inclusive', false)} with everything below.`;
  }

  #showNeighbours(m) {
    const report = this.#report;
    const tree = this.#tree;
    const { callers, callees: all } = tree.neighbours(m, report.measure);
    const callees = all.filter(([callee]) => !report.objects.has(callee));
    const isCalls = report.measure.name === 'calls';
    const own = isCalls ? tree.methodValues[m] : tree.methodInclusive[m];
    this.#list(`Callers (${grouped(callers.length)})`, 'callers', callers, own);
    const made = isCalls ? callees.reduce((sum, [, value]) => sum + value, 0) : own;
    this.#list(`Callees (${grouped(callees.length)})`, 'callees', callees, made);
  }

  #showComparedNeighbours(m) {
    const { measure } = this.#report;
    const neighbours = comparedNeighbours(this.#tree, m, measure);
    for (const [title, id] of [['Callers', 'callers'], ['Callees', 'callees']]) {
      const rows = neighbours[id];
      const { columns, sorted } = comparedNeighbourColumns(measure, ({ method }) => this.#nameOf(method));
      const table = this.#appendTable(`${title} (${grouped(rows.length)})`, id);
      new Table(table, columns, { sorted, pick: ({ method }) => method >= 0 && this.#pick(method) }).setRows(rows);
    }
  }

  // A caller's name; -1: a thread.
  #nameOf(m) {
    return m < 0 ? '(thread entry)' : this.#report.names[m];
  }

  #appendTable(title, id) {
    this.#detail.append('h3').text(title);
    const box = this.#detail.append('div');
    const table = box.append('table').attr('id', id);
    box.append('p').attr('class', 'more');
    return table.node();
  }

  #list(title, id, pairs, whole, head = this.#report.measure.name === 'calls' ? 'columnTitle' : 'inclusiveTitle', pick = (m) => m >= 0 && this.#pick(m)) {
    const table = this.#appendTable(title, id);
    const { measure } = this.#report;
    const name = ([m]) => this.#nameOf(m);
    const value = ([, sum]) => sum;
    const byValue = {
      title: measure[head],
      number: true, text: (pair) => measure.scale.text(value(pair)), order: byNumber(value),
    };
    new Table(
      table,
      [
        byValue,
        { title: '', number: true, text: (pair) => percent(value(pair), whole) },
        { title: 'method', number: false, text: name, order: byText(name) },
      ],
      { sorted: byValue, pick: ([m]) => pick(m) },
    ).setRows(pairs);
  }
}
