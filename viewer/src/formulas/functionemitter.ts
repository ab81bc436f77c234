/** Typed trees -> functions of WebAssembly. Reals are float32 and whole numbers 64-bit integers; each operation is
 * rounded by itself, in the order of the text. */

import { bool, callOf, F32, get, I32, I64, NO_RESULT, OP, real, set, tee, TRUNCATE, unsigned, whole, type Kind, type ModuleBuilder } from "./code";
import { alwaysReturns, isRecord, isTuple, joined, type Node, type RecordType, type Step, type Target, type Tree, type Type } from "./typedtree";

/** Where the number of a record is in memory, in bytes. */
export type AddressOf = (record: string, field: string, index: number[]) => number;

export const kindOf = (type: Type): Kind => (type === "int" ? I64 : type === "bool" ? I32 : F32);

/** The kinds of the numbers of a value; a record is where it is, and takes none. */
export function flat(type: Type): Kind[] {
  return isTuple(type) ? type.items.flatMap(flat) : isRecord(type) ? [] : [kindOf(type)];
}

const COMPARE: Record<string, [number, number]> = {
  "<": [OP.f32lt, OP.i64lt], "<=": [OP.f32le, OP.i64le], ">": [OP.f32gt, OP.i64gt], ">=": [OP.f32ge, OP.i64ge], "==": [OP.f32eq, OP.i64eq], "!=": [OP.f32ne, OP.i64ne],
};
const ARITHMETIC: Record<string, [number, number]> = { "+": [OP.f32add, OP.i64add], "-": [OP.f32sub, OP.i64sub], "*": [OP.f32mul, OP.i64mul] };
const INSTRUCTIONS: Record<string, number[]> = {
  sqrt: [OP.f32sqrt], fabs: [OP.f32abs], copysign: [OP.f32copysign], floor: [OP.f32floor, ...TRUNCATE], ceil: [OP.f32ceil, ...TRUNCATE], trunc: [OP.f32trunc, ...TRUNCATE],
};

export const load = (address: number): number[] => [OP.i32, 0, OP.load, 2, ...unsigned(address)];
/** Store what `value` pushes. */
export const store = (address: number, value: number[]): number[] => [OP.i32, 0, ...value, OP.store, 2, ...unsigned(address)];

/** What the functions of a module share. */
export interface Shared {
  readonly module: ModuleBuilder;
  /** A call of a function of the text. */
  call(tree: Tree): number[];
  /** The number of a function for quotients. */
  helper(sign: "//" | "%", type: "real" | "int"): number;
  /** A call of a function of mathematics. */
  mathematics(name: string, takes: number): number[];
}

export class FunctionEmitter {
  private readonly places = new Map<string, number>();
  private readonly locals: Kind[] = [];
  private readonly n_arguments: number;

  constructor(private readonly emitter: Shared, private readonly tree: Tree, private readonly addressOf: AddressOf) {
    let next = 0;
    for (const [name, type] of tree.args) {
      this.places.set(name, next);
      next += flat(type).length;
    }
    this.n_arguments = next;
    for (const [name, type] of tree.locals) if (!this.places.has(name)) this.places.set(name, this.fresh(...flat(type)));
  }

  code(): { type: number; locals: Kind[]; body: number[] } {
    // an argument that is given values of a wider type is another variable
    const begin: number[] = [];
    for (const [name, type] of this.tree.args) {
      const wider = this.tree.locals.get(name);
      if (!wider) continue;
      const from = this.places.get(name)!;
      const to = this.fresh(...flat(wider));
      begin.push(...this.cast(flat(type).flatMap((_, k) => get(from + k)), type, wider), ...this.popTo(to, flat(wider).length));
      this.places.set(name, to);
    }
    const body = [...begin, ...this.block(this.tree.body), ...(alwaysReturns(this.tree.body) ? [OP.unreachable] : [])];
    const takes = this.tree.args.flatMap(([, type]) => flat(type));
    return { type: this.emitter.module.type(takes, flat(this.tree.result)), locals: this.locals, body };
  }

