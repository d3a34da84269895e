// A drawing context that makes SVG: of a canvas's operations those that the graph is drawn by.

const escaped = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const short = (number) => String(Math.round(number * 100) / 100);

export class SvgCanvas {
  #width;
  #height;
  #patterns; // colours of lines by the canvas patterns that stand for them
  #parts = [];
  #measuring = new OffscreenCanvas(1, 1).getContext('2d');

  constructor(width, height, patterns) {
    this.#width = width;
    this.#height = height;
    this.#patterns = patterns;
    this.fillStyle = '#000';
    this.strokeStyle = '#000';
    this.lineWidth = 1;
    this.font = '12px sans-serif';
    this.textBaseline = 'middle';
  }

  fillRect(x, y, width, height) {
    this.#parts.push(`<rect${this.#place(x, y, width, height)} fill="${this.#fill}"/>`);
  }

  strokeRect(x, y, width, height) {
    this.#parts.push(
      `<rect${this.#place(x, y, width, height)} fill="none" stroke="${escaped(this.strokeStyle)}"` +
        ` stroke-width="${this.lineWidth}"/>`,
    );
  }

  fillText(text, x, y) {
    this.#parts.push(`<text x="${short(x)}" y="${short(y)}" fill="${this.#fill}">${escaped(text)}</text>`);
  }

  measureText(text) {
    this.#measuring.font = this.font;
    return this.#measuring.measureText(text);
  }

  #place(x, y, width, height) {
    return ` x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}"`;
  }

  get #fill() {
    if (typeof this.fillStyle === 'string') return escaped(this.fillStyle);
    return `url(#hatch${[...this.#patterns.keys()].indexOf(this.fillStyle)})`;
  }

  toString() {
    const hatches = [...this.#patterns.values()].map(
      (color, i) =>
        `<pattern id="hatch${i}" width="6" height="6" patternUnits="userSpaceOnUse">` +
        `<path d="M-1 7L7 -1M-1 1L1 -1M5 7L7 5" stroke="${escaped(color)}"/></pattern>`,
    );
    return (
      `<svg xmlns="http://www.w3.org/2000/svg" width="${this.#width}" height="${this.#height}" ` +
      'font-family="system-ui, sans-serif" font-size="12" ' +
      `dominant-baseline="central"><defs>${hatches.join('')}</defs>${this.#parts.join('\n')}</svg>\n`
    );
  }
}
