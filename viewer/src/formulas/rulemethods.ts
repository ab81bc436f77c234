/** The methods of a page's rule: read from its text and that of its kind, and checked. */

import { Refused } from "../flight/errors";
import { METHODS, type FormulaTables, type Method, type Opened, type OpenedRule } from "../wire/contracts";
import type { Texts } from "./formulas";
import { RuleReader } from "./reader";
import { isTuple, type Tree } from "./typedtree";
import { t } from "../words";

/** The methods of a rule, and whether their text is a user's. */
export type Read = Partial<Record<Method, { tree: Tree; args: string[]; ofUser: boolean }>>;

/** Reads the functions of a rule. Throws Refused, with line and remedy, for those that cannot run. */
export function readRule(name: string, { own, kind }: Texts, opened: Opened, tables: FormulaTables): Read {
  const rule = opened.rules[name]!;
  const readers = [...(own ? [new RuleReader(own, name, rule, tables)] : []), new RuleReader(kind, name, rule, tables)];
  const found: Read = {};
  let sums = 0;
  for (const method of METHODS) {
    const reader = readers.find(({ methods }) => methods.includes(method));
    if (!reader) continue;
    const tree = reader.method(method, sums);
    if (method === "pair" && isTuple(tree.result)) sums = tree.result.items.length;
    if (sums > opened.max_sums) throw new Refused(t("pair returns {n} numbers; expected at most {most} in this page. Return fewer, or edit the rule in the live view of Python: murmurate watch", { n: sums, most: opened.max_sums }));
    found[method] = { tree, args: reader.argumentsOf(method), ofUser: own !== "" && reader === readers[0] };
  }
  checkStates(rule, found);
  return found;
}

function checkStates({ class: cls, state_names: states }: OpenedRule, read: Read): void {
  const ways = (["finish", "alone"] as const).filter((method) => read[method]);
  if (states.length === 0 || ways.some((method) => read[method]!.args.includes("state"))) return;
  throw new Refused(t("rule {rule} has the states {states}, and nothing changes them: let {functions} take state as its last argument", { rule: cls, states: states.join(", "), functions: ways.join(` ${t("or")} `) }));
}
