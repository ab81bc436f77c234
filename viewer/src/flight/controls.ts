/** Commands that a program gives to boids: the rows of their per-boid state, like runs/commands.py. */

import { Refused } from "./errors";
import type { Flock, State } from "./state";
import type { SceneMessage } from "../wire/contracts";
import type { Boids, Controls } from "../wire/messages";

const LARGEST = 1e9; // MAX_NUMBER of murmurate.model.number
/** In the last row of commands: this boid keeps the command that it has. */
export const KEEPS = -1;

/** Commands of a flock: rows x, y, z and 1 for a boid with a command, 0 without, KEEPS. */
export interface Command {
  /** The row of per-boid state that x goes to. */
  row: number;
  /** The first boid of the flock, in the order of ids. */
  first: number;
  count: number;
  rows: Float32Array<ArrayBuffer>;
}

/** All commands of a message. Throws Refused if one is wrong. `states`: names of the per-boid state of each flock. */
export function commandsOf(controls: Controls, scene: SceneMessage, states: Record<string, string[]>, flock: Pick<Flock, "counts" | "who">): Command[] {
  return Object.entries(controls).map(([name, values]) => {
    const index = scene.flocks.findIndex((one) => one.name === name);
    if (index < 0) throw new Refused(`controls: no flock named '${name}'; expected ${scene.flocks.map((one) => one.name).join(", ")}`);
    const what = `controls['${name}']`;
    const count = flock.counts[index]!;
    const first = flock.counts.slice(0, index).reduce((a, b) => a + b, 0);
    const rows = new Float32Array(4 * count);
    const row = rowOf(what, scene, states[name] ?? []);
    if (values === null) return { row, first, count, rows };
    const { ids, vectors } = isPart(values) ? values : { ids: null, vectors: values };
    const places = ids && placesOf(what, Array.from(ids), count, flock.who && [...flock.who.indices.subarray(first, first + count)]);
    if (places) rows.fill(KEEPS, 3 * count);
    put(what, rows, numbersOf(what, vectors, places?.length ?? count, scene.dims), scene.dims, places);
    return { row, first, count, rows };
  });
}

const isPart = (values: object): values is { ids: ArrayLike<number>; vectors: Vectors } => Object.hasOwn(values, "ids") && Object.hasOwn(values, "vectors");
type Vectors = ArrayLike<number> | ArrayLike<ArrayLike<number>>;

/** The row of the x of a flock's rule of kind 'command'. */
function rowOf(what: string, scene: SceneMessage, names: string[]): number {
  const rules = (scene.model["rules"] ?? {}) as Record<string, { kind?: string }>;
  const rows = names.flatMap((name, row) => {
    const rule = /^rules\.(.+)\.x$/.exec(name)?.[1];
    return rule !== undefined && (rules[rule]?.kind ?? rule) === "command" ? [row] : [];
  });
  if (rows.length === 1) return rows[0]!;
  throw new Refused(`${what}: got commands for a flock with ${rows.length} rules of kind 'command'; expected one`);
}

/** The places of boids with some ids among the boids of a flock. `present`: their ids, if boids join and leave. */
function placesOf(what: string, ids: number[], count: number, present: number[] | null): number[] {
  const places = ids.map((id) => (present ? present.indexOf(id) : Number.isInteger(id) && id >= 0 && id < count ? id : -1));
  const wrong = ids.filter((_, k) => places[k]! < 0);
  if (wrong.length > 0) throw new Refused(`${what}: got ids ${wrong.slice(0, 8).join(", ")}; expected ids of its ${count} boids`);
  if (new Set(ids).size < ids.length) throw new Refused(`${what}: got an id twice; expected different ones`);
  return places;
}

/** The numbers of all vectors: of an array of vectors, or of an array of numbers. */
function numbersOf(what: string, vectors: Vectors, count: number, dims: number): number[] {
  const rows = Array.from(vectors as ArrayLike<unknown>);
  const nested = rows.map((row) => (typeof row === "number" ? [row] : Array.from((row ?? []) as ArrayLike<unknown>)));
  const regular = rows.every((row) => typeof row === "number") ? rows.length === count * dims : rows.length === count && nested.every((row) => row.length === dims);
  const numbers = nested.flat();
  if (regular && numbers.every((x) => typeof x === "number")) return numbers;
  throw new Refused(`${what}: got ${rows.length} values; expected ${count} vectors of ${dims} numbers, one for each ${count === 1 ? "boid" : "boid in the order of ids"}`);
}

/** Write vectors into the rows of the boids at some places; null for all boids. */
function put(what: string, rows: Float32Array, numbers: number[], dims: number, places: number[] | null): void {
  const count = rows.length / 4;
  const given = numbers.length / dims;
  let free = 0;
  for (let k = 0; k < given; k++) {
    const vector = numbers.slice(k * dims, (k + 1) * dims);
    const place = places ? places[k]! : k;
    rows[3 * count + place] = 0;
    if (vector.every(Number.isNaN)) {
      free++;
      continue;
    }
    if (!vector.every((x) => Math.abs(x) <= LARGEST)) {
      throw new Refused(`${what}: got (${vector.join(", ")}) in row ${k}; expected numbers from ${-LARGEST} to ${LARGEST}, or NaN on every axis to leave the boid to its other rules`);
    }
    vector.forEach((x, d) => (rows[d * count + place] = x));
    rows[3 * count + place] = 1;
  }
  if (given > 0 && free === given) throw new Refused(`${what}: got NaN for every boid; expected a command for some. Give null to leave all boids to their other rules`);
}

/** The boids of each flock, for a program. */
export function boidsOf({ flocks, dims }: SceneMessage, { counts, places, indices }: State): Record<string, Boids> {
  const boids = indices.length;
  let first = 0;
  return Object.fromEntries(flocks.map(({ name }, index) => {
    const [begin, count] = [first, counts[index]!];
    first += count;
    const rowMajor = (axis: number): Float32Array => {
      const out = new Float32Array(count * dims);
      for (let k = 0; k < count; k++) for (let d = 0; d < dims; d++) out[k * dims + d] = places[(axis + d) * boids + begin + k]!;
      return out;
    };
    return [name, { ids: indices.slice(begin, begin + count), positions: rowMajor(0), velocities: rowMajor(dims) }];
  }));
}
