import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Bytes, Channel, Numbered } from "../src/channel/channel";
import { Relay } from "../src/channel/relay";
import { Lockstep } from "../src/compare/lockstep";
import { Pair } from "../src/compare/pair";
import { halvesOf } from "../src/page/stagelayout";
import { Series } from "../src/ui/series";
import { decodeFrame } from "../src/wire/frame";
import type { MeasurePoint, StatusMessage } from "../src/wire/contracts";
import type { ServerMessage } from "../src/wire/messages";
import { frameBytes } from "./frames";

describe("lockstep", () => {
  function two(rate: number | null) {
    const asked: [number, number][] = [];
    const lockstep = new Lockstep(rate, (side, steps) => asked.push([side, steps]));
    lockstep.begin(0);
    lockstep.clock.play(0);
    return { lockstep, asked };
  }

  it("waits for the slower one", () => {
    const { lockstep, asked } = two(100);
    lockstep.advance(50);
    expect(asked).toEqual([]); // nothing is known of them yet
    expect([lockstep.frame(0, 0, 50), lockstep.together]).toEqual(["show", false]);
    expect([lockstep.frame(1, 0, 50), lockstep.together]).toEqual(["show", true]);
    lockstep.advance(60);
    const [first] = asked;
    expect(asked).toEqual([first, [1, first![1]]]);
    const goal = first![1];
    expect(goal).toBeGreaterThan(0);
    lockstep.frame(0, goal, 70);
    lockstep.advance(500);
    expect([asked.length, lockstep.together]).toEqual([2, false]);
    expect(lockstep.frame(1, goal, 510)).toBe("show");
    lockstep.advance(520);
    expect(asked.length).toBe(4);
  });

  it("asks for more steps at a time where they are quick, and rests when it is paused", () => {
    const { lockstep, asked } = two(null);
    let now = 0;
    for (let k = 0; k < 40; k++, now += 40) {
      for (const side of [0, 1] as const) lockstep.frame(side, lockstep.goal, now + 1);
      lockstep.advance(now + 36);
    }
    expect(asked.at(-1)![1]).toBeGreaterThan(asked[0]![1]);
    lockstep.clock.pause();
    const many = asked.length;
    for (const side of [0, 1] as const) lockstep.frame(side, lockstep.goal, now);
    lockstep.advance(now + 100);
    expect(asked.length).toBe(many);
    lockstep.clock.runSteps(3);
    lockstep.advance(now + 200);
    expect(asked[many]).toEqual([0, 3]);
  });

  it("drops intermediate frames, follows a simulation that another page runs, and restarts with a restarted one", () => {
    const { lockstep, asked } = two(100);
    for (const side of [0, 1] as const) lockstep.frame(side, 0, 0);
    lockstep.advance(40);
    const { goal } = lockstep;
    expect(lockstep.frame(0, goal - 1, 50)).toBe("drop");
    expect(lockstep.frame(0, goal, 60)).toBe("show");
    expect(lockstep.frame(1, goal, 60)).toBe("show");
    asked.length = 0;
    expect(lockstep.frame(0, goal + 7, 70)).toBe("show");
    expect([asked, lockstep.together]).toEqual([[[1, 7]], false]);
    expect([lockstep.frame(1, goal + 7, 80), lockstep.together]).toEqual(["show", true]);
    expect(lockstep.frame(0, 0, 90)).toBe("restart");
  });

  it("asks again for steps that do not come", () => {
    const { lockstep, asked } = two(100);
    for (const side of [0, 1] as const) lockstep.frame(side, 0, 0);
    lockstep.advance(40);
    lockstep.frame(0, lockstep.goal, 50);
    asked.length = 0;
    lockstep.advance(4000);
    expect(asked).toEqual([[1, lockstep.goal]]);
  });
});

/** A flight that answers at once; its frames come when they are let go. */
class Flight implements Channel {
  step = 900;
  sent: Numbered[] = [];
  private json: (message: ServerMessage) => void = () => undefined;
  private binary: (data: Bytes) => void = () => undefined;
  constructor(readonly number: number) {}
  send(message: Numbered): void {
    this.sent.push(message);
    if (message.type === "restart") this.step = 0;
    if (message.type === "step") this.step += message.steps;
    if (message.id !== undefined) this.tell({ type: "reply", to: message.id, ok: true, seed: 5 });
  }
  tell(message: ServerMessage): void {
    this.json(message);
  }
  frame(): void {
    this.binary(frameBytes({ dims: 2, step: this.step, boids: [[1, 1]] }));
  }
  kinds(): string[] {
    return this.sent.splice(0).map(({ type }) => type);
  }
  onJson(call: (message: ServerMessage) => void): void {
    this.json = call;
  }
  onBinary(call: (data: Bytes) => void): void {
    this.binary = call;
  }
  onState(): void {
    // it is open
  }
}

