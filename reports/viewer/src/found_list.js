// The list of places that a search found, beside the graph: steps from one to the next, and shows some at a
// time.
import { select } from 'd3-selection';
import { errors } from './amounts.js';
import { fromToText } from './difference.js';
import { grouped, percent, plural } from './format.js';
import { shortName } from './names.js';

const AT_ONCE = 50;
const MOST_SHOWN = 300;  // a window of the list, so that the last of millions costs no more than the first

export class FoundList {
  #reading;
  #pick;
  #findings = null;
  #at = -1;
  #start = 0;
  #limit = AT_ONCE;

  // pick(item): shows a place.
  constructor(reading, pick) {
    this.#reading = reading;
    this.#pick = pick;
    select('#next').on('click', () => this.step(1));
    select('#previous').on('click', () => this.step(-1));
  }

  // Takes over what the reading has found.
  refresh() {
    const { findings } = this.#reading;
    this.#findings = findings;
    this.#at = -1;
    this.#start = 0;
    this.#limit = AT_ONCE;
    if (findings !== null) this.#render();
  }

  get count() {
    return this.#findings?.count ?? 0;
  }

  // To the next place, or the one before; from the last to the first.
  step(by) {
    if (this.count === 0) return;
    this.go(this.#at < 0 ? (by > 0 ? 0 : this.count - 1) : (this.#at + by + this.count) % this.count);
  }

  go(i) {
    this.#at = i;
    if (i >= this.#limit) this.#limit = Math.min(this.count, i + AT_ONCE);
    if (i < this.#start || this.#limit - this.#start > MOST_SHOWN) {
      this.#start = Math.max(0, Math.min(i, this.#limit - MOST_SHOWN));
    }
    this.#render();
    select('#found-list [aria-current]').node()?.scrollIntoView({ block: 'nearest' });
    this.#pick(this.#findings.item(i));
  }

  #render() {
    const { count } = this;
    const places = `${this.#findings.isComplete === false ? 'the widest ' : ''}${plural(count, 'place')}`;
    select('#position').text(this.#at < 0 ? places : `${grouped(this.#at + 1)} of ${places}`);
    for (const id of ['#next', '#previous']) select(id).property('disabled', count === 0);
    const list = select('#found-list');
    list.selectChildren().remove();
    const end = Math.min(count, this.#limit);
    for (let i = this.#start; i < end; ++i) this.#append(list, i);
    this.#renderMore(end);
  }

  #append(list, i) {
    const { names } = this.#reading.report;
    const item = this.#findings.item(i);
    const button = list.append('li').append('button')
      .attr('title', names[item.method])
      .attr('aria-current', i === this.#at ? 'true' : null)
      .on('click', () => this.go(i));
    button.append('span').attr('class', 'name').text(shortName(names[item.method]));
    button.append('span').text(`${this.#amountOf(item)} · ${plural(this.#findings.contexts(i), 'context')}`);
    button.append('span').attr('class', 'hint').text(this.#reading.pathText(item));
  }

  #amountOf(item) {
    const { report: { measure, compared }, tree: { inclusive }, direction } = this.#reading;
    const side = direction.widthSide;
    if (compared !== null) return fromToText(measure, (one) => direction.amounts(item, one)[side]);
    const error = errors(direction, item, measure)[side];
    return `${measure.text(item.value, error)} (${percent(item.value, inclusive[0], error)})`;
  }

  #renderMore(end) {
    const more = select('#found .more');
    more.selectAll('button').remove();
    const rest = this.count - end;
    if (rest <= 0) return;
    more.append('button').text(`Show ${grouped(Math.min(rest, AT_ONCE))} more of ${grouped(rest)}`)
      .on('click', () => {
        this.#limit = end + AT_ONCE;
        this.#render();
      });
  }
}
