/** Errors of a distribution, with the messages of murmurate.model.distribution; empty for a valid one. */

import { densityOf, extentOf, isDistribution, logarithms, numbers, sharesOf } from "../controls/distribution";
import { asNumber } from "../wire/json";
import { LARGEST_QUANTILE, MAX_NUMBER, MIN_SHARE, SUM_TOLERANCE, type JsonSchema, type Plain, type Table } from "../wire/contracts";
import { decimals, t } from "../words";

const PARTS = 400; // of a distribution, whose shares are added

const digits = (x: number): string => decimals(String(x));
const largeFault = (x: number | undefined): string => t("got {x}; expected numbers up to {most}", { x: x === undefined ? t("none") : digits(x), most: MAX_NUMBER });

/** `schema`: of the number, with its bounds; `before`: the number until now. */
export function distributionFault(table: Table, schema: JsonSchema, before: Plain | undefined): string {
  if (!isDistribution(before)) return t("got numbers that differ between boids; expected one number for all, for which this page is compiled. Change it in Python");
  const listed = table["kind"] === "choice" || table["kind"] === "each";
  const fault = listed ? listFault(table, before) : rangeFault(table);
  if (fault) return fault;
  const [low, high] = extentOf(table);
  const remedy = listed ? t("Change its values") : t("Change min, max, mean or sd");
  if (high === Infinity && schema["unit"] === "length" && schema["infinite"] === true) return t("got numbers without a largest one; expected a bound, since the search for neighbours reaches that far. Give max");
  const bound = (key: string, none: number): number => asNumber(schema[key]) ?? none;
  const [least, above, most] = [bound("minimum", -Infinity), bound("exclusiveMinimum", -Infinity), bound("maximum", Infinity)];
  if (high > most) return t("got numbers up to {x}; expected each to be <= {most}. {remedy}", { x: digits(high), most: digits(most), remedy });
  if (low < least) return t("got numbers down to {x}; expected each to be >= {least}. {remedy}", { x: digits(low), least: digits(least), remedy });
  if (low <= above && above > -Infinity && !(table["kind"] === "lognormal" && above === 0)) return t("got numbers down to {x}; expected each to be > {above}. {remedy}", { x: digits(low), above: digits(above), remedy });
  return "";
}

function listFault(table: Table, before: Table): string {
  const values = numbers(table["values"]);
  const large = values.find((x) => !(Math.abs(x) <= MAX_NUMBER));
  if (values.length === 0 || large !== undefined) return `values: ${largeFault(large)}`;
  if (table["kind"] === "each") {
    const [count, expected] = [values.length, before["kind"] === "each" ? numbers(before["values"]).length : NaN];
    return count === expected ? "" : t("got {n} values; expected one for each boid. Use another distribution", { n: count });
  }
  if (!Array.isArray(table["probabilities"]) || table["probabilities"].length === 0) return "";
  const shares = numbers(table["probabilities"]);
  if (shares.length !== values.length) return t("probabilities: got {n} for {values} values; expected one for each value", { n: shares.length, values: values.length });
  if (shares.some((share) => !(share >= 0 && share <= 1))) return t("probabilities: expected numbers from 0 to 1");
  const total = sharesOf(table).reduce((a, b) => a + b, 0);
  return Math.abs(total - 1) <= SUM_TOLERANCE ? "" : t("probabilities: got a sum of {sum}; expected 1. Divide each by {sum}", { sum: digits(total) });
}

function rangeFault(table: Table): string {
  const positive = table["kind"] === "lognormal";
  const uniform = table["kind"] === "uniform";
  const [low, high] = [asNumber(table["min"] ?? (positive ? 0 : "-inf")), asNumber(table["max"] ?? "inf")];
  const [mean, sd] = uniform ? [0, 0] : [asNumber(table["mean"]), asNumber(table["sd"])];
  if (low === null || high === null || mean === null || sd === null) return t("got a word or a list; expected numbers");
  const bounded = uniform ? [low, high] : [mean, sd];
  const large = [...bounded, ...[low, high].filter(Number.isFinite)].find((x) => !(Math.abs(x) <= MAX_NUMBER));
  if (large !== undefined) return largeFault(large);
  if (low > high) return t("min: got {x}; expected at most max, {high}", { x: digits(low), high: digits(high) });
  if (uniform) return "";
  if (sd < 0) return t("sd: got {x}; expected a number >= 0", { x: digits(sd) });
  if (positive && mean <= 0) return t("mean: got {x}; expected a number > 0", { x: digits(mean) });
  if (positive && low < 0) return t("min: got {x}; expected at least 0, as all values are > 0", { x: digits(low) });
  if (sd === 0) return low <= mean && mean <= high ? "" : t("mean: got {x} with sd 0; expected a number from {low} to {high}, min and max", { x: digits(mean), low: digits(low), high: digits(high) });
  const { mu, sigma } = positive ? logarithms({ mean, sd }) : { mu: mean, sigma: sd };
  const [least, most] = [low, high].map((bound) => ((positive ? Math.log(bound) : bound) - mu) / sigma) as [number, number];
  const share = shareBetween(least, most);
  if (share < MIN_SHARE) return t("min, max: got bounds that leave {share} of the distribution; expected at least {least}. Move the bounds towards the mean, or use kind 'uniform'", { share: decimals(share.toPrecision(1)), least: digits(MIN_SHARE) });
  const ends = [Math.max(least, -LARGEST_QUANTILE), Math.min(most, LARGEST_QUANTILE)].map((z) => (positive ? Math.exp(mu + sigma * z) : mu + sigma * z));
  const end = ends.find((x) => Math.abs(x) > MAX_NUMBER);
  return end === undefined ? "" : t("sd: got a distribution with numbers to {x}; expected numbers up to {most}. Give {bound}, or use larger units", { x: digits(end), most: MAX_NUMBER, bound: end < 0 ? "min" : "max" });
}

/** The probability of standard normal numbers between two bounds. */
function shareBetween(least: number, most: number): number {
  const [low, high] = [Math.max(least, -LARGEST_QUANTILE), Math.min(most, LARGEST_QUANTILE)];
  const width = Math.max(0, high - low) / PARTS;
  let sum = 0;
  for (let k = 0; k < PARTS; k++) sum += densityOf(low + (k + 0.5) * width);
  return (sum * width) / Math.sqrt(2 * Math.PI);
}
