// The table of methods, and one method with its callers and callees.
import { select } from 'd3-selection';
import { comparedMethodColumns, comparedNeighbourColumns, comparedNeighbours } from './compared_methods.js';
import { statusOfMethod } from './comparison.js';
import { fromToText } from './difference.js';
import { grouped, percent, plural, printable } from './format.js';
import { appendActions } from './menu.js';
import { fractionInColumn } from './quantity.js';
import { byNumber, byText, Table } from './table.js';

export class MethodViews {
  #report;
  #reading;
  #tableElement;
  #table;
  #matched = null;
  #detail;
  #listeners;
  #picked = null;

  // listeners: {actionsOfMethod(m): what can be done with it (menu.js), moved(): the reader picked another}.
  constructor(reading, tableElement, detailElement, listeners) {
    this.#report = reading.report;
    this.#reading = reading;
    this.#tableElement = tableElement;
    this.#detail = select(detailElement);
    this.#listeners = listeners;
    this.refresh();
  }

  get #tree() {
    return this.#reading.tree;
  }

  // Draws the methods of what the reading now has.
  refresh() {
    const { columns, sorted } = this.#report.compared === null ? this.#columns() : comparedMethodColumns(this.#report, this.#tree);
    select(this.#tableElement).selectChildren().remove();
    this.#table = new Table(this.#tableElement, columns, { sorted, pick: (m) => this.#pick(m) });
    this.setMatched(this.#matched);
    if (this.#picked === null || !this.#has(this.#picked)) this.#showNone();
    else this.#show(this.#picked);
  }

  // Returns true if a method has some of the measure shown.
  #has(m) {
    return this.#tree.methodsOf(this.#tree.presence).inclusive[m] > 0;
  }

  #columns() {
    const report = this.#report;
    const tree = this.#tree;
    const total = tree.inclusive[0];
    const { measure } = report;
    const errors = this.#errorsOf(measure);
    const number = (title, value, text = grouped, error = () => null) => ({
      title, number: true, text: (m) => text(value(m)), order: byNumber(value), error,
    });
    const share = (value) => ({ title: '', number: true, text: (m) => percent(value(m), total) });
    const own = (m) => tree.methodValues[m];
    const inclusive = (m) => tree.methodInclusive[m];
    const name = (m) => report.names[m];
    const byOwn = number(measure.columnTitle, own, measure.scale.text, errors.exclusive);
    const columns = [
      byOwn,
      share(own),
      number(measure.inclusiveTitle, inclusive, measure.scale.text, errors.inclusive),
      share(inclusive),
      ...this.#perCall(),
      number('contexts', (m) => tree.methodContexts[m]),
      { title: 'method', number: false, text: name, order: byText(name) },
    ];
    return { columns, sorted: byOwn };
  }

  // Parts of the page's address that are not as at first.
  get parts() {
    return this.#picked === null ? [] : [['method', String(this.#picked)]];
  }

  // As these parts say; what cannot be is as at first. Returns why.
  restore(parts) {
    this.#showNone();
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
    this.#detail.append('p').attr('class', 'hint').text('Pick a method to see who calls it and what it calls.');
  }

  // Per-call columns of the measure shown, or of times when calls are shown. Inclusive ones divide by outermost calls
  // (amounts.js).
  #perCall() {
    const { calls, measure: shown, measures } = this.#report;
    if (calls === null) return [];
    const made = this.#tree.methodsOf(calls);
    const wanted = shown === calls ? measures.filter(({ unit }) => unit === 'ns') : [shown];
    return wanted.filter(({ isPerCall }) => isPerCall).flatMap((measure) => {
      const { exclusive, inclusive } = this.#tree.methodsOf(measure);
      const column = (title, amount, by, error) => {
        const value = (m) => (by[m] > 0 ? amount[m] / by[m] : 0);
        return { title, number: true, text: (m) => (value(m) > 0 ? fractionInColumn(value(m)) : ''), order: byNumber(value), error };
      };
      const errors = this.#errorsOf(measure);
      const title = measure.perCallColumnTitle;
      return [
        column(title, exclusive, made.exclusive, errors.exclusive),
        column(`incl. ${title}`, inclusive, made.outer, errors.inclusive),
      ];
    });
  }

  // How far a method's amounts may be off, as parts of them; null: not at all.
  #errorsOf(measure) {
    if (measure.samples === null) return { exclusive: () => null, inclusive: () => null };
    const { exclusive, inclusive } = this.#tree.methodsOf(measure.samples);
    return { exclusive: (m) => measure.errorOf(exclusive[m]), inclusive: (m) => measure.errorOf(inclusive[m]) };
  }

  setMatched(matched) {
    this.#matched = matched;
    const all = this.#report.names.map((_, m) => m).filter((m) => this.#has(m));
    this.#table.setRows(matched === null ? all : all.filter((m) => matched[m]));
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
    if (report.compared === null) this.#showNeighbours(m);
    else this.#showComparedNeighbours(m);
  }

  #sentence(m) {
    const tree = this.#tree;
    const { measure, compared } = this.#report;
    const contexts = plural(tree.methodContexts[m], 'context');
    if (compared === null) {
      return `${measure.amount(tree.methodValues[m])} in ${contexts}, ${measure.text(tree.methodInclusive[m])} with everything below.`;
    }
    const [old, now] = [tree.methodsOf(measure.old), tree.methodsOf(measure)];
    const change = (side, withWords) => fromToText(measure, { old: old[side][m], new: now[side][m] }, withWords);
    const before = this.#report.nameBefore(m);
    const status = statusOfMethod(tree, m);
    return `${before === null ? '' : `Was ${before}. `}${status === null ? '' : `${status === 'new' ? 'New' : 'Gone'}. `}` +
      `${change('exclusive', true)} in ${contexts}, ${change('inclusive', false)} with everything below.`;
  }

  #showNeighbours(m) {
    const report = this.#report;
    const tree = this.#tree;
    const { callers, callees } = tree.neighbours(m, report.measure);
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

  #list(title, id, pairs, whole) {
    const table = this.#appendTable(title, id);
    const { measure } = this.#report;
    const name = ([m]) => this.#nameOf(m);
    const value = ([, sum]) => sum;
    const byValue = {
      title: measure.name === 'calls' ? measure.columnTitle : measure.inclusiveTitle,
      number: true, text: (pair) => measure.scale.text(value(pair)), order: byNumber(value),
    };
    new Table(
      table,
      [
        byValue,
        { title: '', number: true, text: (pair) => percent(value(pair), whole) },
        { title: 'method', number: false, text: name, order: byText(name) },
      ],
      { sorted: byValue, pick: ([m]) => m >= 0 && this.#pick(m) },
    ).setRows(pairs);
  }
}
