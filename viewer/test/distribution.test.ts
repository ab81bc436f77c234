import { describe, expect, it } from "vitest";
import { barsOf, common, converted, differing, isDistribution, limitsOf, meanAndSd, sharesOf, spanOf, textOfDistribution, withShare } from "../src/controls/distribution";
import { formatNumber, shapeOf, specsOf } from "../src/controls/specs";
import { rangeOf } from "../src/controls/ranges";
import { textOf } from "../src/page/settings";

const SIZES = { length: 10, speed: 1 };
const free = { least: -Infinity, most: Infinity, above: false, ends: false };

describe("numbers that differ between boids", () => {
  it("are tables of some kinds", () => {
    expect(isDistribution({ kind: "normal", mean: 1, sd: 0.2 })).toBe(true);
    for (const other of [1, null, [1, 2], { kind: "ramp", start: 0 }, "normal"]) expect(isDistribution(other)).toBe(false);
  });

  it("have a mean and a standard deviation", () => {
    expect(meanAndSd({ kind: "normal", mean: 1, sd: 0.2 })).toEqual({ mean: 1, sd: 0.2 });
    expect(meanAndSd({ kind: "uniform", min: 0, max: 12 }).sd).toBeCloseTo(Math.sqrt(12), 12);
    const { mean, sd } = meanAndSd({ kind: "choice", values: [0, 1], probabilities: [0.9, 0.1] });
    expect(mean).toBeCloseTo(0.1, 12);
    expect(sd).toBeCloseTo(0.3, 12);
    expect(meanAndSd({ kind: "each", values: [1, 2, 3] }).mean).toBe(2);
  });

  it("have bars over the stretch of most of them", () => {
    expect(spanOf({ kind: "normal", mean: 1, sd: 0.2, min: 0.9, max: "inf" })).toEqual([0.9, 1 + 3 * 0.2]);
    const bars = barsOf({ kind: "normal", mean: 0, sd: 1 }, 41);
    expect(bars[20]).toBe(1);
    expect(bars[0]).toBeLessThan(0.02);
    expect(bars[5]).toBeCloseTo(bars[35]!, 12);
    const skewed = barsOf({ kind: "lognormal", mean: 1, sd: 0.8 }, 40);
    expect(skewed.indexOf(1)).toBeLessThan(10);
    expect(barsOf({ kind: "choice", values: [1, 3], probabilities: [0.25, 0.75] }, 4)).toEqual([1 / 3, 0, 0, 1]);
    expect(barsOf({ kind: "each", values: [2, 2] }, 5)).toEqual([0, 0, 1, 0, 0]);
  });

  it("come of one number, within its bounds", () => {
    expect(differing("normal", 2, free)).toEqual({ kind: "normal", mean: 2, sd: 0.4 });
    expect(differing("uniform", 2, { ...free, least: 1.5 })).toEqual({ kind: "uniform", min: 1.5, max: 2.8 });
    const radius = limitsOf({ unit: "length", infinite: true }, rangeOf({ unit: "length", exclusiveMinimum: 0, infinite: true }, 3, 3, SIZES));
    expect(differing("normal", 3, radius)).toEqual({ kind: "normal", mean: 3, sd: 0.6, min: 0.3, max: 4.5 });
    expect(differing("normal", 0, free)["sd"]).toBe(0.2);
  });

  it("turn into another kind with the same spread, and back", () => {
    const uniform = converted({ kind: "normal", mean: 1, sd: 0.1, draw: "bold" }, "uniform", free);
    expect(uniform).toEqual({ kind: "uniform", min: 0.827, max: 1.17, draw: "bold" });
    expect(converted(uniform, "normal", free)).toMatchObject({ kind: "normal", mean: 0.998, draw: "bold" });
    expect(common({ kind: "uniform", min: 1, max: 3 })).toBe(2);
  });

  it("are chosen with probabilities that add up to 1", () => {
    expect(sharesOf({ kind: "choice", values: [1, 2, 3, 4] })).toEqual([0.25, 0.25, 0.25, 0.25]);
    const shares = withShare([0.5, 0.3, 0.2], 0, 0.1);
    expect(shares.reduce((a, b) => a + b)).toBeCloseTo(1, 12);
    expect(shares[1]! / shares[2]!).toBeCloseTo(1.5, 12);
    expect(withShare([1, 0, 0], 0, 0.4)).toEqual([0.4, 0.3, 0.3]);
  });

  it("are said in words", () => {
    expect(textOfDistribution({ kind: "normal", mean: 1, sd: 0.25 }, formatNumber)).toBe("normal(1, 0.25)");
    expect(textOf({ kind: "uniform", min: 0, max: 2 })).toBe("uniform(0, 2)");
    expect(textOf({ kind: "each", values: [1, 3] })).toBe("2 values of mean 2");
    expect(textOf({ kind: "ramp" })).toBe("a schedule");
  });
});

describe("their controls", () => {
  const part = { may_differ: true, properties: { weight: { unit: "", oneOf: [] }, nearest: { type: "integer", unit: "" } } };

  it("are those of distributions, or a number with a menu", () => {
    const specs = specsOf(part, "rules.a", { "rules.a.weight": { kind: "normal", mean: 1, sd: 0.1 }, "rules.a.nearest": 7 }, { "rules.a.weight": 1 }, SIZES);
    expect(specs.map(({ kind }) => kind)).toEqual(["distribution", "number"]);
    expect(specs[1]).toMatchObject({ limits: undefined }); // whole numbers are the same for all
    const [plain] = specsOf(part, "rules.a", { "rules.a.weight": 1 }, {}, SIZES);
    expect(plain).toMatchObject({ kind: "number", limits: { least: -Infinity } });
    const [fixed] = specsOf({ ...part, may_differ: false }, "rules.a", { "rules.a.weight": 1 }, {}, SIZES);
    expect(fixed).toMatchObject({ limits: undefined });
  });

  it("are others where the kind is another", () => {
    const normal = { kind: "normal", mean: 1, sd: 0.1 };
    expect(shapeOf(normal)).toBe(shapeOf({ ...normal, mean: 3 }));
    expect(new Set([shapeOf(1), shapeOf(normal), shapeOf({ kind: "uniform", min: 0, max: 1 }), shapeOf({ kind: "ramp" })]).size).toBe(4);
  });
});
