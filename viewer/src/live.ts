/** The live view: a flock that is simulated in Python or in a worker, shown and changed over a channel; or two of
 * them side by side. */

import { handlesOn } from "./page/actions";
import { makeBare, type Bare } from "./page/flockonly";
import type { Channel, ChannelState } from "./channel/channel";
import { TwoFlocks } from "./compare/twoflocks";
import { FlightView, type FlightPage } from "./flightview";
import { hookOf } from "./page/testhook";
import { bindKeys } from "./page/keys";
import type { LivePart } from "./page/livepart";
import { startsPaused } from "./page/motion";
import { Shell } from "./page/shell";
import { BoidTable, showAfterDrawing, tableButton } from "./ui/boidtable";
import { h } from "./ui/dom";
import { openHelp, type Able } from "./ui/help";
import { joinedAndLeft, statusLine } from "./ui/statusline";
import { Transport } from "./ui/transport";
import { ViewRows, type ViewChoices } from "./ui/viewrows";
import type { Viewport } from "./scene/viewport";
import { ViewSettings } from "./scene/viewsettings";
import { rowOf, type Identity } from "./wire/frame";
import type { SceneMessage, StatusMessage } from "./wire/contracts";
import type { ServerMessage } from "./wire/messages";
import { t, tm } from "./words";

export interface LiveOptions {
  keys?: EventTarget;
  tools?: LivePart;
  /** Begins the flight of another flock, to be shown beside. */
  beside?: (() => Channel) | undefined;
  /** Nothing is shown but the flock. */
  bare?: Bare | null;
}

export class Live implements FlightPage {
  readonly shell: Shell;
  readonly settings: ViewSettings;
  readonly transport: Transport;
  readonly main: FlightView;
  status: StatusMessage | null = null;
  /** What else hears the messages of the page's own flight. */
  readonly heard: ((message: ServerMessage) => void)[] = [];
  private two: TwoFlocks | null = null;
  private readonly view: ViewRows;
  private readonly table = new BoidTable(() => this.openTable(false), (boid) => this.chooseBoid(boid));
  private readonly tableButton: HTMLButtonElement;
  private readonly unbind: () => void;
  private ended = false;
  private number = ""; // of each boid, which frames should contain

  constructor(root: HTMLElement, flight: Channel, private readonly options: LiveOptions = {}) {
    this.shell = new Shell(root);
    this.settings = new ViewSettings(this.shell, () => this.view, () => this.main.viewport, (before, styled) => this.restyle(before, styled));
    this.view = new ViewRows((change) => this.settings.choose(change), { neighbours: true });
    const main = (this.main = new FlightView(flight, this, { side: 0, comparable: !options.beside, tools: options.tools }));
    const acts = {
      toggle: () => main.tell({ type: this.status?.playing === false ? "play" : "pause" }),
      step: () => main.tell({ type: "step", steps: 1 }),
      restart: () => main.tell({ type: "restart" }),
      rate: (steps_per_second: number | null) => main.tell({ type: "rate", steps_per_second }),
      shoo: (on: boolean) => this.flights.forEach(({ hand }) => hand.acts.shoo(on)),
      call: (on: boolean) => this.flights.forEach(({ hand }) => hand.acts.call(on)),
      ...main.drawing.acts,
      remove: () => this.flights.some(({ drawing }) => drawing.acts.remove()),
      home: () => this.settings.home(main.scene),
      charts: () => this.openCharts(this.shell.charts.element.hidden === true),
      table: () => this.openTable(!this.table.open),
      panel: () => this.openPanel(!this.shell.panelOpen),
      help: () => openHelp(this.shell.frame, this.able),
    };
    this.transport = new Transport(acts);
    this.tableButton = tableButton(acts.table);
    main.viewSlot.append(this.view.element, this.tableButton);
    this.shell.left.append(main.boid.card.element, this.table.element, h("div", { class: "push" }), this.shell.charts.element);
    this.shell.dock.append(main.drawing.palette, this.transport.element);
    this.shell.frame.append(main.panel.element);
    const { bare } = options;
    if (bare) makeBare(this.shell);
    this.openPanel(!bare && !this.shell.narrow && this.shell.frame.clientWidth >= 860);
    this.openCharts(!bare && !this.shell.narrow && (!this.shell.panelOpen || this.shell.frame.clientWidth >= 1000));
    this.unbind = bindKeys(options.keys ?? this.shell.frame, {
      ...acts,
      go: (side) => this.current.scene?.can?.change !== false && this.current.changes.go(side),
      deselect: () => this.flights.forEach((one) => one.pick(null)),
      choices: () => this.settings.choices,
      choose: (change) => this.settings.choose(change),
      viewport: () => this.current.viewport,
      neighbours: true,
    });
    const hook = hookOf(
      () => main.viewport, this.shell.charts, () => main.received, () => handlesOn(main.viewport),
      () => main.kept.comparison?.viewport ?? this.two?.other.viewport ?? null,
    );
    Object.defineProperty(root, "__murmurate", { value: hook, configurable: true });
    main.channel.onJson((message) => this.receive(message));
    main.channel.onState((state) => this.connection(state));
  }

