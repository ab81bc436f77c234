import { describe, expect, it } from "vitest";
import { commandsOf } from "../src/flight/controls";
import type { Controls } from "../src/wire/messages";
import type { SceneMessage } from "../src/wire/contracts";
import { askedBy, controlOf, paceOf, reportOf } from "../src/page/embedding";
import { Clock } from "../src/flight/clock";
import { Limit } from "../src/flight/limit";

const at = (step: number, dt = 0.1) => ({ step, dt, time: step * dt });
const until = (time: number, playing: boolean, begun = 0, orders = 0) => ({ type: "until" as const, time, playing, begun, orders });

describe("a flight that others wait for", () => {
  it("flies as far as it is let, and says where it is, once", () => {
    const [limit, clock] = [new Limit(), new Clock(24)];
    expect([limit.waitedFor, limit.steps(at(7)), limit.reached(at(7), clock)]).toEqual([false, Infinity, null]);
    limit.set(until(0.3, true), at(0), clock, 0);
    expect([limit.waitedFor, clock.playing]).toEqual([true, true]);
    expect([0, 1, 3, 4].map((step) => limit.steps(at(step)))).toEqual([3, 2, 0, 0]);
    expect(limit.reached(at(3), clock)).toEqual({ type: "reached", ...at(3), playing: true, begun: 0, orders: 0 });
    expect(limit.reached(at(3), clock)).toBeNull();
  });

  it("is brought to the place of the others where they rest", () => {
    const [limit, clock] = [new Limit(), new Clock(24)];
    clock.play(0);
    limit.set(until(1, false), at(6), clock, 0);
    expect([clock.playing, clock.active]).toEqual([false, true]);
    clock.advance(4, 1);
    expect(clock.active).toBe(false);
    limit.set(until(1, false), at(10), clock, 0);
    expect(clock.active).toBe(false);
    limit.set(until(1.5, true), at(10), clock, 0);
    expect(clock.playing).toBe(true);
  });

  it("heeds its own page where the page around did not know yet", () => {
    const [limit, clock] = [new Limit(), new Clock(24)];
    limit.set(until(1, true), at(0), clock, 0);
    limit.reached(at(3), clock);
    clock.pause();
    limit.ordered();
    limit.set(until(2, true), at(3), clock, 0); // was under way
    expect(clock.playing).toBe(false);
    expect(limit.reached(at(3), clock)).toMatchObject({ playing: false, orders: 1 });
    limit.restart();
    limit.set(until(2, false, 0, 1), at(0), clock, 0); // was under way
    expect(clock.active).toBe(false);
    expect(limit.reached(at(0), clock)).toMatchObject({ begun: 1, orders: 1 });
    limit.set(until(0.2, false, 1, 1), at(0), clock, 0);
    expect(clock.active).toBe(true);
  });

  it("waits for another limit when it has begun anew, and says so", () => {
    const [limit, clock] = [new Limit(), new Clock(24)];
    limit.set(until(5, true), at(0), clock, 0);
    limit.reached(at(0), clock);
    limit.restart();
    expect(limit.steps(at(0))).toBe(0);
    expect(limit.reached(at(0), clock)).toMatchObject({ step: 0, begun: 1 });
  });
});

describe("what the page around says", () => {
  it("is asked of the flight in its own time", () => {
    const pace = paceOf({ dt: 0.5, view: { frames_per_second: 10, every: 2 } });
    expect(pace).toBe(10);
    expect(askedBy({ murmurate: "until", seconds: 1.5, playing: false, begun: 2, orders: 4 }, pace)).toEqual(until(15, false, 2, 4));
    expect(askedBy({ murmurate: "restart" }, pace)).toEqual({ type: "restart" });
    expect(reportOf({ type: "reached", ...at(100, 0.5), playing: true, begun: 2, orders: 4 }, pace))
      .toEqual({ murmurate: "reached", seconds: 5, step: 0.05, playing: true, begun: 2, orders: 4 });
  });

  it("is left alone where it is anything else", () => {
    const said = { murmurate: "until", seconds: 1, playing: true, begun: 0, orders: 0 };
    expect(askedBy(said, 1)).not.toBeNull();
    for (const data of [
      null, "until", 7, {}, { murmurate: "toml" }, { murmurate: "until" }, { ...said, seconds: "1" }, { ...said, seconds: NaN },
      { ...said, seconds: -1 }, { ...said, seconds: Infinity }, { ...said, playing: 1 }, { ...said, begun: null }, { ...said, orders: "0" },
    ]) expect(askedBy(data, 1)).toBeNull();
  });
});

describe("a program that controls boids", () => {
  const scene = { dims: 2, flocks: [{ name: "birds" }, { name: "boids" }], model: { rules: { lead: { kind: "command" } } } } as unknown as SceneMessage;
  const states = { birds: [], boids: ["motion.spin", "rules.lead.x", "rules.lead.y", "rules.lead.z", "rules.lead.commanded"] };
  const flock = { counts: [2, 3], who: null };
  const rowsOf = (controls: Controls): number[][] => commandsOf(controls, scene, states, flock).map(({ rows }) => [...rows]);

  it("requests steps, by default one without commands", () => {
    expect(controlOf({ murmurate: "until" })).toBeNull();
    expect(controlOf({ murmurate: "step" })).toEqual({ to: null, request: { type: "control", steps: 1, controls: {} } });
    for (const wrong of [{ steps: 0.5 }, { steps: "2" }, { controls: [1] }, { controls: { boids: 3 } }, { controls: null }]) {
      expect(typeof controlOf({ murmurate: "step", id: 4, ...wrong })!.request).toBe("string");
    }
  });

  it("leaves boids without a vector to their other rules", () => {
    const vectors = [[1, 2], [NaN, NaN], [3, 4]];
    expect(rowsOf({ boids: vectors })).toEqual([[1, 0, 3, 2, 0, 4, 0, 0, 0, 1, 0, 1]]);
    expect(rowsOf({ boids: new Float64Array(vectors.flat()) })).toEqual(rowsOf({ boids: vectors }));
    expect(rowsOf({ boids: null })).toEqual([new Array(12).fill(0)]);
    expect(rowsOf({ boids: { ids: [2, 0], vectors: [[5, 6], [NaN, NaN]] } })).toEqual([[0, 0, 5, 0, 0, 6, 0, 0, 0, 0, -1, 1]]);
    expect(commandsOf({ boids: null }, scene, states, flock)[0]).toMatchObject({ row: 1, first: 2, count: 3 });
    for (const wrong of [[[1, 2], [NaN, 1], [3, 4]], [[1, 2], [Infinity, 1], [3, 4]], vectors.map(() => [NaN, NaN])]) {
      expect(() => rowsOf({ boids: wrong })).toThrow(/row 1|got NaN for every boid/);
    }
    expect(() => rowsOf({ birds: null })).toThrow("0 rules of kind 'command'");
  });
});
