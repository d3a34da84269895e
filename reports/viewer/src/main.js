// Reads the report out of the page and joins the views.
import { select } from 'd3-selection';
import { GraphView } from './graph_view.js';
import { MethodViews } from './method_views.js';
import { Report } from './report.js';
import { showMeasure, showRun } from './run_views.js';
import { SearchBox } from './search_box.js';

const TABS = ['graph', 'methods', 'threads', 'skipped', 'run', 'help'];

function openTab(name) {
  for (const tab of TABS) {
    select(`#tab-${tab}`).attr('aria-selected', tab === name);
    select(`#${tab}`).property('hidden', tab !== name);
  }
}

// A choice where more than calls was counted.
function offerMeasures(report, changed) {
  const { measures } = report;
  const describe = () => {
    const { measure } = report;
    const lostToo = measure.lost > 0 ? `, ${measure.text(measure.lost)} more lost` : '';
    select('#measured').text(`${measure.text(measure.total)}${lostToo}`);
  };
  select('#measures').property('hidden', measures.length < 2);
  const options = select('#measure').selectAll('option').data(measures).join('option');
  options.attr('value', (_, i) => i).text(({ title }) => title);
  select('#measure').property('value', measures.indexOf(report.measure)).on('change', (event) => {
    report.show(measures[Number(event.target.value)]);
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
  const box = new SearchBox(report, (found) => {
    graph.setFound(found);
    methods.setMatched(found?.matched ?? null);
  });
  const choose = (method) => {
    box.choose(method);
    openTab('graph');
  };
  const methods = new MethodViews(
    report, document.getElementById('method-table'), document.getElementById('method-detail'), choose);
  graph.onChoose(choose);
  offerMeasures(report, () => {
    showMeasure(report);
    graph.refresh();
    methods.refresh();
    box.apply();
  });
  for (const tab of TABS) select(`#tab-${tab}`).on('click', () => openTab(tab));
  select(document).on('keydown', (event) => {
    const inBox = event.target === box.node;
    if (event.key === '/' && !inBox) {
      event.preventDefault();
      box.node.focus();
    } else if (event.key === 'Enter' && inBox) {
      event.preventDefault();
      box.settle();
      openTab('graph');
      graph.step(event.shiftKey ? -1 : 1);
    } else if (event.key === 'Escape') {
      if (inBox) box.clear();
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
