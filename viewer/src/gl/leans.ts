/** How birds lean into their turns, as in the films: worked out as frames come, since two of them are too few. */

import { HEADING } from "../wire/contracts";
import { isUnseen, type Frame } from "../wire/frame";

const SMOOTH = 0.2; // seconds of film over which a turn is averaged: headings jitter
export const STEEPEST = 2.2; // times gravity, as if a boid flew at 10 m/s
export const GAP = 1; // seconds of film after which nothing is known of a turn

/** How much of a turn that took `span` seconds of film is new to the average. */
export const shareOf = (span: number): number => 1 - Math.exp(-span / SMOOTH);

export class Leans {
  /** Two numbers a boid, in whole rows: tangents of the lean to its left at the frame before, and now. */
  values = new Float32Array(0);
  private last: Frame | null = null;

  /** `width`: boids per row. */
  constructor(private readonly width: number) {}

  get rows(): number {
    return this.values.length / (2 * this.width);
  }

  /** Learns the frames that are drawn now; `seconds`: of film, a step. False where they are known. */
  update(before: Frame, now: Frame, seconds: number): boolean {
    const { last } = this;
    if (last === now) return false;
    const gap = last ? (now.step - last.step) * seconds : -1;
    const rows = Math.max(1, Math.ceil(now.count / this.width));
    if (last?.count !== now.count || last.layout !== now.layout || gap <= 0 || gap > GAP) this.values = new Float32Array(2 * this.width * rows);
    this.last = now;
    const span = (now.step - before.step) * seconds;
    if (span <= 0 || before.count !== now.count) return true;
    const { values } = this;
    const part = shareOf(span);
    for (let boid = 0; boid < now.count; boid++) {
      if (isUnseen(now, boid) || isUnseen(before, boid)) {
        values[2 * boid] = values[2 * boid + 1] = 0; // another boid may get its row
        continue;
      }
      const at = 12 * boid + 8;
      const x = now.bytes[at]!, y = now.bytes[at + 1]!;
      const level = Math.max(1, Math.hypot(x, y));
      const left = ((y - before.bytes[at + 1]!) * x - (x - before.bytes[at]!) * y) / level / HEADING / span;
      const lean = values[2 * boid + 1]!;
      values[2 * boid] = lean;
      values[2 * boid + 1] = lean + part * (Math.min(STEEPEST, Math.max(-STEEPEST, left)) - lean);
    }
    return true;
  }
}
