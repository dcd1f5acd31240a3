// A training by the plan of a graph: rounds whose steps run as programs, each over a memory of its own.
const {cos, PI} = Math;
const adamRate = (rate, t, {beta1, beta2}) => rate * sqrt(1 - beta2 ** t) / (1 - beta1 ** t);
const slowed = (beta1, t) => beta1 * (1 - 0.5 * 0.96 ** t);
// The numbers that a rule needs besides the gradient, at a rate and at its update t, counted from 1.
const COEFFICIENTS = {
  adam: (rate, t, how) => ({rate: adamRate(rate, t, how)}),
  adamax: (rate, t, {beta1}) => ({rate: adamRate(rate, t, {beta1, beta2: 0})}),
  adamw: (rate, t, how) => ({rate: adamRate(rate, t, how), decay: rate * how['weight_decay']}),
  adagrad_da: (rate, t) => ({rate, 'step': t}),
  nadam: (rate, t, {beta1, beta2}) => {
    let product = 1;
    for (let k = 1; k <= t && product; k++) product *= slowed(beta1, k);
    const ahead = slowed(beta1, t + 1);
    return {ahead: rate * ahead / (1 - product * ahead), now: rate * (1 - slowed(beta1, t)) / (1 - product), correction: 1 - beta2 ** t};
  },
};
// The rate of a schedule in a round, counted from 0.
function rateAt([kind, numbers, then], n) {
  const [a, b, c] = numbers, half = (from, to, share) => to + (from - to) * (1 + cos(PI * share)) / 2;
  if (kind === 'step') return a * c ** floor(n / b);
  if (kind === 'exponential') return a * c ** (n / b);
  if (kind === 'cosine') return half(a, b, min(n, c) / c);
  if (kind === 'warmup') return n >= b ? rateAt(then, n - b) : a + (rateAt(then, 0) - a) * n / b;
  if (kind === 'list') return numbers.filter((_, k) => k % 2 && numbers[k - 1] <= n).pop();
  if (kind !== 'one_cycle') return a;
  const start = a / 25, peak = 0.3 * b - 1;
  return n <= peak ? half(start, a, n / peak) : half(a, start / 10000, (min(n, b - 1) - peak) / (b - 1 - peak));
}
// Where the numbers of a view lie in an array: in one piece from `from` on, or at places.
function cellsOf(machine, view) {
  const [offset, shape, strides, dtype] = view, array = machine.array(dtype), places = [];
  let step = size(dtype), isRow = true;
  for (let k = shape.length - 1; k >= 0; step *= shape[k--]) isRow = isRow && (shape[k] === 1 || strides[k] === step);
  if (isRow) return {array, from: offset / size(dtype), count: step / size(dtype), places: null};
  machine.walk(view, at => places.push(at));
  return {array, from: 0, count: places.length, places};
}
// Returns a function that copies numbers from some cells to others.
function copying(one, other) {
  const {array: x, from, count, places} = one, {array: y, from: to, places: others} = other;
  if (places || others) return () => { for (let k = 0; k < count; k++) y[others ? others[k] : to + k] = x[places ? places[k] : from + k]; };
  if (count > 64) { const part = x.subarray(from, from + count); return () => y.set(part, to); }
  return () => { for (let k = 0; k < count; k++) y[to + k] = x[from + k]; };
}
const isFinite_ = ({array, from, count, places}) => {
  for (let k = 0; k < count; k++) { const x = array[places ? places[k] : from + k]; if (x - x !== 0) return false; }
  return true;
};

// The rows of a set of data, and those of each round.
class Rows {
  constructor(given, arrays) { Object.assign(this, {...given, arrays, epoch: -1, order: Array.from({length: given.rows}, (_, k) => k)}); }
  // Returns the order of the epoch of a round, and where its batch begins.
  at(n) {
    const each = floor(this.rows / this.batch), epoch = floor(n / each);
    if (this.seed !== null && epoch !== this.epoch) { this.epoch = epoch; this.order = permutation(this.rows, 'order', this.seed, epoch); }
    return [this.order, n % each * this.batch];
  }
  // Returns a function that writes the batch of a round to some cells.
  writing(number, {array, from}) {
    const source = this.arrays[number], width = source.length / this.rows;
    return n => {
      const [order, start] = this.at(n);
      for (let k = 0, to = from; k < this.batch; k++) for (let at = order[start + k] * width, end = at + width; at < end;) array[to++] = source[at++];
    };
  }
}

