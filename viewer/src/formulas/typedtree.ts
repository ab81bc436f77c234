/** The typed tree of a function: src/murmurate/language/tree.py, without loops and arrays. */

import { t } from "../words";

export type Plain = "bool" | "int" | "real" | "word" | "nothing" | "unknown";
export interface TupleType {
  items: Type[];
}
/** The numbers of an argument such as `me`; `self` and `state` have those of their rule. */
export interface RecordType {
  record: string;
  fields: Record<string, Type>;
}
export type Type = Plain | TupleType | RecordType;

export const isTuple = (type: Type): type is TupleType => typeof type === "object" && "items" in type;
export const isRecord = (type: Type): type is RecordType => typeof type === "object" && "record" in type;
const NUMBERS: Type[] = ["bool", "int", "real"];
export const isNumber = (type: Type): type is "bool" | "int" | "real" => NUMBERS.includes(type);
export const same = (a: Type, b: Type): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Two types that one variable cannot have. */
export class Conflict extends Error {}

/** The common type of two values. Throws Conflict if they have none. */
export function joined(first: Type, second: Type): Type {
  if (same(first, second)) return first;
  if (first === "unknown") return second;
  if (second === "unknown") return first;
  if (isNumber(first) && isNumber(second)) return NUMBERS.indexOf(first) > NUMBERS.indexOf(second) ? first : second;
  if (isTuple(first) && isTuple(second) && first.items.length === second.items.length) {
    return { items: first.items.map((item, k) => joined(item, second.items[k]!)) };
  }
  throw new Conflict(t("{first} and sometimes {second}", { first: described(first), second: described(second) }));
}

/** A type in messages. */
export function described(type: Type): string {
  if (isTuple(type)) return t("a tuple of {n}", { n: type.items.length });
  if (isRecord(type)) return t("the numbers of {record}", { record: type.record });
  return type === "word" ? t("a string") : type === "nothing" ? "None" : t("a number");
}

export type Node = { type: Type; line: number } & (
  | { how: "number"; word: number | boolean | string | null; decided: boolean }
  | { how: "name"; word: string }
  | { how: "field"; of: RecordType; owner: Node; word: string }
  | { how: "item"; part: Node; index: number }
  | { how: "unary"; word: string; part: Node }
  | { how: "binary"; word: string; left: Node; right: Node; power?: number }
  | { how: "logic"; word: string; parts: Node[] }
  | { how: "compare"; words: string[]; parts: Node[] }
  | { how: "choose"; test: Node; body: Node; orelse: Node }
  | { how: "tuple"; parts: Node[] }
  | { how: "maths"; word: string; parts: Node[] }
  | { how: "builtin"; word: string; parts: Node[] }
  | { how: "call"; callee: Tree; parts: Node[] }
);

/** The target of an assignment: a variable, or a tuple of them. */
export type Target = { variable: string } | { parts: Target[] };

export type Step =
  | { how: "let"; target: Target; value: Node }
  | { how: "if"; test: Node; body: Step[]; orelse: Step[] }
  | { how: "return"; value: Node };

export interface Tree {
  name: string;
  args: [string, Type][];
  locals: Map<string, Type>;
  body: Step[];
  result: Type;
  /** The number of its nodes, and of those of each function that it calls. */
  size: number;
}

/** The number of nodes in steps, and in the functions that they call. */
export function sizeOf(part: unknown): number {
  if (Array.isArray(part)) return part.reduce((sum: number, item) => sum + sizeOf(item), 0);
  if (typeof part !== "object" || part === null) return 0;
  let size = "type" in part ? 1 : 0;
  for (const [key, value] of Object.entries(part)) {
    if (key === "callee") size += (value as Tree).size;
    else if (!["type", "of", "owner"].includes(key)) size += sizeOf(value);
  }
  return size;
}

/** The largest number of numbers in a tuple, with those of the tuples in it. */
export const MAX_NUMBERS = 1000;

/** The number of numbers in a type. */
export const countOf = (type: Type): number => (isTuple(type) ? type.items.reduce((sum, item) => sum + countOf(item), 0) : 1);

/** Whether every path through a block ends with a return. */
export function alwaysReturns(body: Step[]): boolean {
  const last = body.at(-1);
  if (last?.how === "if") return alwaysReturns(last.body) && alwaysReturns(last.orelse);
  return last?.how === "return";
}

/** Whether the reader knows a value: a word or constant of the rule, or a whole number of the text. */
export const decided = (node: Node): boolean => node.how === "number" && node.decided;
