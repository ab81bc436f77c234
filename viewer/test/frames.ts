import { HEADER, MAGIC, RECORD } from "../src/wire/frame";

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
  view.setUint32(0, made.magic ?? MAGIC, true);
  view.setUint16(4, made.version ?? 1, true);
  view.setUint16(6, made.dims ?? 3, true);
  view.setUint32(8, made.scene ?? 1, true);
  view.setUint32(12, made.boids.length, true);
  view.setFloat64(16, made.step ?? 0, true);
  view.setFloat64(24, made.time ?? 0, true);
  (made.lower ?? [0, 0, 0]).forEach((x, k) => view.setFloat32(32 + 4 * k, x, true));
  (made.side ?? [10, 10, 10]).forEach((x, k) => view.setFloat32(44 + 4 * k, x, true));
  view.setFloat32(56, made.fastest ?? 1, true);
  view.setUint32(60, (made.flags ?? 0) | (changing ? 2 : 0) | (values ? 4 : 0), true);
  view.setFloat32(64, made.rate ?? 0, true);
  made.boids.forEach((boid, k) => {
    const at = HEADER + RECORD * k;
    for (let n = 0; n < 4; n++) view.setUint16(at + 2 * n, boid[n] ?? 0, true);
    for (let n = 4; n < 7; n++) view.setInt8(at + 4 + n, boid[n] ?? 0);
    view.setUint8(at + 11, boid[7] ?? 0);
  });
  view.setUint16(68, changing?.numbers.length ?? 0, true);
  view.setUint16(70, values?.which ?? 0, true);
  view.setFloat32(72, values?.low ?? 0, true);
  view.setFloat32(76, values?.high ?? 0, true);
  table.forEach((x, k) => view.setUint32(end + 4 * k, x, true));
  values?.levels.forEach((x, k) => view.setUint16(end + 4 * table.length + 2 * k, x, true));
  return buffer;
}
