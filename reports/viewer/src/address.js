// The page's address: what is shown, after its #, so that a link shows the same and Back goes back.
//
// It is a list of KEY=VALUE, joined by &, of what is not as it was at first. Contexts are rows of the report,
// methods their numbers there, and frames of packages their names, so an address is good for this report alone.

// A replacement waits this long for the next, because browsers limit how many there may be.
const WAIT_MS = 300;

export class Address {
  #describe;
  #waiting = null;  // {hash, from: the address when it began to wait, timer}

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
    this.#waiting = { hash: this.#hash(), from: location.hash, timer: setTimeout(() => this.settle(), WAIT_MS) };
  }

  // Writes a waiting replacement at once, unless the reader has gone to another address, which is restored next.
  settle() {
    if (this.#waiting === null) return;
    const { hash, from } = this.#waiting;
    this.#forget();
    if (location.hash === from && !isShown(hash)) history.replaceState(null, '', hash);
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

const STEP = /^(?:(root|less):(\d+)|(merge|back|hide|lessall):(\d+|.+\/\*\*)|(fold):(.+))$/;

// The steps of a Reading: "root:12,fold:org.h2,merge:7,hide:org/h2/**".
export const stepsText = (steps, report) => steps
  .map(({ kind, row, method, name }) => `${kind}:${row ?? name ?? report.methodText(method)}`).join(',');

// Null when the text is no such list.
export function stepsOf(text, report) {
  const found = text.split(',').map((step) => STEP.exec(step));
  if (found.includes(null)) return null;
  const methodOf = (method) => (/^\d/.test(method) ? report.methodOf(method) : report.frame(method.replaceAll('/', '.')));
  const steps = found.map(([, ofRow, row, ofMethod, method, fold, name]) => {
    if (ofRow !== undefined) return { kind: ofRow, row: Number(row) };
    return ofMethod !== undefined ? { kind: ofMethod, method: methodOf(method) } : { kind: fold, name };
  });
  return steps.some(({ method }) => method < 0) ? null : steps;
}
