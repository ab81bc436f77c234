/** The page's device of WebGPU. */

import { engineIn } from "./engineaddress";

let shared: Promise<GPUDevice | null> | null = null;

/** The device for flocks and pictures, shared by all of a page; null if there is none. Software adapters are slower
 * than WebAssembly, so they are used only if the address has `engine=gpu` or `draw=webgpu`. */
export function requestDevice(): Promise<GPUDevice | null> {
  const { hash } = location;
  shared ??= request(engineIn(hash) === "gpu" || /\bdraw=webgpu/.test(hash)).then((device) => {
    // After a loss, another device is requested.
    void device?.lost.then(() => (shared = null));
    return device;
  });
  return shared;
}

async function request(software: boolean): Promise<GPUDevice | null> {
  try {
    const adapter = await navigator.gpu?.requestAdapter({ powerPreference: "high-performance" });
    if (!adapter || (isSoftware(adapter.info) && !software)) return null;
    return await adapter.requestDevice();
  } catch {
    return null;
  }
}

/** Whether the processor does the work of a graphics card. */
function isSoftware(info: GPUAdapterInfo): boolean {
  const { vendor, architecture, device, description } = info;
  const fallback = (info as { isFallbackAdapter?: boolean }).isFallbackAdapter === true;
  return fallback || /swiftshader|llvmpipe|lavapipe|softpipe|basic render|warp\b/i.test([vendor, architecture, device, description].join(" "));
}
