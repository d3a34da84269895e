// Reports for the browser tests, as objects of schema copse.cct/2.

// nodes: [parent, method, line of the call site or -1, calls] in pre-order, without ROOT.
export function report(methods, nodes, extra = {}) {
  const sites = { method: [], bci: [], line: [] };
  const siteIndex = new Map();
  const columns = { parent: [-1], method: [-1], site: [-1], calls: [0] };
  let calls = 0;
  const depth = [0];
  let deepest = 0;
  for (const [parent, method, line, count] of nodes) {
    let site = -1;
    const caller = columns.method[parent];
    if (line >= 0 && caller >= 0) {
      const key = caller * 100_000 + line;
      if (!siteIndex.has(key)) {
        siteIndex.set(key, sites.method.length);
        sites.method.push(caller);
        sites.bci.push(line);
        sites.line.push(line);
      }
      site = siteIndex.get(key);
    }
    columns.parent.push(parent);
    columns.method.push(method);
    columns.site.push(site);
    columns.calls.push(count);
    calls += count;
    depth.push(depth[parent] + 1);
    deepest = Math.max(deepest, depth[parent] + 1);
  }
  return {
    schema: 'copse.cct/2',
    created_by: 'copse test',
    program: { command: ['java', 'demo.Main'], pid: 1, runtime: 'Test VM', started: '2026-11-21T08:00:00Z', wall_ms: 1234 },
    options: { engine: 'parallel' },
    totals: {
      calls, contexts: nodes.length, threads: 1, max_depth: deepest,
      calls_seen: calls, calls_lost: 0, packets: 1,
    },
    methods: {
      class: methods.map(([c]) => c), name: methods.map(([, n]) => n),
      descriptor: methods.map(([, , d]) => d ?? '()V'), source: methods.map(() => 'Main.java'),
      loader: methods.map(() => 'app'),
    },
    sites,
    threads: [{ id: 1, name: 'main', node: 1, calls }],
    nodes: columns,
    skipped: [],
    notes: [],
    ...extra,
  };
}

// main (1) -> work (300, line 10) -> log (600, line 20); main -> log (99, line 11).
export const small = () => report(
  [['demo.Log', 'log'], ['demo.Main', 'main'], ['demo.Main', 'work']],
  [[0, 1, -1, 1], [1, 0, 11, 99], [1, 2, 10, 300], [3, 0, 20, 600]],
  { skipped: [{ class: 'demo.Huge', method: 'parse()V', reason: 'too large' }] },
);

// The same with the bytes that each context allocated, 5 of which have no context, and with its
// processor time.
export function measured(shown = 'calls') {
  const { nodes, ...rest } = small();
  const measures = [  // before their columns
    { name: 'allocated_bytes', unit: 'bytes (estimate)', lost: 5 }, { name: 'cpu_ns', unit: 'ns', lost: 0 },
  ];
  const columns = { allocated_bytes: [0, 0, 4096, 1024, 0], cpu_ns: [0, 250_000, 0, 1_500_000, 750_000_000] };
  return { ...rest, metrics: measures, shown, nodes: { ...nodes, ...columns } };
}

// main (1) -> work (99, line 11), and 36 calls of 18 contexts that were evicted below main.
export function evicted() {
  const { totals, ...rest } = report(
    [['(evicted)', 'contexts', ''], ['demo.Main', 'main'], ['demo.Main', 'work']],
    [[0, 1, -1, 1], [1, 0, -1, 36], [1, 2, 11, 99]],
    {
      options: { engine: 'parallel', recursion: 'merge' },
      notes: [
        'Recursion is merged: contexts are not exact.',
        '18 contexts with 36 calls found no room in 1 MiB: the coldest were evicted into nodes named (evicted); --recursion merge makes it smaller.',
      ],
    },
  );
  return { ...rest, totals: { ...totals, evicted_calls: 36, evicted_contexts: 18 } };
}

// Two methods of which one's name begins with the other's, each of them overloaded or in two classes.
// main -> compareTo(Value) (50) -> compareToNotNullable (40), compareTo(int) (9); other.Value.compareTo (1).
export const longNames = () => report(
  [
    ['demo.Main', 'main'], ['demo.Value', 'compareTo', '(Ldemo/Value;)I'], ['demo.Value', 'compareTo', '(I)I'],
    ['demo.Value', 'compareToNotNullable'], ['other.Value', 'compareTo'],
  ],
  [[0, 0, -1, 0], [1, 1, 10, 50], [2, 3, 20, 40], [1, 2, 11, 9], [1, 4, 12, 1]],
);

// With the names that copse writes into the page, where no two methods of a class share one.
export function named(raw) {
  const { methods } = raw;
  const shown = methods.class.map((type, m) => (type === '' ? '' : `${type}.`) + methods.name[m]);
  return { ...raw, methods: { ...methods, shown } };
}

