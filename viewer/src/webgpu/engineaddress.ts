/** The engine that an address asks for: `engine=gpu` or `engine=wasm` after #. */

export type EngineChoice = "gpu" | "wasm";

export function engineIn(hash: string): EngineChoice | null {
  const name = new URLSearchParams(hash.replace(/^#/, "")).get("engine");
  return name === "gpu" || name === "wasm" ? name : null;
}

/** The address's part behind # with an engine; what else stands there stays. */
export function hashWithEngine(hash: string, engine: EngineChoice): string {
  const rest = hash.replace(/^#/, "").split("&").filter((part) => part && !part.startsWith("engine="));
  return `#${[...rest, `engine=${engine}`].join("&")}`;
}
