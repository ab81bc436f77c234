/** A simulation in the memory of a module: the layout of engines/wasm/module_memory.py. */

import type { Linkable } from "../formulas/formulas";
import type { Argument, Manifest } from "../wire/contracts";
import { KEEPS, type Command } from "./controls";
import type { Rows } from "./rows";
import type { State, Trait } from "./state";
import { passed } from "./traits";

export const VIEWS = {
  float32: Float32Array, float64: Float64Array, int32: Int32Array, uint32: Uint32Array,
  int64: BigInt64Array, uint64: BigUint64Array,
};
type Numbers = Float32Array | Float64Array | Int32Array | Uint32Array;
type Wide = BigInt64Array | BigUint64Array;

export class FlightModule {
  private readonly buffer: ArrayBuffer;
  private readonly floats: Float64Array;
  private readonly words: BigInt64Array;
  private readonly run: (table: bigint) => bigint;
  counts: number[] = [];
  boids = 0;
  who!: Pick<State, "indices" | "births" | "ever">;

  private readonly exports: WebAssembly.Exports;

  constructor(code: WebAssembly.Module, readonly manifest: Manifest) {
    const { exports } = new WebAssembly.Instance(code);
    this.exports = exports;
    this.buffer = (exports["memory"] as WebAssembly.Memory).buffer;
    this.run = exports["run_steps"] as (table: bigint) => bigint;
    const size = Math.max(...Object.values(manifest.arguments).map((a) => a.word + 1 + a.shape.length));
    this.words = new BigInt64Array(this.buffer, manifest.table, size);
    this.floats = new Float64Array(this.buffer, manifest.table, size);
  }

  /** Takes the functions of its rules from another module. */
  link(rules: Linkable): void {
    const { exports } = this;
    const [memory, functions] = [exports["memory"] as WebAssembly.Memory, exports["functions"] as WebAssembly.Table];
    rules.link({ memory, functions, exports }, this.manifest.opened!);
  }

  private argument(name: string): Argument {
    return this.manifest.arguments[name]!;
  }

  number(name: string): number {
    return Number(this.words[this.argument(name).word]);
  }

  private set(name: string, value: number | bigint): void {
    const { word, dtype } = this.argument(name);
    if (dtype === "float64") this.floats[word] = Number(value);
    else this.words[word] = BigInt.asIntN(64, BigInt(value));
  }

  private view(name: string): Numbers | Wide {
    const { word, dtype, shape } = this.argument(name);
    const count = shape.reduce((a, b) => a * b, 1);
    return new VIEWS[dtype](this.buffer, Number(this.words[word]), count);
  }

  private array(name: string): Numbers {
    return this.view(name) as Numbers;
  }

  private fill(name: string, numbers: number[]): void {
    const { shape, dtype } = this.argument(name);
    if (shape.length === 0) return this.set(name, numbers[0]!);
    const view = this.view(name);
    numbers.forEach((x, k) => (view[k] = dtype === "int64" || dtype === "uint64" ? BigInt(x) : x));
  }

  /** Write any state into memory. */
  begin(state: State, seed: bigint): void {
    const { manifest } = this;
    new Uint8Array(this.buffer, manifest.table).fill(0);
    for (const { word, shape, address } of Object.values(manifest.arguments)) {
      if (address === undefined) continue;
      [address, ...shape].forEach((x, k) => (this.words[word + k] = BigInt(x)));
    }
    for (const [name, numbers] of Object.entries(manifest.constants)) this.fill(name, numbers);
    this.counts = state.counts;
    this.boids = state.counts.reduce((a, b) => a + b, 0);
    this.who = { indices: state.indices, births: state.births, ever: state.ever };
    if (this.argument("boid_index").shape[0]! > 0) (this.array("boid_index") as Int32Array).set(state.indices);
    this.place(state);
    const low = 0xffffffffn;
    const numbers = { key0: seed & low, key1: (seed >> 32n) & low, step: state.step };
    for (const [name, value] of Object.entries(numbers)) this.set(name, value);
  }

