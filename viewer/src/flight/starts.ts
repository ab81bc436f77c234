/** Initial states and shuffled orders, which a module of their own draws: src/murmurate/engines/wasm/start_functions.py. */

import { extentOf, isDistribution, meanAndSd, numbers as numbersOf, sharesOf } from "../controls/distribution";
import { asNumber } from "../wire/json";
import { START_SIZES, START_WORDS, TRAIT_KINDS, type DrawnNumber, type StartManifest, type StartNumbers } from "../wire/contracts";
import { firstBoids, type State } from "./state";

const { KIND, KEY0, KEY1, STEP, LOWER_HALF, TABLE_WORDS } = START_WORDS;
const arrays = Object.keys(START_SIZES) as (keyof typeof START_SIZES)[];
/** Bytes of a page of memory of WebAssembly. */
const PAGE = 65_536;

/** The rng stream of a name: its CRC-32. */
function streamId(name: string): bigint {
  let crc = -1;
  for (const byte of new TextEncoder().encode(name)) {
    crc ^= byte;
    for (let k = 0; k < 8; k++) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
  }
  return BigInt(~crc >>> 0);
}

export class Starts {
  private readonly exports: WebAssembly.Exports;

  constructor(code: WebAssembly.Module, private readonly manifest: StartManifest, private readonly dims: number) {
    this.exports = new WebAssembly.Instance(code).exports;
  }

  private get buffer(): ArrayBuffer {
    return (this.exports["memory"] as WebAssembly.Memory).buffer;
  }

  /** The addresses of positions, velocities and order of some boids, for which the memory then has room. */
  private rows(boids: number): [number, number, number] {
    const [first, size] = [this.manifest.addresses["rows"]!, 8 * boids * this.dims];
    const missing = first + 2 * size + 8 * boids - this.buffer.byteLength;
    if (missing > 0) (this.exports["memory"] as WebAssembly.Memory).grow(Math.ceil(missing / PAGE));
    return [first, first + size, first + 2 * size];
  }

  /** Call an exported function for a number of boids. */
  private call(name: string, integers: bigint[], numbers: number[], boids: number): void {
    const { table, addresses: at } = this.manifest;
    const [positions, velocities, order] = this.rows(boids);
    const words = new BigInt64Array(this.buffer, table, TABLE_WORDS);
    const rows = [positions, boids, this.dims, velocities, boids, this.dims, order, boids];
    [...arrays.flatMap((key) => [at[key]!, START_SIZES[key]]), ...rows].forEach((x, k) => (words[k] = BigInt(x)));
    new BigUint64Array(this.buffer, at["integers"]!, START_SIZES.integers).set(integers);
    new Float64Array(this.buffer, at["numbers"]!, START_SIZES.numbers).set(numbers);
    new BigUint64Array(this.buffer, at["generator"]!, START_SIZES.generator)[LOWER_HALF] = 0xffffffffn;
    (this.exports[name] as (table: bigint) => bigint)(BigInt(table));
  }

  /** The order of updates in a step. */
  updateOrder(seed: bigint, key: bigint, step: number, boids: number): BigInt64Array {
    const integers = new Array<bigint>(START_SIZES.integers).fill(0n);
    [integers[KEY0], integers[KEY1], integers[STEP]] = [BigInt.asUintN(64, seed), key, BigInt(step)];
    this.call("update_order", integers, [], boids);
    return new BigInt64Array(this.buffer, this.rows(boids)[2], boids);
  }

  /** The state at step 0 of flocks with these starts and sizes. */
  state(starts: StartNumbers[], counts: number[], seed: bigint, keeps: number): State {
    const boids = counts.reduce((a, b) => a + b, 0);
    const { dims } = this;
    const places = new Float32Array(2 * dims * boids);
    const kept = new Float32Array(keeps * boids);
    let first = 0;
    starts.forEach((start, k) => {
      const count = counts[k]!;
      const [positions, velocities] = this.draw(start, count, seed);
      for (let i = 0; i < count; i++) {
        for (let d = 0; d < dims; d++) {
          places[d * boids + first + i] = positions[i * dims + d]!;
          places[(dims + d) * boids + first + i] = velocities[i * dims + d]!;
        }
      }
      first += count;
    });
    const state = { step: 0, counts, places, timers: new Int32Array(boids), kept, ...firstBoids(counts) };
    this.putMemory(state, starts, counts.map(() => 0), seed);
    return state;
  }

  /** Write the state with which boids begin, for those whose index in their flock is at least that in `first`. */
  putMemory({ counts, indices, kept }: State, starts: StartNumbers[], first: number[], seed: bigint): void {
    let begin = 0;
    starts.forEach(({ memory }, k) => {
      if (memory.length === 0) return void (begin += counts[k]!);
      const ids = Array.from({ length: counts[k]! }, (_, i) => begin + i).filter((id) => indices[id]! >= first[k]!);
      begin += counts[k]!;
      memory.forEach((value, d) => {
        const numbers = typeof value === "number" ? null : this.drawn(value, Int32Array.from(ids, (id) => indices[id]!), seed);
        ids.forEach((id, i) => (kept[d * indices.length + id] = numbers ? numbers[i]! : (value as number)));
      });
    });
  }

  /** The numbers that boids of a flock draw, by their indices in it. */
  drawn({ value, flock, name }: DrawnNumber, indices: Int32Array, seed: bigint): Float64Array {
    if (!isDistribution(value)) return new Float64Array(indices.length).fill(asNumber(value) ?? 0);
    const listed = numbersOf(value["values"]);
    if (value["kind"] === "each") return Float64Array.from(indices, (index) => listed[index]!);
    const isChoice = value["kind"] === "choice";
    const integers = new Array<bigint>(START_SIZES.integers).fill(0n);
    const kind = isChoice ? "uniform" : (value["kind"] as keyof typeof TRAIT_KINDS);
    [integers[KIND], integers[KEY0], integers[KEY1]] = [BigInt(TRAIT_KINDS[kind]), BigInt.asUintN(64, seed), streamId(`${flock}/individual/${String(value["draw"] ?? "") || name}`)];
    const [first, , order] = this.rows(indices.length);
    new BigInt64Array(this.buffer, order, indices.length).set(BigInt64Array.from(indices, BigInt));
    const { mean, sd } = meanAndSd(value);
    this.call("traits", integers, [...(isChoice ? [0, 1] : extentOf(value)), mean, sd], indices.length);
    const rows = new Float64Array(this.buffer, first, indices.length * this.dims);
    const numbers = Float64Array.from(indices, (_, i) => rows[i * this.dims]!);
    if (!isChoice) return numbers;
    const ends: number[] = [];
    for (const share of sharesOf(value)) ends.push((ends.at(-1) ?? 0) + share);
    return numbers.map((u) => listed[ends.findIndex((end) => end / ends.at(-1)! > u)]!);
  }

  private draw(start: StartNumbers, count: number, seed: bigint): [ArrayLike<number>, ArrayLike<number>] {
    if ("positions" in start) return [start.positions.flat(), start.velocities.flat()];
    const integers = start.integers.map(BigInt);
    integers[KEY0] = BigInt.asUintN(64, seed);
    this.call("start", integers, start.numbers, count);
    const [positions, velocities] = this.rows(count);
    const read = (address: number): Float64Array => new Float64Array(this.buffer, address, count * this.dims).slice();
    return [read(positions), read(velocities)];
  }
}
