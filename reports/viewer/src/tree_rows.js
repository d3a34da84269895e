// The rows of a tree table: what is unfolded of a direction (directions.js), in an order among siblings.
//
// Only unfolded items have an object. Its children are keys, a number each, in the order shown; a row is found
// by stepping over the unfolded ones. So unfolding costs what is unfolded, whatever the size of the report.
import { fallingOrder } from './places.js';

// An unfolded item. `rows`: how many rows are below it. `open`: its unfolded children, by their places.
class Unfolded {
  constructor(item, key, parent, kids) {
    this.item = item;
    this.key = key;
    this.parent = parent;
    this.level = parent === null ? 1 : parent.level + 1;
    this.kids = kids;
    this.keys = kids.keys;
    this.open = [];
    this.rows = kids.keys.length;
  }
}

export class TreeRows {
  #direction;
  #order;
  #root;

  // order: {value(item), descending, lastIfZero}: siblings by this number, which is not negative where 0 comes last.
  constructor(direction, order) {
    this.#direction = direction;
    this.#order = order;
    this.#root = this.#unfold(direction.root, -1, null);
  }

  // With the root itself.
  get count() {
    return 1 + this.#root.rows;
  }

  get root() {
    return { parent: null, key: -1 };
  }

  // A row: {item, level (root: 1), isOpen, hasChildren, place, siblings} and what names it whatever the order is,
  // {parent, key}.
  at(index) {
    if (index === 0) return this.#describe(null, -1, 0);
    let node = this.#root;
    let rest = index - 1;
    for (;;) {
      const { place, inside } = TreeRows.#step(node, rest);
      if (inside === null) return this.#describe(node, node.keys[place], place);
      ({ node, rest } = inside);
    }
  }

  // Which child of a node the row `rest` below it is, or in which unfolded child it is.
  static #step(node, rest) {
    let above = 0;  // rows of unfolded children before it
    for (const { place, node: child } of node.open) {
      const own = place + above;
      if (rest <= own) break;
      if (rest <= own + child.rows) return { place, inside: { node: child, rest: rest - own - 1 } };
      above += child.rows;
    }
    return { place: rest - above, inside: null };
  }

  #describe(parent, key, place) {
    const item = parent === null ? this.#direction.root : parent.kids.item(key);
    return {
      parent, key, item, place,
      level: parent === null ? 1 : parent.level + 1,
      siblings: parent === null ? 1 : parent.keys.length,
      isOpen: parent === null || parent.open.some((open) => open.node.key === key),
      hasChildren: this.#direction.hasChildren(item),
    };
  }

  indexOf({ parent, key }) {
    let index = 0;
    for (let node = parent, wanted = key; node !== null; wanted = node.key, node = node.parent) {
      const place = node.keys.indexOf(wanted);
      index += 1 + place;
      for (const open of node.open) {
        if (open.place >= place) break;
        index += open.node.rows;
      }
    }
    return index;
  }

  // The root stays unfolded.
  fold({ parent, key }) {
    if (parent === null) return;
    const at = parent.open.findIndex(({ node }) => node.key === key);
    if (at < 0) return;
    const [{ node }] = parent.open.splice(at, 1);
    for (let up = parent; up !== null; up = up.parent) up.rows -= node.rows;
  }

  unfold(row) {
    this.#open(row.parent, [row.key], row.parent === null);
  }

  // Unfolds from the root down to what these keys lead to, and names its row.
  reveal(keys) {
    if (keys.length === 0) return this.root;
    const parent = this.#open(null, [-1, ...keys.slice(0, -1)], true);
    return { parent, key: keys.at(-1) };
  }

  // Unfolds a row, its largest child, and so on, while that has at least half of what its parent has. Names the
  // last of them. width(item): how much that is.
  unfoldHeaviest(row, width) {
    let { parent, key } = row;
    let item = parent === null ? this.#direction.root : parent.kids.item(key);
    const keys = [];
    const made = [];
    for (;;) {
      const kids = this.#direction.kids(item);
      let most = 0;
      let next = null;
      for (const kid of kids.keys) {
        const has = width(kids.item(kid));
        if (has > most) [most, next] = [has, kid];
      }
      if (next === null || (keys.length > 0 && most < width(item) / 2)) break;
      keys.push(key);
      made.push(kids);
      key = next;
      item = kids.item(next);
    }
    if (keys.length === 0) return row;
    return { parent: this.#open(parent, keys, parent === null, made), key };
  }

  // Unfolds a chain of items below `parent`, each the child of the one before. The counts of rows are brought up
  // once, so that a chain of many levels takes no longer than its length. Returns the last.
  #open(parent, keys, fromRoot, kids = []) {
    let node = parent;
    const fresh = [];
    keys.forEach((key, i) => {
      const open = fromRoot && i === 0 ? this.#root : node.open.find((one) => one.node.key === key)?.node;
      node = open ?? this.#attach(node, key, kids[i]);
      if (open === undefined) fresh.push(node);
    });
    // Those that are new follow one another: what is below the first is theirs together.
    for (let i = fresh.length - 1; i > 0; --i) fresh[i - 1].rows += fresh[i].rows;
    if (fresh.length > 0) {
      for (let up = fresh[0].parent; up !== null; up = up.parent) up.rows += fresh[0].rows;
    }
    return node;
  }

  // The counts of rows above are the caller's.
  #attach(node, key, kids) {
    const child = this.#unfold(node.kids.item(key), key, node, kids);
    const place = node.keys.indexOf(key);
    const before = node.open.findIndex((one) => one.place > place);
    node.open.splice(before < 0 ? node.open.length : before, 0, { place, node: child });
    return child;
  }

  #unfold(item, key, parent, kids = this.#direction.kids(item)) {
    const node = new Unfolded(item, key, parent, kids);
    this.#sort(node);
    return node;
  }

  #sort(node) {
    const { value, descending, lastIfZero } = this.#order;
    const { keys, item } = node.kids;
    const values = Float64Array.from(keys, (key) => value(item(key)));
    const order = fallingOrder(values);
    if (!descending) {
      const known = lastIfZero ? values.reduce((count, one) => count + (one > 0 ? 1 : 0), 0) : order.length;
      order.subarray(0, known).reverse();
    }
    node.keys = keys.constructor.from(order, (i) => keys[i]);
    for (const open of node.open) open.place = node.keys.indexOf(open.node.key);
    node.open.sort((a, b) => a.place - b.place);
  }

  sortBy(order) {
    this.#order = order;
    this.#eachUnfolded((node) => this.#sort(node));
  }

  // The same of another direction that has the same items: unfolded where this is. row(r) has the name there of
  // a row here.
  movedTo(direction, order) {
    const moved = new TreeRows(direction, order);
    const same = new Map([[this.#root, moved.#root]]);
    const made = [];
    this.#eachUnfolded((node) => {
      if (node.parent === null) return;
      made.push(moved.#attach(same.get(node.parent), node.key));
      same.set(node, made.at(-1));
    });
    for (const node of made.reverse()) node.parent.rows += node.rows;
    return { rows: moved, row: ({ parent, key }) => ({ parent: parent === null ? null : same.get(parent), key }) };
  }

  // Parents first.
  #eachUnfolded(visit) {
    const waiting = [this.#root];
    while (waiting.length > 0) {
      const node = waiting.pop();
      visit(node);
      for (const open of node.open) waiting.push(open.node);
    }
  }
}
