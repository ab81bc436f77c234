/** The interface of an engine for a session: WebAssembly (flight.ts), which answers at once, or WebGPU
 * (webgpu/deviceflight.ts), whose states are read back some milliseconds later. */

import type { Clock } from "./clock";
import type { Command } from "./controls";
import type { Resize } from "./resize";
import type { Flock, Shown, State, Push } from "./state";
import type { Values } from "./values";
import type { SceneMessage, StatusMessage } from "../wire/contracts";

/** Its name as the page shows it. */
export type EngineName = "WebAssembly" | "WebGPU";

export interface Simulator {
  readonly engine: EngineName;
  readonly step: number;
  readonly time: number;
  readonly dt: number;
  readonly boids: number;
  readonly seed: bigint;
  /** Steps that it takes now; 0 while a device is busy, which then wakes the session. */
  readonly room: number;
  /** Whether `flock` is the present state. */
  readonly current: boolean;

  /** From the start again. */
  restart(counts: number[], seed: bigint): void;
  /** From a state. */
  begin(state: State): void;
  /** Boids join and leave. */
  resize(resize: Resize): void | Promise<void>;
  /** Other numbers from the next step on. */
  setValues(values: Values): void;
  /** Make some steps. Throws Lost. */
  run(steps: number): void;
  /** Milliseconds that steps take, of which the call took some. */
  took(steps: number, call: number): number;
  /** Request a state after the last one. Returns whether there is one. */
  look(now: number): boolean;
  /** The state that was seen last. */
  flock(): Flock;
  /** The state of a name that boids keep, then; null for a name that the scene does not have. */
  shown(scene: SceneMessage, states: Record<string, string[]>, name: string): Shown | null;
  /** The vector of each rule on a boid in the step after it: rule -> weighted vector. Null: not known yet. */
  wants(boid: number): Record<string, number[]> | null;
  /** Colours that a renderer draws from the device: a number of each boid, or its neighbours. */
  setColours?(neighbours: Uint8Array | null, shown: (Shown & { rows: number[] }) | null): void;
  move(id: number, position: number[]): void;
  /** Give commands to the boids of a flock. */
  command(command: Command): void;
  /** Turn velocities away from a point, or towards it, before some steps. */
  push(scene: SceneMessage, push: Push, steps: number): void;
  /** The present state to the bit. */
  state(): State | Promise<State>;
}

/** What a page shows of a simulation beside its picture. */
export function statusOf({ playing, rate, perSecond }: Clock, flight: Simulator): StatusMessage {
  return {
    type: "status", playing, rate, steps_per_second: perSecond,
    boid_steps_per_second: perSecond * flight.boids,
    step: flight.step, time: flight.time, clients: 1, busy: "", seed: String(flight.seed), engine: flight.engine,
  };
}
