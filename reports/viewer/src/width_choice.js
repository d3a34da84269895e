// In a comparison: which report frames are as wide as, and what is not drawn then.
import { select } from 'd3-selection';
import { countChanges, WIDTHS } from './comparison.js';
import { plural } from './format.js';

export class WidthChoice {
  #reading;
  #changed;

  // changed(): the reader chose another.
  constructor(reading, changed) {
    this.#reading = reading;
    this.#changed = changed;
    select('#widths').property('hidden', this.#compared === null);
    if (this.#compared === null) return;
    for (const width of WIDTHS) select(`#width-${width}`).on('click', () => this.#choose(width));
    select('#width-new').attr('title', this.#compared.newName);
    select('#width-old').attr('title', this.#compared.oldName);
  }

  get #compared() {
    return this.#reading.report.compared;
  }

  // Parts of the page's address that are not as at first.
  get parts() {
    return this.#compared === null || this.#compared.width === WIDTHS[0] ? [] : [['width', this.#compared.width]];
  }

  // As these parts say, before anything is shown by it; what cannot be is as at first. Returns why.
  restore(parts) {
    const width = parts.get('width') ?? WIDTHS[0];
    const isWidth = width === WIDTHS[0] || (this.#compared !== null && WIDTHS.includes(width));
    if (this.#compared !== null) this.#compared.width = isWidth ? width : WIDTHS[0];
    return isWidth ? [] : [`there is no width ${width}`];
  }

  #choose(width) {
    if (this.#compared.width === width) return;
    this.#compared.width = width;
    this.#changed();
  }

  // Something else is read.
  refresh() {
    if (this.#compared === null) return;
    const { width } = this.#compared;
    for (const name of WIDTHS) select(`#width-${name}`).attr('aria-pressed', name === width);
    const { measure } = this.#reading.report;
    const { fresh, freshAmount, gone, goneAmount } = countChanges(this.#reading.tree);
    const [count, amount, report, word] = width === 'new' ? [gone, goneAmount, 'old', 'gone'] : [fresh, freshAmount, 'new', 'new'];
    const line = select('#undrawn').property('hidden', width === 'larger' || count === 0);
    line.selectChildren().remove();
    line.append('span').text(`Not drawn: ${plural(count, `${word} context`)}, ${measure.amount(amount)} in ${report}. `);
    line.append('button').text('Draw all').attr('title', 'By the larger of old and new').on('click', () => this.#choose('larger'));
  }
}
