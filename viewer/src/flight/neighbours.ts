/** Neighbour search with a list of cells, for colours, charts and the close-up. */

import { nearest } from "./flock";
import type { Flock } from "./state";
import type { SpaceInfo } from "../wire/contracts";

/** Boids `first` to `first + count` of a flock, in cells. */
export class Neighbours {
  private readonly lower = [0, 0, 0];
  private readonly side = [1, 1, 1];
  private readonly cells = [1, 1, 1];
  private readonly head: Int32Array;
  private readonly next: Int32Array;

  constructor(
    private readonly flock: Flock, private readonly space: SpaceInfo,
    private readonly first: number, count: number, radius: number,
  ) {
    const { positions, dims } = flock;
    const most = Math.max(1, Math.floor((2 * count + 64) ** (1 / dims)));
    for (let d = 0; d < dims; d++) {
      let [low, high] = [space.lower[d]!, space.upper[d]!];
      if (!space.periodic[d]) {
        [low, high] = [Infinity, -Infinity];
        for (let i = first; i < first + count; i++) {
          low = Math.min(low, positions[3 * i + d]!);
          high = Math.max(high, positions[3 * i + d]!);
        }
      }
      const extent = Math.max(high - low, 1e-12);
      this.cells[d] = Math.max(1, Math.min(most, Math.floor(extent / Math.max(radius, 1e-12))));
      this.lower[d] = low;
      this.side[d] = extent / this.cells[d]!;
    }
    this.head = new Int32Array(this.cells[0]! * this.cells[1]! * this.cells[2]!).fill(-1);
    this.next = new Int32Array(count);
    for (let i = count - 1; i >= 0; i--) {
      const cell = this.cellOf(first + i);
      this.next[i] = this.head[cell]!;
      this.head[cell] = i;
    }
  }

  private along(boid: number, d: number): number {
    const k = Math.floor((this.flock.positions[3 * boid + d]! - this.lower[d]!) / this.side[d]!);
    return Math.min(Math.max(k, 0), this.cells[d]! - 1);
  }

  private cellOf(boid: number): number {
    return (this.along(boid, 2) * this.cells[1]! + this.along(boid, 1)) * this.cells[0]! + this.along(boid, 0);
  }

  /** Cells along an axis within `reach` cells of one, none of them twice. */
  private range(centre: number, d: number, reach: number): number[] {
    const n = this.cells[d]!;
    if (2 * reach + 1 >= n) return Array.from({ length: n }, (_, k) => k);
    const found: number[] = [];
    for (let k = centre - reach; k <= centre + reach; k++) {
      if (this.space.periodic[d]) found.push((k + n) % n);
      else if (k >= 0 && k < n) found.push(k);
    }
    return found;
  }

  distance2(a: number, b: number): number {
    const { positions, dims } = this.flock;
    let sum = 0;
    for (let d = 0; d < dims; d++) sum += nearest(this.space, d, positions[3 * b + d]! - positions[3 * a + d]!) ** 2;
    return sum;
  }

  /** Calls with every other boid in the cells around one, and its squared distance. */
  around(boid: number, reach: number, call: (other: number, distance2: number) => void): void {
    const [xs, ys, zs] = [0, 1, 2].map((d) => this.range(this.along(boid, d), d, reach)) as [number[], number[], number[]];
    for (const z of zs) for (const y of ys) for (const x of xs) {
      for (let i = this.head[(z * this.cells[1]! + y) * this.cells[0]! + x]!; i >= 0; i = this.next[i]!) {
        if (this.first + i !== boid) call(this.first + i, this.distance2(boid, this.first + i));
      }
    }
  }

  /** How far the cells around one are sure to reach. */
  private sure(reach: number): number {
    const { dims } = this.flock;
    return reach * Math.min(...this.side.slice(0, dims).filter((_, d) => this.cells[d]! > 2 * reach + 1), Infinity);
  }

  /** The distance to the nearest other boid; Infinity for a boid alone. */
  nearestDistance(boid: number): number {
    for (let reach = 1; ; reach *= 2) {
      let best = Infinity;
      this.around(boid, reach, (_, d2) => (best = d2 < best ? d2 : best));
      const distance = Math.sqrt(best);
      if (distance <= this.sure(reach) || this.sure(reach) === Infinity) return distance;
    }
  }
}

/** The radius of cells that hold about two boids each. */
export function spacing(flock: Flock, first: number, count: number): number {
  let volume = 1;
  for (let d = 0; d < flock.dims; d++) {
    let [low, high] = [Infinity, -Infinity];
    for (let i = first; i < first + count; i++) {
      low = Math.min(low, flock.positions[3 * i + d]!);
      high = Math.max(high, flock.positions[3 * i + d]!);
    }
    volume *= Math.max(high - low, 1e-9);
  }
  return (2 * volume / Math.max(count, 1)) ** (1 / flock.dims);
}
