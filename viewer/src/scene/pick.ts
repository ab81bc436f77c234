/** Picking: which boid is under the pointer, and where in space the pointer is. */

import { project, unproject, type Shot } from "../camera/projection";
import { placeBetween } from "../wire/torus";
import { isHidden, type Frame, type Vec3 } from "../wire/frame";

export interface Between {
  before: Frame;
  now: Frame;
  part: number;
}

/** The boid nearest to a pixel, among [first, first + count); the nearer to the camera wins a tie. */
export function pickBoid(
  shot: Shot,
  moment: Between,
  period: Vec3,
  middle: Vec3,
  x: number,
  y: number,
  reach: number,
  first = 0,
  count = moment.now.count,
): number | null {
  let best: number | null = null;
  let least = Infinity;
  for (let boid = first; boid < Math.min(first + count, moment.now.count); boid++) {
    if (isHidden(moment.before, moment.now, boid, moment.part)) continue;
    const p = placeBetween(moment.before, moment.now, boid, moment.part, period, middle);
    const place = project(shot, p);
    if (place.depth < shot.near) continue;
    const away = Math.hypot(place.x - x, place.y - y);
    if (away > reach) continue;
    const cost = away + (2 * place.depth) / shot.distance;
    if (cost < least) {
      least = cost;
      best = boid;
    }
  }
  return best;
}

/** The depth of the flock under the pointer: the median of what is seen near it. */
export function depthNear(
  shot: Shot,
  moment: Between,
  period: Vec3,
  middle: Vec3,
  x: number,
  y: number,
  reach: number,
): number {
  const step = Math.max(1, Math.floor(moment.now.count / 3000));
  const depths: number[] = [];
  for (let boid = 0; boid < moment.now.count; boid += step) {
    if (isHidden(moment.before, moment.now, boid, moment.part)) continue;
    const p = placeBetween(moment.before, moment.now, boid, moment.part, period, middle);
    const place = project(shot, p);
    if (place.depth > shot.near && Math.hypot(place.x - x, place.y - y) < reach) depths.push(place.depth);
  }
  if (depths.length === 0) return shot.distance;
  depths.sort((a, b) => a - b);
  return depths[depths.length >> 1]!;
}

/** The point of space under a pixel, at a depth; in 2-D always in the plane. */
export function pointUnder(shot: Shot, flat: boolean, x: number, y: number, depth: number): Vec3 {
  const point = unproject(shot, x, y, flat ? shot.distance + shot.target[2] : depth);
  if (flat) point[2] = 0;
  return point;
}
