import { describe, expect, it } from "vitest";
import { patternAt, TILE, tileOf } from "../src/look/ground";

describe("patterns of the ground", () => {
  it("are those of films", () => {
    // Values of murmurate.show.landscape._tile at (row, column).
    const films = [
      ["land", 0, 0, 0.6856],
      ["land", 17, 200, 0.0921],
      ["land", 128, 31, 0.7502],
      ["water", 0, 0, 0.2654],
      ["water", 17, 200, 0.0],
      ["water", 128, 31, 0.2018],
    ] as const;
    for (const [kind, row, column, value] of films) {
      expect(tileOf(kind)[row * TILE + column]).toBeCloseTo(value, 3);
    }
  });
  it("repeat themselves", () => {
    const tile = tileOf("land");
    expect(patternAt(tile, 0.3, 0.7)).toBeCloseTo(patternAt(tile, 5.3, -3.3), 6);
  });
});
