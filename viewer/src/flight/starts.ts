/** Initial states and shuffled orders, which a module of their own draws: src/murmurate/engines/wasm/start_functions.py. */

import { START_SIZES, START_WORDS, type StartManifest, type StartNumbers } from "../wire/contracts";
import { firstBoids, type State } from "./state";

const { KEY0, KEY1, STEP, LOWER_HALF, TABLE_WORDS } = START_WORDS;
const arrays = Object.keys(START_SIZES) as (keyof typeof START_SIZES)[];

export class Starts {
  private readonly buffer: ArrayBuffer;
  private readonly exports: WebAssembly.Exports;

  constructor(code: WebAssembly.Module, private readonly manifest: StartManifest, private readonly dims: number) {
    this.exports = new WebAssembly.Instance(code).exports;
    this.buffer = (this.exports["memory"] as WebAssembly.Memory).buffer;
  }

  /** Call an exported function for a number of boids. */
  private call(name: string, integers: bigint[], numbers: number[], boids: number): void {
    const { table, addresses: at } = this.manifest;
    const words = new BigInt64Array(this.buffer, table, TABLE_WORDS);
    const rows = ["positions", "velocities"].flatMap((key) => [at[key]!, boids, this.dims]);
    [...arrays.flatMap((key) => [at[key]!, START_SIZES[key]]), ...rows, at["order"]!, boids].forEach((x, k) => (words[k] = BigInt(x)));
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
    return new BigInt64Array(this.buffer, this.manifest.addresses["order"]!, boids);
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
      start.memory.forEach((value, d) => kept.fill(value, d * boids + first, d * boids + first + count));
      const [positions, velocities] = this.draw(start, count, seed);
      for (let i = 0; i < count; i++) {
        for (let d = 0; d < dims; d++) {
          places[d * boids + first + i] = positions[i * dims + d]!;
          places[(dims + d) * boids + first + i] = velocities[i * dims + d]!;
        }
      }
      first += count;
    });
    return { step: 0, counts, places, timers: new Int32Array(boids), kept, ...firstBoids(counts) };
  }

  private draw(start: StartNumbers, count: number, seed: bigint): [ArrayLike<number>, ArrayLike<number>] {
    if ("positions" in start) return [start.positions.flat(), start.velocities.flat()];
    const integers = start.integers.map(BigInt);
    integers[KEY0] = BigInt.asUintN(64, seed);
    this.call("start", integers, start.numbers, count);
    const { addresses: at } = this.manifest;
    const rows = (name: string): Float64Array => new Float64Array(this.buffer, at[name]!, count * this.dims).slice();
    return [rows("positions"), rows("velocities")];
  }
}
