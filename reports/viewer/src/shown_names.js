// Names of methods as copse writes them into a page (src/report/text/display_names.h), for a report that comes without
// them.
import { printable } from './format.js';

const PRIMITIVES = {
  B: 'byte',
  C: 'char',
  D: 'double',
  F: 'float',
  I: 'int',
  J: 'long',
  S: 'short',
  Z: 'boolean',
  V: 'void',
};

// "(ILjava/lang/String;[J)V" -> "(int, String, long[])"
function parameterList(descriptor) {
  const end = descriptor.lastIndexOf(')');
  if (!descriptor.startsWith('(') || end < 0) return descriptor;
  const types = [];
  for (const [, dimensions, primitive, type] of descriptor
    .slice(1, end)
    .matchAll(/(\[*)(?:([BCDFIJSZV])|L([^;]*);)/g)) {
    types.push(
      (primitive === undefined ? type.slice(type.lastIndexOf('/') + 1) : PRIMITIVES[primitive]) +
        '[]'.repeat(dimensions.length),
    );
  }
  return `(${types.join(', ')})`;
}

export function shownNames({ class: types, name: names, descriptor }) {
  const plain = names.map((name, m) => (types[m] === '' ? name : `${types[m]}.${name}`));
  const first = new Map();
  const isOverloaded = new Uint8Array(names.length);
  plain.forEach((name, m) => {
    if (!first.has(name)) first.set(name, m);
    const other = first.get(name);
    if (descriptor[other] !== descriptor[m]) isOverloaded[other] = isOverloaded[m] = 1;
  });
  return plain.map((name, m) => printable(isOverloaded[m] === 1 ? name + parameterList(descriptor[m]) : name));
}
