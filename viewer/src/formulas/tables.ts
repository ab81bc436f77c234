/** The language of formulas, as a page gets it from Python: src/murmurate/language/formula_tables.py. */

import { Refused } from "../flight/errors";

export type Method = "pair" | "finish" | "alone";
export const METHODS: Method[] = ["pair", "finish", "alone"];

export interface FormulaTables {
  /** Method -> the arguments that it takes, and those that may follow. */
  methods: Record<Method, [string[], string[]]>;
  calls: string[];
  owners: string[];
  builtins: Record<string, [number, number]>;
  maths: Record<string, { takes: number; result: string; page: string | null }>;
  in_pages: string[];
  /** All functions of Python's `math`. */
  of_math: string[];
  constants: Record<string, number | string>;
  fields: Record<string, Record<string, string>>;
  max_letters: number;
  max_pieces: number;
  max_power: number;
  remedy: string;
  only_numbers: string;
  same_kind: string;
}

type Places = number | Places[];

export interface OpenedRule {
  /** The name of its class in Python. */
  class: string;
  /** Method -> index in the table of functions. */
  functions: Partial<Record<Method, number>>;
  /** The methods that its kind has. */
  has: Method[];
  numbers: Record<string, Places>;
  words: Record<string, unknown>;
  /** Its parameters and words, by name. */
  fields: string[];
  keeps: string[];
  herd: boolean;
  states: { me: string[]; other: string[] };
}

/** Where functions of rules find their arguments: src/murmurate/codegen/opened_rules.py. */
export interface Opened {
  address: number;
  max_sums: number;
  positions: Record<string, Record<string, number>>;
  rules: Record<string, OpenedRule>;
}

/** A place in the text, from 1. */
export interface Place {
  line: number;
  column: number;
}

/** Refuses a place of the text, in the words of Python's reader of texts. */
export function fail({ line, column }: Place, got: string, remedy: string): never {
  throw new Refused(`line ${line}, column ${column}: got ${got}. ${remedy}`);
}

/** A word as Python writes it. */
export const quoted = (word: string): string => (word.includes("'") && !word.includes('"') ? `"${word}"` : `'${word.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`);

/** "no parameter named 'radios': did you mean 'radius'? (known: ...)" */
export function unknownName(what: string, name: string, names: string[]): string {
  const known = [...names].sort();
  const scored = known.map((each) => [ratio(each, name), each] as const).filter(([score]) => score >= 0.5);
  const [best] = scored.sort(([a, x], [b, y]) => b - a || (x < y ? 1 : -1));
  return `no ${what} named ${quoted(name)}${best ? `: did you mean ${quoted(best[1])}?` : ""} (known: ${known.join(", ")})`;
}

/** How alike two words are, from 0 to 1: as Python's difflib counts. */
function ratio(a: string, b: string): number {
  return a.length + b.length === 0 ? 1 : (2 * matches(a, b)) / (a.length + b.length);
}

/** Letters in the longest common part of two words, and in those before and after it. */
function matches(a: string, b: string): number {
  let [length, i, j] = [0, 0, 0];
  for (let p = 0; p < a.length; p++) {
    for (let q = 0; q < b.length; q++) {
      let n = 0;
      while (p + n < a.length && q + n < b.length && a[p + n] === b[q + n]) n++;
      if (n > length) [length, i, j] = [n, p, q];
    }
  }
  if (length === 0) return 0;
  return length + matches(a.slice(0, i), b.slice(0, j)) + matches(a.slice(i + length), b.slice(j + length));
}
