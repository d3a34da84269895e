// The table of methods, and one method with its callers and callees.
import { select } from 'd3-selection';
import { grouped, percent, plural, printable } from './format.js';
import { byNumber, byText, Table } from './table.js';

export class MethodViews {
  #report;
  #tableElement;
  #table;
  #matched = null;
  #detail;
  #choose;

  // choose(m): searches for this very method and shows it in the graph.
  constructor(report, tableElement, detailElement, choose) {
    this.#report = report;
    this.#tableElement = tableElement;
    this.#detail = select(detailElement);
    this.#choose = choose;
    this.refresh();
  }

  // The report shows another measure.
  refresh() {
    const report = this.#report;
    const total = report.inclusive[0];
    const { measure } = report;
    const number = (title, value, text = grouped) => ({
      title, number: true, text: (m) => text(value(m)), order: byNumber(value),
    });
    const share = (value) => ({ title: '', number: true, text: (m) => percent(value(m), total) });
    const own = (m) => report.methodValues[m];
    const inclusive = (m) => report.methodInclusive[m];
    const name = (m) => report.names[m];
    const byOwn = number(measure.columnTitle, own, measure.scale.text);
    select(this.#tableElement).selectAll('*').remove();
    this.#table = new Table(
      this.#tableElement,
      [
        byOwn,
        share(own),
        number(measure.inclusiveTitle, inclusive, measure.scale.text),
        share(inclusive),
        number('contexts', (m) => report.methodContexts[m]),
        { title: 'method', number: false, text: name, order: byText(name) },
      ],
      { sorted: byOwn, pick: (m) => this.showMethod(m) },
    );
    this.setMatched(this.#matched);
    this.#detail.selectAll('*').remove();
    this.#detail.append('p').attr('class', 'hint').text('Pick a method to see who calls it and what it calls.');
  }

  setMatched(matched) {
    this.#matched = matched;
    const { methodInclusive, names } = this.#report;
    const all = names.map((_, m) => m).filter((m) => methodInclusive[m] > 0);
    this.#table.setRows(matched === null ? all : all.filter((m) => matched[m]));
  }

  showMethod(m) {
    const report = this.#report;
    const { methods } = report;
    const { callers, callees } = report.neighbours(m);
    this.#detail.selectAll('*').remove();
    this.#detail.append('h2').text(report.names[m]);
    const where = [methods.source[m], methods.descriptor[m], `loader ${methods.loader[m]}`];
    this.#detail.append('p').attr('class', 'hint').text(where.filter(Boolean).map(printable).join(' · '));
    this.#detail
      .append('p')
      .text(
        `${report.measure.amount(report.methodValues[m])} in ${plural(report.methodContexts[m], 'context')}, ` +
          `${report.measure.text(report.methodInclusive[m])} with everything below.`,
      );
    this.#detail
      .append('button')
      .text('Find in the graph')
      .on('click', () => this.#choose(m));
    const isCalls = report.measure.name === 'calls';
    const own = isCalls ? report.methodValues[m] : report.methodInclusive[m];
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
      { sorted: byValue, pick: ([m]) => m >= 0 && this.showMethod(m) },
    ).setRows(pairs);
  }
}
