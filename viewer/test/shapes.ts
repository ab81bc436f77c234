/** Shapes of obstacles as scenes describe them. */

import type { ShapeInfo } from "../src/wire/contracts";

const UPRIGHT = { position: "centre", lengths: { radius: 1 }, fill: 0, unbounded: false, encloses: false, lines: 0 };
const arc = Array.from({ length: 13 }, (_, k) => [Math.sin((Math.PI * k) / 12) * Number(k % 12 > 0), -Math.cos((Math.PI * k) / 12)]);
const ends = (radius: number): number[][] => [[0, -1], [radius, -1], [radius, 1], [0, 1]];

export const SHAPES: Record<string, ShapeInfo> = {
  sphere: { ...UPRIGHT, number: 0, axes: [0, 0, 0], profile: arc, sides: 24 },
  box: { ...UPRIGHT, number: 1, lengths: { size: 0.5 }, fill: 2e15, axes: [0, 1, 2], profile: ends(Math.SQRT2), sides: 4, lines: 4 },
  wall: { ...UPRIGHT, number: 2, position: "point", lengths: { normal: 1 }, unbounded: true, axes: [0, 0, 0], profile: [], sides: 0 },
  tank: { ...UPRIGHT, number: 3, encloses: true, axes: [0, 0, null], profile: [[1, 1], [1, -1]], sides: 72, lines: 8 },
  mesh: { ...UPRIGHT, number: 4, axes: [], profile: [], sides: 0 },
  cylinder: { ...UPRIGHT, number: 5, lengths: { radius: 1, height: 0.5 }, axes: [0, 0, 1], profile: ends(1), sides: 72 },
};
