/** Sprites: antialiased boids as lists of pixels, rasterised once for each size, direction and subpixel
 * offset, and blended into the image as often as there are boids. */

import type { Corner } from "../look/shapes";

const SUBROWS = 4;
const GROWTH = 1.06; // from one size to the next
const SMALLEST = 1;
export const LARGEST = 24; // pixels: larger ones are made for the moment and not kept
const FINE = 8;
/** Index of the sprite for a size in eighths of a pixel. */
const BUCKETS = Uint8Array.from({ length: LARGEST * FINE + 1 }, (_, k) =>
  Math.round(Math.log(Math.max(1, (k + 0.5) / FINE / SMALLEST)) / Math.log(GROWTH)),
);
const SIZES = BUCKETS[BUCKETS.length - 1]! + 1;
const KEPT = 1 << 21; // marks of all sprites, before they are forgotten

/** Direction without an arc tangent: 0 to 4 once around, not quite even. */
export function diamond(x: number, y: number): number {
  const side = y / (Math.abs(x) + Math.abs(y));
  return x < 0 ? 2 - side : side < 0 ? 4 + side : side;
}

/** The angle of a diamond direction. */
export function angleOf(turn: number): number {
  const quarter = Math.floor(turn);
  const rest = turn - quarter;
  return Math.atan2(rest, 1 - rest) + (quarter * Math.PI) / 2;
}

/** How much of each pixel around a point a shape covers. */
class Mask {
  left = 0;
  top = 0;
  width = 0;
  height = 0;
  cover = new Float32Array(1024);

  /** `corners`: triangles, with x and y alternating, in pixels. */
  fill(corners: Float32Array, count: number, clip: { left: number; top: number; right: number; bottom: number }): void {
    let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
    for (let k = 0; k < count; k++) {
      left = Math.min(left, corners[2 * k]!);
      right = Math.max(right, corners[2 * k]!);
      top = Math.min(top, corners[2 * k + 1]!);
      bottom = Math.max(bottom, corners[2 * k + 1]!);
    }
    this.left = Math.max(clip.left, Math.floor(left));
    this.top = Math.max(clip.top, Math.floor(top));
    this.width = Math.max(0, Math.min(clip.right, Math.ceil(right)) - this.left);
    this.height = Math.max(0, Math.min(clip.bottom, Math.ceil(bottom)) - this.top);
    const size = this.width * this.height;
    if (this.cover.length < size) this.cover = new Float32Array(2 * size);
    else this.cover.fill(0, 0, size);
    for (let k = 0; k < count; k += 3) this.add(corners, 2 * k);
  }

  /** Adds a triangle: on each of the rows in a pixel, from its longest side to the other two. */
  private add(p: Float32Array, at: number): void {
    const { left, top, width, height, cover } = this;
    // From the highest corner to the lowest.
    let [a, b, c] = [at, at + 2, at + 4];
    if (p[a + 1]! > p[b + 1]!) [a, b] = [b, a];
    if (p[b + 1]! > p[c + 1]!) [b, c] = [c, b];
    if (p[a + 1]! > p[b + 1]!) [a, b] = [b, a];
    const ax = p[a]! - left, ay = p[a + 1]! - top;
    const bx = p[b]! - left, by = p[b + 1]! - top;
    const cy = p[c + 1]! - top;
    const long = (p[c]! - left - ax) / (cy - ay);
    const upper = (bx - ax) / (by - ay), lower = (p[c]! - left - bx) / (cy - by);
    const first = Math.max(0, Math.ceil(ay * SUBROWS - 0.5));
    const end = Math.min(height * SUBROWS, Math.ceil(cy * SUBROWS - 0.5));
    for (let sub = first; sub < end; sub++) {
      const y = (sub + 0.5) / SUBROWS;
      const one = ax + (y - ay) * long;
      const other = y < by ? ax + (y - ay) * upper : bx + (y - by) * lower;
      const from = Math.max(0, one < other ? one : other);
      const to = Math.min(width, one < other ? other : one);
      const row = ((sub / SUBROWS) | 0) * width;
      for (let x = from | 0; x < to; x++) {
        cover[row + x]! += ((to < x + 1 ? to : x + 1) - (from > x ? from : x)) / SUBROWS;
      }
    }
  }
}

