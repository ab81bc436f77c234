/** Outlines of obstacles, made of what the scene states of their shapes: as murmurate.model.shapes.outline. */

import { cross, dot, length, minus, plus } from "../camera/projection";
import type { ObstacleInfo, SceneCore, ShapeInfo, SpaceInfo } from "../wire/contracts";
import { vec3, type Vec3 } from "../wire/frame";

export type Turned = Pick<ShapeInfo, "profile" | "sides" | "lines">;

const FEW = 8; // sides of a prism, whose edges are sharp
const CREASE = Math.cos(Math.PI / 4); // of the angle between faces that meet in an edge

const around = ([radius, height]: number[], angle: number): Vec3 => [radius! * Math.cos(angle), radius! * Math.sin(angle), height!];

/** The directions of the corners of a cross section, the first one again at the end. */
const anglesOf = (sides: number): number[] => Array.from({ length: sides + 1 }, (_, k) => Math.PI / 4 + (2 * Math.PI * (k % sides)) / sides);

/** The cross section of a surface, in the plane z = 0. */
export function polygon({ profile, sides }: Turned): Vec3[] {
  const radius = Math.max(...profile.map(([r]) => r!));
  return anglesOf(sides).slice(1).map((angle) => around([radius, 0], angle));
}

export function triangle(out: number[], corners: Vec3[], normals: Vec3[]): void {
  corners.forEach((corner, k) => out.push(...corner, ...normals[k]!));
}

/** The triangles of a surface: x, y, z and a normal for each corner. */
export function trianglesOf({ profile, sides }: Turned): number[] {
  const faces = profile.slice(1).map(([r, z], k): [number, number] => {
    const [dr, dz] = [r! - profile[k]![0]!, z! - profile[k]![1]!];
    const size = Math.hypot(dr, dz);
    return [dz / size, -dr / size];
  });
  /** The normal of a part of the profile at its end towards another part; on the axis that is its mirror image. */
  const normalOf = (part: number, next: number): number[] => {
    const own = faces[part]!;
    const onAxis = profile[Math.max(part, next)]![0] === 0;
    const [x, z] = faces[next] ?? (onAxis ? [-own[0], own[1]] : own);
    const mean = [own[0] + x, own[1] + z] as const;
    if (own[0] * x + own[1] * z <= CREASE) return own;
    return mean.map((c) => c / Math.hypot(...mean));
  };
  const out: number[] = [];
  const angles = anglesOf(sides);
  for (let i = 0; i < faces.length; i++) {
    const [low, high] = [profile[i]!, profile[i + 1]!];
    const [n, m] = [normalOf(i, i - 1), normalOf(i, i + 1)];
    for (let k = 0; k < sides; k++) {
      const [from, to] = [angles[k]!, angles[k + 1]!];
      const [p, q] = sides > FEW ? [from, to] : [from + Math.PI / sides, from + Math.PI / sides];
      const [a, c] = [around(low, from), around(high, to)];
      if (low[0]! > 0) triangle(out, [a, around(low, to), c], [around(n, p), around(n, q), around(m, q)]);
      if (high[0]! > 0) triangle(out, [a, c, around(high, from)], [around(n, p), around(m, q), around(m, p)]);
    }
  }
  return out;
}

/** Polylines around a surface and along it. */
export function linesOf({ profile, sides, lines }: Turned): Vec3[][] {
  const angles = anglesOf(sides);
  const rings = lines ? profile.filter(([r]) => r! > 0) : [];
  const along = angles.filter((_, k) => k < sides && k % (sides / lines) === 0);
  return [...rings.map((ring) => angles.map((angle) => around(ring, angle))), ...along.map((angle) => rings.map((ring) => around(ring, angle)))];
}

/** Where the outline of an obstacle is, and how it is scaled along the axes. */
export function placementOf({ position, numbers = [] }: ObstacleInfo, { axes }: ShapeInfo, { space: { lower, upper }, dims }: SceneCore): { at: Vec3; scale: Vec3 } {
  const at = vec3(position);
  const half = 0.5 * (upper[2]! - lower[2]!);
  if (dims === 3 && axes.includes(null)) at[2] = lower[2]! + half;
  const scale = [0, 1, 2].map((k) => (axes[k] === null ? half : (numbers[axes[k] ?? -1] ?? 1))) as Vec3;
  return { at, scale };
}

export const scaled = (point: Vec3, scale: Vec3): Vec3 => point.map((x, k) => x * scale[k]!) as Vec3;

/** Corners, in order, of the part of a plane within the space: a polygon, or a line where flat. */
export function planeWithin(point: Vec3, direction: Vec3, space: SpaceInfo, flat: boolean): Vec3[] {
  const size = length(direction) || 1;
  const normal = direction.map((c) => c / size) as Vec3;
  const [lower, upper] = [vec3(space.lower), vec3(space.upper)];
  const count = flat ? 4 : 8;
  const corner = (k: number): Vec3 => [
    k & 1 ? upper[0] : lower[0],
    k & 2 ? upper[1] : lower[1],
    k & 4 ? upper[2] : lower[2],
  ];
  const height = (p: Vec3): number => dot(minus(p, point), normal);
  const tiny = 1e-9 * length(minus(upper, lower));
  const found: Vec3[] = [];
  for (let k = 0; k < count; k++) {
    const h = height(corner(k));
    if (Math.abs(h) <= tiny) found.push(corner(k));
    for (const bit of flat ? [1, 2] : [1, 2, 4]) {
      if (k & bit) continue;
      const other = height(corner(k | bit));
      if (Math.abs(h) <= tiny || Math.abs(other) <= tiny || h * other >= 0) continue;
      const part = h / (h - other);
      found.push(plus(corner(k), minus(corner(k | bit), corner(k)), part));
    }
  }
  if (found.length < (flat ? 2 : 3)) return [];
  if (flat) return found.slice(0, 2);
  const middle = found.reduce((sum, p) => plus(sum, p, 1 / found.length), [0, 0, 0] as Vec3);
  const first = minus(found[0]!, middle);
  const second = cross(normal, first);
  const angle = (p: Vec3): number => Math.atan2(dot(minus(p, middle), second), dot(minus(p, middle), first));
  return found.sort((a, b) => angle(a) - angle(b));
}
