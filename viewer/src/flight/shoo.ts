/** Shooing and calling: boids turn away from a point, or towards it, while a pointer is held there. As in
 * live_view/controller.py. */

import { nearest } from "./flock";
import type { Flock, Push } from "./state";
import type { FlightModule } from "./module";
import type { SceneMessage } from "../wire/contracts";

const STRENGTH = 6; // mean speeds that a boid near the point gains in a second of film

/** Turns velocities away from a point, or towards it, less so towards the edge of its radius; before so
 * many steps. */
export function shoo(module: FlightModule, scene: SceneMessage, { position, radius, sign }: Push, steps: number): void {
  const { boids, now, columns, timers } = module;
  const { dims } = module.manifest;
  const second = secondOf(scene);
  const kinds = module.kinds;
  const sizes = scene.flocks.map(() => ({ sum: 0, count: 0 }));
  const speed = (k: number): number => {
    let sum = 0;
    for (let d = 0; d < dims; d++) sum += now[(dims + d) * columns + k]! ** 2;
    return Math.sqrt(sum);
  };
  for (let k = 0; k < boids; k++) {
    const its = sizes[kinds[k]!]!;
    its.sum += speed(k);
    its.count++;
  }
  const away = [0, 0, 0];
  for (let k = 0; k < boids; k++) {
    const { sum, count } = sizes[kinds[k]!]!;
    const most = STRENGTH * Math.min(1, steps / second) * (sum / count);
    let distance = 0;
    for (let d = 0; d < dims; d++) {
      away[d] = nearest(scene.space, d, now[d * columns + k]! - position[d]!);
      distance += away[d]! ** 2;
    }
    distance = Math.sqrt(distance);
    if (!(distance < radius) || distance === 0 || timers[k]! > 0 || !Number.isFinite(most)) continue;
    const push = (sign * most * (1 - distance / radius)) / distance;
    for (let d = 0; d < dims; d++) now[(dims + d) * columns + k]! += push * away[d]!;
  }
}

/** By flock: the largest change of a velocity before some steps, negative to draw near. */
export function strengths(scene: SceneMessage, flock: Flock, { sign }: Push, steps: number): number[] {
  const second = secondOf(scene);
  let end = 0;
  return scene.flocks.map(({ count }) => {
    let sum = 0;
    for (let k = 3 * end; k < 3 * (end + count); k += 3) sum += Math.hypot(flock.velocities[k]!, flock.velocities[k + 1]!, flock.velocities[k + 2]!);
    end += count;
    return (sign * STRENGTH * Math.min(1, steps / second) * sum) / Math.max(1, count);
  });
}

/** Steps in a second of film. */
const secondOf = ({ view }: SceneMessage): number => (view.every ?? 1) * (view.frames_per_second ?? 24);
