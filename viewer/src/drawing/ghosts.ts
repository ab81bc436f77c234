/** What was drawn and does not act yet, because the rules are being compiled: dashed outlines in its
 * place, and a notice with a bar. */

import type { Notices } from "../ui/notices";
import type { Viewport } from "../scene/viewport";
import type { SceneMessage } from "../wire/contracts";
import { drawOutline } from "./outline";
import type { Drawing, Kind } from "./shapes";
import { mark, tv } from "../words";

const ABOUT = "compiling";
const WAITS: Record<Kind, string> = {
  sphere: mark("Compiling the rules. The obstacle acts when they are ready."), box: mark("Compiling the rules. The obstacle acts when they are ready."),
  wall: mark("Compiling the rules. The wall acts when they are ready."), path: mark("Compiling the rules. The path acts when they are ready."),
  goal: mark("Compiling the rules. The goal acts when they are ready."), predator: mark("Compiling the rules. The predator acts when they are ready."),
};

export class Ghosts {
  private readonly drawn = new Set<Drawing>();
  /** Obstacles among them. */
  readonly names = new Set<string>();
  private waiting = false;

  constructor(private readonly viewport: () => Viewport | null, private readonly notices: Pick<Notices, "say" | "clear">) {}

  /** It is drawn, and requested. */
  add(drawing: Drawing): void {
    this.drawn.add(drawing);
    this.show();
  }

  /** It was refused. */
  drop(drawing: Drawing): void {
    this.drawn.delete(drawing);
    this.show();
  }

  /** It was accepted. `compiling`: it acts once the rules are compiled. */
  accept(drawing: Drawing, compiling: boolean): void {
    if (!compiling) {
      this.drop(drawing);
      return this.drawn.size > 0 ? undefined : this.settle();
    }
    this.waiting = true;
    this.notices.say(tv(WAITS[drawing.kind]), { about: ABOUT, progress: null, sticky: true });
  }

  /** A scene comes: obstacles that are new in it are ghosts. */
  enter(before: SceneMessage | null, scene: SceneMessage): void {
    if (this.drawn.size === 0) return;
    const known = new Set((before?.obstacles ?? []).map(({ name }) => name));
    for (const { name } of scene.obstacles) if (!known.has(name)) this.names.add(name);
  }

  /** What the program is busy with; nothing: all that was drawn acts. */
  busy(what: string): void {
    if (what === "" && this.waiting) this.settle();
  }

  settle(): void {
    this.waiting = false;
    this.drawn.clear();
    this.notices.clear(ABOUT);
    this.names.clear();
    this.show();
    this.viewport()?.setObstacles();
  }

  private show(): void {
    const viewport = this.viewport();
    if (!viewport) return;
    viewport.overlay.ghosts = this.drawn.size > 0 ? this : null;
    viewport.redraw();
  }

  /** On the overlay. */
  draw(pen: CanvasRenderingContext2D): void {
    const { shot, scene, picture } = this.viewport()!;
    pen.setLineDash([6, 5]);
    for (const drawing of this.drawn) drawOutline(pen, shot, picture.look, scene.space, drawing);
    pen.setLineDash([]);
  }
}
