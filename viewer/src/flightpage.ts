/** A page in which a flock flies: its head and packed parts -> the worker and its channel. */

import { WorkerChannel } from "./channel/worker";
import type { FlightData, Manifest, StartManifest, StartNumbers } from "./flight/manifest";
import { putAt, valueAt } from "./state/paths";
import type { SceneMessage, Table } from "./wire/messages";

/** What is in the page, as src/murmurate/runs/flight_pages.py writes it. Code and script are packed:
 * deflated, in base64. */
export interface FlightHead {
  format: number;
  scene: SceneMessage;
  tables: Table;
  /** Paths of infinite numbers in the tables, where they are words. */
  endless: string[];
  modules: { code: string; manifest: Manifest }[];
  start: { code: string; manifest: StartManifest };
  starts: Record<string, StartNumbers>;
  turn_key: string;
  seed: string;
  most: number;
  name: string;
}

async function unpacked(text: string): Promise<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

async function code(text: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await unpacked(text));
}

export async function channelOf(head: FlightHead, worker: string): Promise<WorkerChannel> {
  for (const path of head.endless) putAt(head.tables, path, valueAt(head.tables, path) === "inf" ? Infinity : -Infinity);
  const data: FlightData = {
    modules: await Promise.all(head.modules.map(async (m) => ({ code: await code(m.code), manifest: m.manifest }))),
    start: { code: await code(head.start.code), manifest: head.start.manifest },
    starts: head.starts,
    turnKey: head.turn_key,
    seed: head.seed,
    most: head.most,
    scene: head.scene,
    tables: head.tables,
  };
  const script = new TextDecoder().decode(await unpacked(worker));
  return new WorkerChannel(script, data);
}
