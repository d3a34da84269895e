// Numbers and names as people read them.
import { grouped, rounded } from './quantity.js';

export { grouped };

// error: of the part, as of rounded(). The share of a part that is nearly the whole is as sure as that of the rest.
export function percent(part, whole, error = null) {
  if (whole === 0) return '';
  const share = part / whole;
  if (part > 0 && share < 0.0005) return '<0.1 %';
  return `${rounded(100 * share, 1, (error ?? 0) * Math.sqrt(Math.max(0, 1 - share)))} %`;
}

export const plural = (count, word) => `${grouped(count)} ${word}${count === 1 ? '' : 's'}`;

// Control characters and marks that change the writing direction, spelled out: a name must not be
// able to hide or to reorder the text around it.
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
export const printable = (text) =>
  text.replace(UNSAFE, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);

const LETTER = 7.4; // pixels
const MARGINS = 20;
const PER_CALL = '9,999,999,999'; // ns or bytes, few are more

// Pixels that a column of the widest of these texts needs.
export const widthOf = (...texts) => Math.ceil(LETTER * Math.max(...texts.map(({ length }) => length))) + MARGINS;
export const widthPerCall = (title) => widthOf(title, PER_CALL);
