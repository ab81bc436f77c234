import { expect, it } from "vitest";
import type { Shot } from "../src/camera/projection";
import { paintLandscape } from "../src/look/landscape";
import { LOOKS } from "../src/look/styles";
import type { SceneCore } from "../src/wire/messages";

const [WIDTH, HEIGHT] = [320, 180];
const shot = {
  axes: { right: [0, 1, 0], up: [0, 0, 1], forward: [-1, 0, 0] }, // level: the horizon is in the middle
  target: [0, 0, 50], distance: 100, focal: 280, width: WIDTH, height: HEIGHT, middleX: WIDTH / 2, middleY: HEIGHT / 2,
} as Shot;
const scene = {
  dims: 3, view: { scenery: "land" }, space: { lower: [0, 0, 0], upper: [100, 100, 100], periodic: [false, false, false] },
} as unknown as SceneCore;

function paint(width: number, height: number): (x: number, y: number) => number[] {
  const out = new Uint32Array(width * height);
  paintLandscape(out, width, height, scene, LOOKS.light, shot);
  return (x, y) => [0, 8, 16].map((byte) => (out[Math.floor(y * height) * width + Math.floor(x * width)]! >> byte) & 255);
}

it("paints sky, hills and ground", () => {
  const at = paint(WIDTH, HEIGHT);
  const { sky, land } = LOOKS.light;
  const distance = (a: number[], b: number[]): number => Math.max(...a.map((c, k) => Math.abs(c - b[k]!)));
  const hills = at(0.5, 0.49);
  expect(distance(hills, land.hills[2])).toBeLessThan(3);
  expect(distance(at(0.5, 0), at(0.5, 0.6))).toBeGreaterThan(10);
  expect(distance(at(0.5, 0.2), sky[0]!)).toBeLessThan(distance(at(0.5, 0.2), land.hills[2]));
});

it("paints the same with fewer columns", () => {
  const [fine, coarse] = [paint(WIDTH, HEIGHT), paint(WIDTH / 4, HEIGHT)];
  for (const y of [0.1, 0.3, 0.49]) fine(0.5, y).forEach((c, k) => expect(Math.abs(c - coarse(0.5, y)[k]!)).toBeLessThan(4));
});
