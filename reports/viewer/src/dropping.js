// A second report dropped on the page: a page that compares both opens in its place, and Back leads to this one.
import { select } from 'd3-selection';
import { say } from './copying.js';
import { Report } from './report.js';
import { shownNames } from './shown_names.js';
import { unionOf } from './union.js';

const ID = 'report';
const JSON_BEGIN = '<script type="application/json" id="report">';
const JSON_END = '</script>';

// The page's elements as they came, without its report.
export function pageAsItCame() {
  const body = [...document.body.children].map((child) => (child.id === ID ? null : child.outerHTML));
  const head = document.head.outerHTML;
  return (json) => {
    const elements = body.map((html) => html ?? JSON_BEGIN + json + JSON_END);
    return ['<!doctype html>', '<html lang="en">', head, '<body>', ...elements, '</body>', '</html>', ''].join('\n');
  };
}

// Takes a report, or a page of one.
function parsed(text) {
  const begin = text.indexOf(JSON_BEGIN);
  const raw = JSON.parse(begin < 0 ? text : text.slice(begin + JSON_BEGIN.length, text.indexOf(JSON_END, begin)));
  if (raw.nodes?.parent === undefined || raw.methods?.name === undefined) throw new Error('it is no report of Copse');
  if (raw.compared !== undefined) throw new Error('it compares two reports already');
  raw.methods.shown ??= shownNames(raw.methods);
  return new Report(raw);
}

export function takeDrops(report, page) {
  const name = () => decodeURIComponent(location.pathname.split('/').at(-1));
  const hasFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes('Files');
  select(window)
    .on('dragover.second', (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      select('#drop').property('hidden', false);
    })
    .on('dragleave.second', (event) => {
      if (event.relatedTarget === null) select('#drop').property('hidden', true);
    })
    .on('drop.second', async (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      select('#drop').property('hidden', true);
      const [file] = event.dataTransfer.files;
      try {
        if (report.compared !== null) throw new Error('this page compares two reports already');
        const second = { report: parsed(await file.text()), name: file.name };
        compare([{ report, name: name() }, second], page);
      } catch (error) {
        say(`${file.name} cannot be compared: ${error.message}`);
      }
    });
}

// The one that started first is the old one.
function compare(reports, page) {
  const [old, now] = reports.toSorted((a, b) => (a.report.program.started < b.report.program.started ? -1 : 1));
  const json = JSON.stringify(unionOf(old, now)).replaceAll('<', '\\u003c');
  location.href = URL.createObjectURL(new Blob([page(json)], { type: 'text/html' }));
}
