/** The status line: how many boids, for how long, and how fast. */

import type { StatusMessage } from "../wire/messages";
import { h } from "./dom";

function short(rate: number): string {
  if (rate >= 1e6) return `${(rate / 1e6).toFixed(1)} M`;
  return rate >= 1e3 ? `${Math.round(rate / 1e3)} k` : String(Math.round(rate));
}

/** How many fly, for how long, and how fast; two lines under the title. */
export function statusLine(status: StatusMessage, count: number): HTMLElement[] {
  const b = (text: string): HTMLElement => h("b", {}, text);
  const pages = status.clients > 1 ? ` · ${status.clients} pages` : "";
  const pace = status.busy
    ? [b(status.busy)]
    : status.playing
      ? [b(String(Math.round(status.steps_per_second))), " steps/s · ", b(short(status.boid_steps_per_second)), " boid-steps/s"]
      : [b("paused")];
  return [
    h("span", {}, b(count.toLocaleString("en")), count === 1 ? " boid · t " : " boids · t ", b(status.time.toFixed(1)), pages),
    h("span", {}, ...pace),
  ];
}
