import { describe, expect, it } from "vitest";

import { closeUp } from "../src/flight/closeup";
import { Clock } from "../src/flight/clock";
import { encode } from "../src/flight/encode";
import type { Flock } from "../src/flight/state";
import { measuresOf } from "../src/flight/measures";
import { Refused } from "../src/flight/errors";
import { Model } from "../src/flight/model";
import { Neighbours, spacing } from "../src/flight/neighbours";
import { Observer } from "../src/flight/observer";
import { cos, sin } from "../src/flight/plainmath";
import { toToml } from "../src/flight/toml";
import { numberAt, withValue } from "../src/flight/values";
import { lookUp } from "../src/state/paths";
import { coordinate, decodeFrame, headingOf, speedOf } from "../src/wire/frame";
import type { SceneMessage, SpaceInfo } from "../src/wire/contracts";
import type { ServerMessage } from "../src/wire/messages";

const torus: SpaceInfo = { lower: [0, 0, 0], upper: [10, 8, 1], periodic: [true, true, false], boundaries: ["periodic", "periodic"] };
const open: SpaceInfo = { lower: [0, 0, 0], upper: [10, 10, 10], periodic: [false, false, false], boundaries: ["open", "open", "open"] };

/** Boids at the same places every time. */
function flockIn(space: SpaceInfo, dims: number, boids: number): Flock {
  let state = 7;
  const next = (): number => (state = (state * 48271) % 2147483647) / 2147483647;
  const positions = new Float32Array(3 * boids);
  const velocities = new Float32Array(3 * boids);
  for (let i = 0; i < boids; i++) {
    for (let d = 0; d < dims; d++) {
      positions[3 * i + d] = space.lower[d]! + next() * (space.upper[d]! - space.lower[d]!);
      velocities[3 * i + d] = next() - 0.5;
    }
  }
  return { dims, boids, counts: [boids], who: null, step: 12, time: 3, positions, velocities, timers: new Int32Array(boids) };
}

function distance(flock: Flock, space: SpaceInfo, a: number, b: number): number {
  let sum = 0;
  for (let d = 0; d < flock.dims; d++) {
    const side = space.upper[d]! - space.lower[d]!;
    let x = Math.abs(flock.positions[3 * a + d]! - flock.positions[3 * b + d]!);
    if (space.periodic[d]) x = Math.min(x, side - x);
    sum += x * x;
  }
  return Math.sqrt(sum);
}

describe("charts", () => {
  it("begin with the flight's first step", () => {
    const reported: ServerMessage[] = [];
    const flock = { ...flockIn(torus, 2, 8), step: 0, time: 0 };
    const scene = { space: torus, flocks: [{ name: "boids", count: 8 }] } as SceneMessage;
    const observer = new Observer(scene, (message) => reported.push(message));
    observer.begin(flock);
    expect(reported).toMatchObject([{ type: "measures", begin: true, points: [{ step: 0, time: 0 }] }]);
  });
});

describe("mathematics", () => {
  it("is right to the last places", () => {
    for (let x = -40; x < 40; x += 0.37) {
      expect(Math.abs(sin(x) - Math.sin(x))).toBeLessThan(3e-16);
      expect(Math.abs(cos(x) - Math.cos(x))).toBeLessThan(3e-16);
    }
  });
});

describe("values at paths", () => {
  const values = { "rules.a.place": [1, 2], "rules.a.weight": { kind: "ramp", start: 0, stop: 4, begin: 0, end: 2 }, dt: 1 };
  it("are fields, or parts of them", () => {
    expect(lookUp(values, "rules.a.place.1")).toBe(2);
    expect(lookUp(values, "rules.a.place.2")).toBeUndefined();
    expect(lookUp(values, "rules.b.place.2")).toBeUndefined();
    expect(lookUp(values, "rules.a.weight.stop")).toBe(4);
    expect(numberAt(lookUp(values, "rules.a.weight"), 1)).toBe(2);
    expect(numberAt("inf", 0)).toBe(Infinity);
  });
  it("change in a copy", () => {
    const other = withValue(withValue(values, "rules.a.place.0", 9), "rules.a.weight.end", 1);
    expect(lookUp(other, "rules.a.place")).toEqual([9, 2]);
    expect(numberAt(lookUp(other, "rules.a.weight"), 1)).toBe(4);
    expect(values["rules.a.place"]).toEqual([1, 2]);
  });
});

describe("near boids", () => {
  it.each([["a torus", torus, 2], ["open space", open, 3]] as const)("in %s are those of a search without cells", (_, space, dims) => {
    const flock = flockIn(space, dims, 200);
    for (const radius of [0.7, 2.2, 30]) {
      const near = new Neighbours(flock, space, 0, 200, radius);
      for (let i = 0; i < 200; i += 9) {
        const found: number[] = [];
        near.around(i, 1, (j, d2) => d2 <= radius * radius && found.push(j));
        const all = Array.from({ length: 200 }, (__, j) => j).filter((j) => j !== i && distance(flock, space, i, j) <= radius);
        expect(found.sort((a, b) => a - b)).toEqual(all);
      }
    }
    const near = new Neighbours(flock, space, 0, 200, spacing(flock, 0, 200));
    for (let i = 0; i < 200; i += 7) {
      const least = Math.min(...Array.from({ length: 200 }, (__, j) => (j === i ? Infinity : distance(flock, space, i, j))));
      expect(near.nearestDistance(i)).toBeCloseTo(least, 5);
    }
  });
});

