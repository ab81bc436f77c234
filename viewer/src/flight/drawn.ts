/** Parts that are drawn in a page, which has no compiler: its modules have room for them. Like
 * live_view/drawing.py; runs/drawable_parts.py decides what there is room for. */

import { putAt, valueAt } from "../state/paths";
import { asNumber } from "../wire/json";
import type { DrawingData, FoundedFlock, JsonSchema, Plain, Role, SceneMessage, Shape, SpareRule, Table } from "../wire/contracts";
import type { Tables } from "./manifest";
import type { Flock } from "./state";
import { axesFault, noRoom, Refused } from "./errors";
import type { Values } from "./values";
import { t } from "../words";

/** A part with its values when it was drawn. */
export interface DrawnPart {
  table: Table;
  values: Values;
  /** By path: a flock's motion has one of its own. */
  schemas: Record<string, JsonSchema>;
  formula: string;
  /** Of a rule: its place among the rules that can be drawn. */
  rank?: number;
  founded?: FoundedFlock;
}

/** Rules that no boid has without the flock of drawn predators. */
const OF_PREDATORS: Role[] = ["flee", "hunt", "predators-avoid"];

const PATH_SPEED = 0.8; // of the flock
const SMALLEST = 1e-6; // longest sides of the space: shorter walls and paths are refused
const DIGITS = 6;

const rounded = (x: number, digits = DIGITS): number => Number(x.toPrecision(digits)) + 0;
const between = (a: number[], b: number[]): number => Math.hypot(...a.map((x, d) => b[d]! - x));

export class Drawing {
  constructor(private readonly data: DrawingData, private readonly scene: SceneMessage) {}

  private get longest(): number {
    const { space, dims } = this.scene;
    return Math.max(...space.upper.slice(0, dims).map((u, d) => u - space.lower[d]!));
  }

  /** The tables of the parts that a shape becomes. `parts`: those that were drawn before. */
  tables(shape: Shape, parts: ReadonlyMap<string, DrawnPart>, flock: Flock): Tables {
    switch (shape.kind) {
      case "goal": return this.rule("goal", { place: this.inside(shape.place) });
      case "path": return this.pathTable(shape);
      case "wall": return this.obstacle(this.wall(shape.through, flock), parts);
      default: {
        const { centre, ...sizes } = shape;
        return this.obstacle({ ...sizes, centre: this.inside(centre) }, parts);
      }
    }
  }

  /** The path of the flock that the first predator creates; "" if the model has predators, or none can be drawn. */
  get foundedPath(): string {
    const { flock, founded } = this.data.predators;
    return founded ? `flocks.${flock}` : "";
  }

  /** The flock that predators join. */
  get predators(): string {
    const { flock } = this.data.predators;
    if (!flock) throw new Refused(noRoom("predator"));
    return flock;
  }

  /** The flock of the first predator, and its rules. */
  founding(position: number[]): Tables {
    const { table, reach } = this.data.predators.founded!;
    const { space, dims } = this.scene;
    const around = (d: number, way: number, face: number, clip: (a: number, b: number) => number): number =>
      ["reflecting", "held"].includes(space.boundaries?.[d] ?? "open") ? clip(position[d]! + way, face) : position[d]! + way;
    const axes = Array.from({ length: dims }, (_, d) => d);
    const start = {
      ...(table["start"] as Table),
      lower: axes.map((d) => around(d, -reach, space.lower[d]!, Math.max)),
      upper: axes.map((d) => around(d, reach, space.upper[d]!, Math.min)),
    };
    return { [this.foundedPath]: { ...table, start }, ...this.rule("hunt"), ...this.rule("flee") };
  }

  /** The drawn rules that are no longer of use without the flock of drawn predators. */
  dependents(parts: ReadonlyMap<string, DrawnPart>): string[] {
    return OF_PREDATORS.flatMap((role) => this.data.rules[role]?.path ?? []).filter((path) => parts.has(path));
  }

  private rule(role: Role, own: Table = {}): Tables {
    const spare = this.data.rules[role];
    if (!spare) throw new Refused(noRoom(role));
    return { [spare.path]: { ...spare.table, ...own } };
  }

