// The command of Copse that shows as text what the page shows, or null where there is none.

const PLAIN = /^[\w.,:/=@%+-]+$/;
const quoted = (word) => (PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

// The report is taken to lie beside the page, under the page's name.
const reportFile = () => decodeURIComponent(location.pathname.split('/').at(-1)).replace(/(\.html?)?$/, '.json');

// Frames that only the page takes away, or puts together.
const OF_PAGE = ['less', 'lessall', 'fold'];

// first: the measure that the report shows first. tab: what is open. method: whose frame or row it is about, or -1.
export function commandLine(reading, { first, tab, method = -1 }) {
  const { report, steps, direction } = reading;
  if (steps.some(({ kind }) => OF_PAGE.includes(kind) || (kind === 'hide' && report.compared !== null))) return null;
  const words =
    report.compared === null
      ? ['copse', 'report', reportFile()]
      : ['copse', 'diff', report.compared.oldName, report.compared.newName];
  if (report.measure !== first) words.push('--measure', report.measure.name);
  const isUp = direction.widthSide === 'exclusive' || direction.root.method >= 0;
  const asked = steps.map((_, i) => optionOf(reading, i));
  if (method >= 0) asked.push([isUp ? '--callers' : '--root', method]);
  // The last root is the one in sight, and so are the callers of one method.
  const isKept = ([option]) => ['--thread', '--hide'].includes(option);
  const last = asked.findLast((one) => !isKept(one));
  for (const [option, value] of asked.filter((one) => isKept(one) || one === last)) {
    if (option !== '--callers' || report.compared === null)
      words.push(option, typeof value === 'number' ? patternOf(report, value) : value);
  }
  if (report.compared === null && tab !== 'methods') words.push('--format', 'tree');
  return words.map(quoted).join(' ');
}

// [option, method or pattern] of a step.
function optionOf(reading, i) {
  const { report, steps } = reading;
  const { kind, row, method } = steps[i];
  if (kind === 'back') return ['--callers', method];
  if (kind === 'merge') return ['--root', method];
  if (kind === 'hide') return ['--hide', method];
  const top = reading.methodOfStep(i);
  return i === 0 && report.threadRows.includes(row) ? ['--thread', report.names[top].slice(1, -1)] : ['--root', top];
}

// Class and name as --root takes them.
const patternOf = ({ methods }, m) =>
  methods.class[m] === '' ? methods.name[m] : `${methods.class[m]}.${methods.name[m]}`;
