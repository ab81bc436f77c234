/** Drawing in the live view: the palette, what is drawn sent to Python, and what is selected deleted. */

import type { Changes } from "../changes";
import { nameOf } from "../controls/specs";
import type { Hand } from "../hand";
import type { LiveView } from "../livepart";
import type { HandleInfo, PageMessage, SceneMessage } from "../wire/messages";
import { DrawTool } from "./drawtool";
import { Palette } from "./palette";
import type { PartsChanged } from "./parts";
import { shapeOf, type Drawing as Drawn, type Kind } from "./shapes";

export interface DrawingLive extends Pick<LiveView, "requests" | "shell" | "viewport" | "scene"> {
  readonly hand: Hand;
}

export class Drawing {
  private readonly palette: Palette;
  private tool: DrawTool | null = null;
  private name = "";
  /** What keys and buttons ask for. */
  readonly acts = {
    draw: () => {
      if (this.live.scene?.can?.draw) this.open(this.palette.element.hidden === true);
    },
    remove: () => this.remove(),
    finish: () => this.finish(),
    escape: () => this.escape(),
  };

  constructor(
    private readonly live: DrawingLive,
    private readonly changes: Changes,
    /** The palette was opened or closed. */
    private readonly opened: (open: boolean) => void,
    private readonly closePanel: () => void,
  ) {
    this.palette = new Palette((kind) => this.take(kind), () => this.remove(), () => this.open(false));
    live.shell.dock.prepend(this.palette.element);
  }

  private open(open: boolean): void {
    if (!open) this.take(null);
    else if (this.live.shell.narrow) this.closePanel(); // it lies where the palette is
    this.palette.element.hidden = !open;
    this.opened(open);
  }

  /** Another scene: what it cannot have drawn has no palette. */
  enter(scene: SceneMessage): void {
    if (scene.name !== this.name) this.take(null);
    this.name = scene.name;
    this.palette.enter(scene.dims === 2);
    if (scene.can?.draw !== true) this.open(false);
    const { overlay } = this.live.viewport!;
    if (!overlay.handles.some(({ path }) => path === overlay.selected)) this.select(null);
  }

  /** A handle was pressed, or none. */
  select(handle: HandleInfo | null): void {
    const { overlay } = this.live.viewport!;
    overlay.selected = handle?.path ?? null;
    this.palette.select(handle && nameOf(partOf(handle.path)));
    this.live.viewport!.redraw();
  }

  /** Deletes what is selected; whether anything was. */
  private remove(): boolean {
    const path = this.live.viewport?.overlay.selected;
    if (!path) return false;
    this.select(null);
    void this.send({ type: "edit", values: { [partOf(path)]: null } });
    return true;
  }

  /** Enter: a path is as long as it is to be. */
  private finish(): boolean {
    if (!this.tool?.begun) return false;
    this.tool.finish();
    return true;
  }

  /** Escape gives up what is begun, then the tool, then the palette; whether there was any. */
  private escape(): boolean {
    if (this.tool?.begun) this.tool.giveUp();
    else if (this.tool) this.take(null);
    else if (!this.palette.element.hidden) this.open(false);
    else return false;
    return true;
  }

  private take(kind: Kind | null): void {
    const { viewport, hand } = this.live;
    this.tool?.dispose();
    this.tool = kind && viewport ? new DrawTool(viewport, kind, (drawn) => void this.finished(drawn)) : null;
    hand.draw(this.tool);
    this.palette.show(kind);
  }

  private async finished(drawn: Drawn): Promise<void> {
    const shape = shapeOf(drawn);
    if (!shape) return;
    if (shape.kind === "predator") {
      const { position } = shape;
      const changed = await this.send({ type: "place", position });
      if (changed) this.changes.placed(changed, position);
      return;
    }
    const changed = await this.send({ type: "draw", shape });
    if (changed) this.selectPart(Object.keys(changed)[0]!);
  }

  private selectPart(part: string): void {
    const handle = this.live.viewport!.overlay.handles.find(({ path }) => partOf(path) === part);
    if (handle) this.select(handle);
  }

  /** Has Python change the model; what changed can be undone. */
  private async send(message: PageMessage): Promise<PartsChanged | null> {
    const reply = await this.live.requests.send(message);
    if (!reply.ok || !reply.changed) return null;
    this.changes.edited(reply.changed);
    return reply.changed;
  }
}

/** The part of the model that a path leads into. */
const partOf = (path: string): string => path.split(".").slice(0, 2).join(".");
