// Differences between two reports as numbers and as people read them.
import { perCall } from './amounts.js';
import { fixed, grouped } from './quantity.js';

const MINUS = '\u2212';
const MOST_PERCENT = 10;  // times; from there on an amount is so many times the other

// An item's amounts of a measure, exclusive or inclusive as `side` says: {old, new, difference, error}. Error: one
// standard error of the difference, in the measure's unit; null: the amounts are exact.
export function differenceOf(direction, item, measure, side) {
  const old = direction.amounts(item, measure.old)[side];
  const now = direction.amounts(item, measure)[side];
  const error = errorOfDifference(measure, old, now, (samples) => direction.amounts(item, samples)[side]);
  return { old, new: now, difference: now - old, error };
}

// From each amount and its number of samples, as Poisson's distribution has it. number(samples): that number.
export function errorOfDifference(measure, old, now, number) {
  const { samples } = measure;
  if (samples === null) return null;
  const variance = (amount, count) => (count > 0 ? amount ** 2 / count : 0);
  return Math.sqrt(variance(old, number(samples.old)) + variance(now, number(samples)));
}

// The same of what there is per call; numbers are null where nothing is known.
export function perCallDifferenceOf(direction, item, measure, side) {
  const { calls } = direction.tree.report;
  const none = { old: null, new: null, difference: null, error: null };
  if (calls === null) return none;
  const old = perCall(direction, item, measure.old, calls.old)[side];
  const now = perCall(direction, item, measure, calls)[side];
  if (old === null || now === null) return { ...none, old, new: now };
  const error = errorOfDifference(measure, old, now, (samples) => direction.amounts(item, samples)[side]);
  return { old, new: now, difference: now - old, error };
}

const ERRORS = 2;  // that a difference of samples may be off by without being one

export const isWithinError = ({ difference, error }) =>
  error !== null && difference !== 0 && Math.abs(difference) <= ERRORS * error;

// From -1 (there is none left) to 1 (there was none), as a part of the larger one; null: there is none of both.
export function relative(old, now) {
  const larger = Math.max(old, now);
  return larger === 0 ? null : (now - old) / larger;
}

// text(amount, error): how an amount that is not negative reads. error: as of differenceOf().
export function signed(difference, text, error = null) {
  if (difference === 0) return text(0);
  const amount = Math.abs(difference);
  return `${difference > 0 ? '+' : MINUS}${text(amount, error === null ? null : error / amount)}`;
}

// "+12.5 %", "×101", "from 0"; empty: there is none of both.
export function changeText(old, now) {
  if (old === now) return old === 0 ? '' : '0 %';
  if (old === 0) return 'from 0';
  if (now === 0) return `${MINUS}100 %`;
  const times = now / old;
  if (times >= MOST_PERCENT) return `×${times < 100 ? fixed(times, 1) : grouped(times)}`;
  const percents = 100 * (times - 1);
  if (Math.abs(percents) < 0.05) return `${percents > 0 ? '+' : MINUS}<0.1 %`;
  return `${signed(percents, (value) => fixed(value, 1))} %`;
}

// "300 → 400 (+33.3 %)"; with words, "300 → 400 calls (+33.3 %)". amountOf(measure) is that of the old report or the new one,
// or how many samples it rests on.
export function fromToText(measure, amountOf, withWords = false) {
  const [old, now] = [amountOf(measure.old), amountOf(measure)];
  const errorOf = (one) => (one.samples === null ? null : one.errorOf(amountOf(one.samples)));
  const change = changeText(old, now);
  const after = withWords ? measure.amount(now, errorOf(measure)) : measure.text(now, errorOf(measure));
  return `${measure.text(old, errorOf(measure.old))} → ${after}${change === '' ? '' : ` (${change})`}`;
}
