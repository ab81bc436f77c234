/** The flock at one moment, for pictures and measures: boids in the order of ids. */

import { Refused } from "./errors";
import type { FlightModule } from "./module";
import type { Flock, Shown } from "./state";
import type { SceneMessage, SpaceInfo } from "../wire/contracts";
import { t } from "../words";

export function flockOf(module: FlightModule, step: number, time: number, who: Flock["who"]): Flock {
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
  return { dims, boids, counts: module.counts, who, step, time, positions, velocities, timers: rests };
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

/** The flocks of a scene as they are in a flock: the first boid of each, and how many it has. */
export function rangesOf({ flocks }: SceneMessage, { counts }: Flock): { name: string; first: number; count: number }[] {
  let first = 0;
  return flocks.map(({ name }, k) => ({ name, count: counts[k]!, first: (first += counts[k]!) - counts[k]! }));
}

/** The place of a boid in the order of ids by its index in its flock; -1 for none, or one that has left. */
export function placeOf(scene: SceneMessage, flock: Flock, name: string | undefined, index: number | undefined): number {
  const range = rangesOf(scene, flock).find((one) => one.name === name);
  if (!range || index === undefined) return -1;
  if (!flock.who) return index < range.count ? range.first + index : -1;
  const place = flock.who.indices.indexOf(index, range.first);
  return place < range.first + range.count ? place : -1;
}

/** The place of a message's boid, as `placeOf`. Throws Refused for a boid that is not there. */
export function boidAt(scene: SceneMessage, flock: Flock, { flock: name, boid }: { flock?: string; boid?: number }): number {
  const place = placeOf(scene, flock, name, boid);
  if (place >= 0 || name === undefined || boid === undefined) return place;
  throw new Refused(flock.who ? t("boid: got {boid} of flock '{flock}', which is not in it now", { boid: String(boid), flock: name }) : t("boid: got {boid} of flock '{flock}', which does not exist", { boid: String(boid), flock: name }));
}
