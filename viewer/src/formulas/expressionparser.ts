/** Tokens -> syntax trees of expressions. It reads Python's syntax as far as functions of rules may need it, and refuses
 * the rest with its place. */

import { BINDING, type Expr } from "./syntax";
import type { FormulaTables } from "../wire/contracts";
import { fail, ownRemedy, type Place, quoted } from "./tables";
import { tokensOf, type Token } from "./tokens";
import { t } from "../words";

const COMPARISONS = ["<", "<=", ">", ">=", "==", "!=", "in", "not in", "is", "is not"];
export const KEYWORDS = [
  "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except", "finally", "for", "from",
  "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];
const MAX_DEPTH = 110; // of brackets within brackets, of blocks, and terms of a sum

export class ExpressionParser {
  protected readonly tokens: Token[];
  protected next = 0;
  private depth = 0;

  constructor(protected readonly text: string, protected readonly tables: FormulaTables) {
    this.tokens = tokensOf(text, ownRemedy());
  }

  protected get token(): Token {
    return this.tokens[this.next]!;
  }

  protected is(word: string): boolean {
    const { kind, text } = this.token;
    return text === word && (kind === "operator" || kind === "name");
  }

  protected at(kind: Token["kind"]): boolean {
    return this.token.kind === kind;
  }

  protected take(): Token {
    return this.tokens[this.next++]!;
  }

  protected accept(word: string): boolean {
    if (!this.is(word)) return false;
    this.next++;
    return true;
  }

  protected wrong(): never {
    const { kind } = this.token;
    fail(this.token, kind === "indent" ? "'unexpected indent'" : "'invalid syntax'", ownRemedy());
  }

  protected expect(word: string): void {
    if (this.accept(word)) return;
    if (word !== ":") this.wrong();
    const before = this.tokens[Math.max(0, this.next - 1)]!;
    fail({ line: before.line, column: before.column + before.text.length }, "\"expected ':'\"", ownRemedy());
  }

  /** What the language does not have, as it is in the text from a token on. */
  protected refuse(from: Token, remedy = ownRemedy()): never {
    const last = this.tokens[Math.max(0, this.next - 1)]!;
    fail(from, quotedText(this.text.slice(from.from, Math.max(last.to, from.to))), remedy);
  }

  protected deeper<T>(work: () => T): T {
    this.checkDepth(++this.depth);
    const result = work();
    this.depth--;
    return result;
  }

  protected checkDepth(depth: number): void {
    if (depth > MAX_DEPTH) fail(this.token, `'${t("more than {n} nested brackets, blocks or terms of a sum", { n: String(MAX_DEPTH) })}'`, ownRemedy());
  }

  /** The rest of a line, from a token on. */
  protected lineOf(from: Token): string {
    return this.text.slice(from.from).split("\n")[0]!.replace(/\s*(#.*)?$/, "");
  }

  protected identifier(): string {
    if (this.token.kind !== "name" || KEYWORDS.includes(this.token.text)) this.wrong();
    return this.take().text;
  }

  /** One expression, or several with commas: a tuple. */
  protected tests(): Expr {
    const first = this.token;
    const value = this.test();
    return this.is(",") ? this.listed(first, value) : value;
  }

  private listed(first: Token, value: Expr): Expr {
    const items = [value];
    while (this.accept(",")) {
      if (this.token.kind === "newline" || this.is(")") || this.is("=") || this.is(";")) break;
      items.push(this.test());
    }
    return { is: "tuple", items, line: first.line, column: first.column };
  }

  protected test(): Expr {
    return this.deeper(() => {
      const first = this.token;
      if (this.is("lambda")) {
        fail(first, quotedText(this.lineOf(first)), ownRemedy());
      }
      const body = this.or();
      if (this.is(":=")) this.refuse(first);
      if (!this.accept("if")) return body;
      const test = this.or();
      this.expect("else");
      return { is: "choose", test, body, orelse: this.test(), line: first.line, column: first.column };
    });
  }

  private or(): Expr {
    return this.logic("or", () => this.logic("and", () => this.not()));
  }

  private logic(op: string, side: () => Expr): Expr {
    const first = this.token;
    const values = [side()];
    while (this.accept(op)) values.push(side());
    return values.length === 1 ? values[0]! : { is: "logic", op, values, line: first.line, column: first.column };
  }

  private not(): Expr {
    const first = this.token;
    if (!this.accept("not")) return this.comparison();
    return { is: "unary", op: "not", operand: this.deeper(() => this.not()), line: first.line, column: first.column };
  }

  private comparison(): Expr {
    const first = this.token;
    const left = this.between(5);
    const ops: string[] = [];
    const others: Expr[] = [];
    for (;;) {
      let op = COMPARISONS.find((each) => this.is(each)) ?? "";
      if (this.is("not") && this.tokens[this.next + 1]?.text === "in") op = "not in";
      if (!op) break;
      this.take();
      if (op === "not in" || (op === "is" && this.is("not"))) this.take();
      ops.push(op);
      others.push(this.between(5));
    }
    return ops.length === 0 ? left : { is: "compare", left, ops, others, line: first.line, column: first.column };
  }

  /** Binary operators of a precedence and above. */
  private between(least: number): Expr {
    const first = this.token;
    let left = this.sign();
    for (let terms = 1; ; terms++) {
      this.checkDepth(this.depth + terms);
      const { kind, text: op } = this.token;
      const mine = kind === "operator" ? BINDING[op] : undefined;
      if (mine === undefined || mine < least || mine > 10) return left;
      this.take();
      left = { is: "binary", op, left, right: this.between(mine + 1), line: first.line, column: first.column };
    }
  }

  private sign(): Expr {
    const first = this.token;
    for (const op of ["-", "+", "~"]) {
      if (this.accept(op)) return { is: "unary", op, operand: this.deeper(() => this.sign()), line: first.line, column: first.column };
    }
    const base = this.primary();
    if (!this.accept("**")) return base;
    return { is: "binary", op: "**", left: base, right: this.deeper(() => this.sign()), line: first.line, column: first.column };
  }

  private primary(): Expr {
    const first = this.token;
    const place: Place = { line: first.line, column: first.column };
    let value = this.atom();
    for (let links = 1; ; links++) {
      this.checkDepth(this.depth + links);
      if (this.accept(".")) value = { is: "attribute", value, attr: this.identifier(), ...place };
      else if (this.accept("(")) value = { is: "call", func: value, ...this.args(first), ...place };
      else if (this.accept("[")) {
        if (this.is(":")) return this.slice(first);
        const index = this.tests();
        if (this.is(":")) return this.slice(first);
        this.expect("]");
        value = { is: "item", value, index, ...place };
      } else return value;
    }
  }

  private slice(first: Token): never {
    while (!this.is("]") && this.token.kind !== "end") this.take();
    this.take();
    this.refuse(first);
  }

  private args(first: Token): { args: Expr[]; plain: boolean; text: string } {
    const args: Expr[] = [];
    let plain = true;
    while (!this.is(")")) {
      if (this.accept("*") || this.accept("**")) plain = false;
      args.push(this.test());
      if (this.is("=")) {
        plain = false;
        this.take();
        this.test();
      }
      if (!this.accept(",")) break;
    }
    this.expect(")");
    return { args, plain, text: this.text.slice(first.from, this.tokens[this.next - 1]!.to) };
  }

  private atom(): Expr {
    const first = this.token;
    const place: Place = { line: first.line, column: first.column };
    if (this.accept("(")) {
      if (this.accept(")")) this.refuse(first);
      const inner = this.token;
      const value = this.test();
      const whole = this.is(",") ? { ...this.listed(inner, value), ...place } : value;
      if (this.is("for")) this.refuse(first);
      this.expect(")");
      return whole;
    }
    if (this.is("[") || this.is("{")) return this.bracketed(first);
    if (first.kind === "number") return { ...numberOf(this.take().text), ...place };
    if (first.kind === "string") return { ...this.strings(first), ...place };
    if (first.kind !== "name") this.wrong();
    const words: Record<string, boolean | null> = { True: true, False: false, None: null };
    if (first.text in words) return { is: "constant", value: words[this.take().text]!, whole: false, text: first.text, ...place };
    if (first.text === "await" || first.text === "yield") fail(place, quotedText(this.lineOf(first)), ownRemedy());
    return { is: "name", id: this.identifier(), ...place };
  }

  /** A list, a dict or a set. */
  private bracketed(first: Token): never {
    let open = 0;
    do {
      if (this.is("[") || this.is("{") || this.is("(")) open++;
      if (this.is("]") || this.is("}") || this.is(")")) open--;
      this.take();
    } while (open > 0 && this.token.kind !== "end");
    this.refuse(first);
  }

  private strings(first: Token): Extract<Expr, { is: "constant" }> {
    let text = "";
    while (this.token.kind === "string") text += this.take().text.replace(/^[rRuU]*(?:'''|"""|'|")/, "").replace(/(?:'''|"""|'|")$/, "");
    if (/^[bBfF]|^[rR][bBfF]/.test(first.text)) this.refuse(first);
    return { is: "constant", value: text, whole: false, text: quoted(text), line: first.line, column: first.column };
  }
}

type Constant = { is: "constant"; value: number | string | null; whole: boolean; text: string };

function numberOf(word: string): Constant {
  const plain = word.replaceAll("_", "");
  if (/[jJ]$/.test(plain)) return { is: "constant", value: null, whole: false, text: plain };
  const whole = /^(?:\d+|0[xXoObB][\da-fA-F]+)$/.test(plain);
  const value = Number(plain.replace(/^0+(?=\d)/, ""));
  return { is: "constant", value, whole, text: whole ? String(value) : pythonReal(value) };
}

/** A real number as Python writes it. */
export function pythonReal(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? "inf" : value < 0 ? "-inf" : "nan";
  const text = String(value).replace(/e([+-])(\d)$/, "e$10$2");
  const small = Math.abs(value);
  if (small >= 1e16 && small < 1e21) return value.toExponential().replace(/e\+(\d)$/, "e+0$1");
  if (small > 0 && small < 1e-4 && !text.includes("e")) return value.toExponential().replace(/e-(\d)$/, "e-0$1");
  return /[e.]/.test(text) ? text : `${text}.0`;
}

/** A piece of the text in quotes, of which at most 40 letters are shown. */
export function quotedText(text: string): string {
  const [line] = text.split("\n") as [string];
  return `'${line.slice(0, 40)}${line.length > 40 ? "..." : ""}'`;
}
