/** A program that controls a flock: it gives commands, requests steps, and waits for them. */

import { boidsOf, commandsOf } from "./controls";
import { Refused } from "./errors";
import type { Simulator } from "./simulator";
import type { SceneMessage } from "../wire/contracts";
import type { ControlMessage, ReplyMessage } from "../wire/messages";

export class Control {
  private waiting: { step: number; call(reason: string): void }[] = [];

  /** `begin`: makes some steps from now on, and then rests; it throws Refused if the simulation has failed. */
  constructor(private readonly flight: Simulator, private readonly states: Record<string, string[]>, private readonly begin: (steps: number) => void) {}

  /** Give commands, make steps, and reply with the boids. Wrong commands change nothing. */
  async answer({ steps, controls }: ControlMessage, scene: SceneMessage): Promise<Partial<ReplyMessage>> {
    const { flight } = this;
    try {
      const commands = commandsOf(controls, scene, this.states, flight.flock());
      const step = (this.waiting.at(-1)?.step ?? flight.step) + steps;
      this.begin(steps);
      for (const command of commands) flight.command(command);
      if (steps > 0) await this.until(step);
      const state = await flight.state();
      return { controlled: { step: state.step, time: state.step * flight.dt, flocks: boidsOf(scene, state) } };
    } catch (error) {
      if (error instanceof Refused) return { ok: false, error: error.message };
      throw error;
    }
  }

  private until(step: number): Promise<void> {
    return new Promise((done, refuse) => {
      this.waiting.push({ step, call: (reason) => (reason ? refuse(new Refused(reason)) : done()) });
    });
  }

  /** The simulation has reached a step. */
  reached(step: number): void {
    const due = this.waiting.filter((one) => one.step <= step);
    this.waiting = this.waiting.slice(due.length);
    for (const { call } of due) call("");
  }

  /** Steps that are waited for are not made, for a reason. */
  stop(reason: string): void {
    const { waiting } = this;
    this.waiting = [];
    for (const { call } of waiting) call(reason);
  }
}
