/** Print typed trees as WGSL, as src/murmurate/language/wgsl_printer.py and wgsl_expressions.py do: the texts are
 * equal. Each line ends with a comment that has the line of the rule's text. */

import type { FormulaTables } from "../wire/contracts";
import { isTuple, joined, type Node, type Step, type Target, type Tree, type Type } from "./typedtree";
import { floatText, identifier, partsOf, type WgslTypes } from "./wgsltypes";

/** Operators that compilers simplify as if no number was infinite or nan, and functions in place of them. */
const OPERATORS: Record<string, string> = { "+": "sum", "-": "difference", "*": "product", "/": "quotient" };
const MAX_PRODUCT = 16; // the largest power that is printed as a product

/** What the functions of a text share. */
export interface Shared {
  readonly types: WgslTypes;
  readonly maths: FormulaTables["maths"];
  /** Whether the text is a user's. */
  readonly ofUser: boolean;
  /** The name of a function. */
  nameOf(tree: Tree): string;
  /** The comment of a line. */
  comment(line: number): string;
}

export class WgslPrinter {
  private temporaries = 0;
  private before: string[] = []; // lines that compute parts of an expression before the line that holds it

  constructor(private readonly shared: Shared, private readonly tree: Tree) {}

  text(name: string): string {
    const { args, locals, body, result } = this.tree;
    const { types } = this.shared;
    const assigned = assignedIn(body);
    const given = new Set(args.map(([argument]) => argument));
    const lines: string[] = [];
    const parameters = args.map(([argument, type]) => {
      const text = identifier(argument);
      if (!assigned.has(argument)) return `${text}: ${types.text(type)}`;
      const wider = locals.get(argument) ?? type;
      lines.push(`  var ${text}: ${types.text(wider)} = ${types.convert(`${text}in`, type, wider)};`);
      return `${text}in: ${types.text(type)}`;
    });
    for (const [variable, type] of locals) if (!given.has(variable)) lines.push(`  var ${identifier(variable)}: ${types.text(type)};`);
    lines.push(...this.block(body, "  "));
    return [`fn ${name}(${parameters.join(", ")}) -> ${types.text(result)} {`, ...lines, "}"].join("\n");
  }

  // --- statements

  private block(body: Step[], indent: string): string[] {
    return body.flatMap((step) => this.step(step, indent));
  }

  private step(step: Step, indent: string): string[] {
    this.before = [];
    const node = step.how === "if" ? step.test : step.value;
    const own = this.linesOf(step);
    const ends = this.shared.comment(node.line);
    const lines = [...this.before, ...own].map((line) => `${indent}${line}${ends}`);
    if (step.how !== "if") return lines;
    lines.push(...this.block(step.body, `${indent}  `));
    if (step.orelse.length > 0) lines.push(`${indent}} else {`, ...this.block(step.orelse, `${indent}  `));
    return [...lines, `${indent}}`];
  }

  private linesOf(step: Step): string[] {
    switch (step.how) {
      case "return": return [`return ${unbracketed(this.as(step.value, this.tree.result))};`];
      case "if": return [`if (${unbracketed(this.as(step.test, "bool"))}) {`];
      case "let": {
        const { target, value } = step;
        if ("variable" in target) return this.assign(target, this.expression(value), value.type);
        if (value.how !== "tuple") return this.assign(target, this.keep(this.expression(value)), value.type);
        const parts = value.parts.map((part): [string, Type] => [this.keep(this.expression(part)), part.type]);
        return target.parts.flatMap((part, k) => this.assign(part, ...parts[k]!));
      }
    }
  }

  private assign(target: Target, text: string, type: Type): string[] {
    if ("parts" in target) {
      const parts = partsOf(text, type);
      return target.parts.flatMap((part, k) => this.assign(part, ...parts[k]!));
    }
    return [`${identifier(target.variable)} = ${unbracketed(this.shared.types.convert(text, type, this.typeOf(target.variable)))};`];
  }

  private typeOf(name: string): Type {
    return this.tree.locals.get(name) ?? this.tree.args.find(([argument]) => argument === name)![1];
  }

  // --- values

  private newName(): string {
    return `temporary${++this.temporaries}`;
  }

