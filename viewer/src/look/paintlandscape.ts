/** The scenery of a picture as colours of pixels: hills on the horizon and the ground, the sea, or a ground seen from
 * above. The same as in the films: see show/landscape.py, which reads the same scenery.json. */

import { dot, type Shot } from "../camera/projection";
import type { SceneCore } from "../wire/contracts";
import { ramp, type RGB } from "./colours";
import numbers from "../../../src/murmurate/show/scenery.json";
import { patternAt, tileOf, type GroundKind } from "./ground";
import type { Look } from "./styles";

type Waves = number[][]; // waves per turn, phase, height in radians

// What they mean is written in show/landscape.py.
const { height: SKY, sun: SUN, glow: GLOW } = numbers.sky;
const [GLOW_WIDE, GLOW_HIGH] = GLOW as [number, number];
const { relief: RELIEF, shade: SHADE, span: SPAN } = numbers.ground;
const HILLS = numbers.hills as [number, Waves][];
const HILLS_HIGH = Math.max(...HILLS.map(([mean, waves]) => waves.reduce((s, [, , high]) => s + high!, mean))); // slope of the tops, at most
const SHAFTS: Waves = numbers.shafts;

const clamp = (x: number): number => Math.min(1, Math.max(0, x));
const bell = (x: number): number => Math.exp(-1.4 * x * x);
const sum = (waves: Waves, azimuth: number): number => waves.reduce((s, [n, phase, high]) => s + high! * Math.sin(n! * azimuth + phase!), 0);

export type SceneryKind = "none" | GroundKind;

export const sceneryOf = (scene: SceneCore): SceneryKind => scene.view.scenery ?? "none";

/** Paints the scenery of a shot into the pixels of an image (0xaabbggrr), stretched over the picture. */
export function paintLandscape(out: Uint32Array, width: number, height: number, scene: SceneCore, look: Look, shot: Shot): void {
  const kind = sceneryOf(scene) as GroundKind;
  const [wide, high] = [shot.width / width, shot.height / height]; // of a pixel of the image
  const slopesX = Float64Array.from({ length: width }, (_, u) => ((u + 0.5) * wide - shot.middleX) / shot.focal);
  const slopesY = Float64Array.from({ length: height }, (_, v) => (shot.middleY - (v + 0.5) * high) / shot.focal);
  const fillGround = groundOf(scene, shot, kind, slopesX);
  const lights = new Float64Array(width).fill(1); // of a row
  if (scene.dims === 2) {
    const [low, bright] = look[kind].above;
    for (let v = 0; v < height; v++) {
      const y = (2 * (v + 0.5)) / height - 1;
      const pattern = fillGround(-1, slopesY[v]!);
      for (let u = 0; u < width; u++) {
        const x = (2 * (u + 0.5)) / width - 1;
        lights[u] = 1 - 0.5 * SHADE * Math.min(2, x * x + y * y);
      }
      putRow(out, v * width, low, bright, pattern, 1, lights);
    }
    return;
  }
  const { up, forward } = shot.axes;
  const cosine = Math.max(0.02, up[2]); // of the camera's elevation
  const horizon = -forward[2] / cosine; // slope
  const toward = Math.atan2(forward[1], forward[0]);
  const sun = (((scene.view.camera?.azimuth ?? 35) + 180 + SUN) * Math.PI) / 180;
  const azimuths = Array.from(slopesX, (slope) => toward - Math.atan(slope * cosine));
  const away = (azimuth: number): number => ((azimuth - sun + 21 * Math.PI) % (2 * Math.PI)) - Math.PI;
  if (kind === "water") {
    const table = ramp(look.water.depths, 256);
    const shafts = Float64Array.from(azimuths, (a) => 0.5 * Math.max(0, 0.35 + sum(SHAFTS, a)) * Math.exp(-0.8 * away(a) ** 2));
    for (let v = 0; v < height; v++) {
      const rise = ((slopesY[v]! - horizon) * shot.focal) / shot.height;
      const row = table[Math.floor(255 * clamp(0.45 - 0.6 * rise))]!;
      const strength = clamp(0.5 + 1.1 * rise) ** 2;
      putRow(out, v * width, row, look.water.depths[0]!, shafts, strength, lights);
    }
    return;
  }
  const table = ramp(look.sky, 256, look.skyAt);
  const pixels = shot.focal / cosine;
  const across = Float64Array.from(slopesX, (slope) => look.glowStrength * bell((away(toward) * pixels - slope * shot.focal) / (GLOW_WIDE * shot.width)));
  const tops = HILLS.map(([mean, waves]) => Float64Array.from(azimuths, (a) => horizon + mean + sum(waves, a)));
  const [far, near] = look.land.ground;
  for (let v = 0; v < height; v++) {
    const slope = slopesY[v]!;
    const above = ((slope - horizon) * shot.focal) / shot.height; // of the horizon, in heights of the picture
    const bright = bell(above / GLOW_HIGH);
    if (above >= 0) {
      const sky = table[Math.floor(255 * clamp(1 - above / SKY))]!;
      putRow(out, v * width, sky, look.glow, across, bright, lights.fill(1));
      if (slope < horizon + HILLS_HIGH) tops.forEach((top, n) => drawHills(v, top, n, slope, bright));
      continue;
    }
    const down = Math.max(1e-3, -(slope * up[2] + forward[2]));
    const nearness = 1 - Math.exp(-5 * down);
    const floor = far.map((c, k) => c + (near[k]! - c) * nearness) as RGB;
    const relief = RELIEF * clamp(6 * down);
    const pattern = fillGround(down, slope);
    for (let u = 0; u < width; u++) lights[u] = 1 + relief * (pattern[u]! - 0.5);
    putRow(out, v * width, floor, look.glow, across, 0.5 * bright, lights);
  }

  /** Draws a row of hills over the sky, with smooth edges. */
  function drawHills(v: number, top: Float64Array, n: number, slope: number, bright: number): void {
    const [own, below]: RGB[] = [[0, 0, 0], [0, 0, 0]];
    const one = new Float64Array(1);
    for (let u = 0; u < width; u++) {
      const cover = clamp(((top[u]! - slope) * shot.focal) / high + 0.5);
      if (cover === 0) continue;
      const at = v * width + u;
      const lit = across[u]! * bright * (0.5 - 0.15 * n);
      for (let k = 0; k < 3; k++) {
        const colour = look.land.hills[n]![k]!;
        own![k] = colour + (look.glow[k]! - colour) * lit;
        below![k] = (out[at]! >> (8 * k)) & 255;
      }
      one[0] = cover;
      putRow(out, at, below!, own!, one, 1, FULL);
    }
  }
}

