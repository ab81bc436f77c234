/** Scenery as line segments and sheets, for both renderers: box, ground, outlines of obstacles. */

import type { Drawing } from "./renderer";
import { vec3, type Vec3 } from "../wire/frame";
import type { ObstacleInfo, SceneCore, SpaceInfo } from "../wire/contracts";
import { cross, dot, length, minus, plus } from "../camera/projection";

const CELLS = 8; // of the ground grid, along the longest side

/** The strength of a wire, which has the colour of birds. */
export const WIRE = 2;

/** Pairs of points with a strength; negative strengths are the ground's, WIRE is that of wires. */
export interface Segments {
  points: number[];
  strengths: number[];
}

const add = (out: Segments, a: Vec3, b: Vec3, strength: number): void => {
  out.points.push(...a, ...b);
  out.strengths.push(strength, strength);
};

/** The edges of a box: twelve, or four where it is flat; of a space only those of closed axes. */
export function boxEdges(out: Segments, lower: Vec3, upper: Vec3, flat: boolean, s: number, closed = [true, true, true]): void {
  const corner = (k: number): Vec3 => [
    k & 1 ? upper[0] : lower[0],
    k & 2 ? upper[1] : lower[1],
    k & 4 ? upper[2] : lower[2],
  ];
  for (let k = 0; k < (flat ? 4 : 8); k++) {
    for (const bit of flat ? [1, 2] : [1, 2, 4]) {
      const drawn = closed.some((is, axis) => is && axis < (flat ? 2 : 3) && bit !== 1 << axis);
      if (!(k & bit) && drawn) add(out, corner(k), corner(k | bit), s);
    }
  }
}

export interface Ground {
  /** How far it reaches around the middle; 0: it is the floor of the space. */
  reach: number;
  step: number;
  middle: Vec3;
}

/** The dimensions of the grid; around a followed flock it continues and fades out. */
export function groundOf(space: SpaceInfo, fixed: boolean, target: Vec3, radius: number): Ground {
  const sizes = [0, 1].map((k) => space.upper[k]! - space.lower[k]!);
  let step = Math.max(...sizes) / CELLS;
  if (fixed) return { reach: 0, step, middle: [0, 0, 0] };
  const reach = Math.max(1.5 * radius, 2 * step);
  step *= 2 ** Math.floor(Math.log2(Math.max(1, reach / (8 * step))));
  const snap = (k: number): number => Math.round((target[k]! - space.lower[k]!) / step);
  return {
    reach,
    step,
    middle: [space.lower[0]! + snap(0) * step, space.lower[1]! + snap(1) * step, 0],
  };
}

export function groundLines(out: Segments, space: SpaceInfo, ground: Ground, flat: boolean): void {
  const { reach, step, middle } = ground;
  const floor = flat ? 0 : space.lower[2]!;
  const strength = flat ? -0.12 : -0.2;
  const cells = Math.min(64, Math.ceil(reach / step) + 1);
  const from = [0, 1].map((k) => (reach > 0 ? middle[k]! - cells * step : space.lower[k]!));
  const to = [0, 1].map((k) => (reach > 0 ? middle[k]! + cells * step : space.upper[k]!));
  for (const axis of [0, 1]) {
    const other = 1 - axis;
    for (let at = from[axis]!; at <= to[axis]! + 0.01 * step; at += step) {
      // In pieces, so that the fading along a line can be seen.
      for (let a = from[other]!; a < to[other]! - 0.01 * step; a += step) {
        const b = Math.min(to[other]!, a + step);
        const [p, q]: [Vec3, Vec3] = [[0, 0, floor], [0, 0, floor]];
        p[axis] = q[axis] = at;
        p[other] = a;
        q[other] = b;
        add(out, p, q, strength);
      }
    }
  }
}

const AROUND = 72; // corners of a circle

/** The corners of an obstacle's circle at a height. */
function around(obstacle: ObstacleInfo, z: number): (k: number) => Vec3 {
  const [x, y] = vec3(obstacle.centre);
  const r = obstacle.radius ?? 0;
  return (k) => {
    const a = (2 * Math.PI * k) / AROUND;
    return [x + r * Math.cos(a), y + r * Math.sin(a), z];
  };
}

const WIRE_PIECES = 24; // as in the films

