/** Tokens -> syntax trees of the functions of a text. */

import { ExpressionParser, KEYWORDS, quotedText } from "./expressionparser";
import type { Def, Stmt } from "./syntax";
import { fail, ownRemedy } from "./tables";
import { t } from "../words";

const AUGMENTS = ["+=", "-=", "*=", "/=", "//=", "%=", "**=", "&=", "|=", "^=", ">>=", "<<=", "@="];

export class Parser extends ExpressionParser {
  /** The functions of the text; anything between them is refused. */
  definitions(): Def[] {
    const found: Def[] = [];
    while (this.token.kind !== "end") {
      if (this.is("def")) found.push(this.definition());
      else if (this.token.kind !== "name" && this.token.kind !== "string" && this.token.kind !== "number" && !this.is("(") && !this.is("@")) this.wrong();
      else fail(this.token, quotedText(this.lineOf(this.token)), t("Write functions: def pair(self, me, other):"));
    }
    return found;
  }

  private definition(): Def {
    const first = this.take();
    const name = this.identifier();
    this.expect("(");
    const args: Def["args"] = [];
    let plain = true;
    while (!this.is(")")) {
      if (this.accept("*") || this.accept("**") || this.accept("/")) plain = false;
      if (this.token.kind === "name") {
        const argument = this.token;
        args.push({ name: this.identifier(), line: argument.line, column: argument.column });
        if (this.accept(":")) this.test();
        if (this.accept("=")) {
          plain = false;
          this.test();
        }
      } else if (plain) this.wrong();
      if (!this.accept(",")) break;
    }
    this.expect(")");
    if (this.accept("->")) this.test();
    const body = this.suite();
    return { is: "def", name, args, plain, body, line: first.line, column: first.column, text: this.lineOf(first) };
  }

  private suite(): Stmt[] {
    this.expect(":");
    if (!this.at("newline")) return this.simple();
    const head = this.take();
    if (!this.at("indent")) fail({ line: this.at("end") ? head.line : this.token.line, column: 1 }, "'expected an indented block'", ownRemedy());
    this.take();
    const body: Stmt[] = [];
    this.deeper(() => {
      while (!this.at("dedent") && !this.at("end")) body.push(...this.statement());
    });
    if (this.at("dedent")) this.take();
    return body;
  }

  private statement(): Stmt[] {
    return this.is("if") ? [this.branch()] : this.simple();
  }

  private branch(): Stmt {
    const first = this.take();
    const test = this.test();
    const body = this.suite();
    let orelse: Stmt[] = [];
    if (this.is("elif")) orelse = [this.deeper(() => this.branch())];
    else if (this.accept("else")) orelse = this.suite();
    return { is: "if", test, body, orelse, line: first.line, column: first.column };
  }

  /** The statements of one line. */
  private simple(): Stmt[] {
    const found: Stmt[] = [];
    do {
      if (this.token.kind === "newline") break;
      found.push(this.small());
    } while (this.accept(";"));
    if (this.token.kind !== "newline") this.wrong();
    this.take();
    return found;
  }

  private small(): Stmt {
    const first = this.token;
    const place = { line: first.line, column: first.column };
    if (this.accept("return")) return { is: "return", value: this.token.kind === "newline" || this.is(";") ? null : this.tests(), ...place };
    if (this.is("for") || this.is("while")) {
      const text = this.lineOf(first);
      fail(place, quotedText(text), t("Loops are not allowed; write the terms out, or use a rule file: --rules"));
    }
    const other = first.kind === "name" && KEYWORDS.includes(first.text) && !["not", "True", "False", "None", "lambda", "if"].includes(first.text);
    if (other || this.is("@")) {
      if (["elif", "else", "except", "finally", "and", "or", "in", "is", "as"].includes(first.text)) this.wrong();
      fail(place, quotedText(this.lineOf(first)), ownRemedy());
    }
    const value = this.tests();
    const op = AUGMENTS.find((each) => this.is(each));
    if (op) {
      this.take();
      return { is: "augment", target: value, op: op.slice(0, -1), value: this.tests(), ...place };
    }
    if (this.is(":")) fail(place, quotedText(this.lineOf(first)), ownRemedy());
    if (!this.is("=")) return { is: "expression", value, ...place };
    const sides = [value];
    while (this.accept("=")) sides.push(this.tests());
    return { is: "assign", targets: sides.slice(0, -1), value: sides.at(-1)!, ...place };
  }
}
