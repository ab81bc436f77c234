/** What formulas.js offers to the worker that it is part of. */

import type { EditedProgram, FormulaTables, Opened } from "../wire/contracts";
import { speak, type Spoken } from "../words";

/** What a rule runs: its functions as edited, and those of its kind for what they leave out. */
export interface Texts {
  own: string;
  kind: string;
}

/** What functions need of the flight's module that calls them. */
export interface Host {
  memory: WebAssembly.Memory;
  functions: WebAssembly.Table;
  exports: WebAssembly.Exports;
}

/** The functions of all opened rules. */
export interface Linkable {
  /** Puts the functions into the table of a flight's module. */
  link(host: Host, opened: Opened): void;
  /** The text of the module `stages` of WebGPU with the functions. */
  stages(edited: EditedProgram): string;
}

export interface Formulas {
  /** As in words.ts, which this script has too. */
  speak(...of: Spoken): void;
  /** Why the functions of a rule cannot run, with line and remedy; "" if they can. */
  faultOf(rule: string, texts: Texts, opened: Opened, tables: FormulaTables): string;
  /** Compiles functions that were read before. */
  compile(texts: Record<string, Texts>, opened: Opened, tables: FormulaTables): Linkable;
}

declare global {
  var murmurateFormulas: Formulas | undefined;
}

/** What formulas.js offers; undefined in pages whose rules cannot be edited. */
export const formulasHere = (): Formulas | undefined => globalThis.murmurateFormulas;

/** Show texts of this script, and of formulas.js, in the page's language. */
export function speakHere(spoken: Spoken | undefined): void {
  if (!spoken) return;
  speak(...spoken);
  formulasHere()?.speak(...spoken);
}
