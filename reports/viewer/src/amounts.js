// Amounts of a frame or row: each measure exclusively and inclusively, in total and per call.
//
// Per call: a frame's exclusive amount by its calls; its inclusive amount by the calls that this amount is of.
// These are the same calls, but where a frame stands for several contexts of a recursive method: there the
// inclusive amount is of the outermost ones, which contain the others.

// Amounts of an item, as a direction (directions.js) gives them. `outer`: exclusive amount of the contexts that
// `inclusive` sums.
//   {exclusive, inclusive, outer}

// Null where nothing is known: no call, or nothing of the measure.
const quotient = (amount, calls) => (calls > 0 && amount > 0 ? amount / calls : null);

// {exclusive, inclusive}, each a number or null. calls: those of the report that the measure is of.
export function perCall(direction, item, measure, calls = direction.tree.report.calls) {
  if (calls === null) return { exclusive: null, inclusive: null };
  const amount = direction.amounts(item, measure);
  const made = direction.amounts(item, calls);
  return {
    exclusive: quotient(amount.exclusive, made.exclusive),
    inclusive: quotient(amount.inclusive, made.outer),
  };
}

// How far sampled amounts of an item may be off, {exclusive, inclusive} as parts of them; null: exact, or
// nothing was seen.
export function errors(direction, item, measure) {
  if (measure.samples === null) return { exclusive: null, inclusive: null };
  const { exclusive, inclusive } = direction.amounts(item, measure.samples);
  return { exclusive: measure.errorOf(exclusive), inclusive: measure.errorOf(inclusive) };
}
