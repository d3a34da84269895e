// A comparison of two reports, without its tree. The tree has the contexts of both reports, and each measure has the
// old report's as `old` (measure.js). `width` names the report that frames are as wide as.
import { printable } from './format.js';

export const WIDTHS = ['new', 'old', 'larger'];

export class Comparison {
  #from;

  constructor({
    old: oldName, new: newName, renamed, only_old: onlyOld, only_new: onlyNew, old_totals: oldTotals, old_program: oldProgram,
    old_threads: oldThreads, id_rules: rulesOfIds, old_notes: oldNotes, new_notes: newNotes, rules,
  }) {
    this.oldName = printable(oldName);
    this.newName = printable(newName);
    this.oldTotals = oldTotals;
    this.oldProgram = oldProgram;
    this.oldThreads = oldThreads;
    this.notes = { old: oldNotes, new: newNotes };
    this.idRules = rulesOfIds ?? null;  // which contexts are equal; null: not known
    this.rules = rules;  // of the gate, with what became of them
    this.renamed = renamed.map(({ from, to }) => ({ from: printable(from), to: printable(to) }));
    this.only = { old: onlyOld, new: onlyNew };  // names of measures that one report alone has, which do not compare
    this.width = WIDTHS[0];
    this.#from = new Map(this.renamed.map(({ from, to }) => [to, from]));
  }

  widthOf(measure) {
    return { new: measure, old: measure.old, larger: measure.larger }[this.width];
  }

  // Words that follow an amount of the width.
  get widthWords() {
    return { new: 'in new', old: 'in old', larger: 'by the larger of old and new' }[this.width];
  }

  // Name in the old report of a method of the new one, or null. `names`: names that the method may have there.
  nameBefore(names) {
    const name = names.find((one) => this.#from.has(one));
    return name === undefined ? null : this.#from.get(name);
  }
}

// Paths of files without the folders that both are in.
export function apart(...paths) {
  const parts = paths.map((path) => path.split('/'));
  const most = Math.min(...parts.map(({ length }) => length)) - 1;
  let same = 0;
  while (same < most && parts[0][same] === parts[1][same]) ++same;
  return parts.map((names) => names.slice(same).join('/'));
}

// Status of a frame or row in a comparison: 'new' or 'gone'; null if it is in both reports or stands for no method.
// Calls decide, or the measure shown if calls were not counted.
export function statusOf(direction, item) {
  const { report } = direction.tree;
  if (item.method < 0) return null;
  const measure = report.calls ?? report.measure;
  const has = ({ exclusive, inclusive }) => exclusive > 0 || inclusive > 0;
  const isInOld = has(direction.amounts(item, measure.old));
  if (isInOld === has(direction.amounts(item, measure))) return null;
  return isInOld ? 'gone' : 'new';
}

// The same of a method, by all its contexts.
export function statusOfMethod(tree, m) {
  const measure = tree.report.calls ?? tree.report.measure;
  const isInOld = tree.methodsOf(measure.old).inclusive[m] > 0;
  if (isInOld === tree.methodsOf(measure).inclusive[m] > 0) return null;
  return isInOld ? 'gone' : 'new';
}

// How many contexts there are in one report alone, or with another exclusive amount in both; and what those that are
// gone had of the measure shown. By the tree as it is read.
export function countChanges(tree) {
  const { report, count } = tree;
  const { measure } = report;
  const by = report.calls ?? measure;
  const [old, now] = [tree.inclusiveOf(by.old), tree.inclusiveOf(by)];
  const [oldOwn, nowOwn] = [tree.exclusiveOf(measure.old), tree.exclusiveOf(measure)];
  const changes = { fresh: 0, gone: 0, changed: 0, freshAmount: 0, goneAmount: 0 };
  for (let row = 1; row < count; ++row) {
    if (old[row] === 0 && now[row] > 0) {
      ++changes.fresh;
      changes.freshAmount += nowOwn[row];
    } else if (now[row] === 0 && old[row] > 0) {
      ++changes.gone;
      changes.goneAmount += oldOwn[row];
    } else if (oldOwn[row] !== nowOwn[row]) {
      ++changes.changed;
    }
  }
  return changes;
}
