/** Draws the trails of a flock into the image in memory. */

import { nearness } from "../camera/projection";
import type { FlockDrawing } from "../scene/flocks";
import type { Drawing } from "../scene/renderer";
import { isHidden, isUnseen, type Frame, type Vec3 } from "../wire/frame";
import { nearest, placeBetween } from "../wire/torus";
import { colourOfBoid } from "./palette";
import type { Pixels } from "./pixels";
import type { PixelProjection } from "./scenery";

const MAX_SEGMENTS = 40_000; // in one picture
const MAX_FRAMES = 63;

export class Trails {
  /** Newest first. */
  private frames: Frame[] = [];

  forget(): void {
    this.frames = [];
  }

  push(frame: Frame): void {
    if (this.frames[0] === frame) return;
    this.frames.unshift(frame);
    this.frames.length = Math.min(this.frames.length, MAX_FRAMES);
  }

  draw(pixels: Pixels, flock: FlockDrawing, drawing: Drawing, now: Frame, period: Vec3, projection: PixelProjection): void {
    const { shot, picture, imageCentre, part } = drawing;
    const before = this.frames[0];
    const most = Math.min(picture.trails, Math.floor(MAX_SEGMENTS / Math.max(1, now.count)));
    const ages = Math.min(most, this.frames.length);
    if (!before || ages < 1) return;
    const far = now.dims === 3 ? picture.look.far : 1;
    for (let boid = flock.first; boid < flock.first + flock.count; boid++) {
      const colour = colourOfBoid(flock, picture, now, boid);
      let last = placeBetween(before, now, boid, part, period, imageCentre);
      if (isHidden(before, now, boid, part)) continue;
      for (let age = 0; age < ages; age++) {
        const old = this.frames[age]!;
        if (boid >= old.count || isUnseen(old, boid)) break;
        const raw = placeBetween(old, old, boid, 1, period, imageCentre);
        const end = raw.map((c, k) => last[k]! + nearest(c - last[k]!, period[k]!)) as Vec3;
        const strength = (left: number, depth: number): number => {
          const seen = far + (1 - far) * nearness(shot, depth);
          const fading = Math.max(0, 1 - (left + part - 1) / most);
          return 0.62 * fading ** 1.4 * (seen + flock.keeps * (1 - seen));
        };
        const [a, b] = [projection.point(last, 0), projection.point(end, 0)];
        if (a.z > shot.near && b.z > shot.near) {
          a.s = Math.min(1, strength(age, a.z));
          b.s = Math.min(1, strength(age + 1, b.z));
          pixels.line(a, b, colour);
        }
        last = raw;
      }
    }
  }
}
