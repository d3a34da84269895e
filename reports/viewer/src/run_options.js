// Options of a recording as they are given on the command line. Those that have their defaults are left out.
import { quoted } from './command_line.js';
import { inWords } from './quantity.js';

// By the keys of a report's options (src/agent/run_description.cpp). Those of packets tell something of other engines alone.
const DEFAULTS = {
  measure: 'calls cpu', engine: 'inline', recursion: 'auto', jdk: 'false', sites: 'true', selective: 'false', 'stack-scale': '8', 'keep-slices': '20',
  include: '', exclude: '', mark: '', graph: '', encoder: 'segment', 'check-every': '1', 'stack-every': '1000',
};
const LISTS = ['include', 'exclude', 'slice', 'mark'];
const FLAGS = { jdk: '--jdk', selective: '--selective', sites: '--no-sites', 'stack-scale': '--keep-stack-size' };
// Told in other words, or by other options.
const TOLD = ['memory', 'main-stack', 'workers', 'packet', 'event-every', 'recording'];
const DEFAULT_PACKET = '4096';

function engineOf({ engine, workers, packet, 'event-every': every }) {
  if (engine === 'inline') return engine;
  const settings = [['workers', workers, '0'], ['packet', packet, DEFAULT_PACKET], ['every', every, '0']];
  const named = settings.filter(([, value, usual]) => value !== undefined && value !== usual);
  return [engine, ...named.map(([name, value]) => `${name}=${value}`)].join(':');
}

function wordsOf([key, value]) {
  if (Object.hasOwn(FLAGS, key)) return [FLAGS[key]];
  if (key === 'measure') return [`--measure ${quoted(value.replaceAll(' ', ','))}`];
  if (LISTS.includes(key)) return value.split(' ').map((glob) => `--${key} ${quoted(glob)}`);
  return [`--${key} ${quoted(value)}`];
}

// [[name, text]]: the options, and what else bounds the recording.
export function factsOfOptions(options) {
  const { engine, packet } = options;
  const told = Object.entries(options).filter(([key, value]) => !TOLD.includes(key) && value !== DEFAULTS[key])
    .map(([key, value]) => [key, key === 'engine' ? engineOf(options) : String(value)]);
  const slots = engine === undefined && packet !== undefined && packet !== DEFAULT_PACKET ? [['packet-slots', packet]] : [];
  const words = [...told, ...slots].flatMap(wordsOf);
  const { memory, recording } = options;
  return [
    ...(words.length === 0 ? ['none'] : words).map((word, i) => [i === 0 ? 'options' : '', word]),
    ...(recording === undefined ? [] : [['recorded', recording]]),
    ...(memory === undefined ? [] : [['memory for contexts', `at most ${inWords('bytes', Number(memory))}`]]),
  ];
}
