import { expect, test } from "vitest";
import { Leans } from "../src/gl/leans";
import { decodeFrame, type Frame } from "../src/wire/frame";
import { frameBytes } from "./frames";

const SECONDS = 1 / 24;

/** A boid that turns to its left by `rate` radians a second, one that turns to its right, and one that stands. */
function turning(rate: number, step: number): Frame {
  const heading = (angle: number): number[] => [127 * Math.cos(angle), 127 * Math.sin(angle)].map(Math.round);
  const angle = rate * step * SECONDS;
  const boids = [heading(angle), heading(-angle), [0, 0]].map((h) => [9, 9, 9, 9, ...h, 0, 0]);
  return decodeFrame(frameBytes({ step, boids }));
}

function turnFor(leans: Leans, rate: number, steps: number): Frame {
  let before = turning(rate, 0);
  for (let step = 1; step <= steps; step++) {
    const now = turning(rate, step);
    leans.update(before, now, SECONDS);
    before = now;
  }
  return before;
}

test("birds lean into their turns as steeply as they turn", () => {
  const leans = new Leans(4);
  turnFor(leans, 1, 40);
  const [left, right, standing] = [1, 3, 5].map((k) => leans.values[k]!);
  expect(left).toBeCloseTo(1, 0);
  expect(Math.abs(left! - 1)).toBeLessThan(0.15);
  expect(right).toBeCloseTo(-left!, 1);
  expect(standing).toBe(0);
});

test("no lean is beyond the steepest, and none comes at once", () => {
  const leans = new Leans(4);
  turnFor(leans, 12, 1);
  expect(leans.values[0]).toBe(0);
  expect(leans.values[1]!).toBeGreaterThan(0.2);
  expect(leans.values[1]!).toBeLessThan(1);
  turnFor(leans, 12, 60);
  expect(leans.values[1]!).toBeLessThan(2.2001);
});

test("after a leap in time nothing is known, and frames that are drawn again change nothing", () => {
  const leans = new Leans(4);
  const last = turnFor(leans, 2, 40);
  const kept = leans.values[1]!;
  expect(leans.update(last, last, SECONDS)).toBe(false);
  expect(leans.values[1]).toBe(kept);
  leans.update(turning(0, 4), turning(0, 5), SECONDS);
  expect(Math.abs(leans.values[1]!)).toBeLessThan(0.1);
  expect(leans.rows).toBe(1);
});