  /** Places for numbers of some kinds. */
  private fresh(...kinds: Kind[]): number {
    this.locals.push(...kinds);
    return this.n_arguments + this.locals.length - kinds.length;
  }

  /** Move numbers from the stack to the places from `first` on. */
  private popTo(first: number, count: number): number[] {
    return Array.from({ length: count }, (_, k) => set(first + count - 1 - k)).flat();
  }

  // --- statements

  private block(body: Step[]): number[] {
    return body.flatMap((step) => this.step(step));
  }

  private step(step: Step): number[] {
    switch (step.how) {
      case "return": return [...this.as(step.value, this.tree.result), OP.return];
      case "if": return [...this.truth(step.test), OP.if, NO_RESULT, ...this.block(step.body), ...(step.orelse.length > 0 ? [OP.else, ...this.block(step.orelse)] : []), OP.end];
      case "let": {
        const wanted = this.targetType(step.target, step.value.type);
        return [...this.as(step.value, wanted), ...this.placesOf(step.target, wanted).reverse().flatMap(set)];
      }
    }
  }

  /** The types of the variables that a value goes to. */
  private targetType(target: Target, type: Type): Type {
    if ("variable" in target) return this.tree.locals.get(target.variable) ?? this.tree.args.find(([name]) => name === target.variable)![1];
    const items = isRecord(type) ? Object.values(type.fields) : isTuple(type) ? type.items : [];
    return { items: target.parts.map((part, k) => this.targetType(part, items[k]!)) };
  }

  private placesOf(target: Target, type: Type): number[] {
    if ("variable" in target) return flat(type).map((_, k) => this.places.get(target.variable)! + k);
    return target.parts.flatMap((part, k) => this.placesOf(part, isTuple(type) ? type.items[k]! : type));
  }

  // --- values

  /** Push a value as one of a type that holds it. */
  private as(node: Node, type: Type): number[] {
    if (isRecord(node.type) && isTuple(type)) return this.cast(this.record(node.type), { items: Object.values(node.type.fields) }, type);
    return this.cast(this.push(node), node.type, type);
  }

  private cast(code: number[], from: Type, to: Type): number[] {
    if (isTuple(from) && isTuple(to)) {
      const [kinds, wanted] = [flat(from), flat(to)];
      if (kinds.join() === wanted.join()) return code;
      const first = this.fresh(...kinds);
      return [...code, ...this.popTo(first, kinds.length), ...kinds.flatMap((kind, k) => [...get(first + k), ...converted(kind, wanted[k]!)])];
    }
    return isRecord(from) ? code : [...code, ...converted(kindOf(from), kindOf(to))];
  }

  /** All numbers of a record. */
  private record(type: RecordType): number[] {
    return Object.entries(type.fields).flatMap(([field, kind]) => this.field(type, field, kind));
  }

  private field({ record }: RecordType, field: string, type: Type, index: number[] = []): number[] {
    if (isTuple(type)) return type.items.flatMap((item, k) => this.field({ record, fields: {} }, field, item, [...index, k]));
    return [...load(this.addressOf(record, field, index)), ...(type === "int" ? TRUNCATE : [])];
  }

  private truth(node: Node): number[] {
    const code = this.push(node);
    if (node.type === "bool") return code;
    return node.type === "int" ? [...code, OP.i64eqz, OP.i32eqz] : [...code, ...real(0), OP.f32ne];
  }

  private push(node: Node): number[] {
    switch (node.how) {
      case "number": return numberOf(node.type, node.word);
      case "name": {
        const first = this.places.get(node.word)!;
        return flat(node.type).flatMap((_, k) => get(first + k));
      }
      case "field": return this.field(node.of, node.word, node.type);
      case "item": return this.item(node);
      case "tuple": return node.parts.flatMap((part) => this.push(part));
      case "unary": return this.unary(node);
      case "binary": return this.binary(node);
      case "logic": return this.logic(node);
      case "compare": return this.compare(node);
      case "choose": return [...this.truth(node.test), ...this.branches(node.type, this.as(node.body, node.type), this.as(node.orelse, node.type))];
      case "maths": return this.maths(node);
      case "builtin": return this.builtin(node);
      case "call": return [...node.parts.flatMap((part) => this.push(part)), ...this.emitter.call(node.callee)];
    }
  }

