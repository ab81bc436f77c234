/** Lockstep: keeps two paused simulations at the same step. Each receives requests for a few steps, and the faster
 * one waits. Times are in milliseconds. */

import { Clock } from "../flight/clock";

export type Side = 0 | 1;

const MOMENT = 60; // largest number of milliseconds of steps that are requested at once
const APART = 33; // milliseconds between two requests, at least
const PATIENCE = 3000; // milliseconds after which missing steps are requested again

export class Lockstep {
  readonly clock: Clock;
  /** The step at which both should be, and whether each is. */
  goal = 0;
  private reached: [boolean, boolean] = [false, false];
  private at: [number, number] = [0, 0];
  private steps = 0; // of the last request
  private requested = 0;

  constructor(rate: number | null, private readonly ask: (side: Side, steps: number) => void) {
    this.clock = new Clock(rate, MOMENT);
  }

  /** Whether both are at the same step. */
  get together(): boolean {
    return this.reached[0] && this.reached[1];
  }

  /** Both have restarted. */
  begin(now: number): void {
    [this.goal, this.steps, this.at, this.reached] = [0, 0, [0, 0], [false, false]];
    this.requested = now;
    this.clock.restart(now);
  }

  /** A frame has arrived: `show` it, with that of the other; `drop` it, if it is of a step between; or `restart`,
   * if that simulation was restarted by another page. */
  frame(side: Side, step: number, now: number): "show" | "drop" | "restart" {
    if (step < this.at[side]) return "restart";
    this.at[side] = step;
    if (step < this.goal) return "drop";
    if (step > this.goal) {
      // Another page has run it further.
      [this.goal, this.reached] = [step, [false, false]];
      this.ask(side === 0 ? 1 : 0, step - this.at[side === 0 ? 1 : 0]);
      this.requested = now;
    }
    const before = this.together;
    this.reached[side] = true;
    if (this.together && !before && this.steps > 0) {
      this.clock.advance(this.steps, now - this.requested);
      this.steps = 0;
    }
    return "show";
  }

  /** Request the steps that are due. Returns the milliseconds until more may be due. */
  advance(now: number): number {
    this.clock.count(now);
    if (!this.together) {
      if (this.clock.active && now - this.requested > PATIENCE) {
        this.requested = now;
        for (const side of [0, 1] as const) if (!this.reached[side]) this.ask(side, Math.max(1, this.goal - this.at[side]));
      }
      return PATIENCE;
    }
    const early = this.requested + APART - now;
    if (early > 0) return early;
    const [steps, wait] = this.clock.due(now);
    if (steps === 0) return wait;
    [this.steps, this.requested, this.reached] = [steps, now, [false, false]];
    this.goal += steps;
    this.ask(0, steps);
    this.ask(1, steps);
    return PATIENCE;
  }
}
