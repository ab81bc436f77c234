/** Errors of a distribution, with the messages of murmurate.model.distribution; empty for a valid one. */

import { densityOf, extentOf, isDistribution, logarithms, numbers, sharesOf } from "../controls/distribution";
import { asNumber } from "../wire/json";
import { LARGEST_QUANTILE, MAX_NUMBER, MIN_SHARE, SUM_TOLERANCE, type JsonSchema, type Plain, type Table } from "../wire/contracts";

const PARTS = 400; // of a distribution, whose shares are added

/** `schema`: of the number, with its bounds; `before`: the number until now. */
export function distributionFault(table: Table, schema: JsonSchema, before: Plain | undefined): string {
  if (!isDistribution(before)) return "got numbers that differ between boids; expected one number for all, for which this page is compiled. Change it in Python";
  const listed = table["kind"] === "choice" || table["kind"] === "each";
  const fault = listed ? listFault(table, before) : rangeFault(table);
  if (fault) return fault;
  const [low, high] = extentOf(table);
  const remedy = listed ? "Change its values" : "Change min, max, mean or sd";
  if (high === Infinity && schema["unit"] === "length" && schema["infinite"] === true) return "got numbers without a largest one; expected a bound, since the search for neighbours reaches that far. Give max";
  const bound = (key: string, none: number): number => asNumber(schema[key]) ?? none;
  const [least, above, most] = [bound("minimum", -Infinity), bound("exclusiveMinimum", -Infinity), bound("maximum", Infinity)];
  if (high > most) return `got numbers up to ${high}; expected each to be <= ${most}. ${remedy}`;
  if (low < least) return `got numbers down to ${low}; expected each to be >= ${least}. ${remedy}`;
  if (low <= above && above > -Infinity && !(table["kind"] === "lognormal" && above === 0)) return `got numbers down to ${low}; expected each to be > ${above}. ${remedy}`;
  return "";
}

function listFault(table: Table, before: Table): string {
  const values = numbers(table["values"]);
  const large = values.find((x) => !(Math.abs(x) <= MAX_NUMBER));
  if (values.length === 0 || large !== undefined) return `values: got ${large ?? "none"}; expected numbers up to ${MAX_NUMBER.toLocaleString("en")}`;
  if (table["kind"] === "each") {
    const [count, expected] = [values.length, before["kind"] === "each" ? numbers(before["values"]).length : NaN];
    return count === expected ? "" : `got ${count.toLocaleString("en")} values; expected one for each boid. Use another distribution`;
  }
  if (!Array.isArray(table["probabilities"]) || table["probabilities"].length === 0) return "";
  const shares = numbers(table["probabilities"]);
  if (shares.length !== values.length) return `probabilities: got ${shares.length} for ${values.length} values; expected one for each value`;
  if (shares.some((share) => !(share >= 0 && share <= 1))) return "probabilities: expected numbers from 0 to 1";
  const total = sharesOf(table).reduce((a, b) => a + b, 0);
  return Math.abs(total - 1) <= SUM_TOLERANCE ? "" : `probabilities: got a sum of ${total}; expected 1. Divide each by ${total}`;
}

function rangeFault(table: Table): string {
  const positive = table["kind"] === "lognormal";
  const uniform = table["kind"] === "uniform";
  const [low, high] = [asNumber(table["min"] ?? (positive ? 0 : "-inf")), asNumber(table["max"] ?? "inf")];
  const [mean, sd] = uniform ? [0, 0] : [asNumber(table["mean"]), asNumber(table["sd"])];
  if (low === null || high === null || mean === null || sd === null) return "got a word or a list; expected numbers";
  const bounded = uniform ? [low, high] : [mean, sd];
  const large = [...bounded, ...[low, high].filter(Number.isFinite)].find((x) => !(Math.abs(x) <= MAX_NUMBER));
  if (large !== undefined) return `got ${large}; expected numbers up to ${MAX_NUMBER.toLocaleString("en")}`;
  if (low > high) return `min: got ${low}; expected at most max, ${high}`;
  if (uniform) return "";
  if (sd < 0) return `sd: got ${sd}; expected a number >= 0`;
  if (positive && mean <= 0) return `mean: got ${mean}; expected a number > 0`;
  if (positive && low < 0) return `min: got ${low}; expected at least 0, as all values are > 0`;
  if (sd === 0) return low <= mean && mean <= high ? "" : `mean: got ${mean} with sd 0; expected a number from ${low} to ${high}, min and max`;
  const { mu, sigma } = positive ? logarithms({ mean, sd }) : { mu: mean, sigma: sd };
  const [least, most] = [low, high].map((bound) => ((positive ? Math.log(bound) : bound) - mu) / sigma) as [number, number];
  const share = shareBetween(least, most);
  if (share < MIN_SHARE) return `min, max: got bounds that leave ${share.toPrecision(1)} of the distribution; expected at least ${MIN_SHARE}. Move the bounds towards the mean, or use kind 'uniform'`;
  const ends = [Math.max(least, -LARGEST_QUANTILE), Math.min(most, LARGEST_QUANTILE)].map((z) => (positive ? Math.exp(mu + sigma * z) : mu + sigma * z));
  const end = ends.find((x) => Math.abs(x) > MAX_NUMBER);
  return end === undefined ? "" : `sd: got a distribution with numbers to ${end}; expected numbers up to ${MAX_NUMBER.toLocaleString("en")}. Give ${end < 0 ? "min" : "max"}, or use larger units`;
}

/** The probability of standard normal numbers between two bounds. */
function shareBetween(least: number, most: number): number {
  const [low, high] = [Math.max(least, -LARGEST_QUANTILE), Math.min(most, LARGEST_QUANTILE)];
  const width = Math.max(0, high - low) / PARTS;
  let sum = 0;
  for (let k = 0; k < PARTS; k++) sum += densityOf(low + (k + 0.5) * width);
  return (sum * width) / Math.sqrt(2 * Math.PI);
}
