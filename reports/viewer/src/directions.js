// A context tree read from thread entries to callees, as a tree that grows on demand. bottom_up.js reads it
// the other way.
//
// An item is one frame: {method, value, ...}, where the value is of the measure shown and decides the
// frame's width. `children(item, least)` gives those of its children worth at least `least`, and how many
// others there are with what they are worth together; nothing below is touched. `amounts(item, measure)` is
// what it has of any measure (amounts.js), `widthBy(item, measure)` what its value would be of that: its
// exclusive or inclusive amount, as `widthSide` says.
import { RowFindings } from './findings.js';

export class TopDown {
  constructor(tree, rootName = 'all threads') {
    this.tree = tree;
    this.root = this.item(0);
    this.rootName = rootName;
    this.widthSide = 'inclusive';
  }

  item(row) {
    if (row === 0 && this.root !== undefined) return this.root;
    const { method, inclusive } = this.tree;
    return { row, method: method[row], value: inclusive[row] };
  }

  children(item, least) {
    const { inclusive, size } = this.tree;
    const items = [];
    let hidden = 0;
    let hiddenValue = 0;
    const end = item.row + size[item.row];
    for (let row = item.row + 1; row < end; row += size[row]) {
      if (inclusive[row] === 0) continue;  // of another measure
      if (inclusive[row] >= least) {
        items.push(this.item(row));
      } else {
        ++hidden;
        hiddenValue += inclusive[row];
      }
    }
    return { items, hidden, hiddenValue };
  }

  // All children: a number for each as its key, among its siblings, and the items of keys.
  kids({ row }) {
    const { size } = this.tree;
    const end = row + size[row];
    let count = 0;
    for (let kid = row + 1; kid < end; kid += size[kid]) ++count;
    const keys = new Uint32Array(count);
    for (let kid = row + 1, i = 0; kid < end; kid += size[kid]) keys[i++] = kid;
    return { keys, item: (kid) => this.item(kid) };
  }

  hasChildren({ row }) {
    return this.tree.size[row] > 1;
  }

  // The keys that lead from the root to an item.
  keysTo({ row }) {
    const keys = [];
    for (let up = row; up > 0; up = this.tree.parent[up]) keys.push(up);
    return keys.reverse();
  }

  // An item's part of the page's address; null: no such item.
  addressOf({ row }) {
    return String(row);
  }

  itemAt(address) {
    return /^\d+$/.test(address) && Number(address) < this.tree.count ? this.item(Number(address)) : null;
  }

  parent(item) {
    return item.row === 0 ? null : this.item(this.tree.parent[item.row]);
  }

  find(found) {
    return new RowFindings(this.tree, (row) => this.item(row), found);
  }

  amounts({ row }, measure) {
    const exclusive = this.tree.exclusiveOf(measure)[row];
    return { exclusive, inclusive: this.tree.inclusiveOf(measure)[row], outer: exclusive };
  }

  widthBy({ row }, measure) {
    return this.tree.inclusiveOf(measure)[row];
  }

  contexts({ row }) {
    return this.tree.contexts[row];
  }

  site({ row }) {
    return this.tree.report.siteName(this.tree.site[row]);
  }
}
