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
}

/** A frame as Python would send it. */
export function frameBytes(made: Made): ArrayBuffer {
  const buffer = new ArrayBuffer(HEADER + RECORD * made.boids.length);
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
  view.setUint32(60, made.flags ?? 0, true);
  view.setFloat32(64, made.rate ?? 0, true);
  made.boids.forEach((boid, k) => {
    const at = HEADER + RECORD * k;
    for (let n = 0; n < 4; n++) view.setUint16(at + 2 * n, boid[n] ?? 0, true);
    for (let n = 4; n < 7; n++) view.setInt8(at + 4 + n, boid[n] ?? 0);
    view.setUint8(at + 11, boid[7] ?? 0);
  });
  return buffer;
}
