/** Rows for boids that come and go. A boid keeps its row while it lives, so that it can be drawn between two
 * frames, leave a trail, and be chosen. Rows of those that left are empty for as long as trails reach back,
 * and then given to others. */

import { EMPTY, RECORD, UNSEEN, type Frame } from "../wire/frame";

const REST = 64; // frames that a row stays empty: as long as the longest trail
const FEW = 4096; // rows that a flock gets at once, if it may have that many boids
const LEAST = 128;
const MUCH = 4; // rows for each boid: no more are made

interface FlockRows {
  capacity: number;
  /** Id -> row within the flock. */
  places: Map<number, number>;
  /** Rows never used, from here on. */
  unused: number;
  /** Rows that were given back, and when. */
  resting: { row: number; since: number }[];
}

export class Rows {
  private flocks: FlockRows[] = [];
  private scene = -1;
  private step = -1;
  private frames = 0;
  private layout = 0;

  /** `limits`: how many boids each flock may have, at most. */
  constructor(private limits: (number | undefined)[] = []) {}

  enter(limits: (number | undefined)[]): void {
    this.limits = limits;
    this.flocks = [];
  }

  /** The frame with its boids in their rows; one whose numbers do not change is returned as it is. */
  place(frame: Frame): Frame {
    const { ids, numbers } = frame;
    if (!ids || !numbers) return frame;
    this.frames++;
    // Another flight, or one that begins anew, has other boids with the same ids.
    if (frame.scene !== this.scene || frame.step < this.step || this.flocks.length !== numbers.length) this.flocks = [];
    [this.scene, this.step] = [frame.scene, frame.step];
    let from = 0;
    const owners = numbers.map(({ count }) => ids.subarray(from, (from += count)));
    this.fit(numbers.map(({ count }) => count));
    if (!owners.every((own, k) => this.settle(this.flocks[k]!, own))) {
      const before = this.flocks.map(({ capacity }) => capacity);
      this.flocks = []; // too few rows: all are given anew
      this.fit(numbers.map(({ count }) => count), before);
      owners.forEach((own, k) => this.settle(this.flocks[k]!, own));
    }
    return this.laid(frame, owners);
  }

  /** Rows for these numbers of boids, where there are none yet; twice `before`, which were too few. */
  private fit(counts: number[], before?: number[]): void {
    if (this.flocks.length > 0) return;
    this.layout++;
    this.flocks = counts.map((count, k) => {
      const most = this.limits[k] ?? Infinity;
      const room = most <= FEW && !before ? Math.max(LEAST, most) : Math.max(LEAST, 2 * count, 2 * (before?.[k] ?? 0));
      return { capacity: Math.max(room, count), places: new Map(), unused: 0, resting: [] };
    });
  }

  /** Gives new boids a row, and takes back those of boids that left. Whether there were enough. */
  private settle(flock: FlockRows, ids: Uint32Array): boolean {
    const { places, resting, capacity } = flock;
    const here = new Set(ids);
    const roomy = capacity >= MUCH * ids.length + LEAST;
    for (const [id, row] of places) {
      if (here.has(id)) continue;
      places.delete(id);
      resting.push({ row, since: this.frames });
    }
    for (const id of ids) {
      if (places.has(id)) continue;
      const rested = resting[0] && this.frames - resting[0].since >= REST;
      let row = -1;
      if (rested) row = resting.shift()!.row;
      else if (flock.unused < capacity) row = flock.unused++;
      else if (roomy) row = resting.shift()!.row; // boids come and go so fast that trails do not matter
      if (row < 0) return false;
      places.set(id, row);
    }
    return true;
  }

  private laid(frame: Frame, owners: Uint32Array[]): Frame {
    const rows = this.flocks.map(({ capacity }) => capacity);
    const count = rows.reduce((sum, many) => sum + many, 0);
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
