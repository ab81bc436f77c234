/** How each flock of a picture is drawn, for both renderers: where its boids are in a frame, their
 * shape, size and paint. */

import { BODIES, bodyFor } from "../look/bodies";
import { sceneryOf } from "../look/paintlandscape";
import { flockColour, shapeOf } from "../look/styles";
import { FOLDED, MANY_BOIDS, outlineFor, type Outline } from "../look/shapes";
import { dartPixels, type Drawing } from "./renderer";
import type { RGB } from "../look/colours";
import { rangesOf, type Frame, type Vec3 } from "../wire/frame";
import type { SceneCore } from "../wire/contracts";
import type { BoidShape, ColourBy } from "../look/styles";

export interface FlockDrawing {
  /** Its boids in a frame: [first, first + count). */
  first: number;
  count: number;
  outline: Outline;
  /** Corners of its body, where it is not flat. */
  body: Float32Array | null;
  /** Length in pixels at the camera's target, and the least, under which it pales instead. */
  size: number;
  least: number;
  /** How much of its strength it keeps far away. */
  keeps: number;
  /** How much the two halves differ, like folded paper. */
  fold: number;
  colour: RGB;
  by: ColourBy;
  /** It is the shadow of a flock: how far to the right and up, in lengths of a boid, and its strength. */
  shadow: Vec3 | null;
  /** Of birds that perch, where they are flat: their outline with folded wings. */
  folded: Outline | null;
}

const SHADOW = 0.3; // strength, as in the films
const WAYS: Partial<Record<BoidShape, number>> = { bird: 0.8, fish: 0.5 }; // to a shadow, in lengths of a boid
const NEAR = 0.16; // of shapes on the ground

/** The shadow of a flock. */
function shadowOf(flock: FlockDrawing, shape: BoidShape): FlockDrawing {
  const way = WAYS[shape] ?? NEAR;
  return { ...flock, colour: [0, 0, 0], by: "flock", fold: 0, shadow: [0.6 * way, -0.8 * way, SHADOW] };
}

/** Boids of a scene at its start. */
export function total(scene: SceneCore): number {
  return scene.flocks.reduce((sum, flock) => sum + flock.count, 0);
}

/** All flocks, large boids last: predators are drawn on top. On the scenery of a flat space their shadows come before. */
export function flockDrawings(model: SceneCore, drawing: Drawing, frame: Pick<Frame, "count" | "present" | "rows" | "values">): FlockDrawing[] {
  const { picture } = drawing;
  const { present: boids, count: rows } = frame;
  const ranges = rangesOf(frame, model.flocks);
  const known = picture.colourBy !== "value" || frame.values?.which === picture.which;
  const base = dartPixels(model, drawing, boids);
  const all = model.flocks.map((flock, place) => {
    const large = flock.scale > 1;
    const shape = shapeOf(picture.look, flock);
    let size = base * flock.scale;
    if (large && !model.view.boid_size) size = Math.max(size, 7 * flock.scale);
    const { first, count } = ranges[place] ?? { first: 0, count: 0 };
    const found: FlockDrawing = {
      first,
      count: Math.max(0, Math.min(count, rows - first)),
      outline: outlineFor(shape, boids),
      body: bodyFor(shape, boids),
      size,
      least: boids > 20_000 ? 2 : 1.7,
      keeps: large ? 0.5 : 0,
      // Paper folds, the others do not.
      fold: shape === "dart" ? 0.1 : 0,
      colour: flockColour(picture.look, flock, place),
      by: !known || (large && picture.colourBy !== "value") ? "flock" : picture.colourBy,
      shadow: null,
      folded: flock.perches && shape === "bird" && boids <= BODIES ? FOLDED : null,
    };
    return { scale: flock.scale, found, shape };
  });
  all.sort((a, b) => a.scale - b.scale);
  const shaded = model.dims === 2 && sceneryOf(model) !== "none" && boids <= MANY_BOIDS;
  if (!shaded) return all.map(({ found }) => found);
  const scales = [...new Set(all.map(({ scale }) => scale))];
  return scales.flatMap((scale) => {
    const layer = all.filter((each) => each.scale === scale);
    return [...layer.map(({ found, shape }) => shadowOf(found, shape)), ...layer.map(({ found }) => found)];
  });
}