  /** Boids into columns: flocks in cells first. */
  private place(state: State): void {
    const { manifest, boids } = this;
    const { flocks } = manifest;
    const isGridded = (kind: number): boolean => manifest.gridded.includes(flocks[kind]!);
    const kinds = flocks.map((_, kind) => kind);
    const first = kinds.map((kind) => state.counts.slice(0, kind).reduce((a, b) => a + b, 0));
    const gridded = kinds.filter(isGridded).reduce((sum, kind) => sum + state.counts[kind]!, 0);
    const [now, ids, kindOf] = [this.array("state"), this.array("ids"), this.array("flock_index")];
    const [timers, memory, table] = [this.array("timers"), this.array("memory"), this.view("flocks") as Wide];
    const { columns } = this;
    let column = 0;
    for (const kind of [...kinds.filter(isGridded), ...kinds.filter((k) => !isGridded(k))]) {
      const size = state.counts[kind]!;
      const swept = isGridded(kind) ? [0, gridded] : [column, size];
      [...swept, first[kind]!, size].forEach((x, k) => (table[4 * kind + k] = BigInt(x)));
      for (let i = 0; i < size; i++, column++) {
        const id = first[kind]! + i;
        ids[column] = id;
        kindOf[column] = kind;
        timers[column] = state.timers[id]!;
        for (let d = 0; d < 2 * manifest.dims; d++) now[d * columns + column] = state.places[d * boids + id]!;
        for (let d = 0; d < manifest.memory_rows; d++) memory[d * columns + column] = state.kept[d * boids + id]!;
      }
    }
    this.bringIn(now);
    this.putPast(state);
    (this.array("next_ids") as Int32Array).set(ids as Int32Array);
    (this.array("next_flock_index") as Int32Array).set(kindOf as Int32Array);
    this.fill("parts", [gridded, boids]);
    this.set("gridded", gridded);
    this.set("n_boids", boids);
  }

  /** Rows of past places and velocities, for flocks that sense with a delay. */
  private get pastRows(): number {
    const [depth, rows] = this.argument("history").shape;
    return depth! * rows!;
  }

  private putPast({ places, kept }: State): void {
    const { boids, pastRows } = this;
    const [width, stored] = [this.argument("history").shape[2]!, this.manifest.memory_rows * boids];
    const past = this.array("history");
    const from = kept.length > stored ? kept.subarray(stored) : places;
    for (let row = 0; row < pastRows; row++) {
      const at = (row * boids) % from.length;
      past.set(from.subarray(at, at + boids), row * width);
    }
  }

  /** A place just below the upper face may be rounded up to it. */
  private bringIn(now: Numbers): void {
    const { periodic, lower, upper } = this.manifest.constants;
    periodic!.forEach((around, d) => {
      const [low, high] = [lower![d]!, Math.fround(upper![d]!)];
      const begin = d * this.columns;
      for (let k = begin; around && k < begin + this.boids; k++) if (now[k]! >= high) now[k] = low;
    });
  }

  get columns(): number {
    return this.argument("state").shape[1]!;
  }

  /** Places and velocities, a column a boid, and the number of the boid in each column. */
  get now(): Float32Array {
    return this.array("state") as Float32Array;
  }
  get ids(): Int32Array {
    return this.array("ids") as Int32Array;
  }
  get kinds(): Int32Array {
    return this.array("flock_index") as Int32Array;
  }
  /** State that boids keep: a row for each number, a column a boid. */
  get memory(): Float32Array {
    return this.array("memory") as Float32Array;
  }
  get timers(): Int32Array {
    return this.array("timers") as Int32Array;
  }

  /** Writes the numbers that hold at some times, a row each. */
  putRows(rows: Rows, times: number[], dt: number): void {
    this.set("dt", dt);
    this.put("numbers_by_step", times.map((time) => rows.numbers(time)));
    this.put("obstacles_by_step", times.map((time) => rows.obstacles(time)));
    this.put("next_obstacles_by_step", times.map((time) => rows.obstacles(time + dt)));
    // a module may have room for more obstacles than exist
    for (const name of ["obstacles_by_step", "next_obstacles_by_step"]) this.words[this.argument(name).word + 2] = BigInt(rows.obstacleCount);
    this.put("errors_by_step", times.map((time) => rows.errors(time)));
  }

