/** A channel carries JSON both ways and frames to the page, over any transport. */

import type { DeviceBoids } from "../webgpu/deviceboids";
import type { PageMessage, ServerMessage } from "../wire/messages";

export type ChannelState = "connecting" | "open" | "lost" | "ended";

/** A name for another flight. */
export const randomName = (): string => crypto.getRandomValues(new Uint32Array(3)).join("-");

export type Numbered = PageMessage & { id?: number };
export type Bytes = ArrayBuffer | ArrayBufferView;

export interface Channel {
  send(message: Numbered): void;
  onJson(call: (message: ServerMessage) => void): void;
  onBinary(call: (data: Bytes) => void): void;
  onState(call: (state: ChannelState) => void): void;
  close?(): void;
  /** The states of the flock on a device, from which they are drawn; null if there are none. */
  drawn?(at: number, refresh: number): DeviceBoids | null;
  /** A channel to another simulation of the same flock, from its start. */
  another?(): Channel;
}

/** A channel with what it calls when messages, frames and states arrive. */
export abstract class BaseChannel implements Channel {
  protected json: (message: ServerMessage) => void = () => undefined;
  protected binary: (data: Bytes) => void = () => undefined;
  protected state: (state: ChannelState) => void = () => undefined;

  abstract send(message: Numbered): void;
  onJson(call: (message: ServerMessage) => void): void {
    this.json = call;
  }
  onBinary(call: (data: Bytes) => void): void {
    this.binary = call;
  }
  onState(call: (state: ChannelState) => void): void {
    this.state = call;
  }
}
