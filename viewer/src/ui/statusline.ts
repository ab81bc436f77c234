/** The status line: how many boids, for how long, and how fast. */

import type { Frame } from "../wire/frame";
import type { SceneCore, StatusMessage } from "../wire/contracts";
import { h } from "./dom";

function short(rate: number): string {
  if (rate >= 1e6) return `${(rate / 1e6).toFixed(1)} M`;
  return rate >= 1e3 ? `${Math.round(rate / 1e3)} k` : String(Math.round(rate));
}

/** Boids that joined since the start, and that left. */
interface Changes {
  joined: number;
  left: number;
}

/** Of all flocks; null where numbers of boids do not change. */
export function joinedAndLeft(flights: { scene: SceneCore | null; viewport: { frame: Frame | null } | null }[]): Changes | null {
  let sum: Changes | null = null;
  for (const { scene, viewport } of flights) {
    viewport?.frame?.numbers?.forEach(({ count, ever }, k) => {
      const { joined, left } = sum ?? { joined: 0, left: 0 };
      sum = { joined: joined + Math.max(0, ever - (scene?.flocks[k]?.count ?? 0)), left: left + ever - count };
    });
  }
  return sum;
}

const b = (text: string): HTMLElement => h("b", {}, text);

/** How many boids there are in a replay. */
export function countLine(count: number, changes: Changes | null): HTMLElement[] {
  return [h("span", {}, b(count.toLocaleString("en")), count === 1 ? " boid" : " boids"), ...changeLine(changes)];
}

function changeLine(changes: Changes | null): HTMLElement[] {
  if (!changes) return [];
  return [h("span", { "data-test": "changes" }, b(changes.joined.toLocaleString("en")), " joined · ", b(changes.left.toLocaleString("en")), " left")];
}

/** Number of boids, time and pace; two lines under the title. */
export function statusLine(status: StatusMessage, count: number, changes: Changes | null = null): HTMLElement[] {
  const pages = status.clients > 1 ? ` · ${status.clients} pages` : "";
  const pace = status.busy
    ? [b(status.busy)]
    : status.playing
      ? [b(String(Math.round(status.steps_per_second))), " steps/s · ", b(short(status.boid_steps_per_second)), " boid-steps/s", ...(status.engine ? [` · ${status.engine}`] : [])]
      : [b("paused")];
  return [
    h("span", {}, b(count.toLocaleString("en")), count === 1 ? " boid · t " : " boids · t ", b(status.time.toFixed(1)), pages),
    ...changeLine(changes),
    h("span", {}, ...pace),
  ];
}
