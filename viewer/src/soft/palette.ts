/** Palettes: colours of boids, packed as the 32-bit pixels of an image. */

import type { FlockDrawing } from "../flocks";
import { hueOf, tableOf, type Look } from "../look/styles";
import type { Picture } from "../renderer";
import { headingOf, speedOf, type Frame } from "../wire/frame";
import { packed } from "./pixels";

let cached: { look: Look; by: string; colours: Int32Array } | null = null;

/** The table that headings, speeds or numbers of neighbours are looked up in. */
export function paletteOf(look: Look, by: FlockDrawing["by"]): Int32Array {
  if (cached?.look !== look || cached.by !== by) {
    cached = { look, by, colours: Int32Array.from(tableOf(look, by).map((c) => packed(c) | 0)) };
  }
  return cached.colours;
}

/** The colour of one boid. */
export function colourOfBoid(flock: FlockDrawing, { look, slowest, fastest, crowd }: Picture, frame: Frame, boid: number): number {
  if (flock.by === "flock") return packed(flock.colour);
  const [x, y] = headingOf(frame, boid);
  const at = flock.by === "heading" ? hueOf(x, y)
    : flock.by === "speed" ? (speedOf(frame, boid) - slowest) / Math.max(1e-12, fastest - slowest)
    : (frame.bytes[12 * boid + 11]! & 255) / crowd;
  return paletteOf(look, flock.by)[Math.round(127 * Math.min(1, Math.max(0, at)))]!;
}
