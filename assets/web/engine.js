'use strict';
// Runs the instructions of Gradwire's arena over one piece of memory; see docs/live-pages.md for the format.
const {abs, exp, floor, fround, log10, log1p, max, min, sqrt, trunc} = Math;
const ARRAYS = {float64: Float64Array, float32: Float32Array, int64: BigInt64Array, uint64: BigUint64Array,
  int32: Int32Array, uint32: Uint32Array, int16: Int16Array, uint16: Uint16Array, int8: Int8Array, uint8: Uint8Array,
  bool: Uint8Array};
const finite = Number.isFinite;
const EPS = {float64: 2 ** -52, float32: 2 ** -23};
const isBig = dtype => dtype.endsWith('int64');
const size = dtype => ARRAYS[dtype].BYTES_PER_ELEMENT;

// Python's and NumPy's rules where JavaScript has others. A page has those entries of these tables that its graph calls.
const remainder = (a, b) => { const r = a % b; return r ? ((r < 0) !== (b < 0) ? r + b : r) : r !== r ? r : b < 0 ? -0 : 0; };
const ONE = {
  positive: a => a, negative: a => -a, absolute: a => a < 0 || Object.is(a, -0) ? -a : a, square: a => a * a,
  sign: a => a > 0 ? 1 : a < 0 ? -1 : a, reciprocal: a => 1 / a,
  rint: x => { const r = Math.round(x); return abs(x % 1) === 0.5 && r % 2 ? r - 1 : r; },
  isfinite: a => a - a === 0 ? 1 : 0, isnan: a => a !== a ? 1 : 0, isinf: a => a === Infinity || a === -Infinity ? 1 : 0,
  logical_not: a => a ? 0 : 1,
};
const TWO = {
  add: (a, b) => a + b, subtract: (a, b) => a - b, multiply: (a, b) => a * b, divide: (a, b) => a / b,
  maximum: (a, b) => a !== a ? a : b !== b ? b : a > b ? a : b, minimum: (a, b) => a !== a ? a : b !== b ? b : a < b ? a : b,
  fmax: (a, b) => a !== a ? b : b !== b || a > b ? a : b, fmin: (a, b) => a !== a ? b : b !== b || a < b ? a : b,
  less: (a, b) => a < b ? 1 : 0, less_equal: (a, b) => a <= b ? 1 : 0, greater: (a, b) => a > b ? 1 : 0,
  greater_equal: (a, b) => a >= b ? 1 : 0, equal: (a, b) => a === b ? 1 : 0, not_equal: (a, b) => a !== b ? 1 : 0,
  bitwise_and: (a, b) => a & b, bitwise_or: (a, b) => a | b, bitwise_xor: (a, b) => a ^ b,
  logical_and: (a, b) => a && b ? 1 : 0, logical_or: (a, b) => a || b ? 1 : 0, logical_xor: (a, b) => !a !== !b ? 1 : 0,
  power: (a, b) => a === 1 || (a === -1 && abs(b) === Infinity) ? 1 : Math.pow(a, b), arctan2: Math.atan2, remainder,
  floor_divide: (a, b) => {
    if (!b) return a / b;
    const whole = (a - remainder(a, b)) / b, below = floor(whole);
    return whole - below > 0.5 ? below + 1 : below;
  },
  fmod: (a, b) => a % b,
  logaddexp: (a, b) => {
    const d = a - b;
    return a === b ? a + Math.LN2 : d > 0 ? a + log1p(exp(-d)) : d <= 0 ? b + log1p(exp(d)) : d;
  },
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
  let a = x[at], b = x[at += step], c = x[at += step], d = x[at += step], e = x[at += step], f = x[at += step], g = x[at += step], h = x[at += step], k = 8;
  for (at += step; k < count - count % 8; k += 8, at += step) {
    a = r(a + x[at]); b = r(b + x[at += step]); c = r(c + x[at += step]); d = r(d + x[at += step]);
    e = r(e + x[at += step]); f = r(f + x[at += step]); g = r(g + x[at += step]); h = r(h + x[at += step]);
  }
  sum = r(r(r(a + b) + r(c + d)) + r(r(e + f) + r(g + h)));
  for (; k < count; k++, at += step) sum = r(sum + x[at]);
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
  if (name.startsWith('cast')) return casting(from, to);
  if (name === 'invert') return from === 'bool' ? a => a ? 0 : 1 : a => ~a;
  const plain = isBig(from) && BIG[name] || /^u?int/.test(from) && !isBig(from) && WIDE[name] || ONE[name] || Math[name.replace('arc', 'a')];
  return plain && isBig(to) ? a => { const r = plain(a); return typeof r === 'bigint' ? r : BigInt(r); } : plain;
};
const function2 = (name, from, to) => {
  const plain = isBig(from) && BIG[name] || /^u?int/.test(from) && !isBig(from) && WIDE[name] || TWO[name];
  // A sum of booleans is true, not 2.
  if (plain && to === 'bool') return (a, b) => plain(a, b) ? 1 : 0;
  return plain && isBig(to) ? (a, b) => { const r = plain(a, b); return typeof r === 'bigint' ? r : BigInt(r); } : plain;
};

