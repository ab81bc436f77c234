/** Two simulations as one: both receive each message of the page, and frames are passed on when both are at the
 * same step. */

import type { Bytes, Channel, Numbered } from "../channel/channel";
import type { Between, Relay } from "../channel/relay";
import { decodeFrame } from "../wire/frame";
import type { StatusMessage } from "../wire/contracts";
import type { ReplyMessage, ServerMessage } from "../wire/messages";
import { Lockstep, type Side } from "./lockstep";

const HIDDEN = 500; // milliseconds until it is checked again whether a page is visible
const RATE = 24; // steps a second, where no rate is known yet
const RESTART = 0; // number of this request to the other simulation; other requests start with 1

export interface PairCalls {
  /** A frame of the other simulation that should be shown. */
  frame(data: Bytes): void;
  /** A message of the other flight. */
  other(message: ServerMessage): void;
  /** One of the two has another scene, or was restarted by another page: both should restart. */
  again(): void;
}

export class Pair implements Between {
  private readonly lockstep: Lockstep;
  private readonly held: [Bytes | null, Bytes | null] = [null, null];
  private readonly boids: [number, number] = [0, 0];
  private readonly restarts = new Set<number>();
  /** Whether each has restarted, so that its frames are shown. */
  private begun: [boolean, boolean] = [false, false];
  /** Whether they rest because one of them cannot continue. */
  private lost = false;
  private timer = 0;
  private status: StatusMessage | null;
  private over = false;

  constructor(private readonly main: Relay, private readonly other: Channel, status: StatusMessage | null, private readonly calls: PairCalls) {
    this.status = status;
    this.lockstep = new Lockstep(status ? status.rate : RATE, (side, steps) => this.flights[side].send({ type: "step", steps }));
    if (status?.playing !== false) this.lockstep.clock.play(performance.now());
    other.onJson((message) => !this.over && this.otherJson(message));
    other.onBinary((data) => !this.over && this.take(1, data));
    main.between = this;
    for (const flight of this.flights) flight.send({ type: "pause" });
  }

  private get flights(): [Channel, Channel] {
    return [this.main.flight, this.other];
  }

  /** End the comparison: the page's own simulation continues. */
  end(): void {
    this.over = true;
    clearTimeout(this.timer);
    this.main.between = null;
    this.release();
    const { playing, rate } = this.lockstep.clock;
    this.main.send({ type: "rate", steps_per_second: rate });
    if (playing) this.main.send({ type: "play" });
    this.other.close?.();
  }

  // --- from the page

  out(message: Numbered): boolean {
    const { clock } = this.lockstep;
    const now = performance.now();
    switch (message.type) {
      case "play": clock.play(now); break;
      case "pause": clock.pause(); break;
      case "step": clock.runSteps(message.steps); break;
      case "rate": clock.setRate(message.steps_per_second, now); break;
      case "restart":
        if (message.id !== undefined) this.restarts.add(message.id);
        this.begun = [false, false];
        if (this.lost) clock.play(now); // as a flight alone does that had stopped
        this.lost = false;
        return true;
      case "extra":
        this.other.send(message);
        return true;
      default: return true;
    }
    if (message.id !== undefined) this.main.toPage.json({ type: "reply", to: message.id, ok: true });
    if (this.status) this.main.toPage.json(this.json(this.status));
    this.advance();
    return false;
  }

  // --- to the page

  json(message: ServerMessage): ServerMessage {
    if (message.type === "reply" && this.restarts.delete(message.to) && message.ok) {
      this.begun = [true, false];
      this.lockstep.begin(performance.now());
      this.other.send({ type: "restart", seed: message.seed, id: RESTART } as Numbered);
    } else if (message.type === "reply" && !message.ok) this.refused(message);
    else if (message.type === "notice") this.failed(message);
    else if (message.type === "scene") queueMicrotask(() => this.calls.again());
    else if (message.type === "status") {
      this.status = message;
      if (message.playing) this.main.flight.send({ type: "pause" }); // another page has started it
      const { playing, rate, perSecond } = this.lockstep.clock;
      const boids = this.boids[0] + this.boids[1];
      return { ...message, playing, rate, steps_per_second: perSecond, boid_steps_per_second: perSecond * boids };
    }
    return message;
  }

  binary(data: Bytes): void {
    this.take(0, data);
  }

  private otherJson(message: ServerMessage): void {
    if (message.type === "reply" && message.to === RESTART && message.ok) this.begun[1] = true;
    else if (message.type === "reply") this.refused(message);
    else if (message.type === "status" && message.playing) this.other.send({ type: "pause" });
    else if (message.type === "notice") this.failed(message);
    this.calls.other(message);
    if (message.type === "scene") this.calls.again();
  }

  /** A flight that cannot be stepped: both rest. */
  private refused(reply: ReplyMessage): void {
    if (!reply.ok && (reply.to === null || reply.to === undefined)) this.lockstep.clock.pause();
  }
  private failed(message: ServerMessage & { type: "notice" }): void {
    if (message.about !== "run" || message.level !== "error") return;
    this.lockstep.clock.pause();
    this.lost = true;
  }

  // --- frames

  private take(side: Side, data: Bytes): void {
    const { step, count } = decodeFrame(data);
    this.boids[side] = count;
    const verdict = this.begun[side] ? this.lockstep.frame(side, step, performance.now()) : "drop";
    if (verdict !== "show") this.credit(side);
    else {
      if (this.held[side]) this.credit(side);
      this.held[side] = data;
    }
    if (verdict === "restart") {
      this.begun = [false, false];
      this.calls.again();
    }
    if (this.lockstep.together) this.release();
    this.advance();
  }

  private release(): void {
    const [main, other] = this.held;
    this.held.fill(null);
    if (main) this.main.toPage.binary(main);
    if (other) this.calls.frame(other);
  }

  private credit(side: Side): void {
    this.flights[side].send({ type: "credit", frames: 1 });
  }

  private advance(): void {
    if (this.over) return;
    clearTimeout(this.timer);
    // A hidden page draws nothing, and so gets no frames that keep it running.
    const hidden = globalThis.document?.visibilityState === "hidden";
    const wait = hidden ? HIDDEN : this.lockstep.advance(performance.now());
    this.timer = window.setTimeout(() => this.advance(), Math.max(1, wait));
  }
}
