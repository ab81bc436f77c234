/** Palettes: colours of boids, packed as the 32-bit pixels of an image. */

import type { FlockDrawing } from "../scene/flocks";
import { hueOf, tableOf, type Look } from "../look/styles";
import type { Picture } from "../scene/renderer";
import { headingOf, speedOf, valueOf, type Frame } from "../wire/frame";
import { packed } from "./pixels";

let cached: { look: Look; by: string; cyclic: boolean; colours: Int32Array } | null = null;

/** The table that headings, speeds or numbers of neighbours are looked up in. */
export function paletteOf(look: Look, by: FlockDrawing["by"], cyclic: boolean): Int32Array {
  if (cached?.look !== look || cached.by !== by || cached.cyclic !== cyclic) {
    cached = { look, by, cyclic, colours: Int32Array.from(tableOf(look, by, cyclic).map((c) => packed(c) | 0)) };
  }
  return cached.colours;
}

/** Position of a number of a boid in the table of colours, 0 to 1. */
export function partOfRange(value: number, { lowest, highest, cyclic }: Picture): number {
  const part = (value - lowest) / Math.max(1e-30, highest - lowest);
  return cyclic ? part - Math.floor(part) : part;
}

/** The colour of one boid. */
export function colourOfBoid(flock: FlockDrawing, picture: Picture, frame: Frame, boid: number): number {
  const { look, slowest, fastest, crowd, cyclic } = picture;
  const value = flock.by === "value" ? valueOf(frame, boid) : null;
  if (flock.by === "flock" || (flock.by === "value" && value === null)) return packed(flock.colour);
  const [x, y] = headingOf(frame, boid);
  const at = value !== null ? partOfRange(value, picture) : flock.by === "heading" ? hueOf(x, y)
    : flock.by === "speed" ? (speedOf(frame, boid) - slowest) / Math.max(1e-12, fastest - slowest)
    : (frame.bytes[12 * boid + 11]! & 255) / crowd;
  return paletteOf(look, flock.by, cyclic)[Math.round(127 * Math.min(1, Math.max(0, at)))]!;
}
