/** What the shaders of both renderers on the graphics card are given, by name: the camera, the two states to
 * interpolate between, and each flock. */

import type { FlockDrawing } from "./flocks";
import type { Drawing } from "./renderer";
import type { Frame, Vec3 } from "../wire/frame";
import { LEVELS, type SceneCore } from "../wire/contracts";
import type { ColourBy } from "../look/styles";
import { originOf, stepOf, type Scale } from "../wire/scale";

export type Value = number | number[] | Float32Array;
export type Values = Record<string, Value>;

const MODES: Record<ColourBy, number> = { flock: 0, heading: 1, speed: 2, neighbours: 3, value: 4 };

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

/** A frame, as far as the shaders need to know of it, or a state that is on the graphics card already. */
type Numbered = Pick<Frame, "fastest"> & { values: Pick<NonNullable<Frame["values"]>, "low" | "high"> | null };

/** Position of a level in the table of colours: at level 0, and for each level; and whether it is a circle. */
function levelScale({ values }: Numbered, { lowest, highest, cyclic }: Drawing["picture"]): Vec3 {
  if (!values) return [0, 0, 0];
  const each = 1 / Math.max(1e-30, highest - lowest);
  return [(values.low - lowest) * each, ((values.high - values.low) / LEVELS) * each, cyclic ? 1 : 0];
}

export function frameUniforms(before: Scale, now: Scale & Numbered, drawing: Drawing, period: Vec3): Values {
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

/** Seconds of film that a step takes: wings beat by them, and rest while nothing moves. */
export function filmSeconds({ view: { every = 1, frames_per_second = 24 } }: SceneCore): number {
  return 1 / every / frames_per_second;
}

/** The axis of a boid that perches: cosine and sine of its angle with the ground. Seen from above it lies. */
export const sitting = (flat: boolean): [number, number] => (flat ? [1, 0] : [Math.cos(UPRIGHT), Math.sin(UPRIGHT)]);
const UPRIGHT = (34 * Math.PI) / 180; // as in the films

export function flockUniforms({ first, count, outline, body, size, least, keeps, fold, colour, by, shadow }: FlockDrawing, flat: boolean): Values {
  return {
    first, count, keeps,
    own: colour.map((c) => c / 255),
    mode: MODES[by],
    dart: [size, least, keeps, fold],
    shadow: shadow ?? [0, 0, 1],
    sitting: sitting(flat),
    corners: body ? body.length / 4 : outline.corners.length,
    squeezed: outline.round ? 1 : 0.4,
  };
}
