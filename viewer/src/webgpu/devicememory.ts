/** The buffers of a flock on a device, and its state in them: a boid is (x, y, z, id), and behind those of all
 * boids (u, v, w, flock index | steps left on the ground << 8): two vec4 of words. */

import { PAGE, type Kernel, type Kernels, type PageKernel } from "./kernels";
import { amountsOf, groupsOf, pathOf, sizeOf, uniformOf } from "./program";
import { CONTROL, LARGE, NOBODY, type Dispatch, type PlainPath } from "../wire/contracts";
import type { Rows } from "../flight/rows";
import type { Starts } from "../flight/starts";
import { firstBoids, type State, type Trait } from "../flight/state";
import { drawTraits, passed } from "../flight/traits";
import type { Values } from "../flight/values";

export const BOID = 32; // bytes
const RING = 3; // states in the order of ids, of which two are drawn while the next one is written

/** A dispatch with its buffers and workgroups. */
export interface Bound {
  pipeline: GPUComputePipeline;
  group: GPUBindGroup;
  size: [number, number];
}

/** Where the state is: in boids0 and memory0, or in boids1 and memory1. */
export type Parity = 0 | 1;

export function dispatch(encoder: GPUComputePassEncoder, passes: Bound[]): void {
  let last: GPUBindGroup | null = null;
  for (const { pipeline, group, size } of passes) {
    encoder.setPipeline(pipeline);
    if (group !== last) encoder.setBindGroup(0, group);
    encoder.dispatchWorkgroups(...size);
    last = group;
  }
}

export class DeviceMemory {
  readonly boids: number;
  readonly shown: GPUBuffer[];
  readonly numbers: GPUBuffer;
  readonly page: GPUBuffer;
  /** Commands of a flock, see flight/controls.ts. */
  readonly commands: GPUBuffer;
  /** The dispatches after the last step of a submission. */
  readonly end: Bound[];
  /** How a step is made. */
  readonly path: PlainPath;
  private readonly buffers = new Map<string, GPUBuffer>();
  private readonly steps: [Bound[], Bound[]];
  private readonly groups = new Map<string, GPUBindGroup>();
  private readonly amounts: Record<string, number>;
  private readonly bound = new Map<string, Bound>();

  constructor(readonly kernels: Kernels, readonly counts: number[]) {
    const { device, program } = kernels;
    this.boids = counts.reduce((a, b) => a + b, 0);
    this.amounts = amountsOf(program, this.boids);
    this.path = pathOf(program, this.boids);
    const { STORAGE, COPY_DST, COPY_SRC, UNIFORM } = GPUBufferUsage;
    const make = (label: string, size: number, usage: number): GPUBuffer =>
      device.createBuffer({ label, size: Math.max(16, Math.ceil(size / 16) * 16), usage: usage | COPY_DST | COPY_SRC });
    for (const [name, size] of Object.entries(program.buffers)) this.buffers.set(name, make(name, 4 * sizeOf(size, this.amounts), STORAGE));
    this.buffers.set("settings", make("settings", program.uniform.size, UNIFORM));
    this.page = make("page", 4 * PAGE.words, UNIFORM);
    this.shown = Array.from({ length: RING }, (_, k) => make(`shown ${k}`, BOID * this.boids, STORAGE));
    this.numbers = make("colours", 4 * this.boids, STORAGE);
    this.commands = make("commands", program.memory_rows < 4 ? 0 : 16 * this.boids, STORAGE);
    this.steps = [this.boundFrom(0, this.path.passes), this.boundFrom(1, this.path.passes)];
    this.end = this.boundFrom(0, this.path.end);
  }

  buffer(name: string): GPUBuffer {
    return this.buffers.get(name)!;
  }

  /** The buffers that hold the state of a flock. */
  stateOf(parity: Parity): GPUBuffer[] {
    return [`boids${parity}`, `memory${parity}`, "control", "history"].map((name) => this.buffer(name));
  }

  /** The dispatches of a step from the state in one of the alternating buffers. */
  step(parity: Parity): Bound[] {
    return this.steps[parity];
  }

  private boundFrom(parity: Parity, dispatches: Dispatch[]): Bound[] {
    const { program, passes } = this.kernels;
    return dispatches.map(({ entry, module, reads, threads, group }) => {
      const kernel = passes[entry]!;
      const size = groupsOf(program, sizeOf(threads, this.amounts), group);
      return { pipeline: kernel.pipeline, group: this.groupOf(kernel, module, reads ^ parity), size };
    });
  }

