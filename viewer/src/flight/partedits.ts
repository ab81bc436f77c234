/** Parts that are added and removed while a flock is simulated in a page. */

import type { Plain, Shape, Table } from "../wire/contracts";
import { Drawing, tableNow } from "./drawn";
import type { FlightData, Tables } from "./manifest";
import type { Flock } from "./state";
import type { Model } from "./model";
import { noRoom, Refused } from "./errors";
import type { Resize } from "./resize";
import { pointInside } from "./space";
import { isCount } from "../state/paths";
import { t } from "../words";

/** Parts that are added (tables) and removed (null) and numbers of boids, by path; positions of the boids that join
 * each flock; the boid that leaves. */
export interface Edit {
  parts: Record<string, Plain>;
  places?: Record<string, number[][]>;
  leaving?: number;
}

export class PartEdits {
  private readonly drawing: Drawing | null;

  constructor(private readonly data: Pick<FlightData, "drawing" | "scene" | "starts">, private readonly model: Model) {
    this.drawing = data.drawing ? new Drawing(data.drawing, data.scene) : null;
  }

  private get room(): Drawing {
    if (!this.drawing) throw new Refused(noRoom("drawing"));
    return this.drawing;
  }

  /** Apply the changes of a link one by one. Returns those that cannot be made, in words. */
  open({ values, off, drawn = {} }: FlightData): string[] {
    const wrong: string[] = [];
    const tried = (work: () => unknown): void => {
      try {
        work();
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        wrong.push(error.message);
      }
    };
    for (const [path, table] of Object.entries(drawn)) tried(() => this.add(path, table));
    for (const [path, value] of Object.entries(values)) tried(() => this.model.set({ [path]: value }));
    for (const rule of off) tried(() => this.model.switchRule(rule, false));
    return wrong;
  }

  /** The parts that a drawn shape becomes, for `edit`. */
  tables(shape: Shape, flock: Flock): Tables {
    return this.room.tables(shape, this.model.drawn, flock);
  }

  /** The changes for one more predator. */
  predator(position: number[]): Edit {
    const { predators: flock } = this.room;
    const count = `flocks.${flock}.count`;
    const present = this.model.values[count];
    return { parts: present === undefined ? this.room.founding(position) : { [count]: Number(present) + 1 }, places: { [flock]: [position] } };
  }

  /** The changes for one boid less: the last one removes a drawn flock. */
  removal(flock: string): Record<string, Plain> {
    const count = Number(this.model.values[`flocks.${flock}.count`]);
    if (count > 1) return { [`flocks.${flock}.count`]: count - 1 };
    if (!this.model.drawn.has(`flocks.${flock}`)) throw new Refused(t("{flock}: the last boid of a flock cannot be removed in a page. Switch off the rules that sense it", { flock }));
    return { [`flocks.${flock}`]: null };
  }

  add(path: string, table: Table): void {
    const part = this.room.part(path, table, this.model.drawn);
    this.model.add(path, part);
    if (part.founded) this.putStart(path.slice("flocks.".length), part.table["start"] as Table);
  }

  /** Where a flock that was drawn starts. */
  private putStart(flock: string, { lower, upper }: Table): void {
    const start = this.data.starts[flock]!;
    if ("positions" in start) return;
    const three = (point: Plain | undefined): number[] => [...(point as number[]), 0].slice(0, 3);
    this.data.starts[flock] = { ...start, numbers: [...three(lower), ...three(upper), ...start.numbers.slice(6)] };
  }

  /** All of it, or nothing. What each part was and is, by path, and how boids join and leave. */
  edit({ parts, places = {}, leaving = -1 }: Edit): { changed: Record<string, [Plain, Plain]>; resize: Resize | null } {
    const changed: Record<string, [Plain, Plain]> = {};
    const before = String(this.model.counts);
    const joining = this.model.flocks.map((name) => (places[name] ?? []).map((point) => pointInside(this.data.scene, point)));
    try {
      for (const [path, value] of this.ordered(parts)) changed[path] = [this.change(path, value), value];
    } catch (error) {
      for (const [path, [before]] of Object.entries(changed).reverse()) this.change(path, before);
      throw error;
    }
    const { counts } = this.model;
    return { changed, resize: String(counts) === before ? null : { counts, places: joining, leaving } };
  }

  /** A flock is added before the rules that need it, and removed after them. */
  private ordered(parts: Record<string, Plain>): [string, Plain][] {
    const founded = this.drawing?.foundedPath;
    const gone = founded && parts[founded] === null ? this.room.dependents(this.model.drawn).map((path) => [path, null] as const) : [];
    const all = { ...Object.fromEntries(gone), ...parts };
    const rank = ([path, value]: [string, Plain]): number => (value === null ? 0 : 2) + Number(path.startsWith("flocks.") === (value === null));
    return Object.entries(all).sort((a, b) => rank(a) - rank(b));
  }

  /** One change; what the part was. */
  private change(path: string, value: Plain): Plain {
    const { model } = this;
    if (isCount(path)) {
      const before = model.values[path] ?? null;
      model.set({ [path]: value });
      return before;
    }
    const part = model.drawn.get(path);
    const before = part ? tableNow(part, path, model.values) : null;
    if (value === null) model.remove(path);
    else this.add(path, value as Table);
    return before;
  }
}
