'use strict';
// Runs the instructions of Gradwire's arena over one piece of memory; see docs/live-pages.md for the format.
const {abs, exp, floor, fround, log10, log1p, max, min, sqrt, trunc} = Math;
const ARRAYS = {float64: Float64Array, float32: Float32Array, int64: BigInt64Array, uint64: BigUint64Array,
  int32: Int32Array, uint32: Uint32Array, int16: Int16Array, uint16: Uint16Array, int8: Int8Array, uint8: Uint8Array,
  bool: Uint8Array};
const isBig = dtype => dtype.endsWith('int64');
const size = dtype => ARRAYS[dtype].BYTES_PER_ELEMENT;

// Python's and NumPy's rules where JavaScript has others.
const rint = x => { const r = Math.round(x); return abs(x % 1) === 0.5 && r % 2 ? r - 1 : r; };
const remainder = (a, b) => { const r = a % b; return r ? ((r < 0) !== (b < 0) ? r + b : r) : r !== r ? r : b < 0 ? -0 : 0; };
const floorDivide = (a, b) => {
  if (!b) return a / b;
  const whole = (a - remainder(a, b)) / b, below = floor(whole);
  return whole - below > 0.5 ? below + 1 : below;
};
const power = (a, b) => a === 1 || (a === -1 && abs(b) === Infinity) ? 1 : Math.pow(a, b);
const logaddexp = (a, b) => {
  if (a === b) return a + Math.LN2;
  const d = a - b;
  return d > 0 ? a + log1p(exp(-d)) : d <= 0 ? b + log1p(exp(d)) : d;
};

const ONE = {
  positive: a => a, negative: a => -a, absolute: a => a < 0 || Object.is(a, -0) ? -a : a, square: a => a * a,
  sign: a => a > 0 ? 1 : a < 0 ? -1 : a, reciprocal: a => 1 / a, rint,
  isfinite: a => a - a === 0 ? 1 : 0, isnan: a => a !== a ? 1 : 0, isinf: a => a === Infinity || a === -Infinity ? 1 : 0,
  logical_not: a => a ? 0 : 1,
};
for (const name of 'sqrt cbrt exp expm1 log log1p sin cos tan sinh cosh tanh floor ceil trunc'.split(' ')) ONE[name] = Math[name];
for (const name of 'sin cos tan sinh cosh tanh'.split(' ')) ONE['arc' + name] = Math['a' + name];
const TWO = {
  add: (a, b) => a + b, subtract: (a, b) => a - b, multiply: (a, b) => a * b, divide: (a, b) => a / b,
  maximum: (a, b) => a !== a ? a : b !== b ? b : a > b ? a : b, minimum: (a, b) => a !== a ? a : b !== b ? b : a < b ? a : b,
  fmax: (a, b) => a !== a ? b : b !== b || a > b ? a : b, fmin: (a, b) => a !== a ? b : b !== b || a < b ? a : b,
  less: (a, b) => a < b ? 1 : 0, less_equal: (a, b) => a <= b ? 1 : 0, greater: (a, b) => a > b ? 1 : 0,
  greater_equal: (a, b) => a >= b ? 1 : 0, equal: (a, b) => a === b ? 1 : 0, not_equal: (a, b) => a !== b ? 1 : 0,
  bitwise_and: (a, b) => a & b, bitwise_or: (a, b) => a | b, bitwise_xor: (a, b) => a ^ b,
  logical_and: (a, b) => a && b ? 1 : 0, logical_or: (a, b) => a || b ? 1 : 0, logical_xor: (a, b) => !a !== !b ? 1 : 0,
  power, arctan2: Math.atan2, floor_divide: floorDivide, remainder,
  fmod: (a, b) => a % b, logaddexp,
};
// 64-bit integers are BigInt, and products of 32-bit ones need all their digits.
const WIDE = {multiply: Math.imul, square: a => Math.imul(a, a)};
const BIG = {
  floor_divide: (a, b) => { if (!b) return 0n; const r = a % b; return a / b - (r && (r < 0n) !== (b < 0n) ? 1n : 0n); },
  remainder: (a, b) => { if (!b) return 0n; const r = a % b; return r && (r < 0n) !== (b < 0n) ? r + b : r; },
  isfinite: () => 1, isnan: () => 0, isinf: () => 0,
};

