/** The interface of the renderers, WebGL 2, WebGPU and software, and what they are given to draw. */

import type { Shot } from "../camera/projection";
import { Backdrop } from "./backdrop";
import { dartLength, type Look } from "../look/styles";
import type { Frame, Vec3 } from "../wire/frame";
import type { DeviceBoids } from "../webgpu/deviceboids";
import type { ObstacleInfo, SceneCore } from "../wire/contracts";
import type { ColourBy } from "../look/styles";

/** Everything about a picture that the user may change. */
export interface Picture {
  look: Look;
  /** The scenery, for renderers whose canvas is not seen through. */
  backdrop: Backdrop;
  colourBy: ColourBy;
  /** The place in the scene's `per_boid` of the number that colours show, and the range that they run over. */
  which: number;
  lowest: number;
  highest: number;
  cyclic: boolean;
  trails: number;
  box: boolean;
  /** Speeds between which colours run. */
  slowest: number;
  fastest: number;
  /** Neighbours at which the colours end. */
  crowd: number;
  /** How much larger than framed; darts grow with a part of it. */
  magnified: number;
}

export function firstPicture(look: Look): Picture {
  return {
    look, backdrop: new Backdrop(), colourBy: "flock", which: -1, lowest: 0, highest: 1, cyclic: false, trails: 0, box: true,
    slowest: 0, fastest: 1, crowd: 16, magnified: 1,
  };
}

export interface Drawing {
  shot: Shot;
  picture: Picture;
  part: number;
  /** Images nearest to this point are drawn on a torus. */
  imageCentre: Vec3;
  /** Whether the camera is tied to the space. */
  fixed: boolean;
  /** The side of the picture that darts are in proportion to, in pixels of the page. */
  side: number;
}

export interface Renderer {
  /** Drawn with WebGL or WebGPU, or by the processor on a 2-D canvas. */
  readonly kind: "gl" | "webgpu" | "canvas";
  readonly canvas: HTMLCanvasElement;
  enter(scene: SceneCore): void;
  setObstacles(obstacles: ObstacleInfo[]): void;
  /** Two frames to draw between; `cut` forgets the trails. */
  show(before: Frame, now: Frame, cut: boolean): void;
  /** The same of two states on a graphics card, if it draws from there. */
  showDevice?(boids: DeviceBoids, cut: boolean): void;
  resize(width: number, height: number, density: number): void;
  draw(drawing: Drawing): void;
  dispose(): void;
}

/** The length of a dart at the target, in pixels of the page. */
export function dartPixels(scene: SceneCore, drawing: Drawing, count: number): number {
  const { shot, picture } = drawing;
  const own = scene.view.boid_size ?? 0;
  if (own > 0) return (own * shot.focal) / shot.distance;
  const unit = Math.max(0.6, drawing.side / 720);
  return dartLength(count) * Math.min(1.6, unit) * picture.magnified ** 0.6;
}

