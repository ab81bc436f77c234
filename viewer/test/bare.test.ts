import { describe, expect, it } from "vitest";

import { bareIn } from "../src/page/flockonly";

describe("a page that shows the flock alone", () => {
  it("is asked for in the address", () => {
    expect(bareIn("")).toBeNull();
    expect(bareIn("#flock=abc")).toBeNull();
    expect(bareIn("#show=flock")).toEqual({ hand: null });
    expect(bareIn("#draw=gl&show=flock&hand=call&flock=abc_-")).toEqual({ hand: "call" });
  });
  it("takes no other words", () => {
    expect(bareIn("#show=all")).toBeNull();
    expect(bareIn("#show=flock&hand=__proto__")).toEqual({ hand: null });
  });
});
