import { describe, expect, it } from "vitest";
import { obstacleLines, type Segments } from "../src/scene/scenery";
import { solidsOf } from "../src/scene/solids";
import type { ObstacleInfo, SceneCore } from "../src/wire/contracts";

const TANK: ObstacleInfo = { name: "tank", kind: "tank", centre: [4, 5, 99], radius: 3 };
const SPACE = { lower: [0, 0, -1], upper: [10, 10, 7], periodic: [false, false, false] };

function linesOf(flat: boolean): number[][] {
  const out: Segments = { points: [], strengths: [] };
  obstacleLines(out, TANK, SPACE, flat);
  return Array.from({ length: out.points.length / 3 }, (_, k) => out.points.slice(3 * k, 3 * k + 3));
}

describe("a tank", () => {
  it("is a circle in 2-D", () => {
    const points = linesOf(true);
    expect(points.length).toBe(2 * 72);
    for (const [x, y, z] of points) {
      expect(Math.hypot(x! - 4, y! - 5)).toBeCloseTo(3);
      expect(z).toBe(0);
    }
  });

  it("stands from the floor of the space to its top", () => {
    const points = linesOf(false);
    for (const [x, y] of points) expect(Math.hypot(x! - 4, y! - 5)).toBeCloseTo(3);
    expect(new Set(points.map(([, , z]) => z))).toEqual(new Set([-1, 7]));
  });

  it("is glass: what is in it is seen", () => {
    expect(solidsOf([TANK], { dims: 3, space: SPACE } as SceneCore)).toEqual([]);
  });
});