  private branches(type: Type, body: number[], orelse: number[]): number[] {
    const kinds = flat(type);
    const block = kinds.length === 1 ? kinds : unsigned(this.emitter.module.type([], kinds));
    return [OP.if, ...block, ...body, OP.else, ...orelse, OP.end];
  }

  private item({ part, index, type }: Extract<Node, { how: "item" }>): number[] {
    if (isRecord(part.type)) return this.field(part.type, Object.keys(part.type.fields)[index]!, type);
    const items = isTuple(part.type) ? part.type.items.map(flat) : [];
    const before = items.slice(0, index).flat().length;
    const count = items[index]!.length;
    if (part.how === "name") return Array.from({ length: count }, (_, k) => get(this.places.get(part.word)! + before + k)).flat();
    const first = this.fresh(...items.flat());
    return [...this.push(part), ...this.popTo(first, items.flat().length), ...Array.from({ length: count }, (_, k) => get(first + before + k)).flat()];
  }

  private unary({ word, part, type }: Extract<Node, { how: "unary" }>): number[] {
    if (word === "not") return [...this.truth(part), OP.i32eqz];
    const code = this.as(part, type);
    if (word === "+") return code;
    return type === "real" ? [...code, OP.f32neg] : [...whole(0), ...code, OP.i64sub];
  }

  private binary({ word, left, right, type, power }: Extract<Node, { how: "binary" }>): number[] {
    if (isTuple(type)) return [...this.push(left), ...this.push(right)];
    const isReal = type === "real";
    if (word === "**") return this.power(left, right, type, power);
    const sides = [...this.as(left, type), ...this.as(right, type)];
    if (word === "/") return [...sides, OP.f32div];
    if (word === "//" || word === "%") return [...sides, ...callOf(this.emitter.helper(word, isReal ? "real" : "int"))];
    return [...sides, ARITHMETIC[word]![isReal ? 0 : 1]];
  }

  /** A power: of whole numbers by products, of halves by products and a root. */
  private power(left: Node, right: Node, type: Type, power: number | undefined): number[] {
    if (power === undefined) return [...this.as(left, "real"), ...this.as(right, "real"), ...this.emitter.mathematics("pow", 2)];
    const base = this.fresh(F32);
    const result = this.fresh(F32);
    const size = Math.abs(power);
    const code = [...this.as(left, "real"), ...set(base), ...(Number.isInteger(size) ? real(1) : [...get(base), OP.f32sqrt]), ...set(result)];
    for (let left_over = Math.floor(size); left_over > 0; left_over = Math.floor(left_over / 2)) {
      if (left_over % 2 === 1) code.push(...get(result), ...get(base), OP.f32mul, ...set(result));
      if (left_over > 1) code.push(...get(base), ...get(base), OP.f32mul, ...set(base));
    }
    const value = power < 0 ? [...real(1), ...get(result), OP.f32div] : get(result);
    return [...code, ...value, ...converted(F32, kindOf(type))];
  }

  private logic({ word, parts, type }: Extract<Node, { how: "logic" }>): number[] {
    const [first, ...rest] = parts as [Node, ...Node[]];
    if (rest.length === 0) return this.as(first, type);
    const others: Extract<Node, { how: "logic" }> = { how: "logic", type, word, parts: rest, line: first.line };
    const kept = this.fresh(...flat(type));
    const own = get(kept);
    const test = type === "bool" ? own : type === "int" ? [...own, OP.i64eqz, OP.i32eqz] : [...own, ...real(0), OP.f32ne];
    const next = this.logic(others);
    return [...this.as(first, type), ...set(kept), ...test, ...(word === "and" ? this.branches(type, next, own) : this.branches(type, own, next))];
  }

