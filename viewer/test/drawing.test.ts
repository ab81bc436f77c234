import { describe, expect, it } from "vitest";
import { project, type Shot } from "../src/camera/projection";
import { onPlane } from "../src/drawing/plane";
import { Parts, saidOfPart } from "../src/drawing/parts";
import { shapeOf, type Drawing } from "../src/drawing/shapes";
import { shoo } from "../src/flight/shoo";
import type { FlightModule } from "../src/flight/module";
import type { Vec3 } from "../src/wire/frame";
import type { SceneMessage, SpaceInfo } from "../src/wire/contracts";

const SPACE: SpaceInfo = { lower: [0, 0, 0], upper: [100, 100, 100], periodic: [false, false, false] };

function drawing(kind: Drawing["kind"], points: Vec3[], more: Partial<Drawing> = {}): Drawing {
  return { kind, points, plane: { height: 0, floor: false }, flat: true, side: 100, closed: false, ...more };
}

describe("shapes", () => {
  it("are as large as the drag was", () => {
    expect(shapeOf(drawing("sphere", [[10, 10, 0], [13, 14, 0]]))).toEqual({ kind: "sphere", centre: [10, 10], radius: 5 });
    expect(shapeOf(drawing("box", [[10, 20, 0], [4, 24, 0]]))).toEqual({ kind: "box", centre: [7, 22], size: [6, 4] });
    expect(shapeOf(drawing("wall", [[1, 2, 0], [9, 2, 0]]))).toEqual({ kind: "wall", through: [[1, 2], [9, 2]] });
  });

  it("stand on the floor in 3-D", () => {
    const more = { flat: false, plane: { height: 0, floor: true } };
    expect(shapeOf(drawing("sphere", [[10, 10, 0], [13, 14, 0]], more))).toMatchObject({ centre: [10, 10, 5] });
    expect(shapeOf(drawing("box", [[0, 0, 0], [6, 4, 0]], more))).toMatchObject({ centre: [3, 2, 2], size: [6, 4, 4] });
  });

  it("of a click have a size of their own, and a wall or path of one point is none", () => {
    const at: Vec3 = [10, 10, 0];
    expect(shapeOf(drawing("sphere", [at, at]))).toMatchObject({ radius: 6 });
    expect(shapeOf(drawing("box", [at, at]))).toMatchObject({ centre: [10, 10], size: [12, 12] });
    expect(shapeOf(drawing("wall", [at, at]))).toBeNull();
    expect(shapeOf(drawing("path", [at]))).toBeNull();
  });
});

describe("the plane that is drawn on", () => {
  const s = Math.SQRT1_2;
  const shot: Shot = {
    width: 800, height: 600, middleX: 400, middleY: 300, target: [50, 50, 0], distance: 200, focal: 900, near: 1, far: 1000, radius: 90,
    axes: { right: [1, 0, 0], up: [0, s, s], forward: [0, s, -s] },
  };

  it("is met where the point is seen", () => {
    for (const point of [[50, 50, 20], [20, 70, 20], [80, 10, 20]] as Vec3[]) {
      const { x, y } = project(shot, point);
      const found = onPlane(shot, SPACE, { height: 20, floor: false }, x, y)!;
      found.forEach((c, k) => expect(c).toBeCloseTo(point[k]!, 6));
    }
  });

  it("is not met above the horizon", () => {
    expect(onPlane(shot, SPACE, { height: 20, floor: false }, 400, -2000)).toBeNull();
  });
});

describe("parts in the history", () => {
  const disc = { kind: "sphere", centre: [1, 2], radius: 3 };
  const scene = (obstacles: Record<string, typeof disc>, values = {}): SceneMessage =>
    ({ model: { flocks: { boids: {} }, obstacles }, values, defaults: { "flocks.boids.count": 4 } }) as unknown as SceneMessage;

  it("are there or not, and are put back as they were", () => {
    const parts = new Parts();
    expect(parts.taken({ "obstacles.sphere": [null, disc] })).toEqual({ "drawn obstacles.sphere": [false, true] });
    expect(parts.holds(scene({ sphere: disc }), "obstacles.sphere")).toBe(true);
    expect(parts.holds(scene({}), "obstacles.sphere")).toBe(false);
    expect(parts.edit({ "drawn obstacles.sphere": false })!.values).toEqual({ "obstacles.sphere": null });
    parts.taken({ "obstacles.sphere": [{ ...disc, radius: 5 }, null] }); // somebody had made it larger
    expect(parts.edit({ "drawn obstacles.sphere": true, "rules.a.weight": 1 })!.values).toEqual({ "obstacles.sphere": { ...disc, radius: 5 } });
    expect(parts.edit({ "rules.a.weight": 1 })).toBeNull();
    expect(saidOfPart("drawn obstacles.sphere", false)).toBe("sphere is removed");
  });

  it("of a reset are kept with the numbers that they had", () => {
    const parts = new Parts();
    expect(parts.reset(scene({ sphere: disc }, { "obstacles.sphere.radius": 9 }))).toEqual({ "drawn obstacles.sphere": false });
    expect(parts.edit({ "drawn obstacles.sphere": true })!.values).toEqual({ "obstacles.sphere": { ...disc, radius: 9 } });
  });

  it("put predators back where they were placed", () => {
    const parts = new Parts();
    const changed = { "flocks.hawks.count": [1, 2] as [number, number] };
    expect(parts.taken(changed)).toEqual({ "drawn flocks.hawks.count": [1, 2] });
    parts.placed(changed, [5, 6]);
    expect(parts.edit({ "drawn flocks.hawks.count": 2 })).toEqual({ values: { "flocks.hawks.count": 2 }, places: { hawks: [[5, 6]] } });
    expect(parts.edit({ "drawn flocks.hawks.count": 1 })).toEqual({ values: { "flocks.hawks.count": 1 }, places: {} });
  });
});

describe("a flock in a page", () => {
  it("is shooed and called by the same push", () => {
    const pushed = [1, -1].map((sign) => {
      const now = new Float32Array([12, 0, 1, 0]); // x, y, u, v of one boid
      const module = { boids: 1, now, columns: 1, timers: [0], kinds: [0], manifest: { dims: 2 } } as unknown as FlightModule;
      const simulated = { view: { every: 1, frames_per_second: 24 }, flocks: [{}], space: SPACE } as unknown as SceneMessage;
      shoo(module, simulated, { position: [10, 0], radius: 4, sign: sign as 1 | -1 }, 24);
      return now[2]! - 1;
    });
    expect(pushed[0]).toBeGreaterThan(0);
    expect(pushed[1]).toBeCloseTo(-pushed[0]!, 5);
  });
});
