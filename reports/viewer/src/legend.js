// Legend of the graph's colours, in numbers.
import { select } from 'd3-selection';

// legend: of coloring(), or null: nothing to say. neutral: what is drawn where nothing is known.
export function showLegend(box, legend, neutral) {
  const figure = select(box).property('hidden', legend === null);
  figure.selectChildren().remove();
  if (legend === null) return;
  const { ramp, ticks, unknown, hasStatus = false } = legend;
  const scale = figure.append('div').attr('class', 'scale');
  scale.append('div').attr('class', 'ramp')
    .style('background', `linear-gradient(to right, ${ramp.map(({ fill }) => fill).join(', ')})`);
  for (const [place, text] of ticks) {
    scale.append('span').attr('class', 'tick').style('left', `${100 * place}%`).text(text);
  }
  const rest = figure.append('span').attr('class', 'unknown');
  rest.append('span').attr('class', 'swatch').style('background', neutral.fill);
  rest.append('span').text(unknown);
  for (const status of hasStatus ? ['new', 'gone'] : []) {
    const mark = figure.append('span').attr('class', 'unknown');
    mark.append('span').attr('class', `swatch ${status}`);
    mark.append('span').text(status);
  }
}
