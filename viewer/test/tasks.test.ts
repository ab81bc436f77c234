/** Tasks: the checks of steps, progress as text, codes of results (which Python reads), and tables of data. */

import { describe, expect, it } from "vitest";

import { boidsTable, csvOf } from "../src/page/dataout";
import { distanceOf, EffectSeen, heightAt, Held } from "../src/tasks/checks";
import { codeOf, hmac, sha256 } from "../src/tasks/code";
import { begun, isComplete, progressIn, scoreOf, shareOf, written } from "../src/tasks/progress";
import type { Task } from "../src/wire/contracts";

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("a measure within bounds", () => {
  it("counts the time since it came in, at any pace of points", () => {
    const held = new Held(-Infinity, 0.5, 3);
    expect([0, 1, 2.5, 4].map((time) => held.push(time, 0.4))).toEqual([0, 1 / 3, 2.5 / 3, 1]);
    expect(held.push(5, 0.6)).toBe(0);
    expect([6, 7.5].map((time) => held.push(time, 0.5))).toEqual([0, 0.5]);
  });

  it("begins again when the flock does", () => {
    const held = new Held(0, 1, 2);
    held.push(10, 0.5);
    expect([0, 1, 2].map((time) => held.push(time, 0.5))).toEqual([0, 0.5, 1]);
  });
});

describe("the effect of a number", () => {
  const run = (seen: EffectSeen, from: number, to: number, value: number, setting: number): string[] => {
    const parts: string[] = [];
    for (let time = from; time <= to; time += 0.5) {
      const { part, verdict } = seen.push(time, value, setting);
      parts.push(verdict || part);
    }
    return parts;
  };

  it("is that of the mean after a change on the mean before it", () => {
    const seen = new EffectSeen(1, 0.3, 2);
    expect(run(seen, 0, 2, 0.2, 0)).toEqual(["before", "before", "before", "before", "change"]);
    expect(run(seen, 2.5, 4, 0.6, 1)).toEqual(["after", "after", "after", "after"]);
    expect(run(seen, 4.5, 4.5, 0.6, 1)).toEqual(["right"]);
  });

  it("is wrong once for each setting that does the opposite, and nothing while it is small", () => {
    const seen = new EffectSeen(-1, 0.3, 1);
    run(seen, 0, 1, 0.5, 0);
    expect(run(seen, 1.5, 4, 0.6, 1)).not.toContain("wrong");
    expect(run(seen, 4.5, 7, 0.9, 2).filter((part) => part === "wrong")).toHaveLength(1);
    expect(run(seen, 7.5, 9, 0.9, 3).filter((part) => part === "wrong")).toHaveLength(1);
    expect(run(seen, 9.5, 11, 0.1, 4)).toContain("right");
  });

  it("measures again after a change that comes before the first mean, and after a restart", () => {
    const seen = new EffectSeen(1, 0.3, 2);
    run(seen, 0, 1, 0.2, 0);
    expect(run(seen, 1.5, 3, 0.9, 1)).not.toContain("right"); // 1 is now the first setting
    run(seen, 3.5, 4, 0.9, 1);
    expect(run(seen, 0, 1.5, 1.3, 2)).toEqual(["after", "after", "after", "after"]);
    expect(run(seen, 2, 2, 1.3, 2)).toEqual(["right"]);
  });
});

describe("a drawn line", () => {
  it("goes straight from handle to handle", () => {
    expect([0, 0.25, 0.5, 0.75, 1, 2].map((part) => heightAt([0, 1, 0], part))).toEqual([0, 0.5, 1, 0.5, 0, 0]);
  });

  it("is as far from the measure as the area between both, over the time", () => {
    const points = [0, 1, 2, 3, 4].map((time) => ({ time, value: 1 }));
    expect(distanceOf([1, 1], points, 4)).toBe(0);
    expect(distanceOf([0.5, 0.5], points, 4)).toBe(0.5);
    expect(distanceOf([1, 1], [], 4)).toBe(Infinity);
  });
});

