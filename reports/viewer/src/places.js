// The order in which to visit the places that a search found, in time linear in their number, for there may
// be millions.

const DIGITS = 4;         // of 16 bits, of a double
const DIGIT_VALUES = 65_536;
const FEW = 10_000;

function indices(count) {
  const all = new Uint32Array(count);
  for (let i = 0; i < count; ++i) all[i] = i;
  return all;
}

// The digits of doubles, which make numbers in the order of the doubles.
function digitsOf(values) {
  const digits = new Uint16Array(values.buffer, values.byteOffset, DIGITS * values.length);
  if (values.every((value) => value >= 0)) return digits;
  // With a negative one among them: the bits of those turned round, and below the others.
  const ordered = digits.slice();
  for (let i = 0, at = 0; i < values.length; ++i, at += DIGITS) {
    const isNegative = values[i] < 0;
    for (let digit = 0; digit < DIGITS; ++digit) if (isNegative) ordered[at + digit] ^= 0xffff;
    if (!isNegative) ordered[at + DIGITS - 1] ^= 0x8000;
  }
  return ordered;
}

// The indices of an array of doubles by falling value, equal ones in their order. -0 is not among them.
export function fallingOrder(values) {
  const count = values.length;
  let from = indices(count);
  if (count < FEW) return from.sort((a, b) => values[b] - values[a] || a - b);
  // A radix sort, lowest digit first.
  const digits = digitsOf(values);
  let to = new Uint32Array(count);
  const next = new Uint32Array(DIGIT_VALUES);
  for (let digit = 0; digit < DIGITS; ++digit) {
    next.fill(0);
    for (let i = digit; i < digits.length; i += DIGITS) ++next[digits[i]];
    if (next[digits[digit]] === count) continue;  // of all the same
    for (let value = DIGIT_VALUES - 1, start = 0; value >= 0; --value) {
      const those = next[value];
      next[value] = start;
      start += those;
    }
    for (let i = 0; i < count; ++i) {
      const index = from[i];
      to[next[digits[DIGITS * index + digit]]++] = index;
    }
    [from, to] = [to, from];
  }
  return from;
}

// Keys by falling value; those that are first(key), as a byte, before the others.
export function inOrder(keys, values, first) {
  const order = fallingOrder(values);
  const places = new Uint32Array(keys.length);
  let next = 0;
  for (let wanted = 1; wanted >= 0; --wanted) {
    for (let i = 0; i < order.length; ++i) {
      const key = keys[order[i]];
      if (first(key) === wanted) places[next++] = key;
    }
  }
  return places;
}
