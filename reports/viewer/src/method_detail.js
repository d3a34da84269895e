// One method with its callers and callees and the objects of its events, or the methods of a class, package or type.
import { select } from 'd3-selection';
import { comparedNeighbourColumns, comparedNeighbours } from './compared_methods.js';
import { statusOfMethod } from './comparison.js';
import { fromToText } from './difference.js';
import { contextsOf, eventsOf, objectText, titleOf } from './event_objects.js';
import { grouped, plural, printable } from './format.js';
import { appendActions } from './menu.js';
import { nameColumn, share } from './method_columns.js';
import { number, Table, text } from './table.js';

export class MethodDetail {
  #reading;
  #report;
  #box;
  #listeners;

  // listeners: {actionsOfMethod(m): what can be done with it (menu.js), pick(m): another method was picked, close()}.
  constructor(reading, box, listeners) {
    this.#reading = reading;
    this.#report = reading.report;
    this.#box = select(box);
    this.#listeners = listeners;
  }

  get #tree() {
    return this.#reading.tree;
  }

  showNone() {
    this.#box.property('hidden', true);
  }

  #clear() {
    this.#box.property('hidden', false).selectChildren().remove();
    this.#box.append('button').attr('class', 'close').attr('title', 'Close').text('×').on('click', () => this.#listeners.close());
  }

  // rows: methods as of withSamples(), with amounts of the measure shown.
  showMethodsOf(title, rows) {
    this.#clear();
    this.#box.append('h2').text(title);
    const whole = rows.reduce((sum, [, amount]) => sum + amount, 0);
    this.#list(`Methods (${grouped(rows.length)})`, 'members', rows, whole, this.#report.measure.columnTitle);
  }

  show(m) {
    const report = this.#report;
    const { methods } = report;
    this.#clear();
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
      const amounts = eventsOf(tree, measure);
      const samples = measure.samples === null ? null : eventsOf(tree, measure.samples);
      const error = (side) => (samples === null ? null : measure.errorOf(samples[side][m]));
      const own = measure.amount(amounts.exclusive[m], error('exclusive'));
      return `${own} in ${contexts}, ${measure.text(amounts.inclusive[m], error('inclusive'))} with everything below.`;
    }
    const change = (side, withWords) => fromToText(measure, (one) => eventsOf(tree, one)[side][m], withWords);
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
    const name = text(title, ([object]) => objectText(objects.get(object)), { full: ([object]) => objects.get(object).type });
    const { columns, sorted } = this.#amountColumns(measure.columnTitle, whole);
    const samples = measure.samples === null ? [] : eventsOf(this.#tree, measure.samples).objects.get(m);
    new Table(table, [name, ...columns], { sorted }).setRows(withSamples(found, samples));
  }

  #showNeighbours(m) {
    const { objects, measure } = this.#report;
    const tree = this.#tree;
    const { callers, callees: all } = tree.neighbours(m, measure);
    const samples = measure.samples === null ? null : tree.neighbours(m, measure.samples);
    const callees = all.filter(([callee]) => !objects.has(callee));
    const isCalls = measure.name === 'calls';
    const own = isCalls ? tree.methodValues[m] : tree.methodInclusive[m];
    const title = isCalls ? measure.columnTitle : measure.inclusiveTitle;
    this.#list(`Callers (${grouped(callers.length)})`, 'callers', withSamples(callers, samples?.callers), own, title);
    const made = isCalls ? callees.reduce((sum, [, value]) => sum + value, 0) : own;
    this.#list(`Callees (${grouped(callees.length)})`, 'callees', withSamples(callees, samples?.callees), made, title);
  }

  #showComparedNeighbours(m) {
    const { measure } = this.#report;
    const neighbours = comparedNeighbours(this.#tree, m, measure);
    for (const [title, id] of [
      ['Callers', 'callers'],
      ['Callees', 'callees'],
    ]) {
      const rows = neighbours[id];
      const { columns, sorted } = comparedNeighbourColumns(measure, nameColumn(this.#report, ({ method }) => method));
      const table = this.#appendTable(`${title} (${grouped(rows.length)})`, id);
      new Table(table, columns, { sorted, pick: ({ method }) => method >= 0 && this.#listeners.pick(method) }).setRows(
        rows,
      );
    }
  }

  #appendTable(title, id) {
    this.#box.append('h3').text(title);
    const box = this.#box.append('div');
    const table = box.append('table').attr('id', id);
    box.append('p').attr('class', 'more');
    return table.node();
  }

  // Columns of what withSamples() makes.
  #amountColumns(title, whole) {
    const { measure } = this.#report;
    const amount = ([, value]) => value;
    const error = ([, , count]) => measure.errorOf(count);
    const sorted = number(title, amount, measure.scale.text, error);
    return { columns: [sorted, share(amount, whole, error)], sorted };
  }

  #list(title, id, rows, whole, head) {
    const table = this.#appendTable(title, id);
    const { columns, sorted } = this.#amountColumns(head, whole);
    new Table(table, [nameColumn(this.#report, ([m]) => m), ...columns], {
      sorted,
      pick: ([m]) => m >= 0 && this.#listeners.pick(m),
    }).setRows(rows);
  }
}

// Pairs of a key and an amount, each with the number of samples that the amount rests on, by pairs of the same keys.
export function withSamples(pairs, samples) {
  const counts = new Map(samples);
  return Array.from(pairs, ([key, amount]) => [key, amount, counts.get(key) ?? 0]);
}
