// The command of Copse that shows as text what the page shows. A step of the page is an option of the command; steps in
// another order than the command takes its options in are a command each, the next one reading what the last one wrote.
import { idRules, stableId } from './stable_id.js';

const PLAIN = /^[\w.,:/=@%+-]+$/;
export const quoted = (word) => (PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

// The report is taken to lie beside the page, under the page's name.
const reportFile = () => decodeURIComponent(location.pathname.split('/').at(-1)).replace(/(\.html?)?$/, '.json');

// In the order in which a command takes them.
const OPTIONS = ['--thread', '--subtract', '--hide', '--fold', '--root', '--callers'];
const ONCE = ['--root', '--callers']; // given twice they mean either, and not one after the other
const ID_DIGITS = 16;

const isIn = (stage, option) =>
  stage.length > 0 &&
  (OPTIONS.indexOf(stage.at(-1)[0]) > OPTIONS.indexOf(option) || (ONCE.includes(stage.at(-1)[0]) && ONCE.includes(option)));

// first: the measure that the report shows first. tab: what is open. step: one more of the steps of a Reading, or null.
// Returns {command}, or {problem}: why there is none.
export function commandLine(reading, { first, tab, step = null, file = reportFile }) {
  const { report } = reading;
  const stages = [[]];
  let namesContext = false;
  for (const asked of optionsOf(reading, step === null ? reading.steps : [...reading.steps, step])) {
    if (asked.problem !== undefined) return asked;
    const { option, value } = asked;
    if (isIn(stages.at(-1), option)) stages.push([]);
    stages.at(-1).push([option, value]);
    namesContext ||= value.startsWith('@');
  }
  const { sites, names } = idRules(report) ?? {};
  const rules = !namesContext ? [] : report.compared === null ? ['--names', names] : notDefault({ sites, names });
  const words = stages.map((stage) => [...(stage.some(([, value]) => value.startsWith('@')) ? rules : []), ...stage.flat()]);
  const slice = report.slices.find(({ measure }) => measure === report.measure);
  const measure = slice === undefined && report.measure !== first ? ['--measure', report.measure.name] : [];
  if (report.compared !== null) {
    if (stages.length > 1 || stages[0].some(([option]) => option === '--callers')) {
      return { problem: `copse diff takes ${OPTIONS.slice(0, -1).join(', ')}, in this order` };
    }
    const { all, without } = leftOut(reading);
    const less = without.length > 0 ? ['--without', without.join(',')] : all.length > 0 ? ['--all'] : [];
    return { command: joined([['copse', 'diff', ...comparedFiles(report.compared), ...measure, ...less, ...words[0]]]) };
  }
  const { turned } = reading;
  const last = words.at(-1);
  // Waits for work are told by the frames of the whole report, so the first of several commands leaves them out.
  const { all, without } = leftOut(reading);
  const isAsked = words.length > 1 || without.length !== all.length;
  if (isAsked && without.length > 0) words[0].unshift('--without', without.join(','));
  words[0].unshift(...(slice === undefined ? [] : ['--slice', String(slice.id)]));
  last.unshift(...measure);
  if (isAsked && (words.length > 1 || without.length === 0) && all.length > 0) last.push('--all');
  const isTree = tab !== 'methods' && (turned === 'top-down' || stages.at(-1).at(-1)?.[0] === '--callers');
  if (isTree) last.push('--format', 'tree');
  return {
    command: joined(
      words.map((one, i) => [
        'copse', 'report', i === 0 ? file() : '/dev/stdin', ...one, ...(i < words.length - 1 ? ['--format', 'json'] : []),
      ]),
    ),
  };
}

const joined = (commands) => commands.map((words) => words.map(quoted).join(' ')).join(' | ');

// {all, without}: the parts that a summary leaves out, as far as the report has them, and those of them that the page
// leaves out. A comparison tells of the shown measure alone.
function leftOut({ report, switches, lens }) {
  const { measure } = report;
  const sides = [measure.old, measure];
  const has =
    report.compared === null
      ? { idle: (report.idle?.rows.length ?? 0) > 0, jvm: report.measures.some(({ jvm }) => jvm > 0) }
      : { idle: sides.some((one) => lens.idleTotal(one) > 0), jvm: sides.some(({ jvm }) => jvm > 0) };
  const all = Object.keys(has).filter((part) => has[part]);
  return { all, without: all.filter((part) => !switches[part]) };
}

const notDefault = ({ sites, names }) => [
  ...(sites === 'none' ? [] : ['--sites', sites]), ...(names === 'normalised' ? [] : ['--names', names]),
];

// A comparison of slices has their ids behind the files.
function comparedFiles({ oldName, newName }) {
  const [before, now] = [oldName, newName].map((name) => /^(.*), slice (\S+)$/.exec(name));
  return before === null || now === null ? [oldName, newName] : [before[1], now[1], '--slice', before[2], '--slice', now[2]];
}

// {option, value} of each step, or {problem}.
function* optionsOf(reading, steps) {
  const { report } = reading;
  let root = null; // of steps that make a context the whole, the outermost: {tree, row}
  for (let i = 0; i < steps.length; ++i) {
    const { kind, row, method, name } = steps[i];
    const tree = reading.treeBefore(i);
    if (kind === 'root' && i === 0 && report.threadRows.includes(row)) {
      yield { option: '--thread', value: report.names[tree.method[row]].slice(1, -1) };
    } else if (kind === 'root') {
      // Below the root of another one rows begin with it, as 1.
      root = root === null ? { tree, row } : { tree: root.tree, row: root.row + row - 1 };
      if (steps[i + 1]?.kind === 'root') continue;
      yield contextOption('--root', root.tree, root.row);
      root = null;
    } else if (kind === 'less') {
      yield contextOption('--subtract', tree, row);
    } else if (kind === 'fold') {
      yield { option: '--fold', value: `${name}.**` };
    } else {
      const option = { back: '--callers', merge: '--root', hide: '--hide', lessall: '--subtract' }[kind];
      const value = patternOf(report, method);
      yield value === null ? { problem: `another method has the name ${report.names[method]}` } : { option, value };
    }
  }
}

function contextOption(option, tree, row) {
  const rules = idRules(tree.report);
  const id = rules === null ? null : stableId(tree, row, rules);
  return id === null
    ? { problem: 'a comparison does not tell the id of this context; take all contexts of its method' }
    : { option, value: `@${id.slice(0, ID_DIGITS)}` };
}

// Class and name as options take them, with types where methods share both; null where these are the same, too.
function patternOf({ methods, names }, m) {
  const isSame = (other) => methods.class[other] === methods.class[m] && methods.name[other] === methods.name[m];
  const alike = names.map((_, other) => other).filter(isSame);
  const plain = methods.class[m] === '' ? methods.name[m] : `${methods.class[m]}.${methods.name[m]}`;
  if (alike.length === 1) return plain;
  return alike.filter((other) => names[other] === names[m]).length === 1 ? names[m] : null;
}
