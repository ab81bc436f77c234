/** A flight as it is shown and changed: its scene, panel, marks and history of changes, over a channel. A
 * page has one, or two side by side. */

import { Actions, moveHandles, sameBoids } from "./page/actions";
import { Changes } from "./page/changes";
import type { Channel } from "./channel/channel";
import { Relay } from "./channel/relay";
import { ChosenBoid } from "./page/chosenboid";
import { Drawing } from "./drawing/drawing";
import { Hand } from "./scene/pointertools";
import { Jobs } from "./page/jobs";
import { KeptPart } from "./page/keptsettings";
import type { LivePart } from "./page/livepart";
import { Requests } from "./page/requests";
import type { Shell } from "./page/shell";
import { Feed, type Moment } from "./state/feed";
import { h } from "./ui/dom";
import { Panel } from "./ui/panel";
import type { Transport } from "./ui/transport";
import { Viewport } from "./scene/viewport";
import type { ViewSettings } from "./scene/viewsettings";
import { decodeFrame } from "./wire/frame";
import type { Plain, SceneMessage, StatusMessage } from "./wire/contracts";
import type { PageMessage, ServerMessage } from "./wire/messages";

const OFFERS = 2; // of states on a device, after which a renderer draws from there or never will

/** The page around a flight. */
export interface FlightPage {
  readonly shell: Shell;
  readonly settings: ViewSettings;
  readonly transport: Transport;
  readonly status: StatusMessage | null;
  openPanel(open: boolean): void;
  /** The flight has a scene, the first one or another. */
  entered(scene: SceneMessage, fresh: boolean, first: boolean): void;
  /** Some of its numbers are others. */
  changed(): void;
  /** Its viewport is made: it is put on the page. */
  mount(viewport: Viewport): void;
}

export interface FlightOptions {
  /** 0: the page's own flight; 1: the one beside it. */
  side: 0 | 1;
  /** Whether kept settings can be compared. */
  comparable: boolean;
  tools?: LivePart | undefined;
}

export class FlightView {
  readonly channel: Relay;
  readonly requests: Requests;
  readonly changes: Changes;
  readonly panel: Panel;
  readonly boid: ChosenBoid;
  readonly kept: KeptPart;
  readonly jobs: Jobs;
  readonly hand: Hand;
  readonly drawing: Drawing;
  /** Where the panel has the rows of the view. */
  readonly viewSlot = h("div", {});
  viewport: Viewport | null = null;
  scene: SceneMessage | null = null;
  received = 0;
  readonly shell: Shell;
  readonly settings: ViewSettings;
  private readonly actions: Actions;
  private readonly feed: Feed;
  private offers = 0; // of states on a device to the renderer

  constructor(flight: Channel, private readonly page: FlightPage, readonly options: FlightOptions) {
    const shell = (this.shell = page.shell);
    this.settings = page.settings;
    const channel = (this.channel = new Relay(flight));
    this.changes = new Changes(() => this.scene, () => this.requests, () => this.panel, shell.notices);
    this.requests = new Requests(channel, (text, message) => this.changes.refused(text, message), (message) => this.changes.settled(message));
    this.actions = new Actions(channel, this.requests, () => this.scene, (path, value, done) => this.changes.set(path, value, done));
    this.feed = new Feed((frames) => channel.send({ type: "credit", frames }));
    this.boid = new ChosenBoid(this, (boid) => {
      this.actions.choose(boid);
      this.drawing.showSelected();
    });
    this.kept = new KeptPart(this);
    this.jobs = new Jobs(this.requests, shell);
    this.panel = new Panel(
      {
        change: (path, value, done) => this.changes.set(path, value, done),
        initial: (path) => this.scene?.defaults[path],
        now: (path) => this.changes.now(path),
        colour: (path) => this.settings.choose({ colourBy: path }),
        switchRule: (rule, on) => this.changes.switchRule(rule, on),
        go: (side) => this.changes.go(side),
        open: (model) => this.tell({ type: "open", model }),
        film: () => this.jobs.film(this.scene),
        page: () => this.jobs.page(),
        copy: () => void this.jobs.copy(),
        reset: () => this.changes.reset(),
        close: () => page.openPanel(false),
        colourOf: (rule) => this.viewport?.ruleColour(rule) ?? "",
      },
      { settings: this.kept.rows.element, view: this.viewSlot },
      options.tools,
    );
    this.hand = new Hand((held) => page.transport.setBeckoning(held));
    this.drawing = new Drawing(this, this.changes, (open) => page.transport.setDrawing(open), () => page.openPanel(false));
    channel.onBinary((data) => {
      this.received++;
      this.feed.push(decodeFrame(data), performance.now());
    });
  }

