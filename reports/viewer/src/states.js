// Wall-clock time by the states of threads: a context's own time as frames below it, one for each state.
import { ContextTree } from './context_tree.js';

const STATES = ['runnable', 'native', 'blocked', 'waiting', 'parked', 'sleeping'];

// Measures of states that divide the measure shown, as [measure, samples or null, name]; empty where there are none.
export function statesOf({ measure, measures, compared }) {
  if (measure.name !== 'wall_ns' || compared !== null) return [];
  const named = (name) => measures.find((one) => one.name === name) ?? null;
  return STATES.map((state) => [named(`${state}_ns`), named(`${state}_samples`), state]).filter(
    ([time]) => time !== null,
  );
}

// The tree with these frames, and `rows`: of each row the tree's, or -1 for a state. An object of an event says itself
// that its thread waits.
export function withStates(tree) {
  const { report, parent, method, site, count } = tree;
  const states = statesOf(report).map(([time, samples, name]) => ({
    time: tree.exclusiveOf(time),
    samples: samples === null ? null : tree.exclusiveOf(samples),
    frame: report.stateFrame(name),
  }));
  const isDivided = (row) => row > 0 && !report.objects.has(method[row]);
  let more = 0;
  for (let row = 1; row < count; ++row) if (isDivided(row)) for (const { time } of states) if (time[row] > 0) ++more;
  const rows = new Int32Array(count + more); // of a state: -1
  const above = new Int32Array(count + more); // of a state: the row that it is of
  const stateOf = new Int8Array(count + more).fill(-1);
  const placeOf = new Int32Array(count);
  let next = 0;
  for (let row = 0; row < count; ++row) {
    placeOf[row] = next;
    rows[next++] = row;
    if (!isDivided(row)) continue;
    states.forEach(({ time }, i) => {
      if (time[row] === 0) return;
      rows[next] = -1;
      above[next] = row;
      stateOf[next++] = i;
    });
  }
  const columnOf = (ofRow, ofState) => Int32Array.from(rows, (row, i) => (row < 0 ? ofState(i) : ofRow(row)));
  const { measure: wall } = report;
  const divided = new Map([[wall, 'time'], ...(wall.samples === null ? [] : [[wall.samples, 'samples']])]);
  const exclusive = new Map(
    tree.measures.map((measure) => [measure, amounts(tree.exclusiveOf(measure), divided.get(measure))]),
  );
  return {
    rows,
    tree: new ContextTree(report, {
      parent: columnOf(
        (row) => (row === 0 ? -1 : placeOf[parent[row]]),
        (i) => placeOf[above[i]],
      ),
      method: columnOf(
        (row) => method[row],
        (i) => states[stateOf[i]].frame,
      ),
      site: columnOf(
        (row) => site[row],
        () => -1,
      ),
      exclusive,
    }),
  };

  // side: which column of a state its frames have; undefined: their measure is not divided.
  function amounts(whole, side) {
    const column = new Float64Array(rows.length);
    for (let i = 0; i < rows.length; ++i) if (rows[i] >= 0) column[i] = whole[rows[i]];
    if (side === undefined) return column;
    for (let i = 0; i < rows.length; ++i) {
      const part = rows[i] >= 0 ? 0 : (states[stateOf[i]][side]?.[above[i]] ?? 0);
      column[i] += part;
      if (part > 0) column[placeOf[above[i]]] -= part;
    }
    return column;
  }
}
