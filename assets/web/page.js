// A page in a browser: pictures and table that follow the numbers, and what a reader's hand and keys do.
const $ = name => document.getElementById(name);
const say = text => { $('say').textContent = text; };
const EDITED = 64, LISTED = 8;
const write = (node, text) => { if (node.textContent !== text) node.textContent = text; };
const $$ = selector => [...document.querySelectorAll(selector)], root = document.documentElement;
const put = (node, name, value) => { if (value == null) node.removeAttribute(name); else if (node.getAttribute(name) !== value) node.setAttribute(name, value); };
// Writes markup; where it has the elements that the last one had, only what differs in them.
function renew(node, text, last) {
  const tags = item => item.match(/<\w[^>]*>[^<]*/g), now = tags(text), before = last && tags(last), bare = tag => tag.replace(/"[^"]*"|>.*/g, '');
  if (!now || !before || now.length !== before.length || /&/.test(text) || now.some((tag, k) => tag !== before[k] && bare(tag) !== bare(before[k]))) { node.innerHTML = text; return; }
  const nodes = node.getElementsByTagName('*');
  now.forEach((tag, k) => {
    if (tag === before[k]) return;
    for (const [, name, value] of tag.matchAll(/([\w-]+)="([^"]*)"/g)) put(nodes[k], name, value);
    if (nodes[k].localName === 'text') write(nodes[k], tag.split('>')[1]);
  });
}