const TASK = { title: "t", model: "p5", steps: [{ question: "a", points: 2 }, { question: "b" }, { question: "c" }] } as unknown as Task;

describe("progress", () => {
  it("is what its text says, of the same task", () => {
    const progress = begun(TASK);
    Object.assign(progress.steps[0]!, { share: 4, reason: 'so "it" goes' });
    Object.assign(progress.steps[1]!, { wrong: 1, hints: 1 });
    progress.at = 1;
    const text = written(progress, "0123456789");
    expect(progressIn(text, TASK, "0123456789")).toEqual(progress);
    expect(progressIn(text, TASK, "9876543210")).toBeNull();
    for (const wrong of ["", "[]", "{}", "null", '["01234567",9,[1,0,0,""],[1,0,0,""],[1,0,0,""]]', text.slice(0, -2)]) expect(progressIn(wrong, TASK, "0123456789")).toBeNull();
  });

  it("of a platform may be nonsense, which is bounded", () => {
    const text = '["01234567",1,[99,-5,"x",5],[null,1e9,7,null],[2.7,0,0,""]]';
    expect(progressIn(text, TASK, "01234567")!.steps.map(({ share, wrong, hints }) => [share, wrong, hints])).toEqual([[4, 0, 0], [null, 99, 4], [2, 0, 0]]);
  });

  it("costs half for a wrong answer and a quarter for a hint", () => {
    expect([[0, 0], [1, 0], [0, 1], [1, 1], [3, 0]].map(([wrong, hints]) => shareOf({ share: null, wrong: wrong!, hints: hints!, reason: "" }))).toEqual([4, 2, 3, 1, 0]);
    const progress = begun(TASK);
    progress.steps[0]!.share = 4;
    expect([scoreOf(TASK, progress), isComplete(progress)]).toEqual([50, false]);
    for (const step of progress.steps) step.share = 2;
    expect([scoreOf(TASK, progress), isComplete(progress)]).toEqual([50, true]);
  });
});

describe("codes", () => {
  it("are computed with SHA-256 and HMAC as published", () => {
    // FIPS 180-4's examples, and RFC 4231's second
    expect(hex(sha256(ascii("abc")))).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect(hex(sha256(ascii("")))).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect(hex(sha256(ascii("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")))).toBe("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    expect(hex(hmac(ascii("Jefe"), ascii("what do ya want for nothing?")))).toBe("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  });

  it("have a name of whole letters and up to 24 bytes, in groups of four", () => {
    const digest = "00112233445566778899aabbccddeeff".repeat(2);
    const code = codeOf([{ share: 4 }, { share: null }, { share: 1 }], "é".repeat(20), digest, new Date(2026, 0, 3));
    expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-)*[0-9A-HJKMNP-TV-Z]{1,4}$/);
    expect(code.replaceAll("-", "")).toHaveLength(Math.ceil(((7 + 2 + 24 + 5) * 8) / 5));
    expect(codeOf([{ share: 4 }, { share: null }, { share: 1 }], "é".repeat(12), digest, new Date(2026, 0, 3))).toBe(code);
  });
});

describe("tables", () => {
  it("are comma-separated values with all digits", () => {
    expect(csvOf({ columns: ["a", "b, c"], rows: [[0.1, 'say "so"'], [null, -1e-7]] })).toBe('a,"b, c"\r\n0.1,"say ""so"""\r\n,-1e-7\r\n');
  });

  it("have a row for each boid", () => {
    const flocks = { hawks: { ids: Int32Array.of(4), positions: Float32Array.of(1, 2), velocities: Float32Array.of(3, 4) } };
    const { columns, rows } = boidsTable({ step: 5, time: 2.5, flocks }, { dims: 2 });
    expect(columns.join()).toBe("step,time,flock,id,x,y,vx,vy");
    expect(rows).toEqual([[5, 2.5, "hawks", 4, 1, 2, 3, 4]]);
  });
});
