/** The first message to the worker of a live page. */

import type { State } from "./state";
import type { DrawingData, FormulaTables, Manifest, Plain, SceneMessage, StartManifest, StartNumbers, Table } from "../wire/contracts";

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
