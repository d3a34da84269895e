// The search box: what is typed there, or the method that was chosen, and in words what was found.
import { select } from 'd3-selection';
import { percent, plural } from './format.js';
import { Search } from './search.js';

const DELAY_MS = 120;

export class SearchBox {
  #reading;
  #search;
  #changed;
  #box = select('#search');
  #method = null;  // chosen, while its name is in the box
  #wide = false;
  #pending = 0;

  // changed(found): what is searched for now.
  constructor(reading, changed) {
    this.#reading = reading;
    this.#search = new Search(reading.report.names);
    this.#changed = changed;
    this.#box.on('input', () => {
      this.#method = null;
      this.#wide = false;
      clearTimeout(this.#pending);
      this.#pending = setTimeout(() => this.apply(), DELAY_MS);
    });
    select('#widen').on('click', () => {
      this.#wide = true;
      this.apply();
    });
  }

  get node() {
    return this.#box.node();
  }

  clear() {
    this.#box.property('value', '').dispatch('input');
  }

  choose(method) {
    this.#method = method;
    this.#box.property('value', this.#reading.report.names[method]);
    this.apply();
  }

  // What waits to be searched for is, at once.
  settle() {
    if (this.#pending !== 0) this.apply();
  }

  apply() {
    clearTimeout(this.#pending);
    this.#pending = 0;
    let found = null;
    try {
      const text = this.#box.property('value').trim();
      found = this.#method !== null ? this.#search.chosen(this.#method) : this.#search.typed(text, this.#wide);
    } catch (error) {
      select('#matches').text(`not a regular expression: ${error.message}`);
      return;
    }
    select('#matches').text(this.#inWords(found));
    const others = found?.others ?? 0;
    select('#widen').property('hidden', others === 0)
      .text(`${plural(others, 'longer name')} left out: search all`);
    this.#changed(found);
  }

  #inWords(found) {
    if (found === null) return '';
    if (found.methods === 0) return 'no method matches';
    const { report: { measure }, tree } = this.#reading;
    const total = tree.inclusive;
    const { own, inclusive, contexts } = tree.weigh(found.matched);
    const where = `${plural(found.methods, 'method')} in ${plural(contexts, 'context')}`;
    return `${where}: ${measure.amount(own)} (${percent(own, total[0])}), ` +
      `${measure.text(inclusive)} inclusive (${percent(inclusive, total[0])})`;
  }
}
