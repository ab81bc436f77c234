/** Ranges of sliders: the schema's bounds where there are any, else what makes sense around the value
 * that the model came with. */

import type { JsonSchema, SceneMessage } from "../wire/contracts";
import { asNumber } from "../wire/json";

export interface Range {
  min: number;
  max: number;
  step: number;
  /** Bounds that typed numbers must keep. */
  least: number;
  most: number;
  /** The least is itself too small. */
  above: boolean;
  /** The right end of the slider means infinity. */
  infinite: boolean;
}

/** Sizes of the model, for numbers whose schema leaves the range open. */
export interface Sizes {
  length: number;
  speed: number;
}

export function sizesOf(scene: Pick<SceneMessage, "space" | "dims" | "values" | "dt">): Sizes {
  const sides = scene.space.upper.slice(0, scene.dims).map((u, k) => u - scene.space.lower[k]!);
  const speeds = Object.entries(scene.values)
    .filter(([path]) => path.endsWith(".max_speed"))
    .map(([, value]) => asNumber(value) ?? 0)
    .filter((v) => Number.isFinite(v) && v > 0);
  const length = Math.max(...sides);
  return { length, speed: speeds.length > 0 ? Math.max(...speeds) / 2 : (0.01 * length) / scene.dt };
}

/** A round number not below x: 1, 1.5, 2, 2.5, 3, 4, 5, 6 or 8 times a power of ten. */
export function roundUp(x: number): number {
  if (!(x > 0) || !Number.isFinite(x)) return 1;
  const power = 10 ** Math.floor(Math.log10(x));
  const digit = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].find((d) => d * power >= x * (1 - 1e-9)) ?? 10;
  return digit * power;
}

/** A round step with about 200 to 500 places in the range. */
export function stepOf(span: number): number {
  const power = 10 ** Math.floor(Math.log10(span / 200));
  const digit = [5, 2, 1].find((d) => d * power <= span / 200) ?? 1;
  return Number((digit * power).toPrecision(6));
}

function typical(unit: string, sizes: Sizes): number {
  if (unit === "length") return 0.5 * sizes.length;
  if (unit === "speed") return 3 * sizes.speed;
  if (unit === "speed/time") return 6 * sizes.speed;
  if (unit.startsWith("degrees")) return 360;
  return 1;
}

export function rangeOf(schema: JsonSchema, value: number, initial: number, sizes: Sizes): Range {
  const unit = typeof schema["unit"] === "string" ? schema["unit"] : "";
  const above = asNumber(schema["exclusiveMinimum"]);
  const least = asNumber(schema["minimum"]) ?? above ?? -Infinity;
  const most = asNumber(schema["maximum"]) ?? Infinity;
  const whole = schema["type"] === "integer";
  const hint = Array.isArray(schema["slider"]) ? (schema["slider"] as number[]) : null;
  const start = Number.isFinite(initial) ? Math.abs(initial) : 0;
  let max = most;
  if (!Number.isFinite(max)) {
    if (start > 0) max = roundUp(2.5 * start);
    else max = hint ? hint[1]! : roundUp(typical(unit, sizes));
  }
  let min = Number.isFinite(least) ? least : 0;
  if (!Number.isFinite(least)) {
    // A hint below zero means that negative values are useful.
    if (hint && hint[0]! < 0) min = -0.5 * max;
    else if (initial < 0 || unit === "length") min = -max;
  }
  if (Number.isFinite(value)) {
    if (value > max) max = roundUp(1.5 * value);
    if (value < min) min = -roundUp(1.5 * -value);
  }
  const step = whole ? 1 : stepOf(max - min);
  // An open lower bound (greater than zero) is not itself a value.
  if (above !== null && min <= above) min = above + step;
  return { min, max, step, least, most, above: above !== null && above >= least, infinite: schema["infinite"] === true };
}
