// Facts about the run as a whole: head line, totals with their proof, notes, skipped methods,
// options.
import { select } from 'd3-selection';
import { notesOfSides, onlyNotes, renamedNote, showComparedHead, showComparedTotals } from './compared_head.js';
import { contextsOf } from './event_objects.js';
import { grouped, plural, printable } from './format.js';
import { partsOfType } from './names.js';
import { commandOf, factsOfProgram } from './program.js';
import { showProof } from './proof.js';
import { factsOfOptions } from './run_options.js';
import { Table, text } from './table.js';

export function showRun(report) {
  showHead(report);
  showMeasure(report);
  showSkipped(report);
  showOptions(report);
}

function showHead(report) {
  const { program, notes, compared } = report;
  const all = [...notes];
  if (compared === null) {
    const { brief, full } = commandOf(program);
    document.title = `Copse: ${brief.slice(0, 80)}`;
    select('#command').text(brief).attr('title', full);
    select('#program').text([full, ...factsOfProgram(program)].join('\n'));
  } else {
    showComparedHead(report);
    all.push(...renamedNote(compared), ...onlyNotes(compared), ...notesOfSides(compared));
  }
  const measures = report.measures.flatMap((measure) => [measure, measure.old ?? measure]);
  if (measures.some(({ seen }) => seen > Number.MAX_SAFE_INTEGER)) {
    all.push('Counts above 9,007,199,254,740,991 are rounded on this page; the JSON report has them exactly.');
  }
  const isDefect = (note) => /^((old|new): )?DEFECT/.test(note);
  select('#note-count').property('hidden', all.length === 0).classed('defect', all.some(isDefect)).text(plural(all.length, 'note'));
  select('#notes').selectAll('li').data(all).join('li').classed('defect', isDefect).text(printable);
}

// Totals and proof of what the report is shown by.
export function showMeasure(report) {
  if (report.compared !== null) {
    showComparedTotals(report);
    return;
  }
  const { measure, totals, whole } = report;
  const isCalls = measure.name === 'calls';
  const methods = contextsOf(whole).reduce((count, contexts) => count + (contexts > 0 ? 1 : 0), 0);
  const calls = isCalls || totals.calls_seen === 0 ? [] : [['calls', grouped(totals.calls)]];
  const having = calls.length === 0 ? null : `with ${measure.words}`;
  const numbers = [
    [measure.title, measure.text(measure.total)],
    ...(measure.jvm === 0 ? [] : [['JVM', measure.text(measure.jvm)]]),
    ...calls,
    ['contexts', grouped(whole.contexts[0]), having],
    ['methods', grouped(methods), having],
    ['threads', grouped(totals.threads)],
  ];
  if (isCalls) numbers.push(['max depth', grouped(totals.max_depth)]);
  if (isCalls && totals.evicted_contexts) numbers.push(['evicted calls', grouped(totals.evicted_calls)]);
  const entries = select('#totals').selectAll('div').data(numbers).join('div').attr('title', ([, , hint]) => hint);
  entries.selectChildren().remove();
  entries.append('dt').text(([name]) => name);
  entries.append('dd').text(([, value]) => value);
  const proved = calls.length === 0 ? [measure] : [measure, report.calls];
  showProof(proved, proved.map(({ proof }) => proof).join(' · '));
}

function showSkipped(report) {
  const reasons = new Map();
  for (const { reason } of report.skipped) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  const ranked = [...reasons].sort((a, b) => b[1] - a[1]);
  select('#skipped-reasons').text(
    ranked.length === 0
      ? 'Nothing was skipped: every class that was asked for is counted.'
      : `Not counted, or not completely: ${ranked.map(([reason, n]) => `${grouped(n)} ${printable(reason)}`).join(' · ')}`,
  );
  const of = (key) => (row) => printable(row[key]);
  const type = text('class', of('class'), { parts: partsOfType });
  const columns = [type, text('method (all when empty)', of('method')), text('reason', of('reason'))];
  select('#skipped-table').property('hidden', report.skipped.length === 0);
  new Table(document.getElementById('skipped-table'), columns).setRows(report.skipped);
  select('#tab-skipped').text(`Skipped (${grouped(report.skipped.length)})`);
}

function showOptions(report) {
  const { program, compared } = report;
  const rows = [
    ...(compared === null ? [['command', commandOf(program).full], ['run', factsOfProgram(program).join(' · ')]] : []),
    ...factsOfOptions(report.options),
    ...(report.totals.packets > 0 ? [['packets of calls', grouped(report.totals.packets)]] : []),
    ['made by', report.createdBy],
    ...(report.compared?.renamed ?? []).map(({ from, to }) => ['renamed', `${from} → ${to}`]),
  ];
  const lines = select('#run-table').append('tbody').selectAll('tr').data(rows).join('tr');
  lines.append('th').attr('scope', 'row').text(([name]) => printable(name));
  lines.append('td').text(([, value]) => printable(value));
}
