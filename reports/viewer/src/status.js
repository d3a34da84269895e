// How tables mark differences: what is new or gone, more or less.

// status: as of statusOf() (comparison.js).
export function appendStatus(cell, status) {
  if (status !== null) cell.append('span').attr('class', `status ${status}`).text(status);
}

// tone: above 0 for more, below for less. isUnsure: that samples may be off by as much.
export function setTone(cell, tone, isUnsure) {
  cell.classed('more-than', tone > 0).classed('less-than', tone < 0).classed('rough', isUnsure);
  if (isUnsure) cell.attr('title', 'samples may be off by as much');
}
