/** The live view: a flock that flies in Python, shown and steered over a channel. */

import { Asker } from "./asker";
import type { Channel, ChannelState } from "./channel/channel";
import { Hands, handlesOn, moveHandles, sameBoids } from "./hands";
import { hookOf } from "./hook";
import { bindKeys } from "./keys";
import { css } from "./look/colours";
import { Making } from "./making";
import { Pointer } from "./pointer";
import { Shell } from "./shell";
import { Feed } from "./state/feed";
import { Theatre, total } from "./theatre";
import { BoidCard } from "./ui/boidcard";
import { h } from "./ui/dom";
import { openHelp } from "./ui/help";
import { Panel } from "./ui/panel";
import { Transport } from "./ui/transport";
import { statusLine } from "./ui/statusline";
import { choicesOf, ViewRows, type ViewChoices } from "./ui/viewrows";
import { Viewing } from "./viewing";
import { decodeFrame } from "./wire/frame";
import type {
  PageMessage, Plain, SceneMessage, ServerMessage, StatusMessage,
} from "./wire/messages";

export class Live {
  private readonly shell: Shell;
  private readonly asker: Asker;
  private readonly hands: Hands;
  private readonly feed: Feed;
  private readonly panel: Panel;
  private readonly transport: Transport;
  private readonly view: ViewRows;
  private readonly card: BoidCard;
  private readonly making: Making;
  private theatre: Theatre | null = null;
  private pointer: Pointer | null = null;
  private scene: SceneMessage | null = null;
  private readonly viewing: Viewing;
  private status: StatusMessage | null = null;
  private readonly unbind: () => void;
  private received = 0;
  private ended = false;
  private editing: { path: string; until: number } | null = null;

  constructor(
    root: HTMLElement,
    private readonly channel: Channel,
    options: { keys?: EventTarget } = {},
  ) {
    this.shell = new Shell(root);
    this.asker = new Asker(channel, (text, message) => this.refused(text, message));
    this.hands = new Hands(channel, this.asker, () => this.scene);
    this.feed = new Feed((frames) => this.channel.send({ type: "credit", frames }));
    this.viewing = new Viewing(this.shell, () => this.view, () => this.theatre, (before, styled) => this.restyle(before, styled));
    this.view = new ViewRows((change) => this.viewing.choose(change), { neighbours: true });
    this.card = new BoidCard(() => this.pickBoid(null), () => this.viewing.choose({ follow: "boid" }));
    this.making = new Making(this.asker, this.shell);
    this.panel = new Panel(
      {
        change: (path, value, done) => {
          this.editing = { path, until: performance.now() + 700 };
          this.asker.set(path, value, done);
        },
        initial: (path) => this.scene?.defaults[path],
        switchRule: (rule, on) => this.tell({ type: "switch", rule, on }),
        open: (model) => this.tell({ type: "open", model }),
        film: () => this.making.film(this.scene),
        page: () => this.making.page(),
        copy: () => void this.making.copy(),
        reset: () => this.tell({ type: "reset" }),
        close: () => this.openPanel(false),
        colourOf: (rule) => this.ruleColour(rule),
      },
      this.view.element,
    );
    const acts = {
      toggle: () => this.tell({ type: this.status?.playing === false ? "play" : "pause" }),
      step: () => this.tell({ type: "step", steps: 1 }),
      restart: () => this.tell({ type: "restart" }),
      rate: (steps_per_second: number | null) => this.tell({ type: "rate", steps_per_second }),
      shoo: (on: boolean) => this.setShooing(on),
      home: () => this.viewing.home(this.scene),
      charts: () => this.openCharts(this.shell.charts.element.hidden === true),
      panel: () => this.openPanel(!this.shell.panelOpen),
      help: () => openHelp(this.shell.frame),
    };
    this.transport = new Transport(acts);
    this.shell.left.append(this.card.element, h("div", { class: "push" }), this.shell.charts.element);
    this.shell.frame.append(this.panel.element, this.transport.element);
    this.openPanel(!this.shell.narrow && this.shell.frame.clientWidth >= 860);
    this.openCharts(!this.shell.narrow);
    this.unbind = bindKeys(options.keys ?? this.shell.frame, {
      ...acts,
      letGo: () => this.pickBoid(null),
      choices: () => this.viewing.choices,
      choose: (change) => this.viewing.choose(change),
      theatre: () => this.theatre,
      neighbours: true,
    });
    const hook = hookOf(() => this.theatre, this.shell.charts, () => this.received, () => handlesOn(this.theatre));
    Object.defineProperty(root, "__murmurate", { value: hook, configurable: true });
    channel.onJson((message) => this.hear(message));
    channel.onState((state) => this.connection(state));
    channel.onBinary((data) => {
      this.received++;
      this.feed.push(decodeFrame(data), performance.now());
    });
  }

  dispose(): void {
    this.unbind();
    this.channel.close?.();
    this.shell.dispose();
  }

  private tell(message: PageMessage): void {
    void this.asker.ask(message);
  }

