/** A simulation: its modules, of which one runs, its numbers and its step. */

import type { Command } from "./controls";
import { EditedRules } from "./editedrules";
import { flockOf, shownOf } from "./flock";
import type { Flock, Shown, State, Push, Trait } from "./state";
import type { FlightData } from "./manifest";
import { FlightModule } from "./module";
import { resized, type Resize } from "./resize";
import { Rows } from "./rows";
import { shoo } from "./shoo";
import { Lost } from "./errors";
import { Population } from "./population";
import type { Simulator } from "./simulator";
import { Starts } from "./starts";
import { drawTraits, traitOf } from "./traits";
import type { Values } from "./values";
import type { SceneMessage, StartNumbers } from "../wire/contracts";
import { t } from "../words";

const BLOCK = 256; // steps per call, if no number changes

export class Flight implements Simulator {
  readonly engine = "WebAssembly";
  readonly room = Infinity;
  readonly current = true;
  private readonly modules: FlightModule[];
  private readonly code: WebAssembly.Module[];
  /** A scratch copy, for steps that do not count. */
  private readonly trials = new Map<FlightModule, FlightModule>();
  private readonly starts: Starts;
  private rows: Rows;
  private readonly rules: EditedRules;
  private readonly population: Population | null = null;
  private fresh = true; // whether rows are to be written before the next call
  private drawn: Trait[] | null = null;
  module: FlightModule;
  step = 0;

  constructor(private readonly data: FlightData, private values: Values, private counts: number[], public seed: bigint) {
    this.code = data.modules.map(({ code }) => new WebAssembly.Module(code));
    this.modules = data.modules.map(({ manifest }, k) => new FlightModule(this.code[k]!, manifest));
    this.module = this.modules[0]!;
    this.rules = new EditedRules(data);
    this.starts = new Starts(new WebAssembly.Module(data.start.code), data.start.manifest, this.module.manifest.dims);
    this.rows = new Rows(this.module.manifest, values);
    this.rules.set(values);
    if (data.population) {
      const { code, manifest } = data.population;
      this.population = new Population(new WebAssembly.Module(code), manifest, this.module.manifest.flocks, this.module.manifest.dims);
      this.population.setValues(values);
    }
    this.restart(counts, seed);
  }

  get dt(): number {
    return Number(this.values["dt"]);
  }
  get time(): number {
    return this.step * this.dt;
  }

  /** Restart. */
  restart(counts: number[], seed: bigint): void {
    [this.counts, this.seed, this.step] = [counts, seed, 0];
    this.begin(this.start(counts));
  }

  private start(counts: number[]): State {
    const { memory_rows: kept } = this.module.manifest;
    return this.starts.state(this.flockStarts, counts, this.seed, kept);
  }

  private get flockStarts(): StartNumbers[] {
    return this.module.manifest.flocks.map((name) => this.data.starts[name]!);
  }

  /** Numbers that differ between the boids. */
  get traits(): Trait[] {
    const { manifest, who, counts } = this.module;
    return (this.drawn ??= drawTraits(manifest, this.values, this.starts, { counts, indices: who.indices }, this.seed));
  }

  resize(resize: Resize): void {
    const [state, before] = [this.state(), this.counts];
    this.counts = resize.counts;
    // where boids join and leave by themselves too, a flock gains or loses as many as were added or removed
    const counts = this.population ? resize.counts.map((count, k) => Math.max(0, state.counts[k]! + count - before[k]!)) : resize.counts;
    const next = resized(state, this.start(resize.counts), this.module.manifest.dims, { ...resize, counts }, this.population !== null);
    if (this.population) this.starts.putMemory(next, this.flockStarts, state.ever, this.seed);
    this.begin(next);
  }

  begin(state: State): void {
    this.step = state.step;
    this.module.begin(state, this.seed);
    this.population?.begin(state, this.seed);
    [this.fresh, this.drawn] = [true, null];
  }

  /** Other numbers from the next step on. */
  setValues(values: Values): void {
    this.values = values;
    this.rows = new Rows(this.module.manifest, values);
    [this.fresh, this.drawn] = [true, null];
    this.rules.set(values);
    this.population?.setValues(values);
  }

  get boids(): number {
    return this.module.boids;
  }
  took(_: number, call: number): number {
    return call;
  }
  look(): boolean {
    return true;
  }
  flock(): Flock {
    return { ...flockOf(this.module, this.step, this.time, this.population ? this.module.who : null), traits: this.traits };
  }
  shown(scene: SceneMessage, states: Record<string, string[]>, name: string): Shown | null {
    const values = traitOf(this.traits, name);
    const which = values ? (scene.per_boid ?? []).findIndex((number) => number.name === name) : -1;
    return values && which >= 0 ? { which, values } : shownOf(this.module, scene, states, name);
  }
  push(scene: SceneMessage, push: Push, steps: number): void {
    shoo(this.module, scene, push, steps);
  }
  move(id: number, position: number[]): void {
    const { module } = this;
    const column = module.ids.subarray(0, module.boids).indexOf(id);
    for (let d = 0; d < module.manifest.dims; d++) module.now[d * module.columns + column] = position[d]!;
  }
  command(command: Command): void {
    this.module.command(command);
  }
  state(): State {
    return { ...this.module.state(), step: this.step };
  }

