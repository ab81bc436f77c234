/** Read the functions of a rule: a text -> typed trees, or an error with line and remedy. As
 * src/murmurate/language/reader.py, statements.py and methods.py, with their messages. */

import { Refused } from "../flight/errors";
import { ExpressionReader, truth } from "./expressionreader";
import { versioned, type Part, type ReadFunction } from "./names";
import { definitionsOf } from "./grammar";
import type { Def, Expr, Stmt } from "./syntax";
import { METHODS, type FormulaTables, type Method, type OpenedRule } from "../wire/contracts";
import { quoted, refuseFunction } from "./tables";
import { alwaysReturns, Conflict, decided, described, isNumber, isTuple, joined, same, sizeOf, type Node, type RecordType, type Step, type Target, type Tree, type Type } from "./typedtree";
import { t, tn } from "../words";

const GIVEN = ["self", "state", "me", "other", "random", "herd"];
const PASSES = 50;
const MAX_SIZE = 20_000;

type Numbers = OpenedRule["numbers"][string];
const typeOf = (places: Numbers): Type => (Array.isArray(places) ? { items: places.map(typeOf) } : "real");

/** Reads one text for a rule. */
export class RuleReader {
  private readonly functions: Map<string, Def>;
  private readonly trees = new Map<string, Tree | null>();
  private readonly lines: string[];
  private readonly part: Part;

  constructor(text: string, name: string, rule: OpenedRule, private readonly tables: FormulaTables) {
    this.functions = definitionsOf(text, tables);
    this.lines = text.split("\n");
    const fields = Object.fromEntries(Object.entries(rule.numbers).map(([field, places]) => [field, typeOf(places)]));
    this.part = { name, rule, self: { record: "self", fields } };
  }

  /** The methods that the text defines. */
  get methods(): Method[] {
    return METHODS.filter((method) => this.functions.has(method));
  }

  /** The arguments of a method. */
  argumentsOf(method: Method): string[] {
    return this.functions.get(method)!.args.map(({ name }) => name);
  }

  /** The tree of a method. `sums` is how many numbers its `pair` returns, for finish. */
  method(method: Method, sums: number): Tree {
    this.checkArguments(method);
    const { rule, self } = this.part;
    const records = Object.fromEntries(Object.entries(this.tables.fields).map(([record, fields]) => [record, { record, fields } as RecordType]));
    const types: Record<string, Type> = {
      ...records, self, state: { record: "state", fields: Object.fromEntries(rule.state_names.map((name) => [name, "real"])) },
      sums: { items: Array.from({ length: sums }, () => "real") },
    };
    return this.read(method, this.argumentsOf(method).map((name) => types[name] ?? "real"), this.part);
  }

  /** Refuses a method with the wrong arguments. */
  private checkArguments(method: Method): void {
    const def = this.functions.get(method)!;
    const names = this.argumentsOf(method);
    const { rule } = this.part;
    const refuse = (text: string): never => this.refuse(def, text);
    if (method === "pair" && !rule.has.includes("pair")) throw new Refused(t("rule {rule} has a pair function, so it must be a NeighbourRule, not a Rule", { rule: rule.class }));
    if (method === "finish" && !rule.has.includes("pair")) throw new Refused(t("rule {rule} has no pair function, so nothing calls its finish. Write alone(self, me)", { rule: rule.class }));
    const [first, more] = this.tables.methods[method];
    const rest = names.slice(first.length);
    if (first.some((name, k) => names[k] !== name) || rest.join() !== more.filter((word) => rest.includes(word)).join()) {
      const words = { names: names.join(", "), call: `${method}(${first.join(", ")})`, more: more.slice(0, -1).join(", "), last: more.at(-1) ?? "" };
      refuse(more.length > 0 ? t("takes ({names}): it must be {call}; {more} and {last} may follow, in this order", words) : t("takes ({names}): it must be {call}", words));
    }
    if (names.includes("state") && rule.state_names.length === 0) refuse(t("takes state, and {rule} has no states: name them in the class, such as states = ('tiredness',)", { rule: rule.class }));
    if (names.includes("herd") && !rule.herd) refuse(t("takes herd, and this page passes none to it. Edit it in the live view of Python: murmurate watch"));
  }

  private refuse(def: Def, text: string): never {
    refuseFunction(def.line, def.name, text, this.lines);
  }

