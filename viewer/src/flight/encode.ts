/** A flock as the bytes of a frame: what src/murmurate/show/wire_format.py writes, for wire/frame.ts
 * to read. */

import type { Flock, Shown } from "./state";
import { HEADER, MAGIC, NO_VALUE, PERCHED, RECORD } from "../wire/frame";
import type { SpaceInfo } from "../wire/contracts";

const finite = (x: number): number => (Number.isFinite(x) ? Math.min(1e15, Math.max(-1e15, x)) : 0);

/** Return the box that encoded positions refer to: the space, and on open axes the extent of the flock. */
function boxOf(flock: Flock, space: SpaceInfo): [number[], number[]] {
  const lower = [0, 0, 0];
  const side = [1, 1, 1];
  for (let d = 0; d < flock.dims; d++) {
    if ((space.boundaries?.[d] ?? "open") !== "open") {
      lower[d] = Math.fround(space.lower[d]!);
      side[d] = Math.fround(space.upper[d]! - space.lower[d]!);
      continue;
    }
    let [low, high] = [Infinity, -Infinity];
    for (let i = d; i < flock.positions.length; i += 3) {
      const x = finite(flock.positions[i]!);
      if (x < low) low = x;
      if (x > high) high = x;
    }
    if (low > high) continue;
    lower[d] = low;
    side[d] = Math.max(Math.fround((high - low) * (1 + 1e-6)), 1e-6 * Math.max(1, Math.abs(low)));
  }
  return [lower, side];
}

/** Writes the levels of a number behind the records, and their range into the header. */
function writeLevels(head: DataView, levels: Uint16Array, { which, values }: Shown): void {
  let [low, high] = [Infinity, -Infinity];
  for (const x of values) {
    if (!Number.isFinite(x)) continue;
    if (x < low) low = x;
    if (x > high) high = x;
  }
  if (low > high) low = high = 0;
  head.setUint16(70, which, true);
  head.setFloat32(72, low, true);
  head.setFloat32(76, high, true);
  const scale = high > low ? 65534 / (high - low) : 0;
  values.forEach((x, k) => (levels[k] = Number.isFinite(x) ? Math.round((x - low) * scale) : NO_VALUE));
}

export function encode(
  flock: Flock, space: SpaceInfo, scene: number, rate: number, neighbours: Uint8Array | null, shown: Shown | null = null,
): ArrayBuffer {
  const { boids, dims, positions, velocities, timers } = flock;
  const out = new ArrayBuffer(HEADER + RECORD * boids + (shown ? 2 * boids : 0));
  const [lower, side] = boxOf(flock, space);
  let fastest = 0;
  for (let i = 0; i < velocities.length; i += 3) {
    const [u, v, w] = [finite(velocities[i]!), finite(velocities[i + 1]!), finite(velocities[i + 2]!)];
    fastest = Math.max(fastest, u * u + v * v + w * w);
  }
  fastest = Math.sqrt(fastest);
  const head = new DataView(out);
  head.setUint32(0, MAGIC, true);
  head.setUint16(4, 1, true);
  head.setUint16(6, dims, true);
  head.setUint32(8, scene, true);
  head.setUint32(12, boids, true);
  head.setFloat64(16, flock.step, true);
  head.setFloat64(24, flock.time, true);
  for (let d = 0; d < 3; d++) {
    head.setFloat32(32 + 4 * d, lower[d]!, true);
    head.setFloat32(44 + 4 * d, side[d]!, true);
  }
  head.setFloat32(56, fastest, true);
  head.setUint32(60, (neighbours ? 1 : 0) | (shown ? 4 : 0), true);
  if (shown) writeLevels(head, new Uint16Array(out, HEADER + RECORD * boids, boids), shown);
  head.setFloat32(64, rate, true);
  const shorts = new Uint16Array(out, HEADER, 6 * boids);
  const bytes = new Int8Array(out, HEADER, RECORD * boids);
  const scale = side.map((s) => 65536 / s);
  const full = 65535 / Math.max(fastest, 1e-30);
  for (let i = 0; i < boids; i++) {
    const [at, from] = [6 * i, 3 * i];
    for (let d = 0; d < dims; d++) {
      const x = (finite(positions[from + d]!) - lower[d]!) * scale[d]!;
      shorts[at + d] = x < 0 ? 0 : x > 65535 ? 65535 : x;
    }
    const [u, v, w] = [finite(velocities[from]!), finite(velocities[from + 1]!), finite(velocities[from + 2]!)];
    const speed = Math.sqrt(u * u + v * v + w * w);
    shorts[at + 3] = Math.min(65535, speed * full + 0.5);
    const heading = 12 * i + 8;
    if (timers[i]! > 0) {
      const level = Math.hypot(u, v);
      bytes[heading] = level > 0 ? Math.round((PERCHED * u) / level) : PERCHED;
      bytes[heading + 1] = level > 0 ? Math.round((PERCHED * v) / level) : 0;
    } else {
      const k = 127 / Math.max(speed, 1e-18);
      bytes[heading] = Math.round(u * k);
      bytes[heading + 1] = Math.round(v * k);
      bytes[heading + 2] = Math.round(w * k);
    }
    bytes[heading + 3] = neighbours ? neighbours[i]! : 0;
  }
  return out;
}
