// Reads the report out of the page and joins the views.
import { select } from 'd3-selection';
import { Address } from './address.js';
import { commandLine } from './command_line.js';
import { copy, say } from './copying.js';
import { pageAsItCame, takeDrops } from './dropping.js';
import { FoundList } from './found_list.js';
import { showRules } from './gate_view.js';
import { GraphView } from './graph_view.js';
import { grouping } from './measure.js';
import { MethodViews } from './method_views.js';
import { Reading } from './reading.js';
import { printable } from './format.js';
import { Report } from './report.js';
import { Menu } from './menu.js';
import { showMeasure, showRun } from './run_views.js';
import { SearchBox } from './search_box.js';
import { showSlices } from './slices_view.js';
import { Switches } from './switches.js';
import { ThreadViews } from './thread_views.js';
import { showTimeline } from './timeline.js';
import { TreeView } from './tree_view.js';
import { WidthChoice } from './width_choice.js';

const TABS = ['graph', 'tree', 'methods', 'gate', 'slices', 'threads', 'skipped', 'run', 'help'];
const DIRECTIONS = ['top-down', 'bottom-up'];
const MANY = 5;  // measures, which need more room below the graph
const KEYS = ['tab', 'show', 'names', 'read', 'direction', 'with', 'width', 'color', 'shape', 'zoom', 'sort', 'row', 'method', 'rank',
  'threads', 'find', 'search', 'wide'];
const OF_CONTEXTS = ['graph', 'tree'];

const COMMAND_HINT = 'A command of copse that shows this as text, from a report beside the page';

// How numbers count after a step.
const STEP_HINTS = {
  merge: 'a call of the method from inside itself is below that one and counts once',
  hide: 'what it has is its callers\', and its calls are left out',
  fold: 'all calls in it are its own',
  back: 'by what it has inclusively; a call from inside itself is in the outer one and counts once',
};

class Page {
  #report;
  #reading;
  #graph;
  #tree;
  #methods;
  #threads;
  #switches;
  #widths;
  #box;
  #list;
  #menu = new Menu();
  #tab = 'graph';
  #first;  // the measure that the report shows first
  #address = new Address(() => this.#parts, (parts) => this.#restore(parts));

  constructor(report) {
    this.#report = report;
    this.#first = report.measure;
    this.#reading = new Reading(report);
    showRun(report);
    showTimeline(report);
    showRules(report, (row) => this.#goToContext(row));
    showSlices(report, (measure) => this.#openSlice(measure));
    this.#list = new FoundList(this.#reading, (item) => {
      this.#go(item);
      this.#address.changed();
    });
    const listeners = {
      goTo: (i) => this.#list.go(i),
      actions: (item) => this.#actionsOf(item),
      actionsOfMethod: (method) => this.#actionsOfMethod(method),
      menu: (item, x, y) => this.#menu.open(x, y, this.#actionsOf(item)),
      moved: () => this.#moved(),
      changed: () => this.#address.changed(),
    };
    this.#widths = new WidthChoice(this.#reading, () => this.#show(report.measure));
    this.#switches = new Switches(this.#reading, () => this.#show(report.measure));
    this.#graph = new GraphView(this.#reading, listeners);
    this.#tree = new TreeView(this.#reading, listeners);
    this.#methods = new MethodViews(this.#reading, document.getElementById('method-table'),
      document.getElementById('method-detail'), listeners);
    this.#threads = new ThreadViews(report, { openThread: (row) => this.#openThread(row), moved: () => this.#moved() });
    this.#box = new SearchBox(
      this.#reading, { found: (found) => this.#setFound(found), typed: () => this.#address.changed() });
    this.#offerMeasures();
    this.#offerThreads();
    select('#full-names').on('click', () => {
      this.#setNames(!report.hasFullNames);
      this.#show(report.measure);
    });
    for (const tab of TABS) {
      select(`#tab-${tab}`).on('click', () => {
        this.#open(tab);
        this.#moved();
      });
    }
    for (const turned of DIRECTIONS) select(`#${turned}`).on('click', () => this.#turn(turned));
    select(document).on('keydown', (event) => this.#press(event));
    if (this.#address.parts.size > 0) this.#restore(this.#address.parts);
  }

  #setNames(isFull) {
    this.#report.hasFullNames = isFull;
    select('#full-names').attr('aria-pressed', isFull);
  }

  #moved() {
    select('#address-problem').property('hidden', true);
    this.#address.moved();
  }

