import { describe, expect, it } from "vitest";

import { changesIn, differences, encodeChanges, hashWith, linked, unlinked, type Changes } from "../src/page/link";

describe("links", () => {
  const changes: Changes = {
    version: 1, seed: "12", off: ["cohésion"], view: { style: "light" }, values: { "rules.a.weight": 0.5, "rules.a.radius": "inf" },
    camera: { azimuth: 12.5, elevation: 3, zoom: 2, pan: [0, 1, 2] },
  };
  it("hold what was changed", () => {
    const text = encodeChanges(changes);
    expect(text).toMatch(/^[\w-]+$/);
    expect(changesIn(`#flock=${text}`)).toEqual(changes);
    expect(changesIn(`#draw=gl&flock=${text}`)).toEqual(changes);
  });
  it("are empty where nothing was", () => {
    expect(encodeChanges({ version: 1 })).toBe("");
    expect(changesIn("")).toBeNull();
    expect(changesIn("#draw=gl")).toBeNull();
    expect(hashWith("#flock=abc", "")).toBe("");
    expect(hashWith("#draw=gl&flock=abc", "xyz")).toBe("#draw=gl&flock=xyz");
  });
  it.each(["#flock=bnVsbA", "#flock=e30", "#flock=_", "#flock=abc"])("refuse %s", (hash) => {
    expect(() => changesIn(hash)).toThrow();
  });
  it("use what can be used", () => {
    const odd = {
      version: 1, values: [1], off: "all", seed: "1e9", camera: { azimuth: "x", pan: [] },
      view: { style: "neon", trails: 99, follow: "boid", box: true },
    } as unknown as Changes;
    expect(changesIn(`#flock=${encodeChanges(odd)}`)).toEqual({ version: 1, view: { trails: 60, box: true } });
    const nothing = { version: 1, values: null, view: {} } as unknown as Changes;
    expect(changesIn(`#flock=${encodeChanges(nothing)}`)).toEqual({ version: 1 });
  });
  it("hold kept settings by what differs", () => {
    const defaults = { "rules.a.weight": 1, "rules.a.radius": 5, dt: 1 };
    const kept = { name: "wider", values: { ...defaults, "rules.a.radius": 9 }, off: ["a"] };
    const short = linked(kept, defaults);
    expect(short).toEqual({ name: "wider", values: { "rules.a.radius": 9 }, off: ["a"] });
    const text = encodeChanges({ version: 1, kept: [short], compared: linked({ ...kept, values: defaults, off: [] }, defaults) });
    const opened = changesIn(`#flock=${text}`)!;
    expect(opened.kept!.map((one) => unlinked(one, defaults))).toEqual([kept]);
    expect(opened.compared).toEqual({ name: "wider" });
  });
  it("use of kept settings what can be used", () => {
    const odd = { version: 1, kept: [null, 3, { name: "" }, { name: "b".repeat(99), values: [1], off: 3 }], compared: { values: {} } };
    const opened = changesIn(`#flock=${encodeChanges(odd as unknown as Changes)}`)!;
    expect(opened).toEqual({ version: 1, kept: [{ name: "b".repeat(80) }] });
    const strange = { name: "c", values: { "rules.nobody.weight": 2, toString: 1 }, off: ["nobody"] };
    expect(unlinked(strange, { dt: 1 })).toEqual({ name: "c", values: { dt: 1 }, off: [] });
  });
  it("hold differences alone", () => {
    expect(differences({ a: 1, b: [2] }, { a: 1, b: [3] })).toEqual({ b: [2] });
    expect(differences({ a: 1 }, { a: 1 })).toBeUndefined();
  });
});
