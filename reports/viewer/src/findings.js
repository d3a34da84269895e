// Where in a direction of reading the tree a search found something: places in the order to visit them,
// and how many of them are too thin to be drawn below a frame.
import { inOrder } from './places.js';

// Findings from callers to callees: every row of a matching method is a place.
export class RowFindings {
  constructor(tree, itemAt, found) {
    const { count, method } = tree;
    const { matched, first } = found;
    const inclusive = tree.inclusiveOf(tree.presence);
    this.tree = tree;
    this.itemAt = itemAt;
    // before[r]: places in rows before r.
    this.before = new Uint32Array(count + 1);
    for (let row = 1; row < count; ++row) {
      const here = matched[method[row]] && inclusive[row] > 0 ? 1 : 0;
      this.before[row + 1] = this.before[row] + here;
    }
    this.count = this.before[count];
    const rows = new Uint32Array(this.count);
    const values = new Float64Array(this.count);
    for (let row = 1, next = 0; next < rows.length; ++row) {
      if (this.before[row + 1] > next) {
        values[next] = inclusive[row];
        rows[next++] = row;
      }
    }
    this.places = inOrder(rows, values, (row) => first[method[row]]);
  }

  item(i) {
    return this.itemAt(this.places[i]);
  }

  contexts(i) {
    return this.tree.contexts[this.places[i]];
  }

  #within(row) {
    return this.before[row + this.tree.size[row]] - this.before[row];
  }

  // Below a frame, but in none of those drawn below it.
  hiddenBelow({ row }, drawn) {
    let hidden = this.#within(row) - (this.before[row + 1] - this.before[row]);
    for (const item of drawn) hidden -= this.#within(item.row);
    return hidden;
  }

  // Which of these comes first; -1 when there is none.
  firstHidden({ row }, drawn) {
    const { size } = this.tree;
    const starts = drawn.map((item) => item.row);  // rising
    const isDrawn = (place) => {
      let low = 0;
      let high = starts.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (starts[middle] <= place) low = middle + 1;
        else high = middle;
      }
      return low > 0 && place < starts[low - 1] + size[starts[low - 1]];
    };
    const end = row + size[row];
    return this.places.findIndex((place) => place > row && place < end && !isDrawn(place));
  }
}

// Findings from callees to callers: every matching method with a value of its own is a place.
export class MethodFindings {
  constructor(tree, itemAt, found) {
    const { exclusive: methodValues } = tree.methodsOf(tree.presence);
    this.tree = tree;
    this.itemAt = itemAt;
    this.matched = found.matched;
    this.seenIn = new Uint32Array(methodValues.length);  // by method: the last turn of hiddenBelow()
    this.turn = 0;
    const methods = Uint32Array.from(found.matched.keys())
      .filter((m) => found.matched[m] && methodValues[m] > 0);
    this.count = methods.length;
    this.places = inOrder(methods, Float64Array.from(methods, (m) => methodValues[m]),
      (m) => found.first[m]);
  }

  item(i) {
    return this.itemAt(this.places[i]);
  }

  contexts(i) {
    return this.tree.methodContexts[this.places[i]];
  }

  // Methods among the frames directly below one.
  hiddenBelow(item, drawn) {
    const turn = ++this.turn;
    const seen = this.seenIn;
    for (const { method } of drawn) seen[method] = turn;
    let hidden = 0;
    const look = (m) => {
      if (seen[m] === turn) return;
      seen[m] = turn;
      ++hidden;
    };
    if (item.up === null) this.places.forEach(look);
    else this.#eachMatchedCaller(item, look);
    return hidden;
  }

  firstHidden(item, drawn) {
    if (item.up !== null) return -1;  // callers are no places
    const shown = new Set(drawn.map(({ method }) => method));
    return this.places.findIndex((m) => !shown.has(m));
  }

  #eachMatchedCaller({ leaf, at }, look) {
    const { parent, method } = this.tree;
    const values = this.tree.exclusiveOf(this.tree.presence);
    const { matched } = this;
    for (let i = 0; i < at.length; ++i) {
      const caller = parent[at[i]];
      if (caller > 0 && matched[method[caller]] && values[leaf[i]] > 0) look(method[caller]);
    }
  }
}
