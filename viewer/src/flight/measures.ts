/** The measures of the charts: as murmurate.measures takes them (polarization, milling, nearest, speed). */

import { nearest } from "./flock";
import type { Flock } from "./state";
import { Neighbours, spacing } from "./neighbours";
import type { SpaceInfo } from "../wire/contracts";

const MAX_EXACT_BOIDS = 4000; // boids from which on nearest neighbours are those of a sample

type Vector = [number, number, number];

/** The measures of boids `first` to `first + count`: name -> value, null where there is none. */
export function measuresOf(flock: Flock, space: SpaceInfo, first: number, count: number): Record<string, number | null> {
  if (count === 0) return { polarization: null, milling: null, nearest_neighbour_distance: null, speed: null };
  const { positions: x, velocities: v } = flock;
  const [cx, cy, cz] = centroid(flock, space, first, count);
  let [hx, hy, hz, sx, sy, sz, speeds] = [0, 0, 0, 0, 0, 0, 0];
  for (let k = 3 * first; k < 3 * (first + count); k += 3) {
    const speed = Math.sqrt(v[k]! ** 2 + v[k + 1]! ** 2 + v[k + 2]! ** 2);
    speeds += speed;
    if (speed === 0) continue; // a boid at rest has no heading
    const [u, w, q] = [v[k]! / speed, v[k + 1]! / speed, v[k + 2]! / speed];
    hx += u;
    hy += w;
    hz += q;
    const [a, b, c] = [away(space, 0, x[k]! - cx), away(space, 1, x[k + 1]! - cy), away(space, 2, x[k + 2]! - cz)];
    const r = Math.sqrt(a * a + b * b + c * c);
    if (r === 0) continue;
    sx += (b * q - c * w) / r;
    sy += (c * u - a * q) / r;
    sz += (a * w - b * u) / r;
  }
  return {
    polarization: count < 2 ? null : Math.sqrt(hx * hx + hy * hy + hz * hz) / count,
    milling: count < 2 ? null : Math.sqrt(sx * sx + sy * sy + sz * sz) / count,
    nearest_neighbour_distance: nearestDistance(flock, space, first, count),
    speed: speeds / count,
  };
}

/** From the centre along an axis; what is nearer to it than rounding is at it. */
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
  const every = Math.max(1, Math.floor(count / MAX_EXACT_BOIDS));
  let [sum, taken] = [0, 0];
  for (let i = first; i < first + count; i += every, taken++) sum += near.nearestDistance(i);
  return sum / taken;
}
