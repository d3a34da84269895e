// What reports of older Copses say otherwise, in the words of today.

const renamedInNote = (note) => note
  .replaceAll('were folded into nodes named (folded)', 'were evicted into nodes named (evicted)')
  .replaceAll('Recursion is folded:', 'Recursion is merged:')
  .replaceAll('--fold-recursion', '--merge-recursion');

const OPTIONS = { 'fold-recursion': 'merge-recursion', 'token-every': 'check-every' };
const renamedOptions = (options) => Object.fromEntries(
  Object.entries(options).map(([name, value]) => [OPTIONS[name] ?? name, value]));

// A report of copse.cct/1, in which evicted contexts and merged recursion were called folded.
function renamed(raw) {
  const { folded_calls, folded_contexts, ...totals } = raw.totals;
  const { class: classes, descriptor } = raw.methods;
  return {
    ...raw,
    schema: 'copse.cct/2',
    options: renamedOptions(raw.options),
    totals: { ...totals, evicted_calls: folded_calls, evicted_contexts: folded_contexts },
    methods: {
      ...raw.methods,
      class: classes.map((name, m) => (name === '(folded)' && descriptor[m] === '' ? '(evicted)' : name)),
    },
    notes: (raw.notes ?? []).map(renamedInNote),
  };
}

// Of a report of any schema that there has been.
export function inWordsOfToday(raw) {
  if (raw.schema === 'copse.cct/2') return raw;
  if (raw.schema === 'copse.cct/1') return renamed(raw);
  throw new Error(`unknown schema ${raw.schema}`);
}
