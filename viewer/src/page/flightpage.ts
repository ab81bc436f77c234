/** A page in which a flock simulates itself: its head and packed parts -> the engines and a channel to one of them. */

import { EngineChannel, type Engines } from "../channel/engines";
import type { FlightData } from "../flight/manifest";
import type { Changes } from "./link";
import { requestDevice } from "../webgpu/device";
import { engineIn } from "../webgpu/engineaddress";
import { openDevice } from "../webgpu/opendevice";
import { sceneOf } from "../webgpu/program";
import type { PackedFlight, PackedPage } from "../wire/contracts";
import { bytesOfLetters, inflated } from "../replay/unpack";
import { fromBase64 } from "../wire/json";
import { languageNow, spoken, t } from "../words";

/** A function of four lanes: (module (func (result v128) (v128.const i32x4 0 0 0 0))). */
const SIMD = Uint8Array.of(
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 22, 1, 20, 0, 253, 12, ...new Array<number>(16).fill(0), 11,
);

/** Whether WebAssembly modules can run here. */
export const supportsWasm = (): boolean => typeof WebAssembly === "object" && WebAssembly.validate(SIMD);

async function unpacked(text: string): Promise<ArrayBuffer> {
  const stream = new Blob([fromBase64(text)]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

async function code(text: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await unpacked(text));
}

/** What is packed in the page. */
export async function flightIn(text: string): Promise<PackedPage> {
  return JSON.parse(new TextDecoder().decode(await inflated(bytesOfLetters(text)))) as PackedPage;
}

/** Makes the channel to a flock, which begins to run then: by WebGPU where the browser and the model allow it. */
export async function channelOf(worker: string, head: PackedFlight, changes: Pick<Changes, "seed" | "values" | "off" | "drawn"> | null): Promise<() => EngineChannel> {
  const { gpu, population, ...own } = head;
  const data: FlightData = {
    ...own,
    modules: await Promise.all(head.modules.map(async (m) => ({ code: await code(m.code), manifest: m.manifest }))),
    start: { code: await code(head.start.code), manifest: head.start.manifest },
    ...(population && { population: { code: await code(population.code), manifest: population.manifest } }),
    seed: changes?.seed ?? head.seed,
    values: changes?.values ?? {},
    off: changes?.off ?? [],
    drawn: changes?.drawn ?? {},
    spoken: spoken(),
  };
  const engines: Engines = { script: worker, data, device: null, why: "", most: data.max_boids };
  try {
    await addDevice(engines, gpu);
  } catch (error) {
    engines.why = t("WebGPU has failed: {reason}.", { reason: error instanceof Error ? error.message : String(error) });
  }
  return () => new EngineChannel(engines, engines.device && engineIn(location.hash) !== "wasm" ? "gpu" : "wasm");
}

/** Adds the device to what a page can simulate with. */
async function addDevice(engines: Engines, gpu: PackedFlight["gpu"]): Promise<void> {
  if (!gpu || "why" in gpu) {
    // Python's reasons are in English.
    const reason = languageNow() === "en" ? (gpu?.why ?? "") : "";
    engines.why = reason ? `WebGPU cannot simulate this model: ${reason}.` : t("WebGPU cannot simulate this model.");
    return;
  }
  const requested = await requestDevice();
  if (!requested.device) {
    engines.why = requested.why;
    return;
  }
  const { device } = requested;
  const { program } = gpu;
  const scene = sceneOf(engines.data.scene, program, engines.data.max_boids);
  const begin = await openDevice(engines.script)?.(device, program, { ...engines.data, max_boids: program.max_boids, scene }, engines.script);
  if (!begin) throw new Error(t("the page does not run the script for it"));
  engines.most = program.max_boids;
  engines.device = (changed) => begin({ ...changed, ...(changed.scene && { scene: { ...scene, scene: changed.scene.scene } }) });
}
