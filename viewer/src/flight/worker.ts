/** The worker of a page that simulates a flock: a session, and the loop that runs it. */

import { Flight } from "./flight";
import type { FlightData } from "./manifest";
import { measureHere, type MeasureRequest } from "./measuring";
import { Session } from "./session";
import type { PageMessage } from "../wire/messages";
import { speakHere } from "../formulas/formulas";

interface Port {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(message: unknown, transfer?: Transferable[]): void;
}

export function startWorker(): void {
  const port = self as unknown as Port;
  const turn = new MessageChannel(); // a timer without delay, which a browser's timers have
  let session: Session | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let queued = false;

  function failed(error: unknown): void {
    session = null;
    port.postMessage({ type: "bye", reason: error instanceof Error ? error.message : String(error) });
  }

  function advance(): void {
    if (!session) return;
    let wait: number;
    try {
      wait = session.advance();
    } catch (error) {
      return failed(error);
    }
    clearTimeout(timer);
    if (wait > 0) timer = setTimeout(advance, wait);
    else if (!queued) {
      queued = true;
      turn.port2.postMessage(null);
    }
  }
  turn.port1.onmessage = () => {
    queued = false;
    advance();
  };

  port.onmessage = ({ data }: MessageEvent<FlightData | MeasureRequest | (PageMessage & { id?: number })>) => {
    if ("measure" in data) {
      const { flock, space, ranges } = data.measure;
      return port.postMessage(measureHere(flock, space, ranges));
    }
    try {
      if ("modules" in data) {
        speakHere(data.spoken);
        const out = {
          json: (message: unknown) => port.postMessage(message),
          frame: (bytes: ArrayBuffer) => port.postMessage(bytes, [bytes]),
        };
        session = new Session(data, out, () => performance.now(), (...args) => new Flight(...args));
        session.begin();
        return advance();
      }
      session?.handle(data);
    } catch (error) {
      failed(error);
    }
    // what waits may be due now
    clearTimeout(timer);
    timer = setTimeout(advance, 0);
  };
}