// The first method calls each of the others, of which some share a name.
export const overloaded = (methods) => report(
  methods, methods.map((_, m) => (m === 0 ? [0, 0, -1, 1] : [1, m, m, 10])),
);

// main -> hot (a million) and, one call each: main -> rare -> found, and below hot a chain of thin frames
// with found at its end and in its middle.
export function thin() {
  const methods = [['demo.Main', 'main'], ['demo.Main', 'hot'], ['demo.Main', 'rare'], ['demo.Thin', 'found'], ['demo.Thin', 'step']];
  const nodes = [[0, 0, -1, 1], [1, 1, 10, 1_000_000]];
  for (let i = 0; i < 60; ++i) nodes.push([nodes.length, i === 30 ? 3 : 4, 5, 1]);
  nodes.push([nodes.length, 3, 6, 1]);
  nodes.push([1, 2, 11, 1], [nodes.length + 1, 3, 12, 1]);
  return report(methods, nodes);
}

// main -> f (10 ns) -> g (20) -> f (30) -> g (5).
export function recursive() {
  const { nodes, ...rest } = report(
    [['demo.Main', 'main'], ['demo.R', 'f'], ['demo.R', 'g']],
    [[0, 0, -1, 1], [1, 1, 1, 1], [2, 2, 2, 1], [3, 1, 3, 1], [4, 2, 2, 1]],
  );
  const measures = [{ name: 'cpu_ns', unit: 'ns', lost: 0 }];
  return { ...rest, metrics: measures, shown: 'cpu_ns', nodes: { ...nodes, cpu_ns: [0, 0, 10, 20, 30, 5].map((ms) => ms * 1e6) } };
}

const NO_SIDES = { old_threads: [], old_notes: [], new_notes: [], rules: [] };

// The page's own input where two reports are compared: as report(), with nodes [parent, method, line, old, new]. `measures`:
// of old and new, {name: [unit, old values, new values]}, ROOT's among them.
export function comparison(methods, nodes, { measures = {}, compared = {}, ...extra } = {}) {
  const made = report(methods, nodes.map(([parent, method, line, , now]) => [parent, method, line, now]), extra);
  const old = report(methods, nodes.map(([parent, method, line, before]) => [parent, method, line, before]));
  const metrics = [{ name: 'old_calls', unit: 'calls', lost: 0 }];
  const columns = { old_calls: old.nodes.calls };
  for (const [name, [unit, before, now]] of Object.entries(measures)) {
    metrics.push({ name, unit, lost: 0 }, { name: `old_${name}`, unit, lost: 0 });
    columns[name] = now;
    columns[`old_${name}`] = before;
  }
  const program = { ...old.program, started: '2026-11-20T08:00:00Z', wall_ms: 1000 };
  const { nodes: both, ...rest } = made;
  return {
    ...rest,
    compared: { old: 'a.json', new: 'b.json', renamed: [], only_old: [], only_new: [], old_totals: old.totals, old_program: program, ...NO_SIDES, ...compared },
    metrics, nodes: { ...both, ...columns },
  };
}

// A request that asks 101 times rather than once, by a method that was renamed; a cache that is gone, a check that is new,
// and a log that is as it was.
export const queries = () => comparison(
  [
    ['demo.Main', 'main'], ['demo.Handler', 'get'], ['demo.Dao', 'query'], ['demo.Cache', 'look'], ['demo.Check', 'run'],
    ['demo.Log', 'log'],
  ],
  [
    [0, 0, -1, 1, 1], [1, 1, 10, 100, 100], [2, 2, 20, 100, 10_100], [3, 5, 30, 100, 100], [2, 3, 21, 400, 0], [5, 5, 40, 50, 0],
    [2, 4, 22, 0, 200], [1, 5, 11, 300, 300],
  ],
  {
    compared: { renamed: [{ from: 'demo.Dao.find', to: 'demo.Dao.query' }] },
    measures: {
      cpu_ns: ['ns', [0, 0, 1e6, 5e6, 1e6, 2e6, 1e6, 0, 4e6], [0, 0, 1e6, 400e6, 1e6, 0, 0, 9e6, 5e6]],
      cpu_samples: ['events', [0, 0, 1, 5, 1, 2, 1, 0, 4], [0, 0, 1, 400, 1, 0, 0, 9, 5]],
    },
  },
);

