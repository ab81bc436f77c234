/** Boids of a replay that join and leave, and numbers of each boid: see murmurate/show/replay_boids.py. */

import { EMPTY, type Levels, type Numbers } from "../wire/frame";
import { bytesOf, inflated } from "./unpack";
import { LEVELS, NO_VALUE, type EvenSeries, type ReplayBoids, type ReplayHead, type ReplayNumbers } from "../wire/contracts";

export const at = (row: number[] | EvenSeries, k: number): number => (Array.isArray(row) ? row[k]! : row.first + k * row.step);

/** Which boid is in a row at a frame. */
export class Presence {
  /** The boids of each row, in time. */
  private readonly byRow: number[][];
  private readonly flockOf: number[] = [];

  constructor(private readonly boids: ReplayBoids, private readonly flocks: string[]) {
    const count = boids.rows.reduce((sum, many) => sum + many, 0);
    this.byRow = Array.from({ length: count }, () => []);
    boids.rows.forEach((many, flock) => {
      for (let k = 0; k < many; k++) this.flockOf.push(flock);
    });
    boids.row.forEach((row, boid) => this.byRow[row]!.push(boid));
    for (const row of this.byRow) row.sort((a, b) => boids.first[a]! - boids.first[b]!);
  }

  /** The index of a boid in the lists; -1 for an empty row. */
  in(row: number, frame: number): number {
    const { first, last } = this.boids;
    for (const boid of this.byRow[row]!) if (frame >= first[boid]! && frame <= last[boid]!) return boid;
    return -1;
  }

  /** The frames in which a boid is there. */
  span(boid: number): [number, number] {
    return [this.boids.first[boid]!, this.boids.last[boid]!];
  }

  ids(frame: number): Uint32Array {
    return Uint32Array.from(this.byRow, (_, row) => {
      const boid = this.in(row, frame);
      return boid < 0 ? EMPTY : this.boids.id[boid]!;
    });
  }

  numbers(frame: number): Numbers[] {
    const numbers = this.flocks.map((flock) => ({ count: 0, ever: at(this.boids.ever[flock]!, frame) }));
    this.flockOf.forEach((flock, row) => (numbers[flock]!.count += this.in(row, frame) >= 0 ? 1 : 0));
    return numbers;
  }
}

/** The numbers of each boid, by their place in the scene. */
export class NumbersOfBoids {
  private constructor(
    private readonly head: ReplayHead,
    private readonly numbers: ReplayNumbers,
    /** Traits: (boids) levels; states: (frames x rows) levels. */
    private readonly levels: Uint16Array[],
  ) {}

  static async of(head: ReplayHead): Promise<NumbersOfBoids | null> {
    const { numbers, frames, count, boids } = head;
    if (!numbers) return null;
    const bytes = await inflated(bytesOf(numbers.text));
    const many = boids ? boids.row.length : count;
    let from = 0;
    const levels = numbers.names.map(({ kind }) => {
      if (kind === "trait") {
        const own = Uint16Array.from({ length: many }, (_, k) => bytes[from + 2 * k]! | (bytes[from + 2 * k + 1]! << 8));
        from += 2 * many;
        return own;
      }
      const own = new Uint16Array(frames * count);
      for (let row = 0; row < count; row++) {
        let level = 0;
        for (let frame = 0; frame < frames; frame++) {
          level = (level + bytes[from++]!) & 255;
          own[frame * count + row] = level === 255 ? NO_VALUE : level;
        }
      }
      return own;
    });
    if (from !== bytes.length) throw new Error(`replay: got ${bytes.length} bytes of numbers; expected ${from}`);
    return new NumbersOfBoids(head, numbers, levels);
  }

  /** A number of the boids in their rows, at a frame. */
  at(which: number, frame: number, presence: Presence | null): Levels | null {
    const about = this.numbers.names[which];
    const own = this.levels[which];
    if (!about || !own) return null;
    const { count } = this.head;
    const { kind, low, high } = about;
    if (kind === "trait") {
      const levels = presence ? Uint16Array.from({ length: count }, (_, row) => own[presence.in(row, frame)] ?? NO_VALUE) : own;
      return { which, low, high, levels };
    }
    // 255 levels of a state as parts of 65535.
    const levels = own.slice(frame * count, (frame + 1) * count).map((level) => (level === NO_VALUE ? NO_VALUE : 258 * level));
    return { which, low, high: low + ((high - low) * LEVELS) / (254 * 258), levels };
  }
}
