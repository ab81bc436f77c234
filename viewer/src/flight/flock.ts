/** The flock at one moment, as pictures and measures want it: boids in the order of ids. */

import type { FlightModule } from "./module";
import type { SpaceInfo } from "../wire/messages";

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

export function flockOf(module: FlightModule, step: number, time: number): Flock {
  const { boids, ids, now, columns, timers } = module;
  const { dims } = module.manifest;
  const positions = new Float32Array(3 * boids);
  const velocities = new Float32Array(3 * boids);
  const rests = new Int32Array(boids);
  for (let d = 0; d < dims; d++) {
    const [place, velocity] = [d * columns, (dims + d) * columns];
    for (let k = 0; k < boids; k++) {
      const at = 3 * ids[k]! + d;
      positions[at] = now[place + k]!;
      velocities[at] = now[velocity + k]!;
    }
  }
  for (let k = 0; k < boids; k++) rests[ids[k]!] = timers[k]!;
  return { dims, boids, step, time, positions, velocities, timers: rests };
}

/** A difference of places along an axis, to the nearest image where the axis is periodic. */
export function nearest(space: SpaceInfo, d: number, difference: number): number {
  if (!space.periodic[d]) return difference;
  const side = space.upper[d]! - space.lower[d]!;
  return difference - side * Math.floor(difference / side + 0.5);
}
