/** Numbers as users type them: read, or refused with a reason. */

import type { Range } from "./ranges";
import { formatNumber } from "./specs";
import { count, decimals, t, typedDigits } from "../words";

export type Bounds = Pick<Range, "least" | "most" | "above" | "infinite">;

/** What was typed: its number, or what is wrong with it. */
export type Typed = { value: number } | { fault: string };

/** What is allowed, in words: 'a whole number from 1 to 400'. */
export function allowed({ least, most, above, infinite }: Bounds, whole: boolean): string {
  const number = whole ? t("a whole number") : t("a number");
  const [low, high] = [Number.isFinite(least), Number.isFinite(most)];
  // Bounds are written with all digits, as they may be typed.
  const [from, to] = [least, most].map((bound) => (whole ? count(bound) : decimals(String(Number(bound.toPrecision(12)))))) as [string, string];
  const values = { number, from, to };
  const words =
    low && high ? (above ? t("{number} above {from}, to {to}", values) : t("{number} from {from} to {to}", values))
    : low ? (above ? t("{number} above {from}", values) : t("{number}, {from} or more", values))
    : high ? t("{number}, {to} or less", values)
    : number;
  return infinite ? t("{words}, or inf", { words }) : words;
}

export function readTyped(text: string, bounds: Bounds, whole: boolean): Typed {
  const clean = text.trim().toLowerCase();
  const refused = (why: string): Typed => ({ fault: `${why}. ${t("Allowed: {words}.", { words: allowed(bounds, whole) })}` });
  if (clean === "") return refused(t("The field is empty"));
  const quoted = `“${text.trim().slice(0, 30)}”`;
  if (/^[+-]?(inf|infinity|∞)$/.test(clean)) {
    return bounds.infinite && !clean.startsWith("-") ? { value: Infinity } : refused(t("{text} is not a finite number", { text: quoted }));
  }
  const value = Number(typedDigits(clean, whole));
  if (Number.isNaN(value)) return refused(t("{text} is not a number", { text: quoted }));
  if (value < bounds.least || (bounds.above && value === bounds.least)) return refused(t("{text} is too small", { text: quoted }));
  if (value > bounds.most || value === Infinity) return refused(t("{text} is too large", { text: quoted }));
  if (whole && !Number.isInteger(value)) return refused(t("{text} is not a whole number", { text: quoted }));
  return { value };
}

/** The same, with what holds on. */
export const stays = (fault: string, now: number): string => `${fault} ${t("The value is still {value}.", { value: formatNumber(now) })}`;
