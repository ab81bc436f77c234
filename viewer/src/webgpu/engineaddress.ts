/** The engine that an address selects: `engine=gpu` or `engine=wasm` after #. */

export type EngineChoice = "gpu" | "wasm";

export function engineIn(hash: string): EngineChoice | null {
  const name = new URLSearchParams(hash.replace(/^#/, "")).get("engine");
  return name === "gpu" || name === "wasm" ? name : null;
}

/** The part of the address behind # with an engine; the rest of it remains. */
export function hashWithEngine(hash: string, engine: EngineChoice): string {
  const rest = hash.replace(/^#/, "").split("&").filter((part) => part && !part.startsWith("engine="));
  return `#${[...rest, `engine=${engine}`].join("&")}`;
}
