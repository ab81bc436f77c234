/** Ranges of the colour scales: speeds, numbers of neighbours and values of boids seen so far. They only
 * widen during a flight, so that colours do not flicker. */

import { isUnseen, rangesOf, speedOf, valueOf, type Frame } from "../wire/frame";
import type { SceneCore } from "../wire/contracts";

const SAMPLE = 1500;
const EVERY = 12; // frames from one measurement to the next

const at = (sorted: number[], part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]!;

export class ColourRanges {
  found = { slowest: 0, fastest: 1, crowd: 16 };
  /** Lowest and highest value of the number that colours show. */
  values: { which: number; low: number; high: number } | null = null;
  private seen = 0;
  private wait = 0;

  /** Returns whether something has changed. `again`: a new simulation; forget the previous one. */
  look(frame: Frame, scene: SceneCore, again: boolean): boolean {
    if (again) {
      this.seen = this.wait = 0;
      this.values = null;
    }
    const { values: own } = this;
    const other = frame.values !== null && (frame.values.which !== own?.which || frame.values.low < own.low || frame.values.high > own.high);
    if (this.wait-- > 0 && !other) return false;
    this.wait = this.seen < 3 ? 0 : EVERY;
    const speeds: number[] = [];
    const crowds: number[] = [];
    const values: number[] = [];
    const ranges = rangesOf(frame, scene.flocks);
    scene.flocks.forEach((flock, k) => {
      const { first, count } = ranges[k] ?? { first: 0, count: 0 };
      const end = Math.min(frame.count, first + count);
      // Predators keep their own colour when others show speeds, so they do not stretch that range either.
      const step = Math.max(1, Math.floor(count / SAMPLE));
      for (let boid = first; boid < end; boid += step) {
        if (isUnseen(frame, boid)) continue;
        const value = valueOf(frame, boid);
        if (value !== null) values.push(value);
        if (flock.scale > 1) continue;
        speeds.push(speedOf(frame, boid));
        crowds.push(frame.bytes[12 * boid + 11]! & 255);
      }
    });
    this.widen(frame, values, scene);
    if (speeds.length === 0) return false;
    speeds.sort((a, b) => a - b);
    crowds.sort((a, b) => a - b);
    const [low, high] = [at(speeds, 0.01), at(speeds, 0.99)];
    const old = this.found;
    const slowest = this.seen ? Math.min(old.slowest, low) : low;
    const fastest = this.seen ? Math.max(old.fastest, high) : high;
    const crowd = Math.max(4, this.seen ? old.crowd : 0, at(crowds, 0.98));
    this.found = { slowest, fastest: Math.max(fastest, slowest + 1e-9 + 0.02 * Math.abs(slowest)), crowd };
    this.seen++;
    return true;
  }

  /** The range of a number: numbers of the same boids stay until they are changed; others only widen. */
  private widen(frame: Frame, values: number[], { per_boid }: SceneCore): void {
    if (!frame.values || values.length === 0) return;
    const { which, low, high } = frame.values;
    if (per_boid?.[which]?.kind === "trait" && !frame.numbers) {
      this.values = { which, low, high };
      return;
    }
    const before = this.values?.which === which ? this.values : { low: Infinity, high: -Infinity };
    this.values = { which, low: Math.min(before.low, ...values), high: Math.max(before.high, ...values) };
  }
}