// Sums in the order of NumPy's, so that what cancels there cancels here; `r` rounds each sum to the dtype.
const pairwise = (x, at, step, count, r) => {
  let sum = 0;
  if (count < 8) { for (let k = 0; k < count; k++, at += step) sum = r(sum + x[at]); return sum; }
  if (count > 128) {
    const half = (count >> 1) - (count >> 1) % 8;
    return r(pairwise(x, at, step, half, r) + pairwise(x, at + half * step, step, count - half, r));
  }
  const s = Array.from({length: 8}, (_, j) => x[at + j * step]);
  let k = 8;
  for (; k < count - count % 8; k += 8) for (let j = 0; j < 8; j++) s[j] = r(s[j] + x[at + (k + j) * step]);
  sum = r(r(r(s[0] + s[1]) + r(s[2] + s[3])) + r(r(s[4] + s[5]) + r(s[6] + s[7])));
  for (; k < count; k++) sum = r(sum + x[at + k * step]);
  return sum;
};

const casting = (from, to) => {
  if (isBig(to)) {
    if (isBig(from)) return x => x;
    const least = -(2n ** 63n);
    return x => abs(x) < 2 ** 63 ? BigInt(trunc(x)) : least;
  }
  const number = isBig(from) ? Number : x => x;
  if (to === 'bool') return x => number(x) ? 1 : 0;
  if (isBig(from) && /int/.test(to)) return x => Number(BigInt.asIntN(32, x));
  if (/int32/.test(to) && /float/.test(from)) return x => abs(x) < 2 ** 31 ? trunc(x) : -(2 ** 31);
  return /int/.test(to) ? x => trunc(number(x)) : number;
};
const function1 = (name, from, to) => {
  if (name === 'invert') return from === 'bool' ? a => a ? 0 : 1 : a => ~a;
  const plain = isBig(from) && BIG[name] || /^u?int/.test(from) && !isBig(from) && WIDE[name] || ONE[name];
  return plain && isBig(to) ? a => { const r = plain(a); return typeof r === 'bigint' ? r : BigInt(r); } : plain;
};
const function2 = (name, from, to) => {
  const plain = isBig(from) && BIG[name] || /^u?int/.test(from) && !isBig(from) && WIDE[name] || TWO[name];
  // A sum of booleans is true, not 2.
  if (plain && to === 'bool') return (a, b) => plain(a, b) ? 1 : 0;
  return plain && isBig(to) ? (a, b) => { const r = plain(a, b); return typeof r === 'bigint' ? r : BigInt(r); } : plain;
};

