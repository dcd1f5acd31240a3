// The bar that trains the graph of a page: with its stops and beside that without some, both from the same start.
const BUDGET = 8, CURVE = [320, 56], LONGEST_CURVE = 400;

class Desk {
  constructor(page, rest) {
    const {live} = page, doc = live.doc.training;
    Object.assign(this, {page, live, doc, training: new Training(live, rest), isOn: false, start: null, pace: 10});
    this.trainers = [];
    this.beside(doc.runs.length > 1 ? 1 : 0);
    page.onChange = path => this.feed(path);
    page.onReset = () => this.reset();
    page.onToggle = () => this.follow();
    $$('[data-train]').forEach(button => { button.onclick = () => this.press(button.dataset.train); });
    $$('[data-pace]').forEach(button => {
      button.onclick = () => this.choose(button);
      button.onkeydown = e => { if (/^Arrow/.test(e.key)) { const other = $$('[data-pace]').find(item => item !== button); other.focus(); this.choose(other); e.preventDefault(); } };
    });
    $$('[data-rate]').forEach(field => { field.onchange = () => this.rate(field); });
    const choice = $('beside');
    if (choice) choice.onchange = () => { this.beside(+choice.value); this.soon(); };
    this.choose($$('[data-pace]')[0]);
    this.write();
  }
  get first() { return this.trainers[0]; }
  // The rounds up to which the plan trains; those that go on have as many again.
  get goal() { return this.doc.until * (floor(this.first.n / this.doc.until) + 1); }
  get isOver() { return this.first.stopped || this.first.ended || (this.first.n && this.first.n % this.doc.until === 0); }
  // Trains another run beside the graph's own one, from the same start.
  beside(number) {
    this.trainers.length = min(this.trainers.length, 1);
    for (const k of this.trainers.length ? [number] : [0, number]) if (k || !this.trainers.length) this.trainers.push(this.begun(k));
  }
  begun(number) {
    const trainer = new Trainer(this.training, number);
    for (const [path, {start, numbers}] of this.live.sources) {
      const begin = this.start ? this.start.get(path) : numbers;
      if (begin !== start) trainer.feed(path, begin);
    }
    if (this.trainers.length) trainer.rates = [...this.first.rates];
    return trainer;
  }
  press(what) {
    if (what === 'run') return this.isOn ? this.pause() : this.run();
    this.isOn = false;
    if (what === 'start') return this.back();
    this.keep();
    for (const trainer of this.trainers) trainer.round();
    this.follow();
    this.tell();
  }
  run() {
    this.keep();
    for (const trainer of this.trainers) trainer.ended = '';
    this.isOn = !this.first.stopped;
    this.until = this.goal;
    this.write();
    if (this.isOn) this.soon();
    else this.tell();
  }
  pause() { this.isOn = false; this.follow(); this.tell(); }
  // Notes the numbers that a training begins with.
  keep() {
    if (this.start) return;
    this.start = new Map(Array.from(this.live.sources, ([path, {numbers}]) => [path, numbers]));
    for (const [path, {start, numbers}] of this.live.sources) if (numbers !== start) this.feed(path);
  }
  back() {
    const {live, page, start} = this;
    this.clear();
    if (!start) return this.write();
    for (const [path, source] of live.sources) source.numbers = start.get(path);
    page.isMoved = live.place !== (live.doc.start || 0) || Array.from(live.sources.values()).some(differs);
    live.use(live.place);
    for (const [path, {numbers, start}] of live.sources) if (numbers !== start) this.feed(path);
    page.show();
    this.write();
    this.tell();
  }
  reset() { this.clear(); this.write(); }
  clear() { this.isOn = false; this.start = null; this.live.isStale = false; for (const trainer of this.trainers) trainer.reset(); }
  feed(path) { for (const trainer of this.trainers) trainer.feed(path, this.live.sources.get(path).numbers); }
  rate(field) {
    const text = field.value.trim().replace(MINUS, '-'), number = text ? Number(text) : NaN, isWrong = !(number >= 0 && finite(number));
    field.setAttribute('aria-invalid', isWrong);
    if (isWrong) return say(filled(words.wrong, {'text': field.value}));
    for (const trainer of this.trainers) trainer.rates[field.dataset.rate] = number;
    field.value = exact(number);
  }
  choose(button) {
    this.pace = +button.dataset.pace;
    this.since = null;
    $$('[data-pace]').forEach(item => { put(item, 'aria-checked', String(item === button)); item.tabIndex = item === button ? 0 : -1; });
  }
  soon() { if (!this.waits) { this.waits = true; requestAnimationFrame(now => { this.waits = false; this.frame(now); }); } }
  // Rounds for some milliseconds, then the graph follows. A run that was chosen late catches up first.
  frame(now) {
    const {trainers, first} = this, end = performance.now() + BUDGET;
    const due = this.isOn ? min(this.until, this.due(now)) : first.n, goes = item => !item.stopped && item.n < due && !(item === first && item.ended);
    let isMoved = false;
    for (;;) {
      const next = trainers.filter(goes).sort((one, other) => one.n - other.n)[0];
      if (!next) break;
      next.round();
      isMoved = true;
      if (performance.now() >= end) break;
    }
    if (this.isOn && !trainers.some(goes) && (first.stopped || first.ended || first.n >= this.until)) this.isOn = false;
    if (isMoved || !this.isOn) this.follow();
    if (this.isOn || trainers.some(goes)) return this.soon();
    this.tell();
  }
  // How many rounds are due: the plan's in so many seconds, but never more than a tenth of a second makes up for.
  due(now) {
    if (!this.pace) return Infinity;
    const each = this.doc.until / this.pace / 1000, {n} = this.first;
    if (!this.since || n < floor(this.since.n + (this.since.then - this.since.at) * each) - 1) this.since = {at: now, then: now, n};
    this.since.then = now;
    return floor(this.since.n + (now - this.since.at) * each);
  }
  // The graph shows the numbers of the newest round: those of the run with the stops that are open in it.
  follow() {
    const {live, page, first, doc} = this, same = item => item.open.length === live.variant.open.length && item.open.every(path => live.isOpen(path));
    const shown = this.trainers.find(same) || first;
    if (this.start) {
      for (const path of shown.moved) if (live.sources.has(path)) live.put(path, shown.value(path));
      this.draw(shown.n);
      page.isMoved = true;
      live.run();
      page.show();
    }
    for (const trainer of this.trainers) trainer.peek();
    this.write();
  }
  // Writes what the blocks draw in a round to where the graph reads it.
  draw(n) {
    const {live, doc, training} = this, moment = {seed: doc.seed, title: doc.plan[0].title, repetition: 0, round: n};
    for (const entry of doc.shown) {
      const places = entry.at(-1).map(views => views[live.place] < 0 ? null : cellsOf(live.machine, live.views[views[live.place]]));
      if (places.some(Boolean)) training.drawing(entry, places)(moment);
      live.isStale ||= !places.length;
    }
  }
  // Texts.
  losses(trainer) {
    const {doc} = this, rated = doc.plan.flatMap(({title, rule}, k) => rule && trainer.losses[k].length ? [[title, trainer.newest(trainer.losses[k])]] : []);
    return rated.map(([title, x]) => `${rated.length > 1 ? title : 'L'} ${fmt(x)}`).join(', ');
  }
  // The metrics that the page can compute, with the names of their blocks.
  get metrics() { return this.doc.metrics.flatMap((path, k) => this.first.meter.metrics[k] ? [[path.split('/').pop().replace(/\.[^.]*$/, ''), k]] : []); }
  // What stands beside the losses, by its title: metrics, and losses and metrics of the rows held back.
  get shown() {
    const {doc, metrics} = this, found = metrics.map(([title, k]) => [title, item => item.newest(item.measured[k])]);
    if (!doc.test) return found;
    const rated = doc.plan.flatMap(({title, rule}, k) => rule ? [[title, k]] : []), held = (title, of) => [`${title}, ${words.held}`, item => item.tested && of(item.tested)];
    return [...found, ...rated.map(([title, k]) => held(rated.length > 1 ? title : 'L', tested => tested.losses[k])), ...metrics.map(([title, k]) => held(title, tested => tested.metrics[k]))];
  }
  // Losses, or what a plan without any measures.
  told(trainer) {
    return this.losses(trainer) || this.metrics.flatMap(([title, k]) => trainer.measured[k].length ? [`${title} ${fmt(trainer.newest(trainer.measured[k]))}`] : []).join(', ');
  }
  without(open) { return this.live.stops.length < 2 ? words.alone : open.length > 1 ? words.without_all : filled(words.without, {'stop': open[0]}); }
  get sentence() {
    const [first, other] = this.trainers, losses = this.told(first), fields = {losses, without: other && this.without(other.open), others: other && this.told(other).replace(/^L /, '')};
    return filled(words.round, {round: grouped(first.n), losses: other ? filled(words.pair, fields) : losses});
  }
  tell() {
    const {first} = this, fields = {round: grouped(first.n), what: first.stopped || first.ended};
    say(first.stopped ? filled(words.overflow, fields) : first.ended ? filled(words.ended, fields) : this.sentence);
  }
  write() {
    const {first, trainers, doc} = this, [button] = $$('[data-train=run]');
    write(button, this.isOn ? words.pause : this.isOver ? words.more : words.train);
    button.classList.toggle('on', this.isOn);
    write($('round'), grouped(first.n));
    const bar = document.querySelector('#training progress'), whole = max(this.until || 0, doc.until);
    put(bar, 'max', whole);
    put(bar, 'value', first.n);
    if (whole !== doc.until) write($('until'), '');
    const pair = trainers.length > 1, mark = k => pair ? `<i class=k${k}>${'AB'[k]}</i> ` : '';
    $('losses').parentNode.hidden = !doc.plan.some(({rule}) => rule);
    this.markup($('losses'), trainers.map((item, k) => `<div>${mark(k)}${safe(this.losses(item)).replace(/^L /, '') || '\u2013'}</div>`).join(''));
    $$('[data-rate]').forEach(field => { if (field !== document.activeElement && field.getAttribute('aria-invalid') !== 'true') field.value = exact(first.rate(+field.dataset.rate)); });
    const told = x => typeof x === 'number' ? fmt(x) : '\u2013';
    this.markup($('measured'), this.shown.map(([title, of]) => `<div><dt>${safe(title)}<dd>${trainers.map((item, j) => `<div>${mark(j)}${told(of(item))}</div>`).join('')}</div>`).join(''));
    this.curve();
  }
  markup(node, text) { if (this[node.id + '_'] !== text) { this[node.id + '_'] = text; node.innerHTML = text; } }
  // Both runs in one chart: the graph's own one drawn through, the other dashed; one curve for each step.
  curve() {
    const {trainers, doc} = this, [wide, tall] = CURVE;
    const rows = trainers.flatMap((trainer, k) => {
      const steps = trainer.losses.flatMap((items, j) => doc.plan[j].rule ? [[items, j]] : []);
      return (steps.length ? steps : trainer.measured.map((items, j) => [items, j])).map(([items, j]) => ({items, look: `k${k} s${j % 3}`}));
    });
    const many = max(2, ...rows.map(row => row.items.length)), every = many / min(many, LONGEST_CURVE);
    const seen = rows.map(({items, look}) => ({look, points: Array.from({length: Math.ceil(items.length / every)}, (_, k) => [min(floor(k * every), items.length - 1)]).concat(items.length ? [[items.length - 1]] : []).map(([at]) => [at, items[at]]).filter(([, x]) => finite(x))}));
    const all = seen.flatMap(row => row.points.map(([, x]) => x)), low = min(...all), high = max(...all);
    const isLog = low > 0 && high / low > 200, scale = isLog ? log10 : x => x, base = scale(low), span = scale(high) - base || 1;
    const paths = seen.map(({look, points}) => {
      const data = points.map(([at, x], k) => `${k ? 'L' : 'M'}${r1(at / (many - 1) * (wide - 8) + 4)} ${r1(tall - 5 - (scale(x) - base) / span * (tall - 10))}`).join('');
      return data && `<path class="${look}" d="${data}"></path>`;
    });
    const svg = $('curve');
    put(svg, 'viewBox', `0 0 ${wide} ${tall}`);
    put(svg, 'preserveAspectRatio', 'none');
    put(svg, 'aria-label', filled(words.curve, {losses: this.sentence}));
    svg.innerHTML = paths.join('');
    write($('top'), all.length > 1 ? fmt(high) : '');
    write($('log'), isLog ? words.log : '');
    write($('bottom'), all.length > 1 ? fmt(low) : '');
  }
}
