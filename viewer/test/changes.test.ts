import { describe, expect, it } from "vitest";
import { Changes } from "../src/page/changes";
import { History } from "../src/state/history";
import type { Plain, SceneMessage } from "../src/wire/contracts";
import type { PageMessage } from "../src/wire/messages";

/** A model that answers immediately, like Python: with the values, then the reply. */
function page(values: Record<string, Plain>, off: string[] = []) {
  const defaults = { ...values };
  const scene = { values, defaults, off, schemas: {}, model: {} } as unknown as SceneMessage;
  const kept: Record<string, Plain> = {};
  const said: string[] = [];
  let next: { undo: string | null; redo: string | null } = { undo: null, redo: null };
  const weight = (rule: string): string => `rules.${rule}.weight`;
  const tell = (now: Record<string, Plain>, rules: string[]): void => {
    changes.noteWeights(rules);
    scene.off = rules;
    Object.assign(scene.values, now);
  };
  /** As another page may have sent it. */
  const take = (message: PageMessage): void => {
    if (message.type === "set") {
      const { values, off = scene.off.filter((rule) => !(weight(rule) in values)) } = message;
      const next: Record<string, Plain> = Object.fromEntries(scene.off.map((rule) => [weight(rule), kept[rule]!]));
      Object.assign(next, values);
      for (const rule of off) {
        kept[rule] = next[weight(rule)] ?? scene.values[weight(rule)]!;
        next[weight(rule)] = 0;
      }
      tell(next, off);
    } else if (message.type === "reset") tell(defaults, []);
    else if (message.type === "switch" && message.on === scene.off.includes(message.rule)) {
      const { rule, on } = message;
      if (!on) kept[rule] = scene.values[weight(rule)]!;
      tell({ [weight(rule)]: on ? kept[rule]! : 0 }, on ? scene.off.filter((name) => name !== rule) : [...scene.off, rule]);
    }
  };
  const late = { messages: null as PageMessage[] | null };
  const send = (message: PageMessage): Promise<never> => {
    if (late.messages) late.messages.push(message);
    else answer(message);
    return new Promise(() => undefined);
  };
  const answer = (message: PageMessage): void => {
    const wrong = message.type === "set" && Object.values(message.values).includes(-1);
    if (wrong) changes.refused("too small", message);
    else take(message);
    changes.settled(message);
  };
  const changes: Changes = new Changes(
    () => scene,
    () => ({ send, set: (path, value) => void send({ type: "set", values: { [path]: value } }) }),
    () => ({ setValues: () => undefined, refuse: () => false, setHistory: (now) => (next = now) }),
    { say: (text) => void said.push(text) },
  );
  return { scene, changes, take, said, late, answer, next: () => next };
}

const W = "rules.cohesion.weight";

