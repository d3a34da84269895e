// One method with its callers and callees and the objects of its events, or the methods of a class, package or type.
import { select } from 'd3-selection';
import { comparedNeighbourColumns, comparedNeighbours } from './compared_methods.js';
import { statusOfMethod } from './comparison.js';
import { fromToText } from './difference.js';
import { contextsOf, eventsOf, objectText, titleOf } from './event_objects.js';
import { grouped, percent, plural, printable } from './format.js';
import { appendActions } from './menu.js';
import { byNumber, byText, Table } from './table.js';

export class MethodDetail {
  #reading;
  #report;
  #box;
  #listeners;

  // listeners: {actionsOfMethod(m): what can be done with it (menu.js), pick(m): another method was picked}.
  constructor(reading, box, listeners) {
    this.#reading = reading;
    this.#report = reading.report;
    this.#box = select(box);
    this.#listeners = listeners;
  }

  get #tree() {
    return this.#reading.tree;
  }

  showNone(hint) {
    this.#box.selectChildren().remove();
    this.#box.append('p').attr('class', 'hint').text(hint);
  }

  // pairs: methods with their amounts of the measure shown.
  showMethodsOf(title, pairs) {
    this.#box.selectChildren().remove();
    this.#box.append('h2').text(title);
    const whole = pairs.reduce((sum, [, amount]) => sum + amount, 0);
    this.#list(`Methods (${grouped(pairs.length)})`, 'members', pairs, whole, this.#report.measure.columnTitle);
  }

  show(m) {
    const report = this.#report;
    const { methods } = report;
    this.#box.selectChildren().remove();
    this.#box.append('h2').text(report.names[m]);
    const where = [methods.source[m], methods.descriptor[m], `loader ${methods.loader[m]}`];
    this.#box.append('p').attr('class', 'hint').text(where.filter(Boolean).map(printable).join(' · '));
    this.#box.append('p').text(this.#sentence(m));
    appendActions(this.#box, this.#listeners.actionsOfMethod(m));
    this.#showObjects(m);
    if (report.compared === null) this.#showNeighbours(m);
    else this.#showComparedNeighbours(m);
  }

  #sentence(m) {
    const tree = this.#tree;
    const { measure, compared } = this.#report;
    const contexts = plural(contextsOf(tree)[m], 'context');
    if (compared === null) {
      const own = measure.amount(eventsOf(tree, measure).exclusive[m]);
      return `${own} in ${contexts}, ${measure.text(tree.methodInclusive[m])} with everything below.`;
    }
    const [old, now] = [eventsOf(tree, measure.old), eventsOf(tree, measure)];
    const change = (side, withWords) => fromToText(measure, { old: old[side][m], new: now[side][m] }, withWords);
    const before = this.#report.nameBefore(m);
    const status = statusOfMethod(tree, m);
    return (
      `${before === null ? '' : `Was ${before}. `}${status === null ? '' : `${status === 'new' ? 'New' : 'Gone'}. `}` +
      `${change('exclusive', true)} in ${contexts}, ${change('inclusive', false)} with everything below.`
    );
  }

  // Lists the objects of a method's events.
  #showObjects(m) {
    const { objects, measure } = this.#report;
    const found = [...(eventsOf(this.#tree, measure).objects.get(m) ?? [])];
    if (found.length === 0) return;
    const whole = found.reduce((sum, [, amount]) => sum + amount, 0);
    const title = titleOf(found.map(([object]) => objects.get(object)));
    const table = this.#appendTable(
      `${title.replace(/^./, (first) => first.toUpperCase())}s (${grouped(found.length)})`,
      'objects',
    );
    const name = ([object]) => objectText(objects.get(object));
    const { columns, sorted } = this.#amountColumns(measure.columnTitle, whole);
    new Table(
      table,
      [
        ...columns,
        { title, number: false, text: name, hint: ([object]) => objects.get(object).type, order: byText(name) },
      ],
      { sorted },
    ).setRows(found);
  }

  #showNeighbours(m) {
    const { objects, measure } = this.#report;
    const tree = this.#tree;
    const { callers, callees: all } = tree.neighbours(m, measure);
    const callees = all.filter(([callee]) => !objects.has(callee));
    const isCalls = measure.name === 'calls';
    const own = isCalls ? tree.methodValues[m] : tree.methodInclusive[m];
    const title = isCalls ? measure.columnTitle : measure.inclusiveTitle;
    this.#list(`Callers (${grouped(callers.length)})`, 'callers', callers, own, title);
    const made = isCalls ? callees.reduce((sum, [, value]) => sum + value, 0) : own;
    this.#list(`Callees (${grouped(callees.length)})`, 'callees', callees, made, title);
  }

  #showComparedNeighbours(m) {
    const { measure } = this.#report;
    const neighbours = comparedNeighbours(this.#tree, m, measure);
    for (const [title, id] of [
      ['Callers', 'callers'],
      ['Callees', 'callees'],
    ]) {
      const rows = neighbours[id];
      const { columns, sorted } = comparedNeighbourColumns(
        measure,
        this.#nameColumn(({ method }) => method),
      );
      const table = this.#appendTable(`${title} (${grouped(rows.length)})`, id);
      new Table(table, columns, { sorted, pick: ({ method }) => method >= 0 && this.#listeners.pick(method) }).setRows(
        rows,
      );
    }
  }

  // A caller's name; -1: a thread.
  #nameColumn(methodOf) {
    const { names } = this.#report;
    const text = (row) => (methodOf(row) < 0 ? '(thread entry)' : this.#report.label(methodOf(row)));
    return { title: 'method', number: false, text, hint: (row) => names[methodOf(row)] ?? '', order: byText(text) };
  }

  #appendTable(title, id) {
    this.#box.append('h3').text(title);
    const box = this.#box.append('div');
    const table = box.append('table').attr('id', id);
    box.append('p').attr('class', 'more');
    return table.node();
  }

  // Columns of pairs with an amount.
  #amountColumns(title, whole) {
    const { scale } = this.#report.measure;
    const value = ([, amount]) => amount;
    const sorted = { title, number: true, text: (pair) => scale.text(value(pair)), order: byNumber(value) };
    return { columns: [sorted, { title: '', number: true, text: (pair) => percent(value(pair), whole) }], sorted };
  }

  #list(title, id, pairs, whole, head) {
    const table = this.#appendTable(title, id);
    const { columns, sorted } = this.#amountColumns(head, whole);
    new Table(table, [...columns, this.#nameColumn(([m]) => m)], {
      sorted,
      pick: ([m]) => m >= 0 && this.#listeners.pick(m),
    }).setRows(pairs);
  }
}