  get #parts() {
    const own = [];
    if (this.#tab !== TABS[0]) own.push(['tab', this.#tab]);
    if (this.#report.measure !== this.#first) own.push(['show', this.#report.measure.name]);
    if (this.#report.hasFullNames) own.push(['names', 'full']);
    return new Map([
      ...own, ...this.#reading.parts, ...this.#widths.parts, ...this.#graph.parts, ...this.#tree.parts, ...this.#methods.parts,
      ...this.#threads.parts, ...this.#box.parts,
    ]);
  }

  // Shows what an address says, and says what of it cannot be shown.
  #restore(parts) {
    const whatIsRead = () => (
      [this.#report.measure.name, this.#report.hasFullNames, this.#reading.parts, this.#widths.parts].join(' '));
    const before = whatIsRead();
    const problems = [...parts.keys()].filter((key) => !KEYS.includes(key)).map((key) => `it has nothing called ${key}`);
    const tab = parts.get('tab') ?? TABS[0];
    const isTab = TABS.includes(tab) && !select(`#tab-${tab}`).property('hidden');
    if (!isTab) problems.push(`there is no tab ${tab}`);
    const show = parts.get('show') ?? this.#first.name;
    const measure = this.#report.shownMeasures.find(({ name }) => name === show);
    if (measure === undefined) problems.push(`${show} was not counted`);
    this.#setNames(parts.get('names') === 'full');
    problems.push(...this.#widths.restore(parts));
    this.#report.show(measure ?? this.#first);
    problems.push(...this.#reading.restore(parts));
    if (whatIsRead() !== before) {
      this.#showMeasure();
      this.#reading.refresh();
      this.#refresh();
      this.#methods.refresh();
      this.#threads.refresh();
    }
    this.#open(isTab ? tab : TABS[0]);
    for (const view of [this.#box, this.#graph, this.#tree, this.#methods, this.#threads]) {
      problems.push(...view.restore(parts));
    }
    select('#address-problem').property('hidden', problems.length === 0)
      .text(`The address cannot be shown as it is: ${problems.map(printable).join('; ')}.`);
    if (problems.length > 0) this.#address.changed();
  }

  #open(name) {
    this.#tab = name;
    for (const tab of TABS) {
      select(`#tab-${tab}`).attr('aria-selected', tab === name);
      select(`#${tab}`).property('hidden', tab !== name);
    }
    select('#reading').property('hidden', !OF_CONTEXTS.includes(name));
    for (const tab of OF_CONTEXTS) select(`#${tab}-tools`).property('hidden', tab !== name);
    if (name === 'methods') this.#methods.open();
    this.#showFound();
  }

  // To an item, in the view that is open.
  #go(item) {
    if (this.#tab === 'tree') this.#tree.go(item);
    else this.#graph.zoom(item);
  }

  // To a context of the whole, in the tree, which has those of both reports.
  #goToContext(row) {
    this.#reading.turn(DIRECTIONS[0]);
    this.#take([]);
    this.#open('tree');
    this.#go(this.#reading.direction.item(row));
    this.#moved();
  }

  // At the frame that has all of the slice: a server has many callers above it.
  #openSlice(measure) {
    this.#reading.turn(DIRECTIONS[0]);
    this.#openContexts();
    this.#show(measure);
    const { direction } = this.#reading;
    let item = direction.root;
    while (direction.amounts(item, measure).exclusive === 0) {
      const { items } = direction.children(item, item.value);
      if (items.length !== 1) break;
      item = items[0];
    }
    this.#go(item);
    this.#moved();
  }

  #openThread(row) {
    this.#openContexts();
    this.#take([{ kind: 'root', row }]);
  }

  #turn(name) {
    this.#reading.turn(name);
    this.#refresh();
    this.#moved();
  }

  #actionsOf(item) {
    if (item.method < 0 || this.#report.objects.get(item.method)?.kind === 'state') return [];
    const row = item.row > 0 ? this.#reading.rowForStep(item.row) : 0;
    const actions = this.#actionsOfMethod(item.method, row > 0 ? { kind: 'root', row } : undefined);
    const other = this.#tab === 'tree' ? 'graph' : 'tree';
    actions.push({
      title: `Show in the ${other}`, hint: 'This very frame',
      run: () => {
        this.#open(other);
        this.#go(item);
        this.#moved();
      },
    });
    if (item.row > 0 && this.#reading.tree.size[item.row] + 1 < this.#reading.tree.count) {
      actions.unshift({
        title: 'Set as root', hint: 'This context is the whole: all shares are shares of it',
        run: () => this.#step({ kind: 'root', row }),
      });
      actions.push({
        title: 'Subtract this context', hint: 'Without it and what it calls', isRare: true,
        run: () => this.#step({ kind: 'less', row }),
      });
    }
    return actions;
  }

  // step: what the command copied does besides.
  #actionsOfMethod(method, step = this.#stepTo(method)) {
    return [
      {
        title: 'Merged callees', hint: 'All contexts of the method, and what is below them, laid over each other',
        run: () => this.#step({ kind: 'merge', method }),
      },
      {
        title: 'Back traces', hint: 'The callers of the method, and theirs, by what it has inclusively',
        run: () => this.#step({ kind: 'back', method }),
      },
      {
        title: 'Find all of this method', hint: 'Search for this very method',
        run: () => {
          this.#box.choose(method);
          this.#openContexts();
          this.#moved();
        },
      },
      { title: 'Copy name', hint: this.#report.names[method], isRare: true, run: () => copy(this.#report.names[method]) },
      {
        title: 'Copy command', hint: COMMAND_HINT, isRare: true,
        run: () => this.#copyCommand(step),
      },
      {
        title: 'Subtract this method', hint: 'Without all its contexts and what they call', isRare: true,
        run: () => this.#step({ kind: 'lessall', method }),
      },
      {
        title: 'Hide this method', hint: 'Without its frames: what they call is called by their callers', isRare: true,
        run: () => this.#step({ kind: 'hide', method }),
      },
      ...packagesOf(this.#report.methods.class[method]).map((name) => ({
        title: `Fold ${name}.**`, hint: 'A package as one frame, with the packages in it', isRare: true,
        run: () => this.#step({ kind: 'fold', name }),
      })),
    ];
  }

  // Copies the command of what is read, with one more step if there is one.
  #copyCommand(step = null) {
    const { command, problem } = commandLine(this.#reading, { first: this.#first, tab: this.#tab, step });
    if (problem === undefined) copy(command);
    else say(`No command shows this: ${problem}`);
  }

  // The step that makes a method the whole, in the direction that is read; the only one of back traces.
  #stepTo(method) {
    const isUp = this.#reading.direction.widthSide === 'exclusive' || this.#reading.direction.root.method >= 0;
    return { kind: isUp && this.#report.compared === null ? 'back' : 'merge', method };
  }

  #openContexts() {
    if (!OF_CONTEXTS.includes(this.#tab)) this.#open('graph');
  }

  // Callers of a method are read of what was there before.
  #step(step) {
    this.#openContexts();
    this.#take([...this.#reading.steps.filter(({ kind }) => kind !== 'back'), step]);
  }

  #take(steps) {
    const problem = this.#reading.take(steps);
    if (problem !== null) throw new Error(problem);
    this.#refresh();
    this.#methods.refresh();
    this.#box.apply();
    this.#moved();
  }

  #showSteps() {
    const { steps, isTurnable, turned } = this.#reading;
    for (const name of DIRECTIONS) select(`#${name}`).attr('aria-pressed', name === turned);
    select('#reading .choice').property('hidden', !isTurnable);
    const { kind, row } = steps[0] ?? {};
    select('#thread').property('value', kind === 'root' && this.#report.threadRows.includes(row) ? row : 0);
    const line = select('#steps').property('hidden', steps.length === 0);
    line.selectChildren().remove();
    if (steps.length === 0) return;
    const names = ['everything', ...steps.map((_, i) => this.#reading.stepName(i))];
    names.forEach((name, i) => {
      if (i > 0) line.append('span').attr('class', 'arrow').text('›');
      if (i === names.length - 1) line.append('strong').text(name);
      else line.append('button').text(name).on('click', () => this.#take(steps.slice(0, i)));
    });
    line.append('button').attr('class', 'copy-command').attr('title', COMMAND_HINT).text('Copy command')
      .on('click', () => this.#copyCommand());
    const hint = STEP_HINTS[steps.at(-1)?.kind];
    if (hint !== undefined) line.append('span').attr('class', 'hint').text(hint);
  }

  // isSame: the same contexts are read, by another measure.
  #refresh(isSame = false) {
    this.#showSteps();
    this.#widths.refresh();
    this.#graph.refresh(isSame);
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
    this.#list.refresh();
    this.#showFound();
  }

  #showFound() {
    select('#found').property('hidden', this.#reading.findings === null || !OF_CONTEXTS.includes(this.#tab));
  }

  // A choice where more than calls was counted.
  #offerMeasures() {
    const measures = this.#report.shownMeasures;
    select(document.documentElement).attr('data-many', this.#report.measures.length > MANY ? '' : null);
    select('#measures').property('hidden', measures.length < 2);
    const menu = select('#measure');
    for (const [group, members] of grouping(measures)) {
      const box = group === '' ? menu : menu.append('optgroup').attr('label', group);
      for (const measure of members) box.append('option').attr('value', measures.indexOf(measure)).text(measure.title);
    }
    select('#measure').on('change', (event) => this.#show(measures[Number(event.target.value)]));
    this.#showMeasure();
    this.#widths.refresh();
  }

  // By another measure, or in other widths.
  #show(measure) {
    this.#report.show(measure);
    this.#reading.refresh();
    this.#showMeasure();
    this.#refresh(true);
    this.#methods.refresh();
    this.#threads.refresh();
    this.#box.apply();
    this.#moved();
  }

  // A choice where contexts hang below threads: each of them as the whole.
  #offerThreads() {
    const rows = this.#report.threadRows;
    const { names, whole } = this.#report;
    select('#thread-choice').property('hidden', rows.length < 2);
    const options = select('#thread').selectAll('option').data([0, ...rows]).join('option');
    options.attr('value', (row) => row).text((row) => (row === 0 ? 'all' : names[whole.method[row]]));
    select('#thread').on('change', (event) => {
      const row = Number(event.target.value);
      this.#take(row === 0 ? [] : [{ kind: 'root', row }]);
    });
  }

  #showMeasure() {
    const { measure, shownMeasures: measures } = this.#report;
    const lostToo = measure.lost > 0 ? `, ${measure.text(measure.lost)} more lost` : '';
    select('#measure').property('value', measures.indexOf(measure));
    const isCompared = this.#report.compared !== null;  // then the head has both totals
    select('#measured').text(isCompared ? '' : `${measure.text(measure.total)}${lostToo}`);
    showMeasure(this.#report);
    this.#switches.refresh();
  }

  #press(event) {
    const inBox = event.target === this.#box.node;
    if (event.key === '/' && !inBox) {
      event.preventDefault();
      this.#box.node.focus();
    } else if (event.key === 'Enter' && inBox) {
      event.preventDefault();
      this.#box.settle();
      this.#openContexts();
      this.#list.step(event.shiftKey ? -1 : 1);
    } else if (isFree(event)) {
      if (this.#tab === 'tree') this.#tree.press(event);
      else if (this.#tab === 'graph') this.#graph.press(event);
    } else if (event.key === 'Escape' && document.querySelector(':popover-open') === null) {
      if (inBox) this.#box.clear();
      else if (this.#tab === 'graph') this.#graph.reset();
    }
  }
}

// Keys for the view that is open, whatever has the focus: all that a control has no use for.
const KEYS_OF_VIEWS = /^(Arrow.*|h)$/;
const CONTROLS = 'input, select, textarea, [role=menu], table';
const isFree = ({ key, target, defaultPrevented, ctrlKey, metaKey, altKey }) => (
  KEYS_OF_VIEWS.test(key) && !defaultPrevented && !ctrlKey && !metaKey && !altKey && target.closest(CONTROLS) === null);

// A class's package, and the first two parts of its name, which are mostly a framework's.
function packagesOf(type) {
  const parts = type.split('.').slice(0, -1);
  return parts.length === 0 ? [] : [...new Set([parts.join('.'), parts.slice(0, 2).join('.')])];
}

const page = pageAsItCame();

function start() {
  const element = document.getElementById('report');
  const report = new Report(JSON.parse(element.textContent));
  element.remove();  // the columns are what is needed from here on
  new Page(report);
  takeDrops(report, page);
  document.documentElement.dataset.ready = 'true';
}

// The head line shows before a large report is read.
requestAnimationFrame(() => setTimeout(() => {
  try {
    start();
  } catch (error) {
    select('#address-problem').property('hidden', false).text(`This report cannot be shown: ${error.message}`);
    throw error;
  }
}));
