// Reads the report out of the page and joins the views.
import { select } from 'd3-selection';
import { FoundList } from './found_list.js';
import { GraphView } from './graph_view.js';
import { MethodViews } from './method_views.js';
import { Reading } from './reading.js';
import { Report } from './report.js';
import { showMeasure, showRun } from './run_views.js';
import { SearchBox } from './search_box.js';
import { TreeView } from './tree_view.js';

const TABS = ['graph', 'tree', 'methods', 'threads', 'skipped', 'run', 'help'];
const OF_CONTEXTS = ['graph', 'tree'];

class Page {
  #report;
  #reading;
  #graph;
  #tree;
  #methods;
  #box;
  #list;
  #tab = 'graph';

  constructor(report) {
    this.#report = report;
    this.#reading = new Reading(report);
    showRun(report);
    const choose = (method) => {
      this.#box.choose(method);
      if (!OF_CONTEXTS.includes(this.#tab)) this.#open('graph');
    };
    this.#list = new FoundList(report, (item) => this.#go(item));
    this.#graph = new GraphView(this.#reading, { choose, goTo: (i) => this.#list.go(i) });
    this.#tree = new TreeView(this.#reading);
    this.#methods = new MethodViews(
      report, document.getElementById('method-table'), document.getElementById('method-detail'), choose);
    this.#box = new SearchBox(report, (found) => this.#setFound(found));
    this.#offerMeasures();
    for (const tab of TABS) select(`#tab-${tab}`).on('click', () => this.#open(tab));
    for (const turned of ['top-down', 'bottom-up']) select(`#${turned}`).on('click', () => this.#turn(turned));
    select(document).on('keydown', (event) => this.#press(event));
  }

  #open(name) {
    this.#tab = name;
    for (const tab of TABS) {
      select(`#tab-${tab}`).attr('aria-selected', tab === name);
      select(`#${tab}`).property('hidden', tab !== name);
    }
    select('#reading').property('hidden', !OF_CONTEXTS.includes(name));
    this.#showFound();
  }

  // To an item, in the view that is open.
  #go(item) {
    if (this.#tab === 'tree') this.#tree.go(item);
    else this.#graph.zoom(item);
  }

  #turn(name) {
    this.#reading.turn(name);
    for (const turned of ['top-down', 'bottom-up']) select(`#${turned}`).attr('aria-pressed', turned === name);
    this.#refresh();
  }

  #refresh() {
    this.#graph.refresh();
    this.#tree.refresh();
    this.#listFound();
  }

  #setFound(found) {
    this.#reading.setFound(found);
    this.#graph.setFound();
    this.#tree.setFound();
    this.#methods.setMatched(found?.matched ?? null);
    this.#listFound();
  }

  #listFound() {
    this.#list.show(this.#reading.findings, (item) => this.#reading.pathText(item));
    this.#showFound();
  }

  #showFound() {
    select('#found').property('hidden', this.#reading.findings === null || !OF_CONTEXTS.includes(this.#tab));
  }

  // A choice where more than calls was counted.
  #offerMeasures() {
    const { measures } = this.#report;
    const describe = () => {
      const { measure } = this.#report;
      const lostToo = measure.lost > 0 ? `, ${measure.text(measure.lost)} more lost` : '';
      select('#measured').text(`${measure.text(measure.total)}${lostToo}`);
    };
    select('#measures').property('hidden', measures.length < 2);
    const options = select('#measure').selectAll('option').data(measures).join('option');
    options.attr('value', (_, i) => i).text(({ title }) => title);
    select('#measure').property('value', measures.indexOf(this.#report.measure)).on('change', (event) => {
      this.#report.show(measures[Number(event.target.value)]);
      describe();
      showMeasure(this.#report);
      this.#reading.refresh();
      this.#refresh();
      this.#methods.refresh();
      this.#box.apply();
    });
    describe();
  }

  #press(event) {
    const inBox = event.target === this.#box.node;
    if (event.key === '/' && !inBox) {
      event.preventDefault();
      this.#box.node.focus();
    } else if (event.key === 'Enter' && inBox) {
      event.preventDefault();
      this.#box.settle();
      if (!OF_CONTEXTS.includes(this.#tab)) this.#open('graph');
      this.#list.step(event.shiftKey ? -1 : 1);
    } else if (event.key === 'Escape') {
      if (inBox) this.#box.clear();
      else if (this.#tab === 'graph') this.#graph.reset();
    }
  }
}

function start() {
  const element = document.getElementById('report');
  const report = new Report(JSON.parse(element.textContent));
  element.remove();  // the columns are what is needed from here on
  new Page(report);
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
