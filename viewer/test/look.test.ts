import { describe, expect, it } from "vitest";
import { css, fromLab, parseColour, ramp, toLab, wheel, type RGB } from "../src/look/colours";
import { bodyFor, BODIES } from "../src/look/bodies";
import { MANY_BOIDS, outlineFor } from "../src/look/shapes";
import { dartLength, flockColour, hueOf, LOOKS, shapeOf, tableOf, TABLE } from "../src/look/styles";
import { BODIES as BODY_SHADER } from "../src/gl/bodyshaders";
import { BOIDS as FLAT_SHADER } from "../src/gl/shaders";
import type { BoidShape } from "../src/look/styles";

describe("colours", () => {
  it("come back from OKLab", () => {
    for (const rgb of [[0, 0, 0], [255, 255, 255], [168, 208, 255], [255, 82, 70]] as RGB[]) {
      fromLab(toLab(rgb)).forEach((c, k) => expect(c).toBeCloseTo(rgb[k]!, 1));
    }
  });
  it("run through their stops", () => {
    const stops: RGB[] = [[70, 74, 168], [54, 140, 190], [248, 240, 150]];
    const table = ramp(stops, 101);
    [0, 50, 100].forEach((at, k) => table[at]!.forEach((c, axis) => expect(c).toBeCloseTo(stops[k]![axis]!, 1)));
    const uneven = ramp(stops, 101, [0, 0.2, 1]);
    uneven[20]!.forEach((c, axis) => expect(c).toBeCloseTo(stops[1]![axis]!, 1));
  });
  it("close the circle of headings", () => {
    const table = wheel(0.79, 0.125, 64);
    const step = (a: RGB, b: RGB): number => Math.hypot(...a.map((c, k) => c - b[k]!));
    expect(step(table[63]!, table[0]!)).toBeLessThan(2 * step(table[0]!, table[1]!) + 1);
  });
  it("are read as models write them", () => {
    expect(parseColour("#ff5d47")).toEqual([255, 93, 71]);
    expect(parseColour("#fff")).toEqual([255, 255, 255]);
    expect(parseColour("")).toBeNull();
    expect(css([1.4, 2, 3])).toBe("rgb(1 2 3)");
  });
});

describe("looks", () => {
  it("have tables of one size", () => {
    expect(tableOf(LOOKS.dark, "speed")).toHaveLength(TABLE);
    expect(tableOf(LOOKS.light, "heading")).toHaveLength(TABLE);
  });
  it("give each flock its own colour, and the hunter's to large ones", () => {
    const flock = { name: "a", count: 1, colour: "", scale: 1 };
    expect(flockColour(LOOKS.dark, flock, 1)).toEqual(LOOKS.dark.flocks[1]);
    expect(flockColour(LOOKS.dark, { ...flock, scale: 2 }, 0)).toEqual(LOOKS.dark.hunter);
    expect(flockColour(LOOKS.dark, { ...flock, colour: "#010203" }, 0)).toEqual([1, 2, 3]);
  });
  it("take headings around the circle", () => {
    expect([hueOf(1, 0), hueOf(0, 1), hueOf(-1, 0), hueOf(0, -1)]).toEqual([0, 0.25, 0.5, 0.75]);
  });
  it("draw many boids small", () => {
    expect(dartLength(400)).toBe(15);
    expect(dartLength(100_000)).toBeLessThan(6);
    expect(dartLength(1)).toBe(24);
  });
});

describe("shapes", () => {
  const shapes: BoidShape[] = ["dart", "bird", "fish", "sheep", "dog", "arrow", "disc"];
  const room = (shader: string, name: string): number => Number(new RegExp(`${name}\\[(\\d+)\\]`).exec(shader)![1]);

  it("are the flock's own, or else the style's", () => {
    const flock = { name: "a", count: 1, colour: "", scale: 1 };
    expect(shapeOf(LOOKS.dark, flock)).toBe("dart");
    expect(shapeOf(LOOKS.dusk, { ...flock, shape: "auto" })).toBe("bird");
    expect(shapeOf(LOOKS.dusk, { ...flock, shape: "fish" })).toBe("fish");
  });
  it("are triangles about one long, the same on both sides, that the shader has room for", () => {
    for (const shape of shapes) {
      const { corners, round } = outlineFor(shape, 10);
      expect(corners.length % 6).toBe(0);
      expect(corners.length).toBeLessThanOrEqual(room(FLAT_SHADER, "shape"));
      const half = corners.slice(corners.length / 2);
      half.forEach(([x, y], k) => expect([x, -y]).toEqual(corners[k]!.map((c) => c + 0)));
      const along = corners.map(([x]) => x);
      expect(Math.max(...along) - Math.min(...along)).toBeGreaterThan(0.6);
      expect(round).toBe(shape === "disc");
      expect(outlineFor(shape, MANY_BOIDS + 1).corners.length).toBeLessThanOrEqual(corners.length);
    }
  });
  it("of animals are bodies where few are drawn", () => {
    for (const shape of shapes) {
      const body = bodyFor(shape, 10);
      expect(body !== null).toBe(["bird", "fish", "sheep", "dog"].includes(shape));
      expect(bodyFor(shape, BODIES + 1)).toBeNull();
      if (!body) continue;
      expect(body.length % 12).toBe(0);
      expect(body.length / 4).toBeLessThanOrEqual(room(BODY_SHADER, "mesh"));
      const sides = [1, 2].map((axis) => body.filter((_, k) => k % 4 === axis));
      expect(sides[0]!.reduce((a, b) => a + b, 0)).toBeCloseTo(0, 5); // as much left as right
      expect(Math.max(...sides[1]!.map(Math.abs))).toBeLessThan(0.25);
    }
  });
});
