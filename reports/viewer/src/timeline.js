// The strip above the views: processor time over the time of the run, of the program and of the JVM's own threads.
// The pointer or the arrow keys choose a place, whose numbers stand above the strip.
import { select } from 'd3-selection';
import { fixed, inWords } from './quantity.js';

const PARTS = [
  ['program_ns', 'program'],
  ['compilers_ns', 'JIT compilers'],
  ['collectors_ns', 'garbage collectors'],
  ['others_ns', 'others'],
];
const LEAST_ROWS = 5; // fewer tell nothing
const NS_PER_MS = 1e6;
const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1, PageUp: 10, PageDown: -10 };

export function showTimeline({ timeline }) {
  const count = timeline?.program_ns.length ?? 0;
  if (count < LEAST_ROWS) return;
  const columns = PARTS.map(([key, name]) => ({ name, values: timeline[key] }));
  const used = columns.filter(({ values }) => values.some((value) => value > 0));
  const share = (value) => value / NS_PER_MS / timeline.step_ms; // of a processor
  const most = Math.max(...timeline.program_ns.map((_, row) => sum(columns.map(({ values }) => values[row]))));
  const box = select('#timeline').property('hidden', false);
  const items = box.select('.parts').selectAll('span').data(columns).join('span').attr('class', ({ name }) => classOf(name));
  items.append('i').attr('class', 'swatch');
  const texts = items.append('span');

  const strip = box.select('.strip').append('svg').attr('aria-hidden', true);
  strip.attr('preserveAspectRatio', 'none').attr('viewBox', `0 0 ${count} 1`);
  const below = new Array(count).fill(0);
  for (const { name, values } of used) {
    const from = [...below];
    values.forEach((value, row) => {
      below[row] += most === 0 ? 0 : value / most;
    });
    strip.append('path').attr('class', classOf(name)).attr('d', area(from, below));
  }
  const mark = strip.append('rect').attr('class', 'mark').attr('y', 0).attr('width', 1).attr('height', 1);

  const slider = box.select('.strip').attr('aria-valuemin', 0).attr('aria-valuemax', count - 1);
  let at = -1;
  const show = (row) => {
    at = row;
    const isAll = row < 0;
    mark.attr('visibility', isAll ? 'hidden' : 'visible').attr('x', row);
    const parts = columns.map(({ name, values }) =>
      isAll ? `${name} ${inWords('ns', sum(values))}` : `${name} ${percentOf(share(values[row]))}`,
    );
    texts.text((_, i) => parts[i]);
    const when = isAll
      ? `${span(0, count * timeline.step_ms)}, up to ${percentOf(share(most))} of a processor`
      : `${span(row * timeline.step_ms, (row + 1) * timeline.step_ms)}, of a processor`;
    box.select('.when').text(when);
    slider.attr('aria-valuenow', Math.max(0, row)).attr('aria-valuetext', `${when}: ${parts.join(', ')}`);
  };
  const rowAt = ({ clientX }) => {
    const { left, width } = slider.node().getBoundingClientRect();
    return Math.min(count - 1, Math.max(0, Math.floor(((clientX - left) / width) * count)));
  };
  slider
    .on('pointermove', (event) => show(rowAt(event)))
    .on('pointerleave', () => show(-1))
    .on('blur', () => show(-1))
    .on('keydown', (event) => {
      const { key } = event;
      if (key in STEPS) show(Math.min(count - 1, Math.max(0, at + STEPS[key])));
      else if (key === 'Home' || key === 'End') show(key === 'Home' ? 0 : count - 1);
      else if (key === 'Escape') show(-1);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  show(-1);
}

const sum = (values) => values.reduce((all, value) => all + value, 0);
const classOf = (name) => `of-${name.replaceAll(' ', '-')}`;
const percentOf = (share) => `${fixed(100 * share, 0)} %`;

// Steps from below to above: y grows downwards.
function area(from, to) {
  const up = to.map((y, row) => `V${1 - y}H${row + 1}`).join('');
  const back = from.map((y, row) => `V${1 - y}H${row}`).toReversed().join('');
  return `M0 ${1 - from[0]}${up}${back}Z`;
}

// "12.3 s to 12.4 s", "0:59:00 to 1:01:00".
function span(from, to) {
  const seconds = (ms) => ms / 1000;
  if (to <= 600_000) return `${fixed(seconds(from), 1)} s to ${fixed(seconds(to), 1)} s`;
  const clock = (ms) => {
    const whole = Math.floor(seconds(ms));
    const two = (number) => String(number).padStart(2, '0');
    return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
  };
  return `${clock(from)} to ${clock(to)}`;
}