  private pathTable({ points, closed = false }: Shape & { kind: "path" }): Tables {
    const most = this.data.points - (closed ? 1 : 0);
    if (points.length > most) throw new Refused(t("points: got {n}; expected at most {most} corners in this page", { n: points.length, most }));
    const corners = closed ? [...points, points[0]!] : points;
    const length = corners.slice(1).reduce((sum, point, k) => sum + between(corners[k]!, point), 0);
    if (length < SMALLEST * this.longest) throw new Refused(t("points: got equal points only; expected two different ones for a path"));
    return this.rule("path", { points, closed, period: rounded(length / (PATH_SPEED * this.data.speed), 3) });
  }

  private obstacle(table: Table, parts: ReadonlyMap<string, DrawnPart>): Tables {
    if (!(String(table["kind"]) in this.data.shapes)) throw new Refused(noRoom(String(table["kind"])));
    const drawn = [...parts.keys()].filter((path) => path.startsWith("obstacles."));
    if (drawn.length >= this.data.obstacles) throw new Refused(t("obstacles: this page has room for {n} drawn ones. Delete one first", { n: this.data.obstacles }));
    const used = new Set([...this.scene.obstacles, ...this.scene.flocks].map(({ name }) => name));
    for (const path of drawn) used.add(path.slice("obstacles.".length));
    let name = String(table["kind"]);
    for (let n = 2; used.has(name); n++) name = `${String(table["kind"])}-${n}`;
    const rules = (["avoid", "predators-avoid"] as const).filter((role) => role === "avoid" || parts.has(this.foundedPath)).flatMap((role) => this.data.rules[role] ?? []);
    return { [`obstacles.${name}`]: table, ...Object.fromEntries(rules.filter(({ path }) => !parts.has(path)).map((rule) => [rule.path, rule.table])) };
  }

  /** A wall through two points, with the flock in front of it. */
  private wall([first, second]: number[][], flock: Flock): Table {
    const [ax, ay] = first as [number, number];
    const [bx, by] = second as [number, number];
    const length = Math.hypot(bx - ax, by - ay);
    if (length < SMALLEST * this.longest) throw new Refused(t("through: got two equal points; expected two different ones for a wall"));
    let normal = [(ay - by) / length, (bx - ax) / length];
    let side = 0;
    for (let k = 0; k < flock.boids; k++) side += (flock.positions[3 * k]! - ax) * normal[0]! + (flock.positions[3 * k + 1]! - ay) * normal[1]!;
    if (side < 0) normal = normal.map((x) => -x);
    const point = this.inside(first!);
    return { kind: "wall", point, normal: [...normal, 0].slice(0, this.scene.dims).map((x) => rounded(x)) };
  }

  /** A point, brought into the space on periodic axes. */
  private inside(point: number[]): number[] {
    const { space, dims } = this.scene;
    if (point.length !== dims || !point.every(Number.isFinite)) throw new Refused(axesFault("point", point.length, dims));
    return point.map((x, d) => {
      const side = space.upper[d]! - space.lower[d]!;
      return space.periodic[d] ? rounded(x - side * Math.floor((x - space.lower[d]!) / side)) : x;
    });
  }

  /** A part from its table, which may come from outside: only what there is room for. Its numbers are checked when
   * they are set. */
  part(path: string, table: Table, parts: ReadonlyMap<string, DrawnPart>): DrawnPart {
    const rank = Object.values(this.data.rules).findIndex((rule) => rule.path === path);
    const spare = Object.values(this.data.rules)[rank];
    if (spare && table["kind"] === spare.table["kind"]) return this.rulePart(spare, table, parts, rank);
    const { founded } = this.data.predators;
    if (founded && path === this.foundedPath) return this.flockPart(founded, table);
    const schema = /^obstacles\.[\w-]{1,64}$/.test(path) ? this.data.shapes[String(table["kind"])] : undefined;
    if (!schema) throw new Refused(t("{path}: this page has no room for it", { path }));
    const drawn = [...parts.keys()].filter((other) => other.startsWith("obstacles."));
    if (drawn.length >= this.data.obstacles) throw new Refused(t("obstacles: this page has room for {n} drawn ones. Delete one first", { n: this.data.obstacles }));
    const own: Table = {};
    for (const key of Object.keys(schema.properties ?? {})) {
      const value = table[key] ?? null;
      const list = Array.isArray(value) ? value : [value];
      const sound = key === "kind" || (list.every((x) => asNumber(x) !== null) && (!Array.isArray(value) || value.length === this.scene.dims));
      if (!sound) throw new Refused(t("{path}: got {value}; expected numbers", { path: `${path}.${key}`, value: JSON.stringify(value) }));
      own[key] = value;
    }
    return { table: own, values: Object.fromEntries(Object.entries(own).map(([key, value]) => [`${path}.${key}`, value])), schemas: { [path]: schema }, formula: "" };
  }