  private readonly read: ReadFunction = (name, types, part) => {
    const key = JSON.stringify([name, types, part !== null]);
    const before = this.trees.get(key);
    const def = this.functions.get(name)!;
    if (before === null) this.refuse(def, t("calls itself, which a rule's functions cannot do: write a loop"));
    if (before) return before;
    this.trees.set(key, null);
    const args = new Map(def.args.map((argument, k) => [argument.name, types[k]!]));
    const tree = new FunctionReader(def, args, this.functions, this.tables, part, this.read, this.lines, this.part).tree();
    this.trees.set(key, tree);
    return tree;
  };
}

class FunctionReader extends ExpressionReader {
  private changed = false;
  private kinds = new Map<string, number>();
  private conflicts = new Map<string, { line: number; conflict: string }>();
  private result: Type = "unknown";
  private counts = new Set<number>();

  constructor(
    def: Def, args: Map<string, Type>, functions: Map<string, Def>, tables: FormulaTables, part: Part | null, read: ReadFunction, lines: string[],
    private readonly owner: Part,
  ) {
    super(def, args, functions, tables, part, read, lines);
    for (const name of assignedIn(def.body)) this.variables.add(name);
  }

  protected stateNames(owner: string): string[] {
    return this.owner.rule.states[owner as "me" | "other"] ?? [];
  }

  /** Reads the function until no type changes. */
  tree(): Tree {
    let body: Step[] = [];
    for (let pass = 0; pass < PASSES; pass++) {
      [this.versions, this.mixed, this.kinds, this.changed] = [new Map(), new Map(), new Map(), false];
      [this.given, this.stored] = [new Set(this.args.keys()), new Set()];
      body = this.block(this.def.body);
      if (!this.changed) break;
    }
    this.checkEnd(body);
    const size = sizeOf(body);
    if (size > MAX_SIZE) {
      this.refuse(this.def.line, t("takes {n} operations, with those of the functions that it calls; expected at most {most}: call them fewer times", { n: size, most: MAX_SIZE }));
    }
    return { name: this.def.name, args: [...this.args], locals: this.locals, body, result: this.result, size };
  }

  private get isPair(): boolean {
    return this.part !== null && this.def.name === "pair";
  }

  private checkEnd(body: Step[]): void {
    const { line } = this.def;
    if (!alwaysReturns(body)) this.refuse(line, t("may end without a return, which gives None: end it with a return"));
    if (this.isPair && this.counts.size !== 1) {
      const counts = [...this.counts].sort((a, b) => a - b).join(` ${t("and")} `) || t("nothing");
      this.refuse(line, t("returns {counts} numbers: every return must have the same count, at least one", { counts }));
    }
  }

  // --- statements

  /** Reads statements up to the first return. */
  private block(body: Stmt[]): Step[] {
    const steps: Step[] = [];
    for (const node of body) {
      steps.push(...this.statement(node));
      if (steps.at(-1)?.how === "return") break;
    }
    return steps;
  }

  private statement(node: Stmt): Step[] {
    switch (node.is) {
      case "return": return [{ how: "return", value: this.returned(node, node.value!) }];
      case "assign": {
        const value = this.value(node.value);
        return [{ how: "let", target: this.bind(node.targets[0]!, value.type), value }];
      }
      case "augment": {
        const target = node.target as Extract<Expr, { is: "name" }>;
        const before = this.name(target.id, node.line);
        const added = this.value(node.value);
        const power = node.op === "**" && node.value.is === "constant" && typeof node.value.value === "number" ? node.value.value : undefined;
        const value = this.binary(node.op, before, added, node.line, power !== undefined && Number.isInteger(2 * power) ? power : undefined);
        return [{ how: "let", target: this.bind(target, value.type), value }];
      }
      case "if": {
        const test = this.expression(node.test);
        if (decided(test)) return this.block(truth(test) ? node.body : node.orelse);
        this.checked(node.test, test);
        const [body, orelse] = this.either(node.body, node.orelse);
        return [{ how: "if", test, body, orelse }];
      }
      case "expression": return [];
    }
  }

  /** Reads two branches, one of which runs. A variable whose kind then depends on the branch cannot be read after them. */
  private either(first: Stmt[], second: Stmt[]): [Step[], Step[]] {
    const before = [new Map(this.versions), new Map(this.mixed), new Set(this.given)] as const;
    const body = this.block(first);
    const after = [this.versions, this.mixed, this.given] as const;
    [this.versions, this.mixed, this.given] = [...before];
    const orelse = this.block(second);
    if (alwaysReturns(orelse)) [this.versions, this.mixed, this.given] = [...after];
    else if (!alwaysReturns(body)) {
      this.mix(after[0], after[1]);
      this.given = new Set([...this.given].filter((name) => after[2].has(name)));
    }
    return [body, orelse];
  }

