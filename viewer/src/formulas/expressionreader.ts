/** Read expressions: syntax trees -> typed nodes. As src/murmurate/language/expressions.py, with its messages. */

import { NameReader } from "./names";
import { unparse, type Expr } from "./syntax";
import { onlyNumbers, quoted } from "./tables";
import { Conflict, countOf, decided, described, isNumber, isRecord, isTuple, joined, MAX_NUMBERS, type Node, type Type } from "./typedtree";
import { t } from "../words";

export abstract class ExpressionReader extends NameReader {
  /** An expression that must be a number or a tuple of numbers. */
  protected value(node: Expr): Node {
    return this.checked(node, this.expression(node));
  }

  protected expression(node: Expr): Node {
    const { line } = node;
    switch (node.is) {
      case "constant": return this.constant(line, node.value);
      case "name": return this.name(node.id, line);
      case "attribute": return this.attribute(node);
      case "item": return this.item(node, Number(node.index.is === "constant" ? node.index.value : 0));
      case "tuple": {
        const parts = node.items.map((item) => this.value(item));
        return { how: "tuple", type: this.tuple(line, parts.map(({ type }) => type)), parts, line };
      }
      case "unary": return this.unary(node.op, node.operand, line);
      case "binary": return this.binary(node.op, this.value(node.left), this.value(node.right), line, node.op === "**" ? powerOf(node.right) : undefined);
      case "logic": {
        const parts = node.values.map((value) => this.value(value));
        return { how: "logic", type: this.join(line, parts), word: node.op, parts, line };
      }
      case "compare": return this.compare(node);
      case "choose": {
        const test = this.expression(node.test);
        if (decided(test)) return this.expression(truth(test) ? node.body : node.orelse);
        this.checked(node.test, test);
        const [body, orelse] = [this.value(node.body), this.value(node.orelse)];
        return { how: "choose", type: this.join(line, [body, orelse]), test, body, orelse, line };
      }
      case "call": return this.call(node);
    }
  }

  // --- items

  private item(node: Extract<Expr, { is: "item" }>, index: number): Node {
    const part = this.value(node.value);
    const { line } = node;
    if (part.type === "unknown") return { ...part };
    const items = this.items(line, part.type);
    if (index < -items.length || index >= items.length) this.refuse(line, t("asks for {item}, and there is no such item of {type}", { item: unparse(node), type: described(part.type) }));
    const place = index < 0 ? index + items.length : index;
    return { how: "item", type: items[place]!, part, index: place, line };
  }

  /** The types of the items of a tuple. */
  protected items(line: number, type: Type): Type[] {
    if (isTuple(type)) return type.items;
    if (isRecord(type) && Object.keys(type.fields).length > 0) return Object.values(type.fields);
    this.refuse(line, t("takes {type} for a tuple", { type: described(type) }));
  }

  // --- operators

  private unary(sign: string, operand: Expr, line: number): Node {
    const part = this.expression(operand);
    if (sign === "not") {
      if (decided(part)) return this.truthOf(line, !truth(part));
      return { how: "unary", type: "bool", word: sign, part: this.checked(operand, part), line };
    }
    this.checked(operand, part);
    return { how: "unary", type: this.arithmetic(line, sign, part, part), word: sign, part, line };
  }

  protected binary(sign: string, left: Node, right: Node, line: number, power?: number): Node {
    // a whole number as the exponent of a whole number gives one
    const exponent: Node = power !== undefined && Number.isInteger(power) ? { ...right, type: "int" } : right;
    const type = this.arithmetic(line, sign, left, exponent);
    if (sign === "**" && power === undefined) return { how: "maths", type: "real", word: "pow", parts: [left, right], line };
    return { how: "binary", type, word: sign, left, right, line, ...(power !== undefined && { power }) };
  }

  private tuple(line: number, items: Type[]): Type {
    const type = { items };
    if (countOf(type) > MAX_NUMBERS) this.refuse(line, t("has a tuple of more than {most} numbers: use fewer", { most: String(MAX_NUMBERS) }));
    return type;
  }

  /** The type of the result of an operator on two numbers. */
  private arithmetic(line: number, sign: string, first: Node, second: Node): Type {
    if (sign === "+" && first !== second && isTuple(first.type) && isTuple(second.type)) return this.tuple(line, [...first.type.items, ...second.type.items]);
    for (const { type } of [first, second]) {
      if (isTuple(type) || isRecord(type)) this.refuse(line, t("computes with {type}, {why}", { type: described(type), why: onlyNumbers() }));
    }
    const [a, b] = [first, second].map(({ type }) => (isNumber(type) ? type : "bool")) as [Type, Type];
    return sign === "/" ? "real" : joined(joined(a, b), "int");
  }

