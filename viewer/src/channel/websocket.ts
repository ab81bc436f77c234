/** A channel over a websocket that connects again when the connection is lost. */

import { parseJson, writeJson } from "../wire/json";
import type { ServerMessage } from "../wire/messages";
import { BaseChannel, randomName, type Numbered } from "./channel";

const FIRST_WAIT = 400; // milliseconds before trying again, doubling each time
const LONGEST_WAIT = 5000;

/** Where the websocket is. Accepts ws:, http: and relative addresses; the token stays in it. */
export function socketUrl(url: string, base: string): string {
  const full = new URL(url, base);
  if (full.protocol === "http:") full.protocol = "ws:";
  if (full.protocol === "https:") full.protocol = "wss:";
  return full.toString();
}

export class SocketChannel extends BaseChannel {
  private socket: WebSocket | null = null;
  private wait = FIRST_WAIT;
  private ended = false;
  private timer = 0;

  constructor(private readonly url: string) {
    super();
    // Listeners are attached by the caller in the same turn.
    queueMicrotask(() => this.connect());
  }

  send(message: Numbered): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(writeJson(message));
  }
  close(): void {
    this.ended = true;
    clearTimeout(this.timer);
    this.socket?.close();
  }

  /** The server simulates one more flock for each name; see live_view/comparison_sessions.py. */
  another(): SocketChannel {
    const url = new URL(this.url);
    url.searchParams.set("flight", randomName());
    return new SocketChannel(url.toString());
  }

  private connect(): void {
    if (this.ended) return;
    const socket = new WebSocket(this.url);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.onopen = () => {
      this.wait = FIRST_WAIT;
      this.state("open");
    };
    socket.onmessage = (event: MessageEvent<string | ArrayBuffer>) => {
      if (typeof event.data !== "string") return this.binary(event.data);
      const message = parseJson(event.data) as ServerMessage;
      this.json(message);
    };
    socket.onclose = () => {
      if (this.socket !== socket || this.ended) return;
      this.state("lost");
      // After a goodbye too: if the program is started again, the page connects again.
      this.timer = window.setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(LONGEST_WAIT, 2 * this.wait);
    };
  }
}
