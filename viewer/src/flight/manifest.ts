/** What a page holds of a flight: modules with their manifests (src/murmurate/engines/wasm/memory_layout.py
 * says what these mean), starts, and the scene. */

import type { Plain, SceneMessage, Table } from "../wire/messages";

export interface Argument {
  word: number;
  dtype: "float32" | "float64" | "int32" | "int64" | "uint32" | "uint64";
  shape: number[];
  address?: number;
}

export interface Manifest {
  format: number;
  table: number;
  arguments: Record<string, Argument>;
  constants: Record<string, number[]>;
  flocks: string[];
  gridded: string[];
  most: number;
  dims: number;
  parts: number[];
  rows: number;
  numbers: { kind: "plain" | "cone"; path: string; value: Plain }[];
  radii: number[];
  rules: string[];
  obstacles: string[];
  errors: Plain[][];
  shuffled: boolean;
  kept: number;
}

export interface StartManifest {
  table: number;
  addresses: Record<string, number>;
}

/** Numbers of a flock's start, as start_module.py writes them; whole ones as text, of 64 bits. */
export type StartNumbers =
  | { whole: string[]; numbers: number[] }
  | { given: [number[][], number[][]] };

/** What the worker is given once. */
export interface FlightData {
  modules: { code: Uint8Array<ArrayBuffer>; manifest: Manifest }[];
  start: { code: Uint8Array<ArrayBuffer>; manifest: StartManifest };
  starts: Record<string, StartNumbers>;
  turnKey: string;
  seed: string;
  /** What a link changes: values, and rules that are off. */
  values: Record<string, Plain>;
  off: string[];
  most: number;
  scene: SceneMessage;
  /** The model's tables as a model file has them. */
  tables: Table;
}
