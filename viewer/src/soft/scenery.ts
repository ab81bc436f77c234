/** Draws the scenery into the image in memory: sky, lines and solid obstacles. */

import { dot, minus, nearness, project, type Shot } from "../camera/projection";
import { css } from "../look/colours";
import type { Look } from "../look/styles";
import type { Backdrop } from "../scene/backdrop";
import { WIRE, type SceneryLines } from "../scene/scenery";
import { opacityOf, paintsOf, type Solid } from "../scene/solids";
import type { Drawing } from "../scene/renderer";
import type { Vec3 } from "../wire/frame";
import { MARGIN, packed, type Pixels, type Spot } from "./pixels";

/** The sky, once for each look and size. */
export function skyFor(look: Look, pixels: Pixels): Uint32Array {
  const { width, height } = pixels;
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const pen = canvas.getContext("2d", { alpha: false })!;
  const [w, h] = [width - 2 * MARGIN, height - 2 * MARGIN];
  const sky = pen.createLinearGradient(0, MARGIN, 0, MARGIN + h);
  look.sky.forEach((colour, k) => sky.addColorStop(look.skyAt[k]!, css(colour)));
  pen.fillStyle = sky;
  pen.fillRect(0, 0, width, height);
  if (look.glowStrength > 0) {
    // The same glow as skyOf's: an ellipse low in the picture.
    pen.setTransform(0.84 * w, 0, 0, 0.68 * h, MARGIN + 0.68 * w, MARGIN + 0.98 * h);
    const glow = pen.createRadialGradient(0, 0, 0, 0, 0, 1);
    for (let at = 0; at <= 1; at += 0.125) {
      const strength = at === 1 ? 0 : look.glowStrength * Math.exp(-1.4 * (2 * at) ** 2);
      glow.addColorStop(at, css(look.glow, Math.max(0.001, strength)));
    }
    pen.fillStyle = glow;
    pen.fillRect(-3, -3, 6, 6);
  }
  return new Uint32Array(pen.getImageData(0, 0, width, height).data.buffer);
}

/** The scenery, spread over the pixels. */
export function spread(pixels: Pixels, { colours, width, height }: Backdrop): void {
  const [w, h] = [pixels.width - 2 * MARGIN, pixels.height - 2 * MARGIN];
  const [out, own] = [pixels.signed, new Int32Array(colours.buffer)];
  // Between the middles of two pixels of a row, in 256 parts; and the first column after each of its pixels.
  const spots = Int32Array.from({ length: w }, (_, x) => Math.max(0, Math.min(256 * (width - 1), ((x + 0.5) * 256 * width) / w - 128)));
  const ends = Int32Array.from({ length: width }, (_, k) => Math.min(w, Math.ceil(((k + 1.5) * w) / width - 0.5)));
  ends[width - 1] = w;
  let last = -1;
  for (let y = 0; y < h; y++) {
    const row = Math.floor(((y + 0.5) * height) / h) * width;
    const at = (y + MARGIN) * pixels.width + MARGIN;
    if (row === last) {
      out.copyWithin(at, at - pixels.width, at - pixels.width + w);
      continue;
    }
    last = row;
    let right = own[row]!;
    for (let column = 0, x = 0; column < width; column++) {
      const left = right;
      right = own[row + Math.min(width - 1, column + 1)]!;
      // Two of the bytes at once.
      const oddLeft = (left >>> 8) & 0xff00ff, oddRight = (right >>> 8) & 0xff00ff;
      const evenLeft = left & 0xff00ff, evenRight = right & 0xff00ff;
      for (const end = ends[column]!; x < end; x++) {
        const part = spots[x]! & 255;
        const odd = Math.imul(oddLeft, 256 - part) + Math.imul(oddRight, part);
        const even = Math.imul(evenLeft, 256 - part) + Math.imul(evenRight, part);
        out[at + x] = (odd & 0xff00ff00) | ((even >>> 8) & 0xff00ff);
      }
    }
  }
}

/** Points of the model as spots on the pixels. */
export class PixelProjection {
  constructor(
    readonly shot: Shot,
    private readonly density: number,
  ) {}

  point(point: Vec3, strength: number): Spot {
    const { x, y, depth } = project(this.shot, point);
    return { x: x * this.density + MARGIN, y: y * this.density + MARGIN, z: depth, s: strength };
  }