// Two of such a size: of the old report's contexts some are gone with what is below them, as many are new, and one in five
// has other counts.
export function largeComparison(contexts, seed = 1) {
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
  const { nodes, metrics, totals, ...rest } = large(contexts, seed);
  const { calls, cpu_ns: times, cpu_samples: samples, parent } = nodes;
  const old = { calls: calls.slice(), cpu_ns: times.slice(), cpu_samples: samples.slice() };
  const isAlone = new Int8Array(parent.length);  // 1: in new, -1: in old
  for (let row = 1; row < parent.length; ++row) {
    const up = parent[row];
    isAlone[row] = up > 0 && isAlone[up] !== 0 ? isAlone[up] : random() < 0.004 ? 1 : random() < 0.004 ? -1 : 0;
    const lacking = isAlone[row] === 1 ? old : isAlone[row] === -1 ? nodes : null;
    if (lacking !== null) for (const column of ['calls', 'cpu_ns', 'cpu_samples']) lacking[column][row] = 0;
    else if (random() < 0.2) old.calls[row] = Math.round(calls[row] * (0.5 + 1.2 * random()));
  }
  const totalsOf = (column) => {
    const sum = column.reduce((total, value) => total + value, 0);
    return { ...totals, calls: sum, calls_seen: sum };
  };
  const compared = { old: 'a.json', new: 'b.json', renamed: [], only_old: [], only_new: [], old_totals: totalsOf(old.calls), old_program: rest.program, ...NO_SIDES };
  return {
    ...rest, totals: totalsOf(calls), compared,
    metrics: [{ name: 'old_calls', unit: 'calls', lost: 0 }, ...metrics, ...metrics.map((one) => ({ ...one, name: `old_${one.name}` }))],
    nodes: { ...nodes, old_calls: old.calls, old_cpu_ns: old.cpu_ns, old_cpu_samples: old.cpu_samples },
  };
}

export const HOSTILE = [
  '</script><img src=x onerror="window.hacked=1">',
  "';window.hacked=1;//",
  '"><svg onload=window.hacked=1>',
  '\u202Egnp.exe\u0007\u2028',
  '<!--<script>window.hacked=1</script>',
  'javascript:window.hacked=1',
  ']]><script>window.hacked=1</script>&lt;img src=x onerror=window.hacked=1&gt;',
];

export function hostile() {
  const methods = HOSTILE.map((text) => [text, text, text]);
  const nodes = HOSTILE.map((_, i) => [i, i, i === 0 ? -1 : 5, 10]);
  const made = report(methods, nodes);
  const text = HOSTILE[0];
  made.program = { ...made.program, command: HOSTILE, runtime: text, started: text };
  made.created_by = text;
  made.options = { [text]: text };
  made.methods.source = HOSTILE;
  made.methods.loader = HOSTILE;
  made.threads = HOSTILE.map((name, i) => ({ id: i, name, node: 1, calls: 10 }));
  made.skipped = HOSTILE.map((reason) => ({ class: reason, method: reason, reason }));
  made.notes = HOSTILE;
  return made;
}

// A chain of calls, far deeper than a JavaScript stack.
export function deep(levels) {
  const nodes = [];
  for (let i = 0; i < levels; ++i) nodes.push([i, i % 2, i === 0 ? -1 : 7, 1]);
  return report([['deep.A', 'even'], ['deep.B', 'odd']], nodes);
}

// A random tree of the shape real programs have: many methods, depth around 30, skewed counts, and processor
// time of which most contexts have no sample.
export function large(contexts, seed = 1) {
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
  const packages = ['org.acme.shop', 'org.acme.store', 'com.example.web', 'java.util', 'java.lang', 'io.netty.buffer'];
  const methods = [];
  for (let m = 0; m < 8000; ++m) {
    methods.push([`${packages[m % packages.length]}.Class${m >> 3}`, `method${m}`]);
  }
  const nodes = [];
  const path = [0];
  while (nodes.length < contexts) {
    const row = nodes.length + 1;
    while (path.length > 1 && (path.length > 60 || random() < 0.47)) path.pop();
    const depth = path.length;
    const method = Math.floor(random() * random() * methods.length);
    nodes.push([path[depth - 1], method, depth === 1 ? -1 : 1 + Math.floor(random() * 400),
      1 + Math.floor(100 / (random() + 0.001))]);
    path.push(row);
  }
  const samples = [0, ...nodes.map(() => (random() < 0.1 ? 1 + Math.floor(1 / (random() + 0.01)) : 0))];
  const { nodes: columns, ...rest } = report(methods, nodes);
  const metrics = [{ name: 'cpu_ns', unit: 'ns', lost: 0 }, { name: 'cpu_samples', unit: 'events', lost: 0 }];
  const times = samples.map((count) => Math.floor(count * 1e7 * (0.9 + 0.2 * random())));
  return { ...rest, metrics, shown: 'calls', nodes: { ...columns, cpu_ns: times, cpu_samples: samples } };
}
