/** Read names, numbers and fields of arguments. As src/murmurate/language/scope.py and expressions.py, with their
 * messages. */

import { unparse, type Def, type Expr } from "./syntax";
import type { FormulaTables, OpenedRule } from "../wire/contracts";
import { closest, onlyNumbers, quoted, refuseFunction, sameKind, unknownName } from "./tables";
import { isRecord, type Node, type RecordType, type Tree, type Type } from "./typedtree";
import { t } from "../words";

/** The rule whose functions are read; for helpers, none. */
export interface Part {
  name: string;
  rule: OpenedRule;
  self: RecordType;
}

/** Reads a function of the text for types of its arguments. */
export type ReadFunction = (name: string, types: Type[], part: Part | null) => Tree;

export abstract class NameReader {
  protected locals = new Map<string, Type>();
  protected versions = new Map<string, number>();
  protected mixed = new Map<string, { line: number; conflict: string }>();
  /** Names that have a value at the current line in every case, and in some cases. */
  protected given = new Set<string>();
  protected stored = new Set<string>();
  protected readonly variables: Set<string>;

  constructor(
    protected readonly def: Def,
    protected readonly args: Map<string, Type>,
    protected readonly functions: Map<string, Def>,
    protected readonly tables: FormulaTables,
    protected readonly part: Part | null,
    protected readonly readFunction: ReadFunction,
    private readonly lines: string[],
  ) {
    this.variables = new Set(args.keys());
  }

  refuse(line: number, text: string): never {
    refuseFunction(line, this.def.name, text, this.lines);
  }

  /** An expression, or a string to compare with. */
  protected abstract expression(node: Expr): Node;

  protected checked(node: Expr, value: Node): Node {
    if (value.type === "word") {
      const word = value.how === "number" ? quoted(String(value.word)) : "";
      this.refuse(node.line, t("has the string {word}: strings may only be compared with a word of the rule, such as `self.law == 'unit'`", { word }));
    }
    return value;
  }

  /** A number of the text is real; a text may only be compared. */
  protected constant(line: number, value: number | boolean | string | null): Node {
    const type = typeof value === "boolean" ? "bool" : typeof value === "string" ? "word" : "real";
    return { how: "number", type, word: value, decided: type !== "real", line };
  }

  protected truthOf(line: number, value: boolean): Node {
    return { how: "number", type: "bool", word: value, decided: true, line };
  }

  protected name(name: string, line: number): Node {
    const mixed = this.mixed.get(name);
    if (mixed) this.refuse(mixed.line, `${mixed.conflict}: ${sameKind()}`);
    if (this.variables.has(name)) {
      if (!this.given.has(name)) {
        const some = t("reads {name}, which has no value in some branches: give it one before the 'if'", { name: quoted(name) });
        this.refuse(line, this.stored.has(name) ? some : t("reads {name} before it gives it a value", { name: quoted(name) }));
      }
      const word = versioned(name, this.versions.get(name) ?? 0);
      const type = this.locals.get(word) ?? this.args.get(word);
      return { how: "name", type: type!, word, line };
    }
    if (this.functions.has(name) || name in this.tables.builtins) this.refuse(line, t("uses the function {name} as a number: call it, {call}", { name: quoted(name), call: `${name}(...)` }));
    return this.refuseName(name, line);
  }

  private refuseName(name: string, line: number): never {
    const own = new Set([...this.variables, ...Object.keys(this.tables.builtins)]);
    const close = closest(name, [...own, ...Object.keys(this.tables.maths)]);
    let remedy = t("a rule's function may use its arguments, numbers, `math`, plain helper functions and {names}", { names: Object.keys(this.tables.builtins).join(", ") });
    if (name === "random") remedy = t("random numbers are those of the argument `random`, such as random.a");
    else if (close) remedy = t("did you mean {name}?", { name: own.has(close) ? close : `math.${close}` });
    this.refuse(line, t("uses {name}: {remedy}", { name: quoted(name), remedy }));
  }

