import { describe, expect, it } from "vitest";
import { verticalAxis } from "../src/ui/chartoptions";
import { afterGap } from "../src/ui/series";

describe("the vertical axis of a chart", () => {
  it("runs from 0 to 1 without a unit, and further where values do", () => {
    expect(verticalAxis("1", 0.2, 0.7)).toEqual({ min: 0, max: 1, label: 1 });
    expect(verticalAxis("1", -0.5, 3)).toEqual({ min: -0.5, max: 3, label: 3 });
  });
  it("runs from 0 to a little above the highest value with a unit", () => {
    const { min, max, label } = verticalAxis("length", 2, 50);
    expect([min, label]).toEqual([0, 50]);
    expect(max).toBeCloseTo(54);
  });
  it("has room around negative values, values that are all the same, and none", () => {
    expect(verticalAxis("length", -4, -2)).toMatchObject({ min: -4, label: -2 });
    expect(verticalAxis("length", 3, 3)).toMatchObject({ min: 0, label: 4 });
    expect(verticalAxis("length", null, null)).toMatchObject({ min: 0, label: 1 });
    expect(verticalAxis("1", null, null)).toEqual({ min: 0, max: 1, label: 1 });
  });
});

describe("the stretch of time that is charted", () => {
  it("begins after the last long gap", () => {
    expect(afterGap([0, 1, 2, 3, 4, 5])).toBe(0);
    expect(afterGap([0, 1, 2, 3, 100, 101, 102, 103])).toBe(4);
  });
  it("keeps what is before a gap until there is enough after it", () => {
    expect(afterGap([0, 1, 2, 3, 4, 100])).toBe(0);
    expect(afterGap([])).toBe(0);
  });
});
