/** Reading and writing tables by dotted path: rules.cohesion.weight, rules.roost.place.2. */

import type { Plain, Table } from "../wire/contracts";

export function valueAt(table: Plain, path: string): Plain | undefined {
  let here: Plain | undefined = table;
  for (const key of path === "" ? [] : path.split(".")) {
    if (Array.isArray(here)) here = here[Number(key)];
    else if (here !== null && typeof here === "object") here = here[key];
    else return undefined;
  }
  return here;
}

/** Put a value in place; tables on the way that are not there are made. */
export function putAt(table: Table, path: string, value: Plain): void {
  const keys = path.split(".");
  let here: Plain = table;
  keys.forEach((key, k) => {
    const last = k === keys.length - 1;
    const store = here as { [key: string]: Plain };
    if (last) store[key] = value;
    else {
      const next = store[key];
      if (next === null || typeof next !== "object") store[key] = {};
      here = store[key]!;
    }
  });
}

/** Whether a path has the flocks that a rule moves: they change with drawn predators, and are no setting. */
export const isMoves = (path: string): boolean => /^rules\.[^.]+\.moves$/.test(path);

/** Whether a path has the number of boids of a flock. */
export const isCount = (path: string): boolean => /^flocks\.[^.]+\.count$/.test(path);

/** The path of the whole value that a path leads into: that of a distribution for its mean. */
export function ownerOf(values: Record<string, unknown>, path: string): string {
  const keys = path.split(".");
  for (let n = keys.length; n > 0; n--) {
    const owner = keys.slice(0, n).join(".");
    if (owner in values) return owner;
  }
  return path;
}

/** The value at a path in a table by whole paths: that of a field, or of what is within a vector, a schedule or a polyline. */
export function lookUp(values: Record<string, Plain>, path: string): Plain | undefined {
  const keys = path.split(".");
  for (let n = keys.length; n > 0; n--) {
    let here: Plain | undefined = values[keys.slice(0, n).join(".")];
    if (here === undefined) continue;
    for (const key of keys.slice(n)) {
      if (here === null || typeof here !== "object") return undefined;
      here = (here as Record<string, Plain>)[key];
    }
    return here;
  }
  return undefined;
}