  private compare({ words, parts }: Extract<Node, { how: "compare" }>): number[] {
    const tests = words.map((word, k) => {
      const [left, right] = [parts[k]!, parts[k + 1]!];
      const type = joined(joined(left.type, right.type), "int");
      return [...this.as(left, type), ...this.as(right, type), COMPARE[word]![type === "real" ? 0 : 1]];
    });
    return tests.flatMap((test, k) => (k === 0 ? test : [...test, OP.i32and]));
  }

  // --- calls

  private maths({ word, parts }: Extract<Node, { how: "maths" }>): number[] {
    const given = parts.flatMap((part) => this.as(part, "real"));
    if (word in INSTRUCTIONS) return [...given, ...INSTRUCTIONS[word]!];
    switch (word) {
      case "degrees": return [...given, ...real(180 / Math.PI), OP.f32mul];
      case "radians": return [...given, ...real(Math.PI / 180), OP.f32mul];
      case "isfinite": return [...given, OP.f32abs, ...real(Infinity), OP.f32lt];
      case "isinf": return [...given, OP.f32abs, ...real(Infinity), OP.f32eq];
      case "isnan": {
        const kept = this.fresh(F32);
        return [...given, ...tee(kept), ...get(kept), OP.f32ne];
      }
    }
    return [...given, ...this.emitter.mathematics(word, parts.length)];
  }

  private builtin({ word, parts, type }: Extract<Node, { how: "builtin" }>): number[] {
    const [first] = parts as [Node];
    switch (word) {
      case "float": case "int": return this.as(first, type);
      case "bool": return this.truth(first);
      case "round": return first.type === "real" ? [...this.push(first), OP.f32nearest, ...TRUNCATE] : this.as(first, "int");
      case "pow": return [...this.power(parts[0]!, parts[1]!, type, undefined), ...converted(F32, kindOf(type))];
      case "abs": return this.absolute(first, type);
    }
    return this.extreme(parts, type, word === "min" ? "<" : ">");
  }

  private absolute(part: Node, type: Type): number[] {
    const code = this.as(part, type);
    if (type !== "int") return type === "real" ? [...code, OP.f32abs] : code;
    const kept = this.fresh(I64);
    return [...code, ...set(kept), ...whole(0), ...get(kept), OP.i64sub, ...get(kept), ...get(kept), ...whole(0), OP.i64lt, OP.select];
  }

  /** The smallest or largest number: a later one counts if it compares, as in Python. */
  private extreme(parts: Node[], type: Type, sign: "<" | ">"): number[] {
    const kind = kindOf(type);
    const [best, next] = [this.fresh(kind), this.fresh(kind)];
    const test = kind === I32 ? (sign === "<" ? [...get(best), ...get(next), OP.i32eqz, OP.i32and] : [...get(next), ...get(best), OP.i32eqz, OP.i32and]) : [...get(next), ...get(best), COMPARE[sign]![kind === F32 ? 0 : 1]];
    const [first, ...rest] = parts as [Node, ...Node[]];
    return [
      ...this.as(first, type), ...set(best),
      ...rest.flatMap((part) => [...this.as(part, type), ...set(next), ...get(next), ...get(best), ...test, OP.select, ...set(best)]),
      ...get(best),
    ];
  }
}

function numberOf(type: Type, word: number | boolean | string | null): number[] {
  if (type === "bool") return bool(Boolean(word));
  if (type === "int") return whole(Number(word));
  return real(typeof word === "string" ? ({ inf: 1e15, "-inf": -1e15 }[word] ?? NaN) : Number(word));
}

/** The instructions that make a number one of another kind. */
export function converted(from: Kind, to: Kind): number[] {
  if (from === to) return [];
  if (to === F32) return [from === I64 ? OP.f32fromI64 : OP.f32fromI32];
  if (to === I64) return from === F32 ? TRUNCATE : [OP.i64extend];
  return from === F32 ? [...real(0), OP.f32ne] : [OP.i64eqz, OP.i32eqz];
}
