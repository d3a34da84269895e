// Draws a layout on a canvas as large as the visible part, scrolled over its levels.
import { scaleLinear } from 'd3-scale';
import { select } from 'd3-selection';
import { methodColors } from './colors.js';
import { layOut, nodeAt } from './layout.js';

const ROW = 19;
const LEAST_LABEL = 28;

export class Chart {
  #box;
  #canvas;
  #spacer;
  #report;
  #direction = null;
  #item = null;
  #layout = null;
  #shape = 'icicle';
  #matched = null;
  #hovered = null;
  #x = scaleLinear();
  #scheduled = false;
  #dark = matchMedia('(prefers-color-scheme: dark)');

  // listeners: {hover(item or null, event), pick(item), shown({frames, cut})}, and name(item) says what to call one
  constructor(box, report, listeners) {
    this.#box = box;
    this.#canvas = box.querySelector('canvas');
    this.#spacer = box.querySelector('.spacer');
    this.#report = report;
    this.listeners = listeners;
    this.#readColors();
    select(box)
      .on('scroll', () => this.#draw())
      .on('mousemove', (event) => this.#hover(event))
      .on('mouseleave', (event) => this.#setHovered(null, event))
      .on('click', (event) => {
        const node = this.#nodeUnder(event);
        if (node !== null && node.data.item.rest === undefined) listeners.pick(node.data.item);
      });
    this.#dark.addEventListener('change', () => {
      this.#readColors();
      this.#draw();
    });
    new ResizeObserver(() => this.#fit()).observe(box);
  }

  show(direction, item) {
    this.#direction = direction;
    this.#item = item;
    this.#hovered = null;
    this.#fit();
    this.#box.scrollTop = this.#shape === 'flame' ? this.#box.scrollHeight : 0;
  }

  setShape(shape) {
    this.#shape = shape;
    this.#box.scrollTop = shape === 'flame' ? this.#box.scrollHeight : 0;
    this.#draw();
  }

  // One byte per method; null: no search.
  setMatched(matched) {
    this.#matched = matched;
    this.#draw();
  }

  #readColors() {
    this.colors = methodColors(this.#report, this.#dark.matches);
    const style = getComputedStyle(document.documentElement);
    const color = (name) => style.getPropertyValue(name).trim();
    this.palette = {
      background: color('--panel'), text: color('--frame-text'), root: color('--frame-root'),
      match: color('--match'), faint: color('--frame-faint'), edge: color('--text'),
    };
  }

  #fit() {
    if (this.#item === null || this.#box.clientWidth === 0) return;
    const width = this.#box.clientWidth;
    const height = this.#box.clientHeight;
    const ratio = window.devicePixelRatio || 1;
    this.#canvas.width = Math.round(width * ratio);
    this.#canvas.height = Math.round(height * ratio);
    select(this.#canvas).style('width', `${width}px`).style('height', `${height}px`);
    this.#x.domain([0, 1]).range([0, width]);
    this.#layout = layOut(this.#direction, this.#item, width);
    select(this.#spacer).style('height', `${Math.max(0, this.#contentHeight() - height)}px`);
    this.listeners.shown(this.#layout);
    this.#draw();
  }

  #contentHeight() {
    return Math.max(this.#layout.levels.length * ROW + 2, this.#box.clientHeight);
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
    context.font = '12px system-ui, sans-serif';
    context.textBaseline = 'middle';
    for (let depth = 0; depth < this.#layout.levels.length; ++depth) {
      const y = this.#top(depth) - this.#box.scrollTop;
      if (y > -ROW && y < height) this.#drawLevel(context, this.#layout.levels[depth], y);
    }
  }

  #drawLevel(context, level, y) {
    for (const node of level) {
      const left = this.#x(node.x0);
      const width = Math.max(0.5, this.#x(node.x1) - left - (this.#x(node.x1) - left > 3 ? 1 : 0));
      context.fillStyle = this.#fill(node.data.item);
      context.fillRect(left, y, width, ROW - 1);
      if (node.data.cut) {
        // A saw edge towards what the window leaves out.
        context.fillStyle = this.palette.edge;
        context.fillRect(left, this.#shape === 'icicle' ? y + ROW - 3 : y, width, 2);
      }
      if (node === this.#hovered) {
        context.strokeStyle = this.palette.edge;
        context.lineWidth = 1.5;
        context.strokeRect(left + 0.75, y + 0.75, Math.max(1, width - 1.5), ROW - 2.5);
      }
      if (width >= LEAST_LABEL) this.#drawLabel(context, node.data.item, left + 4, y, width - 8);
    }
  }

  #fill(item) {
    if (item.rest !== undefined) return this.palette.faint;
    if (item.method < 0) return this.palette.root;
    if (this.#matched === null) return this.colors[item.method];
    return this.#matched[item.method] ? this.palette.match : this.palette.faint;
  }

  #drawLabel(context, item, x, y, room) {
    const full = this.listeners.name(item);
    let text = full;
    if (context.measureText(full).width > room) {
      text = shortened(context, item.method < 0 ? full : shortName(full), room);
    }
    if (text === '') return;
    const matched = this.#matched !== null && item.method >= 0 && this.#matched[item.method];
    context.fillStyle = matched ? '#fff' : this.palette.text;
    context.fillText(text, x, y + ROW / 2);
  }

  #nodeUnder(event) {
    if (this.#layout === null) return null;
    const box = this.#box.getBoundingClientRect();
    const y = event.clientY - box.top - this.#box.clientTop + this.#box.scrollTop;
    const depth = Math.floor(
      this.#shape === 'icicle' ? y / ROW : (this.#contentHeight() - y) / ROW);
    return nodeAt(this.#layout, depth, this.#x.invert(event.clientX - box.left - this.#box.clientLeft));
  }

  #hover(event) {
    this.#setHovered(this.#nodeUnder(event), event);
  }

  #setHovered(node, event) {
    if (node !== this.#hovered) {
      this.#hovered = node;
      this.#draw();
    }
    this.listeners.hover(node === null ? null : node.data.item, event);
  }
}

// pkg.Outer$Inner.method(..) -> Outer$Inner.method
export function shortName(name) {
  const parameters = name.indexOf('(');
  const plain = parameters > 0 ? name.slice(0, parameters) : name;
  const method = plain.lastIndexOf('.');
  return plain.slice(plain.lastIndexOf('.', method - 1) + 1);
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
