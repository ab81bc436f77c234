/** Put the functions of rules into the text of a WebGPU module. The module has a function for each, whose body becomes a
 * call of the function that was read. */

import type { EditedProgram, FormulaTables, Method, Opened } from "../wire/contracts";
import type { Read } from "./rulemethods";
import { isTuple, type Tree } from "./typedtree";
import { WgslPrinter } from "./wgslprinter";
import { identifier, partsOf, WgslTypes } from "./wgsltypes";

/** The text of the module `stages` with the functions of rules. */
export function stagesOf({ program, functions }: EditedProgram, tables: FormulaTables, rules: Map<string, Read>, { rules: about, max_sums: maxSums }: Opened): string {
  let { text } = program.modules["stages"]!;
  for (const [k, [rule, methods]] of [...rules].entries()) {
    for (const [method, open] of Object.entries(functions[rule] ?? {})) {
      const found = methods[method as Method];
      const prefix = `edited_${k}_${method}`;
      const printed = new Functions(prefix, rule, found?.ofUser ?? false, tables.maths, new WgslTypes(open.types, prefix));
      const { state_names: states } = about[rule]!;
      const body = bodyOf(printed, found?.tree, method === "pair" ? maxSums : 3, method === "pair" ? [] : states, open.result);
      const begin = text.indexOf("{", text.indexOf(`fn ${open.name}(`)) + 1;
      text = [text.slice(0, begin), body, text.slice(text.indexOf("\n}", begin)), "\n", printed.text].join("\n");
    }
  }
  return text;
}

/** The lines that call a function and return its numbers in the struct that the module expects. */
function bodyOf(functions: Functions, tree: Tree | undefined, count: number, states: string[], result: string): string {
  const { types } = functions;
  const values = tree ? partsOf("returned", tree.result).map(([text, type]) => types.convert(text, type, "real")) : [];
  while (values.length < count) values.push("0.0f");
  for (const name of states.slice(values.length - count)) values.push(`state_.${identifier(name)}`);
  const lines = [`return ${result}(${values.join(", ")});`];
  if (tree) {
    const given = tree.args.map(([name, type]) => (name === "sums" && isTuple(type) ? `${types.text(type)}(${type.items.map((_, k) => `sums_[${k}]`).join(", ")})` : identifier(name)));
    lines.unshift(`let returned = ${functions.nameOf(tree)}(${given.join(", ")});`);
  }
  return lines.join("\n");
}

/** The functions of a method of a rule. */
class Functions {
  private readonly names = new Map<Tree, string>();
  private readonly texts = new Map<string, string>();

  constructor(private readonly prefix: string, private readonly rule: string, readonly ofUser: boolean, readonly maths: FormulaTables["maths"], readonly types: WgslTypes) {}

  nameOf(tree: Tree): string {
    const before = this.names.get(tree);
    if (before !== undefined) return before;
    const name = `${this.prefix}_${this.names.size}`;
    this.names.set(tree, name);
    this.texts.set(name, ""); // its position: before the functions that it calls
    this.texts.set(name, new WgslPrinter(this, tree).text(name));
    return name;
  }

  comment(line: number): string {
    return ` // rule ${this.rule}, line ${line}`;
  }

  get text(): string {
    return [...this.types.declarations, ...this.texts.values()].join("\n");
  }
}
