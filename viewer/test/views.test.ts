import { describe, expect, it } from "vitest";

import { closeUp } from "../src/flight/closeup";
import type { Flock } from "../src/flight/state";
import { visibleDiscs } from "../src/flight/views";
import type { SceneMessage, SpaceInfo } from "../src/wire/contracts";

const space: SpaceInfo = { lower: [0, 0, 0], upper: [10, 10, 1], periodic: [false, false, false], boundaries: ["open", "open"] };

describe("views", () => {
  it("have no discs that closer ones hide", () => {
    const discs = [[2, 0], [-2, 0.3], [4, 0], [-4, 0], [0, 5]].map(([x, y]) => ({ x: x!, y: y!, diameter: 1 }));
    expect(visibleDiscs(discs)).toEqual([true, true, false, true, true]);
    expect(visibleDiscs([{ x: 0.2, y: 0, diameter: 1 }, ...discs])).toEqual([true, false, false, false, false, false]);
  });
  it("are those of the boid that is looked at", () => {
    const positions = new Float32Array([5, 4, 0, 7, 4, 0, 9, 4, 0, 5, 6, 0]);
    const flock: Flock = { dims: 2, boids: 4, counts: [4], who: null, step: 0, time: 0, positions, velocities: new Float32Array(12), timers: new Int32Array(4) };
    const values = {
      "rules.go.nearest": 0, "rules.go.radius": 9, "rules.go.field_of_view": 180, "rules.go.inner_radius": 0,
      "rules.go.moves": "", "rules.go.senses": "", "rules.go.neighbours": "visible", "flocks.boids.diameter": 1,
    };
    const scene = { space, flocks: [{ name: "boids", count: 4 }] } as SceneMessage;
    expect(closeUp(flock, scene, values, 0, {}).neighbours).toEqual([1, 3]);
    expect(closeUp(flock, scene, { ...values, "rules.go.nearest": 1 }, 2, {}).neighbours).toEqual([1]);
    expect(closeUp(flock, scene, { ...values, "rules.go.inner_radius": 3 }, 0, {}).neighbours).toEqual([]);
  });
});
