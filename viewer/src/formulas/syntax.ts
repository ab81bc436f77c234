/** The syntax tree of a text, and its text as Python writes it. */

import type { Place } from "./tables";

export type Expr = Place & (
  | { is: "constant"; value: number | boolean | string | null; whole: boolean; text: string }
  | { is: "name"; id: string }
  | { is: "attribute"; value: Expr; attr: string }
  | { is: "item"; value: Expr; index: Expr }
  | { is: "tuple"; items: Expr[] }
  | { is: "unary"; op: string; operand: Expr }
  | { is: "binary"; op: string; left: Expr; right: Expr }
  | { is: "logic"; op: string; values: Expr[] }
  | { is: "compare"; left: Expr; ops: string[]; others: Expr[] }
  | { is: "choose"; test: Expr; body: Expr; orelse: Expr }
  | { is: "call"; func: Expr; args: Expr[]; plain: boolean; text: string }
);

export type Stmt = Place & (
  | { is: "return"; value: Expr | null }
  | { is: "assign"; targets: Expr[]; value: Expr }
  | { is: "augment"; target: Expr; op: string; value: Expr }
  | { is: "if"; test: Expr; body: Stmt[]; orelse: Stmt[] }
  | { is: "expression"; value: Expr }
);

export interface Def extends Place {
  is: "def";
  name: string;
  args: (Place & { name: string })[];
  /** Whether it takes plain arguments, without defaults. */
  plain: boolean;
  body: Stmt[];
  text: string;
}

export const BINDING: Record<string, number> = {
  or: 1, and: 2, "|": 5, "^": 6, "&": 7, "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "//": 10, "%": 10, "@": 10, "**": 12,
};
const [TEST, NOT, COMPARISON, SIGN, ATOM] = [0, 3, 4, 11, 14];

function bound(node: Expr, least: number): string {
  const [text, mine] = written(node);
  return mine < least ? `(${text})` : text;
}

function written(node: Expr): [string, number] {
  switch (node.is) {
    case "constant": return [node.text, ATOM];
    case "name": return [node.id, ATOM];
    case "attribute": return [`${bound(node.value, ATOM)}.${node.attr}`, ATOM];
    case "item": return [`${bound(node.value, ATOM)}[${bound(node.index, TEST)}]`, ATOM];
    case "tuple": return [`(${node.items.map((item) => bound(item, TEST)).join(", ")}${node.items.length === 1 ? "," : ""})`, ATOM];
    case "unary": {
      const mine = node.op === "not" ? NOT : SIGN;
      return [`${node.op}${node.op === "not" ? " " : ""}${bound(node.operand, mine)}`, mine];
    }
    case "binary": {
      const mine = BINDING[node.op]!;
      const [left, right] = node.op === "**" ? [mine + 1, SIGN] : [mine, mine + 1];
      return [`${bound(node.left, left)} ${node.op} ${bound(node.right, right)}`, mine];
    }
    case "logic": return [node.values.map((value) => bound(value, BINDING[node.op]! + 1)).join(` ${node.op} `), BINDING[node.op]!];
    case "compare": return [[bound(node.left, COMPARISON + 1), ...node.ops.map((op, k) => `${op} ${bound(node.others[k]!, COMPARISON + 1)}`)].join(" "), COMPARISON];
    case "choose": return [`${bound(node.body, 1)} if ${bound(node.test, 1)} else ${bound(node.orelse, TEST)}`, TEST];
    case "call": return [`${bound(node.func, ATOM)}(${node.args.map((each) => bound(each, TEST)).join(", ")})`, ATOM];
  }
}

/** An expression as Python writes it. */
export const unparse = (node: Expr): string => written(node)[0];

/** How many nodes an expression has, about as Python counts them. */
export function pieces(node: Expr): number {
  const parts = partsOf(node);
  return 2 + parts.reduce((sum, part) => sum + pieces(part), 0);
}

function partsOf(node: Expr): Expr[] {
  switch (node.is) {
    case "constant": case "name": return [];
    case "attribute": return [node.value];
    case "item": return [node.value, node.index];
    case "tuple": return node.items;
    case "unary": return [node.operand];
    case "binary": return [node.left, node.right];
    case "logic": return node.values;
    case "compare": return [node.left, ...node.others];
    case "choose": return [node.test, node.body, node.orelse];
    case "call": return [node.func, ...node.args];
  }
}
