/** The scenery of a picture as colours of pixels: hills on the horizon and the ground, the sea, or a ground seen from
 * above. The same as in the films: see show/landscape.py. */

import { dot, type Shot } from "../camera/projection";
import type { SceneCore } from "../wire/messages";
import { ramp, type RGB } from "./colours";
import { patternAt, SPAN, tileOf, type GroundKind } from "./ground";
import type { Look } from "./styles";

const SKY = 0.8; // height of the sky's colours above the horizon, in heights of the picture
const SUN = -14; // degrees from the middle of the first picture
const [GLOW_WIDE, GLOW_HIGH] = [0.42, 0.34];
const RELIEF = 0.5; // of the pattern of the ground in 3-D
const SHADE = 0.34; // by which the corners of a 2-D picture are darker
type Waves = [number, number, number][]; // waves per turn, phase, height in radians

/** Ranges of hills, from the farthest: mean height and waves. */
const HILLS: [number, Waves][] = [
  [0.034, [[5, 0.3, 0.012], [11, 2.1, 0.007], [23, 4, 0.003], [51, 1.1, 0.0012]]],
  [0.017, [[7, 1.9, 0.008], [17, 0.4, 0.004], [41, 3.3, 0.002], [97, 5.2, 0.0008]]],
  [0.006, [[9, 4.4, 0.002], [61, 0.9, 0.0012], [163, 2.2, 0.0012], [389, 1.3, 0.001]]],
];
const SHAFTS: Waves = [[9, 0.6, 0.4], [21, 2.9, 0.35], [47, 1.7, 0.25]];

const clamp = (x: number): number => Math.min(1, Math.max(0, x));
const bell = (x: number): number => Math.exp(-1.4 * x * x);
const sum = (waves: Waves, azimuth: number): number => waves.reduce((s, [n, phase, high]) => s + high * Math.sin(n * azimuth + phase), 0);

export type SceneryKind = "none" | GroundKind;

export const sceneryOf = (scene: SceneCore): SceneryKind => scene.view.scenery ?? "none";

/** Paints the scenery of a shot into the pixels of an image (0xaabbggrr) of width x height, in strides of `step` pixels of
 * the page. */
