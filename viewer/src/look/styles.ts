/** The styles dark, light and dusk: the same colours as in the films. */

import type { FlockInfo, ViewInfo } from "../wire/contracts";
import { circle, css, evenPositions, parseColour, ramp, wheel, type RGB } from "./colours";

export type Style = NonNullable<ViewInfo["style"]>;
export type BoidShape = Exclude<FlockInfo["shape"], "auto" | undefined>;
/** What colours show; `value`: a number of each boid, of those in the scene's `per_boid`. */
export type ColourBy = "flock" | "heading" | "speed" | "neighbours" | "value";

export interface Look {
  /** Colours of the background from top to bottom, and their positions. */
  sky: RGB[];
  skyAt: number[];
  /** A soft light low in the picture. */
  glow: RGB;
  glowStrength: number;
  flocks: RGB[];
  /** Of flocks drawn larger than the others. */
  hunter: RGB;
  /** From the smallest to the largest number. */
  sequential: RGB[];
  /** Of phases: centre, normal and radius of a circle in OKLab. */
  cyclic: [RGB, RGB, number];
  /** Lightness and chroma of the colours of headings. */
  wheel: [number, number];
  /** Of scenery: hills from the farthest, the ground far and near, a meadow from above; the sea from above to below, and
   * water from above. */
  land: { hills: [RGB, RGB, RGB]; ground: [RGB, RGB]; above: [RGB, RGB] };
  water: { depths: RGB[]; above: [RGB, RGB] };
  line: RGB;
  body: RGB;
  shade: RGB;
  text: RGB;
  quiet: RGB;
  /** Strength of the farthest boids in 3-D, where the nearest have 1. */
  far: number;
  /** Of flocks whose look has none. */
  shape: BoidShape;
  /** Colours of the rules' arrows on a chosen boid. */
  arrows: RGB[];
}

const DARK_ARROWS: RGB[] = [
  [255, 196, 107], [126, 222, 232], [255, 128, 128], [134, 226, 178],
  [222, 164, 255], [250, 240, 150], [255, 158, 210], [150, 180, 255],
];
const DUSK_ARROWS: RGB[] = [
  [255, 176, 72], [84, 214, 232], [255, 92, 88], [112, 230, 150],
  [226, 140, 255], [246, 228, 84], [255, 128, 200], [132, 176, 255],
];
const LIGHT_ARROWS: RGB[] = [
  [206, 112, 12], [8, 126, 150], [206, 44, 52], [18, 132, 84],
  [132, 60, 168], [140, 120, 0], [190, 48, 128], [48, 84, 190],
];

