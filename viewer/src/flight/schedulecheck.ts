/** Errors of a schedule, with the messages of murmurate.model.quantity; empty for a valid one. */

import type { Plain, Table } from "../wire/contracts";
import { decimals, t } from "../words";

const list = (value: Plain | undefined): number[] | null =>
  Array.isArray(value) && value.every((x) => typeof x === "number" && Number.isFinite(x)) ? (value as number[]) : null;
const number = (value: Plain | undefined): value is number => typeof value === "number" && Number.isFinite(value);

export function scheduleFault(schedule: Table): string {
  const { kind, begin = 0, end, period, phase = 0, mean = 0, amplitude } = schedule;
  if (kind === "ramp") {
    if (![schedule["start"], schedule["stop"], begin, end].every(number)) return t("a ramp takes numbers: start, stop, begin, end");
    return Number(end) > Number(begin) ? "" : t("end is {end}: it must be later than begin ({begin})", { end: decimals(String(end)), begin: decimals(String(begin)) });
  }
  if (kind === "cycle") {
    if (![mean, amplitude, period, phase].every(number)) return t("a cycle takes numbers: mean, amplitude, period, phase");
    return Number(period) > 0 ? "" : t("period must be > 0");
  }
  const [times, values] = [list(schedule["times"]), list(schedule["values"])];
  if (!times || !values) return t("times and values are lists of numbers");
  const expected = times.length + (kind === "steps" ? 1 : 0);
  if (values.length !== expected || values.length === 0) return t("{n} values for {times} times: give {expected}", { n: values.length, times: times.length, expected });
  return times.every((time, k) => k === 0 || time > times[k - 1]!) ? "" : t("times must increase");
}