export class Sprites {
  /** Of each pixel: 512 times how far it is from the sprite's own; its strength, 0 to 255; and 256
   * added on the right half of the shape. */
  marks = new Int32Array(1 << 15);
  /** Where the marks of each sprite begin and end. */
  readonly begins: Int32Array;
  readonly ends: Int32Array;
  private readonly mask = new Mask();
  private readonly corners = new Float32Array(64);
  private used = 0;

  /** `phases`: places within a pixel along each axis; `turns`: directions. */
  constructor(
    private readonly shape: Corner[],
    private readonly stride: number,
    readonly phases: number,
    readonly angles: number,
  ) {
    this.begins = new Int32Array(SIZES * angles * phases * phases).fill(-1);
    this.ends = new Int32Array(this.begins.length);
  }

  /** The sprite of a shape at a place within a pixel. `turn`: its direction, as of `diamond`. */
  find(x: number, y: number, size: number, turn: number): number {
    const { phases, angles: turns } = this;
    const bucket = BUCKETS[(size * FINE) | 0]!;
    const direction = ((turn * turns) / 4 + 0.5 | 0) % turns;
    const px = (x * phases) | 0;
    const py = (y * phases) | 0;
    const key = ((bucket * turns + direction) * phases + py) * phases + px;
    if (this.begins[key]! < 0) {
      this.begins[key] = this.used;
      const half = 0.5 / phases;
      const angle = angleOf((direction * 4) / turns);
      const real = SMALLEST * GROWTH ** bucket;
      if (this.marks.length < this.used + 4 * LARGEST * LARGEST) this.grow();
      this.each(px / phases + half, py / phases + half, real, Math.cos(angle), Math.sin(angle), OPEN, (offset, ink) => {
        this.marks[this.used++] = (offset << 9) | ink;
      });
      this.ends[key] = this.used;
    }
    return key;
  }

  /** To be called between pictures: there may be too many by now. */
  tidy(): void {
    if (this.used < KEPT) return;
    this.begins.fill(-1);
    this.used = 0;
  }

  /** The pixels of a shape around a pixel. `room`: those that there are. */
  each(
    x: number, y: number, size: number, cos: number, sin: number, room: typeof OPEN,
    draw: (offset: number, ink: number) => void,
  ): void {
    const { mask, corners, shape, stride } = this;
    for (let k = 0; k < shape.length; k++) {
      const along = size * shape[k]![0], aside = size * shape[k]![1];
      corners[2 * k] = x + along * cos - aside * sin;
      corners[2 * k + 1] = y - along * sin - aside * cos;
    }
    mask.fill(corners, shape.length, room);
    const { left, top, width, height, cover } = mask;
    for (let row = 0, k = 0; row < height; row++) {
      const down = top + row + 0.5 - y;
      for (let column = 0; column < width; column++, k++) {
        if (cover[k]! < 1 / 32) continue;
        const right = left + column + 0.5 - x;
        // A tail fainter than the nose keeps a dense flock legible.
        const tone = 0.35 + 0.65 * Math.min(1, 0.88 + (0.3 * (right * cos - down * sin)) / size);
        const strength = (255 * Math.min(1, cover[k]!) * tone + 0.5) | 0;
        draw((top + row) * stride + left + column, strength + (right * sin + down * cos > 0 ? 256 : 0));
      }
    }
  }

  private grow(): void {
    const marks = new Int32Array(2 * this.marks.length);
    marks.set(this.marks);
    this.marks = marks;
  }
}

const OPEN = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };
