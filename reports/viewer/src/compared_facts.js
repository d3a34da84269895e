// Facts of a frame in a comparison: every measure in the old and the new report, exclusively and inclusively, then
// per call.
import { errors } from './amounts.js';
import { changeText, differenceOf, perCallDifferenceOf, signed } from './difference.js';
import { percent } from './format.js';
import { errorInWords } from './quantity.js';

export const COMPARED_SIDES = ['old', 'new', 'difference', 'change'];

// [{title, old, new, difference, change}], the measure shown first. Texts are empty where nothing is known.
export function comparedFactsOf(direction, item) {
  const { measure: shown, measures } = direction.tree.report;
  const ordered = [shown, ...measures.filter((measure) => measure !== shown)];
  const sides = item.method < 0 ? ['inclusive'] : ['exclusive', 'inclusive'];
  const facts = ordered.flatMap((measure) => sides.map((side) => amountFact(direction, item, measure, side)));
  if (item.method < 0) return facts;
  const perCalls = ordered.filter(({ isPerCall }) => isPerCall)
    .flatMap((measure) => sides.map((side) => perCallFact(direction, item, measure, side)));
  return [...facts, ...perCalls.filter((fact) => fact.old !== '' || fact.new !== '')];
}

const withError = (text, error) => (error === null ? text : `${text} ${errorInWords(error)}`);

// "+12.0 ms ± 3.00 ms"
const signedText = ({ difference, error }, text) => signed(difference, text) + (error === null || error === 0 ? '' : ` ± ${text(error)}`);

function amountFact(direction, item, measure, side) {
  const { tree } = direction;
  const amounts = differenceOf(direction, item, measure, side);
  const text = (amount, of) => {
    const share = percent(amount, tree.inclusiveOf(of)[0]);
    return `${withError(of.text(amount), errors(direction, item, of)[side])}${share === '' ? '' : ` (${share})`}`;
  };
  return {
    title: `${measure.title}, ${side}`, old: text(amounts.old, measure.old), new: text(amounts.new, measure),
    difference: signedText(amounts, (amount) => measure.text(amount)),
    change: changeText(amounts.old, amounts.new),
  };
}

function perCallFact(direction, item, measure, side) {
  const amounts = perCallDifferenceOf(direction, item, measure, side);
  const text = (amount, of) => (amount === null ? '' : withError(of.perCallText(amount), errors(direction, item, of)[side]));
  const isKnown = amounts.difference !== null;
  return {
    title: `${measure.perCallTitle}, ${side}`, old: text(amounts.old, measure.old), new: text(amounts.new, measure),
    difference: isKnown ? signedText(amounts, (amount) => measure.perCallText(amount)) : '',
    change: isKnown ? changeText(amounts.old, amounts.new) : '',
  };
}
