/** Controls to show for a part of a model, from its JSON schema. A new rule needs nothing here. */

import type { JsonSchema, Plain } from "../wire/contracts";
import { asNumber } from "../wire/json";
import { decimals, t, tm } from "../words";
import { isDistribution, limitsOf, meanAndSd, type Limits } from "./distribution";
import { isSchedule } from "./schedule";
import { rangeOf, type Range, type Sizes } from "./ranges";

interface Common {
  path: string;
  label: string;
  /** What it is called where its row is not seen: 'cohesion weight'. */
  name: string;
  about: string;
  unit: string;
  /** Why it cannot be changed here; undefined where it can. */
  fixed?: string | undefined;
}

export type Spec =
  // `limits`: of each boid's number, where it may differ between boids
  | (Common & { kind: "number"; range: Range; whole: boolean; limits?: Limits | undefined })
  | (Common & { kind: "distribution"; schema: JsonSchema; limits: Limits })
  | (Common & { kind: "vector"; range: Range; axes: string[] })
  | (Common & { kind: "schedule" })
  | (Common & { kind: "choice"; options: string[] })
  | (Common & { kind: "switch" });

const AXES = ["x", "y", "z"];
// What a part is, not how much of it: changing these builds another flock.
const LEFT_OUT = new Set(["kind", "moves", "senses", "name", "flock", "flocks", "predators", "prey", "state", "cannibalism"]);

export function labelOf(name: string): string {
  return tm(name.replaceAll("_", " "));
}

/** A part's number by its whole name: rules.cohesion.weight is the cohesion weight. */
export function nameOf(path: string): string {
  const words = path.split(".").filter((word, k) => k > 0 && word !== "motion").map(labelOf);
  return words.length > 0 ? words.reduce((part, number) => t("{part} {number}", { part, number })) : path === "dt" ? t("time step") : labelOf(path);
}

/** A scalar's schema may be given plainly, or as an optional one (`number or nothing`). */
function unwrapped(schema: JsonSchema): JsonSchema {
  const any = schema["anyOf"];
  if (!Array.isArray(any)) return schema;
  const variant = (any as JsonSchema[]).find((part) => part["type"] !== "null" && part["type"] !== "string");
  return variant ? { ...schema, ...variant } : schema;
}

export function specsOf(
  part: JsonSchema,
  prefix: string,
  values: Record<string, Plain>,
  defaults: Record<string, Plain>,
  sizes: Sizes,
): Spec[] {
  const specs: Spec[] = [];
  for (const [name, raw] of Object.entries(part.properties ?? {})) {
    if (LEFT_OUT.has(name)) continue;
    const schema = unwrapped(raw);
    const path = prefix ? `${prefix}.${name}` : name;
    const value = values[path] ?? (schema["default"] as Plain | undefined) ?? null;
    const unit = typeof schema["unit"] === "string" ? schema["unit"] : "";
    const about = [tm(raw.description ?? ""), unit ? t("Unit: {unit}.", { unit: tm(unit) }) : ""].join(" ").trim();
    const common = { path, label: labelOf(name), name: nameOf(path), about, unit, fixed: raw.fixed && tm(raw.fixed) };
    if (isSchedule(value)) {
      specs.push({ ...common, kind: "schedule" });
      continue;
    }
    if (isDistribution(value)) {
      const initial = defaults[path];
      const first = isDistribution(initial) ? meanAndSd(initial).mean : (asNumber(initial) ?? meanAndSd(value).mean);
      const limits = limitsOf(schema, rangeOf(schema, first, first, sizes));
      specs.push({ ...common, kind: "distribution", schema, limits });
      continue;
    }
    const number = asNumber(value);
    if (number !== null && (schema["type"] === "integer" || schema["type"] === "number" || "unit" in schema)) {
      const before = defaults[path];
      const initial = isDistribution(before) ? meanAndSd(before).mean : (asNumber(before) ?? number);
      const range = rangeOf(schema, number, initial, sizes);
      const differs = part["may_differ"] === true && "unit" in schema && schema["type"] !== "integer" && Number.isFinite(number);
      specs.push({ ...common, kind: "number", range, whole: schema["type"] === "integer", limits: differs ? limitsOf(schema, range) : undefined });
    } else if (Array.isArray(value) && "unit" in schema && value.every((x) => asNumber(x) !== null)) {
      const sizesOf = value.map((x) => Math.abs(asNumber(x) ?? 0));
      const range = rangeOf(schema, 0, Math.max(...sizesOf, 0.4 * sizes.length), sizes);
      specs.push({ ...common, kind: "vector", range, axes: AXES.slice(0, value.length) });
    } else if (Array.isArray(schema["enum"])) {
      specs.push({ ...common, kind: "choice", options: (schema["enum"] as unknown[]).map(String) });
    } else if (schema["type"] === "boolean") {
      specs.push({ ...common, kind: "switch" });
    }
  }
  return specs;
}

/** A number with at most four significant digits. */
export function formatNumber(value: number): string {
  if (value === Infinity) return "∞";
  if (value === -Infinity) return "-∞";
  if (value !== 0 && Math.abs(value) < 1e-4) return decimals(value.toExponential(1));
  return decimals(String(Number(value.toPrecision(Math.abs(value) >= 1000 ? 6 : 4))));
}

/** What a value's controls are made for: another number keeps them, another kind of value does not. */
export function shapeOf(value: Plain | undefined): string {
  if (isDistribution(value)) return `${String(value["kind"])} ${Array.isArray(value["values"]) ? value["values"].length : ""}`;
  return Array.isArray(value) ? value.map(shapeOf).join() : isSchedule(value) ? String(value["kind"]) : "";
}