// Slopes of z = f(x), and of z = f(x, y) as a pair, up to signs; where there are none, all are 1.
const flat = () => 0, side = (x, y, z) => x === y ? [0.5, 0.5] : [+(z === x), +(z === y)];
const SLOPES = {
  absolute: x => x ? 1 : 0, square: x => 2 * x, reciprocal: (x, y, z) => z * z, sqrt: (x, y, z) => 0.5 / z,
  cbrt: (x, y, z) => 1 / (3 * z * z), exp: (x, y, z) => z, expm1: (x, y, z) => z + 1, log: x => 1 / x, log1p: x => 1 / (1 + x),
  sin: Math.cos, cos: Math.sin, tan: (x, y, z) => 1 + z * z, sinh: Math.cosh, cosh: Math.sinh, tanh: (x, y, z) => 1 - z * z,
  arcsin: x => 1 / sqrt(1 - x * x), arccos: x => 1 / sqrt(1 - x * x), arctan: x => 1 / (1 + x * x), arcsinh: x => 1 / sqrt(x * x + 1), arccosh: x => 1 / sqrt(x * x - 1),
  arctanh: x => 1 / (1 - x * x), sign: flat, rint: flat, floor: flat, ceil: flat, trunc: flat, floor_divide: flat,
  multiply: (x, y) => [y, x], divide: (x, y, z) => [1 / y, z / y], maximum: side, minimum: side, fmax: side, fmin: side,
  power: (x, y, z) => [y * z / x, z * Math.log(x)], logaddexp: (x, y, z) => [exp(x - z), exp(y - z)],
  arctan2: (x, y) => [y, x].map(v => v / (x * x + y * y)), remainder: (x, y) => [1, floor(x / y)], fmod: (x, y) => [1, trunc(x / y)],
};

