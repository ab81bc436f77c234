import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { Detail } from "../src/scene/detail";

describe("a picture has fewer pixels", () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ["performance"] }));
  afterEach(() => vi.useRealTimers());

  /** Draw, with a pause before it. Returns whether the picture was coarse. */
  function draw(detail: Detail, milliseconds: number, { pause = 5, whole = false } = {}): boolean {
    vi.advanceTimersByTime(pause);
    detail.begin(whole);
    vi.advanceTimersByTime(milliseconds);
    detail.end();
    return detail.coarse;
  }

  const times = (count: number, milliseconds: number, detail: Detail): boolean[] =>
    Array.from({ length: count }, () => draw(detail, milliseconds));

  test("after thirty drawings in sequence that take long", () => {
    const detail = new Detail();
    expect(times(30, 25, detail)).not.toContain(true);
    expect(draw(detail, 25)).toBe(true);
    expect(draw(detail, 5)).toBe(true); // fewer pixels take less: this is no reason to go back
  });

  test("not where some are fast", () => {
    const detail = new Detail();
    for (let k = 0; k < 10; k++) expect([...times(29, 25, detail), draw(detail, 10)]).not.toContain(true);
  });

  test("until it rests, or a whole one is needed", () => {
    const detail = new Detail();
    times(31, 25, detail);
    expect(detail.isDue(performance.now() + 100)).toBe(false);
    expect(detail.isDue(performance.now() + 200)).toBe(true);
    expect(draw(detail, 25, { pause: 200 })).toBe(false);
    expect(detail.isDue(performance.now() + 200)).toBe(false);
    expect(draw(detail, 25)).toBe(true);
    expect(draw(detail, 25, { whole: true })).toBe(false);
  });

  test("and says when it changes", () => {
    const detail = new Detail();
    times(30, 25, detail);
    const change = (whole: boolean): boolean => {
      const changed = detail.begin(whole);
      detail.end();
      return changed;
    };
    expect([change(false), change(false), change(true), change(true)]).toEqual([true, false, true, false]);
  });
});
