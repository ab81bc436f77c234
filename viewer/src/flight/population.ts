/** Boids that join and leave: a module does what engines/population.py does, and this writes its arguments. */

import { Lost } from "./errors";
import { VIEWS } from "./module";
import type { State } from "./state";
import { isScheduled, numberAt, type Values } from "./values";
import { lookUp } from "../state/paths";
import { POPULATION_WORDS, type Plain, type PopulationManifest } from "../wire/contracts";
import { t } from "../words";

const { SEED, STEP, FULL_FLOCK, FULL_COUNT, LOWER_HALF } = POPULATION_WORDS;

/** What can happen at the end of a step. */
const [NOTHING, OVERFLOW] = [0, 2];
/** What has happened. */
const [FULL, SAME] = [-1, -2];

export class Population {
  private readonly exports: WebAssembly.Exports;
  private readonly buffer: ArrayBuffer;
  private readonly words: BigInt64Array;
  private numbers: { value: Plain; at: number; end: boolean }[] = [];
  private scheduled = false;
  private fresh = true; // whether numbers are to be written
  private step = -1;
  private answer = NOTHING;

  constructor(code: WebAssembly.Module, private readonly manifest: PopulationManifest, private readonly flocks: string[], private readonly dims: number) {
    this.exports = new WebAssembly.Instance(code).exports;
    this.buffer = (this.exports["memory"] as WebAssembly.Memory).buffer;
    this.words = new BigInt64Array(this.buffer, manifest.table);
    for (const { word, address, shape } of Object.values(manifest.arrays)) [address!, ...shape].forEach((x, k) => (this.words[word + k] = BigInt(x)));
    for (const [name, numbers] of Object.entries(manifest.constants)) this.fill(name, numbers);
    this.wide("generator")[LOWER_HALF] = 0xffffffffn;
  }

  private view(name: string): InstanceType<(typeof VIEWS)[keyof typeof VIEWS]> {
    const { dtype, shape, address } = this.manifest.arrays[name]!;
    return new VIEWS[dtype](this.buffer, address!, shape.reduce((a, b) => a * b, 1));
  }
  private wide(name: string): BigInt64Array {
    return this.view(name) as BigInt64Array;
  }
  private narrow(name: string): Float32Array | Int32Array | Float64Array {
    return this.view(name) as Float32Array;
  }
  private fill(name: string, numbers: number[]): void {
    const { dtype } = this.manifest.arrays[name]!;
    if (dtype === "int64") this.wide(name).set(numbers.map(BigInt));
    else this.narrow(name).set(numbers);
  }
  private call(name: "happens" | "change"): number {
    return Number((this.exports[name] as (table: bigint) => bigint)(BigInt(this.manifest.table)));
  }

  /** Other numbers from the next step on. */
  setValues(values: Values): void {
    this.numbers = this.manifest.numbers.map(({ path, value, at, end }) => ({ value: lookUp(values, path) ?? value, at, end }));
    this.scheduled = this.numbers.some(({ value }) => isScheduled(value));
    [this.fresh, this.step] = [true, -1];
  }

  /** Other boids. */
  begin({ counts, indices, births, ever }: State, seed: bigint): void {
    this.wide("settings")[SEED] = BigInt.asIntN(64, seed);
    const [flocks, width] = [this.wide("flocks"), this.manifest.arrays["flocks"]!.shape[1]!];
    counts.forEach((count, k) => ([flocks[k * width], flocks[k * width + 1]] = [BigInt(count), BigInt(ever[k]!)]));
    const who = this.narrow("who");
    who.set(indices);
    who.set(births, indices.length);
    this.words[this.manifest.arrays["timers"]!.word + 1] = BigInt(indices.length);
    this.step = -1;
  }

  /** In how many of the next steps no boid can join or leave. */
  quietSteps(step: number, steps: number, dt: number): number {
    for (let k = 0; k < steps; k++) if (this.happens(step + k, dt) !== NOTHING) return k;
    return steps;
  }

  /** Whether the boids that join at the end of the step may be more than a flock can hold. */
  get mayOverflow(): boolean {
    return this.answer === OVERFLOW;
  }

  private happens(step: number, dt: number): number {
    if (step === this.step) return this.answer;
    this.wide("settings")[STEP] = BigInt(step);
    if (this.fresh || this.scheduled) {
      const row = this.narrow("numbers");
      for (const { value, at, end } of this.numbers) row[at] = numberAt(value, (step + Number(end)) * dt);
      this.fresh = false;
    }
    [this.step, this.answer] = [step, this.call("happens")];
    return this.answer;
  }

  /** Let boids join and leave at the end of a step. Returns the state afterwards, or the same one with other `kept`.
   * Throws Lost if a flock cannot hold them. */
  change(state: State): State {
    const { timers, places, kept } = state;
    const all = this.narrow("state");
    all.set(places);
    all.set(kept, places.length);
    this.narrow("timers").set(timers);
    const boids = this.call("change");
    if (boids === FULL) throw new Lost(this.fullAt(state.step));
    if (boids === SAME) return { ...state, kept: all.slice(places.length, places.length + kept.length) as Float32Array };
    const [next, who] = [this.narrow("next_state"), this.narrow("next_who")];
    const moved = 2 * this.dims * boids;
    const rows = this.manifest.arrays["initial"]!.shape[1]!;
    const [flocks, width] = [this.wide("flocks"), this.manifest.arrays["flocks"]!.shape[1]!];
    const column = (k: number): number[] => this.flocks.map((_, flock) => Number(flocks[flock * width + k]));
    return {
      step: state.step, counts: column(0), ever: column(1),
      places: next.slice(0, moved) as Float32Array, kept: next.slice(moved, moved + rows * boids) as Float32Array,
      timers: this.narrow("next_timers").slice(0, boids) as Int32Array,
      indices: who.slice(0, boids) as Int32Array, births: who.slice(boids, 2 * boids) as Int32Array,
    };
  }

  private fullAt(step: number): string {
    const settings = this.wide("settings");
    const name = this.flocks[Number(settings[FULL_FLOCK])]!;
    return t("{path}: got {n} boids at the end of step {step}; expected at most {most}. State a larger max_boids, or let fewer boids join", {
      path: `flocks.${name}.max_boids`, n: Number(settings[FULL_COUNT]), step: String(step), most: this.manifest.limits[name]!,
    });
  }
}
