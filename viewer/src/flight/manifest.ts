/** The data of a live page: modules with their manifests (src/murmurate/engines/wasm/module_memory.py
 * describes these), starts, and the scene. */

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
  max_boids: number;
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

/** A flock's start, as start_module.py writes it; 64-bit integers are text. */
export type StartNumbers = (
  | { integers: string[]; numbers: number[] }
  | { given: [number[][], number[][]] }
) & { kept: number[] };

/** The first message to the worker. */
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
  /** State that the boids of each flock keep, by name, in the order of the rows of memory. */
  states: Record<string, string[]>;
  scene: SceneMessage;
  /** The model's tables as a model file has them. */
  tables: Table;
}
