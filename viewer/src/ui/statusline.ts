/** The status line: how many boids, for how long, and how fast. */

import type { Frame } from "../wire/frame";
import type { SceneCore, StatusMessage } from "../wire/contracts";
import { h } from "./dom";
import { decimals, t, tn } from "../words";

function short(rate: number): string {
  if (rate >= 1e6) return `${decimals((rate / 1e6).toFixed(1))} M`;
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

/** A text whose parts between asterisks are bold. */
const bold = (text: string): (string | HTMLElement)[] => text.split("*").map((part, k) => (k % 2 ? b(part) : part));

const counted = (n: number): string => tn("*{n}* boid", "*{n}* boids", n);

/** How many boids there are in a replay. */
export function countLine(n: number, changes: Changes | null): HTMLElement[] {
  return [h("span", {}, ...bold(counted(n))), ...changeLine(changes)];
}

function changeLine(changes: Changes | null): HTMLElement[] {
  return changes ? [h("span", { "data-test": "changes" }, ...bold(t("*{joined}* joined · *{left}* left", { ...changes })))] : [];
}

/** Number of boids, time and pace; two lines under the title. */
export function statusLine(status: StatusMessage, n: number, changes: Changes | null = null): HTMLElement[] {
  const { clients, busy, engine } = status;
  const rates = { steps: Math.round(status.steps_per_second), boids: short(status.boid_steps_per_second) };
  const pace = busy
    ? [b(busy)]
    : status.playing
      ? [...bold(t("*{steps}* steps/s · *{boids}* boid-steps/s", rates)), engine && ` · ${engine}`]
      : [b(t("paused"))];
  const pages = clients > 1 && ` · ${tn("{n} page", "{n} pages", clients)}`;
  return [
    h("span", {}, ...bold(counted(n)), " · t ", b(decimals(status.time.toFixed(1))), pages),
    ...changeLine(changes),
    h("span", {}, ...pace),
  ];
}
