/** The player of a replay: the scene of the live view, with a time slider instead of controls. */

import { hookOf } from "./page/testhook";
import { bindKeys } from "./page/keys";
import { startsPaused } from "./page/motion";
import { copyText } from "./page/copying";
import { Pointer } from "./scene/pointer";
import { decodeReplay, timeOf, type Replay } from "./replay/codec";
import type { ReplayHead } from "./wire/contracts";
import { Clock, RATES } from "./replay/clock";
import { obstaclesAt } from "./replay/tracks";
import { Shell } from "./page/shell";
import type { Moment } from "./state/feed";
import { total } from "./scene/flocks";
import { Viewport } from "./scene/viewport";
import { BoidTable, showAfterDrawing, tableButton } from "./ui/boidtable";
import { h, icon, iconButton } from "./ui/dom";
import { openHelp } from "./ui/help";
import { ViewRows } from "./ui/viewrows";
import { ViewSettings } from "./scene/viewsettings";
import { countLine, joinedAndLeft } from "./ui/statusline";
import { rowOf, vec3, type Frame, type Identity } from "./wire/frame";
import { decimals, t, tm } from "./words";

export class Player {
  private readonly shell: Shell;
  private readonly clock: Clock;
  private readonly view: ViewRows;
  private readonly table = new BoidTable(() => this.openTable(false), (boid) => this.chooseBoid(boid));
  private readonly tableButton = tableButton(() => this.openTable(!this.table.open));
  private readonly main: HTMLButtonElement;
  private readonly scrub: HTMLInputElement;
  private readonly time = h("output", { class: "clock" });
  private readonly panel: HTMLElement;
  private replay: Replay | null = null;
  private viewport: Viewport | null = null;
  private readonly settings: ViewSettings;
  private kept: { number: number; which: number; frame: Frame }[] = [];
  private moment: Moment | null = null;
  private last = 0;
  private shownTenth = -1;
  private readonly unbind: () => void;

