/** The states of boids in the memory of the graphics card: the two that are drawn between, past ones for trails,
 * and how birds lean. */

import { GAP, shareOf } from "../gl/leans";
import { LAYERS, TrailTextures } from "../gl/textures";
import type { Frame, Levels, Vec3 } from "../wire/frame";
import { originOf, stepOf, type Scale } from "../wire/scale";
import type { Values } from "../scene/uniforms";
import type { DeviceBoids } from "./deviceboids";
import type { Pipelines } from "./rendererpipelines";
import { TURN } from "./rendererbodyshaders";
import { RECORD_WORDS, type RecordKind } from "./renderershaders";

/** A state with the fields of a frame. */
type Head = Pick<Frame, "dims" | "lower" | "side" | "fastest" | "values" | "count" | "present" | "rows" | "layout" | "hasNeighbours">;

/** Two states to draw between. */
export interface Pair {
  kind: RecordKind;
  buffers: { before: GPUBuffer; now: GPUBuffer };
  /** A number of each boid, for its colour; null: there is none. */
  numbers: GPUBuffer | null;
  steps: readonly [before: number, now: number];
  before: Scale;
  now: Head;
  /** What the state before is known by: its frame, or its step. */
  key: Frame | number;
}

export function devicePair(boids: DeviceBoids): Pair {
  const { before, now, count, steps, numbers } = boids;
  // Positions, speeds and numbers are themselves instead of parts of a range.
  const values = typeof numbers?.of === "number" ? { which: numbers.of, low: 0, high: 65534, levels: new Uint16Array(0) } : null;
  const head: Head = {
    dims: 3, lower: [0, 0, 0], side: [65536, 65536, 65536], fastest: 1, values, count, present: count, rows: null, layout: 0,
    hasNeighbours: numbers?.of === "neighbours",
  };
  return { kind: "device", buffers: { before, now }, numbers: numbers?.buffer ?? null, steps, before: head, now: head, key: steps[0] };
}

/** A storage buffer, never empty. */
export function storage(device: GPUDevice, bytes: number): GPUBuffer {
  const { STORAGE, COPY_DST, COPY_SRC } = GPUBufferUsage;
  return device.createBuffer({ size: Math.max(32, 4 * Math.ceil(bytes / 4)), usage: STORAGE | COPY_DST | COPY_SRC });
}

/** Frames that came from elsewhere: two buffers that take turns. */
export class FrameBuffers {
  private buffers: GPUBuffer[] = [];
  private holds: (Frame | null)[] = [null, null];
  private numbers: GPUBuffer | null = null;
  private levels: Levels["levels"] | null = null;

  constructor(private readonly device: GPUDevice) {}

  /** Send what is not on the card already. */
  show(before: Frame, now: Frame): Pair {
    const bytes = 4 * RECORD_WORDS.frame * Math.max(before.count, now.count);
    if (!this.buffers[0] || this.buffers[0].size < bytes) {
      for (const buffer of this.buffers) buffer.destroy();
      this.buffers = [0, 1].map(() => storage(this.device, bytes));
      this.holds = [null, null];
    }
    const place = this.holds[0] === before || this.holds[1] === now ? 0 : 1;
    this.fill(place, before);
    this.fill(1 - place, now);
    if (now.values) this.fillNumbers(now.values.levels);
    const buffers = { before: this.buffers[place]!, now: this.buffers[1 - place]! };
    return { kind: "frame", buffers, numbers: now.values && this.numbers, steps: [before.step, now.step], before, now, key: before };
  }

  private fill(place: number, frame: Frame): void {
    if (this.holds[place] === frame) return;
    this.device.queue.writeBuffer(this.buffers[place]!, 0, frame.words);
    this.holds[place] = frame;
  }

  private fillNumbers(levels: Levels["levels"]): void {
    if (this.levels === levels) return;
    const whole = new Uint16Array(2 * Math.ceil(levels.length / 2)); // in words
    whole.set(levels);
    if (!this.numbers || this.numbers.size < whole.byteLength) {
      this.numbers?.destroy();
      this.numbers = storage(this.device, whole.byteLength);
    }
    this.device.queue.writeBuffer(this.numbers, 0, whole);
    this.levels = levels;
  }