  /** The name of a variable that has a value. */
  private keep(text: string): string {
    const name = this.newName();
    this.before.push(`let ${name} = ${unbracketed(text)};`);
    return name;
  }

  private as(node: Node, type: Type): string {
    return this.shared.types.convert(this.expression(node), node.type, type);
  }

  private expression(node: Node): string {
    switch (node.how) {
      case "number": return numberText(node.type, node.word);
      case "name": return this.shared.types.convert(identifier(node.word), this.typeOf(node.word), node.type);
      case "field": {
        const state = node.of.record.endsWith(".state") ? "state_" : "";
        return `${this.expression(node.owner)}.${state}${identifier(node.word)}`;
      }
      case "item": return partsOf(this.expression(node.part), node.part.type)[node.index]![0];
      case "unary": {
        if (node.word === "not") return `(!${this.as(node.part, "bool")})`;
        const text = this.as(node.part, node.type);
        return node.word === "+" ? text : `(${node.word}${text})`;
      }
      case "binary": return this.binary(node);
      case "logic": return this.logic(node);
      case "compare": return this.compare(node);
      case "choose": return this.choose(node);
      case "tuple": {
        const items = isTuple(node.type) ? node.type.items : [];
        return `${this.shared.types.text(node.type)}(${node.parts.map((part, k) => this.as(part, items[k]!)).join(", ")})`;
      }
      case "call": {
        const parts = node.parts.map((part, k) => this.as(part, node.callee.args[k]![1]));
        return `${this.shared.nameOf(node.callee)}(${parts.join(", ")})`;
      }
      case "maths": {
        const { wgsl, result } = this.shared.maths[node.word]!;
        const text = `${wgsl}(${node.parts.map((part) => this.as(part, "real")).join(", ")})`;
        return this.shared.types.convert(text, result === "bool" ? "bool" : "real", node.type);
      }
      case "builtin": return this.builtin(node);
    }
  }

  private binary({ word, left, right, type }: Extract<Node, { how: "binary" }>): string {
    if (isTuple(type)) {
      const sides = [left, right].map((side): [string, Type] => [this.keep(this.expression(side)), side.type]);
      return `${this.shared.types.text(type)}(${sides.flatMap((side) => partsOf(...side).map(([text]) => text)).join(", ")})`;
    }
    if (word === "**") return this.power(left, right, type);
    const [a, b] = [this.as(left, type), this.as(right, type)];
    if (word === "//" || word === "%") return `${word === "//" ? "floor_div" : "modulo"}_${type === "real" ? "real" : "int"}(${a}, ${b})`;
    if (type === "real" && word in OPERATORS && this.mayHide(word, left, right)) return `${OPERATORS[word]}_real(${a}, ${b})`;
    return `(${a} ${word} ${b})`;
  }

  /** Whether a simplified operation may hide a number that is not finite. */
  private mayHide(word: string, left: Node, right: Node): boolean {
    if (!this.shared.ofUser || writtenNumber(right) !== null) return false;
    const [first, second] = [isUnbounded(left), isUnbounded(right)];
    if (word === "*") return (first || second) && writtenNumber(left) === null;
    return word === "/" || (first && second);
  }

  /** A power by products and roots where the exponent is written out. */
  private power(left: Node, right: Node, type: Type): string {
    const number = writtenNumber(right);
    if (number === null || Math.abs(number) > MAX_PRODUCT || !Number.isInteger(2 * number)) {
      const [a, b] = [this.as(left, "real"), Number.isInteger(number) ? `f32(${number}i)` : this.as(right, "real")];
      return this.shared.types.convert(`pow_real(${a}, ${b})`, "real", type);
    }
    const kind = number >= 0 && Number.isInteger(number) ? type : "real";
    const x = this.keep(this.as(left, kind));
    const factors = [...Array<string>(Math.floor(Math.abs(number))).fill(x), ...(Number.isInteger(number) ? [] : [`sqrt(${x})`])];
    const product = factors.length > 0 ? `(${factors.join(" * ")})` : kind === "int" ? "1i" : "1.0f";
    return number >= 0 ? product : `(1.0f / ${product})`;
  }

