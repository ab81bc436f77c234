import { describe, expect, it } from "vitest";
import { Camera } from "../src/camera/camera";
import { middleOf } from "../src/camera/follow";
import { fitDeep, fitFlat, FLAT_MARGIN } from "../src/camera/framing";
import { cameraAxes, cross, dot, focalOf, length, minus, nearness, project, unproject, type Shot } from "../src/camera/projection";
import { decodeFrame, type Vec3 } from "../src/wire/frame";
import type { SceneCore } from "../src/wire/contracts";
import { frameBytes } from "./frames";

const NONE = { left: 0, right: 0, top: 0, bottom: 0 };

function sceneOf(dims: 2 | 3, follow: "space" | "flock" = "space"): SceneCore {
  return {
    name: "test", title: "", about: "", dims,
    space: { lower: [0, 0, 0], upper: [100, 50, 20], periodic: [false, false, false] },
    flocks: [{ name: "boids", count: 1, colour: "", scale: 1 }],
    view: { camera: { azimuth: 30, elevation: 20, follow } },
    obstacles: [],
    shapes: {},
    charts: [],
  };
}

function shotOf(dims: 2 | 3, insets = NONE): Shot {
  const camera = new Camera(sceneOf(dims));
  camera.resize(1000, 600, insets);
  return camera.shot();
}

describe("the projection", () => {
  it("has axes at right angles to each other", () => {
    for (const [azimuth, elevation] of [[0, 0], [30, 20], [-90, 90], [200, -60]] as const) {
      const { right, up, forward } = cameraAxes(azimuth, elevation);
      for (const axis of [right, up, forward]) expect(length(axis)).toBeCloseTo(1, 12);
      expect(length(minus(cross(right, up), forward.map((c) => -c) as Vec3))).toBeCloseTo(0, 12);
      expect(dot(right, forward)).toBeCloseTo(0, 12);
    }
  });

  it("puts the target in the middle of what the panels leave free", () => {
    const shot = shotOf(2, { left: 0, right: 300, top: 0, bottom: 100 });
    const place = project(shot, shot.target);
    expect([place.x, place.y]).toEqual([350, 250]);
    expect(place.depth).toBeCloseTo(shot.distance, 9);
  });

  it("finds the way back from a pixel to the point", () => {
    const shot = shotOf(3);
    for (const point of [[10, 20, 5], [90, 1, 19], [50, 25, 10]] as Vec3[]) {
      const place = project(shot, point);
      expect(length(minus(unproject(shot, place.x, place.y, place.depth), point))).toBeCloseTo(0, 9);
    }
  });

  it("sees a flat space from above: x to the right, y up", () => {
    const shot = shotOf(2);
    const [a, b, c] = [project(shot, [0, 0, 0]), project(shot, [10, 0, 0]), project(shot, [0, 10, 0])];
    expect(b.x).toBeGreaterThan(a.x);
    expect(b.y).toBeCloseTo(a.y, 6);
    expect(c.y).toBeLessThan(a.y);
  });

  it("fades from near to far", () => {
    const shot = shotOf(3);
    expect(nearness(shot, shot.distance - shot.radius)).toBe(1);
    expect(nearness(shot, shot.distance + shot.radius)).toBe(0);
  });
});

describe("framing", () => {
  it("fills the free part with a flat space", () => {
    const { distance } = fitFlat([50, 25, 0], 1000, 600);
    expect((100 * focalOf(600)) / distance).toBeCloseTo(FLAT_MARGIN * 1000, 6);
  });

  it("keeps all corners of a deep space in the picture", () => {
    const shot = shotOf(3);
    for (let k = 0; k < 8; k++) {
      const place = project(shot, [k & 1 ? 100 : 0, k & 2 ? 50 : 0, k & 4 ? 20 : 0]);
      expect(place.x).toBeGreaterThan(0);
      expect(place.x).toBeLessThan(1000);
      expect(place.y).toBeGreaterThan(0);
      expect(place.y).toBeLessThan(600);
    }
  });

  it("stands farther away when it turns all the way round", () => {
    const half: Vec3 = [50, 5, 5];
    const once = fitDeep(half, 0, 20, false, 800, 600).distance;
    expect(fitDeep(half, 0, 20, true, 800, 600).distance).toBeGreaterThan(once);
  });
});

describe("the camera", () => {
  it("turns, but not over the top, and not a flat space", () => {
    const camera = new Camera(sceneOf(3));
    camera.orbit(10, 500);
    expect(camera.goal.azimuth).toBe(20);
    expect(camera.goal.elevation).toBeLessThan(90);
    const flat = new Camera(sceneOf(2));
    flat.orbit(10, -500);
    expect(flat.goal.elevation).toBe(90);
  });

  it("keeps what is under the pointer there when it comes nearer", () => {
    const camera = new Camera(sceneOf(2));
    camera.still = true;
    camera.resize(1000, 600, NONE);
    const shot = camera.shot();
    const point = unproject(shot, 800, 150, shot.distance);
    camera.zoomBy(shot, 2, 800, 150);
    camera.ease(1, true);
    const place = project(camera.shot(), point);
    expect(place.x).toBeCloseTo(800, 6);
    expect(place.y).toBeCloseTo(150, 6);
  });

  it("pans by pixels", () => {
    const camera = new Camera(sceneOf(2));
    camera.still = true;
    camera.resize(1000, 600, NONE);
    const before = project(camera.shot(), [50, 25, 0]);
    camera.panBy(camera.shot(), 30, -20);
    camera.ease(1, true);
    const after = project(camera.shot(), [50, 25, 0]);
    expect(after.x - before.x).toBeCloseTo(30, 6);
    expect(after.y - before.y).toBeCloseTo(-20, 6);
  });

  it("goes back to how the model wants to be seen", () => {
    const camera = new Camera(sceneOf(3, "flock"));
    camera.orbit(50, 10);
    camera.goal.zoom = 7;
    camera.reset();
    expect(camera.goal).toMatchObject({ azimuth: 30, elevation: 20, zoom: 1, follow: "flock" });
  });
});

it("finds the middle of a flock on a torus, not minding strays", () => {
  const xs = [...Array<number>(50).fill(0.2), ...Array<number>(49).fill(9.8), 5];
  const frame = decodeFrame(frameBytes({ dims: 2, boids: xs.map((x) => [Math.round(x * 6553.6), 32768, 0]) }));
  const { centre } = middleOf(frame, [{ first: 0, count: xs.length }], [10, 10, 0], [0, 5, 0]);
  expect(Math.abs(centre[0])).toBeLessThan(0.25);
  expect(centre[1]).toBeCloseTo(5, 2);
});
