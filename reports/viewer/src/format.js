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

const PRIMITIVES = {
  B: 'byte', C: 'char', D: 'double', F: 'float', I: 'int', J: 'long', S: 'short', Z: 'boolean',
};

// "(ILjava/lang/String;)V" -> "(int, String)"; anything else as it is.
export function parameterList(descriptor) {
  const list = /^\(((?:\[*(?:[BCDFIJSZ]|L[^;]+;))*)\)/.exec(descriptor);
  if (list === null) return descriptor;
  const types = list[1].match(/\[*(?:[BCDFIJSZ]|L[^;]+;)/g) ?? [];
  return `(${types.map(typeName).join(', ')})`;
}

function typeName(type) {
  const dimensions = type.lastIndexOf('[') + 1;
  const base = type.slice(dimensions);
  const name = PRIMITIVES[base] ?? base.slice(base.lastIndexOf('/') + 1, -1).replace(/^L/, '');
  return name + '[]'.repeat(dimensions);
}
