/** The tool that draws one kind of thing: press and drag, or a click for each corner of a path. */

import type { Pixel, PointerTool } from "../scene/pointer";
import { project } from "../camera/projection";
import type { Viewport } from "../scene/viewport";
import type { Vec3 } from "../wire/frame";
import { drawOutline } from "./outline";
import { drawPlane, longestSide, onPlane, planeOf } from "./plane";
import type { Drawing, Kind } from "./shapes";

const MAX_POINTS = 64; // of a path
const NEAR = 12; // pixels within which a corner is where the path began, or where the last one is

export class DrawTool implements PointerTool {
  readonly name = "draw";
  private readonly drawing: Drawing;
  private pressed = false;
  /** Corners of a path that were clicked; the pointer is at the one behind them. */
  private corners: Vec3[] = [];

  constructor(
    private readonly viewport: Viewport,
    readonly kind: Kind,
    private readonly finished: (drawing: Drawing) => void,
  ) {
    const { scene } = viewport;
    const stands = kind === "sphere" || kind === "box" || kind === "wall";
    const [flat, side] = [scene.dims === 2, longestSide(scene.space)];
    this.drawing = { kind, points: [], plane: planeOf(viewport, stands), flat, side, closed: false };
    viewport.overlay.sketch = this;
    viewport.redraw();
  }

  get yields(): boolean {
    return !this.begun;
  }

  /** A drawing has begun. */
  get begun(): boolean {
    return this.pressed || this.corners.length > 0;
  }

  down(at: Pixel): void {
    const point = this.pointAt(at);
    if (!point) return;
    if (this.kind === "path") return this.corner(point, at);
    this.pressed = true;
    this.drawing.points = [point];
    this.viewport.redraw();
  }

  move(at: Pixel): void {
    const point = this.pointAt(at);
    if (!point || !this.begun) return;
    this.drawing.points = this.kind === "path" ? [...this.corners, point] : [this.drawing.points[0]!, point];
    this.viewport.redraw();
  }

  up(at: Pixel): void {
    if (!this.pressed) return;
    this.move(at);
    this.finish();
  }

  /** The second press of two has ended a path; the camera stays as it is. */
  twice(): void {}

  /** The drawing is complete. */
  finish(): void {
    const { drawing, corners } = this;
    if (this.kind === "path") drawing.points = corners;
    this.pressed = false;
    this.corners = [];
    if (drawing.points.length > 0) this.finished({ ...drawing });
    drawing.points = [];
    drawing.closed = false;
    this.viewport.redraw();
  }

  /** Cancel the drawing. */
  giveUp(): void {
    this.pressed = false;
    this.corners = [];
    this.drawing.points = [];
    this.viewport.redraw();
  }

  leave(): void {
    if (this.kind !== "path") this.giveUp();
  }

  /** Put away. */
  dispose(): void {
    this.giveUp();
    this.viewport.overlay.sketch = null;
    this.viewport.redraw();
  }

  /** On the overlay, with the plane that it is drawn on. */
  draw(pen: CanvasRenderingContext2D): void {
    const { shot, scene, picture } = this.viewport;
    const { drawing } = this;
    if (!drawing.flat) drawPlane(pen, shot, picture.look, scene.space, drawing.plane);
    if (drawing.points.length > 0) drawOutline(pen, shot, picture.look, scene.space, drawing);
  }

  private pointAt({ x, y }: Pixel): Vec3 | null {
    const { shot, scene } = this.viewport;
    return onPlane(shot, scene.space, this.drawing.plane, x, y);
  }

  private near(at: Pixel, point: Vec3 | undefined): boolean {
    if (!point) return false;
    const place = project(this.viewport.shot, point);
    return Math.hypot(place.x - at.x, place.y - at.y) < NEAR;
  }

  /** One corner more; a click on the first one closes the path, one on the last one ends it. */
  private corner(point: Vec3, at: Pixel): void {
    const { corners } = this;
    if (corners.length > 2 && this.near(at, corners[0])) {
      this.drawing.closed = true;
      return this.finish();
    }
    if (this.near(at, corners.at(-1))) return corners.length > 1 ? this.finish() : undefined; // pressed twice
    corners.push(point);
    this.drawing.points = [...corners];
    this.viewport.redraw();
    if (corners.length === MAX_POINTS) this.finish();
  }
}
