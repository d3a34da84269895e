// Saves the graph as it is coloured and searched, to its full depth, as SVG or PNG.
import { SvgCanvas } from './svg_canvas.js';

const CAPTION = 22; // pixels above the graph
const INSET = 5;
const MOST_PIXELS = 16_000; // that a canvas may be high

// format: 'svg' or 'png'. caption: a line above the graph.
export function saveGraph(chart, format, caption, name) {
  const { width, height } = chart.size;
  const whole = height + CAPTION;
  if (format === 'svg') {
    const svg = new SvgCanvas(width, whole, chart.hatchColors);
    draw(svg, chart, width, whole, caption);
    download(new Blob([svg.toString()], { type: 'image/svg+xml' }), `${name}.svg`);
    return;
  }
  const ratio = Math.min(window.devicePixelRatio * 2, MOST_PIXELS / whole);
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(whole * ratio);
  const context = canvas.getContext('2d');
  context.scale(ratio, ratio);
  draw(context, chart, width, whole, caption);
  canvas.toBlob((blob) => download(blob, `${name}.png`), 'image/png');
}

function draw(context, chart, width, height, caption) {
  context.fillStyle = chart.palette.background;
  context.fillRect(0, 0, width, height);
  chart.paint(context, height, -CAPTION);
  context.fillStyle = chart.palette.edge;
  context.fillText(caption, INSET, CAPTION / 2);
}

function download(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
