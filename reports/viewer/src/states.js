// Wall-clock time by the states of threads: a context's own time as frames below it, one for each state.
import { ContextTree } from './context_tree.js';

const STATES = ['runnable', 'native', 'blocked', 'waiting', 'parked', 'sleeping'];

// Measures of states that divide the measure shown, as [measure, samples or null, name]; empty where there are none.
export function statesOf({ measure, measures, compared }) {
  if (measure.name !== 'wall_ns' || compared !== null) return [];
  const states = STATES.map((state) => [measures.find(({ name }) => name === `${state}_ns`), state]);
  return states.filter(([time]) => time !== undefined).map(([time, state]) => [time, time.samples, state]);
}

// The tree with these frames, `rows`: the tree's row for each of its rows, or -1 for a state, and `placeOf`, the other way
// round. An object of an event says itself that its thread waits.
export function withStates(tree) {
  const { report, count } = tree;
  const states = statesOf(report).map(([time, samples, name]) => ({
    time: tree.exclusiveOf(time),
    samples,
    frame: report.stateFrame(name),
  }));
  const { rows, above, stateOf, placeOf } = placesOf(tree, states);
  const parent = new Int32Array(rows.length).fill(-1);
  const method = new Int32Array(rows.length).fill(-1);
  const site = new Int32Array(rows.length).fill(-1);
  for (let i = 1; i < rows.length; ++i) {
    const row = rows[i];
    parent[i] = placeOf[row < 0 ? above[i] : tree.parent[row]];
    method[i] = row < 0 ? states[stateOf[i]].frame : tree.method[row];
    if (row >= 0) site[i] = tree.site[row];
  }
  const columns = new Map(states.map(({ time }, i) => [i, time]));
  const samples = new Map(states.map(({ samples: one }, i) => [i, one === null ? null : tree.exclusiveOf(one)]));
  const { measure: wall } = report;
  // parts: columns of the states by their numbers, where the measure is divided.
  const amounts = (measure, parts) => () => {
    const whole = tree.exclusiveOf(measure);
    const column = new Float64Array(rows.length);
    for (let row = 0; row < count; ++row) column[placeOf[row]] = whole[row];
    for (let i = 1; parts !== undefined && i < rows.length; ++i) {
      if (rows[i] >= 0) continue;
      column[i] = parts.get(stateOf[i])?.[above[i]] ?? 0;
      column[placeOf[above[i]]] -= column[i];
    }
    return column;
  };
  const divided = new Map([[wall, columns], [wall.samples, samples]]);
  const exclusive = new Map(tree.measures.map((measure) => [measure, amounts(measure, divided.get(measure))]));
  return { rows, placeOf, tree: new ContextTree(report, { parent, method, site, exclusive }) };
}

// Places of all rows, each followed by its states: `above` is the row that a state is of, `placeOf` the place of a row.
function placesOf({ count, method, report: { objects } }, states) {
  const times = states.map(({ time }) => time);
  const isDivided = (row) => row > 0 && !objects.has(method[row]);
  let more = 0;
  for (let row = 1; row < count; ++row) {
    if (!isDivided(row)) continue;
    for (let i = 0; i < times.length; ++i) if (times[i][row] > 0) ++more;
  }
  const rows = new Int32Array(count + more);
  const above = new Int32Array(count + more);
  const stateOf = new Int8Array(count + more).fill(-1);
  const placeOf = new Int32Array(count);
  let next = 0;
  for (let row = 0; row < count; ++row) {
    placeOf[row] = next;
    rows[next++] = row;
    if (!isDivided(row)) continue;
    for (let i = 0; i < times.length; ++i) {
      if (times[i][row] === 0) continue;
      rows[next] = -1;
      above[next] = row;
      stateOf[next++] = i;
    }
  }
  return { rows, above, stateOf, placeOf };
}
