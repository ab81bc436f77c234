/** Boids and their trails as draw calls of WebGPU: one for each flock, no vertex buffers. */

import { flockDrawings, type FlockDrawing } from "../scene/flocks";
import type { Drawing } from "../scene/renderer";
import { filmSeconds, flockUniforms, frameUniforms, type Values } from "../scene/uniforms";
import type { Frame, Vec3 } from "../wire/frame";
import type { SceneCore } from "../wire/contracts";
import type { DeviceBoids } from "./deviceboids";
import type { Pipelines } from "./rendererpipelines";
import type { RecordKind } from "./renderershaders";
import { DeviceLeans, devicePair, FrameBuffers, Past, storage, type Pair } from "./rendererstates";

/** A draw call. */
export interface Call {
  pipeline: GPURenderPipeline;
  values: Values[];
  vertices: number;
  /** Bindings besides those of the scene. */
  groups: GPUBindGroup[];
  points?: GPUBuffer;
}

/** What a picture of boids takes. */
export interface BoidCalls {
  calls: Call[];
  /** What they have in common. */
  values: Values;
}

export class Boids {
  private readonly frames: FrameBuffers;
  private readonly past: Past;
  private readonly leans: DeviceLeans;
  private readonly shapes = new Map<object, { buffer: GPUBuffer; group: GPUBindGroup }>();
  private readonly nothing: GPUBuffer;
  private pair: Pair | null = null;
  private boids: DeviceBoids | null = null;
  private states: { buffers: GPUBuffer[]; group: GPUBindGroup } | null = null;

  constructor(private readonly device: GPUDevice, private readonly pipelines: Pipelines) {
    this.frames = new FrameBuffers(device);
    this.past = new Past(device);
    this.leans = new DeviceLeans(device, pipelines);
    this.nothing = storage(device, 0);
  }

  /** Nothing is visible until states arrive. */
  clear(): void {
    this.pair = this.boids = null;
    this.past.forget();
  }

  /** What is drawn. */
  get shown(): Pair | null {
    return this.pair;
  }

  /** Draw these states no more. */
  drop(pair: Pair): void {
    if (this.pair === pair) this.clear();
  }

  show(before: Frame, now: Frame, cut: boolean): void {
    if (cut) this.past.forget();
    this.boids = null;
    this.pair = this.frames.show(before, now);
  }

  showDevice(boids: DeviceBoids, cut: boolean): void {
    if (cut) this.past.forget();
    this.boids = boids;
    this.pair = devicePair(boids);
  }

  /** Whether boids cannot be coloured as requested, because the states do not have the numbers. */
  lacksNumbers({ colourBy, which }: Drawing["picture"]): boolean {
    const { pair } = this;
    if (pair?.kind !== "device") return false;
    return colourBy === "neighbours" ? !pair.now.hasNeighbours : colourBy === "value" && pair.now.values?.which !== which;
  }

  /** The calls of a picture; what must be computed before is encoded. Null: there are no boids yet. */
  draw(encoder: GPUCommandEncoder, model: SceneCore, given: Drawing, period: Vec3): BoidCalls | null {
    const { pair, past } = this;
    if (!pair) return null;
    const drawing = this.boids ? { ...given, part: this.boids.between } : given;
    const { steps, kind, before, now } = pair;
    const { part, picture } = drawing;
    const most = Past.maxSegments(now.count);
    const wanted = Math.min(picture.trails, most);
    if (wanted > 0) past.push(encoder, pair);
    else past.forget();
    const own: Drawing = this.lacksNumbers(picture) ? { ...drawing, picture: { ...picture, colourBy: "flock" } } : drawing;
    const flocks = flockDrawings(model, own, now).filter((flock) => flock.count > 0);
    const seconds = filmSeconds(model);
    if (flocks.some((flock) => flock.body)) this.leans.update(encoder, pair, seconds);
    const values: Values = {
      ...frameUniforms(before, now, drawing, period),
      ...past.uniforms(drawing.shot.target),
      clock: (steps[0] + part * (steps[1] - steps[0])) * seconds,
      segments: Math.max(1, wanted),
    };
    const states = this.stateGroup(pair);
    const segments = Math.min(wanted, past.length);
    return { values, calls: flocks.flatMap((flock) => this.flockCalls(flock, kind, model.dims === 2, segments, states)) };
  }

  private flockCalls(flock: FlockDrawing, kind: RecordKind, flat: boolean, segments: number, states: GPUBindGroup): Call[] {
    const { pipelines } = this;
    const { count, outline: { corners }, body } = flock;
    const values = [flockUniforms(flock, flat)];
    const groups = [states, body ? this.shape(body, body) : this.shape(corners, corners.flatMap((corner) => [...corner, 0, 0]))];
    // A body hides its own far side, in a flat space too.
    const call: Call = {
      pipeline: pipelines.boids(kind, body ? "body" : "dart", flock.shadow ? "shadow" : body || !flat ? "solid" : "flat"),
      values, groups, vertices: count * (body ? body.length / 4 : corners.length),
    };
    if (segments === 0 || flock.shadow) return [call];
    const trails = pipelines.boids(kind, "trail", flat ? "flat" : "clear");
    return [{ pipeline: trails, values, groups, vertices: 2 * segments * count }, call];
  }

  /** The corners of a shape, sent once. */
  private shape(key: object, corners: ArrayLike<number>): GPUBindGroup {
    let shape = this.shapes.get(key);
    if (!shape) {
      const buffer = storage(this.device, 4 * corners.length);
      this.device.queue.writeBuffer(buffer, 0, Float32Array.from(corners));
      shape = { buffer, group: this.pipelines.group(this.pipelines.shape, buffer) };
      this.shapes.set(key, shape);
    }
    return shape.group;
  }

  private stateGroup({ buffers: { before, now }, numbers }: Pair): GPUBindGroup {
    const { pipelines, nothing } = this;
    const buffers = [before, now, numbers ?? nothing, this.past.buffer ?? nothing, this.leans.buffer ?? nothing];
    if (!this.states || buffers.some((buffer, k) => buffer !== this.states!.buffers[k])) {
      this.states = { buffers, group: pipelines.group(pipelines.states, ...buffers) };
    }
    return this.states.group;
  }

  dispose(): void {
    this.frames.dispose();
    this.past.dispose();
    this.leans.dispose();
    for (const { buffer } of this.shapes.values()) buffer.destroy();
    this.nothing.destroy();
  }
}
