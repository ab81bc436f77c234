/** The syntax of Python that functions of rules may use: as src/murmurate/model/rule_functions.py, with its
 * messages. */

import { quotedText } from "./expressionparser";
import { Parser } from "./parser";
import { pieces, unparse, type Def, type Expr, type Stmt } from "./syntax";
import { METHODS, type FormulaTables, type Method } from "../wire/contracts";
import { fail, ownRemedy, type Place, quoted } from "./tables";
import { t } from "../words";

const NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;
const UNARY = ["-", "+", "not"];
const BINARY = ["+", "-", "*", "/", "//", "%", "**"];
const COMPARE = ["<", "<=", ">", ">=", "==", "!="];

/** The functions of a text by name. Throws Refused for text that is not of the language. */
export function definitionsOf(text: string, tables: FormulaTables): Map<string, Def> {
  const first = { line: 1, column: 1 };
  if (text.length > tables.max_letters) fail(first, t("{n} letters", { n: text.length }), t("At most {n} are allowed", { n: tables.max_letters }));
  const found = new Parser(text, tables).definitions();
  if (found.reduce((sum, each) => sum + count(each.body), 0) > tables.max_pieces) fail(first, t("a very long formula"), t("Make it shorter"));
  const functions = new Map<string, Def>();
  const grammar = new Grammar(tables, found.map(({ name }) => name));
  for (const each of found) {
    if (functions.has(each.name)) fail({ line: each.line, column: 1 }, t("two functions {name}", { name: each.name }), t("Give one of them another name"));
    grammar.definition(each);
    functions.set(each.name, each);
  }
  if (!METHODS.some((method) => functions.has(method))) fail(first, t("no function of a rule"), t("Define pair, finish or alone"));
  return functions;
}

export const isMethod = (name: string): name is Method => (METHODS as readonly string[]).includes(name);

function count(body: Stmt[]): number {
  return body.reduce((sum, each) => {
    if (each.is === "if") return sum + 1 + pieces(each.test) + count(each.body) + count(each.orelse);
    if (each.is === "assign") return sum + 1 + pieces(each.value) + each.targets.reduce((all, target) => all + pieces(target), 0);
    if (each.is === "augment") return sum + 1 + pieces(each.value) + pieces(each.target);
    return sum + 1 + ("value" in each && each.value ? pieces(each.value) : 0);
  }, 0);
}

class Grammar {
  constructor(private readonly tables: FormulaTables, private readonly functions: string[]) {}

  private refuse(node: Expr, remedy = ownRemedy()): never {
    fail(node, quotedText(unparse(node)), remedy);
  }

  /** Refuses names that no variable, argument or function may have. */
  private name(place: Place, name: string, more: string[] = []): void {
    const reserved = [...this.tables.calls, "math", ...this.tables.owners].filter((word) => !more.includes(word));
    if (name !== "_" && (!NAME.test(name) || name.includes("__") || reserved.includes(name))) {
      fail(place, t("the name {name}", { name: quoted(name) }), t("Names have letters, digits and single '_', and are no word of the language"));
    }
  }

  definition(node: Def): void {
    if (!node.plain) fail(node, quotedText(node.text), t("Functions take plain arguments: def pair(self, me, other):"));
    this.name(node, node.name);
    for (const argument of node.args) this.name(argument, argument.name, this.tables.owners);
    this.block(node.body);
    if (node.body.every((each) => each.is === "expression")) {
      const { line, column } = node;
      node.body = [{ is: "return", value: { is: "constant", value: 0, whole: false, text: "0.0", line, column }, line, column }];
    }
  }

  private block(body: Stmt[]): void {
    for (const node of body) this.statement(node);
  }

  private statement(node: Stmt): void {
    switch (node.is) {
      case "return":
        if (node.value) return this.expression(node.value);
        break;
      case "assign":
        if (node.targets.length > 1) break;
        this.target(node.targets[0]!);
        return this.expression(node.value);
      case "augment":
        if (node.target.is !== "name" || !BINARY.includes(node.op)) break;
        this.name(node, node.target.id);
        return this.expression(node.value);
      case "if":
        this.expression(node.test);
        this.block(node.body);
        return this.block(node.orelse);
      case "expression":
        if (node.value.is === "constant" && typeof node.value.value === "string") return;
    }
    fail(node, quotedText(textOf(node)), ownRemedy());
  }

