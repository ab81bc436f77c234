/** Mouse, pen and touch input on the scene. */

import { project, type Shot } from "../camera/projection";
import { pointUnder } from "./pick";
import type { Viewport } from "./viewport";
import type { Vec3 } from "../wire/frame";
import type { HandleInfo } from "../wire/contracts";

export interface PointerCalls {
  choose?(boid: number | null): void;
  /** A handle is dragged; `done` at the end. */
  handle?(handle: HandleInfo, position: Vec3, done: boolean): void;
  /** A handle was pressed; null: something else was. */
  select?(handle: HandleInfo | null): void;
  /** A boid of a flock drawn large is dragged. */
  move?(boid: number, position: Vec3): void;
}

/** A pixel of the scene. */
export interface Pixel {
  x: number;
  y: number;
}

/** What the pointer does instead of turning the scene and choosing boids. */
export interface PointerTool {
  /** Class of the scene while it is in use. */
  readonly name: string;
  /** A mark or a large boid under the pointer is dragged instead. */
  readonly yields: boolean;
  down(at: Pixel): void;
  move(at: Pixel, pressed: boolean): void;
  up(at: Pixel): void;
  /** Pressed twice. */
  twice?(): void;
  /** The pointer has left, or a second finger came, or the tool is put away. */
  leave(): void;
}

type Drag =
  | { kind: "turn" | "pan"; moved: number }
  | { kind: "handle"; handle: HandleInfo; depth: number }
  | { kind: "boid"; boid: number; depth: number; moved: number }
  | { kind: "tool"; tool: PointerTool }
  | { kind: "pinch"; span: number; x: number; y: number };

const CLICK = 4; // pixels of motion under which a press chooses, and drags nothing

export class Pointer {
  private tool: PointerTool | null = null;
  private drag: Drag | null = null;
  private readonly fingers = new Map<number, Pixel>();

  constructor(
    private readonly viewport: Viewport,
    private readonly calls: PointerCalls,
  ) {
    const { element } = viewport;
    element.addEventListener("pointerdown", (event) => this.down(event));
    element.addEventListener("pointermove", (event) => this.go(event));
    element.addEventListener("pointerup", (event) => this.up(event));
    element.addEventListener("pointercancel", (event) => this.up(event));
    element.addEventListener("pointerleave", () => this.tool?.leave());
    element.addEventListener("contextmenu", (event) => event.preventDefault());
    element.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    element.addEventListener("dblclick", () => (this.tool?.twice ? this.tool.twice() : viewport.camera.reset()));
  }

  /** Select a tool; null: none. */
  use(tool: PointerTool | null): void {
    const { classList } = this.viewport.element;
    if (this.tool) {
      this.tool.leave();
      classList.remove("tool", this.tool.name);
    }
    this.tool = tool;
    if (tool) classList.add("tool", tool.name);
  }

