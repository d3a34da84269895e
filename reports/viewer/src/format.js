// Numbers and names as people read them.
import { grouped } from './quantity.js';

export { grouped };

export function percent(part, whole) {
  if (whole === 0) return '';
  const share = (100 * part) / whole;
  return part > 0 && share < 0.05 ? '<0.1 %' : `${share.toFixed(1)} %`;
}

export const plural = (count, word) => `${grouped(count)} ${word}${count === 1 ? '' : 's'}`;

// Control characters and marks that change the writing direction, spelled out: a name must not be
// able to hide or to reorder the text around it.
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
export const printable = (text) =>
  text.replace(UNSAFE, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
