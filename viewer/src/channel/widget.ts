/** A channel over a notebook widget's model, as anywidget hands it over. */

import { parseJson, writeJson } from "../wire/json";
import type { PageMessage, ServerMessage } from "../wire/messages";
import type { Channel, ChannelState } from "./channel";

export interface WidgetModel {
  send(content: unknown, callbacks?: unknown, buffers?: ArrayBuffer[]): void;
  on(event: string, call: (message: unknown, buffers: DataView[]) => void): void;
  off(event?: string | null, call?: unknown): void;
}

export class WidgetChannel implements Channel {
  private json: (message: ServerMessage) => void = () => undefined;
  private binary: (data: ArrayBufferView) => void = () => undefined;
  private state: (state: ChannelState) => void = () => undefined;
  private readonly receive = (content: unknown, buffers: DataView[]): void => {
    const message = (typeof content === "string" ? parseJson(content) : content) as
      | ServerMessage
      | { type: "frame" };
    if (message.type === "frame") {
      if (buffers[0]) this.binary(buffers[0]);
    } else {
      this.json(message);
    }
  };

  constructor(private readonly model: WidgetModel) {
    model.on("msg:custom", this.receive);
    queueMicrotask(() => {
      this.state("open");
      // There is no moment of connecting as with a socket: say that someone looks now.
      this.model.send({ type: "hello" });
    });
  }

  send(message: PageMessage & { id?: number }): void {
    this.model.send(JSON.parse(writeJson(message)));
  }
  onJson(call: (message: ServerMessage) => void): void {
    this.json = call;
  }
  onBinary(call: (data: ArrayBuffer | ArrayBufferView) => void): void {
    this.binary = call;
  }
  onState(call: (state: ChannelState) => void): void {
    this.state = call;
  }
  close(): void {
    this.model.off("msg:custom", this.receive);
    this.model.send({ type: "goodbye" });
  }
}
