/** Drawing in the live view: the palette, sending what is drawn to Python, and deleting what is selected: a part of
 * the model, or a boid of a small flock. */

import { flockOf } from "../page/actions";
import type { Changes } from "../page/changes";
import { nameOf } from "../controls/specs";
import type { Hand } from "../scene/pointertools";
import type { LiveView } from "../page/livepart";
import type { HandleInfo, SceneMessage } from "../wire/contracts";
import type { PageMessage, ReplyMessage } from "../wire/messages";
import { DrawTool } from "./drawtool";
import { Ghosts } from "./ghosts";
import { Palette } from "./palette";
import type { PartsChanged } from "./parts";
import { shapeOf, type Drawing as Drawn, type Kind } from "./shapes";
import { t, tm } from "../words";

export interface DrawingLive extends Pick<LiveView, "requests" | "shell" | "viewport" | "scene"> {
  readonly hand: Hand;
  /** A boid is chosen, or none. */
  pick(boid: number | null): void;
}

const SMALL = 20; // boids: single boids can be removed from flocks up to this size

export class Drawing {
  private readonly bar: Palette;
  private tool: DrawTool | null = null;
  private name = "";
  private readonly ghosts: Ghosts;
  /** Commands of keys and buttons. */
  readonly acts = {
    draw: () => {
      if (this.live.scene?.can?.draw) this.open(this.bar.element.hidden === true);
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
    this.ghosts = new Ghosts(() => live.viewport, live.shell.notices);
    this.bar = new Palette((kind) => this.take(kind), () => this.remove(), () => this.open(false));
  }

  /** To be put into the page. */
  get palette(): HTMLElement {
    return this.bar.element;
  }

  private open(open: boolean): void {
    if (!open) this.take(null);
    else if (this.live.shell.narrow) this.closePanel(); // it lies where the palette is
    if (open && this.bar.element.hidden) this.prepare("obstacle");
    this.bar.element.hidden = !open;
    this.opened(open);
  }

  /** A scene comes, before it is shown. */
  entering(scene: SceneMessage): void {
    if (scene.name !== this.name) this.ghosts.settle();
    else this.ghosts.enter(this.live.scene, scene);
  }

  /** What the program is busy with; nothing: what was drawn acts. */
  busy(what: string): void {
    this.ghosts.busy(what);
  }

  /** Another scene: what it cannot have drawn has no palette. */
  enter(scene: SceneMessage): void {
    if (scene.name !== this.name) this.take(null);
    this.name = scene.name;
    this.bar.enter(scene.dims === 2, scene.can?.kinds);
    if (scene.can?.draw !== true) this.open(false);
    const { overlay } = this.live.viewport!;
    if (!overlay.handles.some(({ path }) => path === overlay.selected)) this.select(null);
  }

  /** A handle was pressed, or none. */
  select(handle: HandleInfo | null): void {
    this.live.viewport!.overlay.selected = handle?.path ?? null;
    this.showSelected();
    this.live.viewport!.redraw();
  }

  /** The palette shows what Delete would remove. */
  showSelected(): void {
    const { viewport, scene } = this.live;
    const { selected } = viewport!.overlay;
    const boid = this.boid;
    const flock = boid && scene!.flocks.find(({ name }) => name === boid[0]);
    this.bar.select(selected ? nameOf(partOf(selected)) : flock && flock.count <= SMALL ? boid!.join(" ") : null);
  }

  /** The chosen boid: its flock, and its number there. */
  private get boid(): [flock: string, boid: number] | null {
    const { viewport, scene } = this.live;
    return viewport && scene && viewport.chosen !== null ? flockOf(scene, viewport.selection.boid) : null;
  }

  /** Delete what is selected. Returns whether anything was. */
  private remove(): boolean {
    const path = this.live.viewport?.overlay.selected;
    if (!path) return this.boid !== null && this.removeBoid(...this.boid);
    this.select(null);
    void this.send({ type: "edit", values: { [partOf(path)]: null }, places: {} });
    return true;
  }

  /** The chosen boid leaves a small flock. */
  private removeBoid(flock: string, boid: number): boolean {
    const { scene, viewport, shell } = this.live;
    if (scene!.can?.change === false) return false;
    const { count } = scene!.flocks.find(({ name }) => name === flock)!;
    if (count > SMALL) {
      shell.notices.say(t("{flock} has {count} boids. Single boids can be removed from flocks of up to {small}; for larger flocks, change the number in the panel.", { flock: tm(flock), count, small: SMALL }), { level: "info", about: "drawing" });
      return true;
    }
    const position = viewport!.positionOf(viewport!.chosen!)!.slice(0, scene!.dims);
    this.live.pick(null);
    void this.send({ type: "remove", flock, boid }).then((changed) => changed && this.changes.placed(changed, position));
    return true;
  }

  /** Enter: a path is complete. */
  private finish(): boolean {
    if (!this.tool?.begun) return false;
    this.tool.finish();
    return true;
  }

  /** Escape cancels the drawing, then the tool, then the palette. Returns whether there was one. */
  private escape(): boolean {
    if (this.tool?.begun) this.tool.giveUp();
    else if (this.tool) this.take(null);
    else if (!this.bar.element.hidden) this.open(false);
    else return false;
    return true;
  }

  /** What a drawn part needs may have to be compiled, while the flock goes on. */
  private prepare(part: "obstacle" | "goal" | "predator"): void {
    void this.live.requests.send({ type: "prepare", part });
  }

  private take(kind: Kind | null): void {
    if (kind === "goal" || kind === "predator") this.prepare(kind);
    const { viewport, hand } = this.live;
    this.tool?.dispose();
    this.tool = kind && viewport ? new DrawTool(viewport, kind, (drawn) => void this.finished(drawn)) : null;
    hand.draw(this.tool);
    this.bar.show(kind);
  }

  private async finished(drawn: Drawn): Promise<void> {
    const shape = shapeOf(drawn);
    if (!shape) return;
    this.ghosts.add(drawn);
    const place = shape.kind === "predator";
    const reply = await this.live.requests.send(place ? { type: "place", position: shape.position } : { type: "draw", shape });
    const changed = this.taken(reply);
    if (!changed) return this.ghosts.drop(drawn);
    this.ghosts.accept(drawn, reply.compiling === true);
    if (place) this.changes.placed(changed, shape.position);
    else this.selectPart(Object.keys(changed)[0]!);
  }

  private selectPart(part: string): void {
    const handle = this.live.viewport!.overlay.handles.find(({ path }) => partOf(path) === part);
    if (handle) this.select(handle);
  }

  /** Has Python change the model; what changed can be undone. */
  private async send(message: PageMessage): Promise<PartsChanged | null> {
    return this.taken(await this.live.requests.send(message));
  }

  private taken(reply: ReplyMessage): PartsChanged | null {
    if (!reply.ok || !reply.changed) return null;
    this.changes.edited(reply.changed);
    return reply.changed;
  }
}

/** The part of the model that a path leads into. */
const partOf = (path: string): string => path.split(".").slice(0, 2).join(".");
