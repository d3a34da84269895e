// The search box: what is typed there, or the method that was chosen, and in words what was found.
import { select } from 'd3-selection';
import { fromToText } from './difference.js';
import { percent, plural } from './format.js';
import { Search } from './search.js';

const DELAY_MS = 120;

export class SearchBox {
  #reading;
  #search;
  #listeners;
  #box = select('#search');
  #method = null;  // chosen, while its name is in the box
  #wide = false;
  #pending = 0;

  // listeners: {found(found): what is searched for now, typed(): the reader typed it}.
  constructor(reading, listeners) {
    this.#reading = reading;
    const { report } = reading;
    this.#search = new Search(report.names, (m) => report.nameBefore(m), (m) => reading.tree.has(m));
    this.#listeners = listeners;
    this.#box.on('input', () => {
      this.#method = null;
      this.#wide = false;
      clearTimeout(this.#pending);
      this.#pending = setTimeout(() => this.#type(), DELAY_MS);
    });
    select('#widen').on('click', () => {
      this.#wide = true;
      this.#type();
    });
  }

  get node() {
    return this.#box.node();
  }

  // Parts of the page's address that are not as at first.
  get parts() {
    const text = this.#box.property('value').trim();
    if (text === '') return [];
    if (this.#method !== null) return [['find', this.#reading.report.methodText(this.#method)]];
    return [['search', text], ...(this.#wide ? [['wide', 'yes']] : [])];
  }

  // As these parts say; what cannot be is as at first. Returns why.
  restore(parts) {
    const { report } = this.#reading;
    const find = parts.get('find') ?? '';
    const method = report.methodOf(find);
    const isMethod = method >= 0;
    this.#method = isMethod ? method : null;
    this.#wide = parts.get('wide') === 'yes';
    this.#box.property('value', isMethod ? report.names[method] : parts.get('search') ?? '');
    this.apply();
    return isMethod || find === '' ? [] : [`there is no method ${find} to find`];
  }

  clear() {
    this.#box.property('value', '').dispatch('input');
  }

  choose(method) {
    this.#method = method;
    this.#box.property('value', this.#reading.report.names[method]);
    this.apply();
  }

  // Runs a waiting search at once.
  settle() {
    if (this.#pending !== 0) this.#type();
  }

  #type() {
    this.apply();
    this.#listeners.typed();
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
    this.#listeners.found(found);
  }

  #inWords(found) {
    if (found === null) return '';
    if (found.methods === 0) return 'no method matches';
    const { report: { measure, compared }, tree } = this.#reading;
    const total = tree.inclusive;
    const weighed = new Map();
    const weigh = (one) => {
      if (!weighed.has(one)) weighed.set(one, tree.weigh(found.matched, one));
      return weighed.get(one);
    };
    const { own, inclusive, contexts } = weigh(measure);
    const where = `${plural(found.methods, 'method')} in ${plural(contexts, 'context')}`;
    if (compared !== null) {
      return `${where}: ${fromToText(measure, (one) => weigh(one).own, true)}, ` +
        `inclusive ${fromToText(measure, (one) => weigh(one).inclusive)}`;
    }
    const samples = measure.samples === null ? null : weigh(measure.samples);
    const error = (side) => (samples === null ? null : measure.errorOf(samples[side]));
    return `${where}: ${measure.amount(own, error('own'))} (${percent(own, total[0], error('own'))}), ` +
      `${measure.text(inclusive, error('inclusive'))} inclusive (${percent(inclusive, total[0], error('inclusive'))})`;
  }
}
