/** Triangle meshes of obstacles: x, y, z and a normal for each corner, around `centre`. In 2-D they are
 * faint sheets, as in the films. */

import { cross, dot, length, minus, plus } from "../camera/projection";
import type { RGB } from "../look/colours";
import type { Look } from "../look/styles";
import type { Drawing } from "./renderer";
import { wallCorners } from "./scenery";
import { vec3, type Vec3 } from "../wire/frame";
import type { ObstacleInfo, SceneCore } from "../wire/contracts";

export interface Solid {
  centre: Vec3;
  /** Corners of triangles, counter-clockwise as seen from outside. */
  corners: Float32Array;
  /** The box around them. */
  middle: Vec3;
  half: Vec3;
  /** Seen through, and without light and shade. */
  sheet: boolean;
  opacity: number;
  /** In the colour of birds. */
  wire: boolean;
}

const FAINT = 0.12; // opacity, relative to the usual, of what is in front of a followed flock, as in the films

/** The opacity of a solid, and whether it hides what is behind it. One that is wholly in front of a followed flock is seen through. */
export function opacityOf({ centre, middle, half, sheet, opacity, wire }: Solid, { shot, fixed }: Drawing): { opacity: number; hides: boolean } {
  if (fixed || sheet || wire) return { opacity, hides: !sheet };
  const { forward } = shot.axes;
  const far = dot(minus(plus(centre, middle, 1), shot.target), forward) + dot(half, forward.map(Math.abs) as Vec3);
  const part = Math.min(1, Math.max(FAINT, 1 + (2 * far) / shot.radius));
  return { opacity: part * opacity, hides: part > 0.5 };
}

const POLE = 0.0045; // width of a pole, relative to the wire

/** Its colours in the light and in the shade. */
export const paintsOf = ({ wire }: Solid, { flocks, body, shade }: Look): [RGB, RGB] => (wire ? [flocks[0]!, flocks[0]!] : [body, shade]);

export function solidsOf(obstacles: ObstacleInfo[], model: SceneCore): Solid[] {
  const flat = model.dims === 2;
  return obstacles.flatMap((obstacle) => {
    if (obstacle.kind === "tank") return []; // glass: its edges alone are seen
    if (obstacle.kind === "wire") return poles(obstacle, model);
    const wall = obstacle.kind === "wall";
    const corners = wall ? wallSheet(obstacle, model, flat) : flat ? flatBody(obstacle) : body(obstacle);
    if (!corners) return [];
    const sheet = flat || wall;
    const centre = wall ? corners.middle : vec3(obstacle.centre);
    return [{ centre, ...bounded(corners.points), sheet, opacity: sheet ? 0.16 : 0.8, wire: false }];
  });
}

/** Corners, and the box around them. */
function bounded(points: number[]): Pick<Solid, "corners" | "middle" | "half"> {
  const [low, high]: [Vec3, Vec3] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
  points.forEach((x, k) => {
    const axis = k % 6;
    if (axis > 2) return; // of a normal
    low[axis] = Math.min(low[axis]!, x);
    high[axis] = Math.max(high[axis]!, x);
  });
  const axes = [0, 1, 2] as const;
  return {
    corners: Float32Array.from(points),
    middle: axes.map((k) => 0.5 * (low[k] + high[k])) as Vec3,
    half: axes.map((k) => 0.5 * (high[k] - low[k])) as Vec3,
  };
}

/** The poles of a wire, from its ends to the floor of the space. */
function poles({ start, end }: ObstacleInfo, { dims, space }: SceneCore): Solid[] {
  const [flat, up] = [dims === 2, dims - 1];
  const ends = [vec3(start), vec3(end)] as const;
  const width = POLE * length(minus(ends[0], ends[1]));
  return ends.flatMap((top) => {
    const high = top[up]! - space.lower[up]!;
    if (!(high > 0)) return [];
    const size: Vec3 = [width, width, width];
    const centre: Vec3 = [...top];
    size[up] = high;
    centre[up]! -= 0.5 * high;
    return [{ centre, ...bounded(flat ? flatBox(size) : box(size)), sheet: flat, opacity: 1, wire: true }];
  });
}

type Corners = { points: number[]; middle: Vec3 };
const HERE: Vec3 = [0, 0, 0];

function triangle(out: number[], corners: [Vec3, Vec3, Vec3], normals: [Vec3, Vec3, Vec3]): void {
  corners.forEach((corner, k) => out.push(...corner, ...normals[k]!));
}

