// Draws a layout on a canvas as large as the visible part, scrolled over its levels.
import { select } from 'd3-selection';
import { layOut, nodeAt } from './layout.js';
import { shortName } from './names.js';

const ROW = 19;
const LEAST_LABEL = 28;
const TICK = 3;
const STRIPE = 4;          // of frames that are new
const HATCH = 6;           // of frames that are gone
const HATCHES = { '#fff': 'rgb(255 255 255 / .4)', '#000': 'rgb(0 0 0 / .35)' };  // by the ink on them
const SIGNS = { new: '+ ', gone: '\u2212 ' };

const drawnBelow = (frame) => (frame.children ?? [])
  .map(({ item }) => item).filter(({ rest }) => rest === undefined);

export class Chart {
  #box;
  #canvas;
  #spacer;
  #coloring = null;
  #direction = null;
  #item = null;
  #layout = null;
  #shape = 'icicle';
  #matched = null;
  #findings = null;
  #hasTicksBelow = false;  // the lowest frames
  #ticks = [];  // of what is found below a frame and too thin to be drawn, as last drawn
  #hovered = null;
  #marked = null;  // by arrow keys: {depth, place} in the layout
  #hatches = null;  // by the ink on what is below them
  #width = 0;  // pixels of the whole
  #scheduled = false;
  #dark = matchMedia('(prefers-color-scheme: dark)');

