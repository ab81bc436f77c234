/** Rows for boids that come and go. A boid keeps its row while it lives, so that it can be drawn between two
 * frames, leave a trail and be selected. The row of a boid that left stays empty for as long as trails reach
 * back; then another boid may use it. */

import { RECORD } from "../wire/contracts";
import { EMPTY, UNSEEN, type Frame } from "../wire/frame";

const EMPTY_FRAMES = 64; // frames that a row stays empty: the length of the longest trail
const MAX_AT_ONCE = 4096; // limit of a flock up to which it gets all of its rows at once
const MIN_ROWS = 128;
const MAX_ROWS_PER_BOID = 4;

interface FlockRows {
  capacity: number;
  /** Id -> row within the flock. */
  places: Map<number, number>;
  /** First row that no boid has used. */
  unused: number;
  /** Rows of boids that left, and the frame in which they left. */
  empty: { row: number; since: number }[];
}

export class Rows {
  private flocks: FlockRows[] = [];
  private scene = -1;
  private step = -1;
  private frames = 0;
  private layout = 0;

  /** `limits`: the largest number of boids of each flock. */
  constructor(private limits: (number | undefined)[] = []) {}

  enter(limits: (number | undefined)[]): void {
    this.limits = limits;
    this.flocks = [];
  }

  /** Return the frame with its boids in their rows, or the frame itself if its numbers do not change. */
  place(frame: Frame): Frame {
    const { ids, numbers } = frame;
    if (!ids || !numbers) return frame;
    this.frames++;
    // another run, or a restarted one, has other boids with the same ids
    if (frame.scene !== this.scene || frame.step < this.step || this.flocks.length !== numbers.length) this.flocks = [];
    [this.scene, this.step] = [frame.scene, frame.step];
    let from = 0;
    const owners = numbers.map(({ count }) => ids.subarray(from, (from += count)));
    this.fit(numbers.map(({ count }) => count));
    if (!owners.every((own, k) => this.assign(this.flocks[k]!, own))) {
      const before = this.flocks.map(({ capacity }) => capacity);
      this.flocks = []; // too few rows: assign all of them again, with more room
      this.fit(numbers.map(({ count }) => count), before);
      owners.forEach((own, k) => this.assign(this.flocks[k]!, own));
    }
    return this.laid(frame, owners);
  }

  /** Make rows for these numbers of boids if there are none. `before`: the capacities that were too small. */
  private fit(counts: number[], before?: number[]): void {
    if (this.flocks.length > 0) return;
    this.layout++;
    this.flocks = counts.map((count, k) => {
      const limit = this.limits[k] ?? Infinity;
      const room = limit <= MAX_AT_ONCE && !before ? Math.max(MIN_ROWS, limit) : Math.max(MIN_ROWS, 2 * count, 2 * (before?.[k] ?? 0));
      return { capacity: Math.max(room, count), places: new Map(), unused: 0, empty: [] };
    });
  }

  /** Free the rows of boids that left and assign rows to new boids. Return whether there were enough. */
  private assign(flock: FlockRows, ids: Uint32Array): boolean {
    const { places, empty, capacity } = flock;
    const here = new Set(ids);
    const isLarge = capacity >= MAX_ROWS_PER_BOID * ids.length + MIN_ROWS;
    for (const [id, row] of places) {
      if (here.has(id)) continue;
      places.delete(id);
      empty.push({ row, since: this.frames });
    }
    for (const id of ids) {
      if (places.has(id)) continue;
      const isFree = empty[0] && this.frames - empty[0].since >= EMPTY_FRAMES;
      let row = -1;
      if (isFree) row = empty.shift()!.row;
      else if (flock.unused < capacity) row = flock.unused++;
      else if (isLarge) row = empty.shift()!.row; // boids come and go so fast that trails do not matter
      if (row < 0) return false;
      places.set(id, row);
    }
    return true;
  }

  private laid(frame: Frame, owners: Uint32Array[]): Frame {
    const rows = this.flocks.map(({ capacity }) => capacity);
    const count = rows.reduce((sum, capacity) => sum + capacity, 0);
    const buffer = new ArrayBuffer(RECORD * count);
    const words = new Uint32Array(buffer);
    const ids = new Uint32Array(count).fill(EMPTY);
    const levels = frame.values && new Uint16Array(count).fill(0xffff);
    for (let row = 0; row < count; row++) words[3 * row + 2] = UNSEEN;
    let [first, from] = [0, 0];
    this.flocks.forEach(({ places, capacity }, k) => {
      for (const id of owners[k]!) {
        const row = first + places.get(id)!;
        words.set(frame.words.subarray(3 * from, 3 * from + 3), 3 * row);
        ids[row] = id;
        if (levels) levels[row] = frame.values!.levels[from]!;
        from++;
      }
      first += capacity;
    });
    return {
      ...frame, count, rows, ids, words, layout: this.layout,
      shorts: new Uint16Array(buffer), bytes: new Int8Array(buffer),
      values: levels && { ...frame.values!, levels },
    };
  }
}
