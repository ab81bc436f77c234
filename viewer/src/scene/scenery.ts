/** Scenery as line segments and sheets, for both renderers: box, ground, outlines of obstacles. */

import type { Drawing } from "./renderer";
import { vec3, type Vec3 } from "../wire/frame";
import type { ObstacleInfo, SceneCore, SpaceInfo } from "../wire/contracts";
import { minus, plus } from "../camera/projection";
import { linesOf, placementOf, planeWithin, polygon, scaled } from "./outline";

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

export function obstacleLines(out: Segments, obstacle: ObstacleInfo, model: SceneCore): void {
  const flat = model.dims === 2;
  const draw = (points: Vec3[], strength: number): void => {
    for (let k = 1; k < points.length; k++) add(out, points[k - 1]!, points[k]!, strength);
  };
  if (obstacle.kind === "wire") return draw(wirePoints(obstacle, flat), WIRE);
  const shape = model.shapes[obstacle.kind];
  if (!shape) return;
  const { at, scale } = placementOf(obstacle, shape, model);
  if (shape.unbounded) {
    const corners = planeWithin(at, vec3(obstacle.numbers), model.space, flat);
    draw(flat ? corners : [...corners, ...corners.slice(0, 1)], 0.9);
  } else if (flat) {
    const corners = polygon(shape);
    draw([...corners, corners[0]!].map((point) => plus(scaled(point, scale), at, 1)), 0.95);
  } else {
    for (const line of linesOf(shape)) draw(line.map((point) => plus(scaled(point, scale), at, 1)), 0.55);
  }
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
    for (const obstacle of this.obstacles) obstacleLines(out, obstacle, model);
    // Around a point nearby: far from the origin float32 has no digits to spare.
    this.origin = fixed ? vec3(space.lower) : ground.middle;
    this.data = new Float32Array(4 * out.strengths.length);
    out.strengths.forEach((strength, k) => {
      for (let axis = 0; axis < 3; axis++) this.data[4 * k + axis] = out.points[3 * k + axis]! - this.origin[axis]!;
      this.data[4 * k + 3] = strength;
    });
  }
}
