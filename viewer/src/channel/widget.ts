/** A channel over the model of a notebook widget (anywidget): of the flock that it shows, or of another one, whose
 * messages have its name. */

import { parseJson, writeJson } from "../wire/json";
import type { ServerMessage } from "../wire/messages";
import { BaseChannel, randomName, type Numbered } from "./channel";

export interface WidgetModel {
  get(name: "words"): string;
  send(content: unknown, callbacks?: unknown, buffers?: ArrayBuffer[]): void;
  on(event: string, call: (message: unknown, buffers: DataView[]) => void): void;
  off(event?: string | null, call?: unknown): void;
}

export class WidgetChannel extends BaseChannel {
  private readonly receive = (content: unknown, buffers: DataView[]): void => {
    const { flight = "", text } = (typeof content === "string" ? { text: content } : content) as { flight?: string; text?: string };
    if (flight !== this.flight) return;
    if (text !== undefined) this.json(parseJson(text) as ServerMessage);
    else if (buffers[0]) this.binary(buffers[0]);
  };

  constructor(private readonly model: WidgetModel, private readonly flight = "") {
    super();
    model.on("msg:custom", this.receive);
    queueMicrotask(() => {
      this.state("open");
      // Unlike a socket it has no event of connecting, so the page sends one.
      this.sendToKernel({ type: "hello" });
    });
  }

  send(message: Numbered): void {
    this.sendToKernel(JSON.parse(writeJson(message)) as object);
  }
  private sendToKernel(message: object): void {
    this.model.send(this.flight ? { ...message, flight: this.flight } : message);
  }
  another(): WidgetChannel {
    return new WidgetChannel(this.model, randomName());
  }
  close(): void {
    this.model.off("msg:custom", this.receive);
    this.sendToKernel({ type: "goodbye" });
  }
}
