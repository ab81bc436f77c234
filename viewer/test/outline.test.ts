import { describe, expect, it } from "vitest";
import { obstacleRow } from "../src/flight/rows";
import { obstacleLines, type Segments } from "../src/scene/scenery";
import { solidsOf, type Solid } from "../src/scene/solids";
import type { ObstacleInfo, Plain, SceneCore } from "../src/wire/contracts";
import { SHAPES } from "./shapes";

const SPACE = { lower: [0, 0, -1], upper: [10, 10, 7], periodic: [false, false, false] };
const sceneOf = (dims: 2 | 3): SceneCore => ({ dims, space: SPACE, shapes: SHAPES }) as unknown as SceneCore;
const obstacle = (kind: string, position: number[], numbers: number[]): ObstacleInfo => ({ name: "it", kind, position, numbers });

function linesOf(it: ObstacleInfo, dims: 2 | 3): number[][] {
  const out: Segments = { points: [], strengths: [] };
  obstacleLines(out, it, sceneOf(dims));
  return Array.from({ length: out.points.length / 3 }, (_, k) => out.points.slice(3 * k, 3 * k + 3));
}

/** The corners and normals of a solid's triangles, around its centre. */
function cornersOf(it: ObstacleInfo): { corner: number[]; normal: number[] }[] {
  const [{ corners }] = solidsOf([it], sceneOf(3)) as [Solid];
  return Array.from({ length: corners.length / 6 }, (_, k) => ({ corner: [...corners.slice(6 * k, 6 * k + 3)], normal: [...corners.slice(6 * k + 3, 6 * k + 6)] }));
}

describe("a tank", () => {
  const tank = obstacle("tank", [4, 5, 99], [3, 0, 0]);
  it("is a circle in 2-D", () => {
    const points = linesOf({ ...tank, position: [4, 5, 0] }, 2);
    expect(points.length).toBe(2 * 72);
    for (const [x, y, z] of points) {
      expect(Math.hypot(x! - 4, y! - 5)).toBeCloseTo(3);
      expect(z).toBe(0);
    }
  });

  it("stands from the floor of the space to its top", () => {
    const points = linesOf(tank, 3);
    expect(points.length).toBe(2 * (72 + 72 + 8));
    for (const [x, y] of points) expect(Math.hypot(x! - 4, y! - 5)).toBeCloseTo(3);
    expect(new Set(points.map(([, , z]) => z))).toEqual(new Set([-1, 7]));
  });

  it("is glass: what is in it is seen", () => {
    expect(solidsOf([tank], sceneOf(3))).toEqual([]);
  });
});

describe("a surface", () => {
  it("of a ball is round", () => {
    const corners = cornersOf(obstacle("sphere", [5, 5, 5], [2, 0, 0]));
    expect(corners.length).toBe(3 * 24 * 22);
    for (const { corner, normal } of corners) for (let k = 0; k < 3; k++) expect(corner[k]! / 2).toBeCloseTo(normal[k]!, 5);
  });

  it("of a pillar is round, with flat ends", () => {
    for (const { corner: [x, y, z], normal } of cornersOf(obstacle("cylinder", [5, 5, 5], [2, 3, 0]))) {
      expect(Math.abs(z!)).toBeCloseTo(3);
      const expected = normal[2] === 0 ? [x! / 2, y! / 2, 0] : [0, 0, Math.sign(z!)];
      for (let k = 0; k < 3; k++) expect(normal[k]).toBeCloseTo(expected[k]!, 5);
    }
  });

  it("of a box has flat faces and twelve edges", () => {
    const box = obstacle("box", [5, 5, 3], [2, 1, 0.5]);
    const corners = cornersOf(box);
    expect(corners.length).toBe(3 * 16);
    for (const { corner, normal } of corners) {
      const axis = normal.findIndex((n) => Math.abs(n) > 0.999);
      expect(corner[axis]! * normal[axis]!).toBeCloseTo([2, 1, 0.5][axis]!, 5);
    }
    expect(linesOf(box, 3).length).toBe(24);
    expect(linesOf(box, 2).length).toBe(8);
  });

  it("of a wall is its part within the space", () => {
    const wall = obstacle("wall", [4, 0, 0], [1, 0, 0]);
    const [{ sheet, corners, centre }] = solidsOf([wall], sceneOf(3)) as [Solid];
    expect([sheet, corners.length, centre[0]]).toEqual([true, 6 * 6, 4]);
    expect(linesOf(wall, 3).length).toBe(8);
    expect(linesOf(wall, 2).map(([x, y]) => [x, y])).toEqual([[4, 0], [4, 10]]);
  });
});

it("rows have the numbers of shapes", () => {
  const fields: Record<string, Plain> = { centre: [1, 2], radius: 3, height: 4, size: [6, 8], point: [5, 6], normal: [0, -2] };
  const row = (kind: string): number[] => obstacleRow(SHAPES[kind]!, (key) => fields[key], 0);
  expect(row("sphere")).toEqual([0, 1, 2, 0, 3, 0, 0]);
  expect(row("box")).toEqual([1, 1, 2, 0, 3, 4, 1e15]);
  expect(row("wall")).toEqual([2, 5, 6, 0, 0, -1, 0]);
  expect(row("cylinder")).toEqual([5, 1, 2, 0, 3, 2, 0]);
});
