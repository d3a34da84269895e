// Switches beside the measure: what of it is left out of graph, tree and rankings, and how much that is.
import { select } from 'd3-selection';
import { statesOf } from './states.js';

const HINTS = {
  idle: 'Waits of threads for work: idle workers of pools, selectors, accept loops, timers, reference handlers',
  jvm: 'Threads without recorded calls: compilers, collectors and the like',
  states: 'Below each context, its own time by the states of its threads',
};
const WORDS = { idle: 'idle', jvm: 'JVM' };

export class Switches {
  #reading;

  // changed(): the reader turned one.
  constructor(reading, changed) {
    this.#reading = reading;
    for (const name of Object.keys(HINTS)) {
      select(`#with-${name}`)
        .attr('title', HINTS[name])
        .on('click', () => {
          reading.switch(name, !reading.switches[name]);
          changed();
        });
    }
    this.refresh();
  }

  // Another measure is shown, or a switch was turned.
  refresh() {
    const {
      lens,
      switches,
      report: { measure },
    } = this.#reading;
    const sides = measure.old === null ? [measure] : [measure.old, measure];
    const amounts = { idle: sides.map((one) => lens.idleTotal(one)), jvm: sides.map(({ jvm }) => jvm) };
    for (const [name, each] of Object.entries(amounts)) {
      select(`#with-${name}`)
        .property(
          'hidden',
          each.every((amount) => amount === 0),
        )
        .attr('aria-pressed', switches[name])
        .text(
          `${WORDS[name]} ${each.map((one) => measure.text(one)).join(' → ')} ${switches[name] ? 'shown' : 'left out'}`,
        );
    }
    select('#with-states')
      .property('hidden', statesOf(this.#reading.report).length === 0)
      .attr('aria-pressed', switches.states)
      .text('states');
  }
}
