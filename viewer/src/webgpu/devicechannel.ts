/** A channel to a flock that WebGPU simulates on the page's own thread: its session and the loop that runs it. */

import type { DeviceBoids } from "./deviceboids";
import { DeviceFlight } from "./deviceflight";
import type { Kernels } from "./kernels";
import { BaseChannel, type Numbered } from "../channel/channel";
import type { FlightData } from "../flight/manifest";
import type { State } from "../flight/state";
import { MeasuringWorker } from "../flight/measuring";
import { Session } from "../flight/session";
import type { Starts } from "../flight/starts";
import type { ServerMessage } from "../wire/messages";
import { t } from "../words";

const SOON = 4; // milliseconds, so that the page's thread has time for other work

export class DeviceChannel extends BaseChannel {
  private session: Session | null = null;
  private flight: DeviceFlight | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private closed = false;
  private readonly measuring: MeasuringWorker;
  /** Called once when the device is lost or refuses its work, with the reason. */
  onLost: (reason: string) => void = () => undefined;
  private readonly watch = (): void => this.send({ type: "watch", on: document.visibilityState === "visible" });
  private readonly refused = (event: GPUUncapturedErrorEvent): void => this.fail(event.error.message);

  constructor(private readonly kernels: Kernels, private readonly data: FlightData, private readonly starts: Starts, script: string) {
    super();
    this.measuring = new MeasuringWorker(script);
    document.addEventListener("visibilitychange", this.watch);
    kernels.device.addEventListener("uncapturederror", this.refused);
    void kernels.device.lost.then(({ message }) => this.fail(message || t("the device is lost")));
    queueMicrotask(() => this.begin());
  }

  private begin(): void {
    if (this.closed) return;
    const out = { json: (message: ServerMessage) => this.json(message), frame: (bytes: ArrayBuffer) => this.binary(bytes) };
    this.state("open");
    this.session = new Session(this.data, out, () => performance.now(), (data, values, counts, seed) => {
      this.flight = new DeviceFlight(this.kernels, data, this.starts, values, counts, seed, () => this.soon(0));
      return this.flight;
    }, this.measuring.measure);
    this.session.begin();
    this.watch();
  }

  private soon(wait: number): void {
    clearTimeout(this.timer);
    if (!this.closed) this.timer = setTimeout(() => this.advance(), wait);
  }

  private advance(): void {
    if (this.closed || !this.session) return;
    try {
      this.soon(Math.max(SOON, Math.min(this.session.advance(), 1000)));
    } catch (error) {
      this.fail(error instanceof Error ? error.message : String(error));
    }
  }

  private fail(reason: string): void {
    if (this.closed) return;
    this.close();
    this.onLost(reason);
  }

  send(message: Numbered): void {
    if (this.closed) return;
    this.session?.handle(message);
    this.soon(0);
  }

  /** The states to draw between at a time: see ShownStates. */
  drawn(at: number, refresh: number): DeviceBoids | null {
    return (!this.closed && this.flight?.drawn(at, refresh)) || null;
  }

  /** The last state that was read back. */
  get lastState(): State | null {
    return this.flight?.lastState ?? null;
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    clearTimeout(this.timer);
    document.removeEventListener("visibilitychange", this.watch);
    this.kernels.device.removeEventListener("uncapturederror", this.refused);
    this.flight?.dispose();
    this.measuring.end();
  }
}
