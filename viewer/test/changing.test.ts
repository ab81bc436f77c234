import { describe, expect, it } from "vitest";
import { decodeReplay, type Replay } from "../src/replay/codec";
import type { ReplayHead } from "../src/wire/contracts";
import { coordinate, EMPTY, headingOf, identityOf, isUnseen, rowOf, valueOf } from "../src/wire/frame";
import made from "./changing.json";

const [pond] = made as unknown as [{ head: ReplayHead; payload: string }];
const open = (): Promise<Replay> => decodeReplay(pond.head, pond.payload);
const { flocks } = pond.head.scene;
const fish = (id: number): { flock: number; id: number } => ({ flock: 0, id });

describe("a replay of boids that come and go", () => {
  it("has those who are there in each frame", async () => {
    const replay = await open();
    const there = Array.from({ length: 5 }, (_, k) => [...replay.frame(k).ids!].filter((id) => id !== EMPTY).sort());
    expect(there).toEqual([[0, 0, 1, 2], [0, 0, 1, 2], [0, 0, 2, 3], [0, 0, 1, 2, 3], [0, 1, 2, 3]]);
    expect(replay.frame(3).numbers).toEqual([{ count: 3, ever: 9 }, { count: 2, ever: 2 }]);
    expect([0, 3, 4].map((k) => replay.frame(k).present)).toEqual([4, 5, 4]);
  });

  it("keeps the row of a boid, where it was", async () => {
    const replay = await open();
    const rows = [0, 1, 2, 3, 4].map((k) => rowOf(replay.frame(k), flocks, fish(2)));
    expect(new Set(rows).size).toBe(1);
    const half = pond.head.side[0]! / 65536;
    for (let k = 0; k < 5; k++) {
      expect(Math.abs(coordinate(replay.frame(k), rows[0]!, 0) - 2 - k)).toBeLessThan(half);
      expect(identityOf(replay.frame(k), flocks, rows[0]!)).toEqual(fish(2));
    }
  });

  it("hides rows without a boid", async () => {
    const replay = await open();
    const left = rowOf(replay.frame(0), flocks, fish(1))!;
    const born = rowOf(replay.frame(2), flocks, fish(3))!;
    expect([0, 1, 2, 3, 4].map((k) => isUnseen(replay.frame(k), left))).toEqual([false, false, true, true, true]);
    expect([0, 1, 2, 3, 4].map((k) => isUnseen(replay.frame(k), born))).toEqual([true, true, false, false, false]);
    expect(rowOf(replay.frame(2), flocks, fish(1))).toBeNull();
  });

  it("takes headings from the frames in which a boid is there", async () => {
    const replay = await open();
    const [left, born] = [rowOf(replay.frame(0), flocks, fish(1))!, rowOf(replay.frame(2), flocks, fish(3))!];
    expect(headingOf(replay.frame(1), left)[0]).toBe(1);
    expect(headingOf(replay.frame(2), born)[0]).toBe(1);
  });

  it("has a number of each boid", async () => {
    const replay = await open();
    expect(pond.head.scene.per_boid!.map(({ name }) => name)).toEqual(["rules.school.weight", "rules.school.phase"]);
    const [last, phase] = [replay.frame(4, 0), replay.frame(4, 1)];
    for (const id of [2, 3]) {
      expect(valueOf(last, rowOf(last, flocks, fish(id))!)).toBeCloseTo(10 + id, 3);
      expect(valueOf(phase, rowOf(phase, flocks, fish(id))!)).toBeCloseTo(2 + id, 1);
    }
    const shark = rowOf(last, flocks, { flock: 1, id: 1 })!;
    expect([valueOf(last, shark), valueOf(phase, shark)]).toEqual([null, null]);
    expect(replay.frame(4).values).toBeNull();
  });

  it("refuses numbers of another size", async () => {
    const numbers = { ...pond.head.numbers!, names: pond.head.numbers!.names.slice(0, 1) };
    await expect(decodeReplay({ ...pond.head, numbers }, pond.payload)).rejects.toThrow("bytes of numbers");
  });
});
