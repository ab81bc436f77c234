/** Shooing and calling: boids turn away from the pointer, or towards it. */

import { project } from "../camera/projection";
import { periodOf } from "./period";
import { depthNear, pointUnder } from "./pick";
import type { Pixel, PointerTool } from "./pointer";
import type { Viewport } from "./viewport";
import type { Vec3 } from "../wire/frame";

const APART = 50; // milliseconds between two places of the pointer
// Of the picture's smaller side: boids are called from farther than they are shooed.
const REACH = { shoo: 0.11, call: 0.22 };

export type Beckoning = keyof typeof REACH;

export class ShooTool implements PointerTool {
  readonly yields = false;
  private last = 0;

  constructor(
    readonly name: Beckoning,
    private readonly viewport: Viewport,
    private readonly send: (position: Vec3 | null, radius: number, call: boolean) => void,
  ) {}

  down(at: Pixel): void {
    this.last = 0;
    this.move(at);
  }

  move(at: Pixel): void {
    const { viewport } = this;
    const time = performance.now();
    if (!viewport.moment || time - this.last < APART) return;
    this.last = time;
    const { shot, camera, scene } = viewport;
    const reach = REACH[this.name] * Math.min(shot.width, shot.height);
    const depth = depthNear(shot, viewport.moment, periodOf(scene), camera.imageCentre, at.x, at.y, 1.5 * reach);
    const position = pointUnder(shot, scene.dims === 2, at.x, at.y, depth);
    const radius = (reach * project(shot, position).depth) / shot.focal;
    viewport.overlay.shoo = { at: position, radius };
    this.send(position, radius, this.name === "call");
    viewport.redraw();
  }

  up(): void {
    this.leave();
  }

  leave(): void {
    if (!this.viewport.overlay.shoo) return;
    this.viewport.overlay.shoo = null;
    this.send(null, 1, false);
    this.viewport.redraw();
  }
}
