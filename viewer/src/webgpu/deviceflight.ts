/** A flock that is simulated by WebGPU, on the page's main thread: steps are submitted and answered later, so
 * nothing here waits. States are read back on request, and drawn by a renderer from the device. */

import type { DeviceBoids } from "./deviceboids";
import { DeviceMemory, dispatch, type Parity } from "./devicememory";
import type { Kernels, PageKernel } from "./kernels";
import { Pace } from "./pace";
import { commandWords, moveWords, pushWords } from "./pagewords";
import { read, Snapshot } from "./reader";
import { ShownStates } from "./shownstates";
import type { Command } from "../flight/controls";
import { EditedRules } from "../flight/editedrules";
import { lossOf } from "../flight/flight";
import type { Flock, Shown, State, Push, Trait } from "../flight/state";
import type { FlightData } from "../flight/manifest";
import { resized, type Resize } from "../flight/resize";
import { Rows } from "../flight/rows";
import { traitOf } from "../flight/traits";
import { Lost } from "../flight/errors";
import type { Simulator } from "../flight/simulator";
import type { Starts } from "../flight/starts";
import type { Values } from "../flight/values";
import { CONTROL, type SceneMessage } from "../wire/contracts";

/** Milliseconds between two states that are read while a renderer draws from the device; large ones take longer. */
const besideDrawing = (boids: number): number => 120 + boids / 1000;

export class DeviceFlight implements Simulator {
  readonly engine = "WebGPU";
  step = 0;
  private memory!: DeviceMemory;
  private parity: Parity = 0;
  private rows: Rows;
  private fresh = true; // whether numbers are to be written before the next step
  private traits: Trait[] = [];
  private edited = false; // whether boids were changed since the last state that was read
  private snapshot!: Snapshot;
  private unread = false;
  private reading: Promise<void> | null = null;
  private lastRead = -Infinity;
  private generation = 0;
  private loss = "";
  private failure = ""; // why edited rules cannot run here
  private chosen = -1;
  private readonly pace: Pace;
  private shownStates!: ShownStates;
  private readonly rules: EditedRules;
  private stages = ""; // the text of edited rules, for which kernels are ready or compiled
  private compiling = false;
  private kernels: Kernels;

  constructor(
    private readonly first: Kernels, private readonly data: FlightData, private readonly starts: Starts,
    private values: Values, private counts: number[], public seed: bigint, private readonly wake: () => void,
  ) {
    this.kernels = first;
    this.rows = new Rows(first.program, values);
    this.pace = new Pace(first.program.max_steps);
    this.rules = new EditedRules(data);
    this.restart(counts, seed);
    this.setRules(values);
  }

  get dt(): number {
    return Number(this.values["dt"]);
  }
  get time(): number {
    return this.step * this.dt;
  }
  get boids(): number {
    return this.memory.boids;
  }
  get room(): number {
    if (this.failure) throw new Error(this.failure);
    return this.compiling ? 0 : this.pace.room;
  }
  get current(): boolean {
    return this.snapshot.flock.step === this.step && !this.edited;
  }
  took(steps: number): number {
    return this.pace.estimate(steps);
  }

  restart(counts: number[], seed: bigint): void {
    [this.counts, this.seed] = [counts, seed];
    this.begin(this.start(counts));
  }

  private start(counts: number[]): State {
    const { flocks, memory_rows: kept } = this.kernels.program;
    return this.starts.state(flocks.map((name) => this.data.starts[name]!), counts, this.seed, kept);
  }

  async resize(resize: Resize): Promise<void> {
    const { generation } = this;
    const state = await this.state();
    if (generation !== this.generation) return; // it has restarted with these counts
    this.counts = resize.counts;
    this.begin(resized(state, this.start(resize.counts), this.kernels.program.dims, resize));
  }

  begin(state: State): void {
    this.generation++;
    [this.step, this.parity, this.fresh, this.edited, this.loss] = [state.step, 0, true, false, ""];
    if (this.memory?.kernels !== this.kernels || String(this.memory.counts) !== String(state.counts)) {
      this.memory?.destroy();
      this.memory = new DeviceMemory(this.kernels, state.counts);
      this.shownStates = new ShownStates(this.memory);
    }
    this.traits = this.memory.putModel(this.seed, this.values, this.rows, this.starts);
    this.memory.begin(state);
    this.shownStates.cut();
    this.snapshot = Snapshot.of(state, this.kernels.program.dims, this.dt);
    this.unread = true;
  }

  setValues(values: Values): void {
    this.values = values;
    this.rows = new Rows(this.kernels.program, values);
    this.traits = this.memory.putModel(this.seed, this.values, this.rows, this.starts);
    this.fresh = true;
    this.setRules(values);
  }

  /** Compile the functions of edited rules. No step is made meanwhile. */
  private setRules(values: Values): void {
    this.rules.set(values);
    const stages = this.rules.stages(this.first.program.edited);
    if (stages === this.stages) return;
    [this.stages, this.compiling] = [stages, true];
    this.first.withStages(stages).then(async (kernels) => {
      const state = await this.state();
      if (stages !== this.stages) return; // edited again
      [this.kernels, this.compiling] = [kernels, false];
      this.rows = new Rows(kernels.program, this.values);
      this.begin(state);
    }).catch((error: unknown) => {
      if (stages === this.stages) this.failure = error instanceof Error ? error.message : String(error);
    }).finally(this.wake);
  }

