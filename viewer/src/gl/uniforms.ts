/** Uniforms of the shaders: the camera, and the two frames to interpolate between. */

import type { Drawing } from "../renderer";
import type { Frame, Vec3 } from "../wire/frame";
import { originOf, stepOf } from "../wire/scale";
import type { Values } from "./program";

export function cameraUniforms({ shot, picture }: Drawing, flat: boolean): Values {
  return {
    ...shot.axes,
    perspective: [shot.distance, shot.focal, shot.near, shot.far],
    page: [
      2 / shot.width,
      2 / shot.height,
      (2 * shot.middleX) / shot.width - 1,
      1 - (2 * shot.middleY) / shot.height,
    ],
    depths: [shot.radius, flat ? 1 : picture.look.far],
  };
}

/** Where a level stands in the table of colours: at level 0, and for each level; and whether it is a circle. */
function levelScale({ values }: Frame, { lowest, highest, cyclic }: Drawing["picture"]): Vec3 {
  if (!values) return [0, 0, 0];
  const each = 1 / Math.max(1e-30, highest - lowest);
  return [(values.low - lowest) * each, ((values.high - values.low) / 65534) * each, cyclic ? 1 : 0];
}

export function frameUniforms(before: Frame, now: Frame, drawing: Drawing, period: Vec3): Values {
  const { imageCentre, part, shot: { target }, picture } = drawing;
  return {
    originBefore: originOf(before, target),
    stepBefore: stepOf(before),
    originNow: originOf(now, target),
    stepNow: stepOf(now),
    period,
    perPeriod: period.map((p) => (p > 0 ? 1 / p : 0)),
    images: imageCentre.map((c, k) => c - target[k]!),
    part,
    levelScale: levelScale(now, picture),
    fastest: now.fastest,
    range: [picture.slowest, 1 / Math.max(1e-12, picture.fastest - picture.slowest), picture.crowd],
  };
}