  /** What the flock that is shown allows, for the help. */
  private get able(): Able {
    const { can } = this.current.scene ?? {};
    const change = can?.change !== false;
    return { change, draw: change && can?.draw === true, compare: change && this.main.comparable, replay: false };
  }

  /** The page's own flight, and one of another flock beside it. */
  private get flights(): FlightView[] {
    return this.two ? [this.main, this.two.other] : [this.main];
  }

  /** The flight whose panel is shown. */
  private get current(): FlightView {
    return this.two?.current ?? this.main;
  }

  dispose(): void {
    this.unbind();
    this.two?.dispose();
    this.options.tools?.dispose();
    this.main.dispose();
    this.shell.dispose();
  }

  private receive(message: ServerMessage): void {
    for (const call of this.heard) call(message);
    if (message.type === "status") return this.setStatus(message);
    if (message.type === "reached") return this.options.tools?.reached(message);
    if (message.type !== "bye") return this.main.receive(message);
    this.ended = true;
    this.main.jobs.forget();
    this.shell.showLost(t("The program has ended"), message.reason ?? "");
  }

  mount(viewport: Viewport): void {
    this.shell.mount(viewport);
    if (!this.main.viewport || viewport === this.main.viewport) showAfterDrawing(this.table, viewport);
  }

  entered(scene: SceneMessage, fresh: boolean, first: boolean): void {
    this.shell.title.textContent = tm(scene.title) || scene.name;
    this.transport.setAble(scene.can);
    this.settings.enter(scene, fresh);
    this.main.kept.entered(scene, fresh);
    if (first && this.options.beside) {
      this.two = new TwoFlocks(this, this.options.beside(), this.view.element, () => this.options.tools?.attach(this.main, this.two!.other));
    } else if (first) this.options.tools?.attach(this.main);
    const hand = this.options.bare?.hand;
    if (first && hand) this.main.hand.acts[hand](true);
    this.two?.updateNames();
  }

  changed(): void {
    this.two?.sayNames();
  }

  /** Colours of another style, or other things to know of each boid. */
  private restyle(before: ViewChoices, styled: boolean): void {
    const { extra } = this.settings;
    if (extra.neighbours !== (this.settings.table || before.colourBy === "neighbours") || extra.number !== this.number) this.main.tell({ type: "extra", ...extra });
    this.number = extra.number;
    if (styled) for (const { panel } of this.flights) panel.recolour();
  }

  private setStatus(status: StatusMessage): void {
    const before = this.status?.playing;
    this.status = status;
    if (before === undefined && startsPaused()) this.startPaused(status);
    else if (status.playing && before === false) this.shell.clearPlay();
    this.transport.setPlaying(status.playing);
    this.transport.setRate(status.rate);
    this.main.panel.setTime(status.time);
    this.main.drawing.busy(status.busy);
    this.shell.notices.working("compiling", status.busy);
    this.options.tools?.status(status);
    for (const viewport of this.shell.viewports) viewport.playing = status.playing;
    if (before !== undefined && before !== status.playing) this.shell.notices.announce(status.playing ? t("playing") : t("paused"));
    const count = this.flights.reduce((sum, { viewport }) => sum + (viewport?.present ?? 0), 0);
    this.shell.line.replaceChildren(...statusLine(status, count, joinedAndLeft(this.flights)));
  }

  /** A flock that other pages show too goes on. */
  private startPaused({ playing, clients }: StatusMessage): void {
    if (playing && clients > 1) return;
    if (playing) this.main.tell({ type: "pause" });
    this.shell.offerPlay(() => this.main.tell({ type: "play" }));
  }

  private connection(state: ChannelState): void {
    if (state === "open") {
      this.ended = false;
      this.shell.clearLost();
      const { extra } = this.settings;
      if (extra.neighbours || extra.number) this.main.tell({ type: "extra", ...extra });
    } else if (state === "lost" && !this.ended) {
      this.main.jobs.forget();
      this.shell.showLost(t("Connection lost"), t("Reconnecting …"));
    }
  }

  openPanel(open: boolean): void {
    this.shell.panelOpen = open;
    for (const { panel } of this.flights) panel.element.classList.toggle("closed", !open || panel !== this.current.panel);
    this.transport.setPanel(open);
    this.shell.layout();
  }

  /** Show the table of boids, with neighbours: frames then hold how many each has. */
  private openTable(open: boolean): void {
    this.table.open = this.settings.table = open;
    this.tableButton.setAttribute("aria-pressed", String(open));
    this.main.tell({ type: "extra", ...this.settings.extra });
    this.main.viewport?.redraw();
    this.shell.layout();
  }

  private chooseBoid(boid: Identity): void {
    const { viewport, scene } = this.main;
    if (viewport?.frame && scene) this.main.pick(rowOf(viewport.frame, scene.flocks, boid));
  }

  private openCharts(open: boolean): void {
    this.shell.charts.element.hidden = !open;
    this.transport.setCharts(open);
    this.shell.charts.update();
    this.shell.layout();
  }
}
