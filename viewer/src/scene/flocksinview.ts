/** Sight: how much of the flocks is in the picture, and a hint when nothing is. */

import { project, type Insets } from "../camera/projection";
import type { Notices } from "../ui/notices";
import type { Viewport } from "./viewport";
import { t } from "../words";

const SAMPLE = 200; // boids
const GONE = 0.03; // of the boids or less
const PATIENCE = 1500; // milliseconds
const EVERY = 250;

/** The part of the boids that is seen between the panels. */
export function partInSight(viewport: Viewport, insets: Insets): number {
  const count = viewport.frame?.count ?? 0;
  if (count === 0) return 1;
  const { shot } = viewport;
  const step = Math.max(1, Math.floor(count / SAMPLE));
  let [looked, seen] = [0, 0];
  for (let boid = 0; boid < count; boid += step) {
    const at = viewport.positionOf(boid);
    if (!at) continue;
    looked++;
    const { x, y, depth } = project(shot, at);
    const across = x > insets.left && x < shot.width - insets.right;
    const down = y > insets.top && y < shot.height - insets.bottom;
    if (depth > shot.near && across && down) seen++;
  }
  return looked > 0 ? seen / looked : 1;
}

/** Notify when a flock has left the picture; again after it has returned. */
export class Sight {
  private looked = 0;
  private goneSince = 0;
  private notified = false;

  constructor(private readonly notices: Notices) {}

  /** After a drawing at a time in milliseconds. */
  look(viewport: Viewport, at = performance.now()): void {
    if (at - this.looked < EVERY) return;
    this.looked = at;
    if (partInSight(viewport, viewport.insets) > GONE) {
      this.goneSince = 0;
      if (this.notified) this.notices.clear("sight");
      this.notified = false;
      return;
    }
    this.goneSince ||= at;
    if (this.notified || at - this.goneSince < PATIENCE) return;
    this.notified = true;
    this.notices.say(t("The flock is outside the picture. Press f to follow it."), { about: "sight", sticky: true });
  }
}
