/** The queue of frames to draw: which two to interpolate between, and credit for frames taken.
 *
 * Python sends a page no more frames than the page has given it credit for, so a slow page gets
 * fewer frames and never a queue. A frame is credited when it is first drawn, or dropped.
 */

import type { DeviceBoids } from "../webgpu/deviceboids";
import type { Frame } from "../wire/frame";
import { Rows } from "./rows";

export interface Moment {
  before: Frame;
  now: Frame;
  /** How far from `before` to `now`, 0 to 1. */
  part: number;
  /** Whether `now` is new since the last call. */
  fresh: boolean;
  /** Whether anything can still move without a new frame. */
  moving: boolean;
  /** The states of a flock that is simulated by WebGPU, which is drawn from there; frames are read back now and then. */
  boids?: DeviceBoids | undefined;
}

const QUEUE = 2; // frames that may wait for their turn

export class Feed {
  private waiting: { frame: Frame; at: number }[] = [];
  private before: Frame | null = null;
  private now: Frame | null = null;
  private began = 0;
  private scene = -1;
  private interval = 0; // milliseconds between arrivals, smoothed
  private lastArrival = 0;
  private readonly rows = new Rows();

  constructor(private readonly credit: (frames: number) => void) {}

  /** A new scene: what was on its way belongs to the old one. */
  enter(scene: number, limits: (number | undefined)[] = []): void {
    if (scene === this.scene) return;
    this.scene = scene;
    this.rows.enter(limits);
    const dropped = this.waiting.length;
    this.waiting = [];
    this.before = this.now = null;
    this.interval = 0;
    this.lastArrival = 0;
    if (dropped > 0) this.credit(dropped);
  }

  push(frame: Frame, at: number): void {
    if (frame.scene !== this.scene) {
      this.credit(1);
      return;
    }
    if (this.lastArrival > 0) {
      const since = Math.min(1000, at - this.lastArrival);
      this.interval = this.interval > 0 ? this.interval + 0.15 * (since - this.interval) : since;
    }
    this.lastArrival = at;
    this.waiting.push({ frame: this.rows.place(frame), at });
    while (this.waiting.length > QUEUE) {
      this.waiting.shift();
      this.credit(1);
    }
  }

  /** What to draw at this time; null before the first frame. `refresh`: ms between drawings. */
  take(at: number, refresh: number): Moment | null {
    let fresh = false;
    const span = this.span(refresh);
    // The next one is due when the current one has been reached; when two wait, sooner.
    while (
      this.waiting.length > 0 &&
      (this.now === null || this.waiting.length > 1 || at - this.began >= span - 0.5 * refresh)
    ) {
      const next = this.waiting.shift()!;
      if (fresh) this.credit(1); // the one in between is never drawn
      const steady = this.now !== null && this.now.count === next.frame.count && this.now.layout === next.frame.layout;
      // Going back in time (a restart) is a cut, not a motion.
      const onward = steady && next.frame.step >= this.now!.step;
      this.before = onward ? this.now : next.frame;
      this.now = next.frame;
      this.began = at;
      fresh = true;
    }
    if (this.now === null || this.before === null) return null;
    const part = span > 0 ? Math.min(1, (at - this.began + refresh) / span) : 1;
    return { before: this.before, now: this.now, part, fresh, moving: part < 1 && this.before !== this.now };
  }

  /** To be called after a fresh frame was drawn. */
  drawn(): void {
    this.credit(1);
  }

  get current(): Frame | null {
    return this.now;
  }

  /** Milliseconds over which a frame is reached. When frames come about as fast as they are drawn,
   * moving between them would only add delay. */
  private span(refresh: number): number {
    return this.interval > 1.6 * refresh ? Math.min(this.interval, 400) : 0;
  }
}
