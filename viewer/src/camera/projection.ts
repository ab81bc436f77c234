/** Perspective projection: points of the model to pixels of the page, and back.
 *
 * The same perspective as in the films: z is up, 36 degrees of the picture's height are seen. A 2-D
 * flock is seen from straight above, so nothing else has to know of two dimensions.
 */

import type { Vec3 } from "../wire/frame";

export const FIELD_OF_VIEW = (36 * Math.PI) / 180;
export const ABOVE = { azimuth: -90, elevation: 90 };

export interface Insets {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The camera's right, up and forward in the model's axes. */
export interface Axes {
  right: Vec3;
  up: Vec3;
  forward: Vec3;
}

/** The camera of one drawing: everything that a projection needs. */
export interface Shot {
  width: number;
  height: number;
  /** The pixel on which the target lies: the middle of what the panels leave free. */
  middleX: number;
  middleY: number;
  target: Vec3;
  axes: Axes;
  /** From the camera to the target. */
  distance: number;
  /** A length s at depth z is s * focal / z pixels long. */
  focal: number;
  near: number;
  far: number;
  /** How far before and behind the target the fading reaches. */
  radius: number;
}

export interface Place {
  x: number;
  y: number;
  /** Distance along the camera's axis; not positive: behind it. */
  depth: number;
  /** Pixels a length unit there. */
  scale: number;
}

export const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const minus = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const plus = (a: Vec3, b: Vec3, times = 1): Vec3 => [
  a[0] + times * b[0],
  a[1] + times * b[1],
  a[2] + times * b[2],
];
export const length = (a: Vec3): number => Math.hypot(a[0], a[1], a[2]);
export const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** Angles in degrees. */
export function cameraAxes(azimuth: number, elevation: number): Axes {
  const a = (azimuth * Math.PI) / 180;
  const e = (elevation * Math.PI) / 180;
  const [sa, ca, se, ce] = [Math.sin(a), Math.cos(a), Math.sin(e), Math.cos(e)];
  return {
    right: [-sa, ca, 0],
    up: [-se * ca, -se * sa, ce],
    forward: [-ce * ca, -ce * sa, -se],
  };
}

/** Focal length in pixels for the free height of the picture. */
export function focalOf(freeHeight: number): number {
  return (0.5 * freeHeight) / Math.tan(0.5 * FIELD_OF_VIEW);
}

export function project(shot: Shot, point: Vec3): Place {
  const away = minus(point, shot.target);
  const depth = dot(shot.axes.forward, away) + shot.distance;
  const scale = depth > 0 ? shot.focal / depth : 0;
  return {
    x: shot.middleX + dot(shot.axes.right, away) * scale,
    y: shot.middleY - dot(shot.axes.up, away) * scale,
    depth,
    scale,
  };
}

/** The point at a pixel, `depth` in front of the camera. */
export function unproject(shot: Shot, x: number, y: number, depth: number): Vec3 {
  const across = ((x - shot.middleX) * depth) / shot.focal;
  const up = ((shot.middleY - y) * depth) / shot.focal;
  const away = plus(plus([0, 0, 0], shot.axes.right, across), shot.axes.up, up);
  return plus(plus(shot.target, away), shot.axes.forward, depth - shot.distance);
}

/** 1 at the near end of the scene, 0 at the far end; most of the scene is near. */
export function nearness(shot: Shot, depth: number): number {
  const part = (shot.distance + shot.radius - depth) / (2 * shot.radius);
  return Math.sqrt(Math.min(1, Math.max(0, part)));
}
