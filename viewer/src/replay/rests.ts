/** Boids of a replay that perch: where they do not move. */

import { dot, minus, plus } from "../camera/projection";
import { vec3, type Vec3 } from "../wire/frame";
import { PERCHED, POSITION_LEVELS, type ReplayHead } from "../wire/contracts";

/** The heading of a boid that perches at a frame, as of PERCHED: that in which it leaves, or in which it came. Null where
 * it moves. */
export function restAt(head: ReplayHead, places: Uint16Array, boid: number, at: number, begin: number, end: number): Vec3 | null {
  const { dims, count, side, periodic } = head;
  const way = (from: number, to: number): Vec3 => {
    const moved: Vec3 = [0, 0, 0];
    for (let axis = 0; axis < dims; axis++) {
      const short = places[(to * count + boid) * dims + axis]! - places[(from * count + boid) * dims + axis]!;
      moved[axis] = (periodic[axis] ? (short << 16) >> 16 : short) * side[axis]!;
    }
    return moved;
  };
  const still = (from: number, to: number): boolean => from >= begin && to <= end && way(from, to).every((d) => d === 0);
  if (!still(at - 1, at) && !still(at, at + 1)) return null;
  let [first, last] = [at, at];
  while (still(last, last + 1)) last++;
  while (last === end && still(first - 1, first)) first--;
  const own = last < end ? way(last, last + 1) : first > begin ? way(first - 1, first) : ([1, 0, 0] as Vec3);
  const at3 = [0, 1, 2].map((axis) => head.lower[axis]! + ((places[(at * count + boid) * dims + axis]! + 0.5) / POSITION_LEVELS) * side[axis]!) as Vec3;
  const [x, y] = (dims === 3 && acrossWire(head, at3, own)) || own;
  const level = Math.hypot(x, y);
  return level > 0 ? [Math.round((PERCHED * x) / level), Math.round((PERCHED * y) / level), 0] : [PERCHED, 0, 0];
}

/** The direction across the wire at a point, on the side of a motion; null: there is none. */
function acrossWire({ scene, side }: ReplayHead, point: Vec3, motion: Vec3): Vec3 | null {
  const near = (4 * Math.max(...side)) / POSITION_LEVELS;
  for (const wire of scene.obstacles) {
    if (wire.kind !== "wire") continue;
    const [start, way] = [vec3(wire.start), minus(vec3(wire.end), vec3(wire.start))];
    const part = dot(minus(point, start), way) / dot(way, way);
    const on = plus(start, way, part);
    on[2] -= 4 * (wire.sag ?? 0) * part * (1 - part);
    if (Math.hypot(on[0] - point[0], on[1] - point[1]) > near || Math.abs(on[2] - point[2]) > near + 0.02 * (wire.sag ?? 0)) continue;
    const across: Vec3 = [-way[1], way[0], 0];
    return dot(across, motion) < 0 ? [way[1], -way[0], 0] : across;
  }
  return null;
}

/** (count) whether the boid in a row is of a flock that perches. */
export function perchingIn({ count, boids, scene }: ReplayHead): Uint8Array {
  const perching = new Uint8Array(count);
  let first = 0;
  scene.flocks.forEach((flock, k) => {
    const rows = boids ? boids.rows[k]! : flock.count;
    if (flock.perches) perching.fill(1, first, first + rows);
    first += rows;
  });
  return perching;
}
