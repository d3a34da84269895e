// A tree of calling contexts as typed arrays, with what is derived from them.
//
// Rows are in pre-order: row 0 is ROOT, the children of row r start at r + 1, and the sibling after row c is
// c + size[c]. Every pass is a loop, so the depth of a tree does not matter.

export class ContextTree {
  #exclusive;  // by measure; exact below 2^53
  #inclusive = new Map();
  #methods = new Map();
  #outermost = null;
  #source;
  #shown = null;
  #presence = null;
  #methodCount;  // methods of the report when this was made: frames made later (Report.frame) are in no row
  #isThere = null;

  // parent, method, site: Int32Arrays. exclusive: a Map from each of the report's measures to its column, or to a
  // function that makes it.
  // source: of a tree whose rows stand for several of another, {tree, rows, into}: rows of that tree, and the
  // row here that each of them is in.
  constructor(report, { parent, method, site, exclusive, source = null }) {
    this.report = report;
    this.parent = parent;
    this.method = method;
    this.site = site;
    this.count = parent.length;
    this.#methodCount = report.names.length;
    this.#exclusive = exclusive;
    this.#source = source;
    this.size = new Uint32Array(this.count).fill(1);
    for (let row = this.count - 1; row > 0; --row) this.size[parent[row]] += this.size[row];
  }

