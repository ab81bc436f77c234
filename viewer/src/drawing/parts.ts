/** Parts of a model that are drawn, removed and restored, as the history of changes stores them: under the key
 * 'drawn PATH'. For a whole flock, rule or obstacle the value is whether it exists, and its table is kept here.
 * For anything else it is the value. */

import { nameOf } from "../controls/specs";
import type { Changed } from "../state/history";
import { lookUp, putAt, valueAt } from "../state/paths";
import type { Plain, SceneMessage, Table } from "../wire/contracts";
import { t } from "../words";

const PREFIX = "drawn ";
const WHOLE = /^(flocks|rules|obstacles)\.[^.]+$/;

/** What a change of parts is to the program in Python: [before, after] by path. */
export type PartsChanged = Record<string, [before: Plain, after: Plain]>;

export const pathOf = (key: string): string | null => (key.startsWith(PREFIX) ? key.slice(PREFIX.length) : null);
const keyOf = (path: string): string => PREFIX + path;
const held = (path: string, value: Plain): Plain => (WHOLE.test(path) ? value !== null : value);

/** What undoing (0) or redoing (1) has done to a part, in words; null if the key is not of a part. */
export function saidOfPart(key: string, value: Plain): string | null {
  const path = pathOf(key);
  if (path === null || !WHOLE.test(path)) return null;
  const name = nameOf(path);
  return value === true ? t("{name} is restored", { name }) : t("{name} is removed", { name });
}

export class Parts {
  private readonly tables = new Map<string, Plain>();
  /** 'FLOCK NUMBER' -> where that boid was placed. */
  private readonly places = new Map<string, number[]>();

  holds(scene: SceneMessage, path: string): Plain {
    const there = valueAt(scene.model, path);
    if (WHOLE.test(path)) return there !== undefined;
    return lookUp(scene.values, path) ?? there ?? null;
  }

  /** A change that Python has made, for the history. */
  taken(changed: PartsChanged): Changed {
    const entries = Object.entries(changed).map(([path, [before, after]]) => {
      if (WHOLE.test(path)) this.tables.set(path, after ?? before);
      return [keyOf(path), [held(path, before), held(path, after)]] as const;
    });
    return Object.fromEntries(entries) as Changed;
  }

  /** A boid was placed there, or removed from there. */
  placed(changed: PartsChanged, position: number[]): void {
    for (const [path, [before, after]] of Object.entries(changed)) {
      const [table, flock, last] = path.split(".");
      if (table !== "flocks") continue;
      if (last === "count") this.places.set(`${flock} ${Math.min(Number(before), Number(after))}`, position);
      else if (last === undefined) this.places.set(`${flock} 0`, position);
    }
  }

  /** The state after a reset of parts that were changed: their tables are kept. */
  reset(scene: SceneMessage): Record<string, Plain> {
    const changes: Record<string, Plain> = {};
    const loaded = new Set(Object.keys(scene.defaults).filter((path) => path.split(".").length > 2).map((path) => path.split(".").slice(0, 2).join(".")));
    for (const word of ["flocks", "rules", "obstacles"]) {
      for (const name of Object.keys((scene.model[word] ?? {}) as Table)) {
        const path = `${word}.${name}`;
        if (loaded.has(path)) continue;
        this.tables.set(path, this.now(scene, path));
        changes[keyOf(path)] = false;
      }
    }
    return changes;
  }

  /** The request by which these keys get these values; null if none is of a part. */
  edit(values: Record<string, Plain>): { values: Record<string, Plain>; places: Record<string, number[][]> } | null {
    const edit: { values: Record<string, Plain>; places: Record<string, number[][]> } = { values: {}, places: {} };
    for (const [key, value] of Object.entries(values)) {
      const path = pathOf(key);
      if (path === null) continue;
      const table = value === true ? this.tables.get(path) ?? null : null;
      edit.values[path] = WHOLE.test(path) ? table : value;
      const [, flock, last] = path.split(".");
      const place = this.places.get(`${flock} ${last === "count" ? Number(value) - 1 : 0}`);
      if (place && path.startsWith("flocks.") && (table !== null || last === "count")) edit.places[flock!] = [place];
    }
    return Object.keys(edit.values).length > 0 ? edit : null;
  }

  /** The keys of an answered edit, and what was requested for them. */
  requestedParts(values: Record<string, Plain>): Record<string, Plain> {
    return Object.fromEntries(Object.entries(values).map(([path, value]) => [keyOf(path), held(path, value)]));
  }

  clear(): void {
    this.tables.clear();
    this.places.clear();
  }

  /** The table of a part with the numbers that it has now. */
  private now(scene: SceneMessage, path: string): Plain {
    const table = structuredClone(valueAt(scene.model, path)) as Table;
    for (const [key, value] of Object.entries(scene.values)) {
      if (key.startsWith(`${path}.`) && value !== null) putAt(table, key.slice(path.length + 1), value);
    }
    return table;
  }
}
