// From each method to its callers, equal callers merged. An item stands for the rows `leaf` of the method at
// the chain's end; `at` holds, for each of them, the ancestor this frame shows. Its width is what the leaves
// have of their own, so that the widths of all methods add up to the whole.
import { MethodFindings } from './findings.js';

export class BottomUp {
  #groupOf;  // by method, in this turn of #group()
  #turnOf;
  #turn = 0;
  #rows;
  #first;

  constructor(tree) {
    this.tree = tree;
    this.root = { method: -1, value: tree.inclusive[0], up: null };
    this.rootName = 'all methods';
    this.widthSide = 'exclusive';
    this.#groupOf = new Uint32Array(tree.report.names.length);
    this.#turnOf = new Uint32Array(tree.report.names.length);
    this.#sortRowsByMethod();
  }

  #sortRowsByMethod() {
    const { count, method, report } = this.tree;
    const methods = report.names.length;
    this.#first = new Uint32Array(methods + 1);
    for (let row = 1; row < count; ++row) ++this.#first[method[row] + 1];
    for (let m = 0; m < methods; ++m) this.#first[m + 1] += this.#first[m];
    const next = this.#first.slice();
    this.#rows = new Int32Array(Math.max(0, count - 1));
    for (let row = 1; row < count; ++row) this.#rows[next[method[row]]++] = row;
  }

  children(item, least) {
    const all = item.up === null ? this.#methods() : this.#callers(item);
    const shown = all.filter(({ value }) => value > 0 && value >= least);
    const rest = all.filter(({ value }) => value > 0 && value < least);
    const items = item.up === null ? shown.map(({ method }) => this.#method(method)) : this.#itemsOf(item, all, shown);
    return {
      items: items.sort((a, b) => b.value - a.value),
      hidden: rest.length,
      hiddenValue: rest.reduce((sum, { value }) => sum + value, 0),
    };
  }

  #methods() {
    return Array.from(this.tree.methodValues, (value, method) => ({ method, value }));
  }

  #method(m) {
    const rows = this.#rows.subarray(this.#first[m], this.#first[m + 1]);
    return { method: m, value: this.tree.methodValues[m], up: this.root, leaf: rows, at: rows };
  }

  find(found) {
    return new MethodFindings(this.tree, (m) => this.#method(m), found);
  }

  // How many rows and how much each caller's group has.
  #callers({ leaf, at }) {
    const { parent, method, values } = this.tree;
    const turn = ++this.#turn;
    const groups = [];
    for (let i = 0; i < at.length; ++i) {
      const caller = parent[at[i]];
      if (caller === 0) continue;  // called by the runtime: a thread's entry
      const m = method[caller];
      if (this.#turnOf[m] !== turn) {
        this.#turnOf[m] = turn;
        this.#groupOf[m] = groups.length;
        groups.push({ method: m, value: 0, length: 0, item: null });
      }
      const group = groups[this.#groupOf[m]];
      group.value += values[leaf[i]];
      ++group.length;
    }
    return groups;
  }

  // Items of those of the groups that #callers() has just made: which rows are in each of them.
  #itemsOf(item, groups, shown) {
    if (shown.length === 0) return [];
    const { leaf, at } = item;
    const { parent, method } = this.tree;
    for (const group of shown) {
      const { method: m, value, length } = group;
      group.item = { method: m, value, up: item, leaf: new Int32Array(length), at: new Int32Array(length) };
      group.length = 0;
    }
    for (let i = 0; i < at.length; ++i) {
      const caller = parent[at[i]];
      if (caller === 0) continue;
      const group = groups[this.#groupOf[method[caller]]];
      if (group.item === null) continue;
      group.item.leaf[group.length] = leaf[i];
      group.item.at[group.length++] = caller;
    }
    return shown.map((group) => group.item);
  }

  // As in directions.js; keys are methods.
  kids(item) {
    if (item.up === null) {
      const { count, method } = this.tree;
      const seen = new Uint8Array(this.tree.report.names.length);
      for (let row = 1; row < count; ++row) seen[method[row]] = 1;
      return { keys: Uint32Array.from(seen.keys()).filter((m) => seen[m]), item: (m) => this.#method(m) };
    }
    const groups = this.#callers(item);
    const items = new Map(this.#itemsOf(item, groups, groups).map((made) => [made.method, made]));
    return { keys: Uint32Array.from(items.keys()), item: (m) => items.get(m) };
  }

  hasChildren({ up, at }) {
    return up === null ? this.tree.count > 1 : at.some((row) => this.tree.parent[row] > 0);
  }

  keysTo(item) {
    const keys = [];
    for (let one = item; one.up !== null; one = one.up) keys.push(one.method);
    return keys.reverse();
  }

  parent(item) {
    return item.up;
  }

  // Of the whole: nothing of its own, as no call is its.
  amounts(item, measure) {
    const { tree } = this;
    if (item.up === null) return { exclusive: 0, inclusive: tree.inclusiveOf(measure)[0], outer: 0 };
    if (item.up === this.root) {
      const { exclusive, inclusive, outer } = tree.methodsOf(measure);
      const m = item.method;
      return { exclusive: exclusive[m], inclusive: inclusive[m], outer: outer[m] };
    }
    item.amounts ??= new Map();
    let sums = item.amounts.get(measure);
    if (sums === undefined) {
      sums = this.#sum(item.leaf, tree.exclusiveOf(measure), tree.inclusiveOf(measure));
      item.amounts.set(measure, sums);
    }
    return sums;
  }

  #sum(leaf, own, all) {
    const { outermost } = this.tree;
    const sums = { exclusive: 0, inclusive: 0, outer: 0 };
    for (let i = 0; i < leaf.length; ++i) {
      const row = leaf[i];
      sums.exclusive += own[row];
      if (outermost[row] === 1) {
        sums.inclusive += all[row];
        sums.outer += own[row];
      }
    }
    return sums;
  }

  widthBy(item, measure) {
    const { exclusive, inclusive } = this.amounts(item, measure);
    return item.up === null ? inclusive : exclusive;
  }

  contexts(item) {
    const { contexts, values } = this.tree;
    if (item.up === null) return contexts[0];
    return item.leaf.reduce((count, row) => count + (values[row] > 0 ? 1 : 0), 0);
  }

  site() {
    return '';
  }
}
