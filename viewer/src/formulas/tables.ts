/** Words and errors of the language of formulas. */

import { Refused } from "../flight/errors";
import { t } from "../words";

export const ownRemedy = (): string => t("Functions have assignments, if, return and arithmetic");
export const onlyNumbers = (): string => t("though it runs as plain Python: only numbers can be computed with");
export const sameKind = (): string => t("a variable must hold the same kind of thing, a number or a tuple of as many numbers, in all branches");

/** Refuses a function: what is wrong, at which line. */
export function refuseFunction(line: number, name: string, fault: string, lines: string[]): never {
  const shown = (lines[line - 1] ?? "").trim();
  throw new Refused(`${t("line {line}: {function} {fault}", { line: String(line), function: name, fault })}${shown ? `\n    ${shown}` : ""}`);
}

/** A place in the text, from 1. */
export interface Place {
  line: number;
  column: number;
}

/** Refuses a place of the text, in the words of Python's reader of texts. */
export function fail({ line, column }: Place, got: string, remedy: string): never {
  throw new Refused(t("line {line}, column {column}: got {got}. {remedy}", { line: String(line), column: String(column), got, remedy }));
}

/** A word as Python writes it. */
export const quoted = (word: string): string => (word.includes("'") && !word.includes('"') ? `"${word}"` : `'${word.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`);

/** "no parameter named 'radios': did you mean 'radius'?"; of no close name "(known: ...)". */
export function unknownName(what: string, name: string, names: string[]): string {
  const close = closest(name, names);
  const words = { what, name: quoted(name) };
  if (close) return t("no {what} named {name}: did you mean {close}?", { ...words, close: quoted(close) });
  return t("no {what} named {name} (known: {names})", { ...words, names: listed([...names].sort()) });
}

const MAX_LISTED = 300; // characters of a list of names

function listed(names: string[]): string {
  const text = names.join(", ");
  if (text.length <= MAX_LISTED) return text;
  const first = text.slice(0, text.slice(0, MAX_LISTED).lastIndexOf(", "));
  return t("{names} and {n} more", { names: first, n: names.length - first.split(", ").length });
}

/** The name that a mistyped word most likely means, as Python chooses it; "" if none is close. */
export function closest(word: string, names: Iterable<string>): string {
  const folded = (text: string): string => text.toLowerCase().replaceAll("-", "_");
  const key = folded(word);
  const all = [...new Set(names)].sort();
  let [best, fewest] = ["", Infinity];
  for (const name of all) {
    const size = Math.min(key.length, name.length);
    const limit = Math.min(1 + Number(size > 4) + Number(size > 8), size - 1);
    const edits = Math.abs(key.length - name.length) <= limit ? countEdits(key, folded(name)) : Infinity;
    if (edits <= limit && edits < fewest) [best, fewest] = [name, edits];
  }
  const longer = key.length >= 4 ? all.filter((name) => folded(name).startsWith(key)) : [];
  return best || (longer.length === 1 ? longer[0]! : "");
}

/** How many letters to insert, delete, replace or swap with the next one (Damerau 1964). */
function countEdits(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const [above, row] = [rows[i - 1]!, [i]];
    for (let j = 1; j <= b.length; j++) {
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && b[j - 1] === a[i - 2];
      row.push(Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + Number(a[i - 1] !== b[j - 1]), swapped ? rows[i - 2]![j - 2]! + 1 : Infinity));
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
