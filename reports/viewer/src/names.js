// Forms of a method's name: pkg.Outer$Inner.method, with (parameters) where the class has several of the name.

const EVENT = /^(new|throw|synchronized|park) (\(.*\)|\S+)(?: at (\S+))?$/;

// Threads and groups of threads are in brackets, what Copse names itself is in parentheses. No dot in them ends a package.
const isWords = (name) => /^[[(]/.test(name);

const withoutParameters = (name) => {
  const parameters = isWords(name) || EVENT.test(name) ? -1 : name.indexOf('(');
  return parameters < 0 ? name : name.slice(0, parameters);
};

// Outer$Inner.method; of a frame for an event, "new Outer$Inner".
export function shortName(name) {
  const [, verb, type, place] = EVENT.exec(name) ?? [];
  if (verb !== undefined) return `${verb} ${shortType(type)}${place === undefined ? '' : ` at ${shortName(place)}`}`;
  if (isWords(name) || name.endsWith('.**')) return name;  // .**: a package
  const plain = withoutParameters(name);
  const method = plain.lastIndexOf('.');
  return plain.slice(plain.lastIndexOf('.', method - 1) + 1);
}

// Outer$Inner
export const shortType = (type) => (isWords(type) ? type : /[^.]*(\.class)?$/.exec(type)[0] || type);

export const methodName = (name) => (isWords(name) ? name : withoutParameters(name).replace(/^.*\./, ''));

// All forms with a class in which it may be typed, and itself.
export function wholeNames(name) {
  if (isWords(name)) return [name];
  const plain = withoutParameters(name);
  const names = [];
  for (const full of plain === name ? [plain] : [plain, name]) {
    names.push(full);
    // Without package, and without the class around it.
    for (const mark of ['.', '$']) {
      const before = plain.lastIndexOf(mark, plain.lastIndexOf('.') - 1);
      if (before >= 0) names.push(full.slice(before + 1));
    }
  }
  return names;
}

// The same of all methods, with parameters, and with the package where two would have the same name.
export class ShortNames {
  #names;
  #short;
  #count = new Map();

  constructor(names) {
    this.#names = names;
    this.#short = names.map((name) => shortName(name) + name.slice(withoutParameters(name).length));
    for (const name of this.#short) this.#count.set(name, (this.#count.get(name) ?? 0) + 1);
  }

  get count() {
    return this.#short.length;
  }

  of(m) {
    return this.#count.get(this.#short[m]) === 1 ? this.#short[m] : this.#names[m];
  }
}
