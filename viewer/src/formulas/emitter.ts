/** The functions of one rule in a module of WebAssembly. */

import { callOf, F32, get, OP, unsigned, type Kind, type ModuleBuilder } from "./code";
import { converted, FunctionEmitter, kindOf, type AddressOf, type Shared } from "./functionemitter";
import { realQuotient, wholeQuotient } from "./quotients";
import type { Tree } from "./typedtree";

/** The functions of one rule, in a module. Besides those of the text, it writes the remainder and the floor of a quotient, as Python has them. */
export class Emitter implements Shared {
  private readonly trees = new Map<Tree, number>();
  private readonly shared = new Map<string, number>();

  constructor(readonly module: ModuleBuilder, private readonly addressOf: AddressOf) {}

  /** The number of a function in the module. */
  function(tree: Tree): number {
    const before = this.trees.get(tree);
    if (before !== undefined) return before;
    const number = this.module.reserve();
    this.trees.set(tree, number);
    this.module.define(number, new FunctionEmitter(this, tree, this.addressOf).code());
    return number;
  }

  /** A call of a function. */
  call(tree: Tree): number[] {
    return callOf(this.function(tree));
  }

  /** A variable as a real number. */
  asReal(local: number, kind: Kind): number[] {
    return [...get(local), ...converted(kind, F32)];
  }

  /** The number of a shared function. */
  helper(sign: "//" | "%", type: "real" | "int"): number {
    const key = `${sign} ${type}`;
    const before = this.shared.get(key);
    if (before !== undefined) return before;
    const number = this.module.reserve();
    this.shared.set(key, number);
    const kind = kindOf(type);
    const body = type === "real" ? realQuotient(sign, this.mathematics("fmod", 2)) : wholeQuotient(sign);
    this.module.define(number, { type: this.module.type([kind, kind], [kind]), locals: [kind, kind, kind], body });
    return number;
  }

  mathematics(name: string, takes: number): number[] {
    return [OP.call, ...unsigned(this.module.mathematics(name, takes))];
  }
}