export function paintLandscape(out: Uint32Array, width: number, height: number, step: number, scene: SceneCore, look: Look, shot: Shot): void {
  const kind = sceneryOf(scene) as GroundKind;
  const put = (at: number, [r, g, b]: RGB, part: number, [x, y, z]: RGB, light = 1): void => {
    const grain = (((at * 2654435761) >>> 8) & 255) / 255; // against bands
    const mix = (from: number, to: number): number => Math.min(255, (from + (to - from) * part) * light + grain);
    out[at] = (255 << 24) | (mix(b, z) << 16) | (mix(g, y) << 8) | mix(r, x);
  };
  const { right, up, forward } = shot.axes;
  const slopeX = (u: number): number => ((u + 0.5) * step - shot.middleX) / shot.focal;
  const slopeY = (v: number): number => (shot.middleY - (v + 0.5) * step) / shot.focal;
  const ground = groundOf(scene, shot, kind);
  if (scene.dims === 2) {
    const [low, high] = look[kind].above;
    for (let v = 0; v < height; v++) {
      const y = (2 * (v + 0.5)) / height - 1;
      const at = ground(-1, slopeY(v));
      for (let u = 0; u < width; u++) {
        const x = (2 * (u + 0.5)) / width - 1;
        put(v * width + u, low, at(slopeX(u)), high, 1 - 0.5 * SHADE * Math.min(2, x * x + y * y));
      }
    }
    return;
  }
  const sine = -forward[2]; // of the camera's elevation
  const cosine = Math.max(0.02, up[2]);
  const horizon = sine / cosine; // slope
  const toward = Math.atan2(forward[1], forward[0]);
  const sun = (((scene.view.camera?.azimuth ?? 35) + 180 + SUN) * Math.PI) / 180;
  const columns = Array.from({ length: width }, (_, u) => toward - Math.atan(slopeX(u) * cosine));
  const away = (azimuth: number): number => ((azimuth - sun + 21 * Math.PI) % (2 * Math.PI)) - Math.PI;
  if (kind === "water") {
    const table = ramp(look.water.depths, 256);
    const shafts = columns.map((a) => 0.5 * Math.max(0, 0.35 + sum(SHAFTS, a)) * Math.exp(-0.8 * away(a) ** 2));
    for (let v = 0; v < height; v++) {
      const rise = ((slopeY(v) - horizon) * shot.focal) / shot.height;
      const row = table[Math.floor(255 * clamp(0.45 - 0.6 * rise))]!;
      const strength = clamp(0.5 + 1.1 * rise) ** 2;
      for (let u = 0; u < width; u++) put(v * width + u, row, shafts[u]! * strength, look.water.depths[0]!);
    }
    return;
  }
  const table = ramp(look.sky, 256, look.skyAt);
  const pixels = shot.focal / cosine;
  const across = columns.map((_, u) => {
    const x = away(toward) * pixels - slopeX(u) * shot.focal;
    return look.glowStrength * bell(x / (GLOW_WIDE * shot.width));
  });
  const tops = HILLS.map(([mean, waves]) => columns.map((a) => horizon + mean + sum(waves, a)));
  const [far, near] = look.land.ground;
  for (let v = 0; v < height; v++) {
    const slope = slopeY(v);
    const above = ((slope - horizon) * shot.focal) / shot.height; // of the horizon, in heights of the picture
    const sky = table[Math.floor(255 * clamp(1 - above / SKY))]!;
    const bright = bell(above / GLOW_HIGH);
    const down = Math.max(1e-3, -(slope * up[2] + forward[2]));
    const nearness = 1 - Math.exp(-5 * down);
    const floor = far.map((c, k) => c + (near[k]! - c) * nearness) as RGB;
    const relief = RELIEF * clamp(6 * down);
    const at = above < 0 ? ground(down, slope) : null;
    for (let u = 0; u < width; u++) {
      const light = across[u]! * bright;
      if (at) {
        put(v * width + u, floor, 0.5 * light, look.glow, 1 + relief * (at(slopeX(u)) - 0.5));
        continue;
      }
      put(v * width + u, sky, light, look.glow);
      if (above < 0.1) hillsOver(v * width + u, slope, u, light);
    }
  }

  /** Draws the hills over the sky, with smooth edges. */
  function hillsOver(at: number, slope: number, u: number, light: number): void {
    tops.forEach((top, n) => {
      const cover = clamp(((top[u]! - slope) * shot.focal) / step + 0.5);
      if (cover === 0) return;
      const below = [out[at]! & 255, (out[at]! >> 8) & 255, (out[at]! >> 16) & 255];
      const lit = light * (0.5 - 0.15 * n);
      const own = look.land.hills[n]!.map((c, k) => c + (look.glow[k]! - c) * lit);
      put(at, below as RGB, cover, own as RGB);
    });
  }

  /** Returns, for a row of pixels, the pattern of the ground by the slope of a column. `down`: -1 in 2-D. */
  function groundOf({ space, dims }: SceneCore, { target, distance }: Shot, kind: GroundKind) {
    const tile = tileOf(kind);
    const sides = [0, 1].map((k) => space.upper[k]! - space.lower[k]!);
    const longest = Math.max(...sides);
    const own = sides.map((side, k) => (space.periodic[k] ? side : longest));
    const largest = Math.max(...own);
    const eye = target.map((c, k) => c - distance * forward[k]!);
    const high = dims === 2 ? distance : Math.max(eye[2]! - space.lower[2]!, 0.05 * distance);
    return (down: number, slope: number): ((slopeX: number) => number) => {
      const depth = down < 0 ? high : high / down;
      const octave = Math.log2((SPAN * depth) / shot.focal / largest);
      const part = octave - Math.floor(octave);
      const scale = own.map((side) => side * 2 ** Math.floor(octave));
      const [x, y] = [0, 1].map((k) => (eye[k]! + depth * (slope * up[k]! + forward[k]!) - space.lower[k]!) / scale[k]!);
      const [dx, dy] = [0, 1].map((k) => (depth * right[k]!) / scale[k]!);
      return (sx) => {
        const [p, q] = [x! + sx * dx!, y! + sx * dy!];
        return (1 - part) * patternAt(tile, p, q) + part * patternAt(tile, 0.5 * p, 0.5 * q);
      };
    };
  }
}

/** What a shot of scenery depends on; two equal keys have the same picture. */
export function keyOf(scene: SceneCore, shot: Shot): string {
  const { axes, target, distance, focal, width, height, middleX, middleY } = shot;
  return [sceneryOf(scene), scene.view.camera?.azimuth, ...axes.forward, ...target.map((c) => c + 0), distance, focal, width, height, middleX, middleY, dot(axes.right, axes.right)].join();
}
