import { describe, expect, it } from "vitest";
import { Feed } from "../src/state/feed";
import { Rows } from "../src/state/rows";
import { decodeFrame, EMPTY, identityOf, isUnseen, positionOf, rangesOf, rowOf, valueOf, type Frame } from "../src/wire/frame";
import { frameBytes } from "./frames";

const boid = (x: number): number[] => [x, x, 0, 0, 127, 0, 0, 0];

/** A frame of flocks by the ids that are there; a boid's place is its id. */
function frameOf(flocks: number[][], step: number, ever = flocks.map((ids) => 1 + Math.max(-1, ...ids)), values?: number[]): Frame {
  const changing = { ids: flocks.flat(), numbers: flocks.map((ids, k): [number, number] => [ids.length, ever[k]!]) };
  return decodeFrame(frameBytes({ step, boids: flocks.flat().map(boid), changing, ...(values && { values: { which: 1, low: 0, high: 65534, levels: values } }) }));
}

describe("frames of boids that come and go", () => {
  it("say who is there, and how many there were", () => {
    const frame = frameOf([[2, 5], [0]], 1, [7, 1]);
    expect(frame.ids && [...frame.ids]).toEqual([2, 5, 0]);
    expect(frame.numbers).toEqual([{ count: 2, ever: 7 }, { count: 1, ever: 1 }]);
    expect(frame.rows).toEqual([2, 1]);
  });

  it("hold a number of each boid", () => {
    const frame = frameOf([[2, 5, 6]], 1, undefined, [0, 65534, 65535]);
    expect(frame.values).toMatchObject({ which: 1, low: 0, high: 65534 });
    expect([0, 1, 2].map((row) => valueOf(frame, row))).toEqual([0, 65534, null]);
  });

  it("are too short where a part is missing", () => {
    const whole = frameBytes({ boids: [boid(1)], changing: { ids: [0], numbers: [[1, 1]] } });
    expect(() => decodeFrame(whole.slice(0, whole.byteLength - 2))).toThrow("too few");
  });
});

describe("rows", () => {
  it("leave frames alone whose numbers do not change", () => {
    const frame = decodeFrame(frameBytes({ boids: [boid(3)] }));
    expect(new Rows().place(frame)).toBe(frame);
  });

  it("stay with a boid while it lives", () => {
    const rows = new Rows();
    const first = rows.place(frameOf([[0, 1, 2], [0, 1]], 1));
    const second = rows.place(frameOf([[0, 2, 3], [1, 2]], 2));
    const counts = [{ count: 3 }, { count: 2 }];
    for (const who of [{ flock: 0, id: 2 }, { flock: 1, id: 1 }]) {
      const row = rowOf(first, counts, who)!;
      expect(rowOf(second, counts, who)).toBe(row);
      expect(identityOf(second, counts, row)).toEqual(who);
      expect(second.shorts[6 * row]).toBe(who.id);
    }
    expect(second.layout).toBe(first.layout);
    expect(second.present).toBe(5);
  });

  it("are empty, and unseen, where a boid has left", () => {
    const rows = new Rows();
    const first = rows.place(frameOf([[0, 1, 2]], 1));
    const row = rowOf(first, [{ count: 3 }], { flock: 0, id: 1 })!;
    const second = rows.place(frameOf([[0, 2, 3]], 2));
    expect(second.ids![row]).toBe(EMPTY);
    expect(isUnseen(second, row)).toBe(true);
    expect(rowOf(second, [{ count: 3 }], { flock: 0, id: 1 })).toBeNull();
    const born = rowOf(second, [{ count: 3 }], { flock: 0, id: 3 })!;
    expect(isUnseen(first, born)).toBe(true); // it cannot be drawn on the way there
    expect(positionOf(second, born)[0]).toBeCloseTo((3.5 / 65536) * 10, 9);
  });

  it("are given to others once no trail reaches back", () => {
    const rows = new Rows([40]);
    const first = rows.place(frameOf([[0, 1]], 1));
    const row = rowOf(first, [{ count: 2 }], { flock: 0, id: 0 })!;
    let owners: (number | undefined)[] = [];
    for (let k = 0; k < 70; k++) owners.push(rows.place(frameOf([[1, 2 + k]], 2 + k)).ids![row]);
    owners = owners.map((id) => (id === EMPTY ? undefined : id));
    const taken = owners.findIndex((id) => id !== undefined);
    expect(taken < 0 || taken >= 64).toBe(true);
  });

  it("grow with the flock, as another layout", () => {
    const rows = new Rows();
    const ids = (many: number): number[] => Array.from({ length: many }, (_, k) => k);
    const first = rows.place(frameOf([ids(20), [0]], 1));
    const second = rows.place(frameOf([ids(300), [0]], 2));
    expect(second.layout).toBeGreaterThan(first.layout);
    expect(second.present).toBe(301);
    const [, other] = rangesOf(second, []);
    expect(second.ids!.subarray(other!.first).indexOf(0)).toBe(0);
  });

  it("do not grow without end where boids come and go quickly", () => {
    const rows = new Rows();
    let last!: Frame;
    for (let k = 0; k < 400; k++) last = rows.place(frameOf([Array.from({ length: 50 }, (_, j) => 50 * k + j)], k));
    expect(last.count).toBeLessThanOrEqual(1000);
    expect(last.present).toBe(50);
  });

  it("are those of another flight after a restart", () => {
    const rows = new Rows();
    rows.place(frameOf([[4, 5, 6]], 9));
    const again = rows.place(frameOf([[0, 1]], 0));
    expect([...again.ids!].filter((id) => id !== EMPTY)).toEqual([0, 1]);
  });

  it("carry the number of each boid along", () => {
    const rows = new Rows();
    rows.place(frameOf([[0, 1, 2]], 1, undefined, [5, 6, 7]));
    const frame = rows.place(frameOf([[1, 2, 3]], 2, undefined, [6, 7, 8]));
    for (const id of [1, 2, 3]) expect(valueOf(frame, rowOf(frame, [{ count: 3 }], { flock: 0, id })!)).toBe(5 + id);
  });
});

describe("the queue of such frames", () => {
  it("goes from frame to frame while rows stay", () => {
    const feed = new Feed(() => undefined);
    feed.enter(1, [40]);
    feed.push(frameOf([[0, 1]], 1), 0);
    feed.push(frameOf([[1, 2, 3]], 2), 50);
    feed.take(0, 16);
    const moment = feed.take(60, 16)!;
    expect(moment.now.step).toBe(2);
    expect(moment.before.step).toBe(1);
    expect(moment.before.count).toBe(moment.now.count);
  });
});
