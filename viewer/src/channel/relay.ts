/** A channel that passes everything on, unless a `Between` is set. */

import type { ServerMessage } from "../wire/messages";
import type { Bytes, Channel, ChannelState, Numbered } from "./channel";

export interface Between {
  /** A message of the page. Returns whether the simulation receives it. */
  out(message: Numbered): boolean;
  /** A message of the flight, as the page gets it. */
  json(message: ServerMessage): ServerMessage;
  /** A frame. It is not passed on. */
  binary(data: Bytes): void;
}

export class Relay implements Channel {
  between: Between | null = null;
  /** To the page. */
  readonly toPage: { json(message: ServerMessage): void; binary(data: Bytes): void } = { json: () => undefined, binary: () => undefined };

  constructor(readonly flight: Channel) {}

  get another(): (() => Channel) | undefined {
    return this.flight.another && (() => this.flight.another!());
  }

  send(message: Numbered): void {
    if (this.between?.out(message) ?? true) this.flight.send(message);
  }
  onJson(call: (message: ServerMessage) => void): void {
    this.toPage.json = call;
    this.flight.onJson((message) => call(this.between?.json(message) ?? message));
  }
  onBinary(call: (data: Bytes) => void): void {
    this.toPage.binary = call;
    this.flight.onBinary((data) => (this.between ? this.between.binary(data) : call(data)));
  }
  onState(call: (state: ChannelState) => void): void {
    this.flight.onState(call);
  }
  close(): void {
    this.flight.close?.();
  }
}
