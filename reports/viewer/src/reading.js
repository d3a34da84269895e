// What of the report is read, and in which direction; what a search found there. The graph and the tree table
// both show it.
import { BottomUp } from './bottom_up.js';
import { TopDown } from './directions.js';
import { grouped } from './format.js';
import { shortName } from './names.js';

const DIRECTIONS = { 'top-down': TopDown, 'bottom-up': BottomUp };
const LISTED_HEAD = 1;
const LISTED_TAIL = 2;

export class Reading {
  #made = new Map();
  #found = null;
  #findings = null;

  constructor(report) {
    this.report = report;
    this.tree = report.whole;
    this.turned = 'top-down';
  }

  get direction() {
    if (!this.#made.has(this.turned)) this.#made.set(this.turned, new DIRECTIONS[this.turned](this.tree));
    return this.#made.get(this.turned);
  }

  // 'top-down' or 'bottom-up'.
  turn(name) {
    this.turned = name;
    this.#findings = null;
  }

  // The measure shown is another one.
  refresh() {
    this.#made.clear();
    this.#findings = null;
  }

  // What a search found (search.js); null: nothing is searched for.
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
