import { expect, test } from "vitest";

import { Parser } from "../src/formulas/parser";
import type { FormulaTables } from "../src/wire/contracts";

const parsed = (text: string) => new Parser(text, {} as FormulaTables).definitions();

test("texts that nest too deeply are refused, whatever nests", () => {
  const deep = (n: number): string[] => [
    `${"not ".repeat(n)}1`, `${"-".repeat(n)}1`, `${"1+".repeat(n)}1`, `${"1**".repeat(n)}1`, `${"(".repeat(n)}1${")".repeat(n)}`,
    `a${"[0]".repeat(n)}`, `a${".b".repeat(n)}`, `${"1 if 1 else ".repeat(n)}1`,
  ];
  for (const text of deep(20)) expect(parsed(`def f():\n    return ${text}\n`)).toHaveLength(1);
  for (const n of [150, 1400]) {
    for (const text of deep(n)) expect(() => parsed(`def f():\n    return ${text}\n`)).toThrow("more than 110 nested");
    const branches = `    if 1:\n        a = 1\n${"    elif 1:\n        a = 1\n".repeat(n)}`;
    expect(() => parsed(`def f():\n${branches}    return 1\n`)).toThrow("more than 110 nested");
  }
});
