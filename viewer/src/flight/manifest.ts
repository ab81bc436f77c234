/** The first message to the worker of a live page. */

import type { Spoken } from "../words";
import type { State } from "./state";
import type { Manifest, PackedFlight, Plain, PopulationManifest, StartManifest, Table } from "../wire/contracts";

/** Path of a part -> its table. */
export type Tables = Record<string, Table>;

type Code = Uint8Array<ArrayBuffer>;

/** What is packed in the page, with unpacked code, and what a link changes. */
export interface FlightData extends Omit<PackedFlight, "modules" | "start" | "population" | "gpu"> {
  modules: { code: Code; manifest: Manifest }[];
  start: { code: Code; manifest: StartManifest };
  population?: { code: Code; manifest: PopulationManifest };
  values: Record<string, Plain>;
  /** Rules that are off. */
  off: string[];
  /** Parts that were drawn. */
  drawn?: Tables;
  /** What the texts of a worker are in. */
  spoken?: Spoken;
  /** It does not move until the reader plays it. */
  paused?: boolean;
  /** A state to begin with, in the place of the start. */
  state?: State | undefined;
}