  private mix(versions: Map<string, number>, mixed: ExpressionReader["mixed"]): void {
    this.mixed = new Map([...mixed, ...this.mixed]);
    for (const name of new Set([...versions.keys(), ...this.versions.keys()])) {
      if (versions.get(name) !== this.versions.get(name)) this.mixed.set(name, this.conflicts.get(name)!);
    }
  }

  // --- variables

  private bind(target: Expr, type: Type): Target {
    if (target.is === "name") return { variable: this.variable(target, target.id, type) };
    const targets = target.is === "tuple" ? target.items : [];
    const items = type === "unknown" ? targets.map(() => type) : this.items(target.line, type);
    if (items.length !== targets.length) this.refuse(target.line, t("takes {type} apart into {n} variables", { type: described(type), n: targets.length }));
    return { parts: targets.map((each, k) => this.bind(each, items[k]!)) };
  }

  /** Gives a variable a type; if its value had another kind before, the name becomes a new variable. */
  private variable(node: Expr, name: string, type: Type): string {
    this.given.add(name);
    this.stored.add(name);
    if (this.part !== null && GIVEN.includes(name)) this.refuse(node.line, t("assigns to its argument {name}: give the variable another name", { name: quoted(name) }));
    const mixed = this.mixed.get(name);
    if (mixed) {
      this.mixed.delete(name);
      return this.another(node, name, type, mixed.conflict);
    }
    const version = versioned(name, this.versions.get(name) ?? 0);
    const earlier = this.locals.get(version) ?? this.args.get(version);
    if (earlier === undefined) {
      this.locals.set(version, type);
      return version;
    }
    let both: Type;
    try {
      both = joined(earlier, type);
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
      return this.another(node, name, type, `gives ${quoted(name)} sometimes ${error.message}`);
    }
    if (!same(both, earlier)) {
      this.locals.set(version, both);
      this.changed = true;
    }
    return version;
  }

  private another(node: Expr, name: string, type: Type, conflict: string): string {
    this.conflicts.set(name, { line: node.line, conflict });
    const number = (this.kinds.get(name) ?? 0) + 1;
    this.kinds.set(name, number);
    this.versions.set(name, number);
    return this.variable(node, name, type);
  }

  // --- returns

  private returned({ line }: Stmt, value: Expr): Node {
    const result = this.value(value);
    if (this.isPair) {
      if (result.how !== "tuple") this.refuse(line, t("must return its sums as a tuple written out, such as 'return 1.0, other.dx, other.dy, other.dz', or as tuple(sums) of a list"));
      this.counts.add(result.parts.length);
    } else if (this.part !== null && result.type !== "unknown") this.checkVector(line, result.type);
    if (this.part !== null && isTuple(result.type)) {
      const wrong = result.type.items.find((item) => !isNumber(item) && item !== "unknown");
      if (wrong !== undefined) this.refuse(line, t("returns {type} where a number must be", { type: described(wrong) }));
    }
    try {
      const both = joined(this.result, result.type);
      if (!same(both, this.result) && this.result !== "unknown") this.changed = true;
      this.result = both;
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
      if (!this.isPair) this.refuse(line, t("returns sometimes {types}: every return must give the same kind of thing, a number or a tuple of as many numbers", { types: error.message }));
    }
    return result;
  }

  /** Refuses a vector unless it has three numbers, and one for each per-boid state. */
  private checkVector(line: number, type: Type): void {
    const count = isTuple(type) ? type.items.length : 1;
    const states = this.args.has("state") ? this.owner.rule.state_names : [];
    if (count === 3 + states.length) return;
    const expected = states.length > 0 ? `${3 + states.length}: 'return x, y, z, ${states.join(", ")}'` : t("three, x, y and z, such as 'return x, y, 0.0'");
    this.refuse(line, tn("returns {n} number: it must return {expected}", "returns {n} numbers: it must return {expected}", count, { expected }));
  }
}

function assignedIn(body: Stmt[]): string[] {
  const namesOf = (target: Expr): string[] => (target.is === "name" ? [target.id] : target.is === "tuple" ? target.items.flatMap(namesOf) : []);
  return body.flatMap((node) => {
    if (node.is === "if") return [...assignedIn(node.body), ...assignedIn(node.orelse)];
    return node.is === "assign" ? node.targets.flatMap(namesOf) : node.is === "augment" ? namesOf(node.target) : [];
  });
}
