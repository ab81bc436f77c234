/** Patterns of the ground: patches of a meadow, and the light that waves gather in water. The same as in the
 * films: see show/landscape.py. */

import numbers from "../../../src/murmurate/show/scenery.json";

export type GroundKind = "land" | "water";

const { tile: TILE, rays: RAYS, depth: DEPTH } = numbers.ground;
const [DARKEST, BRIGHTEST] = numbers.ground.lit as [number, number];
const TURN = 2 * Math.PI;
const WAVES = numbers.ground.waves as Record<GroundKind, [number, number, number, number]>;

interface Wave {
  i: number;
  j: number;
  amplitude: number;
  phase: number;
}

function wavesOf(kind: GroundKind): Wave[] {
  const [count, lowest, ratio, power] = WAVES[kind];
  return Array.from({ length: count }, (_, n) => {
    const [frequency, angle] = [lowest * ratio ** n, 2.399963 * n];
    const [i, j] = [Math.round(frequency * Math.cos(angle)), Math.round(frequency * Math.sin(angle))];
    return { i, j, amplitude: frequency ** -power, phase: 2 * n * n };
  });
}

const tiles = new Map<GroundKind, Float32Array>();

/** The pattern, from 0 to 1, in rows of TILE; it repeats itself. */
export function tileOf(kind: GroundKind): Float32Array {
  const known = tiles.get(kind);
  if (known) return known;
  const made = kind === "land" ? meadow() : water();
  tiles.set(kind, made);
  return made;
}

function meadow(): Float32Array {
  const out = new Float32Array(TILE * TILE);
  for (const { i, j, amplitude, phase } of wavesOf("land")) {
    const table = Float32Array.from({ length: TILE }, (_, k) => amplitude * Math.sin((TURN * k) / TILE + phase));
    for (let at = 0; at < out.length; at++) out[at]! += table[(i * (at & 255) + j * (at >> 8)) & 255]!;
  }
  return out.map((height) => 0.5 + 0.5 * Math.tanh(0.8 * height));
}

function water(): Float32Array {
  const out = new Float32Array(TILE * TILE);
  const waves = wavesOf("water").map((wave) => ({
    ...wave, table: Float32Array.from({ length: RAYS }, (_, k) => wave.amplitude * Math.cos((TURN * k) / RAYS + wave.phase)),
  }));
  for (let v = 0; v < RAYS; v++) {
    for (let u = 0; u < RAYS; u++) {
      let [x, y] = [(u * TILE) / RAYS, (v * TILE) / RAYS];
      for (const { i, j, table } of waves) {
        const slope = DEPTH * table[(i * u + j * v) & (RAYS - 1)]!;
        x += i * slope;
        y += j * slope;
      }
      const [left, top] = [Math.floor(x), Math.floor(y)];
      const [p, q] = [x - left, y - top];
      for (const [dx, dy, part] of [[0, 0, (1 - p) * (1 - q)], [1, 0, p * (1 - q)], [0, 1, (1 - p) * q], [1, 1, p * q]] as const) {
        out[((top + dy) & 255) * TILE + ((left + dx) & 255)]! += part;
      }
    }
  }
  const mean = (RAYS / TILE) ** 2;
  return out.map((light) => Math.min(1, Math.max(0, (light / mean - DARKEST) / (BRIGHTEST - DARKEST))));
}

/** The pattern at a point in tiles, interpolated. */
export function patternAt(tile: Float32Array, x: number, y: number): number {
  const u = (x - Math.floor(x)) * TILE;
  const v = (y - Math.floor(y)) * TILE;
  const i = Math.floor(u);
  const j = Math.floor(v);
  const left = i & 255;
  const right = (i + 1) & 255;
  const top = (j & 255) * TILE;
  const low = ((j + 1) & 255) * TILE;
  const a = tile[top + left]! + (tile[top + right]! - tile[top + left]!) * (u - i);
  const b = tile[low + left]! + (tile[low + right]! - tile[low + left]!) * (u - i);
  return a + (b - a) * (v - j);
}
