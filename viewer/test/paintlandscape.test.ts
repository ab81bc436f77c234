import { expect, it } from "vitest";
import type { Shot } from "../src/camera/projection";
import { paintLandscape } from "../src/look/paintlandscape";
import { LOOKS } from "../src/look/styles";
import type { SceneCore } from "../src/wire/contracts";

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
  const hills = at(0.5, 0.499); // just above the horizon, below the tops of the nearest
  expect(distance(hills, land.hills[2])).toBeLessThan(3);
  expect(distance(at(0.5, 0), at(0.5, 0.6))).toBeGreaterThan(10);
  expect(distance(at(0.5, 0.2), sky[0]!)).toBeLessThan(distance(at(0.5, 0.2), land.hills[2]));
});

it("paints the same with fewer pixels", () => {
  const [fine, coarse] = [paint(WIDTH, HEIGHT), paint(WIDTH / 4, HEIGHT / 4)];
  /** The mean colour of 4 x 4 points in a part of the height, above the horizon. */
  const mean = (at: typeof fine, x: number, top: number): number[] => {
    const points = [0, 1, 2, 3].flatMap((u) => [0, 1, 2, 3].map((v) => at(x + (u + 0.5) / WIDTH, top + (v + 0.5) / HEIGHT)));
    return [0, 1, 2].map((k) => points.reduce((s, point) => s + point[k]! / 16, 0));
  };
  for (let row = 0; row < Math.floor(HEIGHT / 8); row++) {
    const [one, other] = [mean(fine, 0.5, (4 * row) / HEIGHT), mean(coarse, 0.5, (4 * row) / HEIGHT)];
    one.forEach((c, k) => expect(Math.abs(c - other[k]!)).toBeLessThan(4));
  }
});
