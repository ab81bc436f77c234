/** The scenery behind a flock: a canvas under that of the renderer, whose sky is transparent. It is drawn again
 * only if the camera has moved, and with fewer pixels than the page has, so that it costs little. */

import { keyOf, paintLandscape, sceneryOf } from "../look/paintlandscape";
import { LOOKS, type Look } from "../look/styles";
import type { Shot } from "../camera/projection";
import type { SceneCore } from "../wire/contracts";
import type { Style } from "../look/styles";

const [WIDEST, HIGHEST] = [480, 720]; // pixels; the horizon and the ground change most from row to row
const COARSE = 0.4; // of the columns and rows, in a coarse picture

const looks = new Map<string, Look>();

/** The look of a style. With scenery its sky is transparent, like a sky of several colours. */
export function lookOf(style: Style, scene: SceneCore): Look {
  const look = LOOKS[style];
  if (sceneryOf(scene) === "none" || look.sky.length > 1) return look;
  const seen = looks.get(style) ?? { ...look, sky: [look.sky[0]!, look.sky[0]!], skyAt: [0, 1] };
  looks.set(style, seen);
  return seen;
}

export class Backdrop {
  readonly canvas = document.createElement("canvas");
  private readonly pen = this.canvas.getContext("2d", { alpha: false })!;
  private image = new ImageData(1, 1);
  private key = "";
  /** Number of paintings. */
  painted = 0;

  /** Its colours, 0xaabbggrr. */
  get colours(): Uint32Array {
    return new Uint32Array(this.image.data.buffer);
  }

  get width(): number {
    return this.image.width;
  }

  get height(): number {
    return this.image.height;
  }

  draw(scene: SceneCore, look: Look, shot: Shot, coarse: boolean): void {
    this.canvas.hidden = sceneryOf(scene) === "none";
    if (this.canvas.hidden) return;
    const key = `${keyOf(scene, shot)},${look.text.join()},${coarse}`;
    if (key === this.key) return;
    this.key = key;
    const share = coarse ? COARSE : 1;
    const [width, height] = [Math.min(shot.width, WIDEST), Math.min(shot.height, HIGHEST)].map((side) => Math.max(1, Math.round(share * side))) as [number, number];
    if (this.image.width !== width || this.image.height !== height) {
      this.image = new ImageData(width, height);
      [this.canvas.width, this.canvas.height] = [width, height];
    }
    // The sky is that of the plain style.
    paintLandscape(this.colours, width, height, scene, look, shot);
    this.pen.putImageData(this.image, 0, 0);
    this.painted++;
  }
}
