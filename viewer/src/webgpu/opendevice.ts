/** The functions of flight.js for the page that has it as a script. */

import type { DeviceBoids } from "./deviceboids";
import type { PageProgram } from "../wire/contracts";
import type { Channel } from "../channel/channel";
import type { FlightData } from "../flight/manifest";
import type { State } from "../flight/state";

/** A channel to a flock on a device. */
export interface OnDevice extends Channel {
  onLost: (reason: string) => void;
  readonly lastState: State | null;
  drawn(at: number, refresh: number): DeviceBoids | null;
}

/** Compile a program. Returns a function that starts a flock of it; rejects with the compiler's message. `script`:
 * the text of flight.js, for the worker that computes the charts' numbers. */
export type OpenDevice = (device: GPUDevice, program: PageProgram, data: FlightData, script: string) => Promise<(changed: Partial<FlightData>) => OnDevice>;

declare global {
  var murmurateOpenDevice: OpenDevice | undefined;
}

/** Runs a script whose text the policy of this page allows. */
export function addScript(text: string): void {
  const element = document.createElement("script");
  element.textContent = text;
  document.head.append(element);
}

/** The function of flight.js, which becomes a script of this page; its policy allows that text. */
export function openDevice(script: string): OpenDevice | undefined {
  if (!globalThis.murmurateOpenDevice) addScript(script);
  return globalThis.murmurateOpenDevice;
}
