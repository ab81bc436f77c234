/** Numbers as users type them: read, or refused with a reason. */

import type { Range } from "./ranges";
import { formatNumber } from "./specs";
import { typedDigits } from "../words";

export type Bounds = Pick<Range, "least" | "most" | "above" | "infinite">;

/** What was typed: its number, or what is wrong with it. */
export type Typed = { value: number } | { fault: string };

/** What is allowed, in words: 'a whole number from 1 to 400'. */
export function allowed({ least, most, above, infinite }: Bounds, whole: boolean): string {
  const number = whole ? "a whole number" : "a number";
  const [low, high] = [Number.isFinite(least), Number.isFinite(most)];
  const from = above ? `above ${exact(least)}` : `from ${exact(least)}`;
  const words =
    low && high ? `${number} ${from}${above ? "," : ""} to ${exact(most)}`
    : low ? (above ? `${number} above ${exact(least)}` : `${number}, ${exact(least)} or more`)
    : high ? `${number}, ${exact(most)} or less`
    : number;
  return infinite ? `${words}, or inf` : words;
}

/** Bounds are written with all digits. */
const exact = (bound: number): string => bound.toLocaleString("en", { maximumSignificantDigits: 12 });

export function readTyped(text: string, bounds: Bounds, whole: boolean): Typed {
  const clean = text.trim().toLowerCase();
  const refused = (why: string): Typed => ({ fault: `${why}. Allowed: ${allowed(bounds, whole)}.` });
  if (clean === "") return refused("The field is empty");
  const quoted = `“${text.trim().slice(0, 30)}”`;
  if (/^[+-]?(inf|infinity|∞)$/.test(clean)) {
    return bounds.infinite && !clean.startsWith("-") ? { value: Infinity } : refused(`${quoted} is not a finite number`);
  }
  const value = Number(typedDigits(clean, whole));
  if (Number.isNaN(value)) return refused(`${quoted} is not a number`);
  if (value < bounds.least || (bounds.above && value === bounds.least)) return refused(`${quoted} is too small`);
  if (value > bounds.most || value === Infinity) return refused(`${quoted} is too large`);
  if (whole && !Number.isInteger(value)) return refused(`${quoted} is not a whole number`);
  return { value };
}

/** The same, with what holds on. */
export const stays = (fault: string, now: number): string => `${fault} The value is still ${formatNumber(now)}.`;