  private at(event: MouseEvent): Pixel {
    const box = this.viewport.element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  private down(event: PointerEvent): void {
    const { viewport } = this;
    const at = this.at(event);
    this.fingers.set(event.pointerId, at);
    try {
      viewport.element.setPointerCapture(event.pointerId);
    } catch {
      // A pointer that has left already cannot be captured; nothing is lost.
    }
    if (this.fingers.size === 2) {
      this.tool?.leave();
      this.drag = { kind: "pinch", ...this.pinch() };
      return;
    }
    const shot = viewport.shot;
    const grabs = event.button === 0 && !event.shiftKey && this.tool?.yields !== false;
    if (grabs && (this.drag = this.grab(at, shot))) {
      viewport.element.classList.add("moving");
    } else if (this.tool && event.button === 0) {
      this.drag = { kind: "tool", tool: this.tool };
      this.tool.down(at);
    } else {
      const pan = event.button !== 0 || event.shiftKey || viewport.scene.dims === 2;
      this.drag = { kind: pan ? "pan" : "turn", moved: 0 };
      viewport.element.classList.add("moving");
    }
  }

  /** A handle or a large boid under the pointer. */
  private grab(at: Pixel, shot: Shot): Drag | null {
    const { viewport } = this;
    const handle = this.calls.handle ? viewport.overlay.handleAt(shot, at.x, at.y) : null;
    this.calls.select?.(handle);
    if (handle) {
      const depth = project(shot, handle.position as Vec3).depth;
      viewport.overlay.hot = handle.path;
      return { kind: "handle", handle, depth };
    }
    if (!this.calls.move) return null;
    const ranges = viewport.rows.ranges;
    for (const [k, flock] of viewport.scene.flocks.entries()) {
      if (flock.scale > 1) {
        const { first, count } = ranges[k] ?? { first: 0, count: 0 };
        const boid = viewport.pick(at.x, at.y, 16, first, count);
        const place = boid === null ? null : viewport.positionOf(boid);
        if (boid !== null && place) return { kind: "boid", boid, depth: project(shot, place).depth, moved: 0 };
      }
    }
    return null;
  }

  private go(event: PointerEvent): void {
    const { viewport } = this;
    const at = this.at(event);
    const before = this.fingers.get(event.pointerId);
    if (before) this.fingers.set(event.pointerId, at);
    const { drag } = this;
    if (!drag || !before) return this.hover(at);
    const [dx, dy] = [at.x - before.x, at.y - before.y];
    const flat = viewport.scene.dims === 2;
    switch (drag.kind) {
      case "pinch": {
        const now = this.pinch();
        viewport.camera.zoomBy(viewport.shot, now.span / Math.max(1, drag.span), now.x, now.y);
        viewport.camera.panBy(viewport.shot, now.x - drag.x, now.y - drag.y);
        this.drag = { kind: "pinch", ...now };
        break;
      }
      case "handle": {
        const position = pointUnder(viewport.shot, flat, at.x, at.y, drag.depth);
        drag.handle.position = position;
        this.calls.handle?.(drag.handle, position, false);
        break;
      }
      case "boid":
        drag.moved += Math.abs(dx) + Math.abs(dy);
        if (drag.moved < CLICK) break;
        this.calls.move?.(drag.boid, pointUnder(viewport.shot, flat, at.x, at.y, drag.depth));
        break;
      case "tool":
        drag.tool.move(at, true);
        break;
      default:
        drag.moved += Math.abs(dx) + Math.abs(dy);
        if (drag.moved < CLICK) break;
        if (drag.kind === "pan") viewport.camera.panBy(viewport.shot, dx, dy);
        else viewport.camera.orbit(0.35 * dx, 0.3 * dy);
    }
    viewport.redraw();
  }

  private up(event: PointerEvent): void {
    const { viewport, drag } = this;
    const at = this.at(event);
    this.fingers.delete(event.pointerId);
    if (drag?.kind === "pinch") {
      // The remaining finger continues as if it had just been pressed, but does not choose.
      this.drag = this.fingers.size > 0 ? { kind: viewport.scene.dims === 2 ? "pan" : "turn", moved: 99 } : null;
      return;
    }
    this.drag = null;
    viewport.element.classList.remove("moving");
    if (!drag) return;
    if (drag.kind === "handle") {
      this.calls.handle?.(drag.handle, drag.handle.position as Vec3, true);
      viewport.overlay.hot = null;
    }
    if (event.type === "pointercancel") return;
    if (drag.kind === "tool") drag.tool.up(at);
    else if ("moved" in drag && drag.moved < CLICK && event.button === 0) {
      const reach = event.pointerType === "touch" ? 28 : 18;
      this.calls.choose?.(drag.kind === "boid" ? drag.boid : viewport.pick(at.x, at.y, reach));
    }
    viewport.redraw();
  }

  private hover(at: Pixel): void {
    const { viewport } = this;
    this.tool?.move(at, false);
    if (this.tool?.yields === false) return;
    const handle = this.calls.handle ? viewport.overlay.handleAt(viewport.shot, at.x, at.y) : null;
    if ((handle?.path ?? null) !== viewport.overlay.hot) {
      viewport.overlay.hot = handle?.path ?? null;
      viewport.element.classList.toggle("hot", handle !== null);
      viewport.redraw();
    }
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const { viewport } = this;
    const at = this.at(event);
    const lines = event.deltaMode === 1 ? 16 : 1;
    const factor = Math.exp(-Math.max(-200, Math.min(200, event.deltaY * lines)) * 0.0016);
    viewport.camera.zoomBy(viewport.shot, factor, at.x, at.y);
    viewport.redraw();
  }

  private pinch(): { span: number; x: number; y: number } {
    const [a, b] = [...this.fingers.values()];
    return { span: Math.hypot(a!.x - b!.x, a!.y - b!.y), x: (a!.x + b!.x) / 2, y: (a!.y + b!.y) / 2 };
  }
}
