// A context tree read from thread entries to callees, as a tree that grows on demand. bottom_up.js reads it
// the other way.
//
// An item is one frame: {method, value, ...}, where the value is of the measure shown and decides the
// frame's width. `children(item, least)` gives those of its children worth at least `least`, and how many
// others there are with what they are worth together; nothing below is touched. `amounts(item, measure)` is
// what it has of any measure (amounts.js), `widthBy(item, measure)` what its value would be of that.
import { RowFindings } from './findings.js';

export class TopDown {
  constructor(tree) {
    this.tree = tree;
    this.root = this.item(0);
    this.rootName = 'all threads';
  }

  item(row) {
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