// One page of the graph with its picture.
class Picture {
  constructor(live, script, svg) {
    Object.assign(this, {live, script, svg});
    const all = look => [...svg.querySelectorAll(look)];
    [this.wires, this.dots, this.bodies, this.blocks] = [all('.w'), all('.dot'), all('.v'), all('.b')];
    const places = script.labels.map(([row, form, pose, across, down, value, gradient, cause]) =>
      ({key: script.wires[row], form, pose, apart: [across, down], room: [value, gradient], cause}));
    this.labels = all('.l').map((node, k) => ({node, ...places[k]}));
    svg.querySelector('.was').remove();
    this.fit = svg.getAttribute('viewBox').split(' ').map(Number);
    this.box = [...this.fit];
    this.late = new Set();
    this.last = new Map();
  }
  // Writes what has changed.
  show(isMoved) {
    const {script, live} = this, entries = live.variant.wires;
    const found = new Map(script.wires.map(key => [key, live.read(entries[key])]));
    for (const r of found.values()) r.size = r.status === 'flow' ? norm(r.gradient) : 0;
    const norms = [...found.values()].map(r => r.size).filter(x => x > 0 && finite(x));
    this.scale = norms.length ? [max(...norms), min(max(log10(max(...norms)) - log10(min(...norms)), 2), 6)] : [1, 2];
    const looks = script.wires.map((key, row) => this.lookOf(key, row, found.get(key), isMoved));
    looks.forEach((look, row) => look && put(this.wires[row], 'class', `w ${look.name}${look.isLate ? ' late' : ''}`));
    script.dots.forEach((pair, k) => {
      const [one, two] = pair.map(row => looks[row] || {rank: 4, name: 'broken'}), look = two.rank > one.rank ? two : one;
      put(this.dots[k], 'class', 'dot ' + look.name);
    });
    for (const label of this.labels) this.write(label.node, 'l ' + found.get(label.key).status, labelMarkup(label, this.textsOf(label, found.get(label.key), isMoved)));
    script.bodies.forEach((body, k) => this.body(body, this.bodies[k]));
  }
  write(node, look, text) {
    if (look) put(node, 'class', look);
    const last = this.last.get(node);
    if (last === text) return;
    this.last.set(node, text);
    renew(node, text, last);
  }
  lookOf(key, row, r, isMoved) {
    if (!key) return null;
    const [top, span] = this.scale, {size} = r;
    const t = size > 0 ? min(max(1 - (log10(top) - log10(size)) / span, 0), 1) : 0;
    const isBreaking = isMoved ? !!r.value && isNaN(norm(r.value)) : this.script.breaks.includes(row);
    const rank = isBreaking || r.status === 'nonfinite' ? 3 : r.status === 'flow' ? 1 + t : this.live.doc.statuses.indexOf(r.status) / 100;
    return {rank, isLate: this.late.has(key), name: `${r.status} r${floor(t * 16 + 0.5)}${isBreaking ? ' breaks' : ''}`};
  }
  textsOf(label, r, isMoved) {
    const value = r.value && summary(r.value, r.shape, r.dtype);
    const gradient = gradientText(r, isMoved ? undefined : label.cause);
    return {value: value ? valueText(value) : '', brief: value ? briefText(value) : '', gradient: this.late.has(label.key) ? null : gradient};
  }
  body(body, node) {
    const r = this.live.read(this.live.variant.ports[body.port]);
    node.classList.toggle('old', !r.value);
    if (body.kind === 'number') return this.number(node, r, body.digits);
    if (!r.value) return;
    if (body.kind === 'values') this.write(node, '', AREAS[body.way](r.value, r.shape, body.box, true, ''));
    else if (body.kind === 'trainable') this.write(node, '', AREAS.trainable(r.value, r.gradient, r.shape, body.way, body.box));
    else this.sliders(body, node, r);
  }
  number(node, r, digits) {
    const text = node.querySelector('.nu'), next = node.querySelector('.an');
    if (!text) return;
    const said = !r.value ? '?' : r.dtype === 'bool' ? words[r.value[0] ? 'true' : 'false'] : fmt(r.value[0], digits);
    if (text.textContent === said) return;
    text.removeAttribute('textLength');
    text.textContent = said;
    if (next) put(next, 'x', r1(+text.getAttribute('x') + 9 * said.length + 12));
  }
  sliders(body, node, r) {
    this.write(node, '', slidersMarkup(body));
    const isLevel = body.kind === 'level', top = r.gradient ? max(0, ...Array.from(r.gradient, abs).filter(finite)) : 0;
    body.tracks.forEach((track, k) => {
      const slider = node.children[k], x = r.value[k], g = r.gradient ? r.gradient[k] : 0;
      const [filled, arrow, across, down] = sliderParts(isLevel, track, x, top && finite(g) ? g / top : 0, body.range);
      put(slider.children[2], 'd', filled);
      put(slider.children[3], 'd', arrow);
      put(slider.children[4], 'cx', across);
      put(slider.children[4], 'cy', down);
      write(slider.children[5], isLevel ? fmt(x) : fmtShort(x));
      put(slider, 'aria-valuenow', finite(x) ? exact(x) : null);
      put(slider, 'aria-valuetext', finite(x) ? null : exact(x));
    });
  }
  // What is seen.
  look(box, isChosen = true) {
    [this.box, this.isChosen] = [box, isChosen];
    this.svg.setAttribute('viewBox', box.join(' '));
  }
  whole() { this.look([...this.fit], false); }
  // Shows a part that somebody else has chosen: some of the page, neither too near nor too far.
  see([x, y, w, h]) {
    const [left, top, wide, tall] = this.fit, within = (item, low, high) => min(max(item, low), high), most = 8 * max(wide, tall);
    const across = within(w, 40, most), down = within(h, 40, most);
    if (w > 0 && h > 0) this.look([within(x, left - across, left + wide), within(y, top - down, top + tall), across, down]);
  }
  // Shows a block at a size that can be read, unless the whole page has one.
  around(block, across) {
    const room = this.svg.getBoundingClientRect(), [x, y, w, h] = this.fit, wide = room.width / 0.85, tall = room.height / 0.85;
    if (!block || !wide || min(room.width / w, room.height / h) >= 0.6) return;
    const {width, height} = block.getBBox(), {e, f} = block.transform.baseVal[0].matrix;
    const start = (middle, share, length, low, whole) => min(max(middle - share * length, low), max(low, low + whole - length));
    this.look([start(e + width / 2, across, wide, x, w), start(f + height / 2, 0.5, tall, y, h), wide, tall], false);
  }
  zoom(factor, at = {x: this.box[0] + this.box[2] / 2, y: this.box[1] + this.box[3] / 2}) {
    const [x, y, w, h] = this.box, by = min(max(factor, w / (8 * this.fit[2])), w / 40);
    this.look([at.x - (at.x - x) / by, at.y - (at.y - y) / by, w / by, h / by]);
  }
  at(event) { const m = this.svg.getScreenCTM().inverse(); return {x: event.clientX * m.a + m.e, y: event.clientY * m.d + m.f}; }
}

