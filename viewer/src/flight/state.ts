/** The state of a flock, what pictures and measures see of it, and how a page pushes its boids. */

/** The complete state of a simulation between two steps, in the order of ids. */
export interface State {
  step: number;
  counts: number[];
  /** (2 dims, boids), a row an axis: places, then velocities. */
  places: Float32Array;
  timers: Int32Array;
  /** (kept, boids): what is kept of a boid. */
  kept: Float32Array;
}

/** The flock at one moment, as pictures and measures need it: boids in the order of ids. */
export interface Flock {
  dims: number;
  boids: number;
  step: number;
  time: number;
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
