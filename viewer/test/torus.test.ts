import { expect, it } from "vitest";
import { decodeFrame } from "../src/wire/frame";
import { between, nearest, placeBetween } from "../src/wire/torus";
import { frameBytes } from "./frames";

it("goes the shorter way around", () => {
  expect(between(9, 1, 0.5, 10)).toBe(10);
  expect(between(1, 9, 0.25, 10)).toBe(0.5);
  expect(between(1, 9, 0.25, 0)).toBe(3);
  expect(nearest(7, 10)).toBe(-3);
  expect(nearest(7, 0)).toBe(7);
});

it("draws the image nearest to the middle of the picture", () => {
  const at = (x: number): ReturnType<typeof decodeFrame> =>
    decodeFrame(frameBytes({ boids: [[Math.round(x * 6553.6), 32768, 32768]] }));
  const place = (middle: number): number =>
    placeBetween(at(9.4), at(0.4), 0, 0.5, [10, 10, 10], [middle, 5, 5])[0];
  expect(place(5)).toBeCloseTo(9.9, 3);
  expect(place(1)).toBeCloseTo(-0.1, 3);
});

it("lets frames have boxes of their own", () => {
  const before = decodeFrame(frameBytes({ lower: [0, 0, 0], side: [10, 10, 10], boids: [[0, 0, 0]] }));
  const now = decodeFrame(frameBytes({ lower: [20, 0, 0], side: [1, 1, 1], boids: [[0, 0, 0]] }));
  expect(placeBetween(before, now, 0, 0.5, [0, 0, 0], [0, 0, 0])[0]).toBeCloseTo(10, 3);
});
