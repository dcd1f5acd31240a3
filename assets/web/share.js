// What is shown as the fragment of an address: numbers, stops, step, page and view, such as #x=1,3,3&stop=open&step=4.
const KEYS = ['page', 'step', 'view'], SPECIAL = new Map([['nan', NaN], ['inf', Infinity], ['-inf', -Infinity]]);

// Returns the number of a text, undefined if it is none that fits the dtype.
function typed(text, dtype) {
  const plain = text.trim().toLowerCase().replace(MINUS, '-'), isSpecial = SPECIAL.has(plain);
  const number = isSpecial ? SPECIAL.get(plain) : plain ? Number(plain) : NaN;
  return (number === number || isSpecial) && (!dtype.includes('int') || Number.isInteger(number)) ? number : undefined;
}
const canMove = source => source.dtype !== 'bool' && source.numbers.length > 0 && source.numbers.length <= EDITED;

const inAddress = text => encodeURIComponent(text).replace(/%2F/g, '/');
// A fragment, and whether it leads to where a training began: of variables with many numbers it can hold none.
function fragmentOf(page) {
  const {live, picture} = page, first = page.pictures[0].script['name'] + '/', found = [];
  const put = (path, text) => {
    const rest = path.startsWith(first) ? path.slice(first.length) : path;
    const key = rest.includes('/') || KEYS.includes(rest) ? path : rest;
    found.push(`${inAddress(key)}=${text.replace(/\+/g, '')}`);
  };
  const isBegun = [...live.sources.values()].some(source => differs(source) && !canMove(source));
  for (const [path, {numbers: newest, start}] of live.sources) {
    const numbers = isBegun ? page.desk.start.get(path) : newest;
    if (differs({numbers, start})) put(path, Array.from(numbers, exact).join());
  }
  const opened = live.doc.variants[live.doc.start || 0].open;
  for (const stop of live.stops) if (live.isOpen(stop) !== opened.includes(stop)) put(stop, live.isOpen(stop) ? 'open' : 'closed');
  if (page.shown !== live.doc.first) found.push(`page=${inAddress(picture.script['name'])}`);
  if (page.step >= 0) found.push(`step=${page.step + 1}`);
  if (picture.isChosen) found.push(`view=${picture.box.map(r1).join()}`);
  return [found.join('&'), isBegun];
}
// Shows what the fragment of the page's address says; what it does not know it leaves out.
function follow(page) {
  const {live} = page, first = page.pictures[0].script['name'], given = new URLSearchParams(location.hash.slice(1)), open = new Set(live.variant.open);
  for (const [key, text] of given) {
    const path = live.sources.has(key) || live.stops.includes(key) ? key : `${first}/${key}`, source = live.sources.get(path);
    if (live.stops.includes(path) && /^(open|closed)$/.test(text)) {
      text === 'open' ? open.add(path) : open.delete(path);
      page.isMoved = true;
    } else if (source && canMove(source)) {
      const numbers = text.split(',').map(item => typed(item, source.dtype));
      if (numbers.length !== source.numbers.length || numbers.includes(undefined)) continue;
      live.put(path, numbers);
      page.isMoved = true;
    }
  }
  if (page.isMoved) live.open(open);
  const name = given.get('page'), at = page.pictures.findIndex(({script}) => script['name'] === name);
  if (at >= 0) page.choose(at);
  if (page.isMoved) page.show();
  const step = Number(given.get('step')), view = (given.get('view') || '').split(',').map(Number);
  if (step > 0) page.back(floor(step) - 1);
  if (view.length === 4 && view.every(finite)) page.picture.see(view);
}
// Puts a link to what is shown into the address and the clipboard.
async function copyLink(page) {
  const [fragment, isBegun] = fragmentOf(page), link = `${location.href.split('#')[0]}#${fragment}`;
  try { history.replaceState(null, '', link); } catch { /* A frame may not. */ }
  try {
    await navigator.clipboard.writeText(link);
    say(words[isBegun ? 'linked_start' : 'linked']);
  } catch { say(filled(words['link'], {'link': link})); }
}
function download(text) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text]));
  link.download = document.title + '.graph';
  link.click();
}
