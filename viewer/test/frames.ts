import { CHANGING, COLOURED, HEADER, MAGIC, RECORD, VERSION } from "../src/wire/contracts";
import { writeFields } from "../src/wire/frame";

export interface Made {
  dims?: number;
  scene?: number;
  step?: number;
  time?: number;
  lower?: number[];
  side?: number[];
  fastest?: number;
  flags?: number;
  rate?: number;
  version?: number;
  magic?: number;
  /** x, y, z, speed, heading x, y, z, extra */
  boids: number[][];
  /** Indices of the boids, and [present, ever] of each flock. */
  changing?: { ids: number[]; numbers: [number, number][] };
  values?: { which: number; low: number; high: number; levels: number[] };
}

/** A frame as Python would send it. */
export function frameBytes(made: Made): ArrayBuffer {
  const { changing, values } = made;
  const end = HEADER + RECORD * made.boids.length;
  const table = changing ? [...changing.numbers.flat(), ...changing.ids] : [];
  const buffer = new ArrayBuffer(end + 4 * table.length + 2 * (values?.levels.length ?? 0));
  const view = new DataView(buffer);
  const { magic = MAGIC, version = VERSION, dims = 3, scene = 1, step = 0, time = 0, lower = [0, 0, 0], side = [10, 10, 10], fastest = 1, rate = 0 } = made;
  writeFields(view, {
    magic, version, dims, scene, count: made.boids.length, step, time, lower, side, fastest, rate,
    flags: (made.flags ?? 0) | (changing ? CHANGING : 0) | (values ? COLOURED : 0), flocks: changing?.numbers.length ?? 0,
    which: values?.which ?? 0, low: values?.low ?? 0, high: values?.high ?? 0,
  });
  made.boids.forEach((boid, k) => {
    const at = HEADER + RECORD * k;
    for (let n = 0; n < 4; n++) view.setUint16(at + 2 * n, boid[n] ?? 0, true);
    for (let n = 4; n < 7; n++) view.setInt8(at + 4 + n, boid[n] ?? 0);
    view.setUint8(at + 11, boid[7] ?? 0);
  });
  table.forEach((x, k) => view.setUint32(end + 4 * k, x, true));
  values?.levels.forEach((x, k) => view.setUint16(end + 4 * table.length + 2 * k, x, true));
  return buffer;
}
