import { describe, expect, it } from "vitest";
import { columnsOf, sortRows } from "../src/ui/boidtable";
import type { Frame } from "../src/wire/frame";
import type { SceneCore } from "../src/wire/contracts";

const scene = { flocks: [{ name: "gulls", count: 2 }, { name: "hawk", count: 1 }], per_boid: [{ name: "rules.cohesion.weight", cyclic: false }] };
const shorts = new Uint16Array([0, 32768, 0, 65535, 0, 0, 32768, 0, 0, 0, 0, 0, 65535, 0, 0, 32768, 0, 0]);
const bytes = new Int8Array(36);
bytes[11] = 7;
const words = new Uint32Array(9);
const base = { dims: 2, count: 3, rows: null, ids: null, values: null, lower: [0, 0, 0], side: [10, 10, 1], fastest: 4, hasNeighbours: true, shorts, bytes, words };
const frame = (more: object): Frame => ({ ...base, ...more }) as unknown as Frame;

describe("the table of boids", () => {
  it("has a column for all that frames hold", () => {
    const values = { which: 0, low: 1, high: 3, levels: new Uint16Array([0, 65534, 65535]) };
    const columns = columnsOf(frame({ values }), scene as unknown as SceneCore);
    expect(columns.map(({ name }) => name).slice(0, 6)).toEqual(["id", "flock", "x", "y", "speed", "neighbours"]);
    const cells = columns.map(({ of }) => [0, 1, 2].map(of));
    expect(cells[0]).toEqual([0, 1, 0]);
    expect(columns[1]!.text!(cells[1]![2]!)).toBe("hawk");
    expect(cells[4]![0]).toBeCloseTo(4);
    expect(cells[5]).toEqual([7, 0, 0]);
    expect(cells[6]).toEqual([1, 3, null]);
    expect(columnsOf(frame({ hasNeighbours: false }), scene as unknown as SceneCore)).toHaveLength(5);
  });

  it("sorts rows both ways, with rows that have no value at the end", () => {
    const of = (row: number): number | null => [3, 1, null, 1][row]!;
    expect([...sortRows(4, of, false)]).toEqual([1, 3, 0, 2]);
    expect([...sortRows(4, of, true)]).toEqual([0, 1, 3, 2]);
  });
});