  private compare(node: Extract<Expr, { is: "compare" }>): Node {
    const sides = [node.left, ...node.others];
    const parts = sides.map((side) => this.expression(side));
    const [first, second] = parts as [Node, Node];
    if (parts.length === 2 && decided(first) && decided(second) && ["==", "!="].includes(node.ops[0]!)) {
      return this.truthOf(node.line, (wordOf(first) === wordOf(second)) === (node.ops[0] === "=="));
    }
    parts.forEach((part, k) => this.checked(sides[k]!, part));
    for (const { type, line } of parts) {
      if (isTuple(type) || isRecord(type)) this.refuse(line, t("compares {type}, {why}", { type: described(type), why: onlyNumbers() }));
    }
    return { how: "compare", type: "bool", words: node.ops, parts, line: node.line };
  }

  /** The common type of alternative values. */
  private join(line: number, values: Node[]): Type {
    let type: Type = "unknown";
    for (const value of values) {
      try {
        type = joined(type, value.type);
      } catch (error) {
        if (!(error instanceof Conflict)) throw error;
        this.refuse(line, t("is sometimes {types}: both must be of one kind", { types: error.message }));
      }
    }
    return type;
  }

  // --- calls

  private call(node: Extract<Expr, { is: "call" }>): Node {
    const { func, line } = node;
    if (func.is === "attribute") {
      if (this.variables.has("math")) this.refuse(line, t("calls {name}, which is a number and not callable", { name: unparse(func) }));
      return this.callMaths(func.attr, node);
    }
    const name = func.is === "name" ? func.id : "";
    if (this.variables.has(name)) {
      this.expression(func);
      this.refuse(line, t("calls {name}, which is a number and not callable", { name }));
    }
    if (this.functions.has(name)) return this.callFunction(name, node);
    return this.callBuiltin(name, node);
  }

  private callMaths(name: string, node: Extract<Expr, { is: "call" }>): Node {
    const { line } = node;
    const entry = this.tables.maths[name];
    if (!entry) this.refuseMaths(name, line);
    const parts = node.args.map((argument) => this.value(argument));
    if (parts.length !== entry.takes) this.refuse(line, t("calls {name} with {n} numbers: it takes {takes}", { name: `math.${name}`, n: parts.length, takes: entry.takes }));
    parts.forEach((part) => this.checkNumber(line, `math.${name}`, part));
    if (entry.page === null || name === "gcd") {
      const others = this.tables.in_pages.join(", ");
      this.refuse(line, t("calls {name}; engine 'wasm' and live pages support only {names}. Write the rule with these, or use engine 'cpu', and a page with a replay (without live)", { name: `math.${name}`, names: others }));
    }
    return { how: "maths", type: entry.result as Type, word: name, parts, line };
  }

  private checkNumber(line: number, name: string, part: Node): void {
    if (isTuple(part.type) || isRecord(part.type)) this.refuse(line, t("calls {name} with {type}: it takes numbers", { name, type: described(part.type) }));
  }

  private callBuiltin(name: string, node: Extract<Expr, { is: "call" }>): Node {
    const { line } = node;
    const parts = node.args.map((argument) => this.value(argument));
    const [least, most] = this.tables.builtins[name]!;
    if (parts.length < least || parts.length > most) {
      this.refuse(line, t("calls {name} with {n} numbers: it takes {takes}", { name, n: parts.length, takes: least === most ? least : t("{n} or more", { n: least }) }));
    }
    parts.forEach((part) => this.checkNumber(line, name, part));
    let type: Type = { int: "int", float: "real", bool: "bool" }[name] as Type | undefined ?? "unknown";
    if (["abs", "min", "max", "pow"].includes(name)) type = this.join(line, parts);
    if (name === "round") {
      if (parts.length > 1) this.refuse(line, t("calls round with digits, which pages cannot: write round(x * 100) / 100"));
      type = "int";
    }
    return { how: "builtin", type, word: name, parts, line };
  }

  private callFunction(name: string, node: Extract<Expr, { is: "call" }>): Node {
    const wanted = this.functions.get(name)!.args.map((argument) => argument.name);
    const parts = node.args.map((argument) => this.value(argument));
    if (parts.length > wanted.length) this.refuse(node.line, t("calls {name} wrongly: too many positional arguments", { name: `${name}()` }));
    if (parts.length < wanted.length) {
      this.refuse(node.line, t("calls {name} wrongly: missing 1 required positional argument: {argument}", { name: `${name}()`, argument: quoted(wanted[parts.length]!) }));
    }
    const callee = this.readFunction(name, parts.map(({ type }) => type), null);
    return { how: "call", type: callee.result, callee, parts, line: node.line };
  }
}

const wordOf = (node: Node): unknown => (node.how === "number" ? (typeof node.word === "boolean" ? Number(node.word) : node.word) : undefined);
export const truth = (node: Node): boolean => Boolean(wordOf(node));

/** The power that products and roots compute; undefined for others. */
export function powerOf(right: Expr): number | undefined {
  if (right.is !== "constant" || typeof right.value !== "number") return undefined;
  return Number.isInteger(2 * right.value) && Math.abs(right.value) <= 1000 ? right.value : undefined;
}
