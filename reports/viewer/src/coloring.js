// Meaning of frame colours: the package, or a number on a scale with a legend.
//
// A choice is {key, group, title, ...}; its key is the name of it in the page's address:
//   package             one hue for each package
//   MEASURE/call        a measure by call, of frames with what is below them
//   MEASURE/call-own    the same of the frames alone
//   MEASURE/width       a frame's share of a measure, beside the share that its width shows
// In a comparison, difference_colors.js has the others beside the package.
import { perCall } from './amounts.js';
import { methodColors } from './colors.js';
import { byDifference, differenceChoices } from './difference_colors.js';
import { diverging, sequential } from './ramps.js';

export const PACKAGE = { key: 'package', group: '', title: 'package' };

const MOST_IN_GROUP = 5;  // measures
const MOST_MARKS = 6;  // beside the first
const SPREAD = 4;  // of shares: from 1/16 to 16 times, as powers of two

// Choices for a report shown by `measure`; the first is the default. Calls are compared with other measures, never with
// themselves.
export function colorChoices(report) {
  const { measures, measure: shown, calls, compared } = report;
  if (compared !== null) return [...differenceChoices(report), PACKAGE];
  const choices = [PACKAGE];
  const groupOf = (kind, measure) => (measures.length > MOST_IN_GROUP ? `${kind}: ${measure.group || 'calls'}` : kind);
  if (calls !== null) {
    for (const measure of measures.filter(({ isPerCall }) => isPerCall)) {
      const group = groupOf('per call', measure);
      const make = (suffix, side, title) => choices.push(
        { key: `${measure.name}/${suffix}`, group, title: `${measure.perCallTitle}, ${title}`, measure, side });
      make('call', 'inclusive', 'inclusive');
      make('call-own', 'exclusive', 'exclusive');
    }
  }
  for (const measure of measures) {
    if (measure === shown) continue;
    choices.push({
      key: `${measure.name}/width`, group: groupOf('share', measure),
      title: `share of ${measure.words}, by share of ${shown.words}`,
      measure, side: 'share', shown,
    });
  }
  return choices;
}

// How frames are coloured: of(item) is {fill, ink} or null where it has no colour of its own (ROOT, and what stands for
// several frames). legend: null, or {ramp, ticks: [[0..1, text]], unknown: text, hasStatus: that new and gone frames
// are marked}.
export function coloring(choice, direction, dark, neutral) {
  if (choice === PACKAGE) return byPackage(direction.tree.report, dark);
  if (direction.tree.report.compared !== null) return byDifference(choice, direction, dark, neutral);
  if (choice.side === 'share') return byShare(choice, direction, dark, neutral);
  return byCall(choice, direction, dark, neutral);
}

function byPackage(report, dark) {
  const colors = methodColors(report, dark).map((fill) => ({ fill, ink: null }));
  return { of: (item) => (item.method < 0 ? null : colors[item.method]), legend: null };
}

// number(item): what it has, as a place on the ramp, or null.
function byNumber(ramp, neutral, place, legend) {
  const of = (item) => {
    if (item.method < 0) return null;
    const at = place(item);
    if (at === null) return neutral;
    return ramp[Math.round(Math.min(1, Math.max(0, at)) * (ramp.length - 1))];
  };
  return { of, legend: { ramp, ...legend } };
}

function byCall({ measure, side }, direction, dark, neutral) {
  const { from, to, beyond } = decades(direction.tree, measure, side);
  const ticks = [];
  const step = Math.ceil((to - from) / MOST_MARKS);
  for (let power = from; power <= to; power += step) {
    const mark = power === from && beyond.below ? '≤ ' : power === to && beyond.above ? '≥ ' : '';
    ticks.push([(power - from) / (to - from), `${mark}${measure.perCallText(10 ** power).replace(/\.0+(?!\d)/, '')}`]);
  }
  const place = (item) => {
    const amount = perCall(direction, item, measure)[side];
    return amount === null ? null : (Math.log10(amount) - from) / (to - from);
  };
  const seen = measure.samples === null ? `no ${measure.words}` : `no ${measure.words} seen`;
  return byNumber(sequential(dark), neutral, place, { ticks, unknown: `no calls or ${seen}` });
}

function byShare({ measure, shown }, direction, dark, neutral) {
  const whole = direction.widthBy(direction.root, measure);
  const wholeShown = direction.widthBy(direction.root, shown);
  const place = (item) => {
    const part = direction.widthBy(item, measure) / whole;
    const partShown = item.value / wholeShown;
    return part > 0 && partShown > 0 ? (Math.log2(part / partShown) + SPREAD) / (2 * SPREAD) : null;
  };
  const ticks = [[0, '≤ ¹⁄₁₆'], [0.25, '¼'], [0.5, 'even'], [0.75, '4 times'], [1, '≥ 16']];
  return byNumber(diverging(dark), neutral, place, { ticks, unknown: `no ${measure.words}` });
}

const BINS = 10;     // a decade
const LEAST = -9;    // decades
const MOST = 15;
const OUTSIDE = 0.01;

// The powers of ten between which all but a hundredth of what is drawn lies, at each end: of rows by their
// widths. Kept for each tree.
const ranges = new WeakMap();
function decades(tree, measure, side) {
  const { measure: shown } = tree.report;
  const key = `${shown.name} ${measure.name} ${side}`;
  const kept = ranges.get(tree) ?? new Map();
  ranges.set(tree, kept);
  if (!kept.has(key)) kept.set(key, findDecades(tree, measure, side));
  return kept.get(key);
}

function findDecades(tree, measure, side) {
  const amounts = side === 'inclusive' ? tree.inclusiveOf(measure) : tree.exclusiveOf(measure);
  const calls = tree.exclusiveOf(tree.report.calls);
  const widths = tree.inclusive;
  const bins = new Float64Array((MOST - LEAST) * BINS);
  let total = 0;
  for (let row = 1; row < tree.count; ++row) {
    if (calls[row] === 0 || amounts[row] === 0) continue;
    const bin = Math.floor((Math.log10(amounts[row] / calls[row]) - LEAST) * BINS);
    bins[Math.min(bins.length - 1, Math.max(0, bin))] += widths[row];
    total += widths[row];
  }
  if (total === 0) return { from: 0, to: 1, beyond: { below: false, above: false } };
  let low = 0;
  for (let sum = bins[0]; sum <= OUTSIDE * total; sum += bins[low]) ++low;
  let high = bins.length - 1;
  for (let sum = bins[high]; sum <= OUTSIDE * total; sum += bins[high]) --high;
  const from = Math.floor(low / BINS) + LEAST;
  const to = Math.max(from + 1, Math.ceil((high + 1) / BINS) + LEAST);
  const any = (start, end) => bins.subarray(start, end).some((width) => width > 0);
  const beyond = {
    below: any(0, (from - LEAST) * BINS), above: any((to - LEAST) * BINS, bins.length),
  };
  return { from, to, beyond };
}
