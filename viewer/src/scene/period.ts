/** The period of a space: its sides along periodic axes. */

import type { Vec3 } from "../wire/frame";
import type { SceneCore } from "../wire/contracts";

/** The sides of the space along its periodic axes, 0 along the others. */
export function periodOf(model: SceneCore): Vec3 {
  const { lower, upper, periodic } = model.space;
  return [0, 1, 2].map((k) => (periodic[k] ? upper[k]! - lower[k]! : 0)) as Vec3;
}