  // --- fields

  protected attribute(node: Extract<Expr, { is: "attribute" }>): Node {
    const { value, attr, line } = node;
    if (value.is === "name" && !this.variables.has(value.id)) return this.ofMath(value.id, attr, line);
    if (value.is === "name" && value.id === "self" && this.part && attr in this.part.rule.words) return this.word(attr, this.part.rule.words[attr], line);
    if (value.is === "attribute") return this.state(value, attr, line);
    const record = this.expression(value);
    if (!isRecord(record.type)) {
      if (record.type === "unknown") return { ...record, type: "unknown" };
      this.refuse(line, t("asks for {field}, {why}", { field: unparse(node), why: onlyNumbers() }));
    }
    const type = record.type.fields[attr];
    if (type === undefined || !Object.hasOwn(record.type.fields, attr)) this.refuseField(node, record.type);
    return { how: "field", type, of: record.type, owner: record, word: attr, line };
  }

  /** me.state.phase and other.state.phase: numbers that boids keep, of which the page passes those that the rule reads. */
  private state(owner: Extract<Expr, { is: "attribute" }>, attr: string, line: number): Node {
    const record = this.expression(owner.value);
    if (!isRecord(record.type) || owner.attr !== "state") this.refuse(line, t("asks for {field}, {why}", { field: `${unparse(owner)}.${attr}`, why: onlyNumbers() }));
    const of: RecordType = { record: `${record.type.record}.state`, fields: {} };
    const known = this.stateNames(record.type.record);
    if (!known.includes(attr)) {
      const text = `${of.record}.${attr}`;
      this.refuse(line, t("asks for {field}: {why}. Edit it in the live view of Python: murmurate watch", { field: text, why: known.length > 0 ? unknownName(t("per-boid state"), attr, known) : t("this page passes no per-boid state to it") }));
    }
    return { how: "field", type: "real", of, owner: record, word: attr, line };
  }

  protected abstract stateNames(owner: string): string[];

  private word(name: string, value: unknown, line: number): Node {
    if (typeof value === "string") return this.constant(line, value);
    if (typeof value === "boolean") return this.truthOf(line, value);
    if (typeof value === "number") return { how: "number", type: Number.isInteger(value) ? "int" : "real", word: value, decided: true, line };
    this.refuse(line, t("asks for {field}, which is not a number: its value is None or a list. Give it a number in the model, or leave it out", { field: `self.${name}` }));
  }

  private ofMath(owner: string, attr: string, line: number): Node {
    if (owner !== "math") this.refuseName(owner, line);
    const value = this.tables.constants[attr];
    if (value === undefined) this.refuseMaths(attr, line);
    return { how: "number", type: "real", word: value, decided: false, line };
  }

  protected refuseMaths(name: string, line: number): never {
    const { constants, maths } = this.tables;
    const close = closest(name, [...Object.keys(maths), ...Object.keys(constants)]);
    if (name in maths) this.refuse(line, t("uses the function {name} as a number: call it", { name: `math.${name}` }));
    this.refuse(line, t("uses {name}: {remedy}", { name: `math.${name}`, remedy: close ? t("did you mean {name}?", { name: `math.${close}` }) : t("of math there are {names}, and numbers", { names: Object.keys(maths).join(", ") }) }));
  }

  private refuseField(node: Extract<Expr, { is: "attribute" }>, record: RecordType): never {
    const names = Object.keys(record.fields);
    const ofSelf = record.record === "self";
    const what = ofSelf ? t("parameter") : t("number of {record}", { record: record.record });
    const known = ofSelf && this.part ? this.part.rule.fields : names;
    this.refuse(node.line, t("asks for {field}: {why}", { field: unparse(node), why: unknownName(what, node.attr, known) }));
  }
}

export const versioned = (name: string, number: number): string => (number ? `${name}'${number}` : name);