describe("measures", () => {
  it("of a mill, and of a flock that flies one way", () => {
    const flock = flockIn(open, 3, 40);
    for (let i = 0; i < 40; i++) {
      const angle = (2 * Math.PI * i) / 40;
      flock.positions.set([5 + Math.cos(angle), 5 + Math.sin(angle), 5], 3 * i);
      flock.velocities.set([-2 * Math.sin(angle), 2 * Math.cos(angle), 0], 3 * i);
    }
    const mill = measuresOf(flock, open, 0, 40);
    expect(mill["milling"]).toBeCloseTo(1, 5);
    expect(mill["polarization"]).toBeCloseTo(0, 5);
    expect(mill["speed"]).toBeCloseTo(2, 5);
    expect(mill["nearest_neighbour_distance"]).toBeCloseTo(2 * Math.sin(Math.PI / 40), 5);
    for (let i = 0; i < 40; i++) flock.velocities.set([0, 3, 0], 3 * i);
    expect(measuresOf(flock, open, 0, 40)["polarization"]).toBeCloseTo(1, 6);
    const alone = measuresOf(flock, open, 0, 1);
    expect(alone).toMatchObject({ polarization: null, milling: null, nearest_neighbour_distance: null });
    expect(alone["speed"]).toBeCloseTo(3, 6);
  });
});

describe("frames", () => {
  it.each([["a torus", torus, 2], ["open space", open, 3]] as const)("of %s are read as they were written", (_, space, dims) => {
    const flock = flockIn(space, dims, 30);
    flock.velocities.fill(0, 0, 3); // one at rest
    const frame = decodeFrame(encode(flock, { space, scene: 4, flocks: [] }, 25, new Uint8Array(30).fill(6)));
    expect([frame.dims, frame.scene, frame.count, frame.step, frame.time, frame.rate]).toEqual([dims, 4, 30, 12, 3, 25]);
    expect(frame.hasNeighbours && frame.bytes[11]).toBe(6);
    for (let i = 0; i < 30; i++) {
      const v = [...flock.velocities.subarray(3 * i, 3 * i + 3)];
      const speed = Math.hypot(...v);
      expect(speedOf(frame, i)).toBeCloseTo(speed, 4);
      for (let d = 0; d < dims; d++) {
        expect(Math.abs(coordinate(frame, i, d) - flock.positions[3 * i + d]!)).toBeLessThan(frame.side[d]! / 131072 + 1e-5);
        if (speed > 0) expect(Math.abs(headingOf(frame, i)[d]! - v[d]! / speed)).toBeLessThan(0.005);
      }
    }
  });
});

describe("the clock", () => {
  it("asks for the steps that are due, and no more than take a moment", () => {
    const clock = new Clock(50);
    expect(clock.due(0)[0]).toBe(0);
    clock.play(1000);
    expect(clock.due(1010)).toEqual([0, 10]);
    expect(clock.due(1021)[0]).toBe(1);
    clock.advance(1, 0.1);
    expect(clock.due(1120)[0]).toBe(4);
    clock.advance(4, 80); // slow steps
    expect(clock.due(9000)[0]).toBe(1);
    clock.setRate(null, 9000);
    clock.advance(1, 1);
    expect(clock.due(9000)[0]).toBe(4);
  });
  it("makes the steps that are asked for, then rests", () => {
    const clock = new Clock(50);
    clock.runSteps(3);
    while (clock.active) clock.advance(clock.due(0)[0], 1);
    expect(clock.due(0)).toEqual([0, 200]);
  });
});

const scene = {
  flocks: [{ name: "boids", count: 5, colour: "", scale: 1 }],
  defaults: { dt: 1, "flocks.boids.count": 5, "rules.go.weight": 2, "rules.go.radius": "inf", "rules.go.place": [0, 0], "rules.go.nearest": 0 },
  schemas: {
    "rules.go": { properties: { weight: {}, radius: { exclusiveMinimum: 0, infinite: true }, place: {}, nearest: { fixed: "It is compiled" } } },
    "flocks.boids": { properties: { count: { minimum: 1, maximum: 9 } } },
  },
} as unknown as SceneMessage;

