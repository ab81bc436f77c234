/** A channel to a flock that WebGPU or WebAssembly simulates. It starts with one, and continues with the other if
 * the reader selects it or the device is lost. Changes of the model are kept. */

import { BaseChannel, type Channel, type Numbered } from "./channel";
import { WorkerChannel } from "./worker";
import { drawnNow, isOfDrawn } from "../drawing/drawnnow";
import type { FlightData } from "../flight/manifest";
import { hashWithEngine, type EngineChoice } from "../webgpu/engineaddress";
import type { DeviceBoids } from "../webgpu/deviceboids";
import type { OnDevice } from "../webgpu/opendevice";
import { startsPaused } from "../page/motion";
import { isCount } from "../state/paths";
import type { SceneMessage } from "../wire/contracts";
import type { PageMessage, ServerMessage } from "../wire/messages";
import { t } from "../words";

/** What a page can simulate with. */
export interface Engines {
  script: string;
  /** Of WebAssembly. */
  data: FlightData;
  /** Starts a flock on the device; null if there is none. `why` has the reason. */
  device: ((changed: Partial<FlightData>) => OnDevice) | null;
  why: string;
  /** Boids that it may have by WebGPU. */
  most: number;
}

export class EngineChannel extends BaseChannel {
  private flight!: Channel & Partial<OnDevice>;
  private scene = 0;
  /** What the flock is now. */
  private readonly now: Required<Pick<SceneMessage, "values" | "off" | "drawn">> = { values: {}, off: [], drawn: {} };
  private seed: string;
  private playing = !startsPaused();
  /** Requests of the page that another engine needs too. */
  private readonly asked = new Map<string, PageMessage>();
  /** Called when another engine simulates. */
  onEngine: (engine: EngineChoice) => void = () => undefined;

  constructor(readonly engines: Engines, public engine: EngineChoice) {
    super();
    this.seed = engines.data.seed;
    this.start({});
  }

  /** Boids that a flock may have, by WebGPU and by WebAssembly. */
  get limits(): { most: number; fewer: number } {
    return { most: this.engines.most, fewer: this.engines.data.max_boids };
  }

  /** Restart with an engine. */
  choose(engine: EngineChoice): void {
    if (engine === this.engine || (engine === "gpu" && !this.engines.device)) return;
    this.swap(engine, {});
    try {
      history.replaceState(null, "", `${location.pathname}${location.search}${hashWithEngine(location.hash, engine)}`);
    } catch {
      // A page within another one may not have an address of its own.
    }
  }

  private start(changes: Partial<FlightData>): void {
    const { script, data, device } = this.engines;
    const changed = { ...changes, paused: !this.playing };
    if (this.engine === "gpu") {
      const flight = device!(changed);
      flight.onLost = (reason) => this.lost(flight, reason);
      this.flight = flight;
    } else this.flight = new WorkerChannel(script, { ...data, ...changed });
    const flight = this.flight;
    flight.onJson((message) => flight === this.flight && this.receive(message));
    flight.onBinary((bytes) => flight === this.flight && this.binary(bytes));
    flight.onState((state) => flight === this.flight && this.state(state));
  }

  private swap(engine: EngineChoice, changed: Partial<FlightData>): void {
    const { data } = this.engines;
    this.flight.close?.();
    this.engine = engine;
    const weights = this.now.off.map((rule) => `rules.${rule}.weight`);
    const other = Object.entries(this.now.values).filter(([path, value]) =>
      !weights.includes(path) && !isOfDrawn(this.now.drawn, path) && JSON.stringify(value) !== JSON.stringify(data.scene.defaults[path]));
    this.start({
      values: Object.fromEntries(other), off: this.now.off, drawn: drawnNow(this.now), seed: this.seed,
      scene: { ...data.scene, scene: this.scene + 1 }, ...changed,
    });
    for (const message of this.asked.values()) this.flight.send(message);
    this.onEngine(engine);
  }

  /** The device is lost: WebAssembly continues from the last state that was read, if it has room for the boids. */
  private lost(flight: OnDevice, reason: string): void {
    if (flight !== this.flight) return;
    const { data } = this.engines;
    const { lastState: state } = flight;
    const boids = state?.counts.reduce((a, b) => a + b, 0) ?? 0;
    const fits = state !== null && boids <= data.max_boids;
    if (!fits) for (const path of Object.keys(this.now.values)) if (isCount(path)) this.now.values[path] = data.scene.defaults[path]!;
    this.engines.device = null;
    this.engines.why = t("WebGPU has failed: {reason}.", { reason });
    this.swap("wasm", fits ? { state } : {});
    const went = fits ? t("The flock goes on from step {step}.", { step: state.step }) : t("The flock has begun again with fewer boids: there, a page has at most {most}.", { most: data.max_boids });
    this.json({ type: "notice", level: "warning", about: "engine", sticky: true, text: `${t("WebGPU has failed ({reason}), so WebAssembly simulates the flock.", { reason })} ${went}` });
  }

  private receive(message: ServerMessage): void {
    if (message.type === "scene") {
      this.scene = message.scene;
      Object.assign(this.now, { values: { ...message.values }, off: message.off, drawn: message.drawn ?? {} });
    } else if (message.type === "values") {
      Object.assign(this.now.values, message.values);
      this.now.off = message.off;
    } else if (message.type === "status") {
      this.playing = message.playing;
      this.seed = message.seed ?? this.seed;
    }
    this.json(message);
  }

  /** The states on the device, for a renderer that draws from there. */
  drawn(at: number, refresh: number): DeviceBoids | null {
    return this.flight.drawn?.(at, refresh) ?? null;
  }

  send(message: Numbered): void {
    if (message.type === "extra" || message.type === "rate") this.asked.set(message.type, message);
    this.flight.send(message);
  }
  another(): EngineChannel {
    return new EngineChannel(this.engines, this.engine);
  }
  close(): void {
    this.flight.close?.();
  }
}
