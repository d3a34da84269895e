// Facts of a frame: every measure exclusively and inclusively, then per call, as a small table. The
// tooltip has a line for each, the line below the graph a column.
import { errors, perCall } from './amounts.js';
import { comparedFactsOf, COMPARED_SIDES } from './compared_facts.js';
import { percent } from './format.js';
import { samplesLast } from './measure.js';
import { errorInWords } from './quantity.js';

const SIDES = ['exclusive', 'inclusive'];
const MOST_LINES = 8;
const MOST_WITH_ZEROS = 5;  // measures; of more, those that a frame has nothing of are left out

const withError = (text, error) => (error === null ? text : `${text} ${errorInWords(error)}`);

// [{title, exclusive, inclusive}], the measure shown first; in a comparison [{title, old, new, ...}]
// (compared_facts.js). Texts are empty where nothing is known.
export function factsOf(direction, item) {
  const { tree } = direction;
  if (tree.report.compared !== null) return comparedFactsOf(direction, item);
  const { calls, measure: shown, measures } = tree.report;
  const others = measures.filter((measure) => measure !== shown);
  const ordered = [shown, ...samplesLast(others)];
  const isRoot = item.method < 0;
  const facts = [];
  for (const measure of ordered) {
    const amounts = direction.amounts(item, measure);
    if (measure !== shown && amounts.inclusive === 0 && ordered.length > MOST_WITH_ZEROS) continue;
    const whole = tree.inclusiveOf(measure)[0];
    const error = errors(direction, item, measure);
    const text = (side) => `${withError(measure.text(amounts[side]), error[side])} (${percent(amounts[side], whole)})`.replace(' ()', '');
    const isFirst = measure === shown || measure === calls;
    facts.push({ title: measure.title, isFirst, exclusive: isRoot ? '' : text('exclusive'), inclusive: text('inclusive') });
  }
  for (const measure of isRoot ? [] : ordered.filter(({ isPerCall }) => isPerCall)) {
    const amount = perCall(direction, item, measure);
    if (amount.exclusive === null && amount.inclusive === null) continue;
    const error = errors(direction, item, measure);
    const text = (side) => (amount[side] === null ? '' : withError(measure.perCallText(amount[side]), error[side]));
    const isFirst = measure === shown;
    facts.push({ title: measure.perCallTitle, isFirst, exclusive: text('exclusive'), inclusive: text('inclusive') });
  }
  return facts;
}

// Sides with a text in some fact. The row of all threads has no exclusive amounts.
const sidesOf = (facts) => [...SIDES, ...COMPARED_SIDES].filter((side) => facts.some((fact) => (fact[side] ?? '') !== ''));

// The facts of what is shown, and as many others as there is room for, in their order.
function mainFacts(facts) {
  const room = MOST_LINES - facts.filter(({ isFirst }) => isFirst).length;
  const others = new Set(facts.filter(({ isFirst }) => isFirst === false).slice(0, Math.max(0, room)));
  return facts.filter((fact) => fact.isFirst !== false || others.has(fact));
}

// A line for each fact, or for the main ones.
export function appendFactLines(parent, all) {
  const facts = mainFacts(all);
  const table = parent.append('table').attr('class', 'facts');
  const head = table.append('tr');
  head.append('td');
  const sides = sidesOf(facts);
  for (const side of sides) head.append('th').attr('scope', 'col').text(side);
  for (const fact of facts) {
    const line = table.append('tr');
    line.append('th').attr('scope', 'row').text(fact.title);
    for (const side of sides) line.append('td').text(fact[side]);
  }
}

// A column for each fact.
export function appendFactColumns(parent, facts) {
  const table = parent.append('table').attr('class', 'facts');
  const head = table.append('tr');
  head.append('td');
  for (const { title } of facts) head.append('th').attr('scope', 'col').text(title);
  for (const side of sidesOf(facts)) {
    const line = table.append('tr');
    line.append('th').attr('scope', 'row').text(side);
    for (const fact of facts) line.append('td').text(fact[side]);
  }
}
