/** Numbers that differ between boids: distributions, as the model files write them. */

import type { JsonSchema, Plain, Table } from "../wire/contracts";
import type { Range } from "./ranges";
import { asNumber } from "../wire/json";
import { listed, t, tn } from "../words";

export const KINDS = ["normal", "uniform", "lognormal", "choice", "each"] as const;
export type Kind = (typeof KINDS)[number];

/** Those that a plain number can be turned into. */
export const CHOSEN: Kind[] = ["normal", "uniform", "lognormal"];

export function isDistribution(value: Plain | undefined): value is Table {
  return (
    value !== null && typeof value === "object" && !Array.isArray(value) && KINDS.some((kind) => kind === value["kind"])
  );
}

const number = (value: Plain | undefined, other: number): number => asNumber(value) ?? other;
export const numbers = (value: Plain | undefined): number[] => (Array.isArray(value) ? value.map((x) => number(x, 0)) : []);

/** The probability of each value of a choice. */
export function sharesOf(table: Table): number[] {
  const values = numbers(table["values"]);
  const shares = numbers(table["probabilities"]);
  return shares.length === values.length ? shares : values.map(() => 1 / values.length);
}

/** The shares of a choice after one was set: the others keep their proportions. */
export function withShare(shares: number[], k: number, share: number): number[] {
  const rest = shares.reduce((sum, x, j) => (j === k ? sum : sum + x), 0);
  const others = shares.length - 1;
  const left = 1 - share;
  return shares.map((x, j) => (j === k ? (others === 0 ? 1 : share) : rest > 0 ? (x * left) / rest : left / others));
}

/** Mean and standard deviation, before `min` and `max`. */
export function meanAndSd(table: Table): { mean: number; sd: number } {
  const [low, high] = [number(table["min"], 0), number(table["max"], 1)];
  if (table["kind"] === "uniform") return { mean: (low + high) / 2, sd: (high - low) / Math.sqrt(12) };
  if (table["kind"] === "normal" || table["kind"] === "lognormal") return { mean: number(table["mean"], 0), sd: number(table["sd"], 0) };
  const values = numbers(table["values"]);
  const shares = table["kind"] === "choice" ? sharesOf(table) : values.map(() => 1 / values.length);
  const mean = values.reduce((sum, x, k) => sum + x * shares[k]!, 0);
  return { mean, sd: Math.sqrt(values.reduce((sum, x, k) => sum + (x - mean) ** 2 * shares[k]!, 0)) };
}

/** Mean and standard deviation of the logarithm of a lognormal number. */
export function logarithms({ mean, sd }: { mean: number; sd: number }): { mu: number; sigma: number } {
  const variance = Math.log1p((sd / mean) ** 2);
  return { mu: Math.log(mean) - variance / 2, sigma: Math.sqrt(variance) };
}

/** The interval in which most boids' numbers are. */
export function spanOf(table: Table): [number, number] {
  const { mean, sd } = meanAndSd(table);
  const values = numbers(table["values"]);
  const [low, high] = [number(table["min"], -Infinity), number(table["max"], Infinity)];
  switch (table["kind"]) {
    case "uniform": return [low, high];
    case "choice": case "each": return [Math.min(...values), Math.max(...values)];
    case "lognormal": {
      const { mu, sigma } = logarithms({ mean, sd });
      return [Math.max(low, Math.exp(mu - 3 * sigma)), Math.min(high, Math.exp(mu + 3 * sigma))];
    }
    default: return [Math.max(low, mean - 3 * sd), Math.min(high, mean + 3 * sd)];
  }
}

/** Bounds of all numbers; infinite where there is none. Like Distribution.extent, but for the smallest number of a lognormal
 * distribution without `min`. */
export function extentOf(table: Table): [number, number] {
  const { mean, sd } = meanAndSd(table);
  const lowest = table["kind"] === "lognormal" ? 0 : -Infinity;
  if (table["kind"] === "choice" || table["kind"] === "each") {
    const shares = table["kind"] === "choice" ? sharesOf(table) : null;
    const drawn = numbers(table["values"]).filter((_, k) => shares === null || shares[k]! > 0);
    return [drawn.reduce((a, b) => Math.min(a, b), Infinity), drawn.reduce((a, b) => Math.max(a, b), -Infinity)];
  }
  return table["kind"] !== "uniform" && sd === 0 ? [mean, mean] : [number(table["min"], lowest), number(table["max"], Infinity)];
}

