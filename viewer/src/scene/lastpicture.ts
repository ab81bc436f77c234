/** The last picture of a renderer, shown while nothing is drawn: it needs no graphics card. */

import type { Renderer } from "./renderer";

export class KeptPicture implements Renderer {
  readonly kind = "canvas";
  readonly canvas: HTMLCanvasElement;

  constructor(last: HTMLCanvasElement) {
    this.canvas = document.createElement("canvas");
    this.canvas.width = last.width;
    this.canvas.height = last.height;
    if (last.width > 0 && last.height > 0) this.canvas.getContext("2d")?.drawImage(last, 0, 0);
  }

  // Another size stretches the picture, until it is drawn again.
  enter(): void {}
  setObstacles(): void {}
  show(): void {}
  resize(): void {}
  draw(): void {}
  dispose(): void {}
}
