// What is said about the run as a whole: head line, totals with their proof, notes, threads, what
// was skipped, options.
import { select } from 'd3-selection';
import { grouped, percent, printable } from './format.js';
import { byNumber, byText, Table } from './table.js';

export function showRun(report) {
  showHead(report);
  showThreads(report);
  showSkipped(report);
  showOptions(report);
}

function showHead(report) {
  const { program, totals, notes } = report;
  const command = program.command.map(printable).join(' ') || 'Copse report';
  document.title = `Copse: ${command.slice(0, 80)}`;
  select('#command').text(command).attr('title', command);
  const duration = program.wall_ms < 1000
    ? `${Math.round(program.wall_ms)} ms` : `${(program.wall_ms / 1000).toFixed(1)} s`;
  const facts = [
    printable(program.runtime), `process ${program.pid}`, printable(program.started), duration,
  ];
  select('#program').text(facts.join(' · '));
  const numbers = [
    ['calls', totals.calls], ['contexts', totals.contexts], ['methods', report.names.length],
    ['threads', totals.threads], ['max depth', totals.max_depth],
  ];
  if (totals.folded_contexts) numbers.push(['folded calls', totals.folded_calls]);
  const entries = select('#totals').selectAll('div').data(numbers).join('div');
  entries.append('dt').text(([name]) => name);
  entries.append('dd').text(([, value]) => grouped(value));

  const addsUp = totals.calls_seen === totals.calls + totals.calls_lost;
  select('#proof')
    .classed('broken', !addsUp || totals.calls_lost > 0)
    .text(
      `${grouped(totals.calls_seen)} calls seen ${addsUp ? '=' : 'IS NOT'} ` +
        `${grouped(totals.calls)} in nodes + ${grouped(totals.calls_lost)} lost`,
    );
  const all = [...notes];
  if (totals.calls_seen > Number.MAX_SAFE_INTEGER) {
    all.push('Counts above 9,007,199,254,740,991 are rounded on this page; the JSON report has them exactly.');
  }
  select('#notes')
    .property('hidden', all.length === 0)
    .selectAll('li')
    .data(all)
    .join('li')
    .classed('defect', (note) => note.startsWith('DEFECT'))
    .text(printable);
}

function showThreads(report) {
  const entry = (thread) => (thread.node < 0 ? '' : report.names[report.method[thread.node]] ?? '');
  const calls = {
    title: 'calls', number: true, text: (t) => grouped(t.calls), order: byNumber((t) => t.calls),
  };
  const columns = [
    calls,
    { title: '', number: true, text: (t) => percent(t.calls, report.totals.calls_seen) },
    { title: 'id', number: true, text: (t) => String(t.id), order: byNumber((t) => t.id) },
    { title: 'name', number: false, text: (t) => printable(t.name), order: byText((t) => t.name) },
    { title: 'first call', number: false, text: entry, order: byText(entry) },
  ];
  new Table(document.getElementById('thread-table'), columns, { sorted: calls }).setRows(report.threads);
  select('#tab-threads').text(`Threads (${grouped(report.threads.length)})`);
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
  const text = (key, title = key) => ({
    title, number: false, text: (row) => printable(row[key]), order: byText((row) => row[key]),
  });
  const columns = [text('reason'), text('class'), text('method', 'method (all when empty)')];
  new Table(document.getElementById('skipped-table'), columns).setRows(report.skipped);
  select('#tab-skipped').text(`Skipped (${grouped(report.skipped.length)})`);
}

function showOptions(report) {
  const rows = [
    ['made by', report.createdBy],
    ['packets', grouped(report.totals.packets)],
    ...Object.entries(report.options).map(([name, value]) => [`option ${name}`, String(value)]),
  ];
  const lines = select('#run-table').append('tbody').selectAll('tr').data(rows).join('tr');
  lines.append('th').attr('scope', 'row').text(([name]) => printable(name));
  lines.append('td').text(([, value]) => printable(value));
}
