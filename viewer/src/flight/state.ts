/** The state of a flock, what pictures and measures see of it, and how a page pushes its boids. */

import type { TraitSource } from "../wire/contracts";

/** The complete state of a simulation between two steps, in the order of ids. */
export interface State {
  step: number;
  counts: number[];
  /** (2 dims, boids), a row an axis: places, then velocities. */
  places: Float32Array;
  timers: Int32Array;
  /** (kept, boids): what is kept of a boid. Where boids sense with a delay, past places and velocities may follow; without
   * them, they equal the present ones. */
  kept: Float32Array;
  /** The index of each boid within its flock, which is that of its random numbers, and the step at which it joined. */
  indices: Int32Array;
  births: Int32Array;
  /** How many boids have ever been in each flock. */
  ever: number[];
}

/** The identities of boids that were all there at the start. */
export function firstBoids(counts: number[]): Pick<State, "indices" | "births" | "ever"> {
  const indices = Int32Array.from(counts.flatMap((count) => Array.from({ length: count }, (_, k) => k)));
  return { indices, births: new Int32Array(indices.length), ever: [...counts] };
}

/** A number that differs between boids, in the order of ids; nan for boids of flocks that do not have it. */
export interface Trait {
  source: TraitSource;
  numbers: Float64Array;
}

/** The flock at one moment, as pictures and measures need it: boids in the order of ids. */
export interface Flock {
  dims: number;
  boids: number;
  /** How many boids each flock has. */
  counts: number[];
  /** Where boids join and leave: the index of each boid within its flock, and how many have ever been in each. */
  who: Pick<State, "indices" | "ever"> | null;
  step: number;
  time: number;
  /** Numbers that differ between boids. */
  traits?: Trait[];
  /** (boids, 3) each; in 2-D the third is 0. */
  positions: Float32Array;
  velocities: Float32Array;
  /** Steps left on the ground. */
  timers: Int32Array;
}

/** A number of each boid, nan where it has none, and its index in the scene. */
export interface Shown {
  which: number;
  values: Float32Array;
}

/** Boids near a point are driven away from it, or called to it. */
export interface Push {
  position: number[];
  radius: number;
  /** 1 drives boids away (shoo), -1 draws them near (call). */
  sign: 1 | -1;
}
