/** Settings of a flock: all its numbers as they are at a moment, and which rules are off; what differs
 * between two of them, in words. */

import { isDistribution, textOfDistribution } from "../controls/distribution";
import { nameOf, formatNumber } from "../controls/specs";
import { isMoves } from "../state/paths";
import { asNumber, writeJson } from "../wire/json";
import type { JsonSchema, Plain, SceneMessage } from "../wire/contracts";
import { listed, t, tm } from "../words";

export interface Setting {
  /** Dotted path -> value; weights of rules that are off are those they have when they are on. */
  values: Record<string, Plain>;
  off: string[];
}

/** A setting that was kept, of the flock of that name. */
export interface Kept extends Setting {
  name: string;
}

/** What differs in one place: its name, and what it is in the one and in the other setting. */
export interface Difference {
  name: string;
  one: string;
  other: string;
}

const MAX_DIFFERENCES = 2; // differences that are listed by name

const same = (a: Plain | undefined, b: Plain | undefined): boolean => writeJson(a) === writeJson(b);

const weightOf = (rule: string): string => `rules.${rule}.weight`;

/** The names of a scene's rules that have a weight. */
export function rulesOf(values: Record<string, Plain>): string[] {
  return Object.keys(values).flatMap((path) => /^rules\.([^.]+)\.weight$/.exec(path)?.[1] ?? []);
}

/** Format a value; the schema has its unit. */
export function textOf(value: Plain | undefined, schema?: JsonSchema): string {
  if (typeof value === "boolean") return value ? t("on") : t("off");
  if (Array.isArray(value)) return listed(value.map((part) => textOf(part)));
  const number = asNumber(value);
  if (number !== null) return `${formatNumber(number)}${schema?.["unit"] === "degrees" ? "°" : ""}`;
  if (isDistribution(value)) return textOfDistribution(value, formatNumber);
  if (typeof value === "string") return value.includes("\n") ? t("edited") : value ? tm(value) : t("as they were");
  return value === undefined || value === null ? t("none") : t("a schedule");
}

/** What differs between two settings, for the values that both have. */
export function differencesOf(one: Setting, other: Setting, schemas: SceneMessage["schemas"]): Difference[] {
  const found: Difference[] = [];
  for (const [path, value] of Object.entries(one.values)) {
    const [, part, name] = /^(.*?)\.?([^.]*)$/.exec(path)!;
    const rule = /^rules\.([^.]+)\.weight$/.exec(path)?.[1];
    const [off, otherOff] = [one, other].map((setting) => rule !== undefined && setting.off.includes(rule));
    if (!(path in other.values) || isMoves(path) || (off === otherOff && (off || same(value, other.values[path])))) continue;
    const schema = schemas[part!]?.properties?.[name!];
    const text = (isOff: boolean | undefined, of: Plain | undefined): string => (isOff ? t("off") : textOf(of, schema));
    found.push({ name: nameOf(path), one: text(off, value), other: text(otherOff, other.values[path]) });
  }
  return found;
}

/** Differences in words: what each is in the one setting, as `cohesion weight 2, alignment weight off`. */
export function wordsOf(differences: Difference[], which: "one" | "other" = "one"): string {
  const words = differences.slice(0, MAX_DIFFERENCES).map((difference) => `${difference.name} ${difference[which]}`);
  const more = differences.length - MAX_DIFFERENCES;
  return more > 0 ? t("{names} and {n} more", { names: words.join(", "), n: more }) : words.join(", ");
}

/** The request by which a flock with one setting gets the other; null if it has it. */
export function changesTo(setting: Setting, now: Setting): Setting | null {
  const values = Object.fromEntries(
    Object.entries(setting.values).filter(([path, value]) => path in now.values && !isMoves(path) && !same(value, now.values[path])),
  );
  const off = setting.off.filter((rule) => weightOf(rule) in now.values || now.off.includes(rule));
  const alike = [...off].sort().join() === [...now.off].sort().join();
  return alike && Object.keys(values).length === 0 ? null : { values, off };
}

/** The settings that were kept while the page is open, by flock. */
export class KeptSettings {
  private readonly byFlock = new Map<string, Kept[]>();

  of(flock: string): readonly Kept[] {
    return this.byFlock.get(flock) ?? [];
  }

  /** Keeps a setting under a name that no other one has. */
  keep(flock: string, setting: Setting, name: string): Kept {
    const kept: Kept = { values: { ...setting.values }, off: [...setting.off], name: "" };
    kept.name = this.freeName(flock, name, kept);
    this.byFlock.set(flock, [...this.of(flock), kept]);
    return kept;
  }

  /** Rename one; an empty name changes nothing. */
  rename(flock: string, kept: Kept, name: string): void {
    const text = name.trim().slice(0, LONGEST_NAME);
    if (text) kept.name = this.freeName(flock, text, kept);
  }

  remove(flock: string, kept: Kept): void {
    this.byFlock.set(flock, this.of(flock).filter((one) => one !== kept));
  }

  private freeName(flock: string, name: string, kept: Kept): string {
    const taken = new Set(this.of(flock).filter((one) => one !== kept).map((one) => one.name));
    let free = name;
    for (let n = 2; taken.has(free); n++) free = `${name} (${n})`;
    return free;
  }
}

export const LONGEST_NAME = 80; // characters

/** The name of a setting without one of its own: its differences from the loaded model, or its number if they are
 * long. */
export function nameOfSetting(setting: Setting, scene: Pick<SceneMessage, "defaults" | "schemas">, number: number): string {
  const words = wordsOf(differencesOf(setting, { values: scene.defaults, off: [] }, scene.schemas));
  return words === "" ? t("as in the model") : words.length > LONGEST_NAME ? t("setting {number}", { number }) : words;
}