class Page {
  constructor(live) {
    this.live = live;
    this.pictures = live.doc.pages.map((script, k) => new Picture(live, script, $('g' + k)));
    this.step = -1;
    this.isMoved = false;
    [this.details] = $$('details');
    this.rows = [...this.details.querySelectorAll('tr[data-wire]')];
    this.pictures.forEach(picture => picture.show(false));
    this.choose(live.doc.first || 0);
  }
  get picture() { return this.pictures[this.shown]; }
  choose(k) {
    this.shown = k;
    this.pictures.forEach((picture, j) => { picture.svg.toggleAttribute('hidden', j !== k); });
    $$('[role=tab]').forEach((tab, j) => { tab.setAttribute('aria-selected', j === k); tab.tabIndex = j === k ? 0 : -1; });
    if (this.isMoved) this.picture.show(true);
  }
  soon() {
    if (this.waits) return;
    this.waits = true;
    requestAnimationFrame(() => { this.waits = false; this.live.run(); this.show(); });
  }
  show() {
    const {live} = this;
    document.body.classList.toggle('moved', this.isMoved);
    this.picture.show(this.isMoved);
    this.pictures.forEach(({blocks}) => blocks.forEach(b => b.classList.contains('stop') && put(b, 'aria-checked', String(!live.isOpen(b.dataset.result || b.dataset.path)))));
    const loss = live.variant.loss.length ? live.loss : undefined;
    write($('loss'), loss === undefined ? '' : 'L = ' + (loss === null ? '?' : fmt(loss)));
    if (this.details.open) this.table();
    if (live.failed.some(Boolean)) say(words.left);
    else if (live.isOld) say(filled(words.python, {blocks: live.doc.called.join(', ')}));
    if (this.onShow) this.onShow();
  }
  table() {
    for (const row of this.rows) {
      const key = row.dataset.wire, entry = this.live.variant.wires[key], r = this.live.read(entry);
      const list = items => JSON.stringify(Array.from(items.slice(0, EDITED), x => finite(x) ? x : exact(x)));
      const told = (name, items, view) => {
        const isLong = items && view >= 0 && isBig(this.live.views[view][3]);
        put(row, name, !items ? null : isLong ? `[${this.live.machine.texts(this.live.views[view], EDITED)}]` : list(items));
        put(row, name + '-norm', items && items.length > EDITED ? exact(norm(items)) : null);
      };
      put(row, 'data-status', r.status);
      told('data-value', r.value, entry ? entry[0] : -1);
      told('data-gradient', r.gradient, -1);
      const g = gradientText(r);
      write(row.cells[1], r.value ? valueText(summary(r.value, r.shape, r.dtype)) : '?');
      write(row.cells[2], g ? g.text : '');
      write(row.cells[3], words.statuses[r.status]);
    }
  }
  change(path, numbers) { this.isMoved = true; this.live.put(path, numbers); if (this.onChange) this.onChange(path); this.soon(); }
  toggle(block) {
    const path = block.dataset.result || block.dataset.path;
    this.isMoved = true;
    this.live.toggle(path);
    if (this.onToggle) this.onToggle();
    this.show();
    say(this.live.isOpen(path) ? words.open : words.closed);
  }
  reset() { this.isMoved = false; if (this.onReset) this.onReset(); this.live.reset(); this.show(); say(''); }
  // Step backward: gradients that the steps have not reached are faint.
  back(step) {
    const {order} = this.live.doc;
    this.step = max(-1, min(step, order.length - 1));
    const done = new Set(order.slice(0, this.step + 1)), isOn = this.step >= 0;
    for (const picture of this.pictures) {
      picture.blocks.forEach(b => b.classList.toggle('lit', isOn && (b.dataset.result || b.dataset.path) === order[this.step]));
      picture.late = new Set(picture.script.wires.filter(key => isOn && !done.has(key.split('>').pop().replace(/\.[^.]*$/, ''))));
      picture.show(this.isMoved);
    }
    say(isOn ? filled(words['step'], {'step': this.step + 1, 'count': order.length, 'block': order[this.step]}) : '');
  }
}

