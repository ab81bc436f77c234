/** The numbers of a model at dotted paths, and what they are at a time. */

import { sin } from "./plainmath";
import { isDistribution, largestOf } from "../controls/distribution";
import { isSchedule, scheduleAt } from "../controls/schedule";
import { asNumber } from "../wire/json";
import type { Plain } from "../wire/contracts";

export type Values = Record<string, Plain>;

/** The values with another at a path; within a vector or a schedule, that is copied. */
export function withValue(values: Values, path: string, value: Plain): Values {
  const keys = path.split(".");
  for (let n = keys.length; n > 0; n--) {
    const owner = keys.slice(0, n).join(".");
    if (!(owner in values)) continue;
    return { ...values, [owner]: put(values[owner]!, keys.slice(n), value) };
  }
  return { ...values, [path]: value };
}

/** A copy with another value at some keys. */
export function put(here: Plain, keys: string[], value: Plain): Plain {
  if (keys.length === 0) return value;
  if (here === null || typeof here !== "object") return value;
  const copy = (Array.isArray(here) ? [...here] : { ...here }) as Record<string, Plain>;
  copy[keys[0]!] = put(copy[keys[0]!] ?? null, keys.slice(1), value);
  return copy as Plain;
}

/** A number at a time; the largest one of a distribution, such as the radius that cells must serve. */
export function numberAt(value: Plain | undefined, time: number): number {
  if (isDistribution(value)) return largestOf(value);
  if (isSchedule(value)) return scheduleAt(value, time, sin);
  return asNumber(value) ?? 0;
}

/** Whether a number, or one within a vector, changes in time. */
export const isScheduled = (value: Plain | undefined): boolean =>
  isSchedule(value) || (Array.isArray(value) && value.some(isScheduled));

/** Three numbers at a time, whatever the dimensions. */
export const threeAt = (value: Plain | undefined, time: number, fill = 0): number[] =>
  [...(Array.isArray(value) ? value.map((x) => numberAt(x, time)) : []), fill, fill, fill].slice(0, 3);
