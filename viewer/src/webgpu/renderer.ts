/** The WebGPU renderer: draws frames, and the states of a flock that is simulated on the same device without
 * copying them. */

import { tableOf, type Look } from "../look/styles";
import { periodOf } from "../scene/period";
import type { Drawing, Picture, Renderer } from "../scene/renderer";
import { SceneryLines } from "../scene/scenery";
import { cameraUniforms, type Values } from "../scene/uniforms";
import type { Frame, Vec3 } from "../wire/frame";
import type { ObstacleInfo, SceneCore } from "../wire/contracts";
import type { ColourBy } from "../look/styles";
import type { DeviceBoids } from "./deviceboids";
import { Boids, type Call } from "./rendererboids";
import { DEPTH_FORMAT, Pipelines } from "./rendererpipelines";
import { Scenery } from "./rendererscenery";
import { ITEM, SCENE } from "./renderercamera";
import type { Pair } from "./rendererstates";
import { t } from "../words";

const MAX_FAILURES = 12; // pictures in a row, as their results come late
const ITEM_STRIDE = 256; // bytes from one draw call's values to the next, as WebGPU requires

export interface WebGpuOptions {
  /** Smooth edges. */
  antialias: boolean;
  /** The sky behind it shines through. */
  clear: boolean;
  /** The device is lost, or does not do what it should, and why. */
  lost(why: string): void;
}

export class WebGpuRenderer implements Renderer {
  readonly kind = "webgpu";
  readonly canvas: HTMLCanvasElement;
  private readonly context: GPUCanvasContext;
  private readonly samples: number;
  private readonly format: GPUTextureFormat;
  private readonly pipelines: Pipelines;
  private readonly boids: Boids;
  private readonly scenery: Scenery;
  private readonly lines = new SceneryLines();
  private readonly sceneBuffer: GPUBuffer;
  private readonly sceneValues = new ArrayBuffer(SCENE.bytes);
  private items: { buffer: GPUBuffer; values: ArrayBuffer; group: GPUBindGroup } | null = null;
  private targets: GPUTexture[] = [];
  private model: SceneCore | null = null;
  private period: Vec3 = [0, 0, 0];
  private table: { look: Look; by: ColourBy; cyclic: boolean; values: Values } | null = null;
  private failures = 0;
  private gone = false;

  /** Throws where a canvas cannot be drawn on with WebGPU. */
  constructor(readonly device: GPUDevice, private readonly options: WebGpuOptions) {
    this.canvas = document.createElement("canvas");
    const context = this.canvas.getContext("webgpu") as GPUCanvasContext | null;
    if (!context) throw new Error("no WebGPU");
    this.context = context;
    this.samples = options.antialias ? 4 : 1;
    this.format = navigator.gpu.getPreferredCanvasFormat();
    context.configure({ device, format: this.format, alphaMode: options.clear ? "premultiplied" : "opaque" });
    this.pipelines = new Pipelines(device, this.format, this.samples);
    this.boids = new Boids(device, this.pipelines);
    this.scenery = new Scenery(device, this.pipelines);
    this.sceneBuffer = this.uniform(SCENE.bytes);
    void device.lost.then(({ message }) => this.fail(message || t("the device is lost")));
  }

  enter(model: SceneCore): void {
    this.model = model;
    this.period = periodOf(model);
    this.boids.clear();
    this.setObstacles(model.obstacles);
  }

  setObstacles(obstacles: ObstacleInfo[]): void {
    this.lines.set(obstacles);
    if (this.model) this.scenery.setObstacles(obstacles, this.model);
  }

  show(before: Frame, now: Frame, cut: boolean): void {
    this.boids.show(before, now, cut);
  }

  /** Two states on this renderer's device to draw between; `cut` forgets the trails. */
  showDevice(boids: DeviceBoids, cut: boolean): void {
    this.boids.showDevice(boids, cut);
  }

  /** Whether boids have their flock's colour since their states lack what colours would show. */
  lacksNumbers(picture: Picture): boolean {
    return this.boids.lacksNumbers(picture);
  }

  resize(width: number, height: number, density: number): void {
    this.canvas.width = Math.floor(width * density);
    this.canvas.height = Math.floor(height * density);
  }

