import { describe, expect, it } from "vitest";
import { rangeOf, roundUp, stepOf } from "../src/controls/ranges";
import { isSchedule, scheduleAt, schedulePaths, scheduleSpan } from "../src/controls/schedule";
import { boundsOf, filmText, firstChoice, lengthIn, stepsOf } from "../src/controls/filmchoice";
import { nameOf, formatNumber, specsOf } from "../src/controls/specs";
import { readTyped } from "../src/controls/typed";
import { putAt, valueAt } from "../src/state/paths";
import type { JsonSchema, Table } from "../src/wire/contracts";

const SIZES = { length: 100, speed: 10 };
const SCALAR = { oneOf: [{ type: "number" }, { $ref: "#/$defs/Ramp" }] };
const COHESION: JsonSchema = {
  properties: {
    kind: { type: "string", default: "" },
    moves: { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }], default: "" },
    weight: { ...SCALAR, default: 1, unit: "", slider: [-1, 1], infinite: false, description: "How strong." },
    radius: { ...SCALAR, default: Infinity, exclusiveMinimum: 0, unit: "length", infinite: true },
    nearest: { type: "integer", default: 0, minimum: 0, maximum: 64 },
    field_of_view: { ...SCALAR, default: 180, exclusiveMinimum: 0, maximum: 180, unit: "degrees" },
    include_self: { type: "boolean", default: false },
    form: { type: "string", enum: ["plain", "steering"], default: "plain" },
    place: { type: "array", items: SCALAR, unit: "length" },
    along: { anyOf: [{ type: "array", items: SCALAR }, { type: "null" }], default: null, unit: "" },
  } as Record<string, JsonSchema>,
};

describe("schema to controls", () => {
  const specs = specsOf(COHESION, "rules.c", { "rules.c.weight": 3, "rules.c.place": [1, 2, 3] }, { "rules.c.weight": 3 }, SIZES);
  const of = (name: string): (typeof specs)[number] | undefined => specs.find((s) => s.path === `rules.c.${name}`);

  it("makes one control a field, and none for what a part is", () => {
    expect(specs.map((s) => [s.path.slice(8), s.kind])).toEqual([
      ["weight", "number"], ["radius", "number"], ["nearest", "number"], ["field_of_view", "number"],
      ["include_self", "switch"], ["form", "choice"], ["place", "vector"],
    ]);
  });

  it("keeps bounds, units and descriptions", () => {
    expect(of("weight")).toMatchObject({ about: "How strong.", label: "weight" });
    expect(of("field_of_view")).toMatchObject({ label: "field of view", unit: "degrees", range: { max: 180, most: 180 } });
    expect(of("nearest")).toMatchObject({ whole: true, range: { min: 0, max: 64, step: 1 } });
    expect(of("radius")).toMatchObject({ range: { infinite: true } });
    expect(of("place")).toMatchObject({ axes: ["x", "y", "z"] });
  });

  it("shows a schedule where a number is one", () => {
    const weight = { kind: "ramp", start: 0, stop: 1, end: 5 };
    const [spec] = specsOf(COHESION, "rules.c", { "rules.c.weight": weight }, {}, SIZES);
    expect(spec).toMatchObject({ path: "rules.c.weight", kind: "schedule" });
  });
});

describe("ranges", () => {
  it("scale with the value the model came with", () => {
    const weight = { slider: [-1, 1], unit: "" };
    expect(rangeOf(weight, 3, 3, SIZES)).toMatchObject({ min: -4, max: 8 });
    expect(rangeOf(weight, 0.01, 0.01, SIZES)).toMatchObject({ min: -0.0125, max: 0.025 });
    expect(rangeOf(weight, 0, 0, SIZES)).toMatchObject({ min: -0.5, max: 1 });
  });
  it("hold the present value", () => {
    expect(rangeOf({ minimum: 0, unit: "" }, 90, 1, SIZES).max).toBeGreaterThanOrEqual(90);
  });
  it("stay above an open lower bound", () => {
    const { min, step } = rangeOf({ exclusiveMinimum: 0, unit: "length" }, 5, 5, SIZES);
    expect(min).toBe(step);
  });
  it("are round", () => {
    expect([roundUp(7.5), roundUp(0.021), roundUp(1), roundUp(812)]).toEqual([8, 0.025, 1, 1000]);
    expect([stepOf(12), stepOf(1), stepOf(240)]).toEqual([0.05, 0.005, 1]);
  });
});

