// The command that the page copies: what it prints has the numbers of what the page reads.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { commandLine } from '../../../reports/viewer/src/command_line.js';
import { Reading } from '../../../reports/viewer/src/reading.js';
import { Report } from '../../../reports/viewer/src/report.js';
import { sha256 } from '../../../reports/viewer/src/sha256.js';
import { clickFrame, copied, diffPageOf, outputOf, pageOf, withFile, withPage } from './harness.mjs';
import { measured, named, report, small } from './samples.mjs';

const CLASSES = ['app.Main', 'app.Page', 'org.lib.web.Server', 'org.lib.util.Text', 'org.lib.Log'];
const METHODS = 8;

function randomOf(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 4294967296) * below);
  };
}

const inOrder = (methods) => methods.sort((a, b) => (a.join() < b.join() ? -1 : 1));

// Few methods, so that they recurse, two of one name.
function randomReport(random, contexts) {
  const methods = Array.from({ length: METHODS }, (_, m) => [CLASSES[m % CLASSES.length], m === 1 || m === 6 ? 'show' : `m${m}`, m === 6 ? '(I)V' : '()V']);
  return randomOfMethods(random, contexts, inOrder(methods), ['cpu_ns']);
}

// Wall-clock time by states, of pools that wait for work in the JDK, and processor time of the JVM.
function randomWaits(random, contexts) {
  const methods = inOrder([
    ['', '(JIT compilers)', ''], ['', '(threads without recorded calls)', ''], ['', '(no recorded caller)', ''], ['', 'park java.lang.Object', ''],
    ['java.util.concurrent.ThreadPoolExecutor', 'getTask'], ['java.util.TimerThread', 'mainLoop'], ['java.lang.Object', 'wait'],
    ['java.util.Queue', 'take'], ['app.Main', 'run'], ['app.Page', 'show', '(I)V'], ['app.Page', 'show', '()V'],
  ]);
  const made = randomOfMethods(random, contexts, methods, ['cpu_ns', 'wall_ns', 'wall_samples', 'runnable_ns', 'runnable_samples', 'waiting_ns', 'parked_ns'], [
    methods.findIndex(([, name]) => name.startsWith('(threads')), methods.findIndex(([, name]) => name.startsWith('(JIT')),
  ]);
  // A thread is runnable in a part of the time.
  for (const unit of ['ns', 'samples']) {
    made.nodes[`wall_${unit}`] = made.nodes[`wall_${unit}`].map((amount, row) => amount + made.nodes[`runnable_${unit}`][row]);
  }
  const loader = made.methods.class.map((type) => (type.startsWith('java.') ? 'boot' : type === '' ? '' : 'app'));
  return { ...made, shown: 'wall_ns', methods: { ...made.methods, loader } };
}

// jvm: methods of one context, and of one below it. No two siblings are equal.
function randomOfMethods(random, contexts, sorted, measures, jvm = []) {
  const children = [[]];
  jvm.forEach((method, i) => {
    children[i].push({ id: i + 1, method, line: -1 });
    children.push([]);
  });
  for (let made = jvm.length; made < contexts;) {
    const parent = random(children.length);
    const [method, line] = [random(sorted.length), parent === 0 ? -1 : 1 + random(3)];
    if (jvm.includes(method) || (parent > 0 && parent <= jvm.length)) continue;
    if (children[parent].some((one) => one.method === method && one.line === line)) continue;
    children.push([]);
    children[parent].push({ id: ++made, method, line });
  }
  const nodes = [];
  const put = (id, row) => {
    for (const one of children[id].sort((a, b) => a.method - b.method || a.line - b.line)) {
      nodes.push([row, one.method, one.line, jvm.includes(one.method) ? 0 : random(50)]);
      put(one.id, nodes.length);
    }
  };
  put(0, 0);
  const { nodes: columns, ...rest } = report(sorted, nodes);
  const amounts = measures.map((name) => [name, columns.calls.map((_, row) => (row === 0 ? 0 : random(1000)))]);
  const metrics = measures.map((name) => ({ name, unit: name.endsWith('_ns') ? 'ns' : 'events', lost: 0 })); // before their columns
  return { ...rest, threads: [], metrics, shown: 'calls', nodes: { ...columns, ...Object.fromEntries(amounts) } };
}

function randomStep(random, tree) {
  const row = 1 + random(tree.count - 1);
  const method = tree.method[row];
  const type = tree.report.methods.class[method];
  const packages = type === '' ? [] : [type.slice(0, type.lastIndexOf('.')), type.slice(0, type.indexOf('.'))];
  const kinds = [
    { kind: 'root', row }, { kind: 'less', row }, { kind: 'merge', method }, { kind: 'lessall', method }, { kind: 'hide', method },
    ...packages.map((name) => ({ kind: 'fold', name })),
  ];
  return kinds[random(kinds.length)];
}

const COMPARED = ['calls', 'cpu_ns', 'wall_ns', 'wall_samples', 'runnable_ns', 'waiting_ns', 'parked_ns'];

// Amounts by path: class, method and call site of each frame.
function amountsOf(tree) {
  const { report: { methods, measures }, parent, method, site, count } = tree;
  const paths = [''];
  const measureOf = (name) => measures.find((measure) => measure.name === name);
  const columns = COMPARED.map((name) => (measureOf(name) ? tree.exclusiveOf(measureOf(name)) : new Float64Array(count)));
  const all = new Map();
  for (let row = 1; row < count; ++row) {
    const m = method[row];
    const at = site[row] < 0 ? '' : `@${tree.report.sites.line[site[row]]}`;
    paths[row] = `${paths[parent[row]]};${methods.class[m]}.${methods.name[m]}${methods.descriptor[m]}${at}`;
    const amounts = columns.map((column) => column[row]);
    if (amounts.some((amount) => amount > 0)) all.set(paths[row], amounts);
  }
  return new Map([...all].sort());
}

// As copse has them: methods that share a name are told apart by their types.
function shownNames(raw) {
  const data = named(structuredClone(raw));
  const { methods } = data;
  methods.shown = methods.shown.map((name, m) => name + (methods.name[m] === 'show' ? (methods.descriptor[m] === '()V' ? '()' : '(int)') : ''));
  return data;
}

// What a text of one command leaves out by itself is to be asked for in JSON, which otherwise has everything.
function asJson(command, isWait = false) {
  const all = / --all\b/.test(command);
  const asked = isWait && !all && !command.includes(' --without ') ? ' --without idle,jvm' : '';
  return `${command.replace(/ --all\b/, '').replace(/( --format tree)?$/, '')}${asked} --format json`;
}

// With all that the report has.
function wholeOf(json) {
  const reading = new Reading(new Report(named(JSON.parse(json))));
  reading.switch('jvm', true);
  return reading.tree;
}

test('has the hash that ids are made of', () => {
  const hex = (text) => Buffer.from(sha256(new TextEncoder().encode(text))).toString('hex');
  assert.equal(hex(''), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  assert.equal(hex('a'.repeat(1000)), '41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3');
});

test('gives a command whose report has every amount of what is read', () => {
  const seed = Number(process.env.COPSE_SEED ?? Date.now() % 1_000_000);
  console.log(`# commands of steps: COPSE_SEED=${seed}`);
  const random = randomOf(seed);
  let stages = 0;
  for (let round = 0; round < 40; ++round) {
    const raw = randomReport(random, 60);
    const made = new Report(shownNames(raw));
    const reading = new Reading(made);
    const steps = [];
    for (let i = 1 + random(4); i > 0 && reading.tree.count > 1; --i) {
      steps.push(randomStep(random, reading.tree));
      assert.equal(reading.take([...steps]), null);
    }
    const asked = { first: made.measure, tab: 'tree', file: () => 'steps.json' };
    const { command, problem } = commandLine(reading, asked);
    assert.equal(problem, undefined);
    stages += command.split(' | ').length - 1;
    const tree = wholeOf(outputOf('steps', raw, asJson(command)));
    assert.deepEqual(amountsOf(tree), amountsOf(reading.tree), `${command}\n${JSON.stringify(steps)}`);

    if (reading.tree.count < 2) continue;
    const method = reading.tree.method[1 + random(reading.tree.count - 1)];
    const callers = commandLine(reading, { ...asked, step: { kind: 'back', method } }).command;
    const into = wholeOf(outputOf('steps', raw, asJson(callers)));
    const total = (name) => {
      const counted = into.report.measures.find((one) => one.name === name); // calls may be none
      return counted === undefined ? 0 : into.inclusiveOf(counted)[0];
    };
    const measure = (name) => made.measures.find((one) => one.name === name);
    assert.equal(total('calls'), reading.tree.methodsOf(measure('calls')).exclusive[method], callers);
    assert.equal(total('cpu_ns'), reading.tree.methodsOf(measure('cpu_ns')).inclusive[method], callers);
  }
  assert.ok(stages > 0, 'steps in another order take several commands');
});

// The page's data, as copse writes it.
const dataOf = (name, raw) => dataIn(pageOf(name, raw));
function dataIn(file) {
  const page = readFileSync(file, 'utf8');
  const begin = page.indexOf('{', page.indexOf('type="application/json" id="report"'));
  return JSON.parse(page.slice(begin, page.indexOf('</script>', begin)));
}

test('gives a command that leaves out the waits for work that the page leaves out, at whatever root and behind whatever is hidden', () => {
  const seed = Number(process.env.COPSE_SEED ?? Date.now() % 1_000_000);
  console.log(`# commands of waits: COPSE_SEED=${seed}`);
  const random = randomOf(seed);
  let idle = 0;
  for (let round = 0; round < 40; ++round) {
    const raw = randomWaits(random, 40);
    const reading = new Reading(new Report(dataOf('waits', raw)));
    for (const name of ['idle', 'jvm']) if (random(3) === 0) reading.switch(name, true);
    const steps = [];
    for (let i = random(4); i > 0 && reading.tree.count > 1; --i) {
      steps.push(randomStep(random, reading.tree));
      assert.equal(reading.take([...steps]), null);
    }
    idle += reading.report.idle.rows.length;
    const { command, problem } = commandLine(reading, { first: reading.report.measure, tab: 'tree', file: () => 'waits.json' });
    assert.equal(problem, undefined);
    outputOf('waits', raw, command);
    const tree = wholeOf(outputOf('waits', raw, asJson(command, true)));
    assert.deepEqual(amountsOf(tree), amountsOf(reading.tree), `${command}\n${JSON.stringify(steps)}`);

    if (reading.tree.count < 2) continue;
    const method = reading.tree.method[1 + random(reading.tree.count - 1)];
    const asked = { first: reading.report.measure, tab: 'tree', file: () => 'waits.json', step: { kind: 'back', method } };
    const callers = commandLine(reading, asked).command;
    outputOf('waits', raw, callers);
    const into = wholeOf(outputOf('waits', raw, asJson(callers, true)));
    const [before, after] = [reading.report, into.report].map(({ measures }) => measures.find(({ name }) => name === 'wall_ns'));
    assert.equal(into.inclusiveOf(after)[0], reading.tree.methodsOf(before).inclusive[method], callers);
  }
  assert.ok(idle > 0);
});

test('gives a command of a comparison that leaves out what the page leaves out', () => {
  const seed = Number(process.env.COPSE_SEED ?? Date.now() % 1_000_000);
  console.log(`# commands of compared waits: COPSE_SEED=${seed}`);
  const random = randomOf(seed);
  const asked = new Set();
  for (let round = 0; round < 12; ++round) {  // each measure with each choice of what is left out
    const [old, now] = [randomWaits(random, 40), randomWaits(random, 40)];
    const reading = new Reading(new Report(dataIn(diffPageOf('waits', old, now))));
    const { report: made } = reading;
    const first = made.measure;
    made.show(made.measures.find(({ name }) => name === ['wall_ns', 'cpu_ns', 'parked_ns'][round % 3]));
    ['idle', 'jvm'].filter((name, bit) => (Math.floor(round / 3) >> bit) & 1).forEach((name) => reading.switch(name, true));
    const { command, problem } = commandLine(reading, { first, tab: 'tree' });
    assert.equal(problem, undefined);
    asked.add(/--without (\S+)/.exec(command)?.[1]);
    const { measures } = JSON.parse(outputOf('waits', now, `${command} --format json`));
    const told = measures.find(({ name }) => name === made.measure.name);
    const shown = [made.measure.old, made.measure].map((one) => reading.tree.inclusiveOf(one)[0]);
    assert.deepEqual([told.old, told.new], shown, command);
  }
  assert.deepEqual(asked, new Set([undefined, 'idle', 'jvm', 'idle,jvm']));
});

const menu = async (page, title) => {
  await page.locator('#detail .more-actions').click();
  await page.locator('#menu button', { hasText: title }).click();
};

test('copies a command of what is hidden and folded, and of one context', () =>
  withPage('commands', measured('cpu_ns'), async (page) => {
    const run = (command) => outputOf('commands', measured('cpu_ns'), command);
    await clickFrame(page, 2, 0.5);
    await menu(page, 'Copy command');
    const one = await copied(page, '--root @');
    assert.match(one, /^copse report commands\.json --names exact --root @[0-9a-f]{16} --format tree$/);
    assert.match(run(one), /demo\.Main\.work/);
    await menu(page, 'Hide this method');
    await page.locator('#steps .copy-command').click();
    assert.equal(await copied(page, '--hide'), 'copse report commands.json --hide demo.Main.work --format tree');
    await clickFrame(page, 1, 0.5);
    await menu(page, 'Fold demo.**');
    await page.click('#tab-methods');
    await page.locator('#method-table tbody tr').first().click();
    await page.locator('#method-detail .more-actions').click();
    await page.locator('#menu button', { hasText: 'Copy command' }).click();
    const all = await copied(page, '--fold');
    assert.equal(all, "copse report commands.json --hide demo.Main.work --fold 'demo.**' --root 'demo.**'");
    assert.match(run(all), /752 ms|751\.750/);
  }));

test('copies a command of a comparison, and says where there is none', () => {
  const old = small();
  const now = small();
  now.nodes.calls[4] += 5;
  now.totals.calls += 5;
  now.totals.calls_seen += 5;
  now.threads[0].calls += 5;
  pageOf('old', old);
  pageOf('new', now);
  return withFile(diffPageOf('compared', old, now), async (page) => {
    await clickFrame(page, 2, 0.5);
    await menu(page, 'Copy command');
    const command = await copied(page, 'copse diff');
    assert.match(command, /^copse diff \S+compared-old\.json \S+compared-new\.json --root @[0-9a-f]{16}$/);
    assert.match(outputOf('old', old, command), /Log\.log/);
    await menu(page, 'Fold demo.**');
    await clickFrame(page, 1, 0.5);
    await menu(page, 'Hide this method');
    await page.locator('#steps .copy-command').click();
    await page.locator('#said', { hasText: 'No command shows this: copse diff takes' }).waitFor();
  });
});