  draw(drawing: Drawing): void {
    const { model, device } = this;
    if (!model || this.gone || this.canvas.width === 0 || this.canvas.height === 0) return;
    device.pushErrorScope("validation");
    const flat = model.dims === 2;
    const encoder = device.createCommandEncoder();
    this.lines.update(model, drawing);
    const boids = this.boids.draw(encoder, model, drawing, this.period);
    // In this order: ground and box, boids, then what they may shine through.
    const calls = [...this.scenery.drawLines(this.lines, drawing, flat), ...(boids?.calls ?? []), ...this.scenery.drawSolids(drawing, flat)];
    SCENE.write(this.sceneValues, 0, cameraUniforms(drawing, flat), boids?.values ?? {}, this.colours(drawing.picture));
    device.queue.writeBuffer(this.sceneBuffer, 0, this.sceneValues);
    this.encode(encoder, calls, drawing.picture.look);
    device.queue.submit([encoder.finish()]);
    const { shown } = this.boids;
    void device.popErrorScope().then((error) => this.check(error, shown), () => undefined);
  }

  /** A flock that ends may take its buffers with it before others are shown: these are not drawn again. */
  private check(error: GPUError | null, shown: Pair | null): void {
    this.failures = error ? this.failures + 1 : 0;
    if (error && shown?.kind === "device" && this.failures < MAX_FAILURES) this.boids.drop(shown);
    else if (error) this.fail(error.message);
  }

  dispose(): void {
    this.gone = true;
    this.boids.dispose();
    this.scenery.dispose();
    this.sceneBuffer.destroy();
    this.items?.buffer.destroy();
    for (const texture of this.targets) texture.destroy();
    this.context.unconfigure();
  }

  private fail(why: string): void {
    if (this.gone) return;
    this.gone = true;
    this.options.lost(why);
  }

  private encode(encoder: GPUCommandEncoder, calls: Call[], look: Look): void {
    const group = this.itemGroup(calls);
    const [smooth, depth] = this.sized();
    const view = this.context.getCurrentTexture().createView();
    const [r, g, b] = look.sky[0]!;
    const pass = encoder.beginRenderPass({
      colorAttachments: [{
        ...(smooth ? { view: smooth.createView(), resolveTarget: view, storeOp: "discard" } : { view, storeOp: "store" }),
        loadOp: "clear",
        // Where the sky is the page's own, the canvas is clear.
        clearValue: look.sky.length > 1 ? [0, 0, 0, 0] : [r / 255, g / 255, b / 255, 1],
      }],
      depthStencilAttachment: { view: depth!.createView(), depthLoadOp: "clear", depthStoreOp: "discard", depthClearValue: 1 },
    });
    calls.forEach(({ pipeline, groups, points, vertices }, k) => {
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group, [ITEM_STRIDE * k]);
      groups.forEach((other, at) => pass.setBindGroup(1 + at, other));
      if (points) pass.setVertexBuffer(0, points);
      pass.draw(vertices);
    });
    pass.end();
  }

  /** Each call's own values, on the card. */
  private itemGroup(calls: Call[]): GPUBindGroup {
    const bytes = ITEM_STRIDE * Math.max(4, calls.length);
    if (!this.items || this.items.values.byteLength < bytes) {
      this.items?.buffer.destroy();
      const buffer = this.uniform(bytes);
      const group = this.pipelines.group(this.pipelines.scene, this.sceneBuffer, { buffer, size: ITEM.bytes });
      this.items = { buffer, values: new ArrayBuffer(bytes), group };
    }
    const { buffer, values, group } = this.items;
    calls.forEach((call, k) => ITEM.write(values, ITEM_STRIDE * k, ...call.values));
    this.device.queue.writeBuffer(buffer, 0, values);
    return group;
  }

  private uniform(size: number): GPUBuffer {
    return this.device.createBuffer({ size, usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST });
  }

  /** Where smooth edges and depths are drawn, of the canvas's size. */
  private sized(): [GPUTexture | null, GPUTexture] {
    const { width, height } = this.canvas;
    if (this.targets[0]?.width !== width || this.targets[0].height !== height) {
      for (const texture of this.targets) texture.destroy();
      const formats = [DEPTH_FORMAT, ...(this.samples > 1 ? [this.format] : [])] as GPUTextureFormat[];
      this.targets = formats.map((format) => this.device.createTexture({
        size: [width, height], format, sampleCount: this.samples, usage: GPUTextureUsage.RENDER_ATTACHMENT,
      }));
    }
    return [this.targets[1] ?? null, this.targets[0]!];
  }

  private colours({ look, colourBy: by, cyclic }: Picture): Values {
    if (this.table?.look !== look || this.table.by !== by || this.table.cyclic !== cyclic) {
      const values = { table: tableOf(look, by, cyclic).flatMap((colour) => colour.map((c) => Math.round(c) / 255)) };
      this.table = { look, by, cyclic, values };
    }
    return this.table.values;
  }
}
