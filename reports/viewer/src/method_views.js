// The table of methods, and one method with its callers and callees.
import { select } from 'd3-selection';
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

  // What is read has changed.
  refresh() {
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
    select(this.#tableElement).selectAll('*').remove();
    this.#table = new Table(
      this.#tableElement,
      [
        byOwn,
        share(own),
        number(measure.inclusiveTitle, inclusive, measure.scale.text, errors.inclusive),
        share(inclusive),
        ...this.#perCall(),
        number('contexts', (m) => tree.methodContexts[m]),
        { title: 'method', number: false, text: name, order: byText(name) },
      ],
      { sorted: byOwn, pick: (m) => this.#pick(m) },
    );
    this.setMatched(this.#matched);
    if (this.#picked === null || !(tree.methodInclusive[this.#picked] > 0)) this.#showNone();
    else this.#show(this.#picked);
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
    if (!/^\d+$/.test(text) || !(this.#tree.methodInclusive[Number(text)] > 0)) return [`method ${text} has nothing of what is shown`];
    this.#show(Number(text));
    return [];
  }

  #pick(m) {
    this.#show(m);
    this.#listeners.moved();
  }

  #showNone() {
    this.#picked = null;
    this.#detail.selectAll('*').remove();
    this.#detail.append('p').attr('class', 'hint').text('Pick a method to see who calls it and what it calls.');
  }

  // Of the measure shown; where calls are shown, of times. Inclusively: by outermost call (amounts.js).
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
    const { methodInclusive } = this.#tree;
    const all = this.#report.names.map((_, m) => m).filter((m) => methodInclusive[m] > 0);
    this.#table.setRows(matched === null ? all : all.filter((m) => matched[m]));
  }

  #show(m) {
    this.#picked = m;
    const report = this.#report;
    const tree = this.#tree;
    const { methods } = report;
    const { callers, callees } = tree.neighbours(m);
    this.#detail.selectAll('*').remove();
    this.#detail.append('h2').text(report.names[m]);
    const where = [methods.source[m], methods.descriptor[m], `loader ${methods.loader[m]}`];
    this.#detail.append('p').attr('class', 'hint').text(where.filter(Boolean).map(printable).join(' · '));
    this.#detail
      .append('p')
      .text(
        `${report.measure.amount(tree.methodValues[m])} in ${plural(tree.methodContexts[m], 'context')}, ` +
          `${report.measure.text(tree.methodInclusive[m])} with everything below.`,
      );
    appendActions(this.#detail, this.#listeners.actionsOfMethod(m));
    const isCalls = report.measure.name === 'calls';
    const own = isCalls ? tree.methodValues[m] : tree.methodInclusive[m];
    this.#list(`Callers (${grouped(callers.length)})`, 'callers', callers, own);
    const made = isCalls ? callees.reduce((sum, [, value]) => sum + value, 0) : own;
    this.#list(`Callees (${grouped(callees.length)})`, 'callees', callees, made);
  }

  #list(title, id, pairs, whole) {
    this.#detail.append('h3').text(title);
    const box = this.#detail.append('div');
    const table = box.append('table').attr('id', id);
    box.append('p').attr('class', 'more');
    const { measure } = this.#report;
    const name = ([m]) => (m < 0 ? '(thread entry)' : this.#report.names[m]);
    const value = ([, sum]) => sum;
    const byValue = {
      title: measure.name === 'calls' ? measure.columnTitle : measure.inclusiveTitle,
      number: true, text: (pair) => measure.scale.text(value(pair)), order: byNumber(value),
    };
    new Table(
      table.node(),
      [
        byValue,
        { title: '', number: true, text: (pair) => percent(value(pair), whole) },
        { title: 'method', number: false, text: name, order: byText(name) },
      ],
      { sorted: byValue, pick: ([m]) => m >= 0 && this.#pick(m) },
    ).setRows(pairs);
  }
}