/** The largest number; the mean where there is none. */
export function largestOf(table: Table): number {
  const [, high] = extentOf(table);
  return Number.isFinite(high) ? high : meanAndSd(table).mean;
}

/** How common numbers are in each of `bins` equal parts of the span, 0 to 1. */
export function barsOf(table: Table, bins: number): number[] {
  const [low, high] = spanOf(table);
  const wide = high - low;
  const heights = new Array<number>(bins).fill(0);
  if (!(wide > 0)) heights.fill(1, bins >> 1, (bins >> 1) + 1);
  else if (table["kind"] === "choice" || table["kind"] === "each") {
    const values = numbers(table["values"]);
    const shares = table["kind"] === "choice" ? sharesOf(table) : null;
    values.forEach((x, k) => (heights[Math.min(bins - 1, Math.floor((bins * (x - low)) / wide))]! += shares?.[k] ?? 1));
  } else heights.forEach((_, k) => (heights[k] = density(table, low + ((k + 0.5) * wide) / bins)));
  const most = Math.max(...heights);
  return most > 0 ? heights.map((height) => height / most) : heights;
}

/** The density of standard normal numbers, but for a factor. */
export const densityOf = (z: number): number => Math.exp(-0.5 * z * z);

/** The density, but for a factor. */
function density(table: Table, x: number): number {
  if (table["kind"] === "uniform") return 1;
  const { mean, sd } = meanAndSd(table);
  if (table["kind"] === "normal") return densityOf((x - mean) / (sd || 1));
  const { mu, sigma } = logarithms({ mean, sd });
  return x > 0 ? densityOf((Math.log(x) - mu) / (sigma || 1)) / x : 0;
}

const digits = (x: number): number => Number(x.toPrecision(3));

/** The bounds that a schema sets on each number. */
export interface Limits {
  least: number;
  most: number;
  /** The least is itself too small. */
  above: boolean;
  /** It needs a largest number: a radius, for cells are as large as the largest one. */
  ends: boolean;
}

export function limitsOf(schema: JsonSchema, { least, most, above }: Range): Limits {
  return { least, most, above, ends: schema["unit"] === "length" && schema["infinite"] === true };
}

/** A distribution in place of a number: around it, within the bounds. */
export function differing(kind: Kind, value: number, { least, most, above, ends }: Limits): Table {
  const sd = digits(0.2 * (Math.abs(value) || 1));
  const reach = digits(0.4 * (Math.abs(value) || 1));
  const low = above ? digits(least + 0.1 * Math.abs(value - least)) : least;
  const high = Number.isFinite(most) ? most : ends ? digits(value + 2.5 * sd) : Infinity;
  if (kind === "uniform") return { kind, min: Math.max(low, digits(value - reach)), max: Math.min(high, digits(value + reach)) };
  const table: Table = { kind, mean: value, sd };
  if (Number.isFinite(low) && !(kind === "lognormal" && low <= 0)) table["min"] = low;
  if (Number.isFinite(high)) table["max"] = high;
  return table;
}

/** Another kind of distribution with the same mean and spread. */
export function converted(table: Table, kind: Kind, limits: Limits): Table {
  const { mean, sd } = meanAndSd(table);
  const next = differing(kind, digits(mean), limits);
  if (typeof table["draw"] === "string" && table["draw"]) next["draw"] = table["draw"];
  if (kind !== "uniform") return { ...next, sd: digits(sd) };
  const half = Math.sqrt(3) * sd;
  const least = limits.above ? number(next["min"], limits.least) : limits.least;
  return { ...next, min: digits(Math.max(least, mean - half)), max: digits(Math.min(limits.most, mean + half)) };
}

/** One number for all in place of a distribution. */
export const common = (table: Table): number => digits(meanAndSd(table).mean);

/** In words: 'normal(1, 0.2)'. */
export function textOfDistribution(table: Table, format: (x: number) => string): string {
  const { mean, sd } = meanAndSd(table);
  switch (table["kind"]) {
    case "uniform": return `${t("uniform")}(${listed(spanOf(table).map(format))})`;
    case "choice": {
      const shares = sharesOf(table);
      return `${t("choice")}(${listed(numbers(table["values"]).map((x, k) => `${format(x)}: ${format(digits(shares[k]!))}`))})`;
    }
    case "each": return tn("{n} value of mean {mean}", "{n} values of mean {mean}", numbers(table["values"]).length, { mean: format(digits(mean)) });
    default: return `${table["kind"] === "lognormal" ? t("lognormal") : t("normal")}(${listed([format(mean), format(sd)])})`;
  }
}