  /** Where the way from one to the other point meets the nearest plane that is seen. */
  clip(inside: Vec3, outside: Vec3): { at: Vec3; part: number } {
    const { target, axes, distance, near } = this.shot;
    const depth = (p: Vec3): number => dot(axes.forward, minus(p, target)) + distance;
    const [from, to] = [depth(inside), depth(outside)];
    const part = (from - 1.0001 * near) / (from - to);
    return { at: inside.map((c, k) => c + part * (outside[k]! - c)) as Vec3, part };
  }
}

export function drawLines(pixels: Pixels, lines: SceneryLines, { shot, picture }: Drawing, flat: boolean, projection: PixelProjection): void {
  const [colour, wire] = [packed(picture.look.line), packed(picture.look.flocks[0]!)];
  const { data, origin, reach } = lines;
  const end = (k: number): { at: Vec3; given: number } => ({
    at: [data[k]! + origin[0], data[k + 1]! + origin[1], data[k + 2]! + origin[2]],
    given: data[k + 3]!,
  });
  const strength = (at: Vec3, given: number, depth: number): number => {
    if (given === WIRE) return 1;
    const s = Math.abs(given);
    // Negative strengths are the ground's, which fades out around a followed flock.
    if (given < 0 && reach > 0) {
      return s * Math.max(0, 1 - Math.hypot(at[0] - shot.target[0], at[1] - shot.target[1]) / reach);
    }
    return given > 0 && !flat ? s * (0.28 + 0.72 * nearness(shot, depth)) : s;
  };
  for (let k = 0; k < data.length; k += 8) {
    let [a, b] = [end(k), end(k + 4)];
    let [p, q] = [projection.point(a.at, 0), projection.point(b.at, 0)];
    if (p.z < shot.near && q.z < shot.near) continue;
    if (q.z < shot.near) [a, b, p, q] = [b, a, q, p];
    if (p.z < shot.near) {
      a = { at: projection.clip(b.at, a.at).at, given: a.given };
      p = projection.point(a.at, 0);
    }
    p.s = strength(a.at, a.given, p.z);
    q.s = strength(b.at, b.given, q.z);
    if (p.s > 0.004 || q.s > 0.004) pixels.line(p, q, a.given === WIRE ? wire : colour);
  }
}

const LIGHT: Vec3 = [-0.4492, 0.7187, -0.529]; // of the length 1, along the camera's axes

export function drawSolid(pixels: Pixels, solid: Solid, drawing: Drawing, projection: PixelProjection): void {
  const { shot, picture } = drawing;
  const { corners, centre, sheet } = solid;
  const { opacity, hides } = opacityOf(solid, drawing);
  const { axes } = shot;
  const [body, shade] = paintsOf(solid, picture.look);
  for (let k = 0; k < corners.length; k += 18) {
    let around: { at: Vec3; shine: number }[] = [0, 6, 12].map((n) => {
      const at = k + n;
      const normal: Vec3 = [corners[at + 3]!, corners[at + 4]!, corners[at + 5]!];
      const light = dot([dot(axes.right, normal), dot(axes.up, normal), dot(axes.forward, normal)], LIGHT);
      return {
        at: [corners[at]! + centre[0], corners[at + 1]! + centre[1], corners[at + 2]! + centre[2]],
        shine: sheet ? 1 : Math.min(1, Math.max(0, 0.22 + 0.78 * light)),
      };
    });
    const seen = around.map((corner) => projection.point(corner.at, corner.shine));
    if (seen.every((spot) => spot.z < shot.near)) continue;
    if (seen.some((spot) => spot.z < shot.near)) {
      around = around.flatMap((corner, n) => {
        const next = around[(n + 1) % 3]!;
        const [here, there] = [seen[n]!.z >= shot.near, seen[(n + 1) % 3]!.z >= shot.near];
        const own = here ? [corner] : [];
        if (here === there) return own;
        const [inside, outside] = here ? [corner, next] : [next, corner];
        const { at, part } = projection.clip(inside.at, outside.at);
        return [...own, { at, shine: inside.shine + part * (outside.shine - inside.shine) }];
      });
    }
    const spots = around.map((corner) => projection.point(corner.at, corner.shine));
    for (let n = 1; n < spots.length - 1; n++) {
      const [a, b, c] = [spots[0]!, spots[n]!, spots[n + 1]!];
      // Of a body only what faces the camera; y runs down here.
      if (!sheet && (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) >= 0) continue;
      pixels.triangle(a, b, c, shade, body, opacity, hides);
    }
  }
}