function interact(page) {
  const {live} = page, [main] = $$('main'), card = $('card'), points = new Map();
  let drag = null, pinned = null, over = null, remark = '';
  const on = (at, kind, call) => at.addEventListener(kind, call, {passive: false});
  const pathOf = block => block.dataset.path, resultOf = block => block.dataset.result || block.dataset.path;
  const list = items => Array.from(items.slice(0, LISTED), x => fmt(x)).join('  ') + (items.length > LISTED ? ` \u2026 (${items.length})` : '');
  // Says where NaN, or else infinity, comes from.
  const birth = ({status, value}) => {
    if (status !== 'nonfinite' && (!value || value.every(finite))) return '';
    const first = live.bounds.first(x => x !== x), block = first || live.bounds.first(x => !finite(x));
    return block ? filled(words[first ? 'nan' : 'infinite'], {'block': block}) : '';
  };
  const told = (title, r) => `<b>${safe(title)}</b> <span>${safe(r.dtype)} [${shapeText(r.shape)}]</span><dl><dt>${safe(words.value)}<dd>${r.value ? list(r.value) : '?'}<dt>\u2202L<dd>${safe(r.status === 'flow' || r.status === 'zero' || r.status === 'nonfinite' ? list(r.gradient) : words.labels[r.status])}</dl>${safe(words.sentences[r.status])} ${safe(birth(r))}`;
  const near = box => {
    card.hidden = false;
    put(card, 'style', null);
    const x = max(4, min(box.left, innerWidth - card.offsetWidth - 8));
    const y = box.bottom + 10 + card.offsetHeight > innerHeight ? max(4, box.top - card.offsetHeight - 10) : box.bottom + 10;
    card.style.transform = `translate(${x}px,${y}px)`;
  };
  const hide = () => { if (!pinned && !remark) { card.hidden = true; over = null; } };
  const about = node => {
    const block = node.closest('.b'), label = node.closest('.l'), wire = node.closest('.w');
    if (block) {
      const port = Object.keys(live.variant.ports).find(key => key.replace(/\.[^.]*$/, '') === resultOf(block));
      return port ? told(block.getAttribute('aria-label'), live.read(live.variant.ports[port])) : '';
    }
    const key = label ? label.dataset.wire : wire ? page.picture.script.wires[page.picture.wires.indexOf(wire)] : '';
    return key ? told(key.replace('>', ' \u2192 '), live.read(live.variant.wires[key])) : '';
  };
  const fill = () => { card.innerHTML = (remark ? `<p>${safe(remark)}</p>` : '') + about(over); };
  const show = (node, box) => { if (!about(node)) return hide(); over = node; fill(); near(box); };
  // A card that stays open follows the numbers.
  page.onShow = () => { if (over && !pinned && !card.hidden) fill(); };
  // Brings a block into view, with a sentence above its card.
  const tell = ({dataset: {at}, parentNode}) => {
    const find = ({blocks}) => blocks.find(b => resultOf(b) === at || pathOf(b) === at), where = page.pictures.findIndex(find);
    if (where < 0) return;
    forget();
    page.choose(where);
    page.picture.around(find(page.picture), 0.5);
    remark = parentNode.textContent;
    over = find(page.picture);
    over.classList.add('lit');
    fill();
    near(over.getBoundingClientRect());
  };
  const forget = () => {
    if (pinned) close();
    if (remark) over.classList.remove('lit');
    remark = '';
    hide();
  };

  // Sliders.
  const sliderOf = node => {
    const slider = node.closest('.sl');
    if (!slider) return null;
    const {bodies, script} = page.picture, place = bodies.indexOf(slider.parentNode), body = script.bodies[place];
    return {slider, body, n: [...slider.parentNode.children].indexOf(slider), isStuck: slider.getAttribute('aria-disabled') === 'true'};
  };
  const slide = ({body, n}, number) => {
    const source = live.sources.get(body.path), numbers = Array.from(source.numbers), [low, high] = body.range;
    const whole = source.dtype.includes('int') ? Math.round(number) : number;
    numbers[n] = min(max(finite(whole) ? whole : low, low), high);
    page.change(body.path, numbers);
  };
  const byKey = (s, steps) => {
    const source = live.sources.get(s.body.path), [low, high] = s.body.range, x = source.numbers[s.n];
    let by = (high - low) * steps / 100;
    if (source.dtype.includes('int') && abs(by) < 1) by = Math.sign(by);
    slide(s, x + (source.dtype.includes('int') ? Math.round(by) : by));
  };
  // Fields for the numbers of other sources.
  const edit = block => {
    const path = pathOf(block), source = live.sources.get(path);
    if (!source || !canMove(source)) return false;
    pinned = block;
    card.classList.add('pinned');
    const field = (x, n) => `<input inputmode="text" spellcheck="false" size="9" aria-label="${safe(path)}[${n}]" value="${exact(x)}">`;
    card.innerHTML = `<b>${safe(path)}</b> <button type="button" aria-label="${safe(words.close)}">\u00d7</button><div>` +
      Array.from(source.numbers, field).join('') + '</div>';
    near(block.getBoundingClientRect());
    card.querySelector('button').onclick = close;
    card.querySelector('input').select();
    return true;
  };
  const close = () => { const block = pinned; pinned = null; card.classList.remove('pinned'); hide(); if (block) block.focus(); };
  const apply = field => {
    const path = pathOf(pinned), source = live.sources.get(path), fields = [...card.querySelectorAll('input')], number = typed(field.value, source.dtype);
    field.setAttribute('aria-invalid', number === undefined);
    if (number === undefined) return say(filled(words.wrong, {'text': field.value}));
    const numbers = Array.from(source.numbers);
    numbers[fields.indexOf(field)] = number;
    page.change(path, numbers);
    field.value = exact(live.sources.get(path).numbers[fields.indexOf(field)]);
  };

  on(main, 'pointerdown', e => {
    if (e.target.closest('#card')) return;
    forget();
    points.set(e.pointerId, e);
    const s = sliderOf(e.target), block = e.target.closest('.b');
    drag = null;
    if (s && !s.isStuck && e.button === 0) { s.slider.focus(); drag = {s, at: page.picture.at(e), from: live.sources.get(s.body.path).numbers[s.n]}; }
    else if (s && s.isStuck) say(words.stuck);
    else if (!block) drag = {pan: page.picture.at(e)};
    if (drag) main.setPointerCapture(e.pointerId);
  });
  // Parts of a picture have no `touch-action` of their own.
  on(main, 'touchstart', e => { if (sliderOf(e.target)) e.preventDefault(); });
  on(main, 'pointermove', e => {
    if (!points.has(e.pointerId)) {
      if (pinned || drag || remark) return;
      const node = e.target.closest && e.target.closest('.l,.w,.b');
      if (node !== over) node ? show(node, {left: e.clientX + 8, bottom: e.clientY, top: e.clientY}) : hide();
      return;
    }
    if (points.size === 2) {
      const far = () => { const [p, q] = points.values(); return Math.hypot(p.clientX - q.clientX, p.clientY - q.clientY); }, before = far();
      points.set(e.pointerId, e);
      const [p, q] = points.values();
      if (before) page.picture.zoom(far() / before, page.picture.at({clientX: (p.clientX + q.clientX) / 2, clientY: (p.clientY + q.clientY) / 2}));
      return;
    }
    points.set(e.pointerId, e);
    const at = page.picture.at(e);
    if (drag && drag.s) {
      const {s} = drag, [low, high] = s.body.range, isLevel = s.body.kind === 'level', way = isLevel ? at.x - drag.at.x : drag.at.y - at.y;
      slide(s, (finite(drag.from) ? drag.from : low) + way / s.body.tracks[s.n][2] * (high - low));
    } else if (drag) {
      const [x, y, w, h] = page.picture.box;
      page.picture.look([x + drag.pan.x - at.x, y + drag.pan.y - at.y, w, h]);
    }
  });
  const up = e => { points.delete(e.pointerId); drag = null; };
  on(main, 'pointerup', up);
  on(main, 'pointercancel', up);
  on(main, 'pointerleave', hide);
  on(main, 'click', e => { const stop = e.target.closest('.stop'); if (stop) { stop.focus(); page.toggle(stop); } });
  on(main, 'dblclick', e => { const block = e.target.closest('.b'); if (block && !e.target.closest('.sl')) edit(block); });
  on(main, 'wheel', e => {
    // Inside of an article the wheel moves that, unless the reader has gone into the frame.
    if (self !== top && !e.ctrlKey && !document.hasFocus()) return;
    e.preventDefault();
    forget();
    page.picture.zoom(exp(-e.deltaY * (e.ctrlKey ? 0.01 : 0.0015)), page.picture.at(e));
  });
  on(main, 'focusin', e => { if (!pinned && !drag && !remark && e.target.matches('.b:focus-visible')) show(e.target, e.target.getBoundingClientRect()); });
  on(main, 'focusout', hide);
  on(card, 'keydown', e => {
    if (e.key === 'Escape') close();
    else if (e.key === 'Enter' && e.target.matches('input')) apply(e.target);
    else return;
    e.preventDefault();
    e.stopPropagation();
  });
  const onSlider = (e, s) => {
    const by = {ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1}[e.key] * (e.shiftKey ? 10 : 1) || {PageUp: 10, PageDown: -10}[e.key];
    if (!by && e.key !== 'Home' && e.key !== 'End') return false;
    if (s.isStuck) say(words.stuck);
    else if (by) byKey(s, by);
    else slide(s, s.body.range[e.key === 'Home' ? 0 : 1]);
    return true;
  };
  on(document, 'keydown', e => {
    if (e.target.closest('input,select') || (e.target.closest('button,summary,[role=tab]') && !['Escape', ',', '.'].includes(e.key))) return;
    const s = main.contains(e.target) && sliderOf(e.target), block = main.contains(e.target) && e.target.closest('.b');
    const [x, y, w, h] = page.picture.box, way = {ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0]}[e.key];
    if (e.altKey || e.metaKey || e.ctrlKey) return;
    if (s && onSlider(e, s)) ;
    else if (block && (e.key === 'Enter' || e.key === ' ')) { if (block.classList.contains('stop')) page.toggle(block); else if (!edit(block)) return; }
    else if (e.key === ',' || e.key === '.') page.back(page.step + (e.key === '.' ? 1 : -1));
    else if (e.key === 'Escape') { forget(); page.back(-1); }
    else if (!main.contains(e.target) && e.target !== document.body) return;
    else if (way) page.picture.look([x + way[0] * w / 12, y + way[1] * h / 12, w, h]);
    else if (e.key === '+' || e.key === '-') page.picture.zoom(e.key === '+' ? 1.2 : 1 / 1.2);
    else if (e.key === '0') page.picture.whole();
    else return;
    e.preventDefault();
  });
  const actions = {back: () => page.back(page.step - 1), on: () => page.back(page.step + 1), all: () => page.back(-1), reset: () => page.reset(),
    fit: () => page.picture.whole(), nearer: () => page.picture.zoom(1.3), farther: () => page.picture.zoom(1 / 1.3),
    link: () => copyLink(page), graph: () => download(live.doc.graph)};
  $$('button[data-do]').forEach(button => { button.onclick = actions[button.dataset.do]; });
  const tabs = $$('[role=tab]');
  tabs.forEach((tab, k) => {
    tab.onclick = () => page.choose(k);
    tab.onkeydown = e => {
      const next = {ArrowRight: k + 1, ArrowLeft: k - 1}[e.key];
      if (next !== undefined && tabs[next]) { tabs[next].focus(); page.choose(next); }
    };
  });
  on(page.details, 'toggle', () => { if (page.details.open) page.table(); });
  on(window, 'hashchange', () => { page.reset(); page.back(-1); follow(page); });
  root.classList.toggle('framed', self !== top);
  // A frame that was written by its article has no address of its own.
  $$('[data-do=link]')[0].hidden = location.protocol === 'about:';
  // A screen that is too small for the whole page begins where it can be read, at the loss.
  const {picture} = page, guilty = $$('[data-at]');
  guilty.forEach(button => { button.onclick = () => tell(button); });
  const begin = () => {
    if (innerWidth < 700 || (innerHeight < 450 && self === top)) picture.around(picture.blocks.find(b => live.doc.losses.includes(resultOf(b))) || picture.blocks.at(-1), 0.7);
  };
  begin();
  // A frame may have its own size only now.
  on(window, 'resize', () => { if (!picture.isChosen && !remark) begin(); });
  if (guilty.length && !location.hash) tell(guilty[0]);
}

(async () => {
  try {
    const [doc, memories, rest] = await Live.unpacked($('data').textContent);
    words = doc['words'];
    const page = window.page = new Page(new Live(doc, memories));
    interact(page);
    if (doc.training) page.desk = new Desk(page, rest);
    follow(page);
    root.dataset.live = 'yes';
    if (page.details.open) page.table();
  } catch (error) {
    root.dataset.live = 'no';
    say(`${$('data').dataset.no} (${error.message})`);
  }
})();
