/** Functions of the viewer for the script of tasks, so that a page contains them once. */

import type { nameOf, formatNumber } from "../controls/specs";
import type { Live } from "../live";
import type { paceOf } from "../page/embedding";
import type { copyText } from "../page/copying";
import type { h, icon, newId } from "../ui/dom";
import type { PackedTask, Texts } from "../wire/contracts";

type Values = Record<string, string | number>;

export interface Kit {
  h: typeof h;
  icon: typeof icon;
  newId: typeof newId;
  nameOf: typeof nameOf;
  formatNumber: typeof formatNumber;
  paceOf: typeof paceOf;
  copyText: typeof copyText;
  t(text: string, values?: Values): string;
  tn(one: string, many: string, n: number, values?: Values): string;
  tm(text: string): string;
  languageNow(): string;
  spaced(text: string): string;
}

export let kit: Kit;

/** Texts of the viewer, as in words.ts. */
export const t: Kit["t"] = (text, values) => kit.t(text, values);
export const tn: Kit["tn"] = (one, many, n, values) => kit.tn(one, many, n, values);

/** A text of the task in the page's language, else in English, else in its first language. */
export const textOf = (text: Texts): string =>
  kit.spaced(typeof text === "string" ? text : (text[kit.languageNow()] ?? text["en"] ?? Object.values(text)[0] ?? ""));

export type ShowTask = (kit: Kit, live: Live, packed: PackedTask) => void;

declare global {
  var murmurateTask: ShowTask | undefined;
}

export function lend(lent: Kit): void {
  kit = lent;
}