  get comparable(): boolean {
    return this.options.comparable;
  }

  get status(): StatusMessage | null {
    return this.page.status;
  }

  /** What shows this flight's boids: a twin has the same ones. */
  get viewports(): Viewport[] {
    return [this.viewport, this.kept.comparison?.viewport ?? null].filter((one) => one !== null);
  }

  tell(message: PageMessage): void {
    void this.requests.send(message);
  }

  pick(boid: number | null): void {
    this.boid.pick(boid);
  }

  receive(message: ServerMessage): void {
    switch (message.type) {
      case "scene": return this.enter(message);
      case "values": return this.setValues(message.values, message.off);
      case "obstacles":
        this.viewport?.setObstacles(message.obstacles);
        if (this.viewport && !this.viewport.overlay.hot) this.viewport.overlay.handles = message.handles;
        return;
      case "measures": return this.shell.charts.push(message.points, message.begin, this.options.side);
      case "boid": return this.boid.show(message);
      case "reply": return this.requests.resolve(message);
      case "notice": return this.shell.notices.receive(message);
      case "made": return this.jobs.receive(message);
    }
  }

  private enter(scene: SceneMessage): void {
    const fresh = this.scene?.name !== scene.name;
    const first = this.scene === null;
    const same = !fresh && sameBoids(this.scene, scene);
    if (!fresh) this.changes.noteWeights(scene.off);
    this.drawing.entering(scene);
    this.scene = scene;
    if (fresh) this.changes.forget();
    this.feed.enter(scene.scene, scene.flocks.map((flock) => flock.max_boids));
    if (this.viewport) this.viewport.enter(scene, fresh);
    else this.show(scene);
    const { overlay } = this.viewport!;
    if (!same) this.pick(null);
    overlay.rules = Object.keys({ ...scene.schemas, ...scene.formulas }).filter((p) => p.startsWith("rules.")).map((p) => p.slice(6));
    overlay.handles = scene.handles;
    this.shell.layout();
    this.panel.enter(scene);
    this.drawing.enter(scene);
    this.page.entered(scene, fresh, first);
  }

  private show(scene: SceneMessage): void {
    const viewport = (this.viewport = new Viewport(
      { take: (at, refresh) => this.take(at, refresh), drawn: (isNew) => isNew && this.feed.drawn() },
      scene,
    ));
    this.hand.attach(viewport, {
      select: (handle) => this.drawing.select(handle),
      choose: (boid) => this.pick(boid),
      handle: (handle, position, done) => this.panel.setValues({ [handle.path]: this.actions.drag(handle, position, done) }),
      move: (boid, position) => this.actions.move(viewport.rows.identity(boid), position),
      shoo: (position, radius, call) => this.actions.shoo(position, radius, call),
    });
    viewport.selection.left = (boid, frame) => this.boid.left(boid, frame);
    this.page.mount(viewport);
  }

  /** The moment to draw: by WebGPU, states on the device, unless they are drawn beside another flock's. */
  private take(at: number, refresh: number): Moment | null {
    const moment = this.feed.take(at, refresh);
    if (!moment || this.channel.between !== null) return moment;
    // A renderer that has not taken them will not.
    if (this.offers > OFFERS && this.viewport?.renderer.kind !== "webgpu") return moment;
    const boids = this.channel.flight.drawn?.(at, refresh);
    if (boids?.count !== moment.now.count) return moment;
    this.offers++;
    return { ...moment, boids };
  }

  private setValues(values: Record<string, Plain>, off: string[]): void {
    if (!this.scene) return;
    this.panel.setOff(off);
    this.changes.noteWeights(off);
    this.scene.off = off;
    Object.assign(this.scene.values, values);
    // A value that the user is dragging does not jump.
    this.panel.setValues(values, this.changes.inHand);
    if (this.viewport) moveHandles(this.viewport, values);
    this.kept.comparison?.updateCaption();
    this.page.changed();
  }

  dispose(): void {
    this.kept.comparison?.end();
    this.channel.close();
  }
}
