/** Framing: the camera's distance at which the space, or the flock, fills the free part of the page. */

import { cameraAxes, dot, focalOf } from "./projection";
import type { Vec3 } from "../wire/frame";

export const MARGIN = 0.88; // part of the picture that a deep space or a flock may fill
export const FLAT_MARGIN = 0.94; // and a flat space: its box is seen from straight above
const ROUND = 0.85; // of the diagonal of a followed flock's box, seen from above
const NEARER = 0.3; // of its width: so much nearer than the centre are boids at its edge

export interface Fit {
  distance: number;
  /** Offset of what should lie in the middle from the centre of the space, along the camera's up. */
  lift: number;
}

/** For a flat space: all of a box with these half sides. */
export function fitFlat(half: Vec3, width: number, height: number, margin = FLAT_MARGIN): Fit {
  const zoom = margin * Math.min(width / 2 / half[0], height / 2 / half[1]);
  return { distance: focalOf(height) / zoom, lift: 0 };
}

/** For a deep space, seen from these angles (degrees); `turning` leaves room for the whole way. */
export function fitDeep(
  half: Vec3,
  azimuth: number,
  elevation: number,
  turning: boolean,
  width: number,
  height: number,
): Fit {
  const focal = focalOf(height);
  const angles = turning ? Array.from({ length: 36 }, (_, k) => 10 * k) : [azimuth];
  const corners: Vec3[] = [];
  for (const angle of angles) {
    const axes = cameraAxes(angle, elevation);
    for (let k = 0; k < 8; k++) {
      const corner: Vec3 = [
        k & 1 ? half[0] : -half[0],
        k & 2 ? half[1] : -half[1],
        k & 4 ? half[2] : -half[2],
      ];
      corners.push([dot(axes.right, corner), dot(axes.up, corner), dot(axes.forward, corner)]);
    }
  }
  const bounds = (distance: number): { wide: number; low: number; high: number } => {
    let [wide, low, high] = [0, Infinity, -Infinity];
    for (const [across, up, away] of corners) {
      const scale = focal / (distance + away);
      wide = Math.max(wide, 2 * Math.abs(across * scale));
      low = Math.min(low, up * scale);
      high = Math.max(high, up * scale);
    }
    return { wide, low, high };
  };
  const size = Math.hypot(...half);
  let [near, far] = [size, 200 * size * Math.max(1, height / width)];
  for (let k = 0; k < 50; k++) {
    const distance = 0.5 * (near + far);
    const { wide, low, high } = bounds(distance);
    if (wide <= MARGIN * width && high - low <= MARGIN * height) far = distance;
    else near = distance;
  }
  const { low, high } = bounds(far);
  return { distance: far, lift: (0.5 * (low + high) * far) / focal };
}

/** For a followed flock, whose boids are mostly within `reach` of its middle along each axis. */
export function fitReach(
  reach: Vec3,
  dims: 2 | 3,
  elevation: number,
  width: number,
  height: number,
): Fit {
  if (dims === 2) return fitFlat(reach, width, height, MARGIN);
  // It may turn any side to the camera. A flock as wide along x as along y is most often round, so
  // it need not have the room of the corners of its box.
  const angle = (elevation * Math.PI) / 180;
  const wide = Math.max(reach[0], reach[1], ROUND * Math.hypot(reach[0], reach[1]));
  const high = reach[2] * Math.cos(angle) + wide * Math.abs(Math.sin(angle));
  const least = Math.max((2 * wide) / (MARGIN * width), (2 * high) / (MARGIN * height));
  return { distance: NEARER * wide + focalOf(height) * least, lift: 0 };
}