  private hear(message: ServerMessage): void {
    switch (message.type) {
      case "scene": return this.enter(message);
      case "values": return this.setValues(message.values, message.off);
      case "obstacles":
        this.theatre?.setObstacles(message.obstacles);
        if (this.theatre && !this.theatre.overlay.hot) this.theatre.overlay.handles = message.handles;
        return;
      case "status": return this.setStatus(message);
      case "measures": return this.shell.charts.push(message.points, message.begin);
      case "boid":
        if (!this.theatre || this.theatre.chosen === null) return;
        this.theatre.overlay.boid = message;
        this.card.show(message, this.theatre.overlay, this.theatre.picture.look);
        return this.theatre.redraw();
      case "reply": return this.asker.answer(message);
      case "notice": return this.shell.notices.hear(message);
      case "made": return this.making.hear(message);
      case "bye":
        this.ended = true;
        return this.shell.showLost("The program has ended", message.reason ?? "");
    }
  }

  private enter(scene: SceneMessage): void {
    const fresh = this.scene?.name !== scene.name;
    const same = !fresh && sameBoids(this.scene, scene);
    this.scene = scene;
    this.feed.enter(scene.scene);
    if (!this.theatre) {
      this.theatre = new Theatre(
        {
          take: (at, refresh) => this.feed.take(at, refresh),
          drawn: (isNew) => isNew && this.feed.drawn(),
        },
        scene,
      );
      this.pointer = new Pointer(this.theatre, {
        choose: (boid) => this.pickBoid(boid),
        handle: (handle, position, done) => {
          this.editing = { path: handle.path, until: performance.now() + 700 };
          this.panel.setValues({ [handle.path]: this.hands.drag(handle, position, done) });
        },
        move: (boid, position) => this.hands.move(boid, position),
        shoo: (position, radius) => this.hands.shoo(position, radius),
      });
      this.shell.stage(this.theatre);
    } else {
      this.theatre.enter(scene, fresh);
    }
    if (!same) this.pickBoid(null);
    this.theatre.overlay.rules = Object.keys({ ...scene.schemas, ...scene.formulas }).filter((p) => p.startsWith("rules.")).map((p) => p.slice(6));
    this.theatre.overlay.handles = scene.handles;
    this.shell.title.textContent = scene.title || scene.name;
    this.shell.layout();
    this.panel.enter(scene);
    this.transport.setShooable(scene.can?.change !== false);
    this.viewing.enter(scene, fresh);
  }

  /** Colours of another style, or other things to know of each boid. */
  private restyle(before: ViewChoices, styled: boolean): void {
    const neighbours = this.viewing.choices.colourBy === "neighbours";
    if (neighbours !== (before.colourBy === "neighbours")) this.tell({ type: "extra", neighbours });
    if (styled) this.panel.recolour();
  }

  private ruleColour(rule: string): string {
    const theatre = this.theatre;
    return theatre ? css(theatre.overlay.colourOf(rule, theatre.picture.look.arrows)) : "";
  }

  private setValues(values: Record<string, Plain>, off: string[]): void {
    if (!this.scene) return;
    this.panel.setOff(off);
    Object.assign(this.scene.values, values);
    // What the user holds in hand does not jump under the hand.
    const held = this.editing && performance.now() < this.editing.until ? this.editing.path : null;
    let shown = values;
    if (held !== null) shown = Object.fromEntries(Object.entries(values).filter(([path]) => path !== held));
    this.panel.setValues(shown);
    if (this.theatre) moveHandles(this.theatre, values);
  }

  private setStatus(status: StatusMessage): void {
    const before = this.status?.playing;
    this.status = status;
    this.transport.setPlaying(status.playing);
    this.transport.setRate(status.rate);
    this.panel.setTime(status.time);
    if (this.theatre) this.theatre.playing = status.playing;
    if (before !== undefined && before !== status.playing) this.shell.notices.whisper(status.playing ? "playing" : "paused");
    const count = this.scene ? total(this.scene) : 0;
    this.shell.line.replaceChildren(...statusLine(status, count));
  }

  private refused(text: string, message: PageMessage): void {
    this.shell.notices.say(text, { level: "error", about: "refused" });
    if (message.type !== "set" || !this.scene) return;
    // Show again what holds.
    for (const path of Object.keys(message.values)) {
      this.panel.setValues({ [path]: this.scene.values[path] ?? null });
    }
  }

  private connection(state: ChannelState): void {
    if (state === "open") {
      this.ended = false;
      this.shell.clearLost();
      if (this.viewing.choices.colourBy === "neighbours") this.tell({ type: "extra", neighbours: true });
    } else if (state === "lost" && !this.ended) {
      this.shell.showLost("Connection lost", "Trying to reach the program again …");
    }
  }

  private pickBoid(boid: number | null): void {
    const { theatre, scene } = this;
    if (!theatre || !scene) return;
    const had = theatre.chosen !== null;
    theatre.chosen = boid;
    theatre.overlay.boid = null;
    this.card.hide();
    theatre.redraw();
    if (boid === null) {
      if (this.viewing.choices.follow === "boid") this.viewing.choose({ follow: choicesOf(scene.view).follow });
      if (had) this.hands.choose(null);
      return;
    }
    this.hands.choose(boid);
  }

  private setShooing(on: boolean): void {
    this.pointer?.setShooing(on);
    this.transport.setShooing(on);
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
