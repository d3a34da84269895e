// Amounts as people read them, in the same words as the texts of copse report (src/report/text/quantity.h).
const TIMES = [['ns', 1], ['us', 1e3], ['ms', 1e6], ['s', 1e9]];
const SIZES = [['B', 1], ['KiB', 2 ** 10], ['MiB', 2 ** 20], ['GiB', 2 ** 30]];

// 'ns', 'bytes' or 'count', by what the report's unit says.
export function unitNamed(name) {
  if (name === 'ns') return 'ns';
  return name.startsWith('bytes') ? 'bytes' : 'count';
}

export function fixed(number, decimals) {
  const [whole, fraction] = number.toFixed(decimals).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

export const grouped = (number) => fixed(number, 0);

// Digits that an error is worth: two of an error that begins with a number below 3.55, else one.
const BEGINS_SMALL = 3.55;

// With so many decimals, but no digits that the error leaves unknown: "540" of 538.7, where error, a part of the number, is
// 0.25. Null: the number is exact.
export function rounded(number, decimals, error) {
  const off = Math.abs(number) * (error ?? 0);
  if (off === 0) return fixed(number, decimals);
  const known = -Math.floor(Math.log10(off / BEGINS_SMALL));
  if (known >= 0) return fixed(number, Math.min(decimals, known));
  const step = 10 ** -known;
  return fixed(Math.round(number / step) * step, 0);
}

// In the unit that leaves one to three digits before the point: "1,234", "51.1 ms", "1.23 GiB". error: as of rounded().
export function inWords(unit, amount, error = null) {
  if (unit === 'count') return rounded(amount, 0, error);
  const scales = unit === 'ns' ? TIMES : SIZES;
  for (let at = 0; ; ++at) {
    const value = amount / scales[at][1];
    const decimals = at === 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    const text = rounded(value, decimals, error);
    // An amount that rounds to 1,000 is written as 1 of the next unit.
    if (at + 1 === scales.length || (value < 999.5 && text !== '1,000')) return `${text} ${scales[at][0]}`;
  }
}

// The same of an amount that is a quotient, which may be less than one: "0.42 ns", "0.0031".
export function fractionInWords(unit, amount, error = null) {
  if (amount >= 9.995) return inWords(unit, amount, error);
  const suffix = { ns: ' ns', bytes: ' B', count: '' }[unit];
  if (amount === 0) return `0${suffix}`;
  const decimals = Math.min(9, Math.max(2, 1 - Math.floor(Math.log10(amount))));
  return `${rounded(amount, decimals, error)}${suffix}`;
}

// The same in a column whose head has the unit: "0.42", "1,234".
export const fractionInColumn = (amount, error) => fractionInWords('count', amount, error);

// One unit for all rows of a column, whose sum is `total`: {suffix, text(amount, error)}.
export function columnScale(unit, total) {
  if (unit === 'count') return { suffix: '', text: (amount, error) => rounded(amount, 0, error) };
  const [suffix, divisor] = unit === 'ns' ? TIMES[2] : SIZES[total <= 10 * 2 ** 10 ? 0 : total <= 10 * 2 ** 20 ? 1 : 2];
  const decimals = unit === 'ns' ? (total < 1e9 ? 3 : 1) : divisor === 1 ? 0 : 1;
  return { suffix, text: (amount, error) => (amount === 0 ? '0' : rounded(amount / divisor, decimals, error)) };
}

// Returns true if a text of a table says that there is nothing.
export const isZero = (text) => /^0(\.0)?( %)?$/.test(text);

const MOST_ROUGH = 1 / Math.sqrt(10);  // of ten samples, as in the texts of copse report

// Errors as parts of an amount, or null where it is exact. Amounts that may be off by more than a third, or nearly, are
// rough, which tables show.
export const isRough = (error) => error !== null && error > MOST_ROUGH;
export const errorInWords = (error) => (error === null ? '' : `± ${Math.max(1, Math.round(100 * error))} %`);