export const LOOKS: Record<Style, Look> = {
  dark: {
    sky: [[13, 17, 26]],
    skyAt: [0],
    glow: [0, 0, 0],
    glowStrength: 0,
    flocks: [
      [168, 208, 255], [255, 196, 107], [134, 226, 178],
      [222, 164, 255], [255, 158, 158], [126, 222, 232],
    ],
    hunter: [255, 82, 70],
    sequential: [[70, 74, 168], [54, 140, 190], [92, 208, 160], [248, 240, 150]],
    cyclic: [[0.7, 0.023, 0.001], [0.304, 0.856, -0.418], 0.154],
    wheel: [0.79, 0.125],
    land: { hills: [[32, 42, 60], [22, 31, 46], [14, 21, 32]], ground: [[22, 31, 42], [38, 50, 54]], above: [[48, 70, 42], [70, 92, 52]] },
    water: { depths: [[120, 204, 214], [36, 116, 152], [14, 66, 106], [6, 30, 58]], above: [[11, 60, 84], [33, 101, 120]] },
    line: [98, 116, 150],
    body: [104, 118, 146],
    shade: [34, 41, 58],
    text: [226, 233, 244],
    quiet: [136, 150, 176],
    far: 0.3,
    shape: "dart",
    arrows: DARK_ARROWS,
  },
  light: {
    sky: [[250, 250, 248]],
    skyAt: [0],
    glow: [0, 0, 0],
    glowStrength: 0,
    flocks: [
      [38, 70, 118], [196, 106, 20], [20, 122, 92],
      [124, 62, 152], [150, 82, 62], [14, 118, 138],
    ],
    hunter: [214, 40, 40],
    sequential: [[146, 186, 214], [56, 142, 176], [48, 84, 150], [62, 22, 86]],
    cyclic: [[0.56, 0.09, -0.054], [0.277, 0.896, -0.347], 0.175],
    wheel: [0.6, 0.135],
    land: { hills: [[206, 216, 226], [182, 198, 206], [150, 174, 170]], ground: [[200, 214, 196], [168, 192, 150]], above: [[186, 206, 160], [206, 220, 180]] },
    water: { depths: [[236, 250, 250], [186, 226, 234], [136, 192, 212], [90, 150, 180]], above: [[178, 220, 228], [224, 244, 244]] },
    line: [150, 158, 170],
    body: [214, 218, 225],
    shade: [150, 158, 171],
    text: [34, 40, 50],
    quiet: [112, 120, 132],
    far: 0.28,
    shape: "dart",
    arrows: LIGHT_ARROWS,
  },
  dusk: {
    sky: [[46, 58, 98], [92, 96, 142], [176, 136, 156], [238, 170, 130], [252, 206, 140]],
    skyAt: [0, 0.34, 0.64, 0.86, 1],
    glow: [255, 234, 180],
    glowStrength: 0.85,
    flocks: [
      [16, 16, 26], [74, 28, 44], [18, 52, 66], [62, 32, 84], [72, 50, 22], [20, 60, 44],
    ],
    hunter: [190, 22, 26],
    sequential: [[196, 76, 44], [150, 34, 72], [84, 20, 84], [12, 8, 22]],
    cyclic: [[0.372, 0.058, -0.049], [0.203, 0.913, -0.354], 0.129],
    wheel: [0.44, 0.14],
    land: { hills: [[166, 118, 134], [122, 88, 116], [76, 60, 88]], ground: [[128, 100, 118], [122, 102, 118]], above: [[126, 112, 88], [150, 132, 98]] },
    water: { depths: [[250, 214, 160], [196, 150, 158], [104, 100, 140], [46, 52, 88]], above: [[96, 100, 138], [196, 162, 160]] },
    line: [255, 238, 226],
    body: [84, 74, 98],
    shade: [34, 31, 50],
    text: [255, 250, 244],
    quiet: [214, 208, 222],
    far: 0.34,
    shape: "bird",
    arrows: DUSK_ARROWS,
  },
};

export function flockColour(look: Look, flock: FlockInfo, place: number): RGB {
  const own = flock.colour ? parseColour(flock.colour) : null;
  if (own) return own;
  return flock.scale > 1 ? look.hunter : look.flocks[place % look.flocks.length]!;
}

export function shapeOf(look: Look, flock: FlockInfo): BoidShape {
  return !flock.shape || flock.shape === "auto" ? look.shape : flock.shape;
}

export const TABLE = 128; // colours of a table

/** The table that headings, speeds or numbers are looked up in. */
export function tableOf(look: Look, by: ColourBy, cyclic = false): RGB[] {
  if (by === "heading") return wheel(...look.wheel, TABLE);
  return cyclic ? circle(...look.cyclic, TABLE) : ramp(look.sequential, TABLE, evenPositions(look.sequential));
}

/** Position of a heading in its table, 0 to 1. */
export function hueOf(x: number, y: number): number {
  const turn = Math.atan2(y, x) / (2 * Math.PI);
  return turn - Math.floor(turn);
}

/** Length of a dart in pixels, for a number of boids. */
export function dartLength(count: number): number {
  return Math.min(24, Math.max(3, 15 * (400 / Math.max(1, count)) ** 0.21));
}

/** The background as CSS. */
export function skyOf(look: Look): string {
  if (look.sky.length === 1) return css(look.sky[0]!);
  const fine = ramp(look.sky, 33, look.skyAt).map((c, k) => `${css(c)} ${((100 * k) / 32).toFixed(1)}%`);
  const glow = [0, 0.25, 0.5, 0.75, 1].map((at) => {
    const strength = at === 1 ? 0 : look.glowStrength * Math.exp(-1.4 * (2 * at) ** 2);
    return `${css(look.glow, Number(strength.toFixed(3)) || 0.001)} ${100 * at}%`;
  });
  return `radial-gradient(84% 68% at 68% 98%, ${glow.join(", ")}), linear-gradient(${fine.join(", ")})`;
}
