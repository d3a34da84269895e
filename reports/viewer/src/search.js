// Which methods a search means.
//
// Text is found anywhere in a method's name, in any case; /text/ is a regular expression. A whole name
// with its class, as Value.compareTo or org.h2.value.Value.compareTo, means the methods of that name
// and not those that begin with it. A method that was chosen means itself. In a comparison, a method that was renamed
// is found by its old name, too.

import { methodName, wholeNames } from './names.js';

// Result of a search. `matched` and `first` have one byte per method; methods marked in `first` are listed before
// others. `methods` is how many match, `others` how many contain the text but are not meant.
class Found {
  constructor(count) {
    this.matched = new Uint8Array(count);
    this.first = new Uint8Array(count);
    this.methods = 0;
    this.others = 0;
  }

  add(method, isFirst = false) {
    this.matched[method] = 1;
    if (isFirst) this.first[method] = 1;
    ++this.methods;
  }
}

export class Search {
  #names;
  #before;
  #isThere;
  #lower = null;

  // nameBefore(m): another name of a method, or null. isThere(m): whether what is read has the method.
  constructor(names, nameBefore = () => null, isThere = () => true) {
    this.#names = names;
    this.#before = nameBefore;
    this.#isThere = isThere;
  }

  // Names of a method in lower case: its own and, if it has one, the one before.
  #forms(m) {
    const before = this.#before(m);
    return before === null ? [this.#lower[m]] : [this.#lower[m], before.toLowerCase()];
  }

  chosen(method) {
    const found = new Found(this.#names.length);
    found.add(method);
    return found;
  }

  // Null: nothing is searched for. Throws a SyntaxError. `wide`: all that contain the text are meant.
  typed(text, wide = false) {
    if (text === '') return null;
    const expression = /^\/(.+)\/$/.exec(text);
    if (expression !== null) return this.#matching(new RegExp(expression[1], 'i'));
    if (this.#lower?.length !== this.#names.length) this.#lower = this.#names.map((name) => name.toLowerCase());
    const wanted = text.toLowerCase();
    const containing = [];
    this.#lower.forEach((_, m) => {
      if (this.#isThere(m) && this.#forms(m).some((name) => name.includes(wanted))) containing.push(m);
    });
    const whole = wanted.includes('.')
      ? containing.filter((m) => this.#forms(m).some((name) => wholeNames(name).includes(wanted))) : [];
    const found = new Found(this.#names.length);
    const isFirst = (m) => this.#forms(m).some((name) => methodName(name) === wanted);
    if (whole.length === 0 || wide) {
      const meant = new Set(whole);
      for (const m of containing) found.add(m, meant.has(m) || isFirst(m));
    } else {
      for (const m of whole) found.add(m);
      found.others = containing.length - whole.length;
    }
    return found;
  }

  #matching(expression) {
    const found = new Found(this.#names.length);
    this.#names.forEach((name, m) => {
      if (!this.#isThere(m)) return;
      const before = this.#before(m);
      if (expression.test(name) || (before !== null && expression.test(before))) found.add(m);
    });
    return found;
  }
}
