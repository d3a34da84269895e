// Two reports as one page compares them: what copse diff writes into its page (docs/exports.md), made of two reports in
// the browser. Contexts are equal if their paths of methods are; copse diff also knows anonymous and generated classes
// whose numbers moved.
import { inPreOrder, nodeFinder } from './parts.js';

const OLD = 'old_';
const NOTE =
  'Compared in the browser by paths of methods; copse diff also knows classes whose numbers moved.';

// Numbers that compilers and the JVM give say nothing.
const stable = (type, name) =>
  `${type.replace(/(\$\$Lambda)(\$\d+)?([/.+](0x)?[0-9a-f]+)*$/, '$1')}.` +
  name.replace(/^(lambda\$.*\$|access\$)\d+$/, '$1*');

// Reports (report.js) and their file names -> the page's data.
export function unionOf({ report: old, name: oldName }, { report: now, name: newName }) {
  const { methods, rowsOf } = unionOfMethods([old, now]);
  const sites = { method: [], bci: [], line: [] };
  const trees = [old, now].map((report, i) => ({
    report,
    methodOf: rowsOf[i],
    siteOf: addSites(sites, report, rowsOf[i]),
  }));
  const { parent, method, site, placesOf } = unionOfTrees(trees, methods.name.length);
  const column = (side, measure) => {
    const { report } = trees[side];
    const values = report.whole.exclusiveOf(measure).slice();
    for (const [row, amount] of measure.jvmRows) values[row] += amount; // set apart there
    const sums = new Array(parent.length).fill(0);
    values.forEach((value, row) => {
      sums[placesOf[side][row]] += value;
    });
    return sums;
  };
  const names = (report) => report.counted.map(({ name }) => name).filter((name) => name !== 'calls');
  const both = names(now).filter((name) => names(old).includes(name));
  const metrics = [{ name: `${OLD}calls`, unit: 'calls', lost: old.totals.calls_lost }];
  const zeros = new Array(parent.length).fill(0);
  const nodes = {
    parent,
    method,
    site,
    calls: now.calls === null ? zeros : column(1, now.calls),
    [`${OLD}calls`]: old.calls === null ? zeros : column(0, old.calls),
  };
  for (const name of both) {
    for (const [side, report, prefix] of [
      [1, now, ''],
      [0, old, OLD],
    ]) {
      const measure = report.counted.find((one) => one.name === name);
      metrics.push({ name: prefix + name, unit: measure.unitName, lost: measure.lost, threads: measure.threads });
      nodes[prefix + name] = column(side, measure);
    }
  }
  const threadsOf = (side) =>
    trees[side].report.threads.map((thread) => ({
      ...thread,
      node: thread.node < 0 ? -1 : placesOf[side][thread.node],
    }));
  return {
    program: now.program,
    created_by: now.createdBy,
    options: now.options,
    totals: now.totals,
    methods,
    sites,
    metrics,
    nodes,
    threads: threadsOf(1),
    skipped: now.skipped,
    notes: [NOTE],
    shown: both.includes(now.measure.name) ? now.measure.name : 'calls',
    ...kindsOf(trees),
    ...idleOf(trees, placesOf),
    compared: {
      old: oldName,
      new: newName,
      renamed: [],
      only_old: names(old).filter((name) => !both.includes(name)),
      only_new: names(now).filter((name) => !both.includes(name)),
      old_totals: old.totals,
      old_program: old.program,
      old_threads: threadsOf(0),
      old_notes: old.notes,
      new_notes: now.notes,
      rules: [],
    },
  };
}

function unionOfMethods(reports) {
  const columns = ['class', 'name', 'descriptor', 'source', 'loader', 'shown'];
  const methods = Object.fromEntries(columns.map((column) => [column, []]));
  const known = new Map();
  const rowsOf = reports.toReversed().map(({ methods: theirs, names }) =>
    names.map((shown, m) => {
      const key = `${stable(theirs.stable_class?.[m] || theirs.class[m], theirs.name[m])}${theirs.descriptor[m]}`;
      if (!known.has(key)) {
        known.set(key, methods.name.length);
        for (const column of columns) methods[column].push(column === 'shown' ? shown : theirs[column][m]);
      }
      return known.get(key);
    }),
  );
  return { methods, rowsOf: rowsOf.toReversed() }; // names are the new report's
}

function addSites(sites, { sites: theirs }, methodOf) {
  return theirs.method.map((m, i) => {
    sites.bci.push(theirs.bci[i]);
    sites.line.push(theirs.line[i]);
    return sites.method.push(methodOf[m]) - 1;
  });
}

// The new report's nodes come last, so that lines of calls are its lines.
function unionOfTrees(trees, methods) {
  const most = trees.reduce((sum, { report: { whole } }) => sum + whole.count, 0);
  const nodes = { count: 0, parent: new Int32Array(most), method: new Int32Array(most), site: new Int32Array(most) };
  const find = nodeFinder(nodes, most);
  const nodesOf = trees.map(({ report: { whole }, methodOf, siteOf }) => {
    const nodeOf = new Int32Array(whole.count).fill(-1);
    for (let row = 1; row < whole.count; ++row) {
      const site = whole.site[row] < 0 ? -1 : siteOf[whole.site[row]];
      const before = nodes.count;
      nodeOf[row] = find(nodeOf[whole.parent[row]], methodOf[whole.method[row]], site);
      if (nodeOf[row] < before) nodes.site[nodeOf[row]] = site;
    }
    return nodeOf;
  });
  const places = inPreOrder(nodes, methods);
  const ordered = (whole, value = (one) => one) => {
    const column = new Array(nodes.count + 1).fill(-1);
    for (let node = 0; node < nodes.count; ++node) column[places[node]] = value(whole[node]);
    return column;
  };
  return {
    parent: ordered(nodes.parent, (parent) => (parent < 0 ? 0 : places[parent])),
    method: ordered(nodes.method),
    site: ordered(nodes.site),
    placesOf: nodesOf.map((nodeOf) => nodeOf.map((node) => (node < 0 ? 0 : places[node]))),
  };
}

// A context that waits for work in one report does so in the other.
function idleOf(trees, placesOf) {
  const idle = trees.find(({ report }) => report.idle !== null)?.report.idle;
  if (idle === undefined) return {};
  const rows = new Set(trees.flatMap(({ report }, side) => (report.idle?.rows ?? []).map((row) => placesOf[side][row])));
  return { idle: { ...idle, rows: [...rows] } };
}

function kindsOf(trees) {
  const kinds = { method: [], kind: [], class: [], place: [] };
  const known = new Set();
  for (const {
    report: { objects },
    methodOf,
  } of trees) {
    for (const [m, { kind, type, place }] of objects) {
      if (known.has(methodOf[m]) || kind === 'state') continue;
      known.add(methodOf[m]);
      kinds.method.push(methodOf[m]);
      kinds.kind.push(kind);
      kinds.class.push(type);
      kinds.place.push(place);
    }
  }
  return known.size === 0 ? {} : { kinds };
}
