/** flight.js: in a worker it simulates a flock by WebAssembly; in a page it opens flocks that WebGPU simulates. */

import { DeviceChannel } from "../webgpu/devicechannel";
import type { OpenDevice } from "../webgpu/opendevice";
import { Kernels } from "../webgpu/kernels";
import { Starts } from "./starts";
import { startWorker } from "./worker";
import { speakHere } from "../formulas/formulas";

const open: OpenDevice = async (device, program, data, script) => {
  speakHere(data.spoken);
  const [kernels, code] = await Promise.all([Kernels.compile(device, program), WebAssembly.compile(data.start.code)]);
  const starts = new Starts(code, data.start.manifest, program.dims);
  return (changed) => new DeviceChannel(kernels, { ...data, ...changed }, starts, script);
};

if (typeof document === "undefined") startWorker();
else globalThis.murmurateOpenDevice = open;
