/** JSON as Python writes it: with inf and nan, which JSON.parse refuses. */

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Outside of strings only: a string is skipped whole by the first branch.
    const mended = text.replace(
      /"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b/g,
      (word) => (word[0] === '"' ? word : word === "NaN" ? "null" : word[0] === "-" ? "-1e999" : "1e999"),
    );
    return JSON.parse(mended);
  }
}

/** The opposite: infinite numbers as the word that Python's float() reads. */
export function writeJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part !== "number" || Number.isFinite(part)) return part;
    return Number.isNaN(part) ? null : part > 0 ? "inf" : "-inf";
  });
}

/** A number, also where it came as the word inf. */
export function asNumber(value: unknown): number | null {
  if (typeof value === "number") return value;
  if (value === "inf" || value === "Infinity") return Infinity;
  if (value === "-inf" || value === "-Infinity") return -Infinity;
  return null;
}

export const fromBase64 = (text: string): ArrayBuffer => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer;
