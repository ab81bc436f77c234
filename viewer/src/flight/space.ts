/** Places in the space of a page. */

import { axesFault, Refused } from "./errors";
import type { SceneMessage } from "../wire/contracts";

const FAR = 20; // sides of the space that a boid may be dragged away from its middle

/** The place along an axis that is nearest to one, and in the space. */
function insideSpace({ space, dims }: SceneMessage, d: number, x: number): number {
  const [lower, upper] = [space.lower[d]!, space.upper[d]!];
  const boundary = space.boundaries?.[d];
  if (boundary === "periodic") return x - Math.floor((x - lower) / (upper - lower)) * (upper - lower);
  const far = FAR * Math.max(...space.upper.slice(0, dims).map((u, k) => u - space.lower[k]!));
  const [low, high] = boundary === "open" ? [(lower + upper) / 2 - far, (lower + upper) / 2 + far] : [lower, upper];
  return Math.min(Math.max(x, low), high);
}

/** The point of the space that is nearest to one of a message. */
export function pointInside(scene: SceneMessage, point: number[]): number[] {
  const { dims } = scene;
  if (point.length < dims || !point.every(Number.isFinite)) throw new Refused(axesFault("position", point.length, dims));
  return point.slice(0, dims).map((x, d) => insideSpace(scene, d, x));
}