// Instructions that only move elements move what is beside them alike; floats may be moved as unsigned integers.
const both = (move, {V, C}, ...operands) => {
  const [one, two] = [C, V].map(arrays => move(...operands.map(k => arrays[k])));
  return operands.every(k => C[k]) ? o => { one(o); two(o); } : two;
};
// The most frequent loops of floats, each a function of its own: a browser makes fast code where it sees one operation.
const FLOATS1 = {
  negative: (X, Y) => (n, a, b, i, j) => { for (let t = 0; t < n; t++, a += i, b += j) Y[b] = -X[a]; },
  square: (X, Y) => (n, a, b, i, j) => { for (let t = 0; t < n; t++, a += i, b += j) { const x = X[a]; Y[b] = x * x; } },
  sqrt: (X, Y) => (n, a, b, i, j) => { for (let t = 0; t < n; t++, a += i, b += j) Y[b] = sqrt(X[a]); },
  tanh: (X, Y) => (n, a, b, i, j) => { for (let t = 0; t < n; t++, a += i, b += j) Y[b] = Math.tanh(X[a]); },
  exp: (X, Y) => (n, a, b, i, j) => { for (let t = 0; t < n; t++, a += i, b += j) Y[b] = exp(X[a]); },
};
const FLOATS2 = {
  add: (X, Y, Z) => (n, a, b, c, i, j, k) => { for (let t = 0; t < n; t++, a += i, b += j, c += k) Z[c] = X[a] + Y[b]; },
  subtract: (X, Y, Z) => (n, a, b, c, i, j, k) => { for (let t = 0; t < n; t++, a += i, b += j, c += k) Z[c] = X[a] - Y[b]; },
  multiply: (X, Y, Z) => (n, a, b, c, i, j, k) => { for (let t = 0; t < n; t++, a += i, b += j, c += k) Z[c] = X[a] * Y[b]; },
  divide: (X, Y, Z) => (n, a, b, c, i, j, k) => { for (let t = 0; t < n; t++, a += i, b += j, c += k) Z[c] = X[a] / Y[b]; },
};
// A function of one or two numbers with the bound of its result, by its slopes.
const bounded = (f, slopes, {V, C, I, sizes: [n], s}) => {
  const last = V.length - 1;
  return o => {
    const p = o.map((at, k) => at / I[k]);
    for (let t = 0; t < n; t++) {
      const [x, y] = p.map((at, k) => V[k][at]), z = f(x, y), found = slopes ? slopes(x, y, z) : 1;
      let sum = 0;
      for (let k = 0; k < last; k++) if (C[k] && C[k][p[k]]) sum += abs(C[k][p[k]] * (found[k] ?? found));
      C[last][p[last]] = finite(sum) ? sum : 0;
      V[last][p[last]] = z;
      for (let k = 0; k <= last; k++) p[k] += s[k];
    }
  };
};
const applied = (name, kinds, given, isStable) => {
  const {V: [X, Y, Z], C, I: [i, j, k], sizes: [n], s: [sa, sb, sc]} = given, isOne = kinds.length < 3;
  const f = isOne ? function1(name, ...kinds) : function2(name, kinds[0], kinds[2]);
  if (f && C[kinds.length - 1]) return bounded(f, isStable && name === 'maximum' ? flat : SLOPES[name], given);
  const loop = kinds.every(kind => kind.startsWith('float')) && (isOne ? FLOATS1 : FLOATS2)[name], fast = loop && loop(X, Y, Z);
  if (isOne && fast) return o => fast(n, o[0] / i, o[1] / j, sa, sb);
  if (isOne) return f && (o => { let a = o[0] / i, b = o[1] / j; for (let t = 0; t < n; t++, a += sa, b += sb) Y[b] = f(X[a]); });
  // The first operand is the result where elements are added up.
  if (name === 'add' && !sa && !sc && /float/.test(kinds[0])) {
    const r = Z instanceof Float32Array ? fround : v => v;
    return o => { const at = o[2] / k; if (o[0] === o[2]) Z[at] += pairwise(Y, o[1] / j, sb, n, r);
      else for (let t = 0, a = o[0] / i, b = o[1] / j; t < n; t++, b += sb) Z[at] = X[a] + Y[b]; };
  }
  if (fast) return o => fast(n, o[0] / i, o[1] / j, o[2] / k, sa, sb, sc);
  return f && (o => {
    let a = o[0] / i, b = o[1] / j, c = o[2] / k;
    for (let t = 0; t < n; t++, a += sa, b += sb, c += sc) Z[c] = f(X[a], Y[b]);
  });
};
// The place along an axis that an index means; a guard tells of those outside.
const placeOf = (index, m) => { let at = Number(index); if (at < 0) at += m; return at >= 0 && at < m ? at : 0; };
const extreme = ({V: [X, Z], I: [i, j], S: [step, , axis], s: [, sb], sizes: [n, m]}, isAbove) => o => {
  let a = o[0], b = o[1] / j;
  for (let t = 0; t < n; t++, a += step, b += sb) {
    let best = X[a / i], found = 0;
    for (let z = 1; z < m && best === best; z++) {
      const y = X[(a + z * axis) / i];
      if (y !== y || isAbove(y, best)) { best = y; found = z; }
    }
    Z[b] = BigInt(found);
  }
};
const KERNELS = {
  copy: ({I: [i, j], sizes: [n], s: [sa, sb], ...given}) => both((X, Y) => o => {
    let a = o[0] / i, b = o[1] / j;
    for (let t = 0; t < n; t++, a += sa, b += sb) Y[b] = X[a];
  }, given, 0, 1),
  choose: ({I: [i, j, k, l], sizes: [n], s: [sa, sb, sc, sd], ...given}, [X] = given.V) => both((Y, Z, w) => o => {
    let c = o[0] / i, a = o[1] / j, b = o[2] / k, d = o[3] / l;
    for (let t = 0; t < n; t++, c += sa, a += sb, b += sc, d += sd) w[d] = X[c] ? Y[a] : Z[b];
  }, given, 1, 2, 3),
  take: ({I: [i, j, k], sizes: [n, m], S: [step, , , axis], s: [, sb, sc], ...given}, [, Y] = given.V) => both((X, Z) => o => {
    let a = o[0], b = o[1] / j, c = o[2] / k;
    for (let t = 0; t < n; t++, a += step, b += sb, c += sc) Z[c] = X[(a + placeOf(Y[b], m) * axis) / i];
  }, given, 0, 2),
  increment: ({I: [i, j, k], sizes: [n, m], S: [step, , , , axis], s: [, sb, sc], ...given}, [, , Z] = given.V) => both((X, Y) => o => {
    let a = o[0], b = o[1] / j, c = o[2] / k;
    for (let t = 0; t < n; t++, a += step, b += sb, c += sc) X[(a + placeOf(Z[c], m) * axis) / i] += Y[b];
  }, given, 0, 1),
  argmax: given => extreme(given, (y, best) => y > best),
  argmin: given => extreme(given, (y, best) => y < best),
  // The first operand of these has the places of parts.
  greatest: ({V: [p, X, Z], I: [, i, j], S: [sx, sz, cx, cz], sizes: [n, m, q]}) => o => {
    for (let w = 0; w < n; w++) for (let c = 0; c < q; c++) {
      const at = t => (o[1] + w * sx + c * cx + Number(p[o[0] / 8 + t])) / i;
      let found = 0, best = X[at(0)];
      for (let t = 1; t < m; t++) { const y = X[at(t)]; if (best < y) { best = y; found = t; } }
      Z[(o[2] + w * sz + c * cz) / j] = found;
    }
  },
  put: ({I: [, i, j, k], S: [sx, sy, sz, cx, cy, cz], sizes: [n, m, q], ...given}, [p, , Y] = given.V) => both((X, Z) => o => {
    for (let w = 0; w < n; w++) for (let t = 0; t < m; t++) for (let c = 0; c < q; c++)
      Z[(o[3] + w * sz + c * cz + Number(p[o[0] / 8 + t])) / k] = Y[(o[2] + w * sy + c * cy) / j] === t ?
        X[(o[1] + w * sx + c * cx) / i] : typeof Z[0] === 'bigint' ? 0n : 0;
  }, given, 1, 3),
  // Without bounds four columns at once: their sums do not wait for each other, and each is as if it were alone.
  matmul: ({V: [X, Y, Z], C: [e, f, h], I: [i, j, k], S: [ba, bb, bc, ra, ca, rb, cb, rc, cc], sizes: [batch, rows, mid, cols]}) => o => {
    const sca = ca / i, srb = rb / j, scb = cb / j, scc = cc / k;
    for (let t = 0; t < batch; t++) for (let r = 0; r < rows; r++) {
      const start = (o[0] + t * ba + r * ra) / i;
      let b = (o[1] + t * bb) / j, at = (o[2] + t * bc + r * rc) / k, c = 0;
      if (!h) for (; c < cols - 3; c += 4, b += 4 * scb, at += 4 * scc) {
        let p = 0, q = 0, v = 0, w = 0;
        for (let d = 0, x = start, y = b; d < mid; d++, x += sca, y += srb) {
          const g = X[x];
          p += g * Y[y]; q += g * Y[y + scb]; v += g * Y[y + 2 * scb]; w += g * Y[y + 3 * scb];
        }
        Z[at] = p; Z[at + scc] = q; Z[at + 2 * scc] = v; Z[at + 3 * scc] = w;
      }
      for (; c < cols; c++, b += scb, at += scc) {
        let sum = 0, change = 0;
        if (h) for (let d = 0, x = start, y = b; d < mid; d++, x += sca, y += srb) change += abs(X[x]) * f[y] + e[x] * abs(Y[y]);
        for (let d = 0, x = start, y = b; d < mid; d++, x += sca, y += srb) sum += X[x] * Y[y];
        Z[at] = sum;
        if (h) h[at] = finite(change) ? change : 0;
      }
    }
  },
};

