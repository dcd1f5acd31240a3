// Which gradients are rounding errors, by the rule of the engine: running error bounds, and second runs where these prove
// nothing. The rule and its numbers are those of engine/causes; see docs/rooms/causes.md.
const MOVES = 0, ARITHMETIC = 1, SUMS = 2, OTHER = 4, EXACT = 5, LARGE = 2 ** 16;
// Counted loops: a browser walks iterators ten times slower.
const norm = items => { let sum = 0; for (let k = 0, n = items.length; k < n; k++) sum += items[k] * items[k]; return sqrt(sum); };
const most = items => { let size = 0; for (let k = 0, n = items.length; k < n; k++) size = max(size, abs(items[k])); return size; };
// Numbers from 1 to 2 without simple relations.
const generic = (n, series) => {
  let k = Math.imul(n + 1, 0x9E3779B1) ^ Math.imul(series, 0x27D4EB2F);
  k = Math.imul(k ^ k >>> 15, 0x85EBCA77);
  return 1 + ((k ^ k >>> 13) >>> 0) / 2 ** 32;
};

class Bounds {
  // `rows` are the instructions of a variant. A slot is an array that a step makes; one of floats has an `eps`.
  constructor({doc, machine, views}, {steps, roundings}, rows) {
    const slots = this.slots = [], all = this.arrivals = [];
    Object.assign(this, {machine, second: []});
    let from = 0;
    this.steps = steps.map(([kind, count, owner, ...rest], place) => {
      const [form, carried, degree, n] = doc.stepKinds[kind], ins = rest.slice(0, n).map(k => slots[k]);
      const step = {place, owner: doc.owners[owner], form, carried, degree, ins, from, to: from += count, floats: ins.filter(slot => slot.eps)};
      step.outs = rest.slice(n).map(k => {
        const view = views[k], slot = {step, place: slots.length, view, eps: view && EPS[view[3]], extent: view ? view[1].reduce((m, k) => m * k, 1) : 0};
        slots.push(slot);
        return slot;
      });
      step.results = step.outs.filter(slot => slot.eps);
      return step;
    });
    for (const [slot, isTotal, sums, before] of roundings)
      all.push({slot: slots[slot], isTotal, sums: sums.map(k => slots[k]), before: before.map(k => k < 0 ? {slot: slots[~k]} : all[k])});
    this.bound = (at, isTwin) => this.steps.map(({form, from, to}) => {
      const own = rows.slice(from, to);
      // A maximum that is subtracted before exponentials, and added after them: the result does not depend on it.
      at.isStable = isTwin && form === OTHER && own.some(row => doc.loops[row[0]][0] === 'exp');
      return at.bind(own, doc.loops);
    });
  }
  // Gives each row of roundings a status, undefined where its gradient is sure.
  judge() {
    for (const slot of this.slots) slot.bound = slot.found = slot.spread = slot.isDisproved = undefined;
    for (const run of this.second) run.reached = -1;
    this.isFresh = false;
    for (const row of this.arrivals) row.status = this.statusOf(row);
  }
  at(slot) { return this.machine.look(slot.view); }
  // Returns the block whose numbers are the first for which a condition holds, while none of theirs before does.
  first(holds) {
    const has = slot => this.at(slot).some(holds), step = this.steps.find(({floats, results}) => results.some(has) && !floats.some(has));
    return step && step.owner;
  }
  statusOf({slot, isTotal, sums, before}) {
    const x = this.at(slot), isBehind = before.some(row => row.status), size = most(x);
    if (!isBehind && !(isTotal ? sums.length && this.cancels(slot, this.added(sums)) : this.loses(slot) || sums.some(sum => this.cancels(sum, this.terms(sum.step))))) return;
    if (!x.length || !(size < Infinity)) return;
    if (isBehind && before.every(row => row.status ? row.status === 'zero' : row.slot.extent && !most(this.at(row.slot)))) return 'zero';
    const bound = this.behind(slot, before), of = (b, k) => b[k] ?? b[0];
    if (!x.some((v, k) => of(bound, k) > 0 && of(bound, k) >= sqrt(slot.eps) * abs(v))) return;
    slot.found ||= this.checked(slot, x, bound);
    return x.some((v, k) => abs(v) > of(slot.found, k)) ? 'flow' : 'zero';
  }
  // Returns the sums of the sizes of terms.
  added(slots) {
    const sizes = new Float64Array(slots[0].extent);
    for (const slot of slots) this.at(slot).forEach((v, k) => { sizes[k] += abs(v); });
    return sizes;
  }
  // Whether terms of these sizes cancel half of their digits.
  cancels(slot, sizes, share = sqrt(slot.eps), least = slot.extent * share > 1 ? 0.5 : 0) {
    const x = this.at(slot);
    let near = 0, all = 0;
    for (let k = 0; k < x.length; k++) if (sizes[k] > 0) { all++; near += abs(x[k]) <= share * sizes[k]; }
    return most(x) < Infinity && near > least * all;
  }
  // Whether the products that a gradient adds cancel.
  loses(slot) {
    const [end] = this.beforeMoves(slot), {step} = end, parts = step.floats.map(item => this.at(item));
    const share = parts[1] && parts.some(item => item.length > LARGE) ? 8 * end.eps : sqrt(end.eps);
    const size = parts.reduce((all, item) => all * norm(item) * (parts[1] ? 1 : sqrt(item.length)), 2 * share);
    return step.form === SUMS && most(this.at(end)) <= size && this.cancels(end, this.terms(step), share, 0.5);
  }
  // Returns the slot before all steps that only move elements, and these.
  beforeMoves(slot, moves = []) {
    const {form, outs, floats} = slot.step;
    return form === MOVES && outs.length < 2 && floats.length === 1 ? this.beforeMoves(floats[0], [slot.step, ...moves]) : [slot, moves];
  }

