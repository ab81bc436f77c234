/** The live view: a flock that Python simulates, shown and changed over a channel. */

import { Requests } from "./requests";
import type { Channel, ChannelState } from "./channel/channel";
import { Relay } from "./channel/relay";
import { Actions, handlesOn, moveHandles, sameBoids } from "./actions";
import { hookOf } from "./hook";
import { bindKeys } from "./keys";
import { Changes } from "./changes";
import { ChosenBoid } from "./chosenboid";
import { Jobs } from "./jobs";
import { Drawing } from "./drawing/drawing";
import { Hand } from "./hand";
import { KeptPart } from "./keptpart";
import { Shell } from "./shell";
import { Feed } from "./state/feed";
import { Viewport, total } from "./viewport";
import { h } from "./ui/dom";
import { openHelp } from "./ui/help";
import { Panel } from "./ui/panel";
import type { LivePart } from "./livepart";
import { Transport } from "./ui/transport";
import { statusLine } from "./ui/statusline";
import { ViewRows, type ViewChoices } from "./ui/viewrows";
import { ViewSettings } from "./viewsettings";
import { decodeFrame } from "./wire/frame";
import type { PageMessage, Plain, SceneMessage, ServerMessage, StatusMessage } from "./wire/messages";

export class Live {
  readonly shell: Shell;
  readonly requests: Requests;
  private readonly actions: Actions;
  private readonly feed: Feed;
  private readonly panel: Panel;
  private readonly transport: Transport;
  private readonly view: ViewRows;
  private readonly boid: ChosenBoid;
  readonly kept: KeptPart;
  readonly channel: Relay;
  private readonly jobs: Jobs;
  viewport: Viewport | null = null;
  readonly hand: Hand;
  private readonly drawing: Drawing;
  scene: SceneMessage | null = null;
  readonly settings: ViewSettings;
  status: StatusMessage | null = null;
  private readonly unbind: () => void;
  private received = 0;
  private ended = false;
  readonly changes: Changes;

  constructor(
    root: HTMLElement,
    flight: Channel,
    private readonly options: { keys?: EventTarget; tools?: LivePart } = {},
  ) {
    this.shell = new Shell(root);
    const channel = (this.channel = new Relay(flight));
    this.changes = new Changes(() => this.scene, () => this.requests, () => this.panel, this.shell.notices);
    this.requests = new Requests(channel, (text, message) => this.changes.refused(text, message), (message) => this.changes.settled(message));
    this.actions = new Actions(channel, this.requests, () => this.scene, (path, value, done) => this.changes.set(path, value, done));
    this.feed = new Feed((frames) => this.channel.send({ type: "credit", frames }));
    this.settings = new ViewSettings(this.shell, () => this.view, () => this.viewport, (before, styled) => this.restyle(before, styled));
    this.view = new ViewRows((change) => this.settings.choose(change), { neighbours: true });
    this.boid = new ChosenBoid(this, (boid) => {
      this.actions.choose(boid);
      this.drawing.showSelected();
    });
    this.kept = new KeptPart(this);
    this.jobs = new Jobs(this.requests, this.shell);
    this.panel = new Panel(
      {
        change: (path, value, done) => this.changes.set(path, value, done),
        initial: (path) => this.scene?.defaults[path],
        switchRule: (rule, on) => this.changes.switchRule(rule, on),
        go: (side) => this.changes.go(side),
        open: (model) => this.tell({ type: "open", model }),
        film: () => this.jobs.film(this.scene),
        page: () => this.jobs.page(),
        copy: () => void this.jobs.copy(),
        reset: () => this.changes.reset(),
        close: () => this.openPanel(false),
        colourOf: (rule) => this.viewport?.ruleColour(rule) ?? "",
      },
      { settings: this.kept.rows.element, view: this.view.element },
      options.tools,
    );
    this.hand = new Hand((held) => this.transport.setBeckoning(held));
    this.drawing = new Drawing(this, this.changes, (open) => this.transport.setDrawing(open), () => this.openPanel(false));
    const acts = {
      toggle: () => this.tell({ type: this.status?.playing === false ? "play" : "pause" }),
      step: () => this.tell({ type: "step", steps: 1 }),
      restart: () => this.tell({ type: "restart" }),
      rate: (steps_per_second: number | null) => this.tell({ type: "rate", steps_per_second }),
      ...this.hand.acts,
      ...this.drawing.acts,
      home: () => this.settings.home(this.scene),
      charts: () => this.openCharts(this.shell.charts.element.hidden === true),
      panel: () => this.openPanel(!this.shell.panelOpen),
      help: () => openHelp(this.shell.frame),
    };
    this.transport = new Transport(acts);
    this.shell.left.append(this.boid.card.element, h("div", { class: "push" }), this.shell.charts.element);
    this.shell.dock.append(this.transport.element);
    this.shell.frame.append(this.panel.element);
    this.openPanel(!this.shell.narrow && this.shell.frame.clientWidth >= 860);
    this.openCharts(!this.shell.narrow && (!this.shell.panelOpen || this.shell.frame.clientWidth >= 1000));
    this.unbind = bindKeys(options.keys ?? this.shell.frame, {
      ...acts,
      go: (side) => this.scene?.can?.change !== false && this.changes.go(side),
      deselect: () => this.pick(null),
      choices: () => this.settings.choices,
      choose: (change) => this.settings.choose(change),
      viewport: () => this.viewport,
      neighbours: true,
    });
    const hook = hookOf(() => this.viewport, this.shell.charts, () => this.received, () => handlesOn(this.viewport), () => this.kept.comparison?.viewport ?? null);
    Object.defineProperty(root, "__murmurate", { value: hook, configurable: true });
    channel.onJson((message) => this.receive(message));
    channel.onState((state) => this.connection(state));
    channel.onBinary((data) => {
      this.received++;
      this.feed.push(decodeFrame(data), performance.now());
    });
  }

