/** Places in the space of a page. */

import type { SceneMessage } from "../wire/messages";

const FAR = 20; // sides of the space that a boid may be dragged away from its middle

/** The place along an axis that is nearest to one, and in the space. */
export function insideSpace({ space, dims }: SceneMessage, d: number, x: number): number {
  const [lower, upper] = [space.lower[d]!, space.upper[d]!];
  const boundary = space.boundaries?.[d];
  if (boundary === "periodic") return x - Math.floor((x - lower) / (upper - lower)) * (upper - lower);
  const far = FAR * Math.max(...space.upper.slice(0, dims).map((u, k) => u - space.lower[k]!));
  const [low, high] = boundary === "open" ? [(lower + upper) / 2 - far, (lower + upper) / 2 + far] : [lower, upper];
  return Math.min(Math.max(x, low), high);
}
