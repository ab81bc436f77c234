/** Triangles of obstacles: x, y, z and a normal for each corner, around `centre`. In 2-D they are faint sheets,
 * as in the films. */

import { cross, dot, length, minus, plus } from "../camera/projection";
import type { RGB } from "../look/colours";
import type { Look } from "../look/styles";
import { placementOf, planeWithin, polygon, scaled, triangle, trianglesOf, type Turned } from "./outline";
import type { Drawing } from "./renderer";
import { vec3, type Vec3 } from "../wire/frame";
import type { ObstacleInfo, SceneCore } from "../wire/contracts";
import { fromBase64 } from "../wire/json";

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
const SQUARE: Turned = { profile: [[0, -1], [Math.SQRT2, -1], [Math.SQRT2, 1], [0, 1]], sides: 4, lines: 0 };

/** Its colours in the light and in the shade. */
export const paintsOf = ({ wire }: Solid, { flocks, body, shade }: Look): [RGB, RGB] => (wire ? [flocks[0]!, flocks[0]!] : [body, shade]);

export function solidsOf(obstacles: ObstacleInfo[], model: SceneCore): Solid[] {
  const flat = model.dims === 2;
  return obstacles.flatMap((obstacle) => {
    if (obstacle.kind === "wire") return poles(obstacle, model);
    const shape = model.shapes[obstacle.kind];
    if (!shape || shape.encloses) return []; // its lines alone are seen
    const { at, scale } = placementOf(obstacle, shape, model);
    const plane = shape.unbounded ? planeWithin(at, vec3(obstacle.numbers), model.space, flat) : null;
    if (plane && plane.length < 3) return [];
    const centre = plane ? plane[0]! : at;
    const points = plane ? fan(plane.map((corner) => minus(corner, centre)))
      : flat ? fan(polygon(shape).map((corner) => scaled(corner, scale)))
      : shape.sides ? placed(trianglesOf(shape), scale) : mesh(obstacle);
    const sheet = flat || shape.unbounded;
    return [{ centre, ...bounded(points), sheet, opacity: sheet ? 0.16 : 0.8, wire: false }];
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
    const half: Vec3 = [0.5 * width, 0.5 * width, 0.5 * width];
    const centre: Vec3 = [...top];
    half[up] = 0.5 * high;
    centre[up]! -= 0.5 * high;
    const points = flat ? fan(polygon(SQUARE).map((corner) => scaled(corner, half))) : placed(trianglesOf(SQUARE), half);
    return [{ centre, ...bounded(points), sheet: flat, opacity: 1, wire: true }];
  });
}

/** Triangles with a size along each axis. */
function placed(points: number[], scale: Vec3): number[] {
  const out: number[] = [];
  for (let k = 0; k < points.length; k += 6) {
    const normal = vec3(points.slice(k + 3, k + 6)).map((n, axis) => n / scale[axis]!) as Vec3;
    const size = length(normal) || 1;
    out.push(...scaled(vec3(points.slice(k, k + 3)), scale), ...normal.map((n) => n / size));
  }
  return out;
}

function fan(around: Vec3[]): number[] {
  const out: number[] = [];
  for (let k = 1; k < around.length - 1; k++) {
    const up: Vec3 = [0, 0, 1];
    triangle(out, [around[0]!, around[k]!, around[k + 1]!], [up, up, up]);
  }
  return out;
}

/** The triangles of an obstacle with an outline of its own, each with one normal. */
function mesh({ vertices = "", faces = "" }: ObstacleInfo): number[] {
  const points = new Float32Array(fromBase64(vertices));
  const corners = new Uint32Array(fromBase64(faces));
  const at = (k: number): Vec3 => [points[3 * k] ?? 0, points[3 * k + 1] ?? 0, points[3 * k + 2] ?? 0];
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
