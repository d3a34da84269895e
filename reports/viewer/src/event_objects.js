// Objects of events (`kinds` of docs/report-schema.md): what was allocated, thrown or waited for. In the tree each is a
// frame below the context of its event. Rankings have the method of that context in its place, and the object beside
// it.
import { shortName, shortType } from './names.js';

// Facts about the objects of a report by their methods there: {kind, type (its class), place (of a throw, or '')}.
export function objectsIn({ kinds }) {
  const objects = new Map();
  const { method = [], kind, class: type, place } = kinds ?? {};
  method.forEach((m, i) => objects.set(m, { kind: kind[i], type: type[i], place: place[i] }));
  return objects;
}

const LOCKS = ['contention', 'parked'];
const WAITS = [...LOCKS, 'state'];

// Title of a column of these objects.
export function titleOf(objects) {
  if (objects.every(({ kind }) => LOCKS.includes(kind))) return 'lock';
  return objects.every(({ kind }) => WAITS.includes(kind)) ? 'state' : 'type';
}

// "Store$Missing at Store.find:13"
export function objectText({ type, place }) {
  const plain = shortType(type);
  return place === '' ? plain : `${plain} at ${shortName(place)}`;
}

const made = new WeakMap(); // by tree, then by measure

// Amounts of a measure by method, as of methodsOf() (context_tree.js), but that `exclusive` has what objects below
// have. `objects`: of a method, the amounts of objects below it, by their methods.
export function eventsOf(tree, measure) {
  if (!made.has(tree)) made.set(tree, new Map());
  const known = made.get(tree);
  if (!known.has(measure)) known.set(measure, sum(tree, measure));
  return known.get(measure);
}

function sum(tree, measure) {
  const { inclusive, outer, exclusive } = tree.methodsOf(measure);
  const own = exclusive.slice();
  const objects = new Map();
  const values = tree.exclusiveOf(measure);
  eachObject(tree, (row, object, method) => {
    if (values[row] === 0) return;
    own[object] -= values[row];
    own[method] += values[row];
    if (!objects.has(method)) objects.set(method, new Map());
    objects.get(method).set(object, (objects.get(method).get(object) ?? 0) + values[row]);
  });
  return { exclusive: own, inclusive, outer, objects };
}

// Contexts with some of the measure shown by method, those of objects with those of the methods above them.
export function contextsOf(tree) {
  const contexts = tree.methodContexts.slice();
  eachObject(tree, (row, object, method) => {
    contexts[object] -= tree.own[row];
    contexts[method] += tree.own[row];
  });
  return contexts;
}

// visit(row, object, method): an object below ROOT stays by itself.
function eachObject({ count, method, parent, report: { objects } }, visit) {
  if (objects.size === 0) return;
  for (let row = 1; row < count; ++row) {
    if (parent[row] > 0 && objects.has(method[row])) visit(row, method[row], method[parent[row]]);
  }
}

// Amounts by the class of objects, most first: [{kind, type, value, methods: [[method, amount]], places}].
export function typesOf(tree, measure) {
  const types = new Map();
  for (const [method, objects] of eventsOf(tree, measure).objects) {
    for (const [object, amount] of objects) {
      const { kind, type, place } = tree.report.objects.get(object);
      const key = `${kind} ${type}`;
      if (!types.has(key)) types.set(key, { kind, type, value: 0, methods: new Map(), places: new Set() });
      const line = types.get(key);
      line.value += amount;
      line.methods.set(method, (line.methods.get(method) ?? 0) + amount);
      if (place !== '') line.places.add(place);
    }
  }
  return Array.from(types.values(), (line) => ({
    ...line,
    methods: [...line.methods].sort((a, b) => b[1] - a[1]),
    places: [...line.places],
  })).sort((a, b) => b.value - a.value);
}
