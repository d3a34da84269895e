// The proof that nothing was lost: a mark in the head of the page, with the sums behind it.
import { select } from 'd3-selection';

// text: the sums of these measures.
export function showProof(measures, text) {
  const isProved = measures.every((measure) => measure.isProved);
  const lost = measures
    .filter((measure) => measure.lost > 0)
    .map((measure) => measure.amount(measure.lost))
    .join(', ');
  select('#proof').text(text);
  select('#proof-mark')
    .classed('broken', !isProved)
    .attr('title', text)
    .text(isProved ? '✓ proved' : `✗ ${lost === '' ? 'the sums differ' : `${lost} lost`}`);
}