  dispose(): void {
    this.unbind();
    this.kept.comparison?.end();
    this.options.tools?.dispose();
    this.channel.close?.();
    this.shell.dispose();
  }

  pick(boid: number | null): void {
    this.boid.pick(boid);
  }

  private tell(message: PageMessage): void {
    void this.requests.send(message);
  }

  private receive(message: ServerMessage): void {
    switch (message.type) {
      case "scene": return this.enter(message);
      case "values": return this.setValues(message.values, message.off);
      case "obstacles":
        this.viewport?.setObstacles(message.obstacles);
        if (this.viewport && !this.viewport.overlay.hot) this.viewport.overlay.handles = message.handles;
        return;
      case "status": return this.setStatus(message);
      case "measures": return this.shell.charts.push(message.points, message.begin);
      case "boid": return this.boid.show(message);
      case "reply": return this.requests.resolve(message);
      case "notice": return this.shell.notices.receive(message);
      case "made": return this.jobs.receive(message);
      case "bye":
        this.ended = true;
        this.jobs.forget();
        return this.shell.showLost("The program has ended", message.reason ?? "");
    }
  }

  private enter(scene: SceneMessage): void {
    const fresh = this.scene?.name !== scene.name;
    const first = this.scene === null;
    const same = !fresh && sameBoids(this.scene, scene);
    if (!fresh) this.changes.told(scene.off);
    this.scene = scene;
    if (fresh) this.changes.forget();
    this.feed.enter(scene.scene);
    if (!this.viewport) {
      this.viewport = new Viewport(
        {
          take: (at, refresh) => this.feed.take(at, refresh),
          drawn: (isNew) => isNew && this.feed.drawn(),
        },
        scene,
      );
      this.hand.attach(this.viewport, {
        select: (handle) => this.drawing.select(handle),
        choose: (boid) => this.pick(boid),
        handle: (handle, position, done) => this.panel.setValues({ [handle.path]: this.actions.drag(handle, position, done) }),
        move: (boid, position) => this.actions.move(boid, position),
        shoo: (position, radius, call) => this.actions.shoo(position, radius, call),
      });
      this.shell.mount(this.viewport);
    } else {
      this.viewport.enter(scene, fresh);
    }
    if (!same) this.pick(null);
    this.viewport.overlay.rules = Object.keys({ ...scene.schemas, ...scene.formulas }).filter((p) => p.startsWith("rules.")).map((p) => p.slice(6));
    this.viewport.overlay.handles = scene.handles;
    this.shell.title.textContent = scene.title || scene.name;
    this.shell.layout();
    this.panel.enter(scene);
    this.transport.setAble(scene.can);
    this.drawing.enter(scene);
    this.settings.enter(scene, fresh);
    this.kept.entered(scene, fresh);
    if (first) this.options.tools?.attach(this);
  }

  /** Colours of another style, or other things to know of each boid. */
  private restyle(before: ViewChoices, styled: boolean): void {
    const neighbours = this.settings.choices.colourBy === "neighbours";
    if (neighbours !== (before.colourBy === "neighbours")) this.tell({ type: "extra", neighbours });
    if (styled) this.panel.recolour();
  }

  private setValues(values: Record<string, Plain>, off: string[]): void {
    if (!this.scene) return;
    this.panel.setOff(off);
    this.changes.told(off);
    this.scene.off = off;
    Object.assign(this.scene.values, values);
    // What the user holds in hand does not jump under the hand.
    const held = this.changes.inHand;
    this.panel.setValues(Object.fromEntries(Object.entries(values).filter(([path]) => path !== held)));
    if (this.viewport) moveHandles(this.viewport, values);
    this.kept.comparison?.tell();
  }

  private setStatus(status: StatusMessage): void {
    const before = this.status?.playing;
    this.status = status;
    this.transport.setPlaying(status.playing);
    this.transport.setRate(status.rate);
    this.panel.setTime(status.time);
    this.options.tools?.status(status);
    for (const viewport of this.shell.viewports) viewport.playing = status.playing;
    if (before !== undefined && before !== status.playing) this.shell.notices.announce(status.playing ? "playing" : "paused");
    const count = this.scene ? total(this.scene) : 0;
    this.shell.line.replaceChildren(...statusLine(status, count));
  }

  private connection(state: ChannelState): void {
    if (state === "open") {
      this.ended = false;
      this.shell.clearLost();
      if (this.settings.choices.colourBy === "neighbours") this.tell({ type: "extra", neighbours: true });
    } else if (state === "lost" && !this.ended) {
      this.jobs.forget();
      this.shell.showLost("Connection lost", "Trying to reach the program again …");
    }
  }

  private openPanel(open: boolean): void {
    this.shell.panelOpen = open;
    this.panel.element.classList.toggle("closed", !open);
    this.transport.setPanel(open);
    this.shell.layout();
  }

  private openCharts(open: boolean): void {
    this.shell.charts.element.hidden = !open;
    this.transport.setCharts(open);
    this.shell.charts.update();
    this.shell.layout();
  }
}
