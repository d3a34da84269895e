// What reports of older Copses say otherwise, in the words of today.

const renamedInNote = (note) => note
  .replaceAll('were folded into nodes named (folded)', 'were evicted into nodes named (evicted)');

// A report of copse.cct/1, in which evicted contexts were called folded ones.
function renamed(raw) {
  const { folded_calls, folded_contexts, ...totals } = raw.totals;
  const { class: classes, descriptor } = raw.methods;
  return {
    ...raw,
    schema: 'copse.cct/2',
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
