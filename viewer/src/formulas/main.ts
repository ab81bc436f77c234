/** formulas.js: reads and compiles the functions of rules, in the worker of pages whose rules can be edited. */

import { Refused } from "../flight/errors";
import type { Formulas } from "./formulas";
import { RuleFunctions } from "./opened";
import { readRule } from "./rulemethods";
import { speak } from "../words";

const formulas: Formulas = {
  speak,
  faultOf(rule, texts, opened, tables) {
    try {
      readRule(rule, texts, opened, tables);
      return "";
    } catch (error) {
      if (error instanceof Refused) return error.message;
      throw error;
    }
  },
  compile: (texts, opened, tables) => new RuleFunctions(texts, opened, tables),
};

globalThis.murmurateFormulas = formulas;