class Machine {
  // Where `beside` has other numbers for a dtype, such as bounds on its errors, instructions pass them on, too.
  constructor(bytes, beside = {}) {
    this.beside = beside;
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
    const strides = [], stem = name.replace('.total', ''), [kind] = stem.split('_');
    let p = rank;
    for (let r = 0; r < rank; r++, p += count) strides.push(table.slice(p, p + count));
    const sizes = table.slice(p, p + dims), S = table.slice(p + dims);
    const V = kinds.map(item => this.array(item)), I = kinds.map(size);
    this.check(name, table.slice(0, rank), strides, sizes, S, I, offsets, count);
    const given = {V, C: kinds.map(item => this.beside[item]), I, S, s: S.map((x, at) => x / I[at % count]), sizes};
    const inner = KERNELS[kind] ? KERNELS[kind](given) : applied(stem, kinds, given, this.isStable);
    if (!inner) throw new Error(`No loop ${name} of ${kinds}.`);
    const o = offsets.slice(0, count);
    if (!rank) return () => inner(o);
    const at = o.slice(), [first, second] = strides, [many, each] = table;
    const move = (steps, times) => { for (let j = 0; j < count; j++) at[j] += times * steps[j]; };
    if (rank < 3) return () => {
      for (let k = 0; k < many; k++) {
        if (rank === 1) inner(at);
        else {
          for (let l = 0; l < each; l++) { inner(at); move(second, 1); }
          move(second, -each);
        }
        move(first, 1);
      }
      move(first, -many);
    };
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
}
