// Facts of a frame: every measure exclusively and inclusively, then per call, as a small table. The
// tooltip has a line for each, the line below the graph a column.
import { errors, perCall } from './amounts.js';
import { comparedFactsOf, COMPARED_SIDES } from './compared_facts.js';
import { percent } from './format.js';
import { errorInWords } from './quantity.js';

const SIDES = ['exclusive', 'inclusive'];
const MOST_LINES = 8;
const MOST_WITH_ZEROS = 5;  // measures; of more, those that a frame has nothing of are left out

const withError = (text, error) => (error === null ? text : `${text} ${errorInWords(error)}`);

// [{title, isFirst, exclusive, inclusive}], the measure shown first; in a comparison [{title, isFirst, old, new, ...}]
// (compared_facts.js). Texts are empty where nothing is known. isFirst: of what is shown.
export function factsOf(direction, item) {
  const { tree } = direction;
  const { measure: shown, measures, compared } = tree.report;
  const ordered = [shown, ...measures.filter((measure) => measure !== shown)];
  const has = (measure) => measure !== null && direction.amounts(item, measure).inclusive > 0;
  const told = ordered.filter((measure) =>
    measure === shown || ordered.length <= MOST_WITH_ZEROS || has(measure) || has(measure.old));
  return compared === null ? ownFactsOf(direction, item, told) : comparedFactsOf(direction, item, told);
}

function ownFactsOf(direction, item, measures) {
  const { tree } = direction;
  const { calls, measure: shown } = tree.report;
  const isRoot = item.method < 0;
  const facts = measures.map((measure) => {
    const amounts = direction.amounts(item, measure);
    const whole = tree.inclusiveOf(measure)[0];
    const error = errors(direction, item, measure);
    const text = (side) => {
      const amount = withError(measure.text(amounts[side], error[side]), error[side]);
      return `${amount} (${percent(amounts[side], whole, error[side])})`.replace(' ()', '');
    };
    return {
      title: measure.title, isFirst: measure === shown || measure === calls,
      exclusive: isRoot ? '' : text('exclusive'), inclusive: text('inclusive'),
    };
  });
  for (const measure of isRoot ? [] : measures.filter(({ isPerCall }) => isPerCall)) {
    const amount = perCall(direction, item, measure);
    if (amount.exclusive === null && amount.inclusive === null) continue;
    const error = errors(direction, item, measure);
    const text = (side) => (amount[side] === null ? '' : withError(measure.perCallText(amount[side], error[side]), error[side]));
    facts.push({ title: measure.perCallTitle, isFirst: measure === shown, exclusive: text('exclusive'), inclusive: text('inclusive') });
  }
  return facts;
}

// Sides with a text in some fact. The row of all threads has no exclusive amounts.
const sidesOf = (facts) => [...SIDES, ...COMPARED_SIDES].filter((side) => facts.some((fact) => (fact[side] ?? '') !== ''));

// Those of what is shown, and as many others as there is room for, in their order.
function mainFacts(facts) {
  const room = MOST_LINES - facts.filter(({ isFirst }) => isFirst).length;
  const others = new Set(facts.filter(({ isFirst }) => !isFirst).slice(0, Math.max(0, room)));
  return facts.filter((fact) => fact.isFirst || others.has(fact));
}

// A line for each of the main facts.
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

// A column for each fact, those of what is shown first; as many tables below each other as the width needs.
export function appendFactColumns(parent, all) {
  const facts = all.toSorted((a, b) => b.isFirst - a.isFirst);
  const table = appendColumns(parent, facts);
  const [names, ...columns] = [...table.node().rows[0].cells].map(({ offsetWidth }) => offsetWidth);
  const { clientWidth: room } = parent.select('.head').node();
  if (columns.reduce((sum, width) => sum + width, names) <= room) return;
  table.remove();
  for (let first = 0; first < facts.length;) {
    let end = first + 1;
    for (let left = room - names - columns[first]; end < facts.length && columns[end] <= left; ++end) left -= columns[end];
    appendColumns(parent, facts.slice(first, end));
    first = end;
  }
}

function appendColumns(parent, facts) {
  const table = parent.append('table').attr('class', 'facts');
  const head = table.append('tr');
  head.append('td');
  for (const { title } of facts) head.append('th').attr('scope', 'col').text(title);
  for (const side of sidesOf(facts)) {
    const line = table.append('tr');
    line.append('th').attr('scope', 'row').text(side);
    for (const fact of facts) line.append('td').text(fact[side]);
  }
  return table;
}
