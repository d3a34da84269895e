// The page's address: what is shown, after its #, so that a link shows the same and Back goes back.
//
// It is a list of KEY=VALUE, joined by &, of what is not as it was at first. Contexts are rows of the report and
// methods their numbers there, so an address is good for this report alone.

// A replacement waits this long for the next, because browsers limit how many there may be.
const WAIT_MS = 300;

export class Address {
  #describe;
  #waiting = null;  // {hash, timer}

  // describe(): the parts as a Map, in the order to write them. restore(parts): shows them.
  constructor(describe, restore) {
    this.#describe = describe;
    window.addEventListener('hashchange', () => {
      this.#forget();
      restore(this.parts);
    });
  }

  // Parts of the current address, as a Map.
  get parts() {
    return new Map(new URLSearchParams(location.hash.slice(1)));
  }

  // The reader went somewhere: Back leads here.
  moved() {
    this.settle();
    const hash = this.#hash();
    if (!isShown(hash)) history.pushState(null, '', hash);
  }

  // Something less changed: Back leads to before.
  changed() {
    this.#forget();
    this.#waiting = { hash: this.#hash(), timer: setTimeout(() => this.settle(), WAIT_MS) };
  }

  // Writes a waiting replacement at once.
  settle() {
    if (this.#waiting === null) return;
    const { hash } = this.#waiting;
    this.#forget();
    if (!isShown(hash)) history.replaceState(null, '', hash);
  }

  #forget() {
    clearTimeout(this.#waiting?.timer);
    this.#waiting = null;
  }

  // Commas, colons and slashes as they are, to be read.
  #hash() {
    const parts = new URLSearchParams([...this.#describe()]).toString();
    return `#${parts.replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%2F', '/')}`;
  }
}

const isShown = (hash) => hash === (location.hash || '#');

const STEP = /^(?:(root|less|merge|back|hide|lessall):(\d+)|(fold):(.+))$/;
const OF_ROWS = ['root', 'less'];

// The steps of a Reading: "root:12,merge:7,fold:org.h2".
export const stepsText = (steps) => steps.map(({ kind, row, method, name }) => `${kind}:${row ?? method ?? name}`).join(',');

// Null when the text is no such list.
export function stepsOf(text) {
  const found = text.split(',').map((step) => STEP.exec(step));
  if (found.includes(null)) return null;
  return found.map(([, kind, number, fold, name]) => {
    if (fold !== undefined) return { kind: fold, name };
    return OF_ROWS.includes(kind) ? { kind, row: Number(number) } : { kind, method: Number(number) };
  });
}
