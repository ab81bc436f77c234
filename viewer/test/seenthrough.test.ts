import { expect, test } from "vitest";
import { cameraAxes } from "../src/camera/projection";
import { boxEdges, type Segments } from "../src/scene/scenery";
import { opacityOf, solidsOf } from "../src/scene/solids";
import type { Drawing } from "../src/scene/renderer";
import type { ObstacleInfo, SceneCore } from "../src/wire/contracts";
import { SHAPES } from "./shapes";

const shot = { target: [0, 0, 0], axes: cameraAxes(0, 0), radius: 10 };
const ball = (x: number): ObstacleInfo => ({ name: "ball", kind: "sphere", position: [x, 0, 0], numbers: [2, 0, 0] });

test("an obstacle in front of a followed flock is seen through", () => {
  const at = (x: number, fixed: boolean) => opacityOf(solidsOf([ball(x)], { dims: 3, shapes: SHAPES, space: { lower: [], upper: [] } } as unknown as SceneCore)[0]!, { shot, fixed } as unknown as Drawing);
  for (const x of [-20, 0, 1.5]) expect(at(x, false)).toEqual({ opacity: 0.8, hides: true });
  expect(at(20, false)).toEqual({ opacity: 0.12 * 0.8, hides: false });
  expect(at(20, true)).toEqual({ opacity: 0.8, hides: true });
});

test("a space has the edges of its closed axes", () => {
  const edges = (flat: boolean, closed: boolean[]): number => {
    const out: Segments = { points: [], strengths: [] };
    boxEdges(out, [0, 0, 0], [1, 1, 1], flat, 1, closed);
    return out.strengths.length / 2;
  };
  expect([edges(true, [true, true]), edges(true, [false, false]), edges(true, [true, false])]).toEqual([4, 0, 2]);
  expect([edges(false, [true, true, true]), edges(false, [false, false, true])]).toEqual([12, 8]);
});
