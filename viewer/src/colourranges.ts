/** Ranges of the colour scales: speeds and numbers of neighbours seen so far. They only widen during a
 * flight, so that colours do not flicker. */

import { speedOf, type Frame } from "./wire/frame";
import type { SceneCore } from "./wire/messages";

const SAMPLE = 1500;
const EVERY = 12; // frames from one look to the next

export class ColourRanges {
  found = { slowest: 0, fastest: 1, crowd: 16 };
  private seen = 0;
  private wait = 0;

  /** Says whether something has changed. `again`: a new flight, forget the old one. */
  look(frame: Frame, scene: SceneCore, again: boolean): boolean {
    if (again) this.seen = this.wait = 0;
    if (this.wait-- > 0) return false;
    this.wait = this.seen < 3 ? 0 : EVERY;
    const speeds: number[] = [];
    const crowds: number[] = [];
    let first = 0;
    for (const flock of scene.flocks) {
      const end = Math.min(frame.count, first + flock.count);
      // Predators keep their own colour, so they do not stretch the range either.
      const step = Math.max(1, Math.floor(flock.count / SAMPLE));
      for (let boid = first; flock.scale <= 1 && boid < end; boid += step) {
        speeds.push(speedOf(frame, boid));
        crowds.push(frame.bytes[12 * boid + 11]! & 255);
      }
      first += flock.count;
    }
    if (speeds.length === 0) return false;
    speeds.sort((a, b) => a - b);
    crowds.sort((a, b) => a - b);
    const at = (sorted: number[], part: number): number =>
      sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]!;
    const [low, high] = [at(speeds, 0.01), at(speeds, 0.99)];
    const old = this.found;
    const slowest = this.seen ? Math.min(old.slowest, low) : low;
    const fastest = this.seen ? Math.max(old.fastest, high) : high;
    const crowd = Math.max(4, this.seen ? old.crowd : 0, at(crowds, 0.98));
    this.found = { slowest, fastest: Math.max(fastest, slowest + 1e-9 + 0.02 * Math.abs(slowest)), crowd };
    this.seen++;
    return true;
  }
}