  dispose(): void {
    for (const buffer of [...this.buffers, this.numbers]) buffer?.destroy();
  }
}

/** The last states before the one that is drawn from, a ring with the newest at `head`. */
export class Past {
  buffer: GPUBuffer | null = null;
  length = 0;
  private head = 0;
  private rows = 0;
  private kind: RecordKind = "frame";
  private newest: Pair["key"] | null = null;
  private readonly scales: Scale[] = [];
  private readonly origins = new Float32Array(3 * LAYERS);
  private readonly steps = new Float32Array(3 * LAYERS);

  constructor(private readonly device: GPUDevice) {}

  /** Return the maximum number of segments of a trail for a number of boids. */
  static readonly maxSegments = TrailTextures.maxSegments;

  private get layers(): number {
    return Past.maxSegments(this.rows) + 1;
  }

  forget(): void {
    this.length = 0;
  }

  /** Keep the state before, which is on the card already. */
  push(encoder: GPUCommandEncoder, { kind, buffers, before, now: { count }, key }: Pair): void {
    if (this.length > 0 && this.newest === key) return;
    const bytes = 4 * RECORD_WORDS[kind] * count;
    if (!this.buffer || this.rows !== count || this.kind !== kind) {
      this.buffer?.destroy();
      [this.rows, this.kind, this.length] = [count, kind, 0];
      this.buffer = storage(this.device, bytes * this.layers);
    }
    this.head = (this.head + 1) % this.layers;
    if (bytes > 0) encoder.copyBufferToBuffer(buffers.before, 0, this.buffer, bytes * this.head, bytes);
    this.newest = key;
    this.scales[this.head] = before;
    this.length = Math.min(this.layers - 1, this.length + 1);
  }

  /** Where the past is, for the shaders. */
  uniforms(target: Vec3): Values {
    const { head, layers, rows, origins, steps } = this;
    this.scales.slice(0, layers).forEach((scale, layer) => {
      origins.set(originOf(scale, target), 3 * layer);
      steps.set(stepOf(scale), 3 * layer);
    });
    return { head, layers, rows, origins, steps };
  }

  dispose(): void {
    this.buffer?.destroy();
  }
}

/** How birds lean, followed on the card. */
export class DeviceLeans {
  buffer: GPUBuffer | null = null;
  private last: { key: Pair["key"]; step: number; count: number; layout: number } | null = null;
  private readonly uniform: GPUBuffer;

  constructor(private readonly device: GPUDevice, private readonly pipelines: Pipelines) {
    this.uniform = device.createBuffer({ size: TURN.bytes, usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST });
  }

  /** Learns the states that are drawn now; `seconds`: of film, a step. */
  update(encoder: GPUCommandEncoder, pair: Pair, seconds: number): void {
    const { device, last } = this;
    const { key, buffers, now: { count, layout }, steps: [from, step] } = pair;
    if (last?.key === key && last.step === step) return;
    const gap = last ? (step - last.step) * seconds : -1;
    const fresh = last?.count !== count || last.layout !== layout || gap <= 0 || gap > GAP;
    this.last = { key, step, count, layout };
    if (!this.buffer || this.buffer.size < 8 * count) {
      this.buffer?.destroy();
      this.buffer = storage(device, 8 * count);
    } else if (fresh) encoder.clearBuffer(this.buffer);
    const span = (step - from) * seconds;
    if (span <= 0) return;
    const values = new ArrayBuffer(TURN.bytes);
    TURN.write(values, 0, { count, span, share: shareOf(span) });
    device.queue.writeBuffer(this.uniform, 0, values);
    const pass = encoder.beginComputePass();
    pass.setPipeline(this.pipelines.lean(pair.kind));
    pass.setBindGroup(0, this.pipelines.group(this.pipelines.turn, this.uniform, this.buffer));
    pass.setBindGroup(1, this.pipelines.group(this.pipelines.pair, buffers.before, buffers.now));
    pass.dispatchWorkgroups(Math.ceil(count / 64));
    pass.end();
  }

  dispose(): void {
    this.buffer?.destroy();
    this.uniform.destroy();
  }
}
