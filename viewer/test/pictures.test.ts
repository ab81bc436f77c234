import { describe, expect, it } from "vitest";
import { Pictures } from "../src/flight/pictures";

describe("which moments of a flight are drawn", () => {
  it("at once what was changed, and steps not too often", () => {
    const pictures = new Pictures();
    expect(pictures.wait(0)).toBe(0);
    pictures.sent(0);
    expect(pictures.wait(100)).toBe(Infinity);
    pictures.move();
    expect([pictures.wait(4), pictures.wait(15), pictures.wait(99)]).toEqual([11, 0, 0]);
    pictures.change();
    expect(pictures.wait(4)).toBe(0);
  });

  it("the last step before a rest, though it comes soon after another", () => {
    const pictures = new Pictures();
    pictures.move();
    pictures.sent(50);
    pictures.move();
    expect(pictures.wait(51)).toBe(14);
    expect(pictures.wait(65)).toBe(0); // no other step was made
    pictures.sent(65);
    expect(pictures.wait(500)).toBe(Infinity);
  });

  it("no more than are asked for", () => {
    const pictures = new Pictures();
    for (const now of [0, 20, 40]) {
      pictures.move();
      expect(pictures.wait(now)).toBe(0);
      pictures.sent(now);
    }
    pictures.move();
    expect([pictures.wait(60), pictures.unseen(60), pictures.unseen(1001)]).toEqual([Infinity, false, true]);
    pictures.allow(9, 1002);
    expect([pictures.wait(1002), pictures.unseen(5000)]).toEqual([0, false]);
    for (const now of [1002, 1022, 1042]) pictures.sent(now);
    pictures.change();
    expect(pictures.wait(1100)).toBe(Infinity);
  });
});
