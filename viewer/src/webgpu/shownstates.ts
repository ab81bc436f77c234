/** The two states between which a renderer draws: copies of boids in the order of ids, made on the device when a
 * picture is drawn. */

import type { DeviceBoids } from "./deviceboids";
import { dispatch, type DeviceMemory, type Parity } from "./devicememory";
import { PAGE } from "./kernels";
import type { Shown } from "../flight/state";

const UNDRAWN = 400; // milliseconds after which a renderer is taken to draw from frames

export class ShownStates {
  private pair: DeviceBoids | null = null;
  private newest = 0;
  private step = -1;
  private began = 0;
  private interval = 0; // milliseconds between states, smoothed
  private asked = -Infinity;
  private jumped = true;
  private stale = false;
  private colours: { buffer: GPUBuffer; of: "neighbours" | number } | undefined;
  private rows: number[] | null = null;

  constructor(private readonly memory: DeviceMemory) {}

  /** Whether a renderer draws from here. */
  drawn(now: number): boolean {
    return now - this.asked < UNDRAWN;
  }

  /** The next state does not follow on the last one. */
  cut(): void {
    this.jumped = true;
  }

  /** Boids were changed without a step. */
  renew(): void {
    this.stale = true;
  }

  /** What colours show: the number of neighbours of each boid, a row of per-boid state by flock, or numbers that differ
   * between boids. */
  setColours(neighbours: Uint8Array | null, shown: (Shown & { rows: number[] }) | null): void {
    const { numbers: buffer, kernels } = this.memory;
    const of = neighbours ? "neighbours" : shown?.which;
    const isKept = shown?.rows.some((row) => row >= 0) === true;
    const written = neighbours ?? (isKept ? null : shown?.values);
    if (written) kernels.device.queue.writeBuffer(buffer, 0, Float32Array.from(written));
    this.rows = !neighbours && isKept ? shown.rows : null;
    if (of === this.colours?.of) return;
    this.colours = of === undefined ? undefined : { buffer, of };
    if (this.pair) this.pair = { ...this.pair, numbers: this.colours };
  }

  /** The states at a time in milliseconds, of which the later one is the present one. */
  take(at: number, refresh: number, step: number, parity: Parity): DeviceBoids | null {
    this.asked = performance.now();
    if (step !== this.step || this.jumped || this.stale) this.advance(at, step, parity);
    if (!this.pair) return null;
    const span = this.interval > 1.6 * refresh ? Math.min(this.interval, 400) : 0;
    this.pair.between = span > 0 ? Math.min(1, (at - this.began + refresh) / span) : 1;
    return this.pair;
  }

  private advance(at: number, step: number, parity: Parity): void {
    const { memory } = this;
    const { device } = memory.kernels;
    const before = this.newest;
    const follows = !this.jumped && this.pair !== null && step > this.step;
    this.newest = (this.newest + 1) % memory.shown.length;
    if (follows) {
      const since = Math.min(1000, at - this.began);
      this.interval = this.interval > 0 ? this.interval + 0.15 * (since - this.interval) : since;
    }
    this.putPage();
    const encoder = device.createCommandEncoder();
    const compute = encoder.beginComputePass();
    dispatch(compute, [memory.own("show", parity, this.newest)]);
    compute.end();
    device.queue.submit([encoder.finish()]);
    const now = memory.shown[this.newest]!;
    this.pair = {
      device, before: follows ? memory.shown[before]! : now, now, count: memory.boids,
      steps: [follows ? this.step : step, step], between: 1, numbers: this.colours,
    };
    [this.step, this.began, this.jumped, this.stale] = [step, at, false, false];
  }

  private putPage(): void {
    const words = new Int32Array(PAGE.words);
    words[0] = this.memory.boids;
    words[2] = this.rows?.length ?? 0;
    if (this.rows) words.set(this.rows, PAGE.rows);
    this.memory.kernels.device.queue.writeBuffer(this.memory.page, 0, words);
  }
}