describe("the model of a page", () => {
  const tables = { name: "a", rules: { go: { weight: 2, radius: Infinity, place: [0, 0] } }, flocks: { boids: { count: 5 } } };
  it("takes what may change", () => {
    const model = new Model(scene, tables, 9);
    expect(model.set({ "rules.go.place.1": 3, "rules.go.radius": 4 })).toEqual({ "rules.go.place": [0, 3], "rules.go.radius": 4 });
    expect(toToml(model.now)).toContain("place = [0, 3]");
    expect(model.reset()).toEqual({ "rules.go.place": [0, 0], "rules.go.radius": "inf" });
    expect(toToml(model.now)).toContain("radius = inf");
  });
  it("switches rules off and on", () => {
    const model = new Model(scene, tables, 9);
    model.set({ "rules.go.weight": 7 });
    expect(model.switchRule("go", false)).toEqual({ "rules.go.weight": 0 });
    expect([...model.off]).toEqual([["go", 7]]);
    expect(model.switchRule("go", true)).toEqual({ "rules.go.weight": 7 });
    expect(model.set({ "rules.go.weight": 5 }, ["go"])).toEqual({ "rules.go.weight": 0 });
    expect(model.set({}, [])).toEqual({ "rules.go.weight": 5 });
    expect(() => model.set({}, ["nobody"])).toThrow(Refused);
    expect(() => model.switchRule("nobody", true)).toThrow(Refused);
  });
  it.each([
    [{ "rules.go.weight": "many" }, "expected a number"],
    [{ "rules.go.weight": [1] }, "is one number, no list"],
    [{ "rules.go.radius": 0 }, "expected > 0, or inf"],
    [{ "rules.go.place": [1, 2, 3] }, "needs 2 numbers"],
    [{ "rules.go.weight": { kind: "ramp", start: 0, stop: 1, begin: 5, end: 4 } }, "later than begin"],
    [{ "rules.go.weight": { kind: "steps", times: [1], values: [1] } }, "1 values for 1 times: give 2"],
    [{ "rules.go.weight": { kind: "sampled", times: [2, 1], values: [1, 1] } }, "times must increase"],
    [{ "rules.go.weight": { kind: "cycle", amplitude: 1, period: 0 } }, "period must be > 0"],
    [{ "rules.go.weight": { kind: "spiral" } }, "expected a number"],
    [{ "rules.go.nearest": 3 }, "It is compiled"],
    [{ "__proto__.weight": 3 }, "no such part"],
    [{ "flocks.boids.count": 2.5 }, "whole number"],
    [{ "flocks.boids.count": 10 }, "<= 9"],
  ])("refuses %j", (changes, said) => {
    const model = new Model(scene, tables, 9);
    expect(() => model.set(changes)).toThrow(said);
    expect(() => model.set(changes)).toThrow(Refused);
    expect(model.values).toEqual(scene.defaults);
  });
});

describe("model files", () => {
  it("hold any text", () => {
    const title = 'a "quoted" \\ </script>\u0007';
    expect(toToml({ title, "odd key": { x: 1 } })).toBe('title = "a \\"quoted\\" \\\\ </script>\\u0007"\n\n["odd key"]\nx = 1\n');
    expect(toToml({ about: "two\nlines" })).toBe('about = """\ntwo\nlines"""\n');
    expect(toToml({ rules: { a: { weight: { kind: "steps", times: [1], values: [0, 1e-7] } } } })).toBe(
      '[rules.a]\nweight = { kind = "steps", times = [1], values = [0, 1e-7] }\n',
    );
  });
});

describe("a close-up", () => {
  it("lists the neighbours of each rule", () => {
    const flock = flockIn(torus, 2, 3);
    flock.positions.set([1, 1, 0, 2, 1, 0, 9.5, 1, 0]);
    flock.velocities.set([1, 0, 0, 0, 0, 0, 0, 0, 0]);
    const values = {
      "rules.go.nearest": 0, "rules.go.radius": 3, "rules.go.field_of_view": 90, "rules.go.inner_radius": 0,
      "rules.go.moves": "", "rules.go.senses": "",
    };
    const three = { ...scene, space: torus, flocks: [{ ...scene.flocks[0]!, count: 3 }] };
    expect(closeUp(flock, three, values, 0, {}).neighbours).toEqual([1]);
    expect(closeUp(flock, three, { ...values, "rules.go.field_of_view": 180 }, 0, {}).neighbours).toEqual([1, 2]);
    expect(closeUp(flock, three, values, 1, {}).radius).toEqual([{ rule: "go", radius: 3, field_of_view: 90 }]);
  });
  it("shows the rules that act", () => {
    const flock = flockIn(torus, 2, 3);
    const three = { ...scene, space: torus, flocks: [{ ...scene.flocks[0]!, count: 3 }] };
    const values = { "rules.a.moves": "", "rules.b.moves": ["boids"], "rules.c.moves": "others", "rules.b.level": 1 };
    const wants = { a: [1, 0, 0], b: [0, 2, 0], c: [9, 9, 9] };
    expect(closeUp(flock, three, values, 0, wants).total).toEqual([1, 2, 0]);
    const levels = { ...values, "rules.a.level": 2, "flocks.boids.combine": "levels" };
    expect(closeUp(flock, three, levels, 0, wants).steering).toEqual([
      { rule: "a", vector: [1, 0, 0] }, { rule: "b", vector: [0, 0, 0] },
    ]);
    const still = { ...wants, a: [0, 0, 0] };
    expect(closeUp(flock, three, levels, 0, still).total).toEqual([0, 2, 0]);
  });
});
