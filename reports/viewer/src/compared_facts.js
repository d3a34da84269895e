// Facts of a frame in a comparison: every measure in the old and the new report, exclusively and inclusively, then
// per call.
import { errors } from './amounts.js';
import { changeText, differenceOf, perCallDifferenceOf, signed } from './difference.js';
import { percent } from './format.js';
import { errorInWords } from './quantity.js';

export const COMPARED_SIDES = ['old', 'new', 'difference', 'change'];

// [{title, isFirst, old, new, difference, change}], in the order of the measures. Texts are empty where nothing is known.
export function comparedFactsOf(direction, item, measures) {
  const { measure: shown } = direction.tree.report;
  const sides = item.method < 0 ? ['inclusive'] : ['exclusive', 'inclusive'];
  const facts = (make, all) => all.flatMap((measure) => sides.map((side) => (
    { ...make(direction, item, measure, side), isFirst: measure === shown })));
  if (item.method < 0) return facts(amountFact, measures);
  const perCalls = facts(perCallFact, measures.filter(({ isPerCall }) => isPerCall));
  return [...facts(amountFact, measures), ...perCalls.filter((fact) => fact.old !== '' || fact.new !== '')];
}

const withError = (text, error) => (error === null ? text : `${text} ${errorInWords(error)}`);

// "+12.0 ms ± 3.0 ms"
const signedText = ({ difference, error }, text) =>
  signed(difference, text, error) + (error === null || error === 0 ? '' : ` ± ${text(error, 1)}`);

function amountFact(direction, item, measure, side) {
  const { tree } = direction;
  const amounts = differenceOf(direction, item, measure, side);
  const text = (amount, of) => {
    const error = errors(direction, item, of)[side];
    const share = percent(amount, tree.inclusiveOf(of)[0], error);
    return `${withError(of.text(amount, error), error)}${share === '' ? '' : ` (${share})`}`;
  };
  return {
    title: `${measure.title}, ${side}`, old: text(amounts.old, measure.old), new: text(amounts.new, measure),
    difference: signedText(amounts, (amount, error) => measure.text(amount, error)),
    change: changeText(amounts.old, amounts.new),
  };
}

function perCallFact(direction, item, measure, side) {
  const amounts = perCallDifferenceOf(direction, item, measure, side);
  const text = (amount, of) => {
    const error = errors(direction, item, of)[side];
    return amount === null ? '' : withError(of.perCallText(amount, error), error);
  };
  const isKnown = amounts.difference !== null;
  return {
    title: `${measure.perCallTitle}, ${side}`, old: text(amounts.old, measure.old), new: text(amounts.new, measure),
    difference: isKnown ? signedText(amounts, (amount, error) => measure.perCallText(amount, error)) : '',
    change: isKnown ? changeText(amounts.old, amounts.new) : '',
  };
}
