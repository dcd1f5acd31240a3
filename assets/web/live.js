// A graph that runs: its programs, the numbers of its sources, and the status of every port and wire.
const ZEROS = ['no_path', 'blocked', 'non_differentiable'];
// Whether the numbers of a source differ from those of the file, to the bit of a sign.
const differs = ({numbers, start}) => numbers.some((x, n) => !Object.is(x, start[n]));

class Live {
  // Returns the parts of a page's data: its document, the memory of each variant, and the bytes behind these.
  static async unpacked(base64) {
    const raw = Uint8Array.from(atob(base64), c => c.charCodeAt(0));
    const stream = new Blob([raw]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    const length = new DataView(bytes.buffer).getUint32(0, true);
    const doc = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length))), memories = [];
    let at = 4 + length;
    for (const {memory: [whole, same]} of doc.variants) {
      const memory = new Uint8Array(whole);
      if (same) memory.set(memories[0].subarray(0, same));
      memory.set(bytes.subarray(at, at + whole - same), same);
      at += whole - same;
      memories.push(memory);
    }
    return [doc, memories, bytes.subarray(at)];
  }
  constructor(doc, memories) {
    Object.assign(this, {doc, memories, views: doc.views});
    this.machine = new Machine(max(...memories.map(m => m.length)));
    this.programs = doc.variants.map(v => this.machine.bind(v.rows, doc.loops));
    this.machine.bytes.set(memories[0]);
    this.sources = new Map(doc.sources.map(([path, places, isFrozen]) => [path, {places, isFrozen}]));
    for (const source of this.sources.values()) {
      const view = this.views[source.places[0][0]];
      source.start = source.numbers = this.machine.get(view);
      source.dtype = view[3];
    }
    // Whether blocks that only Python computes would draw other numbers now.
    this.isStale = false;
    this.allBounds = [];
    this.stops = [...new Set(doc.variants.flatMap(v => v.open))];
    // Whether each stop has states of its own.
    this.isSingle = doc.variants.length === 2 ** this.stops.length;
    this.use(doc.start || 0);
  }
  // Takes the variant in which some stops are open.
  use(at) {
    this.place = at;
    this.variant = this.doc.variants[at];
    this.machine.bytes.set(this.memories[at]);
    const shared = at ? this.programs[0].slice(0, this.variant.shared) : [];
    this.program = [...shared, ...this.programs[at]];
    this.bounds = this.allBounds[at] ||= new Bounds(this, this.variant, [...(at ? this.doc.variants[0].rows.slice(0, this.variant.shared) : []), ...this.variant.rows]);
    for (const source of this.sources.values()) if (source.numbers !== source.start) this.write(source);
    this.run();
  }
  toggle(path) {
    const open = new Set(this.isSingle ? this.variant.open : []);
    this.isOpen(path) ? open.delete(path) : open.add(path);
    this.open(open);
  }
  // Opens these stops and no others; where the page has no such state, all.
  open(stops) {
    const {variants} = this.doc, at = variants.findIndex(({open}) => open.length === stops.size && open.every(stop => stops.has(stop)));
    this.use(at < 0 ? variants.findIndex(({open}) => open.length === this.stops.length) : at);
  }
  isOpen(path) { return this.variant.open.includes(path); }
  reset() {
    for (const source of this.sources.values()) source.numbers = source.start;
    this.use(this.doc.start || 0);
  }
  at(view) { return this.machine.look(this.views[view]); }
  // Gives a source other numbers; `run` computes what depends on it.
  put(path, numbers) {
    const source = this.sources.get(path);
    source.numbers = numbers;
    this.write(source);
    // As the dtype holds them.
    source.numbers = this.machine.get(this.views[source.places[this.place][0]]);
  }
  write(source) { for (const view of source.places[this.place]) this.machine.set(this.views[view], source.numbers); }
  run() {
    for (const call of this.program) call();
    this.failed = this.variant.guards.map(at => !this.machine.bytes[at]);
    this.isOld = this.isStale || [...this.sources.values()].some(item => item.isFrozen && differs(item));
    this.bounds.judge();
  }
  // Returns the value, the gradient and the status of a port or wire, null for what is not known.
  read(entry) {
    const unknown = {value: null, gradient: null, status: 'unknown', shape: [], dtype: ''};
    if (!entry) return unknown;
    const [v, g, fixed, flags = 0, guards = [], others = []] = entry, fails = list => list.some(k => this.failed[k]);
    if (v < 0 || (flags & 1 && this.isOld) || fails(guards)) return unknown;
    const [, shape, , dtype] = this.views[v], value = this.at(v);
    const status = this.doc.statuses[fixed], found = {value, gradient: null, status, shape, dtype};
    if (ZEROS.includes(status)) found.gradient = new Float64Array(value.length);
    if (g < 0) return found;
    if ((flags & 2 && this.isOld) || fails(others)) return {...found, status: 'unknown'};
    found.gradient = this.at(g);
    found.status = this.byNumbers(found.gradient, flags);
    return found;
  }
  byNumbers(gradient, flags) {
    const size = most(gradient);
    return !(size < Infinity) ? 'nonfinite' : this.bounds.arrivals[(flags >> 2) - 1]?.status || (gradient.length && !size ? 'zero' : 'flow');
  }
  get loss() {
    const found = this.variant.loss.map(entry => this.read(entry).value);
    return found.length && found.every(Boolean) ? found.reduce((sum, [x]) => sum + x, 0) : null;
  }
}
