// The head of the page of a comparison: both files and programs, totals of both with their proofs, what was renamed.
import { select } from 'd3-selection';
import { apart, countChanges } from './comparison.js';
import { changeText } from './difference.js';
import { grouped, plural, printable } from './format.js';
import { commandOf, factsOfProgram } from './program.js';
import { showProof } from './proof.js';

const MOST_RENAMED = 5;  // in the note

export function showComparedHead({ program, compared }) {
  const { oldName, newName } = compared;
  const title = apart(oldName, newName).join(' → ');
  document.documentElement.dataset.compared = 'true';
  document.title = `Copse: ${title}`;
  select('#command').text(title).attr('title', `${oldName} → ${newName}`);
  const programs = [['old', compared.oldProgram], ['new', program]];
  const lines = select('#program').selectAll('span').data(programs).join('span').attr('class', 'side');
  lines.attr('title', ([, one]) => commandOf(one).full)
    .text(([side, one]) => `${side}: ${[commandOf(one).brief, ...factsOfProgram(one)].join(' · ')}`);
}

// A list of one sentence, or of none.
export function renamedNote({ renamed }) {
  if (renamed.length === 0) return [];
  const pairs = renamed.slice(0, MOST_RENAMED).map(({ from, to }) => `${from} → ${to}`);
  const rest = renamed.length - pairs.length;
  const more = rest > 0 ? `; ${grouped(rest)} more: see Run` : '';
  return [`${plural(renamed.length, 'method')} with another name in old: ${pairs.join('; ')}${more}`];
}

// Sentences on measures that do not compare.
export function onlyNotes({ only }) {
  return ['old', 'new'].filter((side) => only[side].length > 0).map((side) => {
    const names = only[side].map((name) => printable(name.replaceAll('_', ' '))).join(', ');
    return `Of the ${side} report alone, and not compared: ${names}`;
  });
}

// Notes of both reports; a note of one report alone begins with its side.
export function notesOfSides({ notes }) {
  const common = notes.new.filter((note) => notes.old.includes(note));
  const own = (side) => notes[side].filter((note) => !common.includes(note)).map((note) => `${side}: ${note}`);
  return [...own('old'), ...own('new'), ...common];
}

// Totals and proofs of what is shown.
export function showComparedTotals({ measure, totals, whole, compared }) {
  const { oldTotals } = compared;
  const methodsIn = (one) => whole.methodsOf(one).inclusive.reduce((count, amount) => count + (amount > 0 ? 1 : 0), 0);
  const contextsIn = (one) => whole.exclusiveOf(one).reduce((count, amount) => count + (amount > 0 ? 1 : 0), 0);
  const counts = [
    ['contexts', contextsIn(measure.old), contextsIn(measure)], ['methods', methodsIn(measure.old), methodsIn(measure)],
    ['threads', oldTotals.threads, totals.threads], ['max depth', oldTotals.max_depth, totals.max_depth],
  ];
  const { fresh, gone, changed } = countChanges(whole);
  const entries = [
    [measure.title, `${measure.text(measure.old.total)} → ${measure.text(measure.total)}`, changeText(measure.old.total, measure.total)],
    ...counts.map(([name, old, now]) => [
      name, old === now ? grouped(now) : `${grouped(old)} → ${grouped(now)}`, old === now ? '' : changeText(old, now),
    ]),
    ['new contexts', grouped(fresh), ''], ['gone', grouped(gone), ''], ['changed', grouped(changed), ''],
  ];
  const boxes = select('#totals').selectAll('div').data(entries).join('div');
  boxes.selectChildren().remove();
  boxes.append('dt').text(([name]) => name);
  const amounts = boxes.append('dd');
  amounts.append('span').text(([, text]) => text);
  amounts.append('span').attr('class', 'hint').text(([, , change]) => (change === '' ? '' : ` ${change}`));
  showProof([measure.old, measure], `old: ${measure.old.proof} · new: ${measure.proof}`);
}