  // The same contexts with other amounts of some measures: a Map from these to what makes their columns.
  with(columns) {
    const { report, parent, method, site } = this;
    const columnOf = (measure) => columns.get(measure) ?? (() => this.exclusiveOf(measure));
    const exclusive = new Map(this.measures.map((measure) => [measure, columnOf(measure)]));
    return new ContextTree(report, { parent, method, site, exclusive, source: this.#source });
  }

  // Exclusive and inclusive amounts of a measure, by row.
  exclusiveOf(measure) {
    let column = this.#exclusive.get(measure);
    if (column === undefined || typeof column === 'function') {
      column = column === undefined ? this.#largerOf(measure.of) : column();
      this.#exclusive.set(measure, column);
    }
    return column;
  }

  #largerOf([one, other]) {
    const column = Float64Array.from(this.exclusiveOf(one));
    const others = this.exclusiveOf(other);
    for (let row = 0; row < column.length; ++row) if (others[row] > column[row]) column[row] = others[row];
    return column;
  }

  // Measures with a column of their own, not made of others.
  get measures() {
    return [...this.#exclusive.keys()].filter(({ of }) => of === null);
  }

  // Made when it is first asked for, then kept: 8 bytes for each row.
  inclusiveOf(measure) {
    let sums = this.#inclusive.get(measure);
    if (sums === undefined) {
      sums = Float64Array.from(this.exclusiveOf(measure));
      for (let row = this.count - 1; row > 0; --row) sums[this.parent[row]] += sums[row];
      this.#inclusive.set(measure, sums);
    }
    return sums;
  }

  // One byte per row: 1 where its method is not on the path above it.
  get outermost() {
    this.#outermost ??= this.#findOutermost();
    return this.#outermost;
  }

  #findOutermost() {
    const { count, method, parent } = this;
    const outermost = new Uint8Array(count);
    const onPath = new Uint32Array(this.#methodCount);
    for (let row = 1; row < count; ++row) {
      for (let open = row - 1; open !== parent[row]; open = parent[open]) --onPath[method[open]];
      if (onPath[method[row]]++ === 0) outermost[row] = 1;
    }
    return outermost;
  }

  // Returns true if some row is the method's.
  has(m) {
    if (this.#isThere === null) {
      this.#isThere = new Uint8Array(this.#methodCount);
      for (let row = 1; row < this.count; ++row) this.#isThere[this.method[row]] = 1;
    }
    return this.#isThere[m] === 1;
  }

  // Amounts of a measure by method. `inclusive` counts each subtree once, at the method's outermost
  // occurrence on the path; `outer` is the exclusive amount of those occurrences.
  methodsOf(measure) {
    let sums = this.#methods.get(measure);
    if (sums === undefined) {
      sums = this.#sumMethods(measure);
      this.#methods.set(measure, sums);
    }
    return sums;
  }

  #sumMethods(measure) {
    const exclusive = new Float64Array(this.#methodCount);
    const inclusive = new Float64Array(this.#methodCount);
    const outer = new Float64Array(this.#methodCount);
    const own = this.exclusiveOf(measure);
    const all = this.inclusiveOf(measure);
    const { outermost, method } = this;
    for (let row = 1; row < this.count; ++row) {
      const m = method[row];
      exclusive[m] += own[row];
      if (outermost[row] === 1) {
        inclusive[m] += all[row];
        outer[m] += own[row];
      }
    }
    return { exclusive, inclusive, outer };
  }

  // Sets the measure that `values` and everything derived from it have. `own`: how many contexts with some of
  // `presence` each row stands for; `contexts`: how many each subtree and each method has.
  show(measure, presence = measure) {
    if (this.#shown === measure && this.#presence === presence) return;
    this.#shown = measure;
    this.#presence = presence;
    this.values = this.exclusiveOf(measure);
    this.inclusive = this.inclusiveOf(measure);
    this.own = this.#ownContexts(presence);
    this.contexts = this.own.slice();
    const { exclusive, inclusive } = this.methodsOf(measure);
    this.methodValues = exclusive;
    this.methodInclusive = inclusive;
    this.methodContexts = new Uint32Array(this.#methodCount);
    for (let row = this.count - 1; row > 0; --row) {
      this.methodContexts[this.method[row]] += this.own[row];
      this.contexts[this.parent[row]] += this.contexts[row];
    }
  }

  #ownContexts(measure) {
    const own = new Uint32Array(this.count);
    if (this.#source === null) {
      const values = this.exclusiveOf(measure);
      for (let row = 0; row < this.count; ++row) own[row] = values[row] > 0 ? 1 : 0;
      return own;
    }
    const { tree, rows, into } = this.#source;
    const theirs = tree.#ownContexts(measure);
    for (let i = 0; i < rows.length; ++i) own[into[i]] += theirs[rows[i]];
    return own;
  }

  // Says what there is to be found, whatever frames are as wide as.
  get presence() {
    return this.#presence;
  }

  // Callers and callees of a method, most first, without those of nothing. Caller -1: threads. Of calls:
  // how many there are between them. Of another measure: what there is inclusively, of the callers in the
  // method and of the method in its callees, each subtree once, at the method's outermost occurrence.
  neighbours(method, measure) {
    const { calls } = this.report;
    const isCalls = calls !== null && (measure === calls || measure === calls.old);
    const values = this.exclusiveOf(measure);
    const inclusive = this.inclusiveOf(measure);
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
        if (callee === method) add(callers, caller, values[row]);
        if (caller === method) add(callees, callee, values[row]);
      } else {
        if (isOutermost) add(callers, caller, inclusive[row]);
        if (parent === outermost && parent !== 0) add(callees, callee, inclusive[row]);
      }
    }
    const ranked = (map) => [...map].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    return { callers: ranked(callers), callees: ranked(callees) };
  }

  // Sums up a measure over the methods marked in `matched` (one byte per method), and counts their contexts.
  weigh(matched, measure) {
    const { exclusive } = this.methodsOf(measure);
    const all = this.inclusiveOf(measure);
    let own = 0;
    let inclusive = 0;
    let contexts = 0;
    for (let m = 0; m < this.#methodCount; ++m) {
      if (matched[m]) {
        own += exclusive[m];
        contexts += this.methodContexts[m];
      }
    }
    for (let row = 1; row < this.count; ) {
      if (matched[this.method[row]]) {
        inclusive += all[row];
        row += this.size[row];
      } else {
        ++row;
      }
    }
    return { own, inclusive, contexts };
  }
}