  private logic({ word, parts, type }: Extract<Node, { how: "logic" }>): string {
    if (parts.every((part) => part.type === "bool")) return `(${parts.map((part) => this.expression(part)).join(word === "and" ? " && " : " || ")})`;
    const { types } = this.shared;
    let text = this.as(parts.at(-1)!, type);
    for (const part of parts.slice(0, -1).reverse()) {
      const mine = this.keep(this.expression(part));
      const test = types.convert(mine, part.type, "bool");
      const own = types.convert(mine, part.type, type);
      text = `select(${word === "and" ? `${own}, ${text}` : `${text}, ${own}`}, ${test})`;
    }
    return text;
  }

  private compare({ words, parts }: Extract<Node, { how: "compare" }>): string {
    let texts = parts.map((part) => this.expression(part));
    if (texts.length > 2) texts = texts.map((text) => this.keep(text));
    const tests = words.map((sign, k) => {
      const [a, b] = [parts[k]!.type, parts[k + 1]!.type];
      const both = joined(a, b);
      const kind = both === "bool" && sign !== "==" && sign !== "!=" ? "int" : both;
      return `(${this.shared.types.convert(texts[k]!, a, kind)} ${sign} ${this.shared.types.convert(texts[k + 1]!, b, kind)})`;
    });
    return tests.length === 1 ? tests[0]! : `(${tests.join(" && ")})`;
  }

  private choose({ test, body, orelse, type }: Extract<Node, { how: "choose" }>): string {
    const condition = this.as(test, "bool");
    const [a, b] = [this.as(body, type), this.as(orelse, type)];
    if (typeof type === "string") return `select(${b}, ${a}, ${condition})`;
    const name = this.newName();
    this.before.push(`var ${name} = ${b};`, `if (${condition}) { ${name} = ${a}; }`);
    return name;
  }

  private builtin({ word, parts, type }: Extract<Node, { how: "builtin" }>): string {
    const { types } = this.shared;
    if (["int", "float", "bool"].includes(word)) return this.as(parts[0]!, type);
    if (word === "round") return `i32(round(${this.as(parts[0]!, "real")}))`;
    if (word === "pow") return types.convert(`pow_real(${parts.map((part) => this.as(part, "real")).join(", ")})`, "real", type);
    const kind = type === "bool" ? "int" : type;
    const [first, ...others] = parts.map((part) => this.as(part, kind)) as [string, ...string[]];
    const text = others.reduce((sum, other) => `${word}(${sum}, ${other})`, word === "abs" ? `abs(${first})` : first);
    return types.convert(text, kind, type);
  }
}

function assignedIn(body: Step[]): Set<string> {
  const namesOf = (target: Target): string[] => ("variable" in target ? [target.variable] : target.parts.flatMap(namesOf));
  return new Set(body.flatMap((step) => (step.how === "let" ? namesOf(step.target) : step.how === "if" ? [...assignedIn(step.body), ...assignedIn(step.orelse)] : [])));
}

function numberText(type: Type, word: number | boolean | string | null): string {
  if (type === "bool") return word ? "true" : "false";
  if (type === "int") return Number(word) < 0 ? `i32(${word})` : `${word}i`;
  const text = floatText(typeof word === "string" ? ({ inf: 1e15, "-inf": -1e15 }[word] ?? NaN) : Number(word));
  return text.startsWith("-") ? `(${text})` : text;
}

/** An expression without brackets around all of it. */
function unbracketed(text: string): string {
  if (!text.startsWith("(") || !text.endsWith(")")) return text;
  let depth = 0;
  for (const [k, letter] of [...text].entries()) {
    depth += Number(letter === "(") - Number(letter === ")");
    if (depth === 0) return k === text.length - 1 ? text.slice(1, -1) : text;
  }
  return text;
}

/** Whether an expression may not be finite, besides numbers beyond those of f32. */
function isUnbounded(node: Node): boolean {
  if (node.how === "number" || node.how === "field") return false;
  if (node.how === "unary") return isUnbounded(node.part);
  if (node.how === "binary" && ["+", "-", "*"].includes(node.word)) return isUnbounded(node.left) || isUnbounded(node.right);
  return true;
}

/** A number that is written out. */
function writtenNumber(node: Node): number | null {
  if (node.how === "number" && typeof node.word !== "string") return Number(node.word);
  const number = node.how === "unary" && node.word === "-" ? writtenNumber(node.part) : null;
  return number === null ? null : -number;
}
