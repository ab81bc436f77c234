/** Letters of a text -> tokens: those of Python, for one text of functions. */

import { fail, quoted, type Place } from "./tables";

export interface Token extends Place {
  kind: "name" | "number" | "string" | "operator" | "newline" | "indent" | "dedent" | "end";
  text: string;
  /** Where it begins and ends in the text. */
  from: number;
  to: number;
}

const OPERATORS = [
  "**=", "//=", ">>=", "<<=", "...", "**", "//", ">>", "<<", "<=", ">=", "==", "!=", "->", ":=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "@=",
  ..."+-*/%@&|^~<>()[]{},:.;=",
];
const NUMBER = /(?:0[xX][\da-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|(?:\d[\d_]*)?\.\d[\d_]*(?:[eE][+-]?\d+)?|\d[\d_]*\.?(?:[eE][+-]?\d+)?)[jJ]?/y;
const NAME = /[\p{L}_][\p{L}\p{N}_]*/uy;
const STRING = /[rRbBuUfF]{0,2}(?:'''[^]*?'''|"""[^]*?"""|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")/y;
const CLOSES: Record<string, string> = { "(": ")", "[": "]", "{": "}" };

function at(pattern: RegExp, text: string, from: number): string {
  pattern.lastIndex = from;
  return pattern.exec(text)?.[0] ?? "";
}

/** All tokens of a text. Throws Refused where there are none. */
export function tokensOf(text: string, remedy: string): Token[] {
  const tokens: Token[] = [];
  const open: (Place & { text: string })[] = [];
  const indents = [0];
  let [from, line, begin] = [0, 1, 0];
  const place = (): Place => ({ line, column: from - begin + 1 });
  const add = (kind: Token["kind"], word: string): void => void tokens.push({ kind, text: word, from, to: from + word.length, ...place() });
  const nextLine = (): void => {
    line++;
    begin = from;
  };
  const indentation = (): void => {
    const blank = at(/[ \t\f]*/y, text, from);
    const next = text[from + blank.length];
    if (next === undefined || next === "\n" || next === "#" || next === "\r") return;
    const width = blank.replaceAll("\t", "        ").length;
    from += blank.length;
    if (width > indents.at(-1)!) {
      indents.push(width);
      add("indent", "");
    }
    while (width < indents.at(-1)!) {
      indents.pop();
      add("dedent", "");
    }
    if (width !== indents.at(-1)!) fail(place(), "'unindent does not match any outer indentation level'", remedy);
  };
  indentation();
  while (from < text.length) {
    const letter = text[from]!;
    if (letter === "\n") {
      if (open.length === 0 && tokens.length > 0 && !["newline", "indent", "dedent"].includes(tokens.at(-1)!.kind)) add("newline", "");
      from++;
      nextLine();
      if (open.length === 0) indentation();
      continue;
    }
    const skipped = at(/[ \t\f\r]+|#[^\n]*/y, text, from);
    if (skipped) {
      from += skipped.length;
      continue;
    }
    if (letter === "\\" && text[from + 1] === "\n") {
      from += 2;
      nextLine();
      continue;
    }
    const string = at(STRING, text, from);
    const number = string ? "" : at(NUMBER, text, from);
    const word = string || number || at(NAME, text, from);
    const found = word || OPERATORS.find((each) => text.startsWith(each, from)) || "";
    if (!found) fail(place(), "'\"'".includes(letter) ? "'unterminated string literal'" : `'invalid character ${quoted(letter).slice(1, -1)}'`, remedy);
    if (!word && found in CLOSES) open.push({ text: found, ...place() });
    if (!word && ")]}".includes(found)) {
      const first = open.pop();
      if (!first || CLOSES[first.text] !== found) fail(place(), `"unmatched '${found}'"`, remedy);
    }
    add(string ? "string" : number ? "number" : word ? "name" : "operator", found);
    const lines = found.split("\n");
    from += found.length;
    if (lines.length > 1) {
      line += lines.length - 1;
      begin = from - lines.at(-1)!.length;
    }
  }
  if (open.length > 0) fail(open.at(-1)!, `"'${open.at(-1)!.text}' was never closed"`, remedy);
  if (tokens.length > 0 && tokens.at(-1)!.kind !== "newline") add("newline", "");
  while (indents.pop()) add("dedent", "");
  add("end", "");
  return tokens;
}
