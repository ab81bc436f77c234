/** Rows of numbers for a module: every number of the model, its obstacles, and errors of senses, for
 * each evaluation of the forces. Like engines/cpu/model_arguments.py. */

import { Lost } from "./errors";
import { passed } from "./traits";
import { isScheduled, numberAt, threeAt, type Values } from "./values";
import { lookUp } from "../state/paths";
import { fromBase64 } from "../wire/json";
import { LARGE, OBSTACLE_NUMBERS, type NumberSources, type Plain, type ShapeRow, type SlotSource } from "../wire/contracts";
import { t } from "../words";

/** A field of an obstacle. */
export type Field = (key: string) => Plain | undefined;

/** The row of an obstacle at a time: as murmurate.model.shapes.shape. */
export function obstacleRow(shape: ShapeRow, field: Field, time: number): number[] {
  const numbers = Object.entries(shape.lengths).flatMap(([key, factor]) => {
    const value = field(key);
    return (Array.isArray(value) ? threeAt(value, time, shape.fill) : [numberAt(value, time)]).map((x) => factor * x);
  });
  const three = [...numbers, 0, 0].slice(0, 3);
  return [shape.number, ...threeAt(field(shape.position), time), ...(shape.unbounded ? unitNormal(three) : three)];
}

/** A vector of length 1 in a direction; zeros where it has none. */
export function unitNormal(normal: number[]): number[] {
  const largest = Math.max(...normal.map(Math.abs));
  if (largest === 0) return normal;
  // the squares of smaller numbers vanish
  const [x, y, z] = (largest > 1e-140 ? normal : normal.map((part) => part / largest)) as [number, number, number];
  const length = Math.sqrt(x * x + y * y + z * z);
  return [x / length, y / length, z / length];
}

export class Rows {
  private readonly slots: { kind: SlotSource["kind"]; value: Plain }[];
  private readonly tables: number[];
  private readonly shapes: { shape: ShapeRow; field: Field; mesh: number[] | undefined }[];
  /** The obstacles that there are: those of the model, then those that were drawn. */
  private readonly names: string[];
  /** Whether numbers differ from step to step. */
  readonly scheduled: boolean;

  constructor(private readonly manifest: NumberSources, values: Values) {
    this.slots = manifest.numbers.map(({ kind, path, value }) => ({
      kind,
      value: (path ? lookUp(values, path) ?? cornerOf(values, path) : undefined) ?? value,
    }));
    this.tables = manifest.tables.flatMap((table) => (typeof table === "string" ? [...new Float32Array(fromBase64(table))] : table));
    this.names = Object.keys(values).flatMap((path) => /^obstacles\.([^.]+)\.kind$/.exec(path)?.[1] ?? []);
    this.shapes = this.names.map((name) => {
      const field: Field = (key) => values[`obstacles.${name}.${key}`];
      return { shape: manifest.shapes[String(field("kind"))]!, field, mesh: manifest.meshes[name] };
    });
    this.scheduled =
      this.slots.some(({ value }) => isScheduled(value)) ||
      this.shapes.some(({ shape, field }) => [shape.position, ...Object.keys(shape.lengths)].some((key) => isScheduled(field(key)))) ||
      manifest.errors.some((pair) => pair.some(isScheduled));
  }

  numbers(time: number): number[] {
    const numbers = this.slots.map(({ kind, value }) => Math.min(LARGE, Math.max(-LARGE, passed(kind, numberAt(value, time)))));
    return [...numbers, ...this.tables];
  }

  obstacles(time: number): number[] {
    return this.shapes.flatMap(({ shape, field, mesh }) => {
      const row = obstacleRow(shape, field, time);
      return mesh ? [...row.slice(0, -mesh.length), ...mesh] : row;
    });
  }

  /** Why a step that begins at a time cannot be made: a wall whose normal is zero. "" if it can. */
  wrongAt(time: number, dt: number, parts: number[]): string {
    for (const [k, { shape, field }] of this.shapes.entries()) {
      const normal = shape.unbounded ? field("normal") : undefined;
      if (!isScheduled(normal)) continue;
      const at = [...parts, 1].map((part) => time + part * dt).find((now) => threeAt(normal, now).every((x) => x === 0));
      if (at === undefined) continue;
      const name = this.names[k]!;
      return t("{path}: got a vector of zeros at time {time}; expected one that points to the side where boids may be. Give it a part that is not 0 while the others pass through 0", { path: `obstacles.${name}.normal`, time: String(at) });
    }
    return "";
  }

  /** How many obstacles there are. */
  get obstacleCount(): number {
    return this.names.length;
  }

  /** How many of the next steps have valid obstacles. Throws Lost if the first of them does not. */
  validSteps(steps: number, step: number, dt: number): number {
    if (!this.scheduled) return steps;
    for (let k = 0; k < steps; k++) {
      const wrong = this.wrongAt((step + k) * dt, dt, this.manifest.parts);
      if (wrong && k > 0) return k;
      if (wrong) throw new Lost(t("step {step}: {why}", { step: String(step + 1), why: wrong }));
    }
    return steps;
  }

  /** A row for WebGPU: numbers, obstacles, those a time step later, and errors. It has room for more obstacles than
   * there may be. */
  all(time: number, dt: number): number[] {
    const free = new Array<number>(OBSTACLE_NUMBERS * (this.manifest.obstacles.length - this.obstacleCount)).fill(0);
    const rest = [...this.obstacles(time), ...free, ...this.obstacles(time + dt), ...free, ...this.errors(time)];
    return [...this.numbers(time), ...rest.map((x) => Math.min(LARGE, Math.max(-LARGE, x)))];
  }

  errors(time: number): number[] {
    return this.manifest.errors.flatMap((pair) => pair.map((error) => numberAt(error, time)));
  }

  /** The longest radius that cells have to serve at these times. */
  reach(times: number[], radii: number[]): number {
    const longest = (time: number): number => Math.max(0, ...radii.map((slot) => numberAt(this.slots[slot]!.value, time)));
    return Math.max(...times.map(longest));
  }
}

/** Paths whose corners fill all that their module has room for: the last corner again, or of a closed path the
 * first one. */
function cornerOf(values: Values, path: string): Plain | undefined {
  const [, owner, corner, axis] = /^(.+)\.points\.(\d+)\.(\d)$/.exec(path) ?? [];
  if (owner === undefined) return undefined;
  const points = values[`${owner}.points`];
  if (!Array.isArray(points) || points.length === 0 || Number(corner) < points.length) return undefined;
  const last = (values[`${owner}.closed`] === true ? points[0] : points.at(-1)) as Plain[];
  return last[Number(axis)];
}