function fan(around: Vec3[]): number[] {
  const out: number[] = [];
  for (let k = 1; k < around.length - 1; k++) {
    const up: Vec3 = [0, 0, 1];
    triangle(out, [around[0]!, around[k]!, around[k + 1]!], [up, up, up]);
  }
  return out;
}

function wallSheet(wall: ObstacleInfo, model: SceneCore, flat: boolean): Corners | null {
  const around = wallCorners(wall, model.space, flat);
  if (around.length < 3) return null;
  const middle = around[0]!;
  return { points: fan(around.map((corner) => minus(corner, middle))), middle };
}

function flatBody(obstacle: ObstacleInfo): Corners {
  if (obstacle.kind === "sphere") {
    const r = obstacle.radius ?? 1;
    const around = Array.from({ length: 72 }, (_, k): Vec3 => {
      const a = (2 * Math.PI * k) / 72;
      return [r * Math.cos(a), r * Math.sin(a), 0];
    });
    return { points: fan(around), middle: HERE };
  }
  return { points: flatBox(vec3(obstacle.size)), middle: HERE };
}

function flatBox(size: Vec3): number[] {
  const [w, h] = size.map((side) => 0.5 * side) as Vec3;
  return fan([[-w, -h, 0], [w, -h, 0], [w, h, 0], [-w, h, 0]]);
}

function body(obstacle: ObstacleInfo): Corners {
  if (obstacle.vertices) return { points: mesh(obstacle), middle: HERE };
  return { points: obstacle.kind === "sphere" ? ball(obstacle.radius ?? 1) : box(vec3(obstacle.size)), middle: HERE };
}

/** The triangles of a mesh or a cylinder, each with one normal. */
function mesh({ vertices = "", faces = "", radius = 1, height = 1 }: ObstacleInfo): number[] {
  const bytes = (text: string): ArrayBuffer => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer;
  const points = new Float32Array(bytes(vertices));
  const corners = new Uint32Array(bytes(faces));
  const at = (k: number): Vec3 => [radius * (points[3 * k] ?? 0), radius * (points[3 * k + 1] ?? 0), height * (points[3 * k + 2] ?? 0)];
  const out: number[] = [];
  for (let k = 0; k + 2 < corners.length; k += 3) {
    const [a, b, c] = [at(corners[k]!), at(corners[k + 1]!), at(corners[k + 2]!)];
    const raw = cross(minus(b, a), minus(c, a));
    const unit = length(raw) || 1;
    const n = raw.map((x) => x / unit) as Vec3;
    triangle(out, [a, b, c], [n, n, n]);
  }
  return out;
}

function ball(r: number): number[] {
  const [AROUND, DOWN] = [40, 24];
  const out: number[] = [];
  const at = (i: number, j: number): Vec3 => {
    const [a, b] = [(2 * Math.PI * i) / AROUND, (Math.PI * j) / DOWN];
    return [Math.sin(b) * Math.cos(a), Math.sin(b) * Math.sin(a), Math.cos(b)];
  };
  const big = (v: Vec3): Vec3 => [r * v[0], r * v[1], r * v[2]];
  for (let j = 0; j < DOWN; j++) {
    for (let i = 0; i < AROUND; i++) {
      const [a, b, c, d] = [at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)];
      if (j < DOWN - 1) triangle(out, [big(a), big(b), big(c)], [a, b, c]);
      if (j > 0) triangle(out, [big(a), big(c), big(d)], [a, c, d]);
    }
  }
  return out;
}

function box(size: Vec3): number[] {
  const out: number[] = [];
  const half = size.map((side) => 0.5 * side) as Vec3;
  for (let axis = 0; axis < 3; axis++) {
    for (const side of [-1, 1]) {
      const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
      const corner = (i: number, j: number): Vec3 => {
        const c: Vec3 = [0, 0, 0];
        c[axis] = side * half[axis]!;
        c[u] = i * side * half[u]!;
        c[v] = j * half[v]!;
        return c;
      };
      const around = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)] as const;
      const raw = cross(minus(around[1], around[0]), minus(around[2], around[0]));
      const unit = length(raw) || 1;
      const n = raw.map((c) => c / unit) as Vec3;
      triangle(out, [around[0], around[1], around[2]], [n, n, n]);
      triangle(out, [around[0], around[2], around[3]], [n, n, n]);
    }
  }
  return out;
}