  /** Write numbers that differ between boids, a row a boid. */
  putTraits(traits: Trait[]): void {
    const width = this.argument("individual_numbers").shape[1]!;
    const rows = this.array("individual_numbers");
    traits.forEach(({ source: { kind }, numbers }, k) => {
      for (let id = 0; id < this.boids; id++) rows[id * width + k] = Number.isNaN(numbers[id]!) ? 0 : passed(kind, numbers[id]!);
    });
  }

  private put(name: string, rows: number[][]): void {
    this.fill(name, rows.flat());
    this.words[this.argument(name).word + 1] = BigInt(rows.length);
  }

  putOrder(row: number, order: ArrayLike<bigint>): void {
    const width = this.argument("update_order").shape[1]!;
    (this.view("update_order") as BigInt64Array).set(order, row * width);
  }

  /** Make some steps. Returns the number of steps made. */
  advance(steps: number): number {
    this.set("steps", steps);
    return Number(this.run(BigInt(this.manifest.table)));
  }

  /** Copy the state of another simulation of the same module. */
  copy(other: FlightModule): void {
    new Uint8Array(this.buffer).set(new Uint8Array(other.buffer));
    [this.counts, this.boids, this.who] = [other.counts, other.boids, other.who];
  }

  /** Simulates one step, and returns the vector of each rule on a boid at its begin: three numbers a rule. */
  probe(boid: number): Record<string, number[]> {
    this.set("probe", boid);
    this.advance(1);
    const vectors = [...this.array("vectors")];
    return Object.fromEntries(this.manifest.rules.map((rule, k) => [rule, vectors.slice(3 * k, 3 * k + 3)]));
  }

  /** The boid that was lost in the last call, by its number through all flocks, and its place. */
  get lost(): { boid: number; place: number[] } | null {
    const column = this.number("lost");
    if (column < 0) return null;
    const { now } = this;
    const place = Array.from({ length: this.manifest.dims }, (_, d) => now[d * this.columns + column]!);
    return { boid: this.ids[column]!, place };
  }

  /** Write other per-boid state, (kept, boids) in the order of ids. */
  putKept(kept: Float32Array): void {
    const { boids, ids, columns, memory } = this;
    for (let d = 0; d < this.manifest.memory_rows; d++) {
      for (let k = 0; k < boids; k++) memory[d * columns + k] = kept[d * boids + ids[k]!]!;
    }
  }

  /** Write commands into the per-boid state of a flock. */
  command({ row, first, count, rows }: Command): void {
    const { boids, ids, columns, memory } = this;
    for (let k = 0; k < boids; k++) {
      const place = ids[k]! - first;
      if (place < 0 || place >= count || rows[3 * count + place] === KEEPS) continue;
      for (let d = 0; d < 4; d++) memory[(row + d) * columns + k] = rows[d * count + place]!;
    }
  }

  /** The flight as it is now. */
  state(): State {
    const { boids, ids, now, columns, timers } = this;
    const { dims, memory_rows: keeps } = this.manifest;
    const memory = this.array("memory");
    const places = new Float32Array(2 * dims * boids);
    const kept = new Float32Array((keeps + this.pastRows) * boids);
    const [past, width] = [this.array("history"), this.argument("history").shape[2]!];
    for (let row = 0; row < this.pastRows; row++) kept.set(past.subarray(row * width, row * width + boids) as Float32Array, (keeps + row) * boids);
    const rests = new Int32Array(boids);
    for (let k = 0; k < boids; k++) {
      const id = ids[k]!;
      rests[id] = timers[k]!;
      for (let d = 0; d < 2 * dims; d++) places[d * boids + id] = now[d * columns + k]!;
      for (let d = 0; d < keeps; d++) kept[d * boids + id] = memory[d * columns + k]!;
    }
    return { step: this.number("step"), counts: this.counts, places, timers: rests, kept, ...this.who };
  }
}
