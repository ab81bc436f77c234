/** The limit of a simulation that another page paces: it reports its position, and waits at the limit. */

import type { ReachedMessage, UntilMessage } from "../wire/messages";
import type { Clock } from "./clock";

const ROUNDING = 1e-6; // of a step

interface Place {
  step: number;
  time: number;
  dt: number;
}

export class Limit {
  /** The time up to which it may run; null without a limit. */
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

  /** Its own page has sent a command to play, to pause or to make a step. */
  ordered(): void {
    this.orders++;
  }

  /** Set another limit, up to which it runs at its pace; or at once, if it then rests. If it has restarted, or its
   * own page has sent a command that the sender of the limit did not know of, the limit is ignored: the sender is
   * notified, and sends another one. */
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

  /** It has restarted: the limit is void. */
  restart(): void {
    this.begun++;
    if (this.until !== null) this.until = 0;
  }

  /** What should be reported of its position, if it has changed and there is a limit. */
  reached({ step, time, dt }: Place, { playing }: Clock): ReachedMessage | null {
    const now = [step, playing, this.begun, this.orders].join();
    if (this.until === null || now === this.lastReport) return null;
    this.lastReport = now;
    return { type: "reached", step, time, dt, playing, begun: this.begun, orders: this.orders };
  }
}
