/** The plane that is drawn on: the flock's own in 2-D; in 3-D a level one, shown faintly. */

import { minus, plus, project, unproject, type Shot } from "../camera/projection";
import { css } from "../look/colours";
import type { Look } from "../look/styles";
import type { Viewport } from "../scene/viewport";
import { vec3, type Vec3 } from "../wire/frame";
import type { SpaceInfo } from "../wire/contracts";

const CELLS = 10; // of its grid, along the longer side
const MAX_SAMPLE = 2000; // boids from which the flock's middle is computed

export interface Plane {
  height: number;
  /** It is the floor of a closed space, on which solids are placed. */
  floor: boolean;
}

/** `onFloor`: for solids on the ground, if there is one; else the height of the flock. */
export function planeOf(viewport: Viewport, onFloor: boolean): Plane {
  const { scene } = viewport;
  if (scene.dims === 2) return { height: 0, floor: false };
  const shut = ["reflecting", "held"].includes(scene.space.boundaries?.[2] ?? "");
  if (onFloor && shut) return { height: scene.space.lower[2]!, floor: true };
  const count = viewport.frame?.count ?? 0;
  const step = Math.max(1, Math.ceil(count / MAX_SAMPLE));
  let [sum, seen] = [0, 0];
  for (let boid = 0; boid < count; boid += step) {
    const place = viewport.positionOf(boid);
    if (place && Number.isFinite(place[2])) [sum, seen] = [sum + place[2], seen + 1];
  }
  return { height: seen > 0 ? sum / seen : (scene.space.lower[2]! + scene.space.upper[2]!) / 2, floor: false };
}

export const longestSide = (space: SpaceInfo): number => Math.max(...space.upper.map((u, k) => u - space.lower[k]!));

/** The point of the plane under a pixel; null where it is behind the camera, or very far. */
export function onPlane(shot: Shot, space: SpaceInfo, { height }: Plane, x: number, y: number): Vec3 | null {
  const eye = unproject(shot, x, y, 0);
  const ray = minus(unproject(shot, x, y, 1), eye);
  const depth = (height - eye[2]) / ray[2];
  if (!(depth > shot.near) || depth > shot.distance + 6 * longestSide(space)) return null;
  const point = plus(eye, ray, depth);
  point[2] = height;
  return point;
}

/** A faint grid in 3-D, as large as the space. */
export function drawPlane(pen: CanvasRenderingContext2D, shot: Shot, look: Look, space: SpaceInfo, { height }: Plane): void {
  const [lower, upper] = [vec3(space.lower), vec3(space.upper)];
  const step = Math.max(upper[0] - lower[0], upper[1] - lower[1]) / CELLS;
  pen.strokeStyle = css(look.text);
  pen.lineWidth = 1;
  for (const axis of [0, 1] as const) {
    const other = axis === 0 ? 1 : 0;
    for (let at = lower[axis]; at <= upper[axis] + 0.01 * step; at += step) {
      const edge = at === lower[axis] || at > upper[axis] - 0.01 * step;
      const [a, b]: [Vec3, Vec3] = [[0, 0, height], [0, 0, height]];
      a[axis] = b[axis] = at;
      [a[other], b[other]] = [lower[other], upper[other]];
      pen.globalAlpha = edge ? 0.55 : 0.2;
      line(pen, shot, [a, b]);
    }
  }
  pen.globalAlpha = 1;
}

/** A line through points of space; what is behind the camera is left out. */
export function line(pen: CanvasRenderingContext2D, shot: Shot, points: Vec3[], closed = false): void {
  const places = points.map((point) => project(shot, point));
  if (places.some(({ depth }) => depth < shot.near)) return;
  pen.beginPath();
  for (const { x, y } of places) pen.lineTo(x, y);
  if (closed) pen.closePath();
  pen.stroke();
}
