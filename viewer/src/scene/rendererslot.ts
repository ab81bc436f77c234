/** The renderer of a viewport, and all that puts another in its place: a style, WebGPU that comes or is lost, being
 * out of sight. */

import { KeptPicture } from "./lastpicture";
import { makeRenderer, requestedRenderer } from "./makerenderer";
import type { Picture, Renderer } from "./renderer";
import type { Moment } from "../state/feed";
import { isProcessor, requestDevice } from "../webgpu/device";
import { WebGpuRenderer } from "../webgpu/renderer";
import { t } from "../words";

const PATIENCE = 30; // pairs of states that may come without the numbers that colours show, as they are on their way

/** Whether a canvas has smooth edges and a transparent sky: decided when it is created. */
export interface CanvasKind {
  antialias: boolean;
  clear: boolean;
}

export interface SlotCalls {
  wanted(): CanvasKind;
  /** Another renderer replaces it: it needs its size, and what to draw. */
  replaced(): void;
  redraw(): void;
  say(text: string): void;
}

export class RendererSlot {
  renderer: Renderer;
  whyFlat = "";
  private kind: CanvasKind;
  private device: GPUDevice | null = null;
  private readonly failed = new WeakSet<GPUDevice>();
  private lacking = 0;

  constructor(private readonly calls: SlotCalls) {
    this.kind = calls.wanted();
    this.renderer = this.make();
    if (requestedRenderer() === "webgpu") void this.request();
  }

  /** The address selects WebGPU: until there is a device, another renderer draws. */
  private async request(): Promise<void> {
    const { device } = await requestDevice();
    if (!device) return this.calls.say(t("The page's address asks for WebGPU (draw=webgpu), which this browser does not have: the flock is drawn without it."));
    this.device = device;
    if (!this.resting) this.replace();
  }

  get resting(): boolean {
    return this.renderer instanceof KeptPicture;
  }

  /** Makes another renderer where the canvas must be of another kind. */
  renew(): void {
    const { antialias, clear } = this.calls.wanted();
    if (this.renderer.kind === "canvas" || (this.kind.antialias === antialias && this.kind.clear === clear)) return;
    this.replace();
  }

  /** The last picture stays, and takes no graphics card: browsers lose the oldest of many WebGL contexts. */
  rest(): void {
    this.use(new KeptPicture(this.renderer.canvas));
  }

  wake(): void {
    if (this.resting) this.replace();
  }

  /** The two states to draw between: those on a graphics card where they are, if possible. */
  show({ before, now, boids }: Moment, cut: boolean): void {
    if (boids && !this.resting && this.drawsFrom(boids.device)) this.renderer.showDevice?.(boids, cut);
    else this.renderer.show(before, now, cut);
  }

  /** Notify once that colours cannot show what they should. */
  checkColours(picture: Picture): void {
    this.lacking = this.renderer instanceof WebGpuRenderer && this.renderer.lacksNumbers(picture) ? this.lacking + 1 : 0;
    if (this.lacking === PATIENCE) this.calls.say(t("The graphics card does not give this number of each boid: boids have the colours of their flocks."));
  }

  private drawsFrom(device: GPUDevice): boolean {
    const requested = requestedRenderer();
    if (this.failed.has(device) || !["", "webgpu"].includes(requested) || (isProcessor(device) && !requested)) return false;
    if (this.device !== device) {
      this.device = device;
      this.replace();
    }
    return true;
  }

  private replace(): void {
    this.use(this.make());
  }

  private use(renderer: Renderer): void {
    const old = this.renderer;
    this.renderer = renderer;
    old.canvas.replaceWith(renderer.canvas);
    old.dispose();
    this.calls.replaced();
  }

  private make(): Renderer {
    const { calls, device, whyFlat } = this;
    this.kind = calls.wanted();
    return makeRenderer({
      ...this.kind, device, whyFlat,
      restored: () => calls.redraw(),
      flat: (why) => (this.whyFlat = why),
      lost: (why) => this.lose(device!, why),
    });
  }

  private lose(device: GPUDevice, why: string): void {
    this.failed.add(device);
    this.device = null;
    if (!this.resting) this.replace();
    this.calls.say(`${t("WebGPU has stopped on this graphics card: the flock is drawn without it.")} ${why}`);
  }
}
