// The report's columns as typed arrays, with what is derived from them.
//
// Rows are in pre-order: the children of row r start at r + 1, and the sibling after row c is
// c + size[c]. Every pass is a loop, so the depth of a tree does not matter.
import { parameterList, printable } from './format.js';
import { measuresOf } from './measure.js';

// Of what stands for no method the class is ''.
const displayName = (className, method) => (className === '' ? method : `${className}.${method}`);

export class Report {
  constructor(raw) {
    this.program = raw.program;
    this.createdBy = raw.created_by;
    this.options = raw.options;
    this.totals = raw.totals;
    this.notes = raw.notes ?? [];
    this.threads = raw.threads;
    this.skipped = raw.skipped;
    this.methods = raw.methods;
    this.sites = raw.sites;
    this.parent = Int32Array.from(raw.nodes.parent);
    this.method = Int32Array.from(raw.nodes.method);
    this.site = Int32Array.from(raw.nodes.site);
    this.count = this.parent.length;
    this.#deriveNames();
    this.measures = measuresOf(raw);
    this.show(this.measures.find(({ name }) => name === raw.shown) ?? this.measures[0]);
  }

  // What `values` and everything derived from it are from now on: calls, or another measure.
  show(measure) {
    this.measure = measure;
    this.values = measure.values;
    this.#deriveFromBelow();
    this.#deriveMethods();
  }

  // Values, rows, and contexts that have a value, in each subtree.
  #deriveFromBelow() {
    this.inclusive = Float64Array.from(this.values);
    this.size = new Uint32Array(this.count).fill(1);
    this.contexts = Uint32Array.from(this.values, (value) => (value > 0 ? 1 : 0));
    for (let row = this.count - 1; row > 0; --row) {
      const parent = this.parent[row];
      this.inclusive[parent] += this.inclusive[row];
      this.size[parent] += this.size[row];
      this.contexts[parent] += this.contexts[row];
    }
  }

  #deriveNames() {
    const { class: classes, name: names, descriptor } = this.methods;
    const uses = new Map();
    for (let m = 0; m < names.length; ++m) {
      const plain = displayName(classes[m], names[m]);
      uses.set(plain, (uses.get(plain) ?? 0) + 1);
    }
    // Parameters only where they tell two methods apart.
    this.names = names.map((name, m) => {
      const plain = displayName(classes[m], name);
      return printable(uses.get(plain) > 1 ? plain + parameterList(descriptor[m]) : plain);
    });
  }

  // Exclusive and inclusive values and contexts of each method. A method's inclusive value counts each
  // subtree once, at its outermost occurrence on the path.
  #deriveMethods() {
    const count = this.names.length;
    this.methodValues = new Float64Array(count);
    this.methodInclusive = new Float64Array(count);
    this.methodContexts = new Uint32Array(count);
    const onPath = new Uint32Array(count);
    for (let row = 1; row < this.count; ++row) {
      for (let open = row - 1; open !== this.parent[row]; open = this.parent[open]) {
        --onPath[this.method[open]];
      }
      const m = this.method[row];
      this.methodValues[m] += this.values[row];
      if (this.values[row] > 0) ++this.methodContexts[m];
      if (onPath[m]++ === 0) this.methodInclusive[m] += this.inclusive[row];
    }
  }

  // Where a row was called from: "Main.java:12", the line, or '' when unknown.
  callSite(row) {
    const site = this.site[row];
    if (site < 0) return '';
    const line = this.sites.line[site];
    const source = printable(this.methods.source[this.sites.method[site]]);
    if (line < 0) return source ? `${source}, bytecode ${this.sites.bci[site]}` : '';
    return source ? `${source}:${line}` : `line ${line}`;
  }

  // Callers and callees of a method, most first, without those of nothing. Caller -1: threads. Of calls:
  // how many there are between them. Of another measure: what there is inclusively, of the callers in the
  // method and of the method in its callees, each subtree once, at the method's outermost occurrence.
  neighbours(method) {
    const isCalls = this.measure.name === 'calls';
    const callers = new Map();
    const callees = new Map();
    const add = (map, key, value) => {
      if (value > 0) map.set(key, (map.get(key) ?? 0) + value);
    };
    let outermost = 0;
    for (let row = 1; row < this.count; ++row) {
      const parent = this.parent[row];
      const caller = this.method[parent];
      const callee = this.method[row];
      const isOutermost = callee === method && (outermost === 0 || row >= outermost + this.size[outermost]);
      if (isOutermost) outermost = row;
      if (isCalls) {
        if (callee === method) add(callers, caller, this.values[row]);
        if (caller === method) add(callees, callee, this.values[row]);
      } else {
        if (isOutermost) add(callers, caller, this.inclusive[row]);
        if (parent === outermost && parent !== 0) add(callees, callee, this.inclusive[row]);
      }
    }
    const ranked = (map) => [...map].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    return { callers: ranked(callers), callees: ranked(callees) };
  }

  // What the methods marked in `matched` (one byte per method) amount to, and in how many contexts.
  weigh(matched) {
    let own = 0;
    let inclusive = 0;
    let contexts = 0;
    for (let m = 0; m < matched.length; ++m) {
      if (matched[m]) {
        own += this.methodValues[m];
        contexts += this.methodContexts[m];
      }
    }
    for (let row = 1; row < this.count; ) {
      if (matched[this.method[row]]) {
        inclusive += this.inclusive[row];
        row += this.size[row];
      } else {
        ++row;
      }
    }
    return { own, inclusive, contexts };
  }
}