  constructor(
    root: HTMLElement,
    private readonly head: ReplayHead,
    payload: string,
    keys?: EventTarget,
  ) {
    this.shell = new Shell(root);
    this.clock = new Clock(head.frames, head.every_seconds);
    this.settings = new ViewSettings(this.shell, () => this.view, () => this.viewport, () => (this.shownTenth = -1));
    this.view = new ViewRows((change) => this.settings.choose(change), { neighbours: false });
    this.main = iconButton("pause", t("Pause"), "pause", () => this.toggle(), t("space bar"));
    this.main.classList.add("main");
    this.scrub = h("input", {
      type: "range", class: "scrub", min: 0, max: Math.max(1, head.frames - 1), step: 0.01, "data-test": "scrub",
      "aria-label": t("Time"), onInput: () => this.seek(Number(this.scrub.value)),
    });
    const rate = h(
      "button",
      { type: "button", class: "button", "data-test": "rate", title: t("Speed"), onClick: () => {
        this.clock.rate = RATES[(RATES.indexOf(this.clock.rate) + 1) % RATES.length]!;
        rate.textContent = `${this.clock.rate}×`;
      } },
      "1×",
    );
    const loop = iconButton("loop", t("Repeat"), "loop", () => {
      this.clock.loop = !this.clock.loop;
      loop.setAttribute("aria-pressed", String(this.clock.loop));
    });
    loop.setAttribute("aria-pressed", "true");
    const button = (name: string, label: string, test: string, go: () => void, key = ""): HTMLElement =>
      iconButton(name, label, test, go, key);
    const bar = h(
      "div",
      { class: "card transport player", role: "toolbar", "aria-label": t("Replay") },
      this.main, this.scrub, this.time, rate, loop, h("div", { class: "split" }),
      button("home", t("Show everything"), "home", () => this.settings.home(this.head.scene), "h"),
      button("chart", t("Charts"), "charts", () => this.openCharts(this.shell.charts.element.hidden === true), "g"),
      button("panel", t("View"), "panel", () => this.openPanel(!this.shell.panelOpen), "p"),
    );
    const copy = h("button", { type: "button", class: "button", "data-test": "copy-model", onClick: () => void copyText(this.shell, head.toml, t("The model file"), t("The model file is copied to the clipboard.")) }, icon("copy"), t("Copy model"));
    this.panel = h(
      "aside",
      { class: "card panel short closed", "aria-label": t("View") },
      h("header", {}, h("b", { style: "flex:1;padding-left:4px" }, t("View")), iconButton("close", t("Close"), "panel-close", () => this.openPanel(false), "p")),
      h("div", { class: "body" }, this.view.element, this.tableButton, h("p", { class: "about" }, tm(head.scene.about))),
      h("footer", {}, copy),
    );
    this.shell.left.append(this.table.element, h("div", { class: "push" }), this.shell.charts.element);
    this.shell.dock.append(bar);
    this.shell.frame.append(this.panel);
    this.unbind = bindKeys(keys ?? this.shell.frame, {
      toggle: () => this.toggle(),
      step: (back) => {
        this.setPlaying(false);
        this.seek(Math.round(this.clock.at) + (back ? -1 : 1));
      },
      restart: () => this.seek(0),
      home: () => this.settings.home(this.head.scene),
      charts: () => this.openCharts(this.shell.charts.element.hidden === true),
      table: () => this.openTable(!this.table.open),
      panel: () => this.openPanel(!this.shell.panelOpen),
      help: () => openHelp(this.shell.frame, { change: false, draw: false, compare: false, replay: true }),
      choices: () => this.settings.choices,
      choose: (change) => this.settings.choose(change),
      viewport: () => this.viewport,
      neighbours: false,
    });
    const hook = hookOf(() => this.viewport, this.shell.charts, () => head.frames, () => []);
    Object.defineProperty(root, "__murmurate", { value: hook, configurable: true });
    decodeReplay(head, payload).then(
      (replay) => this.begin(replay),
      (error: unknown) => this.shell.notices.say(t("This replay cannot be shown: {reason}", { reason: String(error) }), { level: "error", sticky: true }),
    );
  }

  dispose(): void {
    this.unbind();
    this.shell.dispose();
  }

  private begin(replay: Replay): void {
    this.replay = replay;
    const { scene } = this.head;
    this.viewport = new Viewport({ take: (at) => this.take(at), drawn: () => this.tell() }, scene);
    this.viewport.overlay.paths = (scene.paths ?? []).map((line) => line.map(vec3));
    new Pointer(this.viewport, { choose: (boid) => this.pick(boid) });
    this.shell.mount(this.viewport);
    showAfterDrawing(this.table, this.viewport);
    this.shell.title.textContent = tm(scene.title) || scene.name;
    this.viewport.selection.left = (boid, frame) => this.left(boid, frame);
    this.sayNumbers();
    if (startsPaused()) {
      this.setPlaying(false);
      this.shell.offerPlay(() => this.toggle());
    }
    this.settings.enter(scene, true);
    const times = Array.from({ length: this.head.frames }, (_, k) => timeOf(this.head, k));
    this.shell.charts.setAll(times, this.head.measures);
    this.openCharts(!this.shell.narrow && Object.keys(this.head.measures).length > 0);
  }

  private frame(number: number): Frame {
    const which = this.viewport?.picture.which ?? -1;
    const cached = this.kept.find((entry) => entry.number === number && entry.which === which);
    if (cached) return cached.frame;
    const frame = this.replay!.frame(number, which);
    this.kept = [{ number, which, frame }, ...this.kept].slice(0, 3);
    return frame;
  }

