// The program that was run, in a few words.
import { printable } from './format.js';
import { shortType } from './names.js';
import { inWords } from './quantity.js';

// Options whose value is the next word.
const WITH_VALUE = /^(-cp|-classpath|--class-path|-p|--module-path|--add-(modules|exports|opens|reads)|--limit-modules|--upgrade-module-path|--patch-module)$/;

const CLASS = /^[\w$]+(\.[\w$]+)+(?<!\.java)$/;

// A command of java without its options and the package of the main class, which hide what was run. Others are as they are.
function whatWasRun(command) {
  const [launcher = '', ...words] = command;
  if (!/(^|\/)java$/.test(launcher)) return command;
  let from = 0;
  while (from < words.length && words[from].startsWith('-') && !/^(-jar|-m|--module)$/.test(words[from])) {
    from += WITH_VALUE.test(words[from]) ? 2 : 1;
  }
  if (from >= words.length) return command;
  const [main, ...rest] = words.slice(from);
  return ['java', ...(from > 0 ? ['…'] : []), CLASS.test(main) ? shortType(main) : main, ...rest];
}

const joined = (words) => words.map(printable).join(' ') || 'Copse report';

// {brief, full}
export const commandOf = ({ command }) => ({ brief: joined(whatWasRun(command)), full: joined(command) });

export function factsOfProgram({ runtime, pid, started, wall_ms: wallMs }) {
  const duration = wallMs > 0 ? inWords('ns', wallMs * 1e6) : 'an unknown time';
  return [printable(runtime), `process ${pid}`, printable(started), `recorded for ${duration}`];
}
