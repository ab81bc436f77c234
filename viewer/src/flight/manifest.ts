/** The data of a live page: modules with their manifests (src/murmurate/engines/wasm/module_memory.py
 * describes these), starts, and the scene. */

import type { State } from "./state";
import type { Values } from "./values";
import type { FormulaTables, Opened } from "../formulas/tables";
import type { FlockInfo, JsonSchema, Plain, SceneMessage, Table } from "../wire/contracts";

export interface Argument {
  word: number;
  dtype: "float32" | "float64" | "int32" | "int64" | "uint32" | "uint64";
  shape: number[];
  address?: number;
}

/** Where the numbers of a model come from: sources_of_numbers of murmurate/engines/cpu/model_arguments.py. */
export interface NumberSources {
  flocks: string[];
  dims: number;
  parts: number[];
  numbers: { kind: "plain" | "cone"; path: string; value: Plain }[];
  rules: string[];
  obstacles: string[];
  errors: Plain[][];
  kept: number;
}

export interface Manifest extends NumberSources {
  format: number;
  table: number;
  arguments: Record<string, Argument>;
  constants: Record<string, number[]>;
  gridded: string[];
  max_boids: number;
  rows: number;
  radii: number[];
  shuffled: boolean;
  /** Rules whose functions the page writes. */
  opened?: Opened;
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

/** The use of a spare rule: flee and hunt act from the first predator on. */
export type Role = "flee" | "hunt" | "goal" | "path" | "avoid" | "predators-avoid";

/** A rule that a page has room for. */
export interface SpareRule {
  path: string;
  table: Table;
  /** All of its values, by whole path. */
  values: Values;
  schema: JsonSchema;
  formula: string;
}

export interface DrawingData {
  /** How many obstacles, and how many corners of a path, there is room for. */
  obstacles: number;
  points: number;
  /** Of the flocks that paths lead. */
  speed: number;
  /** Kind of obstacle -> its schema. */
  shapes: Record<string, JsonSchema>;
  /** In the order in which they act. */
  rules: Partial<Record<Role, SpareRule>>;
  /** The flock that predators join; "" where none can be drawn. */
  predators: { flock: string; founded: FoundedFlock | null };
}

/** The flock that the first predator creates. */
export interface FoundedFlock {
  table: Table;
  /** All of its values, by whole path. */
  values: Values;
  /** Of the flock and its motion, by path. */
  schemas: Record<string, JsonSchema>;
  flock: FlockInfo;
  /** Rules that moved the only flock without naming it: `moves` of each, by path. */
  moves: Record<string, string>;
  /** The only other flock, which drawn rules then name as well; "" where there are several. */
  only: string;
  /** How far its start reaches around the predator on each axis. */
  reach: number;
}

/** Path of a part -> its table. */
export type Tables = Record<string, Table>;

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
  /** The language of formulas, where rules can be edited. */
  formulas?: FormulaTables | null;
  /** What can be drawn, and what was drawn according to a link. */
  drawing?: DrawingData | null;
  drawn?: Tables;
  scene: SceneMessage;
  /** A state to begin with, in the place of the start. */
  state?: State | undefined;
  /** The model's tables as a model file has them. */
  tables: Table;
}
