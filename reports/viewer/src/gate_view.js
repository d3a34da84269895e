// In a comparison that a gate has judged: what became of each rule, and the contexts that broke it.
import { select } from 'd3-selection';
import { grouped, plural, printable } from './format.js';
import { shortName } from './names.js';

const MOST_FRAMES = 8;  // of a context's path

// Between what stands side by side, for who reads it as a text.
const space = () => document.createTextNode(' ');

// goTo(row): shows a context of the whole.
export function showRules(report, goTo) {
  const { rules } = report.compared ?? { rules: [] };
  const broken = rules.filter(({ outcome }) => outcome === 'broken').length;
  const unknown = rules.filter(({ outcome }) => outcome === 'cannot say').length;
  const summary = broken > 0 ? `${grouped(broken)} of ${grouped(rules.length)} broken` : unknown > 0 ? `${grouped(unknown)} cannot say` : 'holds';
  select('#tab-gate').property('hidden', rules.length === 0).classed('broken', broken > 0).text(`Gate (${summary})`);
  const items = select('#rules').selectAll('li').data(rules).join('li');
  const head = items.append('p');
  head.append('span').attr('class', ({ outcome }) => `outcome ${outcome.replace(' ', '-')}`).text(({ outcome }) => outcome);
  head.append(space);
  head.append('code').text(({ rule }) => printable(rule));
  items.append('p').text(({ found }) => printable(found));
  items.each((rule, i, all) => showDetails(report, select(all[i]), rule, goTo));
}

function showDetails(report, item, rule, goTo) {
  for (const note of rule.notes) item.append('p').attr('class', 'hint').text(printable(note));
  if (rule.contexts.length === 0) return;
  const measure = report.counted.find(({ name }) => name === rule.measure);
  const text = (amount) => (measure === undefined ? grouped(amount) : measure.text(amount));
  const lines = item.append('ul').selectAll('li').data(rule.contexts).join('li');
  lines.append('span').attr('class', 'amounts').text(({ old, new: now }) => `${text(old)} → ${text(now)}`);
  lines.append(space);
  lines.each((context, i, all) => {
    const line = select(all[i]);
    if (context.node < 0) line.append('span').attr('class', 'hint').text('a context that this page has no room for');
    else line.append('button').attr('title', 'Show it in the tree').text(pathOf(report, context.node)).on('click', () => goTo(context.node));
  });
  if (rule.other_contexts > 0) item.append('p').attr('class', 'hint').text(`and ${plural(rule.other_contexts, 'context')} more`);
}

// Innermost first.
function pathOf({ whole, names }, node) {
  const path = [];
  for (let row = node; row > 0 && path.length <= MOST_FRAMES; row = whole.parent[row]) path.push(shortName(names[whole.method[row]]));
  return path.length <= MOST_FRAMES ? path.join(' ← ') : [...path.slice(0, MOST_FRAMES), '…'].join(' ← ');
}
