/** A channel carries JSON both ways and frames to the page, over any transport. */

import type { DeviceBoids } from "../webgpu/deviceboids";
import type { PageMessage, ServerMessage } from "../wire/messages";

export type ChannelState = "connecting" | "open" | "lost" | "ended";

/** A name for another flight. */
export const randomName = (): string => crypto.getRandomValues(new Uint32Array(3)).join("-");

export interface Channel {
  send(message: PageMessage & { id?: number }): void;
  onJson(call: (message: ServerMessage) => void): void;
  onBinary(call: (data: ArrayBuffer | ArrayBufferView) => void): void;
  onState(call: (state: ChannelState) => void): void;
  close?(): void;
  /** The states of the flock on a device, to be drawn from there; null where there are none. */
  drawn?(at: number, refresh: number): DeviceBoids | null;
  /** A channel to another flight of the same flock, which begins anew. */
  another?(): Channel;
}
