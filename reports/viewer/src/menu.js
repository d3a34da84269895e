// Actions on a frame, a row or a method: as buttons, or as a menu at the pointer.
import { select } from 'd3-selection';

let menu = null;  // the page's

// actions: [{title, hint, isRare, run()}]. Rare ones are in the menu alone.
export function appendActions(parent, actions) {
  const buttons = parent.append('span').attr('class', 'actions');
  for (const { title, hint, run } of actions.filter(({ isRare }) => !isRare)) {
    buttons.append('button').attr('title', hint).text(title).on('click', run);
  }
  if (!actions.some(({ isRare }) => isRare)) return;
  buttons.append('button').attr('class', 'more-actions').attr('title', 'All that can be done with it').text('More …')
    .on('click', ({ clientX, clientY }) => menu.open(clientX, clientY, actions));
}

export class Menu {
  #box = select('#menu');
  #before = null;  // what had the focus

  constructor() {
    menu = this;
    this.#box.on('keydown', (event) => this.#press(event));
    select(document).on('pointerdown.menu', (event) => {
      if (!this.#box.node().contains(event.target)) this.#close();
    });
    select(window).on('blur.menu resize.menu', () => this.#close());
  }

  open(x, y, actions) {
    if (actions.length === 0) return;
    this.#before = document.activeElement;
    this.#box.selectChildren().remove();
    for (const { title, hint, run } of actions) {
      this.#box.append('button').attr('role', 'menuitem').attr('title', hint).text(title).on('click', () => {
        this.#close();
        run();
      });
    }
    this.#box.property('hidden', false);
    const { width, height } = this.#box.node().getBoundingClientRect();
    this.#box.style('left', `${Math.max(4, Math.min(x, window.innerWidth - width - 8))}px`)
      .style('top', `${Math.max(4, Math.min(y, window.innerHeight - height - 8))}px`);
    this.#items[0].focus();
  }

  get #items() {
    return this.#box.selectAll('button').nodes();
  }

  #close() {
    if (this.#box.property('hidden')) return;
    this.#box.property('hidden', true);
    this.#before?.focus();
  }

  #press(event) {
    const items = this.#items;
    const at = items.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 + items.length, Home: 0, End: items.length - 1 }[event.key];
    if (to !== undefined) items[to % items.length].focus();
    else if (event.key === 'Escape' || event.key === 'Tab') this.#close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