const FULL = Float64Array.of(1);

/** Writes a row of colours between two, `strength` times `parts` of the second and times `lights`, with grain against
 * bands. */
function putRow(out: Uint32Array, begin: number, from: RGB, to: RGB, parts: Float64Array, strength: number, lights: Float64Array): void {
  const [r, g, b] = from;
  const [dr, dg, db] = [to[0] - r, to[1] - g, to[2] - b];
  for (let u = 0; u < parts.length; u++) {
    const part = strength * parts[u]!;
    const light = lights[u]!;
    const grain = ((Math.imul(begin + u, 0x9e3779b1) >>> 8) & 255) / 255;
    const red = Math.min(255, (r + dr * part) * light + grain);
    const green = Math.min(255, (g + dg * part) * light + grain);
    const blue = Math.min(255, (b + db * part) * light + grain);
    out[begin + u] = (255 << 24) | (blue << 16) | (green << 8) | red;
  }
}

/** Returns a function that fills a row of pixels with the pattern of the ground, always in the same array. `down`: by how
 * much a ray goes down on its way forward; -1 in 2-D. */
function groundOf({ space, dims }: SceneCore, { axes, target, distance, focal }: Shot, kind: GroundKind, slopesX: Float64Array) {
  const { right, up, forward } = axes;
  const tile = tileOf(kind);
  const sides = [0, 1].map((k) => space.upper[k]! - space.lower[k]!);
  const longest = Math.max(...sides);
  const own = sides.map((side, k) => (space.periodic[k] ? side : longest));
  const largest = Math.max(...own);
  const eye = target.map((c, k) => c - distance * forward[k]!);
  const high = dims === 2 ? distance : Math.max(eye[2]! - space.lower[2]!, 0.05 * distance);
  const row = new Float64Array(slopesX.length);
  return (down: number, slope: number): Float64Array => {
    const depth = down < 0 ? high : high / down;
    const octave = Math.log2((SPAN * depth) / focal / largest);
    const part = octave - Math.floor(octave);
    const scale = own.map((side) => side * 2 ** Math.floor(octave));
    const [x, y] = [0, 1].map((k) => (eye[k]! + depth * (slope * up[k]! + forward[k]!) - space.lower[k]!) / scale[k]!) as [number, number];
    const [dx, dy] = [0, 1].map((k) => (depth * right[k]!) / scale[k]!) as [number, number];
    for (let u = 0; u < row.length; u++) {
      const p = x + slopesX[u]! * dx;
      const q = y + slopesX[u]! * dy;
      row[u] = (1 - part) * patternAt(tile, p, q) + part * patternAt(tile, 0.5 * p, 0.5 * q);
    }
    return row;
  };
}

/** What a shot of scenery depends on; two equal keys have the same picture. */
export function keyOf(scene: SceneCore, shot: Shot): string {
  const { axes, target, distance, focal, width, height, middleX, middleY } = shot;
  return [sceneryOf(scene), scene.view.camera?.azimuth, ...axes.forward, ...target.map((c) => c + 0), distance, focal, width, height, middleX, middleY, dot(axes.right, axes.right)].join();
}