/** Points along a wire, which sags along the last axis: as murmurate.model.wires.wire_point. */
function wirePoints({ start, end, sag = 0 }: ObstacleInfo, flat: boolean): Vec3[] {
  const [a, b] = [vec3(start), vec3(end)];
  return Array.from({ length: WIRE_PIECES + 1 }, (_, k) => {
    const part = k / WIRE_PIECES;
    const point = plus(a, minus(b, a), part);
    point[flat ? 1 : 2] -= 4 * sag * part * (1 - part);
    return point;
  });
}

export function obstacleLines(
  out: Segments,
  obstacle: ObstacleInfo,
  space: SpaceInfo,
  flat: boolean,
): void {
  if (obstacle.kind === "wire") {
    const points = wirePoints(obstacle, flat);
    for (let k = 1; k < points.length; k++) add(out, points[k - 1]!, points[k]!, WIRE);
  } else if (obstacle.kind === "box") {
    const centre = vec3(obstacle.centre);
    const half = vec3(obstacle.size).map((s) => 0.5 * s) as Vec3;
    boxEdges(out, minus(centre, half), plus(centre, half), flat, flat ? 0.95 : 0.55);
  } else if (flat && (obstacle.kind === "sphere" || obstacle.kind === "tank")) {
    const point = around(obstacle, 0);
    for (let k = 0; k < AROUND; k++) add(out, point(k), point(k + 1), 0.95);
  } else if (obstacle.kind === "tank") {
    // glass: round it where the space begins and ends, and some lines upright
    const [low, high] = [around(obstacle, vec3(space.lower)[2]), around(obstacle, vec3(space.upper)[2])];
    for (let k = 0; k < AROUND; k++) {
      add(out, low(k), low(k + 1), 0.55);
      add(out, high(k), high(k + 1), 0.55);
      if (k % 9 === 0) add(out, low(k), high(k), 0.55);
    }
  } else if (obstacle.kind === "wall") {
    const corners = wallCorners(obstacle, space, flat);
    const count = corners.length;
    for (let k = 0; k < (count === 2 ? 1 : count); k++) {
      add(out, corners[k]!, corners[(k + 1) % count]!, 0.9);
    }
  }
}

/** Corners, in order, of the part of a wall within the space: a polygon, or a line where flat. */
export function wallCorners(wall: ObstacleInfo, space: SpaceInfo, flat: boolean): Vec3[] {
  const raw = vec3(wall.normal);
  const size = length(raw) || 1;
  const normal = raw.map((c) => c / size) as Vec3;
  const point = vec3(wall.point);
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

/** The lines of a picture: x, y, z and strength of each end, around `origin`. Made again only when
 * they change. */
export class SceneryLines {
  data = new Float32Array(0);
  origin: Vec3 = [0, 0, 0];
  /** How far the ground reaches; 0: it ends with the space. */
  reach = 0;
  private obstacles: ObstacleInfo[] = [];
  private key = "";

  set(obstacles: ObstacleInfo[]): void {
    this.obstacles = obstacles;
    this.key = "";
  }

  update(model: SceneCore, { shot, picture, fixed }: Drawing): void {
    const { space, dims } = model;
    const flat = dims === 2;
    const ground = groundOf(space, fixed, shot.target, shot.radius);
    this.reach = ground.reach;
    const key = [fixed, picture.box, ground.step, ...ground.middle].join();
    if (key === this.key) return;
    this.key = key;
    const out: Segments = { points: [], strengths: [] };
    const torus = space.periodic.some(Boolean);
    if (picture.box) {
      // The box of a followed torus lies anywhere, and would jump; open axes have no edge that a followed flock meets.
      const closed = space.boundaries?.map((boundary) => fixed || boundary !== "open");
      if (fixed || !torus) boxEdges(out, vec3(space.lower), vec3(space.upper), flat, 0.6, closed);
      if (!flat || !fixed) groundLines(out, space, ground, flat);
    }
    for (const obstacle of this.obstacles) obstacleLines(out, obstacle, space, flat);
    // Around a point nearby: far from the origin float32 has no digits to spare.
    this.origin = fixed ? vec3(space.lower) : ground.middle;
    this.data = new Float32Array(4 * out.strengths.length);
    out.strengths.forEach((strength, k) => {
      for (let axis = 0; axis < 3; axis++) this.data[4 * k + axis] = out.points[3 * k + axis]! - this.origin[axis]!;
      this.data[4 * k + 3] = strength;
    });
  }
}
