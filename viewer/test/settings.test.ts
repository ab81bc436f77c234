import { describe, expect, it } from "vitest";
import { changesTo, differencesOf, KeptSettings, nameOfSetting, wordsOf, type Setting } from "../src/page/settings";
import type { Plain, SceneMessage } from "../src/wire/contracts";

const W = "rules.cohesion.weight";
const VIEW = "rules.cohesion.field_of_view";
const schemas = { "rules.cohesion": { properties: { field_of_view: { unit: "degrees" } } } };
const defaults: Record<string, Plain> = { [W]: 1, [VIEW]: 270, "rules.home.weight": 4, "rules.home.place": [1, 2], dt: 1 };
const scene = { defaults, schemas } as unknown as SceneMessage;
const setting = (values: Record<string, Plain>, ...off: string[]): Setting => ({ values: { ...defaults, ...values }, off });

describe("a setting", () => {
  it.each([
    [setting({}), "as in the model"],
    [setting({ [W]: 2, [VIEW]: 120 }), "cohesion weight 2, cohesion field of view 120°"],
    [setting({ "rules.home.place": [1, 3] }), "home place 1, 3"],
    [setting({ "rules.home.weight": 9 }, "home"), "home weight off"],
    [setting({ [W]: 2, [VIEW]: 120, dt: 2, "rules.home.weight": 1 }), "cohesion weight 2, cohesion field of view 120° and 2 more"],
    [setting({ [W]: "inf", dt: { kind: "ramp" } }), "cohesion weight ∞, time step a schedule"],
    [setting({ "rules.home.place": new Array<number>(80).fill(7) }), "setting 3"],
  ])("is called by what differs", (one, name) => {
    expect(nameOfSetting(one, scene, 3)).toBe(name);
  });

  it("differs from another in both directions", () => {
    const differences = differencesOf(setting({ [W]: 0.5 }), setting({ [W]: 2 }, "home"), schemas);
    expect(differences).toEqual([
      { name: "cohesion weight", one: "0.5", other: "2" },
      { name: "home weight", one: "4", other: "off" },
    ]);
    expect(wordsOf(differences, "other")).toBe("cohesion weight 2, home weight off");
  });

  it("is asked for by what is not so already, of what there is", () => {
    expect(changesTo(setting({ [W]: 2, "rules.gone.weight": 1 }, "gone"), setting({}))).toEqual({ values: { [W]: 2 }, off: [] });
    expect(changesTo(setting({}, "home"), setting({}))).toEqual({ values: {}, off: ["home"] });
    expect(changesTo(setting({}, "home"), setting({}, "home"))).toBeNull();
  });
});

it("keeps settings by flock, under names of their own", () => {
  const kept = new KeptSettings();
  const one = kept.keep("a", setting({}), "loose");
  const two = kept.keep("a", setting({ [W]: 2 }), "loose");
  expect(kept.of("a").map(({ name }) => name)).toEqual(["loose", "loose (2)"]);
  kept.rename("a", two, "  tight  ");
  kept.rename("a", two, " ");
  kept.rename("a", one, "loose");
  expect(kept.of("a").map(({ name }) => name)).toEqual(["loose", "tight"]);
  kept.remove("a", one);
  expect(kept.of("a")).toEqual([two]);
  expect(kept.of("b")).toEqual([]);
});
