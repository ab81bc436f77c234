/** The flock at one moment, for pictures and measures: boids in the order of ids. */

import { Refused } from "./errors";
import type { FlightModule } from "./module";
import type { Flock, Shown } from "./state";
import type { SceneMessage, SpaceInfo } from "../wire/contracts";

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

/** The state of this name that boids keep, in the order of ids: nan where a flock does not keep it. `states`:
 * what each flock keeps, in the order of the rows of memory. Null for a name that the scene does not have. */
export function shownOf(module: FlightModule, { per_boid = [] }: Pick<SceneMessage, "per_boid">, states: Record<string, string[]>, name: string): Shown | null {
  const which = per_boid.findIndex((number) => number.name === name);
  if (which < 0) return null;
  const { boids, ids, kinds, columns, memory, manifest } = module;
  const rows = manifest.flocks.map((flock) => (states[flock] ?? []).indexOf(name));
  const values = new Float32Array(boids);
  for (let k = 0; k < boids; k++) {
    const row = rows[kinds[k]!]!;
    values[ids[k]!] = row < 0 ? NaN : memory[row * columns + k]!;
  }
  return { which, values };
}

/** A difference of places along an axis, to the nearest image where the axis is periodic. */
export function nearest(space: SpaceInfo, d: number, difference: number): number {
  if (!space.periodic[d]) return difference;
  const side = space.upper[d]! - space.lower[d]!;
  return difference - side * Math.floor(difference / side + 0.5);
}

/** The id of a boid of a flock, counted through all flocks; -1 for none. */
export function idOf({ flocks }: SceneMessage, flock: string | undefined, boid: number | undefined): number {
  if (flock === undefined || boid === undefined) return -1;
  let first = 0;
  for (const { name, count } of flocks) {
    if (name === flock && boid < count) return first + boid;
    first += count;
  }
  throw new Refused(`boid: got ${boid} of flock '${flock}', which does not exist`);
}
