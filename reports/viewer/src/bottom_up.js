// From methods to their callers, equal callers merged. An item stands for the rows `leaf` of the method at the
// chain's end; `at` holds, for each of them, the ancestor this frame shows.
import { ChainFindings } from './chain_findings.js';
import { MethodFindings } from './findings.js';

class Callers {
  #groupOf;  // by method, in this turn of #callers()
  #turnOf;
  #turn = 0;
  #widths;

  // widths: what a leaf adds to the width of its chains.
  constructor(tree, widths) {
    this.tree = tree;
    this.#widths = widths;
    this.#groupOf = new Uint32Array(tree.report.names.length);
    this.#turnOf = new Uint32Array(tree.report.names.length);
  }

  children(item, least) {
    const groups = this.#callers(item);
    const { shown, ...rest } = split(groups, least);
    return { items: this.#itemsOf(item, groups, shown).sort((a, b) => b.value - a.value), ...rest };
  }

  // How many rows and how much each caller's group has.
  #callers({ leaf, at }) {
    const { parent, method } = this.tree;
    const widths = this.#widths;
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
      group.value += widths[leaf[i]];
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
    const groups = this.#callers(item);
    const items = new Map(this.#itemsOf(item, groups, groups).map((made) => [made.method, made]));
    return { keys: Uint32Array.from(items.keys()), item: (m) => items.get(m) };
  }

  hasChildren({ at }) {
    return at.some((row) => this.tree.parent[row] > 0);
  }

  keysTo(item) {
    const keys = [];
    for (let one = item; one.up !== null; one = one.up) keys.push(one.method);
    return keys.reverse();
  }

  addressOf(item) {
    return this.keysTo(item).map((m) => this.tree.report.methodText(m)).join('.');
  }

  itemAt(address) {
    let item = this.root;
    for (const key of address === '' ? [] : address.split('.')) {
      const kids = this.kids(item);
      const method = this.tree.report.methodOf(key);
      if (!kids.keys.includes(method)) return null;
      item = kids.item(method);
    }
    return item;
  }

  parent(item) {
    return item.up;
  }

  amounts(item, measure) {
    item.amounts ??= new Map();
    let sums = item.amounts.get(measure);
    if (sums === undefined) {
      sums = this.#sum(item.leaf, this.tree.exclusiveOf(measure), this.tree.inclusiveOf(measure));
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
    return this.amounts(item, measure)[this.widthSide];
  }

  contexts({ leaf }) {
    const { own } = this.tree;
    return leaf.reduce((count, row) => count + own[row], 0);
  }

  site() {
    return '';
  }
}

// Groups worth at least `least`, and how many others there are that have a value.
function split(groups, least) {
  const shown = groups.filter(({ value }) => value > 0 && value >= least);
  const rest = groups.filter(({ value }) => value > 0 && value < least);
  return { shown, hidden: rest.length, hiddenValue: rest.reduce((sum, { value }) => sum + value, 0) };
}

// All methods. A frame is as wide as what the leaves have of their own, so that all methods add up to the whole.
export class BottomUp extends Callers {
  #rows;
  #first;

  constructor(tree) {
    super(tree, tree.values);
    this.root = { method: -1, value: tree.inclusive[0], up: null };
    this.rootName = 'all methods';
    this.widthSide = 'exclusive';
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
    if (item !== this.root) return super.children(item, least);
    const { shown, ...rest } = split(Array.from(this.tree.methodValues, (value, method) => ({ method, value })), least);
    return { items: shown.map(({ method }) => this.#method(method)).sort((a, b) => b.value - a.value), ...rest };
  }

  #method(m) {
    const rows = this.#rows.subarray(this.#first[m], this.#first[m + 1]);
    return { method: m, value: this.tree.methodValues[m], up: this.root, leaf: rows, at: rows };
  }

  find(found) {
    return new MethodFindings(this.tree, (m) => this.#method(m), found);
  }

  kids(item) {
    if (item !== this.root) return super.kids(item);
    const { count, method } = this.tree;
    const seen = new Uint8Array(this.tree.report.names.length);
    for (let row = 1; row < count; ++row) seen[method[row]] = 1;
    return { keys: Uint32Array.from(seen.keys()).filter((m) => seen[m]), item: (m) => this.#method(m) };
  }

  hasChildren(item) {
    return item === this.root ? this.tree.count > 1 : super.hasChildren(item);
  }

  // Amounts of an item. The root has no exclusive amount, because no call is its own.
  amounts(item, measure) {
    const { tree, root } = this;
    if (item === root) return { exclusive: 0, inclusive: tree.inclusiveOf(measure)[0], outer: 0 };
    if (item.up !== root) return super.amounts(item, measure);
    const { exclusive, inclusive, outer } = tree.methodsOf(measure);
    const m = item.method;
    return { exclusive: exclusive[m], inclusive: inclusive[m], outer: outer[m] };
  }

  widthBy(item, measure) {
    return item === this.root ? this.amounts(item, measure).inclusive : super.widthBy(item, measure);
  }

  contexts(item) {
    return item === this.root ? this.tree.contexts[0] : super.contexts(item);
  }
}

// One method. A frame is as wide as what the chain's outermost contexts of the method have inclusively: a call
// from inside another call of the method is in that one, and is not counted again.
export class BackTraces extends Callers {
  constructor(tree, method, inclusive = tree.inclusive) {
    const widths = new Float64Array(tree.count);
    const rows = [];
    let value = 0;
    for (let row = 1; row < tree.count; ++row) {
      if (tree.method[row] !== method) continue;
      rows.push(row);
      if (tree.outermost[row] === 0) continue;
      widths[row] = inclusive[row];
      value += inclusive[row];
    }
    super(tree, widths);
    const leaf = Int32Array.from(rows);
    this.root = { method, value, up: null, leaf, at: leaf };
    this.rootName = tree.report.names[method];
    this.widthSide = 'inclusive';
  }

  // Chains that there are in either report, where two are compared.
  find(found) {
    const { tree, root } = this;
    const inclusive = tree.inclusiveOf(tree.presence);
    const all = inclusive === tree.inclusive ? this : new BackTraces(tree, root.method, inclusive);
    return new ChainFindings(all, found, (item) => (all === this ? item : this.itemAt(all.addressOf(item))));
  }
}