  private take(at: number): Moment | null {
    if (!this.replay) return null;
    const elapsed = this.last > 0 ? (at - this.last) / 1000 : 0;
    this.last = at;
    if (this.clock.playing && !this.clock.go(elapsed)) this.setPlaying(false);
    const from = Math.min(Math.floor(this.clock.at), this.head.frames - 1);
    const to = Math.min(from + 1, this.head.frames - 1);
    const [before, now] = [this.frame(from), this.frame(to)];
    const fresh = this.moment?.before !== before || this.moment.now !== now;
    if (fresh) {
      const moved = obstaclesAt(this.head, from);
      if (moved) this.viewport?.setObstacles(moved);
    }
    this.moment = { before, now, part: from === to ? 1 : this.clock.at - from, fresh, moving: this.clock.playing };
    return this.moment;
  }

  /** After a drawing: the scrubber, the clock and the charts follow. */
  private tell(): void {
    const { at } = this.clock;
    this.scrub.value = String(at);
    this.scrub.style.setProperty("--to", `${(100 * at) / Math.max(1, this.head.frames - 1)}%`);
    const tenth = Math.round(at * this.head.every_seconds * 10);
    if (tenth === this.shownTenth) return;
    this.shownTenth = tenth;
    const frame = Math.min(this.head.frames - 1, Math.round(at));
    this.time.textContent = `t ${decimals(timeOf(this.head, frame).toFixed(1))}`;
    this.scrub.setAttribute("aria-valuetext", this.time.textContent);
    this.shell.charts.setCursor(frame);
    this.sayNumbers();
  }

  /** How many boids there are, and how many joined and left until now. */
  private sayNumbers(): void {
    const { scene } = this.head;
    this.shell.line.replaceChildren(...countLine(this.viewport?.present ?? total(scene), joinedAndLeft([{ scene, viewport: this.viewport }])));
  }

  private left({ flock, id }: Identity, { time }: Frame): void {
    this.shell.notices.say(t("{boid} has left, at t {time}.", { boid: `${tm(this.head.scene.flocks[flock]?.name ?? "")} ${id}`, time: decimals(time.toFixed(1)) }), { level: "info", about: "left" });
    if (this.settings.choices.follow === "boid") this.settings.choose({ follow: "space" });
  }

  private seek(frame: number): void {
    const far = Math.abs(frame - this.clock.at) > 1.5;
    this.clock.seek(frame);
    if (far) this.viewport?.cut();
    else this.viewport?.redraw();
  }

  private toggle(): void {
    if (!this.clock.playing && this.clock.atEnd) this.clock.seek(0);
    this.setPlaying(!this.clock.playing);
  }

  private setPlaying(playing: boolean): void {
    this.clock.playing = playing;
    if (playing) this.shell.clearPlay();
    if (this.viewport) this.viewport.playing = playing;
    const name = playing ? "pause" : "play";
    this.main.replaceChildren(icon(name));
    this.main.dataset["test"] = name;
    this.main.setAttribute("aria-label", playing ? t("Pause") : t("Play"));
    this.shell.notices.announce(playing ? t("playing") : t("paused"));
  }

  private pick(boid: number | null): void {
    if (!this.viewport) return;
    this.viewport.choose(boid === null ? null : this.viewport.rows.identity(boid));
    if (boid === null && this.settings.choices.follow === "boid") this.settings.choose({ follow: "space" });
    this.viewport.redraw();
  }

  private openPanel(open: boolean): void {
    this.shell.panelOpen = open;
    this.panel.classList.toggle("closed", !open);
    this.shell.frame.querySelector("[data-test=panel]")?.setAttribute("aria-pressed", String(open));
    this.shell.layout();
  }

  private openTable(open: boolean): void {
    this.table.open = open;
    this.tableButton.setAttribute("aria-pressed", String(open));
    this.viewport?.redraw();
    this.shell.layout();
  }

  private chooseBoid(boid: Identity): void {
    const frame = this.viewport?.frame;
    if (frame) this.pick(rowOf(frame, this.head.scene.flocks, boid));
  }

  private openCharts(open: boolean): void {
    this.shell.charts.element.hidden = !open;
    this.shell.frame.querySelector("[data-test=charts]")?.setAttribute("aria-pressed", String(open));
    this.shell.charts.update();
    this.shownTenth = -1;
    this.shell.layout();
  }
}
