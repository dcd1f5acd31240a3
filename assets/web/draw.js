// Texts and shapes as the program writes them: letter for letter those of app/look/numbers and app/web.
const MINUS = '\u2212', NEAR = 1e-5, FEW = 4, KEPT = 16, DIGITS = 3;
const safe = text => String(text).replace(/[&<>"]/g, c => ({'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;'})[c]);
const r1 = x => String(floor(x * 10 + 0.5) / 10);
const exact = x => finite(x) ? String(x) : x !== x ? 'nan' : x > 0 ? 'inf' : '-inf';
let words = {decimal: '.', group: ','};
const filled = (text, fields) => text.replace(/\{(\w+)\}/g, (_, key) => fields[key]);
const grouped = n => String(n).replace(/\B(?=(\d{3})+$)/g, words.group);

// Returns the digits of a size and its exponent; exact ties go to the even digit, as in Python.
function digitsOf(size, count) {
  let [mantissa, exponent] = size.toExponential(count - 1).split('e');
  // A tie has a five there, and nothing behind it: only then are all digits worth their time.
  if (/5e/.test(size.toExponential(count))) {
    const [more, least] = size.toExponential(100).split('e'), plain = more.replace('.', '');
    if (/^50*$/.test(plain.slice(count)) && +plain[count - 1] % 2 === 0) return [plain.slice(0, count), +least];
  }
  return [mantissa.replace('.', ''), +exponent];
}
function fixed(digits, exponent) {
  if (exponent < 0) return '0.' + '0'.repeat(-exponent - 1) + digits;
  const whole = digits.padEnd(exponent + 1, '0');
  return exponent + 1 < whole.length ? whole.slice(0, exponent + 1) + '.' + whole.slice(exponent + 1) : whole;
}
const stripped = text => text.includes('.') ? text.replace(/\.?0+$/, '') : text;
const general = (size, count) => stripped(fixed(...digitsOf(size, count)));
const isExact = (text, size) => abs(+text - size) <= NEAR * size;
function withDigits(size, count) {
  const text = general(size, count);
  return isExact(text, size) ? text : fixed(...digitsOf(size, count));
}
const signed = (text, x) => ((x < 0 ? MINUS : '') + text).replace('.', words.decimal);
const withoutZero = (text, x) => signed(text.startsWith('0.') && words.decimal === '.' ? text.slice(1) : text, x);
function fmt(x, count = 4) {
  if (x !== x) return 'NaN';
  const size = abs(x);
  if (size === Infinity) return x > 0 ? 'inf' : MINUS + 'inf';
  if (!size) return '0';
  const text = withDigits(size, size < 1 ? 3 : size < 999.5 ? count : 4);
  if (+text >= 0.001 && +text < 10000) return signed(text, x);
  const [digits, exponent] = digitsOf(size, 2), mantissa = digits[0] + '.' + digits[1], short = mantissa.replace('.0', '');
  const told = isExact(short + 'e' + exponent, size) ? short : mantissa;
  return signed(`${told}e${String(exponent).replace('-', MINUS)}`, x);
}
function shortest(x) {
  const [digit, exponent] = digitsOf(abs(x), 1);
  return `${x < 0 ? MINUS : ''}${digit}e${exponent < 0 ? MINUS : ''}${abs(exponent)}`;
}
function fmtShort(x, count = 2) {
  const size = abs(x);
  if (!finite(x) || !size || !(size >= 0.01 && size < 1000)) return size > 0 && size < 0.01 ? shortest(x) : fmt(x);
  return withoutZero(size < 10 ** count - 0.5 ? withDigits(size, count) : fixed(...digitsOf(size, size < 999.5 ? 3 : 4)), x);
}
function fmtBrief(x, count = 2) {
  const size = abs(x);
  if (!(size > 0 && size < 0.01)) return fmtShort(x, count);
  const [digit, exponent] = digitsOf(size, 1);
  if (isExact(`${digit}e${exponent}`, size)) return fmtShort(x, count);
  return size >= 0.001 ? withoutZero(fixed(...digitsOf(size, count)), x) : fmt(x);
}
const shapeText = shape => shape.join('\u00d7');

// The summary of a tensor.
function summary(items, shape, dtype) {
  let sum = 0, squares = 0, nan = 0, infinite = 0;
  const count = items.length;
  for (let k = 0; k < count; k++) {
    const x = items[k];
    if (x !== x) nan++;
    else if (x - x) infinite++;
    else { sum += x; squares += x * x; }
  }
  return {items, shape, dtype, count, nan, infinite, sum, norm: nan ? NaN : infinite ? Infinity : sqrt(squares)};
}
const partOf = (r, name, count) => filled(words.some, {'name': name, 'count': grouped(count), 'size': grouped(r.count)});
const broken = r => {
  if (r.count === 1) return fmt(r.items[0]);
  return r.nan ? partOf(r, 'NaN', r.nan) + (r.infinite ? ', inf ' + grouped(r.infinite) : '') : partOf(r, 'inf', r.infinite);
};
function valueText(r) {
  const {count, items, shape} = r;
  if (r.dtype === 'bool') return count <= FEW ? Array.from(items, x => x ? 'T' : 'F').join(' ') : partOf(r, words.true, r.sum);
  if (count === 1) return fmt(items[0], DIGITS);
  if (count && count <= FEW) return Array.from(items, x => fmtBrief(x, DIGITS)).join(' ');
  if (!count) return words.empty;
  return r.nan || r.infinite ? broken(r) : shape.length > 1 ? shapeText(shape) : filled(words['numbers'], {'count': grouped(count)});
}
function briefText({count, items, shape, dtype, nan, infinite}) {
  if (count <= FEW) return count > 1 && dtype !== 'bool' ? Array.from(items, x => fmtBrief(x)).join(' ') : '';
  return nan ? 'NaN' : infinite ? 'inf' : shape.includes(count) ? '\u00d7' + grouped(count) : shapeText(shape);
}
// The row of a gradient in a label; `cause` is what the program found, as long as nothing has moved.
function gradientText({status, value, gradient, shape, dtype}, mark = '') {
  if (status === 'no_gradient_dtype' || status === 'no_path' || (status === 'unknown' && value)) return null;
  const r = gradient && summary(gradient, shape, dtype);
  const look = {status, text: words.labels[status], isBoxed: words.boxed.includes(status), bars: [], mark: '', number: ''};
  if (look.isBoxed && status !== 'nonfinite') look.number = '0';
  if (status === 'nonfinite') return {...look, text: broken(r), isBoxed: true, number: r.nan ? 'NaN' : 'inf'};
  if (status === 'zero') return {...look, text: r.norm === 0 ? '0' : '\u2248 0', mark};
  if (status !== 'flow') return look;
  if (!r.count) return {...look, text: words.empty, mark};
  if (r.count === 1) return {...look, text: fmt(r.items[0], DIGITS), mark};
  return {...look, text: fmt(r.norm, DIGITS), bars: r.count <= KEPT ? Array.from(r.items) : [], mark};
}

// Labels: forms from 0 (whole) to 2 (the number of the gradient alone), and where the rows stand.
const GLYPH = 14, BARS = 26, BETWEEN = 4, GAP = 5, ROW = 15, BESIDE = 8, ALONE = 2;
const rowMargin = form => form ? 2 : 4;
const valueShown = (label, form) => form === ALONE && label.gradient ? '' : form ? label.brief || label.value : label.value;
const gradientShown = (g, form) => form ? g.number || g.text : g.text;
const glyphOf = (g, form) => g.status === 'flow' ? form ? '' : g.mark : g.mark || g.status;
const gradientMargin = (g, form) => g.isBoxed ? 5 : rowMargin(form);
function widthsOf(label, form) {
  const value = valueShown(label, form), g = label.gradient, letter = words['look'].letter;
  const above = value ? letter * value.length + 2 * rowMargin(form) : 0;
  if (!g) return [above, 0];
  const bars = g.bars.length && !form ? BARS : 0;
  return [above, letter * gradientShown(g, form).length + (glyphOf(g, form) ? GLYPH : 0) + bars + 2 * gradientMargin(g, form)];
}
function rowBoxes(pose, [value, gradient], [across, down]) {
  const box = (left, top, width) => [left, top, left + width, top + ROW], centred = (width, top) => box(-width / 2, top, width);
  const above = -GAP - ROW, below = GAP;
  if (!value || !gradient) {
    const width = value || gradient, isAbove = pose === 'ABOVE' || pose === 'OVER' || (pose === 'ACROSS' && value);
    const lone = pose === 'RIGHT' ? box(BESIDE, -ROW / 2, width) : pose === 'LEFT' ? box(-BESIDE - width, -ROW / 2, width) :
      pose === 'LEADER' ? box(across - width / 2, down - ROW / 2, width) : centred(width, isAbove ? above : below);
    return value ? [lone, null] : [null, lone];
  }
  if (pose === 'ACROSS') return [centred(value, above), centred(gradient, below)];
  if (pose === 'ABOVE' || pose === 'BELOW') {
    const top = pose === 'ABOVE' ? above : below, left = -(value + BETWEEN + gradient) / 2;
    return [box(left, top, value), box(left + value + BETWEEN, top, gradient)];
  }
  if (pose === 'OVER' || pose === 'UNDER') {
    const top = pose === 'OVER' ? above - ROW : below;
    return [centred(value, top), centred(gradient, top + ROW)];
  }
  if (pose === 'RIGHT') return [box(BESIDE, -ROW, value), box(BESIDE, 0, gradient)];
  if (pose === 'LEFT') return [box(-BESIDE - value, -ROW, value), box(-BESIDE - gradient, 0, gradient)];
  return [box(across - value / 2, down - ROW, value), box(across - gradient / 2, down, gradient)];
}
function componentBars(numbers, left) {
  const kept = numbers.filter(finite), most = max(0, ...kept.map(abs));
  if (!most) return '';
  const low = min(...kept), high = max(...kept), both = low < 0 && high > 0;
  const base = both ? 0 : high > 0 ? 5.5 : -5.5, reach = both ? 5.5 : 11;
  const each = 22 / numbers.length, width = max(each - 0.6, 0.8);
  const data = numbers.map((x, k) => { const h = x / most * reach;
    return finite(x) ? `M${r1(left + k * each)} ${r1(min(base, base - h))}h${r1(width)}v${r1(max(abs(h), 1))}h${r1(-width)}z` : ''; });
  return `<path d="${data.join('')}"></path>`;
}
// Returns the elements of a label; where its texts have grown, in a shorter form that has room.
function labelMarkup({form, pose, apart, room}, label) {
  let widths = widthsOf(label, form);
  while (form < ALONE && widths.some((width, k) => width > room[k] + 30)) widths = widthsOf(label, ++form);
  const [value, gradient] = rowBoxes(pose, widths, apart), g = label.gradient;
  // A row, seen from the left end of its content; the style sheet has all that is the same in each.
  const row = (look, [left, top, right], margin, mark, said, more = '') =>
    `<g class="${look}${margin === 2 ? ' sh' : ''}" transform="translate(${r1(left + margin)} ${r1(top + ROW / 2)})"><rect width="${r1(right - left)}"></rect>` +
    (mark ? `<use href="#m-${mark}"></use>` : '') +
    `<text${mark ? ` x="${GLYPH}"` : ''}>${safe(said)}</text>${more}</g>`;
  let found = '';
  if (pose === 'LEADER') {
    const half = max(...widths) / 2, tall = (widths.every(Boolean) ? 1 : 0.5) * ROW;
    const end = (way, most) => way - Math.sign(way) * min(abs(way), most);
    found += `<path class="ld" d="M0 0L${r1(end(apart[0], half))} ${r1(end(apart[1], tall))}"></path><circle class="dt" r="1.8"></circle>`;
  }
  if (value) found += row('lv', value, rowMargin(form), '', valueShown(label, form));
  if (gradient && g) {
    const own = gradientMargin(g, form);
    const bars = g.bars.length && !form ? componentBars(g.bars, gradient[2] - gradient[0] - 2 * own - 22) : '';
    found += row(g.isBoxed ? 'lg bx' : 'lg', gradient, own, glyphOf(g, form), gradientShown(g, form), bars);
  }
  return found;
}

// Values in blocks.
const cross = (x, y) => `M${r1(x - 4)} ${r1(y - 4)}l8 8m0 -8l-8 8`;
const word = (look, x, y, text) => `<text class="${look}" x="${r1(x)}" y="${r1(y)}">${text}</text>`;
const cuts = (length, count) => Array.from({length: count}, (_, k) => floor(k * (length / count)));
function means(items, count) {
  if (items.length <= count) return Array.from(items);
  const starts = [...cuts(items.length, count), items.length];
  return starts.slice(0, -1).map((start, k) => { let sum = 0; for (let j = start; j < starts[k + 1]; j++) sum += items[j]; return sum / (starts[k + 1] - start); });
}
// Ways to show numbers, and the value of a Variable above its gradient. A page has those that it needs.
const AREAS = {
  bars: (items, shape, [left, top, width, height], hasNumbers, token) => {
    const numbers = Array.from(items.slice(0, KEPT));
    if (!numbers.length) return '';
    const room = width / numbers.length + 2;
    const forms = hasNumbers ? [3, 2].map(digits => numbers.map(x => fmtShort(x, digits))) : [];
    const texts = forms.find(form => form.every(text => text.length * 6 <= room)) || [];
    const tall = height - (texts.length ? 14 : 4), kept = numbers.filter(finite);
    const high = max(0, ...kept), span = high - min(0, ...kept) || 1;
    const zero = top + 2 + tall * high / span, each = width / numbers.length, inset = min(2, each / 6), wide = each - 2 * inset;
    let bars = '', crosses = '';
    numbers.forEach((v, k) => {
      const x = left + k * each + inset, h = tall * v / span;
      if (!finite(v)) { crosses += cross(x + wide / 2, top + 2 + tall / 2); return; }
      const isSeen = abs(h) >= 1;
      bars += `M${r1(x)} ${r1(isSeen ? min(zero, zero - h) : zero - 0.5)}h${r1(wide)}v${r1(isSeen ? abs(h) : 1)}h${r1(-wide)}z`;
    });
    return `<path class="ba${token}" d="${bars}"></path>` + (crosses ? `<path class="al" d="${crosses}"></path>` : '') +
      `<path class="zl" d="M${r1(left)} ${r1(zero)}h${r1(width)}"></path>` +
      texts.map((text, k) => word('m', left + (k + 0.5) * each, top + height - 2.41, text)).join('');
  },
  curve: (items, shape, [left, top, width, height], hasNumbers, token) => {
    const ground = `<rect class="sk" x="${r1(left)}" y="${r1(top)}" width="${r1(width)}" height="${r1(height)}"></rect>`;
    const points = means(items, 64), kept = points.filter(finite);
    if (!kept.length) return `${ground}<path class="al" d="${cross(left + width / 2, top + height / 2)}"></path>`;
    const low = min(...kept), span = max(...kept) - low || 1, step = (width - 6) / max(points.length - 1, 1);
    let data = '', isOn = false;
    points.forEach((v, k) => {
      if (finite(v)) data += `${isOn ? 'L' : 'M'}${r1(left + 3 + k * step)} ${r1(top + height - 4 - (v - low) / span * (height - 8))}`;
      isOn = finite(v);
    });
    return `${ground}<path class="cu${token}" d="${data}"></path>`;
  },
  cells: (items, shape, [left, top, width, height]) => {
    const rows = shape.at(-2), columns = shape.at(-1), bands = [];
    const starts = rows > 4 ? [...cuts(rows, 4), rows] : Array.from({length: rows + 1}, (_, k) => k);
    for (let band = 0; band + 1 < starts.length; band++) {
      const line = [];
      for (let c = 0; c < columns; c++) {
        let sum = 0;
        for (let r = starts[band]; r < starts[band + 1]; r++) sum += items[r * columns + c];
        line.push(sum / (starts[band + 1] - starts[band]));
      }
      bands.push(means(line, 13));
    }
    const wide = width / bands[0].length, tall = height / bands.length, notch = min(wide, tall) * 0.35, paths = new Map();
    const most = bands.flat().filter(finite).reduce((a, b) => max(a, abs(b)), 0) || 1;
    let notches = '';
    bands.forEach((line, r) => line.forEach((v, c) => {
      const look = finite(v) ? `c${floor(v / most * 10 + 0.5)}`.replace('-', 'm') : 'cx', x = left + c * wide, y = top + r * tall;
      paths.set(look, `${paths.get(look) || ''}M${r1(x)} ${r1(y)}h${r1(wide - 1)}v${r1(tall - 1)}h${r1(1 - wide)}z`);
      if (finite(v) && v < 0) { const end = r1(x + wide - 1); notches += `M${end} ${r1(y)}h${r1(-notch)}L${end} ${r1(y + notch)}z`; }
    }));
    return [...paths].map(([look, data]) => `<path class="${look}" d="${data}"></path>`).join('') + (notches ? `<path class="no" d="${notches}"></path>` : '');
  },
  trainable: (value, gradient, shape, way, [left, top, width, height]) => {
    const draw = AREAS[way], half = (height - 8) / 2, area = [left, top + 14, width, half - 14];
    const found = draw(value, shape, area, false, '');
    if (!gradient) return found;
    area[1] += half + 8;
    return found + word('gn', left + width, top + half + 18, `|\u2202L| ${fmt(norm(gradient))}`) + draw(gradient, shape, area, false, ' g');
  },
};
function arrowPath(x, y, across, down) {
  const length = abs(across) + abs(down);
  if (length < 0.5) return '';
  const ux = across / length, uy = down / length, ex = x + across, ey = y + down, end = `${r1(ex)} ${r1(ey)}`;
  return `M${r1(x)} ${r1(y)}L${end}M${r1(ex - ux * 3.5 - uy * 3)} ${r1(ey - uy * 3.5 + ux * 3)}L${end}L${r1(ex - ux * 3.5 + uy * 3)} ${r1(ey - uy * 3.5 - ux * 3)}`;
}
// Returns the sliders of an Input without what follows its numbers; the bounds of a level one stand beside its number.
function slidersMarkup({kind, path, range, tracks, title, stuck, ends}) {
  const isLevel = kind === 'level', limits = range.map(exact), more = (isLevel ? '' : ' aria-orientation=vertical') + (stuck ? ' aria-disabled=true' : '');
  return tracks.map(([x, y, length, left, top, width, height], k) => {
    const data = `M${r1(x)} ${r1(y)}${isLevel ? 'h' : 'v'}${r1(length)}`;
    const text = isLevel ? word('sn', left, top + 14.7, '') + '</g>' + word('rg', left + width, top + 14, ends) : word('m', x, top + height - 4.4, '') + '</g>';
    return `<g class=sl role=slider tabindex=0 aria-valuemin=${limits[0]} aria-valuemax=${limits[1]}${more} aria-label="${safe(`${title} ${path}[${k}]`)}">` +
      `<rect class=hit x=${r1(left)} y=${r1(top)} width=${r1(width)} height=${r1(height)} /><path class=tr d="${data}" />` +
      `<path class=fi /><path class=sa /><circle class=kn r=4.5 />${text}`;
  }).join('');
}
// Returns the filled part of a slider's track, its arrow, and the middle of its knob.
function sliderParts(isLevel, [x, y, length], number, slope, [low, high]) {
  const share = v => finite(v) ? min(max((v - low) / (high - low), 0), 1) : 0;
  if (isLevel) {
    const knob = x + share(number) * length;
    return [`M${r1(x + share(0) * length)} ${r1(y)}H${r1(knob)}`, arrowPath(knob, y - 9, slope * 16, 0), r1(knob), r1(y)];
  }
  const knob = y + length - share(number) * length;
  return [`M${r1(x)} ${r1(y + length - share(0) * length)}V${r1(knob)}`, arrowPath(x + 8, knob, 0, -slope * 16), r1(x), r1(knob)];
}
