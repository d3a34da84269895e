// Trees made from a tree: one context as the whole, or all contexts of a method laid over each other. What is
// made is a tree like any other, so it can be read, searched and taken apart in the same ways.
import { ContextTree } from './context_tree.js';

// A context and everything below it, as the only child of ROOT.
export function under(tree, top) {
  const count = tree.size[top] + 1;
  const column = (Type, whole, first) => {
    const part = new Type(count);
    part[0] = first;
    part.set(whole.subarray(top, top + count - 1), 1);
    return part;
  };
  const parent = column(Int32Array, tree.parent, -1);
  parent[1] = 0;
  const site = column(Int32Array, tree.site, -1);
  site[1] = -1;
  for (let row = 2; row < count; ++row) parent[row] -= top - 1;
  return new ContextTree(tree.report, {
    parent, method: column(Int32Array, tree.method, -1), site,
    exclusive: eachMeasure(tree, (whole) => column(Float64Array, whole, 0)),
  });
}

// Columns of a tree that is made of another, each when it is asked for.
export function eachMeasure(tree, make) {
  return new Map(tree.measures.map((measure) => [measure, () => make(tree.exclusiveOf(measure), measure)]));
}

// Merges everything below the contexts of a method: these are one node, so are their callees of equal methods and call
// sites, and so on. A context of the method inside another one stays below it, as in the tree, and so counts once.
export function merged(tree, wanted) {
  const { rows, into, nodes } = overlay(tree, wanted);
  const places = inPreOrder(nodes, tree.report.names.length);
  const count = nodes.count + 1;
  const ordered = (whole, first, value) => {
    const column = new Int32Array(count);
    column[0] = first;
    for (let node = 0; node < nodes.count; ++node) column[places[node]] = value(whole[node]);
    return column;
  };
  for (let i = 0; i < into.length; ++i) into[i] = places[into[i]];
  const sum = (whole) => {
    const column = new Float64Array(count);
    for (let i = 0; i < rows.length; ++i) column[into[i]] += whole[rows[i]];
    return column;
  };
  return new ContextTree(tree.report, {
    parent: ordered(nodes.parent, -1, (parent) => (parent < 0 ? 0 : places[parent])),
    method: ordered(nodes.method, -1, (method) => method),
    site: ordered(nodes.site, -1, (site) => site),
    exclusive: eachMeasure(tree, sum),
    source: { tree, rows, into },
  });
}

// The rows of all subtrees, and into which node each of them comes. Nodes are in the order of their first rows.
function overlay(tree, wanted) {
  const { outermost, method, size, site, parent } = tree;
  let total = 0;
  for (let row = 1; row < tree.count; ++row) {
    if (method[row] === wanted && outermost[row] === 1) total += size[row];
  }
  const rows = new Int32Array(total);
  const into = new Int32Array(total);
  const nodes = { count: 0, parent: new Int32Array(total), method: new Int32Array(total), site: new Int32Array(total) };
  const find = nodeFinder(nodes, total, true);
  let next = 0;
  for (let row = 1; row < tree.count; ) {
    if (method[row] !== wanted) {
      ++row;
      continue;
    }
    const start = next - row;  // what is below a subtree's top follows it in `rows`, too
    for (let end = row + size[row], top = row; row < end; ++row, ++next) {
      rows[next] = row;
      into[next] = find(row === top ? -1 : into[start + parent[row]], method[row], row === top ? -1 : site[row]);
    }
  }
  return { rows, into, nodes };
}

// find(parent, method, site): the node, made if there is none; bySite: nodes of two call sites are two. A table with
// open addresses, at most half full.
export function nodeFinder(nodes, most, bySite = false) {
  const mask = 2 ** Math.ceil(Math.log2(2 * most + 2)) - 1;
  const table = new Int32Array(mask + 1).fill(-1);
  return (parent, method, site) => {
    let at = Math.imul(Math.imul(parent, 0x9e3779b1) ^ method ^ (bySite ? Math.imul(site, 0xc2b2ae35) : 0), 0x85ebca6b);
    for (at = (at ^ (at >>> 15)) & mask; table[at] >= 0; at = (at + 1) & mask) {
      const node = table[at];
      if (nodes.parent[node] !== parent || nodes.method[node] !== method) continue;
      if (bySite && nodes.site[node] !== site) continue;
      if (nodes.site[node] !== site) nodes.site[node] = -1;
      return node;
    }
    const node = nodes.count++;
    table[at] = node;
    nodes.parent[node] = parent;
    nodes.method[node] = method;
    nodes.site[node] = site;
    return node;
  };
}

// The row of each node: ROOT is 0, and siblings are by method.
export function inPreOrder({ count, parent, method }, methods) {
  const first = new Int32Array(methods + 1);
  for (let node = 0; node < count; ++node) ++first[method[node] + 1];
  for (let m = 0; m < methods; ++m) first[m + 1] += first[m];
  const byMethod = new Int32Array(count);
  for (let node = 0; node < count; ++node) byMethod[first[method[node]]++] = node;
  const child = new Int32Array(count).fill(-1);
  const sibling = new Int32Array(count).fill(-1);
  let top = -1;
  for (let i = count - 1; i >= 0; --i) {
    const node = byMethod[i];
    if (parent[node] < 0) {
      sibling[node] = top;
      top = node;
      continue;
    }
    sibling[node] = child[parent[node]];
    child[parent[node]] = node;
  }
  const places = new Int32Array(count);
  let row = 0;
  for (let node = top; node >= 0; ) {
    places[node] = ++row;
    let next = child[node];
    while (next < 0 && node >= 0) {
      next = sibling[node];
      node = parent[node];
    }
    node = next;
  }
  return places;
}
