/** Interpolation between two frames; minimum images on periodic axes. */

import { coordinate, type Frame, type Vec3 } from "./frame";

/** The image of an offset that is nearest to zero; period 0 means that the axis has none. */
export function nearest(offset: number, period: number): number {
  return period > 0 ? offset - period * Math.round(offset / period) : offset;
}

/** Along one axis: from `a`, a part of the shorter way to `b`. */
export function between(a: number, b: number, part: number, period: number): number {
  return a + part * nearest(b - a, period);
}

/** Where a boid is drawn: between two frames, as the image nearest to `middle`. */
export function placeBetween(
  before: Frame,
  now: Frame,
  boid: number,
  part: number,
  period: Vec3,
  middle: Vec3,
): Vec3 {
  const place: Vec3 = [0, 0, 0];
  for (let axis = 0; axis < now.dims; axis++) {
    const to = coordinate(now, boid, axis);
    const from = boid < before.count ? coordinate(before, boid, axis) : to;
    const at = between(from, to, part, period[axis]!);
    place[axis] = middle[axis]! + nearest(at - middle[axis]!, period[axis]!);
  }
  return place;
}
