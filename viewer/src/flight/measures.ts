/** The measures of the charts: as murmurate.measures takes them (polarization, milling, nearest, speed). */

import { nearest, type Flock } from "./flock";
import { Neighbours, spacing } from "./neighbours";
import type { SpaceInfo } from "../wire/messages";

const MANY = 4000; // boids from which on nearest neighbours are those of a sample

type Vector = [number, number, number];

/** The measures of boids `first` to `first + count`: name -> value, null where there is none. */
export function measuresOf(flock: Flock, space: SpaceInfo, first: number, count: number): Record<string, number | null> {
  if (count === 0) return { polarization: null, milling: null, nearest_neighbour_distance: null, speed: null };
  const headings: Vector = [0, 0, 0];
  const spin: Vector = [0, 0, 0];
  const centre = centroid(flock, space, first, count);
  let speeds = 0;
  for (let i = first; i < first + count; i++) {
    const [u, speed] = unit(3, (d) => flock.velocities[3 * i + d]!);
    const [r] = unit(3, (d) => away(space, d, flock.positions[3 * i + d]! - centre[d]!));
    speeds += speed;
    for (let d = 0; d < 3; d++) {
      const [a, b] = [(d + 1) % 3, (d + 2) % 3];
      headings[d]! += u[d]!;
      spin[d]! += r[a]! * u[b]! - r[b]! * u[a]!;
    }
  }
  return {
    polarization: Math.hypot(...headings) / count,
    milling: Math.hypot(...spin) / count,
    nearest_neighbour_distance: nearestDistance(flock, space, first, count),
    speed: speeds / count,
  };
}

/** A unit vector, zeros for none, and its length before. */
function unit(dims: number, at: (d: number) => number): [number[], number] {
  const v = Array.from({ length: dims }, (_, d) => at(d));
  const length = Math.sqrt(v.reduce((sum, x) => sum + x * x, 0));
  return [length > 0 ? v.map((x) => x / length) : v, length];
}

function away(space: SpaceInfo, d: number, difference: number): number {
  const x = nearest(space, d, difference);
  return space.periodic[d] && Math.abs(x) < 1e-12 * (space.upper[d]! - space.lower[d]!) ? 0 : x;
}

/** The mean place, on periodic axes around the circular mean. */
function centroid(flock: Flock, space: SpaceInfo, first: number, count: number): Vector {
  const centre: Vector = [0, 0, 0];
  for (let d = 0; d < flock.dims; d++) {
    const mean = (of: (x: number) => number): number => {
      let sum = 0;
      for (let i = first; i < first + count; i++) sum += of(flock.positions[3 * i + d]!);
      return sum / count;
    };
    if (!space.periodic[d]) {
      centre[d] = mean((x) => x);
      continue;
    }
    const [lower, side] = [space.lower[d]!, space.upper[d]! - space.lower[d]!];
    const turn = (2 * Math.PI) / side;
    const middle = lower + Math.atan2(mean((x) => Math.sin((x - lower) * turn)), mean((x) => Math.cos((x - lower) * turn))) / turn;
    centre[d] = middle + mean((x) => nearest(space, d, x - middle));
  }
  return centre;
}

function nearestDistance(flock: Flock, space: SpaceInfo, first: number, count: number): number | null {
  if (count < 2) return null;
  const near = new Neighbours(flock, space, first, count, spacing(flock, first, count));
  const every = Math.max(1, Math.floor(count / MANY));
  let [sum, taken] = [0, 0];
  for (let i = first; i < first + count; i += every, taken++) sum += near.nearestDistance(i);
  return sum / taken;
}
