import { describe, expect, it, vi } from "vitest";
import { Camera } from "../src/camera/camera";
import { fitReach, MARGIN } from "../src/camera/framing";
import { Follower } from "../src/camera/follow";
import { focalOf } from "../src/camera/projection";
import { partInSight, Sight } from "../src/scene/flocksinview";
import type { Notices } from "../src/ui/notices";
import type { Viewport } from "../src/scene/viewport";
import { decodeFrame, type Vec3 } from "../src/wire/frame";
import type { SceneCore } from "../src/wire/contracts";
import { frameBytes } from "./frames";

const NONE = { left: 0, right: 0, top: 0, bottom: 0 };

/** A frame of boids in a box of 10 by 10. */
function frameOf(places: [number, number][]): ReturnType<typeof decodeFrame> {
  const boids = places.map(([x, y]) => [Math.round(x * 6553.5), Math.round(y * 6553.5), 0]);
  return decodeFrame(frameBytes({ dims: 2, boids: boids as Vec3[] }));
}

function sceneOf(): SceneCore {
  return {
    name: "test", title: "", about: "", dims: 2,
    space: { lower: [0, 0, 0], upper: [10, 10, 0], periodic: [false, false, false] },
    flocks: [], view: { camera: {} }, obstacles: [], shapes: {}, charts: [],
  };
}

/** A viewport that looks at [0, 10] x [0, 10], with boids there or wherever. */
function viewportOf(places: Vec3[]): Viewport {
  const camera = new Camera(sceneOf());
  camera.resize(800, 600, NONE);
  const viewport = { shot: camera.shot(), insets: NONE, frame: { count: places.length }, positionOf: (k: number) => places[k] };
  return viewport as unknown as Viewport;
}

describe("sight", () => {
  const here: Vec3[] = [[5, 5, 0], [1, 9, 0]];
  const away: Vec3[] = [[50, 5, 0], [1, 90, 0]];

  it("is the part of the boids between the panels", () => {
    expect(partInSight(viewportOf(here), NONE)).toBe(1);
    expect(partInSight(viewportOf(away), NONE)).toBe(0);
    expect(partInSight(viewportOf([...here, ...away]), NONE)).toBe(0.5);
    expect(partInSight(viewportOf([[9.9, 5, 0]]), { ...NONE, right: 300 })).toBe(0);
    expect(partInSight(viewportOf([]), NONE)).toBe(1);
  });

  it("says once that a flock is gone, and nothing of one that comes back at once", () => {
    const notices = { say: vi.fn(), clear: vi.fn() };
    const sight = new Sight(notices as unknown as Notices);
    const look = (places: Vec3[], ...times: number[]): void => {
      for (const at of times) sight.look(viewportOf(places), at);
    };
    look(away, 1000, 2000);
    look(here, 2300);
    expect(notices.say).not.toHaveBeenCalled();
    look(away, 3000, 4000, 5000, 6000);
    expect(notices.say).toHaveBeenCalledTimes(1);
    expect(notices.say.mock.calls[0]![0]).toContain("Press f");
    look(here, 7000);
    expect(notices.clear).toHaveBeenCalledWith("sight");
  });
});

describe("a followed flock", () => {
  const crowd = Array.from({ length: 100 }, (_, k): [number, number] => [4 + (k % 10) / 9, 4 + Math.floor(k / 10) / 9]);

  it("is in the picture with a dog that stays near, not with one that is far away", () => {
    const flocks = [{ first: 0, count: 100 }, { first: 100, count: 1 }];
    const reach = (dog: [number, number]): Vec3 => {
      const follower = new Follower(flocks, [0, 0, 0], [5, 5, 0], [5, 5, 0], 0.1);
      follower.update(frameOf([...crowd, dog]), 0.1);
      return follower.reach;
    };
    const [near, far] = [reach([5.2, 4.5]), reach([9.9, 4.5])];
    expect(near[0]).toBeGreaterThan(0.7);
    expect(near[1]).toBeLessThan(0.7);
    expect(far[0]).toBeLessThan(2.1 * near[1]);
  });

  it("is all flocks of which there are many", () => {
    const other = crowd.map(([x, y]): [number, number] => [x + 4, y]);
    const flocks = [{ first: 0, count: 100 }, { first: 100, count: 100 }];
    const follower = new Follower(flocks, [0, 0, 0], [5, 5, 0], [5, 5, 0], 0.1);
    follower.update(frameOf([...crowd, ...other]), 0.1);
    expect(follower.reach[0]).toBeGreaterThan(2.4);
  });

  it("fits into pictures of any shape", () => {
    for (const [width, height] of [[1280, 720], [720, 1280], [500, 500]] as const) {
      const { distance } = fitReach([30, 30, 5], 3, 10, width, height);
      const across = (30 * focalOf(height)) / distance;
      expect(across).toBeLessThan((MARGIN * width) / 2);
      expect(across).toBeGreaterThan(0.3 * width * Math.min(1, height / width));
    }
  });
});
