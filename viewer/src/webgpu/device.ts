/** The page's device of WebGPU. */

import { engineIn } from "./engineaddress";
import { mark, t, tv } from "../words";

/** Why a page has no device. */
export const WHY = {
  insecure: mark("Browsers allow WebGPU only in pages from disk, https or this computer, not in one that came by http."),
  none: mark("This browser has no WebGPU, or it is switched off."),
  card: mark("This browser's WebGPU found no graphics card that it can use."),
  software: mark("This browser's WebGPU found no graphics card. On the processor, WebAssembly is faster."),
};

type Requested = { device: GPUDevice } | { device: null; why: string };

let shared: Promise<Requested> | null = null;

/** The device for flocks and pictures, shared by all of a page. Software adapters are slower than WebAssembly, so
 * they are used only if the address has `engine=gpu` or `draw=webgpu`. */
export function requestDevice(): Promise<Requested> {
  const { hash } = location;
  shared ??= request(engineIn(hash) === "gpu" || /\bdraw=webgpu/.test(hash)).then((requested) => {
    // After a loss, another device is requested.
    void requested.device?.lost.then(() => (shared = null));
    return requested;
  });
  return shared;
}

async function request(software: boolean): Promise<Requested> {
  const without = (why: string): Requested => ({ device: null, why: tv(why) });
  // A type says that browsers have it.
  const gpu = navigator.gpu as GPU | undefined;
  if (!gpu) return without(isSecureContext ? WHY.none : WHY.insecure);
  try {
    const adapter = await gpu.requestAdapter({ powerPreference: "high-performance" });
    if (!adapter) return without(WHY.card);
    if (isSoftware(adapter.info) && !software) return without(WHY.software);
    const device = await adapter.requestDevice({ requiredLimits: limitsOf(adapter) });
    if (isSoftware(adapter.info)) processors.add(device);
    return { device };
  } catch (error) {
    return without(t("WebGPU has failed: {reason}.", { reason: error instanceof Error ? error.message : String(error) }));
  }
}

const processors = new WeakSet<GPUDevice>();

/** Whether a device is a software adapter. The processor draws faster without it. */
export const isProcessor = (device: GPUDevice): boolean => processors.has(device);

/** The limits that views need beyond those of any device: a buffer for pairs of boids, and nine buffers in a pass. */
function limitsOf({ limits }: GPUAdapter): Record<string, number> {
  const { maxBufferSize, maxStorageBufferBindingSize, maxStorageBuffersPerShaderStage } = limits;
  return { maxBufferSize, maxStorageBufferBindingSize, maxStorageBuffersPerShaderStage };
}

/** Whether the processor does the work of a graphics card. */
function isSoftware(info: GPUAdapterInfo): boolean {
  const { vendor, architecture, device, description } = info;
  const fallback = (info as { isFallbackAdapter?: boolean }).isFallbackAdapter === true;
  return fallback || /swiftshader|llvmpipe|lavapipe|softpipe|basic render|warp\b/i.test([vendor, architecture, device, description].join(" "));
}