  private rulePart({ path, table: first, values: all, schema, formula }: SpareRule, table: Table, parts: ReadonlyMap<string, DrawnPart>, rank: number): DrawnPart {
    const ofPredators = OF_PREDATORS.some((role) => this.data.rules[role]?.path === path);
    if (ofPredators && !parts.has(this.foundedPath)) throw new Refused(t("{path}: is a rule of {flock}, which is not there. Draw a predator first", { path, flock: this.foundedPath }));
    const own = Object.fromEntries(Object.keys(table).filter((key) => `${path}.${key}` in all).map((key) => [key, table[key]!]));
    const full = { ...first, ...own };
    const values = { ...all };
    for (const [key, value] of Object.entries(full)) if (!isWord(value)) values[`${path}.${key}`] = value;
    if (Array.isArray(full["points"])) this.checkPoints(full["points"]);
    return { table: full, values, schemas: { [path]: schema }, formula, rank };
  }

  /** The numbers of the flock's own table, and where it starts. */
  private flockPart(founded: FoundedFlock, table: Table): DrawnPart {
    const path = this.foundedPath;
    const full = structuredClone(founded.table);
    const values = { ...founded.values };
    for (const key of Object.keys(values).map((whole) => whole.slice(path.length + 1))) {
      const value = valueAt(table, key);
      if (value === undefined || asNumber(values[`${path}.${key}`] ?? null) === null) continue;
      values[`${path}.${key}`] = value;
      putAt(full, key, value);
    }
    const corners = (["start.lower", "start.upper"] as const).map((key) => {
      const point = valueAt(table, key);
      if (!Array.isArray(point) || point.length !== this.scene.dims || point.some((x) => asNumber(x) === null)) {
        throw new Refused(t("{path}: got {value}; expected {n} numbers, one per axis of the space", { path: `${path}.${key}`, value: JSON.stringify(point ?? null), n: this.scene.dims }));
      }
      putAt(full, key, point);
      return point.map(Number);
    });
    if (corners[0]!.some((x, d) => x > corners[1]![d]!)) throw new Refused(t("{path}: the lower corner is above the upper one", { path: `${path}.start` }));
    return { table: full, values, schemas: founded.schemas, formula: "", founded };
  }

  private checkPoints(points: Plain[]): void {
    const sound = points.length >= 2 && points.length <= this.data.points
      && points.every((point) => Array.isArray(point) && point.length === this.scene.dims && point.every((x) => asNumber(x) !== null));
    if (!sound) throw new Refused(t("points: expected 2 to {most} corners of {n} numbers", { most: this.data.points, n: this.scene.dims }));
  }
}

/** Texts decide which flocks a rule moves, or how it is compiled: they cannot change. */
const isWord = (value: Plain): boolean => typeof value === "string" || (Array.isArray(value) && value.some((x) => typeof x === "string"));

/** The table of a part with the numbers that it has now. */
export function tableNow({ table, values: first }: DrawnPart, path: string, values: Values): Table {
  const now = structuredClone(table);
  for (const [key, value] of Object.entries(first)) {
    const present = values[key];
    if (present !== undefined && JSON.stringify(present) !== JSON.stringify(value)) putAt(now, key.slice(path.length + 1), present);
  }
  return now;
}
