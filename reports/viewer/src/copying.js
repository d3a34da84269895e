// Copies a text to the clipboard, and says so.
import { select } from 'd3-selection';

const SHOWN_MS = 2500;
let hiding = 0;

// Says something for a moment.
export function say(text) {
  clearTimeout(hiding);
  const box = select('#said').property('hidden', false).text(text);
  hiding = setTimeout(() => box.property('hidden', true), SHOWN_MS);
}

export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copyFromField(text); // a page from a file may have no clipboard
  }
  say(`Copied: ${text}`);
}

function copyFromField(text) {
  const field = document.body.appendChild(document.createElement('textarea'));
  field.value = text;
  field.select();
  document.execCommand('copy');
  field.remove();
}
