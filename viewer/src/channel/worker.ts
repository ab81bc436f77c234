/** A channel to a flock that flies in this page: a worker made of text in the page. */

import type { FlightData } from "../flight/manifest";
import type { PageMessage, ServerMessage } from "../wire/messages";
import type { Channel, ChannelState } from "./channel";

export class WorkerChannel implements Channel {
  private readonly worker: Worker;
  private readonly address: string;
  private json: (message: ServerMessage) => void = () => undefined;
  private binary: (data: ArrayBuffer) => void = () => undefined;
  private state: (state: ChannelState) => void = () => undefined;
  private readonly watch = (): void => this.send({ type: "watch", on: document.visibilityState === "visible" });

  constructor(private readonly script: string, private readonly data: FlightData) {
    this.address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    // A classic one: Chromium refuses modules from a Blob in a page that was opened from disk.
    this.worker = new Worker(this.address);
    this.worker.onmessage = ({ data: message }: MessageEvent<ArrayBuffer | ServerMessage>) => {
      if (message instanceof ArrayBuffer) this.binary(message);
      else this.json(message);
    };
    this.worker.onerror = (event) => this.json({ type: "bye", reason: event.message || "the worker could not be started" });
    document.addEventListener("visibilitychange", this.watch);
    queueMicrotask(() => {
      this.state("open");
      this.worker.postMessage(data);
      this.watch();
    });
  }

  send(message: PageMessage & { id?: number }): void {
    this.worker.postMessage(message);
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
  another(): WorkerChannel {
    return new WorkerChannel(this.script, this.data);
  }
  close(): void {
    document.removeEventListener("visibilitychange", this.watch);
    this.worker.terminate();
    URL.revokeObjectURL(this.address);
  }
}
