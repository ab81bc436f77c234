/** Initial states and shuffled orders, which a module of their own draws: src/murmurate/engines/wasm/start_functions.py. */

import type { StartManifest, StartNumbers } from "../wire/contracts";
import type { State } from "./state";

const SIDES: Record<string, number> = { integers: 9, numbers: 25, generator: 14 };
const [KEY0, KEY1, STEP] = [2, 3, 4];

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
    const words = new BigInt64Array(this.buffer, table, 14);
    const arrays = ["integers", "numbers", "generator"].flatMap((key) => [at[key]!, SIDES[key]!]);
    const rows = ["positions", "velocities"].flatMap((key) => [at[key]!, boids, this.dims]);
    [...arrays, ...rows, at["order"]!, boids].forEach((x, k) => (words[k] = BigInt(x)));
    new BigUint64Array(this.buffer, at["integers"]!, SIDES["integers"]).set(integers);
    new Float64Array(this.buffer, at["numbers"]!, SIDES["numbers"]).set(numbers);
    new BigUint64Array(this.buffer, at["generator"]!, SIDES["generator"])[13] = 0xffffffffn;
    (this.exports[name] as (table: bigint) => bigint)(BigInt(table));
  }

  /** The order of updates in a step. */
  updateOrder(seed: bigint, key: bigint, step: number, boids: number): BigInt64Array {
    const integers = new Array<bigint>(9).fill(0n);
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
    return { step: 0, counts, places, timers: new Int32Array(boids), kept };
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
