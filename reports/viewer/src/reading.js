// The part of the report that is read, its direction, and the places that a search found. The graph and the tree table
// both show it.
//
// The part is the whole report, or the result of some steps, each applied to the result of the step before:
//   {kind: 'root', row}        a context as the whole, by its row
//   {kind: 'merge', method}    all contexts of a method, laid over each other
//   {kind: 'less', row}        without a context and what it calls
//   {kind: 'lessall', method}  without all contexts of a method
//   {kind: 'hide', method}     without the frames of a method
//   {kind: 'fold', name}       a package as one frame
//   {kind: 'back', method}     the callers of a method; the last step
// At last, wall-clock time may be divided by the states of threads.
import { BackTraces, BottomUp } from './bottom_up.js';
import { TopDown } from './directions.js';
import { stepsOf, stepsText } from './address.js';
import { grouped, plural } from './format.js';
import { shortName } from './names.js';
import { Lens } from './lens.js';
import { merged, under } from './parts.js';
import { folded, hidden, withoutContext, withoutMethod } from './reshaped.js';
import { statesOf, withStates } from './states.js';

const LISTED_HEAD = 1;
const LISTED_TAIL = 2;

export class Reading {
  #steps = [];
  #trees = [];  // trees[i]: before step i; the last is read
  #turned = 'top-down';
  #made = new Map();
  #found = null;
  #findings = null;
  #switches = { idle: false, jvm: false, states: false };
  #states = null;  // of the tree that is read: as of withStates()

  constructor(report) {
    this.report = report;
    this.lens = new Lens(report);
    this.#trees = [this.lens.tree(this.#switches)];
    this.tree.show(report.width, report.presence);
  }

  // Switches {idle, jvm, states}: whether waits for work and threads of the JVM are read, too; whether states are
  // frames.
  get switches() {
    return this.#switches;
  }