class Machine {
  constructor(bytes) {
    this.buffer = new ArrayBuffer(Math.ceil(bytes / 8) * 8);
    this.bytes = new Uint8Array(this.buffer);
    this.known = {};
  }
  array(dtype) {
    return this.known[dtype] ||= new ARRAYS[dtype](this.buffer, 0, floor(this.buffer.byteLength / size(dtype)));
  }
  // Calls `each` with the place in the array and the number of each element of a view, in C order.
  walk([offset, shape, strides, dtype], each) {
    const bytes = size(dtype), last = shape.length;
    let n = 0;
    const go = (at, axis) => {
      if (axis === last) each(at / bytes, n++);
      else for (let k = 0; k < shape[axis]; k++) go(at + k * strides[axis], axis + 1);
    };
    go(offset, 0);
  }
  // Returns the numbers of a view, without a copy where they lie in one piece.
  look(view) {
    const [offset, shape, strides, dtype] = view, bytes = size(dtype);
    let step = bytes;
    for (let k = shape.length - 1; k >= 0; k--) {
      if (shape[k] !== 1 && strides[k] !== step) return this.get(view);
      step *= shape[k];
    }
    return isBig(dtype) ? this.get(view) : this.array(dtype).subarray(offset / bytes, (offset + step) / bytes);
  }
  get(view) {
    const a = this.array(view[3]), out = [];
    this.walk(view, isBig(view[3]) ? at => out.push(Number(a[at])) : at => out.push(a[at]));
    return out;
  }
  // Returns the digits of the first integers of 64 bits.
  texts(view, count) { const a = this.array(view[3]), out = []; this.walk(view, at => { if (out.length < count) out.push(String(a[at])); }); return out; }
  set(view, numbers) {
    const a = this.array(view[3]), as = casting('float64', view[3]);
    this.walk(view, (at, n) => { a[at] = as(numbers[n]); });
  }
  // Returns instructions as functions. Throws an error if one leaves the memory, or is of no known loop.
  bind(rows, loops) { return rows.map(row => this.bound(row, loops[row[0]])); }
  bound([, table, count, rank, dims, ...offsets], [name, ...kinds]) {
    const strides = [], [kind] = name.split('_');
    let p = rank;
    for (let r = 0; r < rank; r++, p += count) strides.push(table.slice(p, p + count));
    const sizes = table.slice(p, p + dims), S = table.slice(p + dims);
    const V = kinds.map(item => this.array(item)), I = kinds.map(size);
    this.check(name, table.slice(0, rank), strides, sizes, S, I, offsets, count);
    const inner = dims === 1 ? this.elementwise(name, kind, kinds, V, I, sizes, S, count) :
      dims === 2 ? this.alongAxis(name, kind, kinds, V, I, sizes, S, count) :
      dims === 3 ? this.overParts(kind, kinds, V, I, sizes, S, count) : this.product(V, I, sizes, S);
    if (!inner) throw new Error(`There is no loop ${name} of ${kinds}.`);
    const o = offsets.slice(0, count);
    if (!rank) return () => inner(o);
    const at = o.slice();
    const go = r => {
      if (r === rank) return inner(at);
      const steps = strides[r], times = table[r];
      for (let k = 0; k < times; k++) {
        go(r + 1);
        for (let j = 0; j < count; j++) at[j] += steps[j];
      }
      for (let j = 0; j < count; j++) at[j] -= times * steps[j];
    };
    return () => go(0);
  }
  check(name, outer, strides, sizes, S, I, offsets, count) {
    const [n, m, q, cols] = sizes, last = count - 1;
    for (let j = 0; j < count; j++) {
      const axes = outer.map((times, r) => [times, strides[r][j]]);
      if (sizes.length === 1) axes.push([n, S[j]]);
      if (sizes.length === 2) axes.push([n, S[j]], ...(!j && !name.includes('.') ? [[m, S[count]]] : []));
      if (sizes.length === 3) axes.push(...(j ? [[n, S[j - 1]], [q, S[last + j - 1]]] : [[m, 8]]));
      if (sizes.length === 4) axes.push([n, S[j]], ...[[[m, S[3]], [q, S[4]]], [[q, S[5]], [cols, S[6]]], [[m, S[7]], [cols, S[8]]]][j]);
      let low = offsets[j], high = low + I[j];
      for (const [times, step] of axes) { const far = (times - 1) * step; if (far < 0) low += far; else high += far; }
      if (!(low >= 0 && high <= this.buffer.byteLength)) throw new Error(`An instruction ${name} leaves the memory.`);
    }
  }
  elementwise(name, kind, kinds, V, I, [n], S, count) {
    const [X, Y, Z, W] = V, [i, j, k, l] = I, [sa, sb, sc, sd] = S.map((x, at) => x / I[at % count]);
    if (kind === 'choose') return o => {
      let c = o[0] / i, a = o[1] / j, b = o[2] / k, d = o[3] / l;
      for (let t = 0; t < n; t++, c += sa, a += sb, b += sc, d += sd) W[d] = X[c] ? Y[a] : Z[b];
    };
    if (count === 2) {
      const f = kind === 'copy' ? x => x : kind === 'cast' ? casting(...kinds) : function1(name, ...kinds);
      return f && (o => { let a = o[0] / i, b = o[1] / j; for (let t = 0; t < n; t++, a += sa, b += sb) Y[b] = f(X[a]); });
    }
    const f = function2(name, kinds[0], kinds[2]);
    // The first operand is the result where elements are added up.
    if (name === 'add' && !sa && !sc && /float/.test(kinds[0])) {
      const r = kinds[0] === 'float64' ? v => v : fround;
      return o => { const at = o[2] / k; if (o[0] === o[2]) Z[at] += pairwise(Y, o[1] / j, sb, n, r);
        else for (let t = 0, a = o[0] / i, b = o[1] / j; t < n; t++, b += sb) Z[at] = X[a] + Y[b]; };
    }
    return f && (o => {
      let a = o[0] / i, b = o[1] / j, c = o[2] / k;
      for (let t = 0; t < n; t++, a += sa, b += sb, c += sc) Z[c] = f(X[a], Y[b]);
    });
  }
  alongAxis(name, kind, kinds, V, I, [n, m], S, count) {
    const s = S.map((x, at) => x / I[at % count]), axis = S[count];
    if (name.endsWith('.total')) {
      const [X, Y, Z] = V, f = function2(name.slice(0, -6), kinds[0], kinds[2]);
      return f && (o => {
        let a = o[0] / I[0], b = o[1] / I[1], c = o[2] / I[2];
        for (let t = 0; t < n; t++, a += s[0], b += s[1], c += s[2]) Z[c] = f(X[a], Y[b]);
      });
    }
    const place = x => { let at = Number(x); if (at < 0) at += m; return at >= 0 && at < m ? at : 0; };
    if (kind === 'take') return o => {
      let a = o[0], b = o[1] / I[1], c = o[2] / I[2];
      for (let t = 0; t < n; t++, a += S[0], b += s[1], c += s[2]) V[2][c] = V[0][(a + place(V[1][b]) * axis) / I[0]];
    };
    if (kind === 'increment') return o => {
      let a = o[0], b = o[1] / I[1], c = o[2] / I[2];
      for (let t = 0; t < n; t++, a += S[0], b += s[1], c += s[2]) V[0][(a + place(V[2][c]) * axis) / I[0]] += V[1][b];
    };
    if (kind !== 'argmax' && kind !== 'argmin') return null;
    const most = kind === 'argmax';
    return o => {
      let a = o[0], b = o[1] / I[1];
      for (let t = 0; t < n; t++, a += S[0], b += s[1]) {
        let best = V[0][a / I[0]], found = 0;
        for (let z = 1; z < m && best === best; z++) {
          const y = V[0][(a + z * axis) / I[0]];
          if (y !== y || (most ? y > best : y < best)) { best = y; found = z; }
        }
        V[1][b] = BigInt(found);
      }
    };
  }
  overParts(kind, kinds, V, I, [n, m, q], S, count) {
    const last = count - 1, zero = isBig(kinds[last]) ? 0n : 0;
    const at = (o, j, w, c) => (o[j + 1] + w * S[j] + c * S[last + j]) / I[j + 1];
    const far = (o, t, bytes) => Number(V[0][o[0] / 8 + t]) / bytes;
    if (kind === 'greatest') return o => {
      for (let w = 0; w < n; w++) for (let c = 0; c < q; c++) {
        const start = at(o, 0, w, c);
        let found = 0, best = V[1][start + far(o, 0, I[1])];
        for (let t = 1; t < m; t++) { const y = V[1][start + far(o, t, I[1])]; if (best < y) { best = y; found = t; } }
        V[2][at(o, 1, w, c)] = found;
      }
    };
    return kind === 'put' && (o => {
      for (let w = 0; w < n; w++) for (let t = 0; t < m; t++) for (let c = 0; c < q; c++)
        V[3][at(o, 2, w, c) + far(o, t, I[3])] = V[2][at(o, 1, w, c)] === t ? V[1][at(o, 0, w, c)] : zero;
    });
  }
  product([A, B, C], [i, j, k], [batch, rows, mid, cols], [ba, bb, bc, ra, ca, rb, cb, rc, cc]) {
    const sca = ca / i, srb = rb / j, zero = typeof A[0] === 'bigint' ? 0n : 0;
    return o => {
      for (let t = 0; t < batch; t++) for (let r = 0; r < rows; r++) for (let c = 0; c < cols; c++) {
        let a = (o[0] + t * ba + r * ra) / i, b = (o[1] + t * bb + c * cb) / j, sum = zero;
        for (let d = 0; d < mid; d++, a += sca, b += srb) sum += A[a] * B[b];
        C[(o[2] + t * bc + r * rc + c * cc) / k] = sum;
      }
    };
  }
}
