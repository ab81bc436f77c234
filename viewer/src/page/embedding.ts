/** A page that is a part of another one: the messages that both exchange. Such pages run in step: each reports its
 * position, in seconds of its film at the model's own pace, and simulates up to the limit that the surrounding
 * page sends. */

import type { SceneCore } from "../wire/contracts";
import type { ControlMessage, Controls, PageMessage, ReachedMessage, ReplyMessage } from "../wire/messages";

export type Report =
  | { murmurate: "flies" }
  | { murmurate: "link"; flock: string }
  | ({ murmurate: "answer"; to: unknown } & ({ error: string } | NonNullable<ReplyMessage["controlled"]>))
  | { murmurate: "reached"; seconds: number; step: number; playing: boolean; begun: number; orders: number };

export function tellPageAround(message: Report): void {
  if (window.parent !== window) window.parent.postMessage(message, "*");
}

/** Calls with messages of the surrounding page. */
export function hearPageAround(call: (data: unknown) => void): () => void {
  const heard = ({ source, data }: MessageEvent<unknown>): void => {
    if (source === window.parent && source !== window) call(data);
  };
  window.addEventListener("message", heard);
  return () => window.removeEventListener("message", heard);
}

const MAX_STEPS = 100_000; // of a program's request

/** Units of the model's time in a second of its film. */
export const paceOf = ({ dt, view }: { dt: number; view: SceneCore["view"] }): number =>
  dt * (view.frames_per_second ?? 24) * (view.every ?? 1);

/** What a message of the surrounding page requests; null for nothing. */
export function askedBy(data: unknown, pace: number): PageMessage | null {
  if (typeof data !== "object" || data === null || !("murmurate" in data)) return null;
  if (data.murmurate === "restart") return { type: "restart" };
  if (data.murmurate !== "until") return null;
  const { seconds, playing, begun, orders } = data as Record<string, unknown>;
  if (typeof seconds !== "number" || !(seconds >= 0 && seconds < 1e9)) return null;
  if (typeof playing !== "boolean" || typeof begun !== "number" || typeof orders !== "number") return null;
  return { type: "until", time: seconds * pace, playing, begun, orders };
}

/** A program's request to make steps, with commands for boids; null for another message. A string: why it is wrong. */
export function controlOf(data: unknown): { to: unknown; request: ControlMessage | string } | null {
  if (typeof data !== "object" || data === null || !("murmurate" in data) || data.murmurate !== "step") return null;
  const { id: to = null, steps = 1, controls = {} } = data as Record<string, unknown>;
  const isTable = typeof controls === "object" && controls !== null && !Array.isArray(controls);
  if (typeof steps !== "number" || !Number.isInteger(steps) || steps < 0 || steps > MAX_STEPS) {
    return { to, request: `steps: got ${String(steps)}; expected a whole number from 0 to ${MAX_STEPS}` };
  }
  if (!isTable || !Object.values(controls).every((one) => typeof one === "object")) {
    return { to, request: "controls: expected vectors by name of their flock, such as {boids: [[1, 0], [0, 1]]}" };
  }
  return { to, request: { type: "control", steps, controls: controls as Controls } };
}

/** Build the message that reports the position of the simulation to the surrounding page. */
export function reportOf({ time, dt, playing, begun, orders }: ReachedMessage, pace: number): Report {
  return { murmurate: "reached", seconds: time / pace, step: dt / pace, playing, begun, orders };
}
