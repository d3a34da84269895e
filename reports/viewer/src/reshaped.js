// Trees made from a tree by taking frames away: a package as one frame, a method without frames, a tree without some
// subtrees. What is made is a tree like any other.
import { ContextTree } from './context_tree.js';
import { eachMeasure, inPreOrder, nodeFinder } from './parts.js';

const JOINS = -2; // the frame above
const GOES = -3; // with everything below it
const ROOT = -1;

// Methods of a package and of the packages in it are one frame, wherever one calls another. Its calls are all of
// theirs.
export function folded(tree, name, frame) {
  const { method, parent, report } = tree;
  const isInside = report.methods.class.map((type) => type.startsWith(`${name}.`));
  const targetOf = (row) => {
    if (!isInside[method[row]]) return method[row];
    return parent[row] > 0 && isInside[method[parent[row]]] ? JOINS : frame;
  };
  return reshaped(tree, targetOf, (row) => isInside[method[row]] || isInside[method[parent[row]]]);
}

// Frames of a method are left out: what they have is their callers', but for their calls. Children of ROOT stay.
export function hidden(tree, wanted) {
  const {
    method,
    parent,
    report: { calls },
  } = tree;
  const isHidden = (row) => method[row] === wanted && parent[row] > 0;
  return reshaped(
    tree,
    (row) => (isHidden(row) ? JOINS : method[row]),
    (row) => isHidden(parent[row]),
    (measure, row) => !(isHidden(row) && calls !== null && (measure === calls || measure === calls.old)),
  );
}

// Subtrees are left out: of one context, or of all contexts of a method.
export const withoutContext = (tree, top) => without(tree, (row) => row === top);
export const withoutMethod = (tree, wanted) => without(tree, (row) => tree.method[row] === wanted);
const without = (tree, isTop) =>
  reshaped(
    tree,
    (row) => (isTop(row) ? GOES : tree.method[row]),
    () => false,
  );

// targetOf(row): the method of its node, JOINS or GOES. isMoved(row): its call site is in another frame than its
// caller's. isKept(measure, row): whether its own amount stays.
function reshaped(tree, targetOf, isMoved, isKept = () => true) {
  const { count, parent, site, size } = tree;
  const nodes = { count: 0, parent: new Int32Array(count), method: new Int32Array(count), site: new Int32Array(count) };
  const find = nodeFinder(nodes, count, true);
  const rows = new Int32Array(count);
  const into = new Int32Array(count);
  const nodeOf = new Int32Array(count).fill(ROOT);
  let kept = 0;
  for (let row = 1; row < count;) {
    const target = targetOf(row);
    if (target === GOES) {
      row += size[row];
      continue;
    }
    const above = nodeOf[parent[row]];
    nodeOf[row] = target === JOINS ? above : find(above, target, isMoved(row) ? -1 : site[row]);
    rows[kept] = row;
    into[kept++] = nodeOf[row];
    ++row;
  }
  return made(tree, nodes, rows.subarray(0, kept), into.subarray(0, kept), isKept);
}

function made(tree, nodes, rows, into, isKept) {
  const places = inPreOrder(nodes, tree.report.names.length);
  for (let i = 0; i < into.length; ++i) into[i] = into[i] === ROOT ? 0 : places[into[i]];
  const ordered = (whole, value = (one) => one) => {
    const column = new Int32Array(nodes.count + 1).fill(-1);
    for (let node = 0; node < nodes.count; ++node) column[places[node]] = value(whole[node]);
    return column;
  };
  const sum = (whole, measure) => {
    const column = new Float64Array(nodes.count + 1);
    column[0] = whole[0];
    for (let i = 0; i < rows.length; ++i) if (isKept(measure, rows[i])) column[into[i]] += whole[rows[i]];
    return column;
  };
  return new ContextTree(tree.report, {
    parent: ordered(nodes.parent, (parent) => (parent < 0 ? 0 : places[parent])),
    method: ordered(nodes.method),
    site: ordered(nodes.site),
    exclusive: eachMeasure(tree, sum),
    source: { tree, rows, into },
  });
}
