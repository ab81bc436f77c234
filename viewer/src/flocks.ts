/** How each flock of a picture is drawn, for both renderers: where its boids are in a frame, their
 * shape, size and paint. */

import { bodyFor } from "./look/bodies";
import { flockColour, shapeOf } from "./look/styles";
import { outlineFor, type Outline } from "./look/shapes";
import { dartPixels, type Drawing } from "./renderer";
import type { RGB } from "./look/colours";
import { rangesOf, type Frame } from "./wire/frame";
import type { ColourBy, SceneCore } from "./wire/messages";

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
}

/** Boids of a scene at its start. */
export function total(scene: SceneCore): number {
  return scene.flocks.reduce((sum, flock) => sum + flock.count, 0);
}

/** All flocks, large boids last: predators are drawn on top. */
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
    };
    return { scale: flock.scale, found };
  });
  return all.sort((a, b) => a.scale - b.scale).map(({ found }) => found);
}
