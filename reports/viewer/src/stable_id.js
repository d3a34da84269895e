// Stable ids of contexts, as docs/report-schema.md defines them.
import { sha256 } from './sha256.js';

const BYTES = 16;
const [NO_SITE, UNKNOWN, BYTECODE_INDEX, LINE] = [0, 1, 2, 3];
const ENDS = 0xff; // between names, in none of them

const utf8 = new TextEncoder();
const hash = (bytes) => sha256(bytes).subarray(0, BYTES);

// A report's own contexts differ in exact names; contexts compared are those that were equal by the comparison's rules.
const OWN = 'copse.context/1 sites=bci names=exact';
const RULES = /sites=(\w+) names=(\w+)$/;

// {sites, names, words}; null where the rules are not known.
export function idRules({ compared }) {
  const words = compared === null ? OWN : compared.idRules;
  const found = RULES.exec(words ?? '');
  return found === null ? null : { words, sites: found[1], names: found[2] };
}

// Without the digits that compilers and the JVM number names with, both kinds of names are the same.
const isPlain = ({ methods }, m) =>
  !/\d/.test(`${methods.class[m]} ${methods.name[m]} ${methods.descriptor[m]}`) && !methods.stable_class?.[m];

// The id of a row in hexadecimal digits, or null where the page cannot know it.
export function stableId(tree, row, rules) {
  const { report, parent, method, site } = tree;
  const path = [];
  for (let up = row; up > 0; up = parent[up]) path.push(up);
  if (rules.names !== 'exact' && !path.every((up) => isPlain(report, method[up]))) return null;
  let id = hash(utf8.encode(rules.words));
  for (const up of path.reverse()) {
    const bytes = new Uint8Array(2 * BYTES + 5);
    bytes.set(id);
    bytes.set(methodId(report, method[up]), BYTES);
    const [kind, number] = siteKey(report, site[up], rules.sites);
    bytes[2 * BYTES] = kind;
    new DataView(bytes.buffer).setUint32(2 * BYTES + 1, number, true);
    id = hash(bytes);
  }
  return [...id].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function methodId({ methods }, m) {
  const [type, name, descriptor] = ['class', 'name', 'descriptor'].map((column) => utf8.encode(methods[column][m]));
  return hash(Uint8Array.from([...type, ENDS, ...name, ENDS, ...descriptor]));
}

function siteKey({ sites }, at, rule) {
  if (at < 0 || rule === 'none') return [NO_SITE, 0];
  const [bci, line] = [sites.bci[at], sites.line[at]];
  if (bci < 0 && line < 0) return [UNKNOWN, 0];
  return line >= 0 && (rule === 'line' || bci < 0) ? [LINE, line] : [BYTECODE_INDEX, bci];
}
