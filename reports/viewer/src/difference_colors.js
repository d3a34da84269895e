// Colours of frames in a comparison: red for more, blue for less, the stronger the more; grey where old and new are equal.
//
// A choice (coloring.js) has the key
//   difference/KIND-own      of the frame alone
//   difference/KIND          of the frame as its width is, which is inclusively where callees are below it
//   MEASURE/call-difference  of what there is per call, inclusively
// and its KIND is
//   relative  by how many times it is
//   share     the same of shares of the wholes: of reports of unequal amounts of work
//   absolute  by how much it is of the whole
import { differenceOf, isWithinError, perCallDifferenceOf, relative } from './difference.js';
import { changes } from './ramps.js';

const KINDS = { relative: 'relative change', share: 'change of share', absolute: 'part of the whole' };
const LEAST_SHARE = 1e-4;  // part of the whole that has the weakest colour

export function differenceChoices({ measures, calls }) {
  const choices = [];
  for (const [suffix, words] of [['-own', 'of its own'], ['', 'as its width']]) {
    for (const [kind, title] of Object.entries(KINDS)) {
      choices.push({ key: `difference/${kind}${suffix}`, group: words, title: `${title}, ${words}`, kind, isOwn: suffix !== '' });
    }
  }
  for (const measure of calls === null ? [] : measures.filter(({ isPerCall }) => isPerCall)) {
    choices.push({
      key: `${measure.name}/call-difference`, group: 'per call, old and new',
      title: `relative change of ${measure.perCallTitle}`, kind: 'call', measure,
    });
  }
  return choices;
}

// As of coloring().
export function byDifference(choice, direction, dark, neutral) {
  const { less, more } = changes(dark);
  const at = placeOf(choice, direction);
  const of = (item) => {
    if (item.method < 0) return null;
    const place = at(item);
    if (place === null || place === 0) return neutral;
    const ramp = place < 0 ? less : more;
    return ramp[Math.round(Math.min(1, Math.abs(place)) * (ramp.length - 1))];
  };
  const ramp = [...less.toReversed(), neutral, neutral, ...more];
  return { of, legend: { ramp, ...legendOf(choice, choice.measure ?? direction.tree.report.measure), hasStatus: true } };
}

// place(item): -1 (most less) to 1 (most more), 0: no difference that is more than samples may be off; null: not known.
function placeOf({ kind, isOwn, measure: ofCalls }, direction) {
  const { measure } = direction.tree.report;
  if (kind === 'call') {
    return (item) => {
      const amounts = perCallDifferenceOf(direction, item, ofCalls, 'inclusive');
      return amounts.difference === null || isWithinError(amounts) ? null : byRatio(relative(amounts.old, amounts.new));
    };
  }
  const whole = direction.widthBy(direction.root, measure);
  const oldWhole = direction.widthBy(direction.root, measure.old);
  const side = isOwn ? 'exclusive' : direction.widthSide;
  return (item) => {
    const amounts = differenceOf(direction, item, measure, side);
    if (isWithinError(amounts)) return amounts.old === 0 && amounts.new === 0 ? null : 0;
    if (kind === 'absolute') return byAmount(amounts.difference / Math.max(whole, oldWhole));
    if (kind === 'relative') return byRatio(relative(amounts.old, amounts.new));
    return whole > 0 && oldWhole > 0 ? byRatio(relative(amounts.old / oldWhole, amounts.new / whole)) : null;
  };
}

// The root makes small changes visible: 1 % is a tenth of the scale.
const byRatio = (change) => (change === null ? null : Math.sign(change) * Math.sqrt(Math.abs(change)));

function byAmount(share) {
  if (share === 0) return 0;
  return Math.sign(share) * Math.max(0.01, 1 - Math.log10(Math.abs(share)) / Math.log10(LEAST_SHARE));
}

const onScale = (place) => (1 + place) / 2;

function legendOf({ kind }, measure) {
  const unknown = `${kind === 'call' ? 'equal or not known' : 'equal'}${measure.samples !== null ? ', or within 2 standard errors' : ''}`;
  if (kind === 'absolute') {
    const ticks = [-1, -0.01, 0, 0.01, 1].map((share) => [
      onScale(byAmount(share)), share === 0 ? 'equal' : `${share > 0 ? '+' : '\u2212'}${100 * Math.abs(share)} %`,
    ]);
    return { ticks, unknown };
  }
  const times = [[0.5, '½'], [0.9, '\u221210 %'], [1, 'equal'], [1.1, '+10 %'], [2, '2×']];
  const ticks = times.map(([ratio, text]) => [onScale(byRatio(relative(1, ratio))), text]);
  return { ticks: [[0, 'to 0'], ...ticks, [1, 'from 0']], unknown };
}