  private target(node: Expr): void {
    if (node.is === "name") this.name(node, node.id);
    else if (node.is === "tuple") node.items.forEach((item) => this.target(item));
    else this.refuse(node, t("Assign to variables: x = 1, or x, y = 1, 2"));
  }

  expression(node: Expr): void {
    switch (node.is) {
      case "constant": return this.constant(node);
      case "name":
        if (node.id === "_" || NAME.test(node.id)) return;
        break;
      case "attribute": return this.attribute(node);
      case "item":
        if (node.index.is !== "constant" || !(node.index.whole || typeof node.index.value === "boolean")) break;
        return this.expression(node.value);
      case "tuple": return node.items.forEach((item) => this.expression(item));
      case "unary":
        if (!UNARY.includes(node.op)) break;
        return this.expression(node.operand);
      case "binary": {
        if (!BINARY.includes(node.op)) break;
        const { right } = node;
        const power = node.op === "**" && right.is === "constant" && right.whole ? Math.abs(Number(right.value)) : 0;
        if (power > this.tables.max_power) this.refuse(node, t("Whole powers are at most {most}", { most: this.tables.max_power }));
        this.expression(node.left);
        return this.expression(right);
      }
      case "logic": return node.values.forEach((value) => this.expression(value));
      case "compare": {
        if (!node.ops.every((op) => COMPARE.includes(op))) this.refuse(node, t("Compare with <, <=, >, >=, == or !="));
        return [node.left, ...node.others].filter((side) => !isWord(side)).forEach((side) => this.expression(side));
      }
      case "choose": return [node.body, node.test, node.orelse].forEach((part) => this.expression(part));
      case "call": return this.call(node);
    }
    this.refuse(node);
  }

  private constant(node: Extract<Expr, { is: "constant" }>): void {
    const { value } = node;
    if (typeof value === "boolean" || (typeof value === "number" && Math.abs(value) < 1e300)) return;
    this.refuse(node, t("Numbers are real and below 1e300"));
  }

  private attribute(node: Extract<Expr, { is: "attribute" }>): void {
    const { value, attr } = node;
    const { owners, constants } = this.tables;
    if (NAME.test(attr) && !attr.includes("__")) {
      if (value.is === "name" && owners.includes(value.id)) return;
      if (value.is === "attribute" && value.attr === "state" && value.value.is === "name" && ["me", "other"].includes(value.value.id)) return;
      if (value.is === "name" && value.id === "math" && attr in constants) return;
    }
    this.refuse(node, t("A dot follows self, me, other, random, herd, state and math: me.speed"));
  }

  private call(node: Extract<Expr, { is: "call" }>): void {
    const { func, args } = node;
    if (!node.plain) fail(node, quotedText(node.text), t("Call functions with plain numbers: max(a, b)"));
    const { calls, of_math } = this.tables;
    const called = func.is === "name" && (calls.includes(func.id) || this.functions.includes(func.id));
    const maths = func.is === "attribute" && func.value.is === "name" && func.value.id === "math" && of_math.includes(func.attr);
    if (!called && !maths) this.refuse(func, t("Functions are {names}, those of math, and those of this text", { names: calls.join(", ") }));
    args.forEach((argument) => this.expression(argument));
  }
}

const isWord = (node: Expr): boolean => node.is === "constant" && typeof node.value === "string" && /^[\w-]{1,64}$/.test(node.value);

/** The first line of a statement, as Python writes it. */
function textOf(node: Stmt): string {
  switch (node.is) {
    case "return": return node.value ? `return ${unparse(node.value)}` : "return";
    case "assign": return `${node.targets.map(unparse).join(" = ")} = ${unparse(node.value)}`;
    case "augment": return `${unparse(node.target)} ${node.op}= ${unparse(node.value)}`;
    case "if": return `if ${unparse(node.test)}:`;
    case "expression": return unparse(node.value);
  }
}
