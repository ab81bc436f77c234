/** Dequantisation of positions: origin + step * (number + 1/2). */

import { POSITION_LEVELS } from "./contracts";
import type { Frame, Vec3 } from "./frame";

/** What says where the numbers of a frame are. */
export type Scale = Pick<Frame, "dims" | "lower" | "side">;

/** From `target`, subtracted in double precision: far from the origin float32 has no digits to
 * spare. */
export function originOf(frame: Scale, target: Vec3): Vec3 {
  const flat = frame.dims === 2;
  return [
    frame.lower[0] - target[0],
    frame.lower[1] - target[1],
    flat ? -target[2] : frame.lower[2] - target[2],
  ];
}

export function stepOf(frame: Scale): Vec3 {
  return [
    frame.side[0] / POSITION_LEVELS,
    frame.side[1] / POSITION_LEVELS,
    frame.dims === 2 ? 0 : frame.side[2] / POSITION_LEVELS,
  ];
}