describe("a pair of flights", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }).stubGlobal("window", globalThis));
  afterEach(() => void vi.useRealTimers().unstubAllGlobals());

  const status = { type: "status", playing: true, rate: 30, steps_per_second: 30 } as StatusMessage;

  function paired() {
    const [one, other] = [new Flight(0), new Flight(1)];
    const relay = new Relay(one);
    const shown: [number[], number[]] = [[], []];
    const reported: ServerMessage[] = [];
    let again = 0;
    relay.onJson((message) => reported.push(message));
    relay.onBinary((data) => shown[0].push(decodeFrame(data).step));
    const pair = new Pair(relay, other, status, {
      frame: (data) => shown[1].push(decodeFrame(data).step),
      other: () => undefined,
      again: () => again++,
    });
    return { one, other, relay, shown, reported, pair, again: () => again };
  }

  it("begins from one seed, shows the same steps of both, and goes on alone", () => {
    const { one, other, relay, shown, reported, pair } = paired();
    expect([one.kinds(), other.kinds()]).toEqual([["pause"], ["pause"]]);
    one.frame(); // from before: given back
    expect([one.kinds(), shown]).toEqual([["credit"], [[], []]]);
    relay.send({ type: "restart", id: 7 });
    expect(other.sent.at(-1)).toMatchObject({ type: "restart", seed: 5 });
    one.kinds();
    for (let k = 0; k < 5; k++) {
      one.frame();
      vi.advanceTimersByTime(300);
      other.frame();
      vi.advanceTimersByTime(100);
    }
    expect(shown[0].length).toBe(5);
    expect(shown[1]).toEqual(shown[0]);
    expect(shown[0].every((step, k) => k === 0 || step > shown[0][k - 1]!)).toBe(true);
    relay.send({ type: "pause", id: 8 });
    expect(reported.slice(-2)).toMatchObject([{ type: "reply", to: 8 }, { type: "status", playing: false }]);
    relay.send({ type: "play", id: 9 });
    relay.send({ type: "rate", steps_per_second: 10, id: 10 });
    one.kinds();
    pair.end();
    expect(one.sent).toMatchObject([{ type: "rate", steps_per_second: 10 }, { type: "play" }]);
    one.frame();
    expect(shown[0].at(-1)).toBe(one.step);
  });

  it("lets neither fly by itself, and rests where one is lost", () => {
    const { one, other, relay, reported, again } = paired();
    one.kinds();
    one.tell({ ...status, step: 3 });
    expect([one.kinds(), reported.at(-1)]).toMatchObject([["pause"], { type: "status", playing: true }]);
    other.kinds();
    other.tell({ ...status });
    expect(other.kinds()).toEqual(["pause"]);
    other.tell({ type: "scene" } as ServerMessage);
    expect(again()).toBe(1);
    other.tell({ type: "notice", level: "error", about: "run", text: "lost" });
    one.tell({ ...status, playing: false });
    expect(reported.at(-1)).toMatchObject({ playing: false });
    relay.send({ type: "restart", id: 3 });
    one.tell({ ...status, playing: false });
    expect(reported.at(-1)).toMatchObject({ playing: true });
  });
});

it("gives two flights as much room each, beside or above each other", () => {
  const room = { width: 1300, height: 700, left: 0, right: 300, top: 60, bottom: 140 };
  const [one, other] = halvesOf(room, 40);
  expect(one).toEqual({ x: 0, y: 0, width: 500, height: 700, left: 0, right: 0, top: 60, bottom: 140, side: 500 });
  expect(other).toEqual({ x: 500, y: 0, width: 800, height: 700, left: 0, right: 300, top: 60, bottom: 140, side: 500 });
  const [upper, lower] = halvesOf({ width: 400, height: 800, left: 0, right: 0, top: 100, bottom: 60 }, 40);
  const free = [upper, lower].map(({ height, top, bottom }) => height - top - bottom);
  expect(free).toEqual([300, 300]);
  expect([upper.y, lower.y, upper.height + lower.height]).toEqual([0, upper.height, 800]);
});

it("draws the newest stretch of a flight's measures", () => {
  const series = new Series();
  const points = (times: number[]): MeasurePoint[] => times.map((time) => ({ step: time, time, flocks: { a: { m: 2 * time } } }));
  series.enter([{ name: "m", label: "m", unit: "1", about: "" }], ["a", "b"]);
  series.push(points([0, 1, 2, 3, 100, 101, 102, 103]));
  expect(series.table("m")).toEqual([[100, 101, 102, 103], [200, 202, 204, 206], [null, null, null, null]]);
  expect([series.last("m"), series.last("m", "b"), series.last("m", "c")]).toEqual([206, null, null]);
  series.push(points([1, 2]));
  expect(series.table("m")[0]).toEqual([1, 2]);
});