  // Returns the machine with the bound of each number, which instructions of a second machine pass on.
  get errors() {
    const {machine} = this, {length} = machine.bytes;
    if (!this.twin) {
      const errors = this.changes = new Machine(length), wide = errors.array('float64'), narrow = errors.known.float32 = new Float64Array(length / 4);
      this.twin = new Machine(length, {float64: wide, uint64: wide, float32: narrow, uint32: narrow});
      this.program = this.bound(this.twin, true);
    }
    if (!this.isFresh) {
      this.isFresh = true;
      this.twin.bytes.set(machine.bytes);
      for (const dtype in EPS) this.changes.array(dtype).fill(0);
    }
    return this.changes;
  }
  changeOf(slot) { return Array.from(this.errors.look(slot.view)); }
  pass(step) { if (this.errors) for (const call of this.program[step.place]) call(); }
  // Returns what steps make of changes of some slots, for other slots, and leaves everything as it was.
  tried(steps, given, changes, wanted) {
    const {errors} = this, kept = [...steps.flatMap(step => step.results), ...given].map(slot => [slot.view, this.changeOf(slot)]);
    given.forEach((slot, k) => errors.set(slot.view, changes[k]));
    steps.forEach(step => this.pass(step));
    const found = wanted.map(slot => this.changeOf(slot));
    for (const pair of kept) errors.set(...pair);
    return found;
  }
  shaken(step) { return this.tried([step], step.floats, step.floats.map(slot => this.at(slot).map(abs)), step.results); }
  terms(step) { return this.shaken(step)[0].map(v => v / step.degree); }
  // Returns the running error bound of each element.
  boundOf(slot) {
    if (!slot.bound) for (const step of this.stepsBefore(slot)) this.take(step);
    return slot.bound;
  }
  stepsBefore(slot) {
    const found = new Set([slot.step]);
    for (let level = [...found], n = 0; n < 20 && found.size < 32; n++) {
      level = [...new Set(level.flatMap(step => step.ins).filter(item => !item.bound && item.extent <= LARGE).map(item => item.step))];
      for (const step of level) { found.delete(step); found.add(step); }
    }
    return [...found].reverse();
  }
  take(step) {
    const {form, results, carried} = step, isChosen = form === OTHER && this.areChosen(this.machine, step);
    const own = form === SUMS ? [this.terms(step)] : form === OTHER && !isChosen ? this.shaken(step) : [];
    const count = form === SUMS ? 0 : form === ARITHMETIC ? 1 : 2;
    if (form !== EXACT) this.pass(step);
    results.forEach((slot, n) => {
      const x = this.at(slot), added = k => count * abs(x[k]) + (own[n] ? (carried || 2) * own[n][k] : 0);
      slot.bound = this.changeOf(slot);
      if (form !== EXACT && form !== MOVES && !isChosen) slot.bound = slot.bound.map((b, k) => b + slot.eps / 2 * added(k));
      slot.bound = slot.bound.map(b => finite(b) ? b : 0);
      this.errors.set(slot.view, slot.extent > LARGE ? slot.bound.map(() => 0) : slot.bound);
    });
    for (const slot of step.outs) slot.bound ||= [0];
  }
  // Whether the results are elements of the inputs, up to signs, and zeros.
  areChosen(machine, {floats, results}) {
    const offered = new Set([0, ...floats.flatMap(slot => Array.from(machine.look(slot.view), abs))]);
    return results.every(slot => machine.look(slot.view).every(v => offered.has(abs(v))));
  }
  // Returns what the last sum adds to the bound, or the rounding of its own terms.
  lastSum(slot) {
    const [end, moves] = this.beforeMoves(slot), {step} = end;
    return step.carried ? this.tried(moves, [end], [this.terms(step).map(v => step.carried * end.eps / 2 * v)], [slot])[0] : [];
  }
  behind(slot, before) {
    const isIdle = before.some(row => row.slot.isDisproved) && this.spreadOf(slot) < Infinity;
    if (!isIdle) return this.boundOf(slot);
    slot.isDisproved = true;
    return slot.found = [this.spreadOf(slot)];
  }
  // Returns the size of the rounding error of each element: the bound, or a part of it.
  checked(slot, x, bound) {
    const places = [...x.keys()].filter(k => x[k] && abs(x[k]) <= bound[k]), weight = slot.eps === EPS.float64 ? 8 : 1;
    if (!places.length) return bound;
    const last = this.lastSum(slot), terms = k => weight * (last[k] || 0);
    if (!places.some(k => abs(x[k]) > terms(k))) return bound;
    const found = bound.map((b, k) => min(b, max(terms(k), this.spreadOf(slot))));
    slot.isDisproved = found.some((b, k) => abs(x[k]) > b) && most(bound) > 8 * most(found);
    return found;
  }
  // Returns the size that an array's rounding errors may have by second runs.
  spreadOf(slot) { return slot.spread ??= this.compared(slot, this.at(slot)); }
  compared(slot, x) {
    for (let series = 0, found = 0, size; ; series++) {
      const run = this.begun(series), {program} = run;
      while (run.reached <= slot.step.place) this.repeated(run, series, this.steps[run.reached], program[run.reached++]);
      const other = run.machine.look(slot.view), isEnough = run.isExact || x.length > 15;
      found = max(found, most(x.map((v, k) => v - other[k])));
      size = (isEnough ? 8 : 64) * found;
      if (!finite(found)) return Infinity;
      if (isEnough || size >= most(x) || series > 1) return size;
    }
  }
  // A second run is one in float64 whose numbers of float64 are moved by some roundings.
  begun(series) {
    const {bytes} = this.machine, narrow = this.machine.array('float32');
    if (!this.second[series]) {
      const wide = new Float64Array(narrow.length), machine = new Machine(bytes.length, {uint32: wide});
      machine.known.float32 = wide;
      this.second.push({machine, program: this.bound(machine), reached: -1});
    }
    const run = this.second[series];
    if (run.reached < 0) {
      run.machine.bytes.set(bytes);
      run.machine.known.float32.set(narrow);
      Object.assign(run, {reached: 0, isExact: true});
    }
    return run;
  }
  repeated(run, series, step, calls) {
    const {machine} = run, {form, results} = step, play = () => calls.forEach(call => call());
    const get = slot => Array.from(machine.look(slot.view)), set = (slot, x) => machine.set(slot.view, x);
    const move = (slot, x) => set(slot, x.map((v, k) => v * (1 + 2 * EPS.float64 * (2 * generic(k, slot.place + (series << 20)) - 3))));
    if (form === EXACT) return;
    if (form === MOVES || !results.some(slot => slot.eps === EPS.float64)) return play();
    const ins = form === SUMS || form === OTHER ? step.floats : [], kept = ins.map(get);
    run.isExact = false;
    ins.forEach((slot, k) => move(slot, kept[k]));
    play();
    const isChosen = form === OTHER && this.areChosen(machine, step), found = results.map(get);
    ins.forEach((slot, k) => set(slot, kept[k]));
    if (isChosen) play();
    else results.forEach((slot, k) => move(slot, found[k]));
  }
}
