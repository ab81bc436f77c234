/** A flock as the bytes of a frame: what src/murmurate/show/wire_format.py writes, for wire/frame.ts
 * to read. */

import type { Flock, Shown } from "./state";
import { writeFields } from "../wire/frame";
import {
  CHANGING, COLOURED, HEADER, HEADING, LEVELS, MAGIC, NEIGHBOURS, NO_VALUE, PERCHED, POSITION_LEVELS, RECORD, RECORD_FIELDS, SPEED_LEVELS, VERSION,
  type SceneMessage, type SpaceInfo,
} from "../wire/contracts";

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
  writeFields(head, { which, low, high });
  const scale = high > low ? LEVELS / (high - low) : 0;
  values.forEach((x, k) => (levels[k] = Number.isFinite(x) ? Math.round((x - low) * scale) : NO_VALUE));
}

export function encode(
  flock: Flock, { space, scene, flocks }: Pick<SceneMessage, "space" | "scene" | "flocks">, rate: number, neighbours: Uint8Array | null, shown: Shown | null = null,
): ArrayBuffer {
  const { boids, dims, counts, who, positions, velocities, timers } = flock;
  const numbers = who ? flocks.flatMap((_, k) => [counts[k]!, who.ever[k]!]) : [];
  const end = HEADER + RECORD * boids + 4 * (numbers.length + (who ? boids : 0));
  const out = new ArrayBuffer(end + (shown ? 2 * boids : 0));
  const [lower, side] = boxOf(flock, space);
  let fastest = 0;
  for (let i = 0; i < velocities.length; i += 3) {
    const [u, v, w] = [finite(velocities[i]!), finite(velocities[i + 1]!), finite(velocities[i + 2]!)];
    fastest = Math.max(fastest, u * u + v * v + w * w);
  }
  fastest = Math.sqrt(fastest);
  const head = new DataView(out);
  writeFields(head, {
    magic: MAGIC, version: VERSION, dims, scene, count: boids, step: flock.step, time: flock.time, lower, side, fastest, rate,
    flags: (neighbours ? NEIGHBOURS : 0) | (who ? CHANGING : 0) | (shown ? COLOURED : 0), flocks: numbers.length / 2,
  });
  if (who) new Uint32Array(out, HEADER + RECORD * boids, numbers.length + boids).set([...numbers, ...who.indices]);
  if (shown) writeLevels(head, new Uint16Array(out, end, boids), shown);
  const shorts = new Uint16Array(out, HEADER, 6 * boids);
  const bytes = new Int8Array(out, HEADER, RECORD * boids);
  const scale = side.map((s) => POSITION_LEVELS / s);
  const full = SPEED_LEVELS / Math.max(fastest, 1e-30);
  for (let i = 0; i < boids; i++) {
    const [at, from] = [6 * i, 3 * i];
    for (let d = 0; d < dims; d++) {
      const x = (finite(positions[from + d]!) - lower[d]!) * scale[d]!;
      shorts[at + d] = Math.min(POSITION_LEVELS - 1, Math.max(0, x));
    }
    const [u, v, w] = [finite(velocities[from]!), finite(velocities[from + 1]!), finite(velocities[from + 2]!)];
    const speed = Math.sqrt(u * u + v * v + w * w);
    shorts[at + 3] = Math.min(SPEED_LEVELS, speed * full + 0.5);
    const heading = RECORD * i + RECORD_FIELDS.heading;
    if (timers[i]! > 0) {
      const level = Math.hypot(u, v);
      bytes[heading] = level > 0 ? Math.round((PERCHED * u) / level) : PERCHED;
      bytes[heading + 1] = level > 0 ? Math.round((PERCHED * v) / level) : 0;
    } else {
      const k = HEADING / Math.max(speed, 1e-18);
      bytes[heading] = Math.round(u * k);
      bytes[heading + 1] = Math.round(v * k);
      bytes[heading + 2] = Math.round(w * k);
    }
    bytes[heading + 3] = neighbours ? neighbours[i]! : 0;
  }
  return out;
}
