/** A channel over a notebook widget's model, as anywidget hands it over: of the flight that it shows, or
 * of another one, whose messages have its name. */

import { parseJson, writeJson } from "../wire/json";
import type { PageMessage, ServerMessage } from "../wire/messages";
import { randomName, type Channel, type ChannelState } from "./channel";

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
    const { flight = "", text } = (typeof content === "string" ? { text: content } : content) as { flight?: string; text?: string };
    if (flight !== this.flight) return;
    if (text !== undefined) this.json(parseJson(text) as ServerMessage);
    else if (buffers[0]) this.binary(buffers[0]);
  };

  constructor(private readonly model: WidgetModel, private readonly flight = "") {
    model.on("msg:custom", this.receive);
    queueMicrotask(() => {
      this.state("open");
      // There is no moment of connecting as with a socket: say that someone looks now.
      this.sendToKernel({ type: "hello" });
    });
  }

  send(message: PageMessage & { id?: number }): void {
    this.sendToKernel(JSON.parse(writeJson(message)) as object);
  }
  private sendToKernel(message: object): void {
    this.model.send(this.flight ? { ...message, flight: this.flight } : message);
  }
  another(): WidgetChannel {
    return new WidgetChannel(this.model, randomName());
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
    this.sendToKernel({ type: "goodbye" });
  }
}