// The program of one step, with what goes in and comes out of it.
class Job {
  constructor(entry, memory, calls, training, machine) {
    const cells = view => view < 0 ? null : cellsOf(machine, training.views[view]);
    Object.assign(this, {machine, memory, calls, loss: cells(entry.loss), guards: entry.guards, written: entry.written});
    this.checked = entry.tested.map(cells);
    this.scalars = entry.scalars.map(([name, view]) => [name, cells(view)]);
    this.uses = new Map(Object.entries(entry.uses));
    this.metrics = entry.metrics.map(cells);
    this.gradients = new Map(Object.entries(entry.gradients).map(([path, view]) => [path, cells(view)]));
    this.draws = entry.draws.map(draw => training.drawing(draw, draw.at(-1).map(cells)));
    this.commits = this.committing(entry.updates, training, cells);
    this.given = '';
  }
  // New values that are views of what is written go through a copy: all are read before any is written.
  committing(updates, training, cells) {
    const targets = updates.flatMap(([, places]) => places.map(view => training.views[view][0])), first = [], then = [];
    for (const [view, places] of updates) {
      let source = cells(view);
      const ends = source.array.BYTES_PER_ELEMENT * (source.places ? max(...source.places) + 1 : source.from + source.count), start = training.views[view][0];
      if (targets.some(at => at >= start && at < ends) || targets.includes(start)) {
        const spare = {array: new source.array.constructor(source.count), from: 0, count: source.count, places: null};
        first.push(copying(source, spare));
        source = spare;
      }
      for (const place of places) then.push(copying(source, cells(place)));
    }
    return [...first, ...then];
  }
  run() { for (const call of this.calls) call(); }
  get isFine() { return this.guards.every(at => this.machine.bytes[at]) && this.checked.every(isFinite_); }
}
const normOf = ({array, from, count, places}) => {
  if (count === 1) return Number(array[places ? places[0] : from]);
  let sum = 0;
  for (let k = 0; k < count; k++) { const x = Number(array[places ? places[k] : from + k]); sum += x * x; }
  return sqrt(sum);
};

// What several trainings of one plan share: views, loops, data and noise of the newest round.
class Training {
  // `rest` has the bytes behind those of the graph's own programs.
  constructor(live, rest) {
    const doc = live.doc.training;
    Object.assign(this, {doc, live, views: live.doc.views, loops: live.doc.loops, noise: new Map(), noisy: -1});
    let at = 0;
    const take = count => { at += count; return rest.subarray(at - count, at); };
    const memories = [];
    doc.runs.forEach((run, k) => memories.push(run.jobs.map(({memory: [whole, same]}, j) => {
      const memory = new Uint8Array(whole);
      if (same) memory.set(memories[0][j].subarray(0, same));
      memory.set(take(whole - same), same);
      return memory;
    })));
    this.memories = memories;
    this.sets = doc.sets.map(given => new Rows(given, given.arrays.map(([dtype, shape]) => {
      const count = shape.reduce((a, b) => a * b, given.rows), bytes = count * size(dtype), part = take(Math.ceil(bytes / 8) * 8);
      return new ARRAYS[dtype](part.slice(0, bytes).buffer);
    })));
  }
  // Returns a function that writes what is drawn at a moment to some cells, null for those that nothing needs.
  drawing([kind, name, seed], targets) {
    if (kind === 'rows') {
      const all = targets.flatMap((to, k) => to ? [this.sets[name].writing(k, to)] : []);
      return ({round}) => { for (const write of all) write(round); };
    }
    const {array, from, count} = targets[0], top = array instanceof Float32Array ? 1 - 2 ** -24 : 1;
    return moment => {
      const drawn = this.drawn(kind, name, seed, moment, count);
      for (let k = 0; k < count; k++) array[from + k] = kind === 'uniform' ? min(drawn[k], top) : drawn[k];
    };
  }
  // Trainings beside each other draw the same noise, which is kept for a round.
  drawn(kind, path, seed, moment, count) {
    if (this.noisy !== moment.round) { this.noise.clear(); this.noisy = moment.round; }
    const key = `${moment.title} ${moment.repetition} ${path}`;
    if (!this.noise.has(key)) {
      const source = noiseOf(seed, moment, path);
      this.noise.set(key, Float64Array.from({length: count}, () => kind === 'uniform' ? source.uniform() : source.normal()));
    }
    return this.noise.get(key);
  }
}