  run(steps: number): void {
    if (this.loss) throw new Lost(this.loss);
    this.advance(this.rows.validSteps(steps, this.step, this.dt));
  }

  private advance(steps: number): void {
    this.putNumbers(steps);
    this.submit((encoder) => {
      for (let k = 0; k < steps; k++) {
        dispatch(encoder, this.memory.step(this.parity));
        if (this.memory.path.flips) this.parity = (1 - this.parity) as Parity;
      }
      dispatch(encoder, this.memory.end);
    });
    this.step += steps;
    this.pace.submitted(steps, this.kernels.device.queue.onSubmittedWorkDone(), this.wake);
  }

  private submit(work: (encoder: GPUComputePassEncoder) => void): void {
    const encoder = this.kernels.device.createCommandEncoder();
    const compute = encoder.beginComputePass();
    work(compute);
    compute.end();
    this.kernels.device.queue.submit([encoder.finish()]);
  }

  /** Writes the times of the next steps, and the numbers of the model where they change. */
  private putNumbers(steps: number): void {
    const { parts, settings } = this.kernels.program;
    const times = Array.from({ length: steps }, (_, k) => parts.map((part) => (this.step + k + part) * this.dt)).flat();
    this.memory.write("numbers", 0, new Float32Array(times));
    if (this.rows.scheduled || this.fresh) {
      const rows = this.rows.scheduled ? times : times.slice(0, 1);
      this.memory.write("numbers", settings["first_row"]![0]!, new Float32Array(rows.flatMap((time) => this.rows.all(time, this.dt))));
      this.fresh = false;
    }
    this.memory.write("control", CONTROL.steps_done, new Uint32Array(1));
  }

  // --- states that are read back

  look(now: number): boolean {
    if (this.unread || this.current) {
      this.unread = false;
      return true;
    }
    const apart = this.shownStates.drawn(now) ? besideDrawing(this.boids) : 0;
    if (now - this.lastRead >= apart) this.read();
    return false;
  }

  flock(): Flock {
    return { ...this.snapshot.flock, traits: this.traits };
  }

  shown({ per_boid = [] }: SceneMessage, states: Record<string, string[]>, name: string): Shown | null {
    const which = per_boid.findIndex((number) => number.name === name);
    if (which < 0) return null;
    return { which, values: traitOf(this.traits, name) ?? this.snapshot.valuesOf(this.kernels.program.flocks.map((flock) => (states[flock] ?? []).indexOf(name))) };
  }

  wants(boid: number): Record<string, number[]> | null {
    this.chosen = boid;
    if (this.snapshot.probe === boid) return this.snapshot.vectors;
    this.read();
    return null;
  }

  state(): State | Promise<State> {
    if (this.current) return this.snapshot.state;
    return (this.read() ?? Promise.resolve()).then(() => this.state());
  }

  /** The last state that was read, for another engine to continue with. */
  get lastState(): State {
    return this.snapshot.state;
  }

  /** Read the present state back. */
  private read(): Promise<void> | null {
    if (this.reading || this.loss) return this.reading;
    const { generation, step } = this;
    this.edited = false;
    if (this.chosen >= 0) this.putNumbers(1);
    this.reading = read(this.memory, this.parity, this.chosen, step, this.dt).then(
      (snapshot) => {
        if (generation === this.generation) this.take(snapshot);
      },
      () => undefined, // the memory was given back, or the device is lost
    ).then(() => {
      this.reading = null;
      this.lastRead = performance.now();
      this.wake();
    });
    return this.reading;
  }

  private take(snapshot: Snapshot): void {
    this.snapshot = snapshot;
    this.unread = true;
    if (snapshot.lost === null) return;
    const { dims, flocks } = this.kernels.program;
    const { positions, step } = snapshot.flock;
    const place = [...positions.subarray(3 * snapshot.lost, 3 * snapshot.lost + dims)];
    this.step = step;
    this.loss = lossOf(step, flocks, this.counts, snapshot.lost, place, snapshot.state.indices);
  }

  // --- what the page changes

  move(id: number, position: number[]): void {
    this.edit(moveWords(this.boids, id, position));
  }

  push(scene: SceneMessage, push: Push, steps: number): void {
    this.edit(pushWords(scene, this.snapshot.flock, push, steps));
  }

  command(command: Command): void {
    if (command.count === 0) return;
    this.kernels.device.queue.writeBuffer(this.memory.commands, 0, command.rows);
    this.edit(commandWords(this.boids, command), "command");
  }

  private edit(words: ArrayBuffer, entry: PageKernel = "edit"): void {
    this.kernels.device.queue.writeBuffer(this.memory.page, 0, words);
    this.submit((encoder) => dispatch(encoder, [this.memory.own(entry, this.parity)]));
    this.edited = true;
    this.shownStates.renew();
  }

  // --- drawing from the device

  setColours(neighbours: Uint8Array | null, shown: (Shown & { rows: number[] }) | null): void {
    this.shownStates.setColours(neighbours, shown);
  }

  /** The two states to draw between at a time; null before the first one. `refresh`: milliseconds between drawings. */
  drawn(at: number, refresh: number): DeviceBoids | null {
    return this.shownStates.take(at, refresh, this.step, this.parity);
  }

  dispose(): void {
    this.generation++;
    this.memory.destroy();
  }
}
