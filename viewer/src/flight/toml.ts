/** Tables as TOML text: https://toml.io/en/v1.0.0. */

import type { Plain, Table } from "../wire/contracts";

const isTable = (value: Plain): value is Table => value !== null && typeof value === "object" && !Array.isArray(value);
const isTables = (value: Plain): value is Table[] => Array.isArray(value) && value.length > 0 && value.every(isTable);
const keyOf = (key: string): string => (/^[A-Za-z0-9_-]+$/.test(key) ? key : JSON.stringify(key));

function text(value: string): string {
  const escaped = (line: string): string => JSON.stringify(line).slice(1, -1).replaceAll("\u007f", "\\u007f");
  if (!value.includes("\n")) return `"${escaped(value)}"`;
  return `"""\n${value.split("\n").map(escaped).join("\n")}"""`;
}

function inline(value: Plain): string {
  if (typeof value === "string") return text(value);
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : value > 0 ? "inf" : "-inf";
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  if (isTable(value)) return `{ ${Object.entries(value).map(([key, part]) => `${keyOf(key)} = ${inline(part)}`).join(", ")} }`;
  return String(value);
}

/** A table whose parts are all plain is written in one line, where it is no section of its own. */
function lines(table: Table, path: string[]): string[] {
  const out: string[] = [];
  const later: string[] = [];
  for (const [key, value] of Object.entries(table)) {
    if (value === null) continue;
    const where = [...path, keyOf(key)];
    if (isTables(value)) {
      for (const one of value) later.push("", `[[${where.join(".")}]]`, ...lines(one, where));
    } else if (isTable(value) && !("kind" in value && path.length > 1)) {
      const inside = lines(value, where);
      const own = inside.length > 0 && inside[0] !== "";
      later.push(...(own || inside.length === 0 ? ["", `[${where.join(".")}]`] : []), ...inside);
    } else {
      out.push(`${keyOf(key)} = ${inline(value)}`);
    }
  }
  return [...out, ...later];
}

export const toToml = (table: Table): string => `${lines(table, []).join("\n").replace(/^\n/, "")}\n`;
