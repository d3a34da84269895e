// SHA-256, for the stable ids of contexts (docs/report-schema.md): at once, where crypto.subtle would answer later.
const PRIMES = [];
for (let n = 2; PRIMES.length < 64; ++n) if (PRIMES.every((prime) => n % prime !== 0)) PRIMES.push(n);
const fraction = (root) => Math.floor((root % 1) * 2 ** 32);
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUNDS = PRIMES.map((prime) => fraction(Math.cbrt(prime)));

const rotated = (word, bits) => (word >>> bits) | (word << (32 - bits));

function take(state, block) {
  const words = new Int32Array(64);
  for (let i = 0; i < 16; ++i) words[i] = block.getInt32(4 * i);
  for (let i = 16; i < 64; ++i) {
    const [a, b] = [words[i - 15], words[i - 2]];
    const low = rotated(a, 7) ^ rotated(a, 18) ^ (a >>> 3);
    const high = rotated(b, 17) ^ rotated(b, 19) ^ (b >>> 10);
    words[i] = words[i - 16] + low + words[i - 7] + high;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; ++i) {
    const one = (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & f) ^ (~e & g)) + h + ROUNDS[i] + words[i];
    const other = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + other) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => {
    state[i] = (state[i] + word) | 0;
  });
}

// The 32 bytes of the hash.
export function sha256(bytes) {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, bytes.length * 8);
  const state = Int32Array.from(START);
  for (let at = 0; at < padded.length; at += 64) take(state, new DataView(padded.buffer, at, 64));
  const hash = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => hash.setInt32(4 * i, word));
  return new Uint8Array(hash.buffer);
}
