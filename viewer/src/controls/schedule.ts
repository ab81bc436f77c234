/** Schedules: numbers that change in time, as the model files write them. */

import type { Plain, Table } from "../wire/contracts";
import { tv } from "../words";

export const KINDS = ["ramp", "steps", "cycle", "sampled"] as const;

export function isSchedule(value: Plain | undefined): value is Table {
  return (
    value !== null &&
    typeof value === "object" &&
    !Array.isArray(value) &&
    KINDS.some((kind) => kind === value["kind"])
  );
}

const number = (value: Plain | undefined, other = 0): number =>
  typeof value === "number" ? value : other;
const numbers = (value: Plain | undefined): number[] =>
  Array.isArray(value) ? value.map((item) => number(item)) : [];

/** How many of increasing times are not later than `time`. */
function passed(times: number[], time: number): number {
  let k = 0;
  while (k < times.length && times[k]! <= time) k++;
  return k;
}

/** The number that a schedule holds at a time. `sin`: with which sine a cycle swings. */
export function scheduleAt(schedule: Table, time: number, sin = Math.sin): number {
  const times = numbers(schedule["times"]);
  const values = numbers(schedule["values"]);
  switch (schedule["kind"]) {
    case "ramp": {
      const begin = number(schedule["begin"]);
      const end = number(schedule["end"]);
      const part = Math.min(1, Math.max(0, (time - begin) / (end - begin)));
      const start = number(schedule["start"]);
      return start + (number(schedule["stop"]) - start) * part;
    }
    case "steps":
      return values[Math.min(passed(times, time), values.length - 1)] ?? 0;
    case "cycle": {
      const cycles = time / number(schedule["period"], 1) + number(schedule["phase"]);
      return number(schedule["mean"]) + number(schedule["amplitude"]) * sin(2 * Math.PI * cycles);
    }
    default: {
      const k = passed(times, time);
      if (k === 0) return values[0] ?? 0;
      if (k === times.length) return values[k - 1] ?? 0;
      const part = (time - times[k - 1]!) / (times[k]! - times[k - 1]!);
      return values[k - 1]! + (values[k]! - values[k - 1]!) * part;
    }
  }
}

/** The stretch of time worth drawing. */
export function scheduleSpan(schedule: Table): number {
  const times = numbers(schedule["times"]);
  if (schedule["kind"] === "ramp") return 1.25 * number(schedule["end"], 1);
  if (schedule["kind"] === "cycle") return 2 * number(schedule["period"], 1);
  return times.length > 0 ? 1.1 * times[times.length - 1]! : 1;
}

// mark("ramp") mark("steps") mark("cycle") mark("sampled") mark("start") mark("stop") mark("begin") mark("end")
// mark("mean") mark("amplitude") mark("period") mark("phase") mark("times") mark("values")

/** The dotted paths of the numbers inside a schedule, below the path of the schedule itself. */
export function schedulePaths(schedule: Table, path: string): { path: string; label: string }[] {
  const out: { path: string; label: string }[] = [];
  for (const [key, value] of Object.entries(schedule)) {
    if (typeof value === "number") out.push({ path: `${path}.${key}`, label: tv(key) });
    if (Array.isArray(value)) {
      value.forEach((_, k) => out.push({ path: `${path}.${key}.${k}`, label: `${tv(key)} ${k + 1}` }));
    }
  }
  return out;
}
