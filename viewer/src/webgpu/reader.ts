/** Reading a flock back from its device, and the vector of each rule on a chosen boid, which takes a step that does
 * not count. */

import { BOID, dispatch, type DeviceMemory, type Parity } from "./devicememory";
import { CONTROL, NOBODY } from "../wire/contracts";
import { firstBoids, type Flock, type State } from "../flight/state";

/** A state that was read: boids in the order of ids. */
export class Snapshot {
  private constructor(
    readonly flock: Flock,
    readonly state: State,
    private readonly flockIndex: Uint8Array,
    /** The id of a lost boid, where that has ended the run. */
    readonly lost: number | null,
    /** The boid whose vectors are known: -1 for none. */
    readonly probe: number,
    readonly vectors: Record<string, number[]>,
  ) {}

  static of(state: State, dims: number, dt: number, lost: number | null = null, probe = -1, vectors: Record<string, number[]> = {}): Snapshot {
    const boids = state.timers.length;
    const [positions, velocities] = [new Float32Array(3 * boids), new Float32Array(3 * boids)];
    for (let d = 0; d < dims; d++) {
      for (let id = 0; id < boids; id++) {
        positions[3 * id + d] = state.places[d * boids + id]!;
        velocities[3 * id + d] = state.places[(dims + d) * boids + id]!;
      }
    }
    const flockIndex = new Uint8Array(boids);
    let first = 0;
    state.counts.forEach((count, k) => flockIndex.fill(k, first, (first += count)));
    const flock = { dims, boids, counts: state.counts, who: null, step: state.step, time: state.step * dt, positions, velocities, timers: state.timers };
    return new Snapshot(flock, state, flockIndex, lost, probe, vectors);
  }

  /** A number of each boid, nan where its flock has none. `rows`: rows of what boids keep, by flock; -1 for none. */
  valuesOf(rows: number[]): Float32Array {
    const { boids } = this.flock;
    return Float32Array.from(this.flockIndex, (flock, id) => (rows[flock]! < 0 ? NaN : this.state.kept[rows[flock]! * boids + id]!));
  }
}

/** What was copied from a device: boids in the order of cells. */
interface Copied {
  boids: Uint32Array;
  kept: Float32Array;
  control: Uint32Array;
  /** `control` after the step that was tried. */
  tried: Uint32Array;
}

/** Read the state after a step. `probe`: the boid whose vectors in the next step are wanted too; -1: none. */
export async function read(memory: DeviceMemory, parity: Parity, probe: number, step: number, dt: number): Promise<Snapshot> {
  let copied = await copy(memory, parity, probe);
  const { control, tried } = copied;
  const reached = control[CONTROL.step_low]! + 2 ** 32 * control[CONTROL.step_high]!;
  // Steps after a loss are not made, so the state may be in the other buffer.
  if (memory.path.flips && (step - reached) % 2 !== 0) copied = await copy(memory, (1 - parity) as Parity, -1);
  const { dims, rules, vectors: first } = memory.kernels.program;
  const state = stateOf(memory, copied, dims, reached);
  const floats = new Float32Array(tried.buffer, tried.byteOffset + 4 * first, 3 * rules.length);
  const vectors = Object.fromEntries(rules.map((rule, k) => [rule, [...floats.subarray(3 * k, 3 * k + 3)]]));
  const lost = control[CONTROL.stopped] ? control[CONTROL.lost]! : null;
  return Snapshot.of(state, dims, dt, lost, probe, probe < 0 ? {} : vectors);
}

function stateOf(memory: DeviceMemory, { boids: words, kept: columns }: Copied, dims: number, step: number): State {
  const { boids, counts } = memory;
  const keeps = columns.length / Math.max(1, boids);
  const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
  const [places, timers, kept] = [new Float32Array(2 * dims * boids), new Int32Array(boids), new Float32Array(columns.length)];
  for (let i = 0; i < boids; i++) {
    const [at, moving] = [4 * i, 4 * (boids + i)];
    const id = words[at + 3]!;
    timers[id] = words[moving + 3]! >>> 8;
    for (let d = 0; d < dims; d++) {
      places[d * boids + id] = floats[at + d]!;
      places[(dims + d) * boids + id] = floats[moving + d]!;
    }
    for (let row = 0; row < keeps; row++) kept[row * boids + id] = columns[row * boids + i]!;
  }
  return { step, counts, places, timers, kept, ...firstBoids(counts) };
}

async function copy(memory: DeviceMemory, parity: Parity, probe: number): Promise<Copied> {
  const { device, program } = memory.kernels;
  const control = memory.buffer("control");
  const sizes = [BOID * memory.boids, 4 * program.memory_rows * memory.boids, control.size, control.size];
  const starts = sizes.map((_, k) => sizes.slice(0, k).reduce((a, b) => a + b, 0));
  const staging = device.createBuffer({ size: starts[3]! + sizes[3]!, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  const encoder = device.createCommandEncoder();
  [memory.buffer(`boids${parity}`), memory.buffer(`memory${parity}`), control].forEach((buffer, k) => {
    if (sizes[k]! > 0) encoder.copyBufferToBuffer(buffer, 0, staging, starts[k]!, sizes[k]!);
  });
  const saved = probe < 0 ? [] : tryStep(memory, parity, probe, encoder, staging, starts[3]!);
  device.queue.submit([encoder.finish()]);
  if (probe >= 0) memory.write("control", CONTROL.probe, new Uint32Array([NOBODY]));
  try {
    await staging.mapAsync(GPUMapMode.READ);
    const bytes = staging.getMappedRange().slice(0);
    const part = (k: number): [ArrayBuffer, number, number] => [bytes, starts[k]!, sizes[k]! / 4];
    return { boids: new Uint32Array(...part(0)), kept: new Float32Array(...part(1)), control: new Uint32Array(...part(2)), tried: new Uint32Array(...part(3)) };
  } finally {
    for (const buffer of [staging, ...saved]) buffer.destroy();
  }
}

/** A step with a boid whose vectors are written down, after which all is as it was. */
function tryStep(memory: DeviceMemory, parity: Parity, probe: number, encoder: GPUCommandEncoder, staging: GPUBuffer, at: number): GPUBuffer[] {
  const { device, program } = memory.kernels;
  const control = memory.buffer("control");
  memory.write("control", CONTROL.probe, new Uint32Array([probe]));
  memory.write("control", program.vectors, new Uint32Array(control.size / 4 - program.vectors));
  const state = memory.stateOf(parity);
  const saved = state.map(({ size }) => device.createBuffer({ size, usage: GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST }));
  state.forEach((buffer, k) => encoder.copyBufferToBuffer(buffer, 0, saved[k]!, 0, buffer.size));
  const compute = encoder.beginComputePass();
  dispatch(compute, memory.step(parity));
  compute.end();
  encoder.copyBufferToBuffer(control, 0, staging, at, control.size);
  state.forEach((buffer, k) => encoder.copyBufferToBuffer(saved[k]!, 0, buffer, 0, buffer.size));
  return saved;
}
