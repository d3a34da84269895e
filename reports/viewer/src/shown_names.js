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

// Without what tells hidden classes apart, and the numbers of lambda classes.
const classOf = (type) => type.split('.')[0].replace(/(\$\$Lambda)\$\d*$/, '$1').replaceAll('/', '.');

function typeOf([, dimensions, primitive, type], isQualified) {
  const full = primitive === undefined ? classOf(type) : PRIMITIVES[primitive];
  return (isQualified ? full : full.slice(full.lastIndexOf('.') + 1)) + '[]'.repeat(dimensions.length);
}

// "(ILa/Row;)La/Key;" -> "(int, Row)", "(int, a.Row)", "(int, Row): Key", "(int, a.Row): a.Key" and itself
function signatures(descriptor) {
  const end = descriptor.lastIndexOf(')');
  if (!descriptor.startsWith('(') || end < 0) return Array(5).fill(descriptor);
  const types = (text) => [...text.matchAll(/(\[*)(?:([BCDFIJSZV])|L([^;]*);)/g)];
  const parameters = types(descriptor.slice(1, end)), [result] = types(descriptor.slice(end + 1));
  const form = (isQualified, hasResult) =>
    `(${parameters.map((type) => typeOf(type, isQualified)).join(', ')})` +
    (hasResult && result !== undefined ? `: ${typeOf(result, isQualified)}` : '');
  return [form(false, false), form(true, false), form(false, true), form(true, true), descriptor];
}

// By descriptor: the shortest of its signatures that no other method of the name has.
function chosenSignatures(descriptors) {
  const all = descriptors.map(signatures);
  return new Map(descriptors.map((descriptor, i) => [
    descriptor,
    all[i].find((form) => all.every((others, j) => i === j || !others.includes(form))) ?? descriptor,
  ]));
}

export function shownNames({ class: types, name: names, descriptor }) {
  const plain = names.map((name, m) => (types[m] === '' ? name : `${types[m]}.${name}`));
  const descriptors = new Map();
  plain.forEach((name, m) => types[m] !== '' && descriptors.set(name, (descriptors.get(name) ?? new Set()).add(descriptor[m])));
  const chosen = new Map();
  for (const [name, several] of descriptors) if (several.size > 1) chosen.set(name, chosenSignatures([...several]));
  return plain.map((name, m) => printable(name + (chosen.get(name)?.get(descriptor[m]) ?? '')));
}