  /** Make some steps. Throws Lost for a lost boid, and for more boids than a flock can hold. */
  run(steps: number): void {
    const { population } = this;
    if (!population) return this.moveBoids(steps);
    for (const end = this.step + steps; this.step < end; ) {
      const quiet = population.quietSteps(this.step, end - this.step, this.dt);
      if (quiet > 0) {
        this.moveBoids(quiet);
        continue;
      }
      const before = population.mayOverflow ? this.state() : null;
      this.moveBoids(1);
      try {
        const state = this.state();
        const next = population.change(state);
        if (next.timers === state.timers) this.module.putKept(next.kept);
        else {
          this.starts.putMemory(next, this.flockStarts, state.ever, this.seed);
          this.begin(next);
        }
      } catch (error) {
        if (before) this.begin(before);
        throw error;
      }
    }
  }

  /** Make some steps in which no boid joins or leaves. */
  private moveBoids(steps: number): void {
    if (this.boids === 0) return void (this.step += steps);
    const { scheduled } = this.rows;
    const { rows, shuffled } = this.module.manifest;
    for (let left = steps; left > 0; ) {
      const asked = this.rows.validSteps(Math.min(left, scheduled || shuffled ? rows : BLOCK), this.step, this.dt);
      if (scheduled || this.fresh) this.putRows(asked);
      if (shuffled) this.putOrder(this.module, asked);
      const done = this.module.advance(asked);
      this.step += done;
      left -= done;
      const { lost } = this.module;
      if (lost) throw new Lost(this.lossOf(lost.boid, lost.place));
    }
  }

  /** When the forces of the next steps are evaluated; one time for all where nothing changes. */
  private times(steps: number): number[] {
    if (!this.rows.scheduled) return [this.time];
    const { parts } = this.module.manifest;
    return Array.from({ length: steps }, (_, k) => parts.map((part) => (this.step + k + part) * this.dt)).flat();
  }

  /** Write the numbers. If a radius is too long for cells on a torus, use the module that tests every pair. */
  private putRows(asked: number): void {
    const times = this.times(asked);
    const [first, other] = this.modules.filter(({ manifest }) => (manifest.opened !== null) === this.rules.edited);
    const chosen = other && !serves(first!, new Rows(first!.manifest, this.values).reach(times, first!.manifest.radii)) ? other : first!;
    if (chosen !== this.module) {
      const state = this.module.state();
      this.module = chosen;
      this.rows = new Rows(chosen.manifest, this.values);
      this.begin(state);
    }
    this.rules.link(this.module);
    this.module.putRows(this.rows, times, this.dt);
    if (this.fresh) this.module.putTraits(this.traits);
    this.fresh = false;
  }

  private putOrder(module: FlightModule, asked: number): void {
    for (let k = 0; k < asked; k++) {
      const order = this.starts.updateOrder(this.seed, BigInt(this.data.order_key), this.step + k, this.module.boids);
      module.putOrder(k, order);
    }
  }

  /** The vector of each rule on a boid in the next step: rule -> vector, weighted. */
  wants(boid: number): Record<string, number[]> {
    const { module } = this;
    let trial = this.trials.get(module);
    if (!trial) {
      trial = new FlightModule(this.code[this.modules.indexOf(module)]!, module.manifest);
      this.trials.set(module, trial);
    }
    this.rules.link(trial);
    trial.copy(module);
    trial.putRows(this.rows, this.times(1), this.dt);
    if (module.manifest.shuffled) this.putOrder(trial, 1);
    return trial.probe(boid);
  }

  private lossOf(id: number, place: number[]): string {
    const { manifest, counts } = this.module;
    return lossOf(this.step, manifest.flocks, counts, id, place, this.module.who.indices);
  }
}

/** The message about a lost boid. `indices`: of boids within their flocks. */
export function lossOf(step: number, flocks: string[], counts: number[], id: number, place: number[], indices: Int32Array): string {
  let [flock, end] = [0, counts[0]!];
  while (id >= end && flock + 1 < counts.length) end += counts[++flock]!;
  const where = place.map((x) => Number(x.toPrecision(6))).join(", ");
  return t("step {step}: boid {boid} of flock '{flock}' is at ({where}); expected a position near the space. Try a smaller time step, weaker rules or a maximum speed", {
    step: String(step), boid: String(indices[id]), flock: flocks[flock]!, where,
  });
}

/** Whether cells serve a radius: on fewer than three round a torus, neighbours would be met twice. */
function serves({ manifest: { constants } }: FlightModule, reach: number): boolean {
  const { periodic, lower, upper } = constants;
  return periodic!.every((around, d) => !around || 3 * reach <= upper![d]! - lower![d]!);
}
