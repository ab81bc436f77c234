/** The pipelines of the WebGPU renderer, made when they are first needed, and how their bindings are laid out. */

import { SCENERY } from "./renderercamera";
import { boidShaders, leanShader, type RecordKind } from "./renderershaders";

/** What is done with depths: `solid` hides what is behind it, `clear` is only hidden itself, `flat` neither; of a `shadow`
 * each part of the ground has one. */
export type Depth = "solid" | "clear" | "flat" | "shadow";

export type BoidShader = "dart" | "trail" | "body";

export const DEPTH_FORMAT = "depth24plus";

/** Colours come multiplied by their strength. */
const OVER: GPUBlendComponent = { srcFactor: "one", dstFactor: "one-minus-src-alpha" };

const POSITION: GPUVertexAttribute = { shaderLocation: 0, offset: 0, format: "float32x3" };
const POINTS: Record<"line" | "solid", GPUVertexBufferLayout> = {
  line: { arrayStride: 16, attributes: [POSITION, { shaderLocation: 1, offset: 12, format: "float32" }] },
  solid: { arrayStride: 24, attributes: [POSITION, { shaderLocation: 1, offset: 12, format: "float32x3" }] },
};

export class Pipelines {
  /** Of a picture and a draw call; of the states of boids; of a shape. */
  readonly scene: GPUBindGroupLayout;
  readonly states: GPUBindGroupLayout;
  readonly shape: GPUBindGroupLayout;
  /** Of the pass that follows how birds lean. */
  readonly turn: GPUBindGroupLayout;
  readonly pair: GPUBindGroupLayout;
  private readonly modules = new Map<string, GPUShaderModule>();
  private readonly made = new Map<string, GPURenderPipeline>();
  private readonly leans = new Map<RecordKind, GPUComputePipeline>();

  constructor(
    private readonly device: GPUDevice,
    private readonly format: GPUTextureFormat,
    private readonly samples: number,
  ) {
    const layout = (visibility: number, ...buffers: GPUBufferBindingLayout[]): GPUBindGroupLayout =>
      device.createBindGroupLayout({ entries: buffers.map((buffer, binding) => ({ binding, visibility, buffer })) });
    const { VERTEX, FRAGMENT, COMPUTE } = GPUShaderStage;
    const read: GPUBufferBindingLayout = { type: "read-only-storage" };
    this.scene = layout(VERTEX | FRAGMENT, { type: "uniform" }, { type: "uniform", hasDynamicOffset: true });
    this.states = layout(VERTEX, read, read, read, read, read);
    this.shape = layout(VERTEX, read);
    this.turn = layout(COMPUTE, { type: "uniform" }, { type: "storage" });
    this.pair = layout(COMPUTE, read, read);
  }

  boids(kind: RecordKind, shader: BoidShader, depth: Depth): GPURenderPipeline {
    return this.find(`${kind} ${shader} ${depth}`, () => ({
      layout: this.layout(this.scene, this.states, this.shape),
      vertex: { module: this.module(kind, () => boidShaders(kind)), entryPoint: shader },
      fragment: this.fragment(this.module(kind, () => boidShaders(kind)), shader === "body" ? "flesh" : "flat_ink"),
      primitive: { topology: shader === "trail" ? "line-list" : "triangle-list" },
      depthStencil: depthOf(depth),
    }));
  }

  scenery(shader: "line" | "solid", depth: Depth): GPURenderPipeline {
    const module = this.module("scenery", () => SCENERY);
    return this.find(`${shader} ${depth}`, () => ({
      layout: this.layout(this.scene),
      vertex: { module, entryPoint: shader, buffers: [POINTS[shader]] },
      fragment: this.fragment(module, "flat_ink"),
      // Of a body only what faces the camera.
      primitive: shader === "line" ? { topology: "line-list" } : { cullMode: depth === "solid" ? "back" : "none" },
      depthStencil: depthOf(depth),
    }));
  }

  lean(kind: RecordKind): GPUComputePipeline {
    let pipeline = this.leans.get(kind);
    if (!pipeline) {
      const module = this.module(`lean ${kind}`, () => leanShader(kind));
      pipeline = this.device.createComputePipeline({ layout: this.layout(this.turn, this.pair), compute: { module, entryPoint: "lean" } });
      this.leans.set(kind, pipeline);
    }
    return pipeline;
  }

  /** A group of buffers. */
  group(layout: GPUBindGroupLayout, ...buffers: (GPUBuffer | GPUBufferBinding)[]): GPUBindGroup {
    const entries = buffers.map((one, binding) => ({ binding, resource: "buffer" in one ? one : { buffer: one } }));
    return this.device.createBindGroup({ layout, entries });
  }

  private find(key: string, descriptor: () => Omit<GPURenderPipelineDescriptor, "multisample">): GPURenderPipeline {
    let pipeline = this.made.get(key);
    if (!pipeline) {
      pipeline = this.device.createRenderPipeline({ ...descriptor(), multisample: { count: this.samples } });
      this.made.set(key, pipeline);
    }
    return pipeline;
  }

  private module(key: string, text: () => string): GPUShaderModule {
    let module = this.modules.get(key);
    if (!module) this.modules.set(key, (module = this.device.createShaderModule({ code: text() })));
    return module;
  }

  private layout(...groups: GPUBindGroupLayout[]): GPUPipelineLayout {
    return this.device.createPipelineLayout({ bindGroupLayouts: groups });
  }

  private fragment(module: GPUShaderModule, entryPoint: string): GPUFragmentState {
    return { module, entryPoint, targets: [{ format: this.format, blend: { color: OVER, alpha: OVER } }] };
  }
}

function depthOf(depth: Depth): GPUDepthStencilState {
  const compare = { flat: "always", shadow: "less", solid: "less-equal", clear: "less-equal" } as const;
  return { format: DEPTH_FORMAT, depthWriteEnabled: depth === "solid" || depth === "shadow", depthCompare: compare[depth] };
}
