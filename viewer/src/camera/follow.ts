/** Following flocks: a smoothed centre and extent that outliers do not move. The film's camera does
 * the same (show/camera.py). */

import { coordinate, isUnseen, rangesOf, type Frame, type Range, type Vec3 } from "../wire/frame";
import { nearest } from "../wire/torus";

const SAMPLE = 1500;
const PART = 0.96; // of the boids, within the reach
const MINOR = 1 / 8; // a flock of a smaller part of the largest one's boids does not move the camera
const COMPANY = 2; // times the others' reach: so far a minor flock of a flat space is taken in
const SETTLE = 0.6; // seconds in which the camera follows

function quantile(sorted: Float64Array, part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}

/** The middle of some flocks and how far most of their boids lie from there, along each axis. */
export function middleOf(
  frame: Frame,
  flocks: Range[],
  period: Vec3,
  guess: Vec3,
): { centre: Vec3; reach: Vec3 } {
  const centre: Vec3 = [0, 0, 0];
  const reach: Vec3 = [0, 0, 0];
  const boids = sample(frame, flocks);
  const away = new Float64Array(boids.length);
  for (let axis = 0; axis < frame.dims; axis++) {
    for (let k = 0; k < boids.length; k++) {
      away[k] = nearest(coordinate(frame, boids[k]!, axis) - guess[axis]!, period[axis]!);
    }
    away.sort();
    const middle = quantile(away, 0.5);
    centre[axis] = guess[axis]! + middle;
    reach[axis] = 1.2 * most(away, middle);
  }
  return { centre, reach };
}

/** Some of the boids, of all flocks alike. */
function sample(frame: Frame, flocks: Range[]): number[] {
  const total = flocks.reduce((sum, flock) => sum + flock.count, 0);
  const step = Math.max(1, Math.floor(total / SAMPLE));
  const boids: number[] = [];
  for (const { first, count } of flocks) {
    for (let k = 0; k < count; k += step) if (!isUnseen(frame, first + k)) boids.push(first + k);
  }
  return boids;
}

function most(away: Float64Array, middle: number): number {
  return quantile(away.map((offset) => Math.abs(offset - middle)).sort(), PART);
}

export class Follower {
  centre: Vec3;
  reach: Vec3;
  private seen = 0;

  constructor(
    private readonly flocks: { count: number }[],
    private readonly period: Vec3,
    middle: Vec3,
    half: Vec3,
    /** The least reach. */
    private readonly least: number,
  ) {
    this.centre = [...middle];
    this.reach = [...half];
  }

  /** The flocks that move the camera, and the others. */
  private parted(frame: Frame): { major: Range[]; minor: Range[] } {
    const ranges = rangesOf(frame, this.flocks);
    const boids = (frame.numbers ?? this.flocks).map(({ count }) => count);
    const largest = Math.max(...boids);
    const isMajor = (k: number): boolean => boids[k]! > 0 && boids[k]! >= MINOR * largest;
    const there = (k: number): boolean => boids[k]! > 0 && ranges[k]!.first + ranges[k]!.count <= frame.count;
    return { major: ranges.filter((_, k) => there(k) && isMajor(k)), minor: ranges.filter((_, k) => there(k) && !isMajor(k)) };
  }

  /** Measure the flocks; `seconds` since the last time. */
  update(frame: Frame, seconds: number): void {
    const { major, minor } = this.parted(frame);
    if (major.length === 0) return;
    let now = middleOf(frame, major, this.period, this.centre);
    // On a torus that is full of boids, the median is arbitrary: measure again from the new middle.
    if (this.seen === 0) now = middleOf(frame, major, this.period, now.centre);
    const reach = now.reach.map((r, axis) => (axis < frame.dims ? Math.max(r, this.least) : r)) as Vec3;
    if (frame.dims === 2) this.withCompany(frame, minor, now.centre, reach);
    const quick = this.seen > 0 ? 1 - Math.exp(-seconds / (0.35 * SETTLE)) : 1;
    const slow = this.seen > 0 ? 1 - Math.exp(-seconds / (1.5 * SETTLE)) : 1;
    for (let axis = 0; axis < 3; axis++) {
      this.centre[axis] = this.centre[axis]! + quick * (now.centre[axis]! - this.centre[axis]!);
      this.reach[axis] = this.reach[axis]! + slow * (reach[axis]! - this.reach[axis]!);
    }
    this.seen++;
  }

  /** A dog or a leader that remains near is in the picture of a flat space too. In 3-D a predator comes and goes,
   * and the picture would widen and narrow with it. */
  private withCompany(frame: Frame, flocks: Range[], centre: Vec3, reach: Vec3): void {
    const limit = reach.map((r) => COMPANY * r);
    for (const flock of flocks) {
      const its = middleOf(frame, [flock], this.period, centre);
      for (let axis = 0; axis < frame.dims; axis++) {
        const away = Math.abs(its.centre[axis]! - centre[axis]!) + its.reach[axis]!;
        reach[axis] = Math.max(reach[axis]!, Math.min(1.1 * away, limit[axis]!));
      }
    }
  }
}
