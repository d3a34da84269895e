// The graph with its toolbar, the path to the zoomed frame, the tooltip and the detail line.
import { select } from 'd3-selection';
import { errors } from './amounts.js';
import { Chart } from './chart.js';
import { colorChoices, coloring } from './coloring.js';
import { statusOf } from './comparison.js';
import { appendFactColumns, appendFactLines, factsOf } from './facts.js';
import { grouped, percent, plural, printable } from './format.js';
import { showLegend } from './legend.js';
import { appendActions } from './menu.js';
import { shortName } from './names.js';
import { saveGraph } from './saving.js';

const SHAPES = ['icicle', 'flame'];
const PATH_HEAD = 2;
const PATH_TAIL = 5;

export class GraphView {
  #reading;
  #color;  // the key of one of colorChoices()
  #chart;
  #item;
  #zoomed = '';  // its key (Reading.keyOf)
  #shape = SHAPES[0];
  #listeners;

  // listeners: {goTo(i): to a place found, actions(item): what can be done with it (menu.js), menu(item, x, y),
  // moved(): the reader went to another frame or look}.
  constructor(reading, listeners) {
    this.#reading = reading;
    this.#listeners = listeners;
    this.#color = this.#firstColor;
    this.#chart = new Chart(document.getElementById('chart'), {
      hover: (item, event, hidden) => this.#hover(item, event, hidden),
      pick: (item) => this.#move(item),
      pickHidden: (item, drawn) => listeners.goTo(reading.findings.firstHidden(item, drawn)),
      name: (item) => reading.label(item),
      status: (item) => (reading.report.compared === null ? null : statusOf(reading.direction, item)),
      shown: (layout) => {
        this.#describe(layout);
        this.#showDetail(this.#item);
      },
      menu: (item, { clientX, clientY }) => listeners.menu(item, clientX, clientY),
      themeChanged: () => this.#paint(),
    });
    for (const shape of SHAPES) {
      select(`#${shape}`).on('click', () => {
        this.#turn(shape);
        listeners.moved();
      });
    }
    select('#reset').on('click', () => this.reset());
    for (const format of ['svg', 'png']) select(`#save-${format}`).on('click', () => this.#save(format));
    select('#color').on('change', (event) => {
      this.#color = event.target.value;
      this.#paint();
      listeners.moved();
    });
    select('#chart').on('keydown', (event) => this.press(event));
    this.refresh();
  }

  // Parts of the page's address that are not as at first.
  get parts() {
    const { root } = this.#direction;
    return [
      ['color', this.#color, this.#firstColor], ['shape', this.#shape, SHAPES[0]],
      ['zoom', this.#direction.addressOf(this.#item), this.#direction.addressOf(root)],
    ].filter(([, value, first]) => value !== first).map(([key, value]) => [key, value]);
  }

  // As these parts say; what cannot be is as at first. Returns why.
  restore(parts) {
    const color = parts.get('color') ?? this.#firstColor;
    const shape = parts.get('shape') ?? SHAPES[0];
    const zoom = parts.has('zoom') ? this.#direction.itemAt(parts.get('zoom')) : this.#direction.root;
    const isColor = colorChoices(this.#report).some(({ key }) => key === color);
    this.#color = isColor ? color : this.#firstColor;
    this.#offerColors();
    this.#paint();
    this.#turn(SHAPES.includes(shape) ? shape : SHAPES[0]);
    this.zoom(zoom ?? this.#direction.root);
    return [
      isColor ? null : `colour ${color} is none that this report has`,
      SHAPES.includes(shape) ? null : `shape ${shape} is neither of ${SHAPES.join(' and ')}`,
      zoom === null ? `there is no frame ${parts.get('zoom')}` : null,
    ].filter((problem) => problem !== null);
  }

  get #firstColor() {
    return colorChoices(this.#report)[0].key;
  }

  get #direction() {
    return this.#reading.direction;
  }

  get #report() {
    return this.#reading.report;
  }

  get #tree() {
    return this.#reading.tree;
  }

  zoom(item) {
    this.#item = item;
    this.#zoomed = this.#reading.keyOf(item);
    this.#chart.show(this.#direction, item, this.#reading.findings);
    select('#reset').property('disabled', item === this.#direction.root);
    this.#showPath();
    this.#hover(null);
  }

  // Arrow keys go from frame to frame, as they are drawn.
  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Backspace') {
      this.#move(this.#direction.parent(this.#item) ?? this.#item);
    } else if (event.key.startsWith('Arrow')) {
      const item = this.#chart.step(event.key);
      document.getElementById('chart').focus({ preventScroll: true });
      select('#tip').property('hidden', true);
      if (item !== null) this.#showDetail(item);
    } else if (event.key === 'Enter' && this.#chart.marked !== null) {
      this.#move(this.#chart.marked);
    } else if (event.key === 'ContextMenu' && this.#chart.marked !== null) {
      const { x, y } = this.#chart.placeOfMarked;
      this.#listeners.menu(this.#chart.marked, x, y);
    } else {
      return;
    }
    event.preventDefault();
  }

  #save(format) {
    const name = decodeURIComponent(location.pathname.split('/').at(-1)).replace(/\.html?$/, '') || 'copse';
    const { measure } = this.#report;
    const path = this.#item === this.#direction.root ? '' : ` · ${this.#reading.name(this.#item)}`;
    const caption = `${document.title.replace(/^Copse: /, '')} · ${measure.amount(this.#item.value)}${path}`;
    saveGraph(this.#chart, format, caption, name);
  }

  reset() {
    this.#move(this.#direction.root);
  }

  #move(item) {
    this.zoom(item);
    this.#listeners.moved();
  }

  // Draws what the reading now has. A zoomed frame stays zoomed if it still exists and has a width.
  refresh(isSame = false) {
    const kept = isSame ? this.#reading.itemOf(this.#zoomed) : null;
    this.#offerColors();
    this.#paint();
    this.zoom(kept !== null && kept.value > 0 ? kept : this.#direction.root);
  }

  // A search found something else.
  setFound() {
    this.#chart.setFound(this.#reading.matched, this.#reading.findings);
  }

  // Offers the colourings of the measure shown.
  #offerColors() {
    const choices = colorChoices(this.#report);
    if (!choices.some(({ key }) => key === this.#color)) this.#color = choices[0].key;
    const box = select('#color');
    box.selectChildren().remove();
    const groups = new Map([['', box]]);
    for (const { key, group, title } of choices) {
      if (!groups.has(group)) groups.set(group, box.append('optgroup').attr('label', group));
      groups.get(group).append('option').attr('value', key).text(title);
    }
    box.property('value', this.#color);
  }

  #paint() {
    const choice = colorChoices(this.#report).find(({ key }) => key === this.#color);
    const { neutral, isDark } = this.#chart;
    const made = coloring(choice, this.#direction, isDark, neutral);
    showLegend(document.getElementById('legend'), made.legend, neutral);
    this.#chart.setColoring(made);
  }

  #turn(name) {
    this.#shape = name;
    for (const id of SHAPES) select(`#${id}`).attr('aria-pressed', id === name);
    this.#chart.setShape(name);
  }

  #describe({ frames, cut }) {
    if (this.#item.value === 0) {
      const { measure, compared } = this.#report;
      const [where, other] = compared === null ? ['', 'measure'] : [` ${compared.widthWords}`, 'width or measure'];
      select('#shown').text(`there is no ${measure.words} here${where}: show another ${other}`);
      return;
    }
    const deeper = cut > 0 ? '; it goes on below: click a marked frame' : '';
    select('#shown').text(`${plural(frames, 'frame')} drawn${deeper}`);
  }

  // The frames above the zoomed one, outermost first; a long middle is only counted.
  #showPath() {
    const above = [...this.#reading.above(this.#item), this.#item];
    const left = above.length - PATH_HEAD - PATH_TAIL;
    const parts = left <= 1
      ? above
      : [...above.slice(0, PATH_HEAD), { skipped: left }, ...above.slice(-PATH_TAIL)];
    const path = select('#path');
    path.selectChildren().remove();
    parts.forEach((part, i) => {
      if (i > 0) path.append('span').attr('class', 'arrow').text('›');
      if (part.skipped !== undefined) {
        path.append('span').text(`… ${grouped(part.skipped)} more …`);
      } else if (i === parts.length - 1) {
        path.append('strong').text(shortName(this.#reading.name(part)));
      } else {
        path.append('button').attr('title', this.#reading.name(part)).text(shortName(this.#reading.name(part)))
          .on('click', () => this.#move(part));
      }
    });
  }

  #showDetail(item) {
    const detail = select('#detail');
    detail.selectChildren().remove();
    const head = detail.append('div').attr('class', 'head');
    const title = head.append('strong').text(this.#reading.name(item));
    head.append('span').text(this.#remarks(item, true).join(' · '));
    if (item.rest === undefined) appendFactColumns(detail, factsOf(this.#direction, item));
    if (item.method >= 0) {
      const { source, loader } = this.#report.methods;
      const where = [source[item.method], `loader ${loader[item.method]}`].filter(Boolean);
      title.attr('title', where.map(printable).join(' · '));
      if (item === this.#item || item === this.#chart.marked) appendActions(head, this.#listeners.actions(item));
    }
  }

  // Facts about an item besides its amounts.
  #remarks(item, withContexts) {
    const { measure, compared } = this.#report;
    const byWidth = compared === null ? '' : ` ${compared.widthWords}`;
    if (item.rest !== undefined) {
      return [`together ${measure.amount(item.value)}${byWidth} (${percent(item.value, this.#tree.inclusive[0])})`];
    }
    const remarks = compared === null ? [] : this.#comparedRemarks(item);
    if (this.#item !== this.#direction.root && item !== this.#item && item.value > 0) {
      const error = errors(this.#direction, item, measure)[this.#direction.widthSide];
      remarks.push(`${percent(item.value, this.#item.value, error)} of the zoomed frame${byWidth}`);
    }
    const site = this.#direction.site(item);
    if (site !== '') remarks.push(`called at ${site}`);
    if (withContexts) remarks.push(plural(this.#direction.contexts(item), 'context'));
    return remarks;
  }

  #comparedRemarks(item) {
    const status = statusOf(this.#direction, item);
    const before = item.method < 0 ? null : this.#report.nameBefore(item.method);
    return [
      status === null ? null : status === 'new' ? 'new: not in the old report' : 'gone: not in the new report',
      before === null ? null : `was ${before}`,
    ].filter((remark) => remark !== null);
  }

  #hover(item, event, hidden = 0) {
    const tip = select('#tip').property('hidden', item === null && hidden === 0);
    this.#showDetail(item ?? this.#item);
    if (item === null && hidden === 0) return;
    tip.selectChildren().remove();
    if (hidden > 0) {
      tip.append('strong').text(`${plural(hidden, 'place')} found, too thin to draw`);
      tip.append('div').text('Click to go to the largest');
    } else {
      tip.append('strong').text(this.#reading.name(item));
      if (item.rest === undefined) appendFactLines(tip, factsOf(this.#direction, item));
      for (const line of this.#remarks(item, false)) tip.append('div').text(line);
    }
    const box = tip.node().getBoundingClientRect();
    const left = Math.min(event.clientX + 14, window.innerWidth - box.width - 8);
    const below = event.clientY + 18;
    const top = below + box.height < window.innerHeight ? below : event.clientY - box.height - 12;
    tip.style('left', `${Math.max(4, left)}px`).style('top', `${Math.max(4, top)}px`);
  }
}
