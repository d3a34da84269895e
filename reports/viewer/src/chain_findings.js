// Where among the callers of one method (bottom_up.js) a search found something: the chains that end in a method
// that matches, widest first. There may be far more chains than contexts, so they are followed from the widest
// on, for as long as there is time, and the count says when that was not to the end.

const MOST_PLACES = 1000;
const MOST_FOLLOWED = 20_000;

export class ChainFindings {
  #direction;
  #shown;
  #places = [];
  #ids = new Map();  // of chains that were met, by the one before and its method; the root's is 0
  #known = new WeakMap();  // ids of items
  #before = [-1];    // by id: the chain without its last method
  #isPlace;
  #below;            // by id: places at it and beyond
  #methodCount;

  // shown(item): the item that stands for it where places are shown.
  constructor(direction, { matched }, shown) {
    this.#direction = direction;
    this.#shown = shown;
    this.#methodCount = direction.tree.report.names.length;
    this.isComplete = this.#follow(matched);
    this.#below = new Uint32Array(this.#before.length);
    this.#isPlace = new Set(this.#places.map((place) => this.#idOf(place)));
    for (const id of this.#isPlace) this.#below[id] = 1;
    for (let id = this.#below.length - 1; id > 0; --id) this.#below[this.#before[id]] += this.#below[id];
  }

  // Follows the chains that may lead to a match; returns false if it stopped at a limit. A caller is never wider than
  // its callee, so taking the widest waiting chain next also gives the order of places.
  #follow(matched) {
    const { tree, root } = this.#direction;
    const hasAbove = matchesAbove(tree, matched);
    const waiting = new Widest();
    waiting.add(root);
    for (let followed = 0; waiting.size > 0; ++followed) {
      if (followed >= MOST_FOLLOWED || this.#places.length >= MOST_PLACES) return false;
      const item = waiting.take();
      if (matched[item.method]) this.#places.push(item);
      if (!item.at.some((row) => hasAbove[row] === 1)) continue;
      for (const child of this.#direction.children(item, 0).items) {
        this.#ids.set(this.#keyOf(this.#idOf(item), child.method), this.#before.length);
        this.#before.push(this.#idOf(item));
        waiting.add(child);
      }
    }
    return true;
  }

  #keyOf(before, method) {
    return before * this.#methodCount + method;
  }

  // -1: of a chain that was not met.
  #idOf(item) {
    const met = [];
    let known = item;
    for (; known.up !== null && !this.#known.has(known); known = known.up) met.push(known);
    let id = known.up === null ? 0 : this.#known.get(known);
    for (const one of met.reverse()) {
      id = id < 0 ? id : this.#ids.get(this.#keyOf(id, one.method)) ?? -1;
      this.#known.set(one, id);
    }
    return id;
  }

  get count() {
    return this.#places.length;
  }

  item(i) {
    return this.#shown(this.#places[i]);
  }

  contexts(i) {
    return this.#direction.contexts(this.#places[i]);
  }

  // Beyond a frame, but in none of those drawn beyond it.
  hiddenBelow(item, drawn) {
    const id = this.#idOf(item);
    if (id < 0) return 0;
    const inside = (one) => {
      const child = this.#ids.get(this.#keyOf(id, one.method));
      return child === undefined ? 0 : this.#below[child];
    };
    const ofItself = this.#isPlace.has(id) ? 1 : 0;
    return drawn.reduce((hidden, one) => hidden - inside(one), this.#below[id] - ofItself);
  }

  firstHidden(item, drawn) {
    const top = this.#idOf(item);
    const shown = new Set(drawn.map((one) => this.#idOf(one)));
    return this.#places.findIndex((place) => {
      let id = this.#idOf(place);
      if (id === top) return false;
      while (id > top && !shown.has(id)) id = this.#before[id];
      return id === top;
    });
  }
}

// One byte per row: 1 where a method that matches is above it.
function matchesAbove({ count, method, parent }, matched) {
  const above = new Uint8Array(count);
  for (let row = 1; row < count; ++row) {
    const up = parent[row];
    above[row] = up > 0 && (above[up] === 1 || matched[method[up]] === 1) ? 1 : 0;
  }
  return above;
}

// A heap of items by their values.
class Widest {
  #items = [];

  get size() {
    return this.#items.length;
  }

  add(item) {
    const items = this.#items;
    let at = items.push(item) - 1;
    while (at > 0 && items[(at - 1) >> 1].value < item.value) {
      items[at] = items[(at - 1) >> 1];
      at = (at - 1) >> 1;
    }
    items[at] = item;
  }

  take() {
    const items = this.#items;
    const widest = items[0];
    const last = items.pop();
    if (items.length === 0) return widest;
    let at = 0;
    for (let child = 1; child < items.length; child = 2 * at + 1) {
      if (child + 1 < items.length && items[child + 1].value > items[child].value) ++child;
      if (items[child].value <= last.value) break;
      items[at] = items[child];
      at = child;
    }
    items[at] = last;
    return widest;
  }
}
