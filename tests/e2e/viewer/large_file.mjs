// Reports too large to be one text.
import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';

const MARKER = '@COPSE_REPORT@';

function writeReport(out, report) {
  let separator = '{';
  const put = (key, value) => {
    out.write(`${separator}"${key}":${value}`);
    separator = ',';
  };
  for (const [key, value] of Object.entries(report)) {
    if (key !== 'nodes') put(key, JSON.stringify(value));
  }
  const columns = Object.entries(report.nodes).map(([key, column]) => `"${key}":${JSON.stringify(column)}`);
  put('nodes', `{${columns.join(',')}}`);
  out.write('}');
}

export async function writeLarge(report, path) {
  const out = createWriteStream(path);
  writeReport(out, report);
  out.end();
  await finished(out);
}

// The page of a comparison, whose names hold no markup, as copse writes it.
export async function writeLargePage(modules, comparison, path) {
  const [before, after] = readFileSync(join(modules, 'page.html'), 'utf8').split(MARKER);
  const out = createWriteStream(path);
  out.write(before);
  writeReport(out, comparison);
  out.end(after);
  await finished(out);
}
