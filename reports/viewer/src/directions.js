// The two ways to read the tree, as trees that grow on demand.
//
// An item is one frame to draw: {method, value, ...}. `children(item, least)` gives those of its
// children worth at least `least` of the measure, and how many others there are with what they are worth
// together; nothing below is touched.

import { MethodFindings, RowFindings } from './findings.js';

// From thread entries to callees: items are the report's own rows.
export class TopDown {
  constructor(report) {
    this.report = report;
    this.root = this.#item(0);
    this.rootName = 'all threads';
  }

  #item(row) {
    const { method, inclusive } = this.report;
    return { row, method: method[row], value: inclusive[row] };
  }

  children(item, least) {
    const { inclusive, size } = this.report;
    const items = [];
    let hidden = 0;
    let hiddenValue = 0;
    const end = item.row + size[item.row];
    for (let row = item.row + 1; row < end; row += size[row]) {
      if (inclusive[row] === 0) continue;  // of another measure
      if (inclusive[row] >= least) {
        items.push(this.#item(row));
      } else {
        ++hidden;
        hiddenValue += inclusive[row];
      }
    }
    return { items, hidden, hiddenValue };
  }

  parent(item) {
    return item.row === 0 ? null : this.#item(this.report.parent[item.row]);
  }

  find(found) {
    return new RowFindings(this.report, (row) => this.#item(row), found);
  }

  facts(item) {
    const { report } = this;
    const { words } = report.measure;
    const facts = [[`inclusive ${words}`, item.value]];
    if (item.row > 0) facts.unshift([words, report.values[item.row]]);
    return { facts, contexts: report.contexts[item.row], site: report.callSite(item.row) };
  }
}

// From each method to its callers, equal callers merged. An item stands for the values of the rows
// `leaf`; `at` holds, for each of them, the ancestor this frame shows.
export class BottomUp {
  constructor(report) {
    this.report = report;
    const total = report.inclusive[0];
    this.root = { method: -1, value: total, up: null };
    this.rootName = 'all methods';
    this.groupOf = new Uint32Array(report.names.length);  // by method, in this turn of #callers()
    this.turnOf = new Uint32Array(report.names.length);
    this.turn = 0;
    this.#sortRowsByMethod();
  }

  #sortRowsByMethod() {
    const { count, method, names } = this.report;
    this.first = new Uint32Array(names.length + 1);
    for (let row = 1; row < count; ++row) ++this.first[method[row] + 1];
    for (let m = 0; m < names.length; ++m) this.first[m + 1] += this.first[m];
    const next = this.first.slice();
    this.rows = new Int32Array(Math.max(0, count - 1));
    for (let row = 1; row < count; ++row) this.rows[next[method[row]]++] = row;
  }

  children(item, least) {
    return item.up === null ? this.#methods(least) : this.#callers(item, least);
  }

  #methods(least) {
    const { methodValues } = this.report;
    const items = [];
    let hidden = 0;
    let hiddenValue = 0;
    for (let m = 0; m < methodValues.length; ++m) {
      if (methodValues[m] === 0) continue;
      if (methodValues[m] >= least) {
        items.push(this.#method(m));
      } else {
        ++hidden;
        hiddenValue += methodValues[m];
      }
    }
    return { items: items.sort((a, b) => b.value - a.value), hidden, hiddenValue };
  }

  #method(m) {
    const rows = this.rows.subarray(this.first[m], this.first[m + 1]);
    return { method: m, value: this.report.methodValues[m], up: this.root, leaf: rows, at: rows };
  }

  find(found) {
    return new MethodFindings(this.report, (m) => this.#method(m), found);
  }

  // Two passes over the rows: how much each caller's group has, then which rows are in those that are shown.
  #callers(item, least) {
    const { leaf, at } = item;
    const { parent, method, values } = this.report;
    const { groupOf, turnOf } = this;
    const turn = ++this.turn;
    const groups = [];
    for (let i = 0; i < at.length; ++i) {
      const caller = parent[at[i]];
      if (caller === 0) continue;  // called by the runtime: a thread's entry
      const m = method[caller];
      if (turnOf[m] !== turn) {
        turnOf[m] = turn;
        groupOf[m] = groups.length;
        groups.push({ method: m, value: 0, length: 0, item: null });
      }
      const group = groups[groupOf[m]];
      group.value += values[leaf[i]];
      ++group.length;
    }
    const items = [];
    let hidden = 0;
    let hiddenValue = 0;
    for (const group of groups) {
      const { method: m, value, length } = group;
      if (value === 0) continue;  // of another measure
      if (value < least) {
        ++hidden;
        hiddenValue += value;
        continue;
      }
      group.item = {
        method: m, value, up: item, leaf: new Int32Array(length), at: new Int32Array(length),
      };
      group.length = 0;
      items.push(group.item);
    }
    if (items.length > 0) {
      for (let i = 0; i < at.length; ++i) {
        const caller = parent[at[i]];
        if (caller === 0) continue;
        const group = groups[groupOf[method[caller]]];
        if (group.item === null) continue;
        group.item.leaf[group.length] = leaf[i];
        group.item.at[group.length++] = caller;
      }
    }
    items.sort((x, y) => y.value - x.value);
    return { items, hidden, hiddenValue };
  }

  parent(item) {
    return item.up;
  }

  facts(item) {
    const { contexts, measure, values } = this.report;
    const ofChain = () => item.leaf.reduce((count, row) => count + (values[row] > 0 ? 1 : 0), 0);
    return {
      facts: [[`${measure.words} by this chain`, item.value]],
      contexts: item.up === null ? contexts[0] : ofChain(),
      site: '',
    };
  }
}
