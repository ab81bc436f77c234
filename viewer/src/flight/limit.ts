/** How far a flight may fly that others wait for: it says where it is, and waits there for more. */

import type { ReachedMessage, UntilMessage } from "../wire/messages";
import type { Clock } from "./clock";

const ROUNDING = 1e-6; // of a step

interface Place {
  step: number;
  time: number;
  dt: number;
}

export class Limit {
  /** The time of flight up to which it may fly; null where nobody waits for it. */
  private until: number | null = null;
  private begun = 0;
  private orders = 0;
  private lastReport = "";

  get waitedFor(): boolean {
    return this.until !== null;
  }

  /** Steps until it must wait. */
  steps({ time, dt }: Place): number {
    return this.until === null ? Infinity : Math.max(0, Math.floor((this.until - time) / dt + ROUNDING));
  }

  /** Its own page has asked it to play, to rest or to make a step. */
  ordered(): void {
    this.orders++;
  }

  /** Another limit, up to which it flies at its pace; or at once, to rest there. Where it has begun
   * anew, or its own page has given an order, that whoever sets the limit did not know of, that
   * holds: the caller is notified, and sends another limit. */
  set({ time, playing, begun, orders }: UntilMessage, flight: Place, clock: Clock, now: number): void {
    this.until ??= 0;
    if (begun !== this.begun || orders !== this.orders) return;
    this.until = time;
    if (playing && !clock.playing) clock.play(now);
    if (playing) return;
    clock.pause();
    const steps = this.steps(flight);
    if (steps > 0) clock.runSteps(steps);
  }

  /** It has begun anew: what it was let fly is over. */
  restart(): void {
    this.begun++;
    if (this.until !== null) this.until = 0;
  }

  /** What is to be said of where it is, where that has changed and somebody waits for it. */
  reached({ step, time, dt }: Place, { playing }: Clock): ReachedMessage | null {
    const now = [step, playing, this.begun, this.orders].join();
    if (this.until === null || now === this.lastReport) return null;
    this.lastReport = now;
    return { type: "reached", step, time, dt, playing, begun: this.begun, orders: this.orders };
  }
}
