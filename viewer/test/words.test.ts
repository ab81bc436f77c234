import { beforeEach, describe, expect, it } from "vitest";

import { readTyped } from "../src/controls/typed";
import { formatNumber } from "../src/controls/specs";
import { count, decimals, keyOf, languageNow, listed, speak, t, tm, tn, type Words } from "../src/words";

/** As languages.py packs them. */
function packed(texts: Record<string, string[]>, language = ""): Words {
  const keys = Object.keys(texts).map((text) => {
    const key = keyOf(text);
    return String.fromCharCode(key >> 16, (key >> 8) & 255, key & 255);
  });
  const plurals = { es: `10${"1".repeat(198)}`, fr: `00${"1".repeat(198)}`, xx: Array.from({ length: 200 }, (_, n) => n % 10).join("") };
  return { language, plurals, keys: btoa(keys.join("")), texts: Object.values(texts).flat().join("\n") };
}

const WORDS = packed({
  "Save film": ["Guardar", "Enregistrer", ""],
  "{n} boid": ["{n} boid\t{n} boids", "{n} boid\t{n} boids", "0\t1\t2\t3\t4\t5\t6\t7\t8\t9"],
  "{a} of {b}": ["{b}: {a}", "", ""],
  "model\u0004field of view": ["campo visual", "", ""],
});

beforeEach(() => speak(WORDS, ["en-GB"]));

describe("messages", () => {
  it("have the keys of languages.py", () => {
    expect(keyOf("Waiting for the flock …").toString(16).padStart(6, "0")).toBe("087e3b");
    expect(keyOf("model\u0004boids 🐦").toString(16)).toBe("b7f5c8");
  });
  it("are in the first language of the reader that there is", () => {
    for (const [wanted, text, language] of [
      [["de", "fr-CA", "es"], "Enregistrer", "fr"], [["en-US", "es"], "Save film", "en"], [["de"], "Save film", "en"], [["ES-mx"], "Guardar", "es"],
    ] as const) {
      speak(WORDS, wanted);
      expect([t("Save film"), languageNow()]).toEqual([text, language]);
    }
  });
  it("are in the language of the page, whatever the reader's is", () => {
    speak(packed({ "Save film": ["Guardar", "", ""] }, "es"), ["fr", "en"]);
    expect([t("Save film"), languageNow(), formatNumber(0.5)]).toEqual(["Guardar", "es", "0,5"]);
    speak({ language: "en", plurals: {}, keys: "", texts: "" }, ["es"]);
    expect([t("Save film"), languageNow(), formatNumber(0.5)]).toEqual(["Save film", "en", "0.5"]);
  });
  it("have values, and are English without a translation", () => {
    speak(WORDS, ["es"]);
    expect(t("{a} of {b}", { a: 20000, b: "x" })).toBe("x: 20.000");
    expect(t("{a} of {b}", { a: 1.5 })).toBe("{b}: 1,5");
    speak(WORDS, ["fr"]);
    expect(t("{a} of {b}", { a: 1, b: 2 })).toBe("1 of 2");
    expect([t("quoi ?"), tm("quoi : ?")]).toEqual(["quoi\u00a0?", "quoi\u00a0:\u00a0?"]); // no line ends there
  });
  it("have the plural forms of their catalogue", () => {
    const forms = (language: string, ...numbers: number[]): string[] => {
      speak(WORDS, [language]);
      return numbers.map((n) => tn("{n} boid", "{n} boids", n));
    };
    expect(forms("en", 0, 1, 2)).toEqual(["0 boids", "1 boid", "2 boids"]);
    expect(forms("es", 0, 1, 2)).toEqual(["0 boids", "1 boid", "2 boids"]);
    expect(forms("fr", 0, 1, 2)).toEqual(["0 boid", "1 boid", "2 boids"]);
    expect(forms("xx", 3, 199, 200, 1234567)).toEqual(["3", "9", "0", "7"]);
  });
  it("of models have their own context, on one line", () => {
    speak(WORDS, ["es"]);
    expect([tm("field\n of view"), t("field of view"), tm("else\n where")]).toEqual(["campo visual", "field of view", "else\n where"]);
  });
});

describe("numbers", () => {
  const bounds = { least: 0, most: 1e6, above: false, infinite: false };
  const read = (text: string, whole = false): unknown => readTyped(text, bounds, whole);
  it("have the decimal sign of the language and the country", () => {
    for (const [language, small, large, row] of [
      ["en", "0.25", "20,000", "1, 2"], ["es-ES", "0,25", "20.000", "1; 2"], ["es-MX", "0.25", "20,000", "1, 2"], ["fr", "0,25", "20\u202f000", "1; 2"],
    ] as const) {
      speak(WORDS, [language]);
      expect([formatNumber(0.25), count(20000), decimals((1.25).toFixed(2)), listed(["1", "2"])]).toEqual([small, large, small.replace("0", "1"), row]);
    }
  });
  it("are read with either sign", () => {
    for (const language of ["en", "es", "fr", "es-MX"]) {
      speak(WORDS, [language]);
      expect([read("0,5"), read(" 0.5 "), read("1e-3")]).toEqual([{ value: 0.5 }, { value: 0.5 }, { value: 0.001 }]);
    }
  });
  it("are read as they are written", () => {
    for (const language of ["en", "es", "fr", "es-MX"]) {
      speak(WORDS, [language]);
      for (const n of [0, 7, 999, 4000, 20000, 123456]) expect(read(count(n), true)).toEqual({ value: n });
      for (const x of [0, 0.125, 1.5, 1234.5, 0.00001]) expect(read(formatNumber(x))).toEqual({ value: x });
    }
  });
  it("are refused where a point may mean either", () => {
    expect(read("1.500", true)).toHaveProperty("fault");
    speak(WORDS, ["es"]);
    expect(read("1,500", true)).toHaveProperty("fault");
    expect(read("1.500", true)).toEqual({ value: 1500 });
  });
});
