/** The functions of a page's rules, compiled to a WebAssembly module whose functions a flight's module calls through its
 * table. A text is never run as a program of the page. */

import { ModuleBuilder, OP, real, type Kind } from "./code";
import { Emitter } from "./emitter";
import { flat, load, store, type AddressOf } from "./functionemitter";
import type { Host, Linkable, Texts } from "./formulas";
import { readRule, type Read } from "./rulemethods";
import type { EditedProgram, FormulaTables, Method, Opened, OpenedRule } from "../wire/contracts";
import { stagesOf } from "./wgsl";

/** The functions of all opened rules. */
export class RuleFunctions implements Linkable {
  private readonly rules: Map<string, Read>;
  /** Modules by the address of the numbers that they share with a flight's module. */
  private readonly compiled = new Map<number, { code: WebAssembly.Module; mathematics: string[] }>();

  constructor(texts: Record<string, Texts>, private readonly opened: Opened, private readonly tables: FormulaTables) {
    this.rules = new Map(Object.keys(opened.rules).map((name) => [name, readRule(name, texts[name]!, opened, tables)]));
  }

  /** Puts the functions into the table of a flight's module. */
  link({ memory, functions, exports }: Host, opened: Opened): void {
    const { code, mathematics } = this.moduleAt(opened);
    const maths = Object.fromEntries(mathematics.map((name) => [`math.${name}`, exports[`math.${name}`]!]));
    new WebAssembly.Instance(code, { flight: { memory, functions, ...maths } });
  }

  /** The text of the module `stages` of WebGPU with the functions. */
  stages(edited: EditedProgram): string {
    return stagesOf(edited, this.tables, this.rules, this.opened);
  }

  private moduleAt(opened: Opened): { code: WebAssembly.Module; mathematics: string[] } {
    const before = this.compiled.get(opened.address);
    if (before) return before;
    const module = new ModuleBuilder();
    for (const [name, read] of this.rules) addRule(module, read, opened.rules[name]!, opened);
    const next = { code: new WebAssembly.Module(module.bytes()), mathematics: module.imported };
    this.compiled.set(opened.address, next);
    return next;
  }
}

function addRule(module: ModuleBuilder, read: Read, rule: OpenedRule, opened: Opened): void {
  const place = (record: string, field: string | number): number => opened.address + 4 * opened.positions[record]![field]!;
  const addressOf: AddressOf = (record, field, index) => {
    if (record === "state") return place("state", rule.state_names.indexOf(field));
    if (record !== "self") return place(record, field);
    let at: unknown = rule.numbers[field];
    for (const k of index) at = (at as unknown[])[k];
    return opened.address + 4 * Number(at);
  };
  const emitter = new Emitter(module, addressOf);
  for (const method of Object.keys(rule.functions) as Method[]) {
    const number = module.reserve();
    const count = method === "pair" ? opened.max_sums : 3;
    const out = (k: number): number => place("out", k);
    const found = read[method];
    const body: number[] = [];
    const kinds: Kind[] = found ? flat(found.tree.result) : [];
    if (found) {
      const sums = found.tree.args.find(([argument]) => argument === "sums")?.[1];
      if (sums) flat(sums).forEach((_, k) => body.push(...load(place("sums", k))));
      body.push(...emitter.call(found.tree), ...kinds.map((_, k) => [OP.set, kinds.length - 1 - k]).flat());
    }
    kinds.forEach((kind, k) => body.push(...store(out(k), emitter.asReal(k, kind))));
    for (let k = kinds.length; k < count; k++) body.push(...store(out(k), real(0)));
    if (method !== "pair") rule.state_names.forEach((_, k) => void (kinds.length < 3 + rule.state_names.length && body.push(...store(out(3 + k), load(place("state", k))))));
    module.define(number, { type: module.type([], []), locals: kinds, body });
    module.put(rule.functions[method]!, number);
  }
}