  // listeners: {hover(item or null, event, hidden), pick(item), pickHidden(item, drawn), shown({frames, cut}),
  // menu(item, event), themeChanged()}, and name(item) says what to call one, status(item) whether it is 'new' or
  // 'gone', or null. Hidden: how many places were found there that are too thin to be drawn; those are below the item
  // and in none of the drawn.
  constructor(box, listeners) {
    this.#box = box;
    this.#canvas = box.querySelector('canvas');
    this.#spacer = box.querySelector('.spacer');
    this.listeners = listeners;
    this.#readPalette();
    select(box)
      .on('scroll', () => this.#draw())
      .on('mousemove', (event) => this.#hover(event))
      .on('mouseleave', (event) => this.#setHovered(null, event))
      .on('contextmenu', (event) => {
        const node = this.#nodeUnder(event);
        if (node === null || node.data.item.rest !== undefined) return;
        event.preventDefault();
        this.#setHovered(null, event);
        listeners.menu(node.data.item, event);
      })
      .on('click', (event) => {
        const tick = this.#tickUnder(event);
        if (tick !== null) {
          listeners.pickHidden(tick.frame.item, drawnBelow(tick.frame));
          return;
        }
        const node = this.#nodeUnder(event);
        if (node !== null && node.data.item.rest === undefined) listeners.pick(node.data.item);
      });
    this.#dark.addEventListener('change', () => {
      this.#readPalette();
      listeners.themeChanged();
    });
    new ResizeObserver(() => this.#fit()).observe(box);
  }

  // findings: as of setFound(), in this direction.
  show(direction, item, findings) {
    this.#direction = direction;
    this.#findings = findings;
    this.#item = item;
    this.#hovered = null;
    this.#marked = null;
    this.#fit();
    this.#box.scrollTop = this.#shape === 'flame' ? this.#box.scrollHeight : 0;
  }

  setShape(shape) {
    this.#shape = shape;
    this.#box.scrollTop = shape === 'flame' ? this.#box.scrollHeight : 0;
    this.#draw();
  }

  // One byte per method, and where they are in the direction shown (findings.js); null: no search.
  setFound(matched, findings) {
    this.#matched = matched;
    this.#findings = findings;
    this.#countHidden();
    this.#draw();
  }

  // Counts the places found below each frame in callees that are not drawn.
  #countHidden() {
    if (this.#layout === null) return;
    for (const { data } of this.#layout.levels.flat()) {
      const counts = this.#findings !== null && data.item.rest === undefined;
      data.hidden = counts ? this.#findings.hiddenBelow(data.item, drawnBelow(data)) : 0;
    }
    this.#hasTicksBelow = this.#layout.levels.at(-1).some(({ data }) => data.hidden > 0);
    const more = Math.max(0, this.#contentHeight() - this.#box.clientHeight);
    select(this.#spacer).style('height', `${more}px`);
  }

  get isDark() {
    return this.#dark.matches;
  }

  // Colours of frames whose colouring number is not known: {fill, ink}.
  get neutral() {
    return { fill: this.palette.unknown, ink: null };
  }

  // As of coloring().
  setColoring(coloring) {
    this.#coloring = coloring;
    this.#draw();
  }

  // Colours of lines, by the patterns that draw them.
  get hatchColors() {
    return new Map(Object.entries(HATCHES).map(([ink, line]) => [this.#hatches[ink], line]));
  }

  // The item that arrow keys have gone to, or null.
  get marked() {
    return this.#markedNode?.data.item ?? null;
  }

  get #markedNode() {
    return this.#marked === null ? null : this.#layout.levels[this.#marked.depth]?.[this.#marked.place] ?? null;
  }

  // On the screen.
  get placeOfMarked() {
    const box = this.#box.getBoundingClientRect();
    const top = this.#top(this.#marked.depth) - this.#box.scrollTop;
    return { x: box.left + this.#x(this.#markedNode.x0) + 8, y: box.top + top + ROW };
  }

  // Goes one frame on, by the name of an arrow key: to the frame above or below as drawn, below to the widest. Returns
  // the item, or null.
  step(key) {
    if (this.#layout === null) return null;
    const isDeeper = key === (this.#shape === 'icicle' ? 'ArrowDown' : 'ArrowUp');
    const next = this.#marked === null ? { depth: 0, place: 0 } : this.#next(key, isDeeper);
    if (next !== null) {
      this.#marked = next;
      const top = this.#top(next.depth);
      const lowest = top + ROW - this.#box.clientHeight;
      this.#box.scrollTop = Math.min(top, Math.max(lowest, this.#box.scrollTop));
      this.#draw();
    }
    return this.marked;
  }

  #next(key, isDeeper) {
    const node = this.#markedNode;
    const { depth, place } = this.#marked;
    const at = (other) => (other ? { depth: other.depth, place: this.#layout.levels[other.depth].indexOf(other) } : null);
    const isFrame = (other) => other.data.item.rest === undefined;
    if (key === 'ArrowLeft') return at(this.#layout.levels[depth].slice(0, place).findLast(isFrame));
    if (key === 'ArrowRight') return at(this.#layout.levels[depth].slice(place + 1).find(isFrame));
    if (!isDeeper) return at(node.parent);
    return at((node.children ?? []).filter(isFrame).sort((a, b) => b.value - a.value)[0]);
  }

  #readPalette() {
    const style = getComputedStyle(document.documentElement);
    const color = (name) => style.getPropertyValue(name).trim();
    this.palette = {
      background: color('--panel'), text: color('--frame-text'), root: color('--frame-root'),
      match: color('--match'), faint: color('--frame-faint'), edge: color('--text'), unknown: color('--frame-unknown'),
    };
    this.#hatches = Object.fromEntries(Object.entries(HATCHES).map(([ink, line]) => [ink, hatchOf(line)]));
  }

  #fit() {
    if (this.#item === null || this.#box.clientWidth === 0) return;
    const width = this.#box.clientWidth;
    const height = this.#box.clientHeight;
    const ratio = window.devicePixelRatio || 1;
    this.#canvas.width = Math.round(width * ratio);
    this.#canvas.height = Math.round(height * ratio);
    select(this.#canvas).style('width', `${width}px`).style('height', `${height}px`);
    this.#width = width;
    this.#layout = layOut(this.#direction, this.#item, width);
    if (this.#markedNode === null) this.#marked = null;
    for (const { data } of this.#layout.levels.flat()) data.status = this.listeners.status(data.item);
    this.#countHidden();
    this.listeners.shown(this.#layout);
    this.#draw();
  }

  #contentHeight() {
    const levels = this.#layout.levels.length + (this.#hasTicksBelow ? 1 : 0);
    return Math.max(levels * ROW + 2, this.#box.clientHeight);
  }

  // Pixels of a place between 0 and 1.
  #x(place) {
    return place * this.#width;
  }

  // Top of a level within the content.
  #top(depth) {
    return this.#shape === 'icicle' ? depth * ROW : this.#contentHeight() - (depth + 1) * ROW;
  }

  #draw() {
    if (this.#scheduled || this.#layout === null) return;
    this.#scheduled = true;
    requestAnimationFrame(() => {
      this.#scheduled = false;
      this.#drawNow();
    });
  }

  #drawNow() {
    const context = this.#canvas.getContext('2d');
    const ratio = window.devicePixelRatio || 1;
    const height = this.#box.clientHeight;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = this.palette.background;
    context.fillRect(0, 0, this.#box.clientWidth, height);
    this.#ticks = this.paint(context, height, this.#box.scrollTop);
  }

  // Size of the whole graph.
  get size() {
    return { width: this.#box.clientWidth, height: this.#contentHeight() };
  }

  // Draws what is at `scroll` and below it, so many pixels. Returns the ticks.
  paint(context, height, scroll) {
    context.font = '12px system-ui, sans-serif';
    context.textBaseline = 'middle';
    for (let depth = 0; depth < this.#layout.levels.length; ++depth) {
      const y = this.#top(depth) - scroll;
      if (y > -ROW && y < height) this.#drawLevel(context, this.#layout.levels[depth], y);
    }
    return this.#drawTicks(context, height, scroll);
  }

  // Over the frames, below those that hide something.
  #drawTicks(context, height, scroll) {
    const ticks = [];
    if (this.#findings === null) return ticks;
    this.#layout.levels.forEach((level, depth) => {
      const y = this.#top(depth + 1) - scroll;
      if (y <= -ROW || y >= height) return;
      for (const node of level) {
        if (node.data.hidden > 0) ticks.push(this.#tick(node, y));
      }
    });
    context.fillStyle = this.palette.match;
    for (const { left, y } of ticks) context.fillRect(left, y, TICK, ROW - 1);
    return ticks;
  }

  // Where the callees that are not drawn are: behind the others.
  #tick(node, y) {
    const drawn = (node.children ?? []).filter((child) => child.data.item.rest === undefined);
    const right = this.#x(node.x1);
    const start = drawn.length > 0 ? this.#x(drawn.at(-1).x1) : this.#x(node.x0);
    return { frame: node.data, left: Math.max(0, Math.min(start, right - TICK)), y };
  }

  #tickUnder(event) {
    const box = this.#box.getBoundingClientRect();
    const x = event.clientX - box.left - this.#box.clientLeft;
    const y = event.clientY - box.top - this.#box.clientTop;
    return this.#ticks.findLast((tick) => x >= tick.left - 1 && x <= tick.left + TICK + 1
      && y >= tick.y && y < tick.y + ROW) ?? null;
  }

  #drawLevel(context, level, y) {
    for (const node of level) {
      if (!this.#isFound(node.data.item)) this.#drawFrame(context, node, y, 0.5);
    }
    if (this.#matched === null) return;
    // Over the others, and wide enough to be seen.
    for (const node of level) {
      if (this.#isFound(node.data.item)) this.#drawFrame(context, node, y, 2);
    }
  }

  #drawFrame(context, node, y, least) {
    const left = this.#x(node.x0);
    const width = Math.max(least, this.#x(node.x1) - left - (this.#x(node.x1) - left > 3 ? 1 : 0));
    const color = this.#color(node.data.item);
    context.fillStyle = color.fill;
    context.fillRect(left, y, width, ROW - 1);
    this.#drawStatus(context, node.data.status, left, y, width, color.ink);
    if (node.data.cut) {
      // A saw edge towards what the window leaves out.
      context.fillStyle = this.palette.edge;
      context.fillRect(left, this.#shape === 'icicle' ? y + ROW - 3 : y, width, 2);
    }
    if (node === this.#hovered || node === this.#markedNode) {
      context.strokeStyle = this.palette.edge;
      context.lineWidth = node === this.#hovered ? 1.5 : 3;
      context.strokeRect(left + 0.75, y + 0.75, Math.max(1, width - 1.5), ROW - 2.5);
    }
    if (width < LEAST_LABEL) return;
    const inset = node.data.status === 'new' ? STRIPE + 4 : 4;
    this.#drawLabel(context, node.data, left + inset, y, width - inset - 4, color.ink ?? this.palette.text);
  }

  #drawStatus(context, status, left, y, width, ink) {
    if (status === 'gone' && width > STRIPE) {
      context.fillStyle = this.#hatches[ink ?? (this.isDark ? '#fff' : '#000')];
      context.fillRect(left, y, width, ROW - 1);
    } else if (status === 'new' && width > 2 * STRIPE) {
      context.fillStyle = this.palette.edge;
      context.fillRect(left, y, STRIPE, ROW - 1);
    }
  }

  #isFound({ method }) {
    return this.#matched !== null && method >= 0 && this.#matched[method] === 1;
  }

  // {fill, ink}; ink null: as other text of frames.
  #color(item) {
    if (item.rest !== undefined) return { fill: this.palette.faint, ink: null };
    if (item.method < 0) return { fill: this.palette.root, ink: null };
    if (this.#matched === null) return this.#coloring.of(item) ?? { fill: this.palette.root, ink: null };
    return this.#isFound(item) ? { fill: this.palette.match, ink: '#fff' } : { fill: this.palette.faint, ink: null };
  }

  #drawLabel(context, { item, status }, x, y, room, ink) {
    const full = this.listeners.name(item);
    const sign = SIGNS[status] ?? '';
    let text = sign + full;
    if (context.measureText(text).width > room) {
      text = shortened(context, item.method < 0 ? full : sign + shortName(full), room);
    }
    if (text === '') return;
    context.fillStyle = ink;
    context.fillText(text, x, y + ROW / 2);
  }

  #nodeUnder(event) {
    if (this.#layout === null) return null;
    const box = this.#box.getBoundingClientRect();
    const y = event.clientY - box.top - this.#box.clientTop + this.#box.scrollTop;
    const depth = Math.floor(
      this.#shape === 'icicle' ? y / ROW : (this.#contentHeight() - y) / ROW);
    return nodeAt(this.#layout, depth, (event.clientX - box.left - this.#box.clientLeft) / this.#width);
  }

  #hover(event) {
    const tick = this.#tickUnder(event);
    if (tick !== null) this.#setHovered(null, event, tick.frame.hidden);
    else this.#setHovered(this.#nodeUnder(event), event);
  }

  #setHovered(node, event, hidden = 0) {
    if (node !== this.#hovered) {
      this.#hovered = node;
      this.#draw();
    }
    this.listeners.hover(node === null ? null : node.data.item, event, hidden);
  }
}

// Oblique lines, to lay over a colour.
function hatchOf(color) {
  const tile = new OffscreenCanvas(HATCH, HATCH);
  const context = tile.getContext('2d');
  context.strokeStyle = color;
  context.lineWidth = 1;
  for (const shift of [-HATCH, 0, HATCH]) {
    context.beginPath();
    context.moveTo(shift - 1, HATCH + 1);
    context.lineTo(shift + HATCH + 1, -1);
    context.stroke();
  }
  return context.createPattern(tile, 'repeat');
}

function shortened(context, text, room) {
  if (context.measureText(text).width <= room) return text;
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (context.measureText(`${text.slice(0, middle)}…`).width <= room) low = middle;
    else high = middle - 1;
  }
  return low < 2 ? '' : `${text.slice(0, low)}…`;
}