// One training: with the stops of the graph, or with some of them open.
class Trainer {
  constructor(training, number) {
    const {doc, views, loops, memories} = training, run = doc.runs[number];
    Object.assign(this, {training, doc, open: run.open, rates: doc.plan.map(() => null)});
    this.jobs = run.jobs.map((entry, k) => {
      const machine = new Machine(memories[number][k].length), rows = [...doc.runs[0].jobs[k].rows.slice(0, entry.shared), ...entry.rows];
      return new Job(entry, memories[number][k], machine.bind(rows, loops), training, machine);
    });
    // A step with metrics that does not run in each round has a program of its own to measure them.
    this.meter = this.jobs[doc.meter];
    this.follows = this.jobs.map(job => job.written.flatMap(path => {
      const cells = (item, view) => cellsOf(item.machine, views[view]), [own] = job.uses.get(path);
      return this.jobs.filter(other => other !== job).flatMap(other => (other.uses.get(path) || []).map(view => copying(cells(job, own), cells(other, view))));
    }));
    this.reset();
  }
  reset() {
    for (const job of this.jobs) { job.machine.bytes.set(job.memory); job.given = ''; job.updates = 0; }
    Object.assign(this, {n: 0, stopped: '', ended: '', losses: this.doc.plan.map(() => []), measured: this.doc.metrics.map(() => []), tested: null});
  }
  // Paths of the variables that a step changes.
  get moved() { return [...new Set(this.jobs.flatMap(job => job.written))]; }
  feed(path, numbers) {
    for (const job of this.jobs) for (const view of job.uses.get(path) || []) job.machine.set(this.training.views[view], numbers);
  }
  value(path) {
    const job = this.jobs.find(item => item.uses.has(path));
    return job.machine.get(this.training.views[job.uses.get(path)[0]]);
  }
  rate(k, n = this.n) { return this.rates[k] ?? rateAt(this.doc.plan[k].rate, n); }
  // Runs one round. Returns whether it came to its end: a step with a number that is not finite writes nothing.
  round() {
    if (this.stopped) return false;
    const {n, doc, jobs, meter} = this, sizes = new Map();
    if (doc.test && n % doc.test.every === 0) this.check();
    if (meter !== jobs[0]) { this.draw(meter, doc.plan[0].title, 0); meter.run(); this.measure(); }
    for (let k = 0; k < doc.plan.length; k++) {
      const {title, runs: [times, every, begin, end, accumulate]} = doc.plan[k], job = jobs[k];
      if (n < begin || (end !== null && n >= end) || n % every !== every - 1) { this.losses[k][n] = NaN; continue; }
      for (let repetition = 0; repetition < times; repetition++) {
        this.draw(job, title, repetition);
        if (job.scalars.length) this.give(job, k, accumulate);
        job.run();
        if (!job.isFine) { this.stopped = title; return false; }
        if (!repetition) {
          this.losses[k][n] = job.loss ? job.loss.array[job.loss.from] : NaN;
          if (job === meter) this.measure();
          for (const [kind, path] of doc.ends) if (kind === 'gradient' && job.gradients.has(path)) sizes.set(path, normOf(job.gradients.get(path)));
        }
        for (const copy of job.commits) copy();
        for (const copy of this.follows[k]) copy();
        job.updates++;
      }
    }
    this.n++;
    this.ended = doc.ends.filter(end => this.isBeyond(end, n, sizes)).map(([, path]) => path)[0] || '';
    return true;
  }
  // Notes loss and metrics of a round before it is run, as far as they do not depend on an update in it.
  peek() {
    const {n, doc, jobs, meter} = this, k = doc.plan.findIndex(({rule}) => rule), job = jobs[max(k, 0)];
    if (this.stopped) return;
    if (meter !== job && doc.metrics.length) { this.draw(meter, doc.plan[0].title, 0); meter.run(); this.measure(); }
    if (doc.plan.slice(0, max(k, 0)).length) return;
    const {title, runs: [, , , , accumulate]} = doc.plan[0];
    this.draw(job, title, 0);
    if (job.scalars.length) this.give(job, 0, accumulate);
    job.run();
    if (job.loss && job.isFine) this.losses[0][n] = job.loss.array[job.loss.from];
    if (job === meter) this.measure();
  }
  newest(items) {
    let k = items.length - 1;
    while (k > 0 && items[k] !== items[k]) k--;
    return items[k];
  }
  draw(job, title, repetition) {
    if (!job.draws.length) return;
    const moment = {seed: this.doc.seed, title, repetition, round: this.n};
    for (const write of job.draws) write(moment);
  }
  give(job, k, accumulate) {
    const {rule, how, decoupled} = this.doc.plan[k], rate = this.rate(k), moves = floor(job.updates / accumulate), key = `${rate} ${job.updates}`;
    if (job.given === key) return;
    job.given = key;
    const found = {...(COEFFICIENTS[rule] || (rate => ({rate})))(rate, moves + 1, how), shrink: rate * decoupled, moves: +(job.updates % accumulate === accumulate - 1)};
    for (const [name, {array, from}] of job.scalars) array[from] = found[name];
  }
  // Measures the rows that training holds back.
  check() {
    const {jobs, doc: {test}} = this, number = cells => cells ? normOf(cells) : NaN;
    for (const job of jobs.slice(test.first)) { this.draw(job, 'test', 0); job.run(); }
    this.tested = {losses: test.jobs.map(k => k === null ? NaN : number(jobs[k].loss)), metrics: jobs[test.first].metrics.map(number)};
  }
  measure() { this.meter.metrics.forEach((cells, k) => { this.measured[k][this.n] = cells ? normOf(cells) : NaN; }); }
  isBeyond([kind, path, low, high, logged], n, sizes) {
    const isOut = x => (low !== null && x < low) || (high !== null && x > high), {plan, metrics} = this.doc;
    if (kind === 'value') return this.value(path).some(isOut);
    if (kind === 'gradient') return isOut(sizes.has(path) ? sizes.get(path) : NaN);
    const step = plan.findIndex(item => item.title === logged);
    return isOut(step >= 0 ? this.losses[step][n] : this.measured[metrics.indexOf(logged)][n]);
  }
}
