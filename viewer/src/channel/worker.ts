/** A channel to a flock that is simulated in this page, by a worker made of text in the page. */

import type { FlightData } from "../flight/manifest";
import type { ServerMessage } from "../wire/messages";
import { BaseChannel, type Numbered } from "./channel";
import { t } from "../words";

export class WorkerChannel extends BaseChannel {
  private readonly worker: Worker;
  private readonly address: string;
  private readonly watch = (): void => this.send({ type: "watch", on: document.visibilityState === "visible" });

  constructor(private readonly script: string, private readonly data: FlightData) {
    super();
    this.address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    // A classic one: Chromium refuses modules from a Blob in a page that was opened from disk.
    this.worker = new Worker(this.address);
    this.worker.onmessage = ({ data: message }: MessageEvent<ArrayBuffer | ServerMessage>) => {
      if (message instanceof ArrayBuffer) this.binary(message);
      else this.json(message);
    };
    this.worker.onerror = (event) => this.json({ type: "bye", reason: event.message || t("the worker could not be started") });
    document.addEventListener("visibilitychange", this.watch);
    queueMicrotask(() => {
      this.state("open");
      this.worker.postMessage(data);
      this.watch();
    });
  }

  send(message: Numbered): void {
    this.worker.postMessage(message);
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
