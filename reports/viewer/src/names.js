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

// Parts of a method's name: "a.b.", "Log." and "log(int)" of "a.b.Log.log(int)"; of a short one, the last two.
export function partsOfMethod(name) {
  if (isWords(name) || EVENT.test(name) || name.endsWith('.**')) return [name];
  const plain = withoutParameters(name);
  const type = plain.length - shortName(name).length;
  const method = plain.lastIndexOf('.') + 1;
  return [name.slice(0, type), name.slice(type, method), name.slice(method)];
}

// "a.b." and "Outer$Inner" of a type.
export function partsOfType(type) {
  const at = type.length - shortType(type).length;
  return [type.slice(0, at), type.slice(at)];
}

// Names of threads of one pool differ at the end.
const END = 12; // letters

export function partsOfThread(name) {
  const letters = [...name];
  return [letters.slice(0, -END).join(''), letters.slice(-END).join('')];
}

let ruler = null;

// Pixels in a table.
function widthOf(text) {
  if (ruler === null) {
    ruler = new OffscreenCanvas(1, 1).getContext('2d');
    ruler.font = `13px ${getComputedStyle(document.body).fontFamily}`;
  }
  return Math.ceil(ruler.measureText(text).width);
}

// Appends a name in parts. Where there is no room for all, the first one is cut, then the next. beside: pixels of the other
// things in the line.
export function appendName(parent, parts, beside = 0) {
  const last = parts.length - 1;
  for (let i = 0; i < last; ++i) {
    if (parts[i] === '') continue;
    const left = `100% - ${widthOf(parts.slice(i + 1).join('')) + beside}px`;
    // A beginning with room for fewer than three letters is left out; the last one keeps three.
    const width = i + 1 < last ? `min(${left}, (${left} - 3ch) * 1000)` : `max(3ch, ${left})`;
    parent.append('span').attr('class', 'beginning').style('max-width', width).text(parts[i]);
  }
  parent.append(() => document.createTextNode(parts[last]));
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
