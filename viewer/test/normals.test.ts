import { describe, expect, it } from "vitest";

import { Rows, unitNormal } from "../src/flight/rows";
import type { Manifest, Plain } from "../src/wire/contracts";
import { SHAPES } from "./shapes";

describe("a wall's normal", () => {
  const rows = (normal: Plain): Rows =>
    new Rows({ numbers: [], tables: [], errors: [], obstacles: ["floor"], meshes: {}, shapes: SHAPES } as unknown as Manifest, {
      "obstacles.floor.kind": "wall", "obstacles.floor.point": [0, 5], "obstacles.floor.normal": normal,
    });
  const ramp = { kind: "ramp", start: 1, stop: -1, begin: 0, end: 8 };
  it("has the length 1, however small it is", () => {
    for (const size of [5e-324, 1e-200, 1e-150, 1, 1e9]) expect(unitNormal([0, -size, 0])).toEqual([0, -1, 0]);
    for (const size of [1e-200, 1e-150, 1, 1e9]) {
      const [x, y, z] = unitNormal([3 * size, 4 * size, 0]);
      expect(x).toBeCloseTo(0.6, 14);
      expect(y).toBeCloseTo(0.8, 14);
      expect(z).toBe(0);
    }
    expect(rows([0, 1e-200]).obstacles(3)).toEqual([2, 0, 5, 0, 0, 1, 0]);
  });
  it("is refused by name in the step in which it is zero", () => {
    const one = rows([0, ramp]);
    expect(one.wrongAt(2, 1, [0])).toBe("");
    expect(one.wrongAt(3, 1, [0])).toMatch(/^obstacles\.floor\.normal: got a vector of zeros at time 4; expected one/);
    expect(one.wrongAt(3.5, 1, [0])).toBe("");
    expect(one.wrongAt(3.5, 1, [0, 0.5, 1])).toMatch(/at time 4;/);
    expect(rows([1e-300, ramp]).wrongAt(3, 1, [0])).toBe("");
  });
});
