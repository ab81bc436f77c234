/** Following a flock: a smoothed centre and extent that outliers do not move. */

import { coordinate, type Frame, type Vec3 } from "../wire/frame";
import { nearest } from "../wire/torus";

const SAMPLE = 1500;
const SETTLE = 0.6; // seconds in which the camera follows

function quantile(sorted: Float64Array, part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}

/** The middle of a flock and how far most of it lies from there, along each axis. */
export function middleOf(
  frame: Frame,
  first: number,
  count: number,
  period: Vec3,
  guess: Vec3,
): { centre: Vec3; reach: Vec3 } {
  const step = Math.max(1, Math.floor(count / SAMPLE));
  const size = Math.ceil(count / step);
  const centre: Vec3 = [0, 0, 0];
  const reach: Vec3 = [0, 0, 0];
  const away = new Float64Array(size);
  for (let axis = 0; axis < frame.dims; axis++) {
    for (let k = 0; k < size; k++) {
      const offset = coordinate(frame, first + k * step, axis) - guess[axis]!;
      away[k] = nearest(offset, period[axis]!);
    }
    away.sort();
    const middle = quantile(away, 0.5);
    for (let k = 0; k < size; k++) away[k] = Math.abs(away[k]! - middle);
    away.sort();
    centre[axis] = guess[axis]! + middle;
    reach[axis] = 1.2 * quantile(away, 0.96);
  }
  return { centre, reach };
}

export class Follower {
  centre: Vec3;
  reach: Vec3;
  private seen = 0;

  constructor(
    private readonly period: Vec3,
    middle: Vec3,
    half: Vec3,
  ) {
    this.centre = [...middle];
    this.reach = [...half];
  }

  /** Look at the flock; `seconds` since the last look. */
  update(frame: Frame, first: number, count: number, seconds: number, least: number): void {
    if (count === 0) return;
    const now = middleOf(frame, first, count, this.period, this.centre);
    // A torus whose flock is everywhere has its median anywhere: look twice from the new middle.
    if (this.seen === 0) Object.assign(now, middleOf(frame, first, count, this.period, now.centre));
    const quick = this.seen > 0 ? 1 - Math.exp(-seconds / (0.35 * SETTLE)) : 1;
    const slow = this.seen > 0 ? 1 - Math.exp(-seconds / (1.5 * SETTLE)) : 1;
    for (let axis = 0; axis < 3; axis++) {
      this.centre[axis] = this.centre[axis]! + quick * (now.centre[axis]! - this.centre[axis]!);
      const reach = Math.max(now.reach[axis]!, axis < frame.dims ? least : 0);
      this.reach[axis] = this.reach[axis]! + slow * (reach - this.reach[axis]!);
    }
    this.seen++;
  }
}