  /** The buffers of a module, whose passes share them. */
  private groupOf(kernel: Kernel, module: string, from: number): GPUBindGroup {
    const key = `${module} ${from}`;
    if (!this.groups.has(key)) {
      const { program } = this.kernels;
      const names: Record<string, string> = {
        boids: `boids${from}`, next_boids: `boids${1 - from}`, memory: `memory${from}`, next_memory: `memory${1 - from}`,
      };
      const access = Object.keys(program.modules[module]!.access);
      const buffers = access.map((name): [number, GPUBuffer] => [program.bindings[name]!, this.buffer(names[name] ?? name)]);
      this.groups.set(key, this.group(kernel, [[0, this.buffer("settings")], ...buffers]));
    }
    return this.groups.get(key)!;
  }

  private group({ layout }: Kernel, buffers: [number, GPUBuffer][]): GPUBindGroup {
    const entries = buffers.map(([binding, buffer]) => ({ binding, resource: { buffer } }));
    return this.kernels.device.createBindGroup({ layout, entries });
  }

  /** One of the page's own kernels. `to`: which of the states in the order of ids it writes. */
  own(entry: PageKernel, parity: Parity, to = 0): Bound {
    const key = `${entry} ${parity} ${to}`;
    let bound = this.bound.get(key);
    if (!bound) {
      const memory = this.buffer(`memory${parity}`);
      const [read, written] = entry === "command" ? [this.commands, memory] : [memory, this.numbers];
      const buffers: [number, GPUBuffer][] = [[0, this.page], [1, this.buffer(`boids${parity}`)], [2, read], [3, this.shown[to]!], [4, written]];
      const kernel = this.kernels.page[entry];
      bound = { pipeline: kernel.pipeline, group: this.group(kernel, buffers), size: groupsOf(this.kernels.program, this.boids, 64) };
      this.bound.set(key, bound);
    }
    return bound;
  }

  write(name: string, at: number, data: Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | ArrayBuffer): void {
    if (data.byteLength > 0) this.kernels.device.queue.writeBuffer(this.buffer(name), 4 * at, data);
  }

  /** Write the settings, and the numbers that differ between boids, which it returns. */
  putModel(seed: bigint, values: Values, rows: Rows, starts: Starts): Trait[] {
    const { program } = this.kernels;
    this.write("settings", 0, uniformOf(program, this.counts, seed, rows));
    const traits = drawTraits(program, values, starts, { counts: this.counts, indices: firstBoids(this.counts).indices }, seed);
    traits.forEach(({ source: { kind }, numbers }, row) => {
      const floats = Float32Array.from(numbers, (x) => (Number.isNaN(x) ? 0 : Math.min(LARGE, Math.max(-LARGE, passed(kind, x)))));
      this.write("numbers", program.settings["first_individual"]![0]! + row * this.boids, floats);
    });
    return traits;
  }

  /** Writes a state, in the order of ids, into boids0 and memory0. */
  begin(state: State): void {
    const { dims, settings } = this.kernels.program;
    const { boids } = this;
    const floats = new Float32Array(8 * boids);
    const words = new Uint32Array(floats.buffer);
    let flock = 0;
    let end = this.counts[0] ?? 0;
    for (let id = 0; id < boids; id++) {
      while (id >= end) end += this.counts[++flock]!;
      for (let d = 0; d < dims; d++) {
        floats[4 * id + d] = inside(state.places[d * boids + id]!, d, settings);
        floats[4 * (boids + id) + d] = state.places[(dims + d) * boids + id]!;
      }
      words[4 * id + 3] = id;
      words[4 * (boids + id) + 3] = flock | (state.timers[id]! << 8);
    }
    this.write("boids0", 0, words);
    this.write("memory0", 0, state.kept as Float32Array<ArrayBuffer>);
    const depth = this.buffer("history").size / (BOID * Math.max(1, boids));
    for (let k = 1; k <= depth; k++) this.write("history", 8 * boids * (k - 1), words);
    const control = new Uint32Array(this.buffer("control").size / 4);
    control[CONTROL.step_low] = state.step >>> 0;
    control[CONTROL.step_high] = Math.floor(state.step / 2 ** 32);
    control[CONTROL.lost] = control[CONTROL.probe] = NOBODY;
    this.write("control", 0, control);
  }

  destroy(): void {
    for (const buffer of [...this.buffers.values(), ...this.shown, this.numbers, this.page, this.commands]) buffer.destroy();
  }
}

/** A place just below the upper face of a periodic axis may be rounded up to it. */
function inside(x: number, d: number, { periodic, lower, upper }: Record<string, number[]>): number {
  return periodic![d] && Math.fround(x) >= Math.fround(upper![d]!) ? lower![d]! : x;
}
