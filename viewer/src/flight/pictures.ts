/** Which moments are drawn: at most as many as the page has requested, one in APART milliseconds, and always the
 * one at which the simulation rests or waits. Times are in milliseconds. */

const CREDIT = 3; // pictures that may be on their way
const APART = 15; // milliseconds between two of them
const RESTS = 1000; // milliseconds without a request after which no page is assumed to watch

export class Pictures {
  private credit = CREDIT;
  private credited = 0;
  private last = 0;
  private changed = true;
  private moved = false;

  /** The page can take some more frames. */
  allow(frames: number, now: number): void {
    [this.credit, this.credited] = [Math.min(CREDIT, this.credit + frames), now];
  }

  /** Something other than a step has changed the picture: it is drawn at once. */
  change(): void {
    this.changed = true;
  }

  /** Steps were made. */
  move(): void {
    this.moved = true;
  }

  /** Whether no page has watched for a while. */
  unseen(now: number): boolean {
    return this.credit < 1 && now - this.credited > RESTS;
  }

  /** Milliseconds until one is due: 0 for now; infinite if nothing is new or requested. */
  wait(now: number): number {
    if (this.credit < 1) return Infinity;
    if (this.changed) return 0;
    return this.moved ? Math.max(0, this.last + APART - now) : Infinity;
  }

  /** One was sent. */
  sent(now: number): void {
    [this.changed, this.moved, this.last] = [false, false, now];
    this.credit--;
  }
}
