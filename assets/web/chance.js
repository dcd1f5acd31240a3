// Random numbers as NumPy's: a BLAKE2b hash of names is the key of a Philox that counts; see engine/base/counter_random.
const WORD = (1n << 64n) - 1n;
const ROOTS = ['6a09e667f3bcc908', 'bb67ae8584caa73b', '3c6ef372fe94f82b', 'a54ff53a5f1d36f1', '510e527fade682d1',
  '9b05688c2b3e6c1f', '1f83d9abfb41bd6b', '5be0cd19137e2179'].map(hex => BigInt('0x' + hex));
const ORDERS = ['0123456789abcdef', 'ea489fd61c02b753', 'b8c052fdae367194', '7931dcbe265a40f8', '905724afe1bc683d',
  '2c6a0b834d75fe19', 'c51fed4a0763928b', 'db7ec13950f4862a', '6fe9b308c2d714a5', 'a2847615fb9e3cd0'].map(row => [...row].map(digit => parseInt(digit, 16)));
const MIXED = [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15], [0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14]];

// Returns the hash of 16 bytes as a number whose lowest byte comes first.
function blake2b(bytes) {
  const h = [...ROOTS], blocks = max(1, Math.ceil(bytes.length / 128));
  h[0] ^= 0x01010010n;
  const turned = (x, n) => x >> n | x << 64n - n & WORD;
  for (let block = 0; block < blocks; block++) {
    const piece = new Uint8Array(128), isLast = block === blocks - 1;
    piece.set(bytes.subarray(block * 128, block * 128 + 128));
    const view = new DataView(piece.buffer), m = Array.from({length: 16}, (_, k) => view.getBigUint64(8 * k, true)), v = [...h, ...ROOTS];
    v[12] ^= BigInt(isLast ? bytes.length : (block + 1) * 128);
    if (isLast) v[14] ^= WORD;
    for (let round = 0; round < 12; round++) MIXED.forEach(([a, b, c, d], k) => {
      const order = ORDERS[round % 10];
      v[a] = v[a] + v[b] + m[order[2 * k]] & WORD; v[d] = turned(v[d] ^ v[a], 32n);
      v[c] = v[c] + v[d] & WORD; v[b] = turned(v[b] ^ v[c], 24n);
      v[a] = v[a] + v[b] + m[order[2 * k + 1]] & WORD; v[d] = turned(v[d] ^ v[a], 16n);
      v[c] = v[c] + v[d] & WORD; v[b] = turned(v[b] ^ v[c], 63n);
    });
    for (let k = 0; k < 8; k++) h[k] ^= v[k] ^ v[k + 8];
  }
  return h[0] | h[1] << 64n;
}
// Returns the key of some names: texts, and whole numbers.
function keyOf(...names) {
  const encoder = new TextEncoder(), parts = [];
  for (const item of names) {
    const content = encoder.encode(String(item));
    parts.push(...encoder.encode(`${typeof item === 'string' ? 's' : 'i'}${content.length}:`), ...content);
  }
  return blake2b(Uint8Array.from(parts));
}
// The numbers of a key: NumPy's Philox 4x64-10, in pieces of 32 bits, the lower one first.
const FACTORS = [[0xE14C6C93, 0xD2E7470E], [0x95121157, 0xCA5A8263]];
const BUMPS = [0x9E3779B97F4A7C15n, 0xBB67AE8584CAA73Bn];
// The upper half of a product of 32 bits.
function upper(x, y) {
  const a = x & 0xffff, b = x >>> 16, c = y & 0xffff, d = y >>> 16, one = b * c + (a * c >>> 16), two = a * d + (one & 0xffff);
  return b * d + (one >>> 16) + (two >>> 16);
}
class Philox {
  constructor(key) {
    const bits = x => [Number(x & 0xffffffffn), Number(x >> 32n & 0xffffffffn)];
    this.keys = Array.from({length: 10}, (_, round) => [key, key >> 64n].flatMap((half, k) => bits(half + BigInt(round) * BUMPS[k])));
    this.counter = 0;
    this.place = 8;
    this.drawn = new Uint32Array(8);
    this.products = new Uint32Array(8);
  }
  // Writes the 128 bits of a number times a factor.
  multiply(low, high, [f, g], at) {
    const out = this.products, whole = 2 ** 32, word = Math.imul;
    const middle = upper(low, f) + (word(high, f) >>> 0) + (word(low, g) >>> 0);
    const next = upper(high, f) + upper(low, g) + (word(high, g) >>> 0) + floor(middle / whole);
    out[at] = word(low, f);
    out[at + 1] = middle >>> 0;
    out[at + 2] = next >>> 0;
    out[at + 3] = upper(high, g) + floor(next / whole);
  }
  fill() {
    const x = this.drawn, y = this.products;
    this.counter++;
    x.fill(0);
    x[0] = this.counter;
    x[1] = floor(this.counter / 2 ** 32);
    for (const [a, b, c, d] of this.keys) {
      this.multiply(x[0], x[1], FACTORS[0], 0);
      this.multiply(x[4], x[5], FACTORS[1], 4);
      x[0] = y[6] ^ x[2] ^ a; x[1] = y[7] ^ x[3] ^ b;
      x[2] = y[4]; x[3] = y[5];
      x[4] = y[2] ^ x[6] ^ c; x[5] = y[3] ^ x[7] ^ d;
      x[6] = y[0]; x[7] = y[1];
    }
    this.place = 0;
  }
  // Goes on to the next number, of 64 bits.
  next() {
    this.place += 2;
    if (this.place > 6) this.fill();
    return this.drawn;
  }
  uniform() {
    const x = this.next();
    return ((x[this.place + 1] >>> 0) * 2 ** 21 + (x[this.place] >>> 11)) * 2 ** -53;
  }
  // A normal number by the ziggurat of Marsaglia and Tsang with 256 layers, as NumPy cuts it.
  normal() {
    const {widths, heights, shares} = ziggurat();
    for (;;) {
      const x = this.next(), low = x[this.place] >>> 0, high = x[this.place + 1] >>> 0, layer = low & 255;
      const size = (high & 0x1fffffff) * 2 ** 23 + (low >>> 9), sign = low & 256 ? -1 : 1, found = sign * size * (widths[layer] * 2 ** -52);
      if (size < shares[layer]) return found;
      if (layer) {
        if ((heights[layer - 1] - heights[layer]) * this.uniform() + heights[layer] < exp(-0.5 * found * found)) return found;
        continue;
      }
      for (;;) {
        const beyond = -log1p(-this.uniform()) / FARTHEST, y = -log1p(-this.uniform());
        if (y + y > beyond * beyond) return low & 2 ** 17 ? -(FARTHEST + beyond) : FARTHEST + beyond;
      }
    }
  }
}
// Where the tail begins, and the area of a layer; the layers from there up.
const FARTHEST = 3.6541528853610088, LAYER = 0.004928673233974656;
let layers = null;
function ziggurat() {
  if (layers) return layers;
  const widths = new Float64Array(256), heights = new Float64Array(256), shares = new Float64Array(256), height = x => exp(-0.5 * x * x);
  widths[255] = FARTHEST;
  heights[255] = height(FARTHEST);
  for (let k = 254; k; k--) {
    widths[k] = sqrt(-2 * Math.log(LAYER / widths[k + 1] + heights[k + 1]));
    heights[k] = height(widths[k]);
  }
  widths[0] = LAYER / heights[255];
  heights[0] = 1;
  for (let k = 0; k < 256; k++) shares[k] = k === 1 ? 0 : floor((k ? widths[k - 1] : FARTHEST) / widths[k] * 2 ** 52);
  return layers = {widths, heights, shares};
}
// Returns the numbers below a count in random order: by their raw numbers, equal ones as they were.
function permutation(count, ...names) {
  const source = new Philox(keyOf(...names)), high = new Float64Array(count), low = new Float64Array(count);
  for (let k = 0; k < count; k++) {
    const x = source.next();
    high[k] = x[source.place + 1] >>> 0;
    low[k] = x[source.place] >>> 0;
  }
  return Array.from(high, (_, k) => k).sort((a, b) => high[a] - high[b] || low[a] - low[b] || a - b);
}
// The generator of a block that draws noise: its seed follows from the place in the training.
const noiseOf = (seed, moment, path) => {
  const place = keyOf('noise', moment.seed, path, moment['title'], moment.repetition, moment.round, seed) >> 65n;
  return new Philox(keyOf('noise', place));
};
