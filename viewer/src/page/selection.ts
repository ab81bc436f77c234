/** The boid that is chosen: who it is, and in which row of the frame it is drawn. */

import { identityOf, rangesOf, rowOf, type Frame, type Identity, type Range } from "../wire/frame";
import type { SceneCore } from "../wire/contracts";

type Flocks = SceneCore["flocks"];

export class Selection {
  /** Its row in the newest frame. */
  row: number | null = null;
  boid: Identity | null = null;
  /** It is not in its flock any more. */
  left: (boid: Identity, frame: Frame) => unknown = () => undefined;
  private layout = -1; // in which the row was found

  choose(boid: Identity | null, frame: Frame | null, flocks: Flocks): void {
    this.boid = boid;
    this.row = null;
    if (frame) this.find(frame, flocks);
  }

  /** Its row in another frame. */
  find(frame: Frame, flocks: Flocks): void {
    const { boid, row } = this;
    if (!boid) return;
    // Most often it is where it was.
    if (row !== null && frame.ids?.[row] === boid.id && frame.layout === this.layout) return;
    this.layout = frame.layout;
    this.row = rowOf(frame, flocks, boid);
    if (this.row !== null || !frame.ids) return;
    this.boid = null;
    this.left(boid, frame);
  }
}

/** What is known of the rows of the newest frame: who is where. */
export class FrameRows {
  constructor(private readonly frame: Frame | null, private readonly flocks: Flocks) {}

  identity(row: number): Identity | null {
    return this.frame && identityOf(this.frame, this.flocks, row);
  }

  /** The rows of boids that are there. */
  of(boids: [flock: number, id: number][]): number[] {
    const { frame } = this;
    return frame ? boids.map(([flock, id]) => rowOf(frame, this.flocks, { flock, id })).filter((row) => row !== null) : [];
  }

  get ranges(): Range[] {
    return rangesOf(this.frame ?? { rows: null }, this.flocks);
  }
}
