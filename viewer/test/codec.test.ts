import { describe, expect, it } from "vitest";
import { decodeReplay, stepOf, timeOf, type Replay } from "../src/replay/codec";
import { PERCHED, type ReplayHead } from "../src/wire/contracts";
import { restAt } from "../src/replay/rests";
import { coordinate, headingOf, isPerched, isUnseen, speedOf } from "../src/wire/frame";
import flights from "./flights.json";

interface Flight {
  head: ReplayHead;
  payload: string;
  places: number[];
}
const [torus, plane, one] = flights as unknown as [Flight, Flight, Flight];
const open = ({ head, payload }: Flight): Promise<Replay> => decodeReplay(head, payload);

describe("decodeReplay", () => {
  it.each([torus, plane, one])("gives the places that were packed", async (flight) => {
    const replay = await open(flight);
    expect([...replay.places]).toEqual(flight.places);
    expect(replay.frames).toBe(flight.head.frames);
    expect(replay.count).toBe(flight.head.count);
  });

  it("refuses a flight of another size, another version, and what is no flight", async () => {
    const other = { ...torus.head, frames: torus.head.frames + 1 };
    await expect(decodeReplay(other, torus.payload)).rejects.toThrow("bytes");
    await expect(decodeReplay({ ...torus.head, version: 2 }, torus.payload)).rejects.toThrow("version 2");
    await expect(decodeReplay(torus.head, "AAAA")).rejects.toThrow();
  });
});

describe("frames of a replay", () => {
  it("stand where the boids were", async () => {
    const frame = (await open(plane)).frame(3);
    expect(frame.count).toBe(3);
    expect(frame.dims).toBe(2);
    const half = plane.head.side.map((side) => side / 65536);
    expect(Math.abs(coordinate(frame, 0, 0) - 9)).toBeLessThan(half[0]!);
    expect(Math.abs(coordinate(frame, 0, 1) - 12)).toBeLessThan(half[1]!);
    expect(coordinate(frame, 0, 2)).toBe(0);
  });

  it("say which boids are not seen, and take no heading from them", async () => {
    const gap: [number, number, number][] = [[0, 2, 3], [1, 0, 0]];
    const replay = await decodeReplay({ ...plane.head, unseen: gap }, plane.payload);
    const hidden = [0, 1, 2, 3, 4].map((k) => [0, 1, 2].filter((boid) => isUnseen(replay.frame(k), boid)));
    expect(hidden).toEqual([[1], [], [0], [0], []]);
    const whole = await open(plane);
    expect(whole.frame(2).words.some((_, k) => k % 3 === 2 && isUnseen(whole.frame(2), (k - 2) / 3))).toBe(false);
    expect(coordinate(replay.frame(2), 0, 0)).toBe(coordinate(whole.frame(2), 0, 0));
    expect(headingOf(replay.frame(1), 0)[0]).toBeCloseTo(0.6, 1); // from frames 0 and 1
  });

  it("have headings and speeds from differences", async () => {
    const frame = (await open(plane)).frame(2);
    const heading = headingOf(frame, 0);
    expect(heading[0]).toBeCloseTo(0.6, 1);
    expect(heading[1]).toBeCloseTo(0.8, 1);
    expect(headingOf(frame, 1)[1]).toBeCloseTo(-1, 2);
    expect(headingOf(frame, 2)).toEqual([0, 0, 0]);
    expect(speedOf(frame, 2)).toBe(0);
  });

  it("of flocks that perch rest where boids do not move, and face across a wire", async () => {
    const perching = structuredClone(plane.head);
    perching.scene.flocks.forEach((flock) => (flock.perches = true));
    const frame = (await decodeReplay(perching, plane.payload)).frame(2);
    expect([0, 1, 2].map((boid) => isPerched(frame.words[3 * boid + 2]!))).toEqual([false, false, true]);
    // two boids in space, of which one rests on a wire along x, and then flies along it
    const [frames, count, dims] = [4, 2, 3];
    const head = { ...perching, frames, count, dims, lower: [0, 0, 0], side: [8, 8, 8], periodic: [false, false, false],
      scene: { ...perching.scene, flocks: [{ name: "birds", count, colour: "", scale: 1, perches: true }],
        obstacles: [{ name: "rules.wire", kind: "wire", start: [0, 4, 6], end: [8, 4, 6], sag: 2 }] } } as unknown as ReplayHead;
    const places = Uint16Array.from([0, 1, 2, 3].flatMap((k) => [32768 + (k > 2 ? 900 : 0), 32768 - (k > 2 ? 90 : 0), 32768, 900 * k, 0, 0]));
    expect(restAt(head, places, 0, 1, 0, 3)).toEqual([0, -PERCHED, 0]);
    head.scene.obstacles = [];
    expect(restAt(head, places, 0, 1, 0, 3)).toEqual([63, -6, 0]);
    expect(restAt(head, places, 1, 1, 0, 3)).toBeNull();
  });

  it("fly on across the edge of a torus", async () => {
    const replay = await open(torus);
    for (let k = 0; k < replay.frames; k++) {
      for (const part of headingOf(replay.frame(k), 1)) expect(part).toBeGreaterThan(0.4);
    }
  });

  it("have the steps and times of the flight", async () => {
    const frame = (await open(plane)).frame(2);
    expect(frame.step).toBe(4);
    expect(frame.time).toBeCloseTo(0.4);
    expect(stepOf({ ...plane.head, steps: [3, 5, 9] }, 1)).toBe(5);
    expect(timeOf({ ...plane.head, times: [3, 5, 9.5] }, 2)).toBe(9.5);
  });

  it("stay within the flight", async () => {
    const replay = await open(torus);
    expect(replay.frame(-1).step).toBe(replay.frame(0).step);
    expect(replay.frame(99).step).toBe(replay.frame(replay.frames - 1).step);
  });

  it("rest where there is only one", async () => {
    expect(headingOf((await open(one)).frame(0), 0)).toEqual([0, 0, 0]);
  });
});
