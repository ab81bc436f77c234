/** The rules of a page whose functions are edited, if it can edit rules. */

import { formulasHere, type Linkable, type Texts } from "../formulas/formulas";
import type { EditedProgram, Opened } from "../wire/contracts";
import type { FlightData } from "./manifest";
import type { FlightModule } from "./module";
import type { Values } from "./values";
import { t } from "../words";

/** The rules that can be edited, and where their functions find their numbers. */
const openedOf = ({ modules }: FlightData): Opened | null | undefined => modules.map(({ manifest }) => manifest.opened).find(Boolean);
const textIn = (values: Values, rule: string): string => String(values[`rules.${rule}.functions`] ?? "");
const kindOf = ({ scene }: FlightData, rule: string): string => scene.functions?.[`rules.${rule}`] ?? "";

/** Throws the reason why an edited rule cannot run, if the page can edit rules. */
export function faultsOf(data: FlightData): ((rule: string, text: string, values: Values) => string) | undefined {
  const [opened, formulas, tables] = [openedOf(data), formulasHere(), data.formulas];
  if (!opened || !formulas || !tables) return undefined;
  return (rule, text, values) => {
    if (!(rule in opened.rules)) return t("this page cannot change it, because its functions have loops or slices, or it has most_influential. Edit a rule file: --rules");
    const faultIn = (name: string, own: string): string => formulas.faultOf(name, { own, kind: kindOf(data, name) }, opened, tables);
    const others = Object.keys(opened.rules).filter((name) => name !== rule);
    // rules of the page's own model may have what only Python can compile
    const fault = others.map((name) => [name, faultIn(name, textIn(values, name))] as const).find(([, text]) => text);
    return faultIn(rule, text) || (fault ? t("rule {rule} cannot be compiled by this page, so that none can be edited. {why}", { rule: fault[0], why: fault[1] }) : "");
  };
}

/** The functions of a flight's rules, compiled where some are edited. */
export class EditedRules {
  private texts = "";
  private functions: Linkable | null = null;
  private readonly linked = new WeakMap<FlightModule, Linkable>();

  constructor(private readonly data: FlightData) {}

  /** Whether a rule has other functions than those that are compiled into the first modules. */
  get edited(): boolean {
    return this.functions !== null;
  }

  /** Takes the functions of these values; they were read before. */
  set(values: Values): void {
    const { data } = this;
    const [opened, formulas] = [openedOf(data), formulasHere()];
    if (!opened || !formulas || !data.formulas) return;
    const names = Object.keys(opened.rules);
    const edited = names.some((rule) => textIn(values, rule) !== textIn(data.scene.defaults, rule));
    const texts: Record<string, Texts> = Object.fromEntries(names.map((rule) => [rule, { own: textIn(values, rule), kind: kindOf(data, rule) }]));
    const key = edited ? JSON.stringify(texts) : "";
    if (key === this.texts) return;
    this.texts = key;
    this.functions = edited ? formulas.compile(texts, opened, data.formulas) : null;
  }

  /** The text of the module `stages` of WebGPU; "" for that of its program. */
  stages(edited: EditedProgram | undefined): string {
    return (edited && this.functions?.stages(edited)) ?? "";
  }

  /** Gives a module the functions that its rules have now. */
  link(module: FlightModule): void {
    const { functions, linked } = this;
    if (!functions || linked.get(module) === functions) return;
    module.link(functions);
    linked.set(module, functions);
  }
}