describe("numbers as text", () => {
  const bounds = { least: 0, most: 10, above: false, infinite: true };
  const value = (text: string, more: object = {}, whole = false): unknown => {
    const typed = readTyped(text, { ...bounds, ...more }, whole);
    return "value" in typed ? typed.value : typed.fault;
  };
  it("are read", () => {
    expect([value("2,5"), value(" 10 "), value("inf"), value("∞"), value("1e-3")]).toEqual([2.5, 10, Infinity, Infinity, 0.001]);
    expect([value("20,000", { most: Infinity }, true), value("-3", { least: -Infinity }, true)]).toEqual([20000, -3]);
  });
  it("are refused with what is allowed, and never bent to it", () => {
    expect(value("abc")).toBe("“abc” is not a number. Allowed: a number from 0 to 10, or inf.");
    expect(value("99")).toBe("“99” is too large. Allowed: a number from 0 to 10, or inf.");
    expect(value("-1", { most: Infinity, infinite: false })).toBe("“-1” is too small. Allowed: a number, 0 or more.");
    expect(value("0", { above: true, most: Infinity })).toBe("“0” is too small. Allowed: a number above 0, or inf.");
    expect(value("2.6", { infinite: false }, true)).toBe("“2.6” is not a whole number. Allowed: a whole number from 0 to 10.");
    expect(value("inf", { infinite: false })).toContain("is not a finite number");
    expect(value("-inf")).toContain("is not a finite number");
    expect(value("1e999", { most: Infinity })).toContain("is too large");
    expect(value(" ")).toContain("The field is empty");
  });
  it("are shown short", () => {
    expect([formatNumber(0.1 + 0.2), formatNumber(Infinity), formatNumber(12345), formatNumber(1e-7)]).toEqual(["0.3", "∞", "12345", "1.0e-7"]);
  });
});

it("names numbers where their rows are not seen", () => {
  expect(["rules.cohesion.weight", "flocks.boids.motion.max_speed", "obstacles.stone.radius", "dt", "rules.roost"].map(nameOf)).toEqual([
    "cohesion weight", "boids max speed", "stone radius", "time step", "roost",
  ]);
});

describe("films", () => {
  const view = { frames_per_second: 24, every: 2, steps: 480 };
  it("are as long as the model says, until asked otherwise", () => {
    const { steps, unit } = firstChoice(view);
    expect([steps, unit, lengthIn("seconds", steps, view), lengthIn("steps", steps, view)]).toEqual([480, "seconds", 10, 480]);
    expect(firstChoice({ steps: 99_999 }).steps).toBe(20_000);
  });
  it("have whole pictures, one at least", () => {
    expect([stepsOf("seconds", 2.5, view), stepsOf("seconds", 0.001, view), stepsOf("steps", 7, view)]).toEqual([120, 2, 7]);
    expect(filmText(7, view)).toBe("3 pictures at 24 per second: 0.125 s of film, 7 steps of the simulation.");
  });
  it("are no longer than Python makes them", () => {
    expect(boundsOf("steps", view)).toMatchObject({ least: 2, most: 20_000 });
    const { most } = boundsOf("seconds", view);
    expect(stepsOf("seconds", most, view)).toBeLessThanOrEqual(20_000);
  });
});

describe("schedules", () => {
  const steps: Table = { kind: "steps", times: [5, 8], values: [0, 1.2, 0.4] };
  it("hold the numbers that Python gives", () => {
    expect([0, 4.9, 5, 7, 8, 99].map((t) => scheduleAt(steps, t))).toEqual([0, 0, 1.2, 1.2, 0.4, 0.4]);
    const ramp: Table = { kind: "ramp", start: 1, stop: 3, begin: 2, end: 4 };
    expect([0, 3, 9].map((t) => scheduleAt(ramp, t))).toEqual([1, 2, 3]);
    const cycle: Table = { kind: "cycle", mean: 1, amplitude: 2, period: 4, phase: 0 };
    expect(scheduleAt(cycle, 1)).toBeCloseTo(3, 12);
    const sampled: Table = { kind: "sampled", times: [0, 2], values: [1, 5] };
    expect([-1, 1, 3].map((t) => scheduleAt(sampled, t))).toEqual([1, 3, 5]);
  });
  it("have a path for each of their numbers", () => {
    expect(schedulePaths(steps, "rules.a.weight").map(({ path }) => path)).toEqual([
      "rules.a.weight.times.0", "rules.a.weight.times.1",
      "rules.a.weight.values.0", "rules.a.weight.values.1", "rules.a.weight.values.2",
    ]);
    expect(scheduleSpan(steps)).toBeCloseTo(8.8, 9);
  });
  it("differ from other tables", () => {
    expect([isSchedule(steps), isSchedule({ kind: "ball" }), isSchedule(3), isSchedule(null)]).toEqual([true, false, false, false]);
  });
});

it("finds and puts values by dotted paths", () => {
  const table: Table = { rules: { a: { place: [1, 2, 3] } } };
  expect(valueAt(table, "rules.a.place.2")).toBe(3);
  expect(valueAt(table, "rules.b.weight")).toBeUndefined();
  putAt(table, "rules.a.place.1", 7);
  putAt(table, "rules.b.weight", 1);
  expect(table).toEqual({ rules: { a: { place: [1, 7, 3] }, b: { weight: 1 } } });
});