describe("changes", () => {
  it("are undone and redone in order", () => {
    const { scene, changes, said, next } = page({ [W]: 1, form: "plain" });
    changes.set(W, 2, true);
    changes.set("form", "steering", true);
    expect(next()).toEqual({ undo: "form", redo: null });
    changes.go(0);
    expect(scene.values).toEqual({ [W]: 2, form: "plain" });
    changes.go(0);
    expect(scene.values).toEqual({ [W]: 1, form: "plain" });
    expect(said.at(-1)).toBe("Undone: cohesion weight is 1.");
    changes.go(0);
    expect(said.at(-1)).toBe("There is nothing to undo.");
    changes.go(1);
    changes.go(1);
    expect(scene.values).toEqual({ [W]: 2, form: "steering" });
    changes.go(0);
    changes.set(W, 5, true);
    expect(next().redo).toBeNull();
  });

  it("of a drag are one", () => {
    const { scene, changes, next } = page({ [W]: 1 });
    for (const value of [1.5, 2, 2.5]) changes.set(W, value, false);
    changes.set(W, 2.5, true);
    changes.go(0);
    expect([scene.values[W], next().undo]).toEqual([1, null]);
    changes.set(W, 3, false);
    changes.set(W, 1, false);
    changes.set(W, 1, true);
    expect(next().undo).toBeNull(); // it is where it was
  });

  it("that are refused are none", () => {
    const { scene, changes, said, next } = page({ [W]: 1 });
    changes.set(W, -1, true);
    expect([said, next().undo, scene.values[W]]).toEqual([["too small"], null, 1]);
  });

  it("of others stay", () => {
    const { scene, changes, take, said } = page({ [W]: 1, "rules.cohesion.radius": 9 });
    changes.set(W, 2, true);
    changes.set("rules.cohesion.radius", 5, true);
    take({ type: "set", values: { "rules.cohesion.radius": 7 } });
    changes.go(0);
    expect([scene.values["rules.cohesion.radius"], said.at(-1)]).toEqual([7, "Another page has changed this value since, so it is not undone."]);
    changes.go(0);
    expect(scene.values).toEqual({ [W]: 1, "rules.cohesion.radius": 7 });
  });

  it("of switches keep the weight", () => {
    const { scene, changes } = page({ [W]: 1 });
    changes.set(W, 2, true);
    changes.switchRule("cohesion", false);
    expect([scene.values[W], scene.off]).toEqual([0, ["cohesion"]]);
    changes.set(W, 3, true); // which switches it on
    changes.go(0);
    expect([scene.values[W], scene.off]).toEqual([0, ["cohesion"]]);
    changes.go(0);
    expect([scene.values[W], scene.off]).toEqual([2, []]);
    changes.go(0);
    expect(scene.values[W]).toBe(1);
  });

  it("do not switch a rule on that another page has switched off", () => {
    const { scene, changes, take } = page({ [W]: 1 });
    changes.set(W, 2, true);
    take({ type: "switch", rule: "cohesion", on: false });
    changes.go(0);
    expect(scene.off).toEqual(["cohesion"]);
    take({ type: "switch", rule: "cohesion", on: true });
    expect(scene.values[W]).toBe(1);
  });

  it("are undone in order before they are answered", () => {
    const { scene, changes, late, answer } = page({ [W]: 1 });
    changes.set(W, 2, true);
    changes.switchRule("cohesion", false);
    late.messages = [];
    changes.go(0);
    changes.go(0);
    late.messages.forEach(answer);
    expect([scene.values[W], scene.off]).toEqual([1, []]);
    late.messages = [];
    changes.go(1);
    changes.go(1);
    late.messages.forEach(answer);
    expect([scene.values[W], scene.off]).toEqual([0, ["cohesion"]]);
  });

  it("of a reset come back together", () => {
    const { scene, changes } = page({ [W]: 1, dt: 1, "rules.home.weight": 4 });
    changes.set(W, 2, true);
    changes.set("dt", 0.5, true);
    changes.switchRule("home", false);
    changes.reset();
    expect([scene.values, scene.off]).toEqual([{ [W]: 1, dt: 1, "rules.home.weight": 4 }, []]);
    changes.go(0);
    expect([scene.values, scene.off]).toEqual([{ [W]: 2, dt: 0.5, "rules.home.weight": 0 }, ["home"]]);
  });
});

it("takes back what was asked for, before it is answered", () => {
  const history = new History(() => 1);
  history.change({ a: 2 });
  history.change({ a: 3 });
  expect(history.go(0)).toEqual({ a: 2 });
  expect(history.go(0)).toEqual({ a: 1 });
});

it("knows a value as the model has rounded it", () => {
  let held: Plain = 1;
  const history = new History(() => held);
  history.change({ a: 2.0000001 });
  held = 2;
  history.settle({ a: 2.0000001 });
  expect(history.go(0)).toEqual({ a: 1 });
});

describe("settings", () => {
  it("are gone back to as one change, rules off and on with it", () => {
    const { scene, changes, said, next } = page({ [W]: 1, dt: 1, "rules.home.weight": 4 });
    changes.set(W, 2, true);
    changes.switchRule("home", false);
    const { setting } = changes;
    expect(setting).toEqual({ values: { [W]: 2, dt: 1, "rules.home.weight": 4 }, off: ["home"] });
    changes.set(W, 3, true);
    changes.switchRule("home", true);
    changes.set("rules.home.weight", 5, true);
    changes.restore(setting);
    expect([scene.values, scene.off]).toEqual([{ [W]: 2, dt: 1, "rules.home.weight": 0 }, ["home"]]);
    expect(next().redo).toBeNull();
    changes.go(0);
    expect([scene.values, scene.off]).toEqual([{ [W]: 3, dt: 1, "rules.home.weight": 5 }, []]);
    changes.go(1);
    expect([scene.values, scene.off]).toEqual([{ [W]: 2, dt: 1, "rules.home.weight": 0 }, ["home"]]);
    changes.switchRule("home", true);
    expect(scene.values["rules.home.weight"]).toBe(4);
    changes.switchRule("home", false);
    changes.restore(setting);
    expect(said.at(-1)).toBe("The flock has these numbers already.");
  });

  it("take one request", () => {
    const { changes, late } = page({ [W]: 1, "rules.home.weight": 4, "rules.wind.weight": 1 }, ["wind"]);
    late.messages = [];
    changes.restore({ values: { [W]: 2, "rules.gone.weight": 1 }, off: ["home", "gone"] });
    expect(late.messages).toEqual([{ type: "set", values: { [W]: 2 }, off: ["home"] }]);
  });
});
