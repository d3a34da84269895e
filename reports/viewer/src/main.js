// Reads the report out of the page and joins the views.
import { select } from 'd3-selection';
import { percent, plural } from './format.js';
import { GraphView } from './graph_view.js';
import { MethodViews } from './method_views.js';
import { Report } from './report.js';
import { showMetric, showRun } from './run_views.js';

const TABS = ['graph', 'methods', 'threads', 'skipped', 'run'];
const SEARCH_DELAY_MS = 120;

function openTab(name) {
  for (const tab of TABS) {
    select(`#tab-${tab}`).attr('aria-selected', tab === name);
    select(`#${tab}`).property('hidden', tab !== name);
  }
}

// Text matches as it is, in any case; /text/ is a regular expression. Null: nothing is searched.
function matcher(text) {
  if (text === '') return null;
  const expression = /^\/(.+)\/$/.exec(text);
  if (expression !== null) {
    const wanted = new RegExp(expression[1], 'i');
    return (name) => wanted.test(name);
  }
  const wanted = text.toLowerCase();
  return (name) => name.toLowerCase().includes(wanted);
}

function search(report, text) {
  const matches = matcher(text);
  return matches === null ? null : Uint8Array.from(report.names, (name) => (matches(name) ? 1 : 0));
}

function describeMatches(report, matched) {
  if (matched === null) return '';
  const { methods, own, inclusive } = report.weigh(matched);
  const total = report.inclusive[0];
  const { metric } = report;
  return methods === 0
    ? 'no method matches'
    : `${plural(methods, 'method')}: ${metric.amount(own)} (${percent(own, total)}), ` +
        `${metric.text(inclusive)} inclusive (${percent(inclusive, total)})`;
}

// A choice where more than calls was counted.
function offerMetrics(report, changed) {
  const { metrics } = report;
  const describe = () => {
    const { metric } = report;
    const lostToo = metric.lost > 0 ? `, ${metric.text(metric.lost)} more lost` : '';
    select('#measured').text(`${metric.text(metric.total)}${lostToo}`);
  };
  select('#measure').property('hidden', metrics.length < 2);
  const options = select('#metric').selectAll('option').data(metrics).join('option');
  options.attr('value', (_, i) => i).text(({ title }) => title);
  select('#metric').property('value', metrics.indexOf(report.metric)).on('change', (event) => {
    report.show(metrics[Number(event.target.value)]);
    describe();
    changed();
  });
  describe();
}

function start() {
  const element = document.getElementById('report');
  const report = new Report(JSON.parse(element.textContent));
  element.remove();  // the columns are what is needed from here on
  showRun(report);
  const graph = new GraphView(report);
  const box = select('#search');
  const find = (name) => {
    box.property('value', name);
    apply();
    openTab('graph');
  };
  const methods = new MethodViews(
    report, document.getElementById('method-table'), document.getElementById('method-detail'), find);

  function apply() {
    let matched = null;
    try {
      matched = search(report, box.property('value').trim());
    } catch (error) {
      select('#matches').text(`not a regular expression: ${error.message}`);
      return;
    }
    select('#matches').text(describeMatches(report, matched));
    graph.setMatched(matched);
    methods.setMatched(matched);
  }
  offerMetrics(report, () => {
    showMetric(report);
    graph.refresh();
    methods.refresh();
    apply();
  });
  let pending = 0;
  box.on('input', () => {
    clearTimeout(pending);
    pending = setTimeout(apply, SEARCH_DELAY_MS);
  });
  for (const tab of TABS) select(`#tab-${tab}`).on('click', () => openTab(tab));
  select(document).on('keydown', (event) => {
    if (event.key === '/' && event.target !== box.node()) {
      event.preventDefault();
      box.node().focus();
    } else if (event.key === 'Escape') {
      if (event.target === box.node()) box.property('value', '').dispatch('input');
      else graph.reset();
    }
  });
  document.documentElement.dataset.ready = 'true';
}

// The head line shows before a large report is read.
requestAnimationFrame(() => setTimeout(() => {
  try {
    start();
  } catch (error) {
    select('#program').text(`This report cannot be shown: ${error.message}`);
    throw error;
  }
}));
