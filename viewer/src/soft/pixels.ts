/** An image in memory with a depth buffer, drawn on the CPU: for browsers without WebGL, or whose WebGL is
 * itself computed by the processor, which is several times slower at drawing many small shapes.
 *
 * There is a margin around it, so that small shapes at its edges need no clipping. Colours are
 * 0xaabbggrr as in an ImageData; strengths run from 0 to 256.
 */

import type { RGB } from "../look/colours";

export const MARGIN = 32;

export const packed = ([r, g, b]: RGB): number =>
  ((255 << 24) | (Math.round(b) << 16) | (Math.round(g) << 8) | Math.round(r)) >>> 0;

/** A point on the picture with its depth and strength. */
export interface Spot {
  x: number;
  y: number;
  z: number;
  s: number;
}

export class Pixels {
  readonly width: number;
  readonly height: number;
  readonly image: ImageData;
  readonly colours: Uint32Array;
  /** The same, as signed numbers: they are faster to reckon with. */
  readonly signed: Int32Array;
  /** How far away what is drawn at each pixel is. */
  readonly depths: Float32Array;

  /** How dark the shadows are that were drawn at each pixel; empty until there are any. */
  shades = new Uint8Array(0);

  /** Without its margin. */
  constructor(width: number, height: number) {
    this.width = width + 2 * MARGIN;
    this.height = height + 2 * MARGIN;
    this.image = new ImageData(this.width, this.height);
    this.colours = new Uint32Array(this.image.data.buffer);
    this.signed = new Int32Array(this.image.data.buffer);
    this.depths = new Float32Array(this.colours.length).fill(Infinity);
  }

  blend(at: number, colour: number, strength: number): void {
    const old = this.signed[at]!;
    const keep = 256 - strength;
    const rb = (Math.imul(colour & 0xff00ff, strength) + Math.imul(old & 0xff00ff, keep)) >>> 8;
    const g = Math.imul((colour >>> 8) & 255, strength) + Math.imul((old >>> 8) & 255, keep);
    this.signed[at] = 0xff000000 | (rb & 0xff00ff) | (g & 0xff00);
  }

  /** Forgets where shadows are. */
  clearShades(): void {
    if (this.shades.length === 0) this.shades = new Uint8Array(this.colours.length);
    else this.shades.fill(0);
  }

  /** Darkens a pixel. Where shadows meet, it is no darker. */
  shade(at: number, strength: number): void {
    const old = this.shades[at]!;
    if (strength <= old) return;
    this.shades[at] = strength;
    this.blend(at, 0, 256 - Math.round((256 * (256 - strength)) / (256 - old)));
  }

  /** A thin smooth line over what was drawn before. */
  line(a: Spot, b: Spot, colour: number): void {
    const steep = Math.abs(b.y - a.y) > Math.abs(b.x - a.x);
    const [from, to] = (steep ? a.y > b.y : a.x > b.x) ? [b, a] : [a, b];
    const [u0, v0, u1, v1] = steep ? [from.y, from.x, to.y, to.x] : [from.x, from.y, to.x, to.y];
    const [along, across] = steep ? [this.height, this.width] : [this.width, this.height];
    const [stepU, stepV] = steep ? [this.width, 1] : [1, this.width];
    const run = Math.max(1e-6, u1 - u0);
    const slope = (v1 - v0) / run;
    const first = Math.max(0, Math.round(u0 - 0.5));
    const last = Math.min(along - 1, Math.max(first, Math.round(u1 - 0.5) - 1));
    for (let u = first; u <= last; u++) {
      const part = Math.min(1, Math.max(0, (u + 0.5 - u0) / run));
      const v = v0 + slope * part * run - 0.5;
      const low = Math.floor(v);
      if (low < 0 || low >= across - 1) continue;
      const strength = 256 * (from.s + part * (to.s - from.s));
      const at = u * stepU + low * stepV;
      const share = v - low;
      this.blend(at, colour, (strength * (1 - share)) | 0);
      this.blend(at + stepV, colour, (strength * share) | 0);
    }
  }

  /** A triangle between two colours: 1 - s of `dark` and s of `light`. `hides`: what is drawn later
   * and lies behind it is not seen. */
  triangle(a: Spot, b: Spot, c: Spot, dark: RGB, light: RGB, opacity: number, hides: boolean): void {
    const area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    if (Math.abs(area) < 1e-9) return;
    const clamp = (v: number, most: number): number => Math.min(most, Math.max(0, v));
    const top = clamp(Math.ceil(Math.min(a.y, b.y, c.y) - 0.5), this.height);
    const end = clamp(Math.ceil(Math.max(a.y, b.y, c.y) - 0.5), this.height);
    const gradient = (p: number, q: number, r: number): [number, number] => [
      ((q - p) * (c.y - a.y) - (r - p) * (b.y - a.y)) / area,
      ((r - p) * (b.x - a.x) - (q - p) * (c.x - a.x)) / area,
    ];
    const [zx, zy] = gradient(a.z, b.z, c.z);
    const [sx, sy] = gradient(a.s, b.s, c.s);
    const strength = Math.round(256 * opacity);
    for (let y = top; y < end; y++) {
      let [low, high] = [Infinity, -Infinity];
      for (const [p, q] of [[a, b], [b, c], [c, a]] as const) {
        if (p.y <= y + 0.5 === q.y <= y + 0.5) continue;
        const x = p.x + ((y + 0.5 - p.y) * (q.x - p.x)) / (q.y - p.y);
        low = Math.min(low, x);
        high = Math.max(high, x);
      }
      if (!(low < high)) continue;
      const stop = clamp(Math.ceil(high - 0.5), this.width);
      for (let x = clamp(Math.ceil(low - 0.5), this.width); x < stop; x++) {
        const at = y * this.width + x;
        const [dx, dy] = [x + 0.5 - a.x, y + 0.5 - a.y];
        const z = a.z + dx * zx + dy * zy;
        if (z > this.depths[at]!) continue;
        const s = a.s + dx * sx + dy * sy;
        const mixed = (k: number): number => dark[k]! + s * (light[k]! - dark[k]!);
        this.blend(at, (mixed(2) << 16) | (mixed(1) << 8) | mixed(0), strength);
        if (hides) this.depths[at] = z;
      }
    }
  }
}