  // Contexts keep their rows, so the steps can be taken anew.
  switch(name, isOn) {
    if (this.#switches[name] === isOn) return;
    this.#switches = { ...this.#switches, [name]: isOn };
    if (name === 'states') {
      this.refresh();
      return;
    }
    const steps = this.#steps;
    this.#steps = [];
    this.#trees = [this.lens.tree(this.#switches)];
    if (steps.length > 0) this.take(steps);
    else this.refresh();
  }

  get tree() {
    return this.#states?.tree ?? this.#trees.at(-1);
  }

  // Row of a context as steps have it; -1 for a state of threads.
  rowForStep(row) {
    return this.#states === null ? row : this.#states.rows[row];
  }

  // Names an item by what stays the same when states become frames, or none any longer.
  keyOf(item) {
    if (item.row === undefined) return this.direction.addressOf(item);
    let row = item.row;
    while (this.rowForStep(row) < 0) row = this.tree.parent[row];
    return this.rowForStep(row);
  }

  // Null: there is none.
  itemOf(key) {
    const isRow = typeof key === 'number' && this.#states !== null;
    return this.direction.itemAt(String(isRow ? this.#states.placeOf[key] : key));
  }

  get steps() {
    return this.#steps;
  }

  get turned() {
    return this.#turned;
  }

  // Null, or why these steps cannot be taken: then nothing has changed.
  take(steps) {
    if (stepsText(steps, this.report) === stepsText(this.#steps, this.report)) return null;
    let same = 0;
    while (same < Math.min(steps.length, this.#steps.length) && areSame(steps[same], this.#steps[same])) ++same;
    const trees = this.#trees.slice(0, same + 1);
    if (steps.slice(0, -1).some(({ kind }) => kind === 'back')) return 'callers of a method come last';
    for (const step of steps.slice(same)) {
      const problem = whyNot(trees.at(-1), step);
      if (problem !== null) return problem;
      trees.push(made(trees.at(-1), step));
    }
    this.#steps = steps;
    this.#trees = trees;
    this.refresh();
    return null;
  }

  // Parts of the page's address that are not as at first.
  get parts() {
    const parts = [];
    if (this.#steps.length > 0) parts.push(['read', stepsText(this.#steps, this.report)]);
    if (this.#turned !== 'top-down') parts.push(['direction', this.#turned]);
    const on = Object.keys(this.#switches).filter((name) => this.#switches[name]);
    if (on.length > 0) parts.push(['with', on.join(',')]);
    return parts;
  }

  // As these parts say; what cannot be is as at first. Returns why.
  restore(parts) {
    const direction = parts.get('direction') ?? 'top-down';
    const isDirection = ['top-down', 'bottom-up'].includes(direction);
    this.turn(isDirection ? direction : 'top-down');
    const on = parts.has('with') ? parts.get('with').split(',') : [];
    const unknown = on.filter((name) => !(name in this.#switches));
    for (const name of Object.keys(this.#switches)) this.switch(name, on.includes(name));
    const steps = parts.has('read') ? stepsOf(parts.get('read'), this.report) : [];
    const problem = steps === null ? `${parts.get('read')} is not what can be read` : this.take(steps);
    if (problem !== null) this.take([]);
    return [
      isDirection ? null : `there is no direction ${direction}`, problem,
      ...unknown.map((name) => `there is no switch ${name}`),
    ].filter((one) => one !== null);
  }

  get #last() {
    return this.#steps.at(-1) ?? null;
  }

  // Returns true if the direction can be turned. After a `back` step it is fixed.
  get isTurnable() {
    return this.#last?.kind !== 'back';
  }

  get direction() {
    const name = this.isTurnable ? this.#turned : 'back';
    if (!this.#made.has(name)) this.#made.set(name, this.#read(name));
    return this.#made.get(name);
  }

  #read(name) {
    if (name === 'back') return new BackTraces(this.tree, this.#last.method);
    if (name === 'bottom-up') return new BottomUp(this.tree);
    const whole = this.#steps.findLastIndex(({ kind }) => kind === 'root' || kind === 'merge');
    return new TopDown(this.tree, whole < 0 ? 'all threads' : this.stepName(whole));
  }

  // 'top-down' or 'bottom-up'.
  turn(name) {
    this.#turned = name;
    this.#findings = null;
  }

  // The measure shown is another one, or what frames are as wide as.
  refresh() {
    this.#states = this.#switches.states && statesOf(this.report).length > 0 ? withStates(this.#trees.at(-1)) : null;
    this.tree.show(this.report.width, this.report.presence);
    this.#made.clear();
    this.#findings = null;
  }

  // The tree that step i is applied to; the last one is read, but for its states.
  treeBefore(i) {
    return this.#trees[i];
  }

  // The method of the context that a step made the root.
  methodOfStep(i) {
    return this.#trees[i].method[this.#steps[i].row];
  }

  // In a few words.
  stepName(i) {
    const { kind, method, name: folded } = this.#steps[i];
    if (kind === 'fold') return `${folded}.** folded`;
    if (kind === 'less') return `without a context of ${shortName(this.report.names[this.methodOfStep(i)])}`;
    if (kind === 'root') return `${shortName(this.report.names[this.methodOfStep(i)])} as root`;
    const name = shortName(this.report.names[method]);
    return {
      merge: `all contexts of ${name}, merged`, back: `back traces of ${name}`, hide: `${name} hidden`,
      lessall: `without ${name}`,
    }[kind];
  }

  // Sets what a search found (search.js); null when there is no search.
  setFound(found) {
    this.#found = found;
    this.#findings = null;
  }

  // One byte per method, or null.
  get matched() {
    return this.#found?.matched ?? null;
  }

  // Where that is in the direction; null: nothing is searched for, or no method matches.
  get findings() {
    if (this.#found === null || this.#found.methods === 0) return null;
    this.#findings ??= this.direction.find(this.#found);
    return this.#findings;
  }

  name(item) {
    if (item.rest !== undefined) return `${grouped(item.rest)} more, too thin to draw`;
    return item.method < 0 ? this.direction.rootName : this.report.names[item.method];
  }

  // The same as frames and rows have it.
  label(item) {
    return item.rest !== undefined || item.method < 0 ? this.name(item) : this.report.label(item.method);
  }

  // The frames above an item, outermost first.
  above(item) {
    const above = [];
    for (let up = this.direction.parent(item); up !== null; up = this.direction.parent(up)) above.push(up);
    return above.reverse();
  }

  // Their names in a line, the middle left out.
  pathText(item) {
    const names = this.above(item).slice(1).map((up) => shortName(this.name(up)));
    const left = names.length - LISTED_HEAD - LISTED_TAIL;
    const listed = left <= 1
      ? names : [...names.slice(0, LISTED_HEAD), '…', ...names.slice(-LISTED_TAIL)];
    return listed.join(' › ');
  }
}

const areSame = (a, b) => a.kind === b.kind && a.row === b.row && a.method === b.method && a.name === b.name;

function whyNot(tree, { row, method, name }) {
  const { methods } = tree.report;
  if (name !== undefined) {
    const isInside = methods.class.map((type) => type.startsWith(`${name}.`));
    return tree.method.some((m) => isInside[m]) ? null : `there is no package ${name}`;
  }
  if (row !== undefined) {
    return row > 0 && row < tree.count ? null : `there is no context ${row} in ${plural(tree.count - 1, 'context')}`;
  }
  return tree.has(method) ? null : `${tree.report.names[method]} is not called there`;
}

// Back traces read the same tree.
function made(tree, { kind, row, method, name }) {
  return {
    back: () => tree, root: () => under(tree, row), merge: () => merged(tree, method),
    less: () => withoutContext(tree, row),
    lessall: () => withoutMethod(tree, method), hide: () => hidden(tree, method),
    fold: () => folded(tree, name, tree.report.frame(`${name}.**`)),
  }[kind]();
}
