/** Types, names and numbers of WGSL, as src/murmurate/language/wgsl_types.py. */

import { isRecord, isTuple, same, type TupleType, type Type } from "./typedtree";

const PLAIN: Record<string, string> = { bool: "bool", int: "i32" };
const MAX_FLOAT = 3.4028234663852886e38;

/** The types of a text: names of structs, and their declarations. */
export class WgslTypes {
  private readonly names = new Map<string, string>();
  readonly declarations: string[] = [];

  /** `records`: argument -> its type in the text; `prefix`: of the names of structs. */
  constructor(private readonly records: Record<string, string>, private readonly prefix: string) {}

  text(type: Type): string {
    if (isRecord(type)) return this.records[type.record]!;
    if (!isTuple(type)) return PLAIN[type as string] ?? "f32";
    if (isArray(type)) return `array<${this.text(type.items[0]!)}, ${type.items.length}>`;
    const items = type.items.map((item, k) => `item${k}: ${this.text(item)}`);
    const key = JSON.stringify(items);
    const name = this.names.get(key) ?? `${this.prefix}_tuple${this.names.size + 1}`;
    if (!this.names.has(key)) this.declarations.push(`struct ${name} { ${items.join(", ") || "nothing: f32"} }`);
    this.names.set(key, name);
    return name;
  }

  /** A value as another type that can hold it. */
  convert(text: string, type: Type, target: Type): string {
    const [from, to] = [this.text(type), this.text(target)];
    if (from === to) return text;
    if (!isTuple(target)) return target === "bool" ? `(${text} != ${from}(0))` : `${to}(${text})`;
    return `${to}(${partsOf(text, type).map(([part, kind], k) => this.convert(part, kind, target.items[k]!)).join(", ")})`;
  }
}

const isArray = (type: TupleType): boolean => type.items.length > 0 && type.items.every((item) => same(item, type.items[0]!));

/** The items of a tuple or a record: text and type of each. */
export function partsOf(text: string, type: Type): [string, Type][] {
  if (isRecord(type)) return Object.entries(type.fields).map(([name, kind]) => [`${text}.${identifier(name)}`, kind]);
  if (!isTuple(type)) return [];
  return type.items.map((kind, k) => [isArray(type) ? `${text}[${k}]` : `${text}.item${k}`, kind]);
}

/** A user's identifier in the text: x_, x_1_ for the variable x'1. */
export function identifier(name: string): string {
  const plain = name.replaceAll("'", "_").replace(/[^0-9A-Za-z_]/gu, (letter) => `u${letter.codePointAt(0)!.toString(16)}`);
  return plain.startsWith("_") ? `v${plain}_` : `${plain}_`;
}

/** A number as an expression of type f32. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return "undefined()";
  if (Math.abs(value) > MAX_FLOAT) return value < 0 ? "-3.4028234e38f" : "3.4028234e38f";
  const rounded = Math.fround(value);
  const [digits, power] = rounded.toExponential().split("e") as [string, string];
  const size = Math.abs(Number(power));
  if (Number(power) >= 16 || Number(power) < -4) return `${digits}e${power[0]}${String(size).padStart(2, "0")}f`;
  return `${rounded}${Number.isInteger(rounded) ? ".0" : ""}f`;
}
