/** The page around the scene, for the live view and the replay: a shadow root, so that no style leaks
 * in or out, the layout of the panels, and the part of the page that they leave to the camera. */

import uplotCss from "uplot/dist/uPlot.min.css?inline";
import { css } from "../look/colours";
import { Sight } from "../scene/flocksinview";
import { halvesOf, sideOf, type Part } from "./stagelayout";
import type { Viewport } from "../scene/viewport";
import type { ChartColours } from "../ui/chartoptions";
import { Charts } from "../ui/charts";
import { h, icon } from "../ui/dom";
import { languageNow, t } from "../words";
import { Legend } from "../ui/legend";
import { Notices } from "../ui/notices";
import viewerCss from "../ui/viewer.css?inline";
import type { FlockInfo, SceneCore } from "../wire/contracts";
import type { Style } from "../look/styles";
import { flockColour } from "../look/styles";

export const NARROW = 720; // pixels of width under which the panel is a sheet from below

const CHARTS = 312; // pixels that the charts take at the left, and the panel at the right
const PANEL = 324;
const BAR = 600; // pixels of width that the toolbar needs beside the charts

const CAPTION = 44; // pixels above each of two flights

/** Puts a viewport on its part of the page. */
function fill(viewport: Viewport, { x, y, width, height, side, ...insets }: Part): void {
  Object.assign(viewport.element.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
  viewport.resize(width, height, insets, side);
}

export class Shell {
  readonly frame: HTMLElement;
  readonly left: HTMLElement;
  /** The toolbar's room between charts and panel, with what opens above it. */
  readonly dock = h("div", { class: "dock" });
  readonly title = h("h1", {});
  readonly line = h("div", { class: "line", "data-test": "status" });
  readonly legend = new Legend();
  readonly notices = new Notices();
  readonly charts = new Charts();
  readonly whyFlat = h("div", { class: "hidden", "data-test": "why-2d", hidden: true });
  /** Set by the live view: the panel at the right. */
  panelOpen = false;
  /** A card at the left, or on narrow pages above the scene. */
  task: HTMLElement | null = null;
  /** Nothing is shown but the scene, which has all the room. */
  bare = false;
  private viewport: Viewport | null = null;
  private beside: Viewport | null = null;
  private behind = false;
  private lost: HTMLElement | null = null;
  private start: HTMLElement | null = null;
  private readonly observer: ResizeObserver;
  private divided: (parts: [Part, Part]) => void = () => undefined;

  constructor(readonly host: HTMLElement) {
    const shadow = host.shadowRoot ?? host.attachShadow({ mode: "open" });
    shadow.replaceChildren();
    const sheet = document.createElement("style");
    sheet.textContent = uplotCss + viewerCss;
    this.left = h(
      "div",
      { class: "left" },
      h("div", { class: "card title" }, this.title, this.line, this.legend.element),
    );
    this.frame = h(
      "div",
      { class: "murmurate", "data-style": "dark", lang: languageNow(), tabindex: "0", role: "application", "aria-label": t("murmurate, a simulated flock") },
      h("div", { class: "start" }, t("Waiting for the flock …")),
      this.left,
      this.dock,
      this.notices.element,
      this.notices.live,
    );
    shadow.append(sheet, this.frame);
    this.observer = new ResizeObserver(() => this.layout());
    this.observer.observe(this.frame);
    this.observer.observe(this.charts.element);
    this.observer.observe(this.dock);
  }

  mount(viewport: Viewport): void {
    this.viewport = viewport;
    const sight = new Sight(this.notices);
    viewport.afterDrawing = (at) => {
      sight.look(viewport, at);
      this.legend.show(viewport.picture, viewport.scene, viewport.camera.state.azimuth);
    };
    viewport.say = (text) => this.notices.say(text, { level: "warning" });
    this.frame.querySelector(".start")?.remove();
    this.frame.prepend(viewport.element);
    if (viewport.whyFlat) {
      this.notices.say(viewport.whyFlat, { level: "warning", about: "flat", sticky: true });
      this.notices.element.querySelector("[data-about=flat]")?.setAttribute("data-test", "why-2d");
    }
    this.layout();
  }

  get narrow(): boolean {
    return this.frame.clientWidth < NARROW;
  }

  /** Give the camera what the panels leave free. */
  layout(): void {
    const { clientWidth: width, clientHeight: height } = this.frame;
    if (!this.viewport || width === 0 || height === 0) return;
    this.charts.fit();
    const { narrow } = this;
    const panel = this.panelOpen;
    const side = panel && !narrow ? PANEL : 0;
    const charts = !this.charts.element.hidden && !narrow;
    const card = this.task ? this.task.offsetTop + this.task.offsetHeight + 12 : 0;
    const sheet = panel && narrow ? Math.min(0.58 * height, 480) : 0;
    // On a wide page the charts have their own room; on others they may lie over a corner.
    const whole = width >= 1500 || this.viewport.scene.dims === 2;
    const left = (charts || (card > 0 && !narrow)) && width >= 1000 ? (whole ? 300 : 165) : 0;
    this.frame.style.setProperty("--dock", `${this.dock.offsetHeight}px`);
    this.frame.style.setProperty("--free-right", `${side}px`);
    // Without room beside the charts, the toolbar is below them.
    const lifted = charts && width - side - CHARTS < BAR;
    this.frame.classList.toggle("lifted", lifted);
    this.frame.style.setProperty("--free-left", charts && !lifted ? `${CHARTS}px` : "0px");
    const top = narrow ? Math.max(Math.min(card, height / 2), this.charts.element.hidden ? 70 : 0.42 * height) : 12;
    const covered = this.bare ? { left: 0, right: 0, top: 0, bottom: 0 } : { left, right: side, top, bottom: 62 + sheet };
    const room = { width, height, ...covered };
    if (!this.beside) return fill(this.viewport, { ...room, x: 0, y: 0, side: sideOf(width, height) });
    const parts = halvesOf({ ...room, ...this.covered(room.bottom), left: 0 }, CAPTION);
    fill(this.beside, parts[this.behind ? 1 : 0]);
    fill(this.viewport, parts[this.behind ? 0 : 1]);
    this.divided(parts);
  }

  /** What the title above and the charts below two flights cover. */
  private covered(bottom: number): { top: number; bottom: number } {
    const title = this.title.parentElement!;
    const charts = this.charts.element;
    const below = charts.hidden || (this.narrow && this.panelOpen) ? 0 : charts.offsetHeight + 10;
    return { top: title.offsetTop + title.offsetHeight + this.left.offsetTop + CAPTION, bottom: bottom + below };
  }

  /** All that show a flight: the page's own, and one beside it. */
  get viewports(): Viewport[] {
    return [this.viewport, this.beside].filter((one) => one !== null);
  }

  /** Show another simulation before the page's own or, if requested, behind it; or none. `divided` receives the
   * areas of both whenever they change. */
  setBeside(beside: Viewport | null, divided: (parts: [Part, Part]) => void = () => undefined, behind = false): void {
    this.beside?.dispose();
    this.beside?.element.remove();
    this.beside = beside;
    this.divided = divided;
    this.behind = behind;
    if (beside) this.viewport!.element.before(beside.element);
    this.frame.classList.toggle("comparing", beside !== null);
    this.layout();
  }

  setStyle(style: Style): void {
    this.frame.dataset["style"] = style;
    for (const viewport of this.viewports) viewport.setStyle(style);
    const look = this.viewport?.picture.look;
    if (!look) return;
    this.frame.style.setProperty("--scene-text", css(look.text));
    this.frame.style.setProperty("--scene-quiet", css(look.quiet));
    this.frame.style.setProperty("--scene-back", css(look.sky[0]!));
  }

  /** Colours of lines on the panels: a dark sky's flocks would not be seen on a dark panel. */
  chartColours(scene: SceneCore, style: Style): ChartColours {
    const look = this.viewport!.picture.look;
    const flocks = scene.flocks.map((flock: FlockInfo, place) => {
      const own = flockColour(look, flock, place);
      const dark = 0.3 * own[0] + 0.59 * own[1] + 0.11 * own[2] < 90;
      return style === "dusk" && dark ? DUSK_LINES[place % DUSK_LINES.length]! : own;
    });
    const light = style === "light";
    return {
      flocks,
      second: light ? SECOND_ON_LIGHT : SECOND,
      quiet: light ? "#636c7b" : style === "dusk" ? "#c6c0d4" : "#8c99b2",
      grid: light ? "rgb(24 34 54 / 0.09)" : "rgb(255 255 255 / 0.07)",
    };
  }

  /** A large button in the middle of a page that starts paused, until the flock moves. */
  offerPlay(play: () => void): void {
    this.clearPlay();
    this.start = h("button", { type: "button", class: "start-play", "data-test": "start-play", "aria-label": t("Play"), onClick: play }, icon("play"));
    this.frame.append(this.start);
  }

  clearPlay(): void {
    this.start?.remove();
    this.start = null;
  }

  showLost(title: string, text: string): void {
    this.clearLost();
    this.lost = h(
      "div",
      { class: "card lost", role: "alert", "data-test": "lost" },
      h("h2", {}, title),
      h("p", {}, text || t("Restart the program, and this page reconnects.")),
    );
    this.frame.append(this.lost);
  }

  clearLost(): void {
    this.lost?.remove();
    this.lost = null;
  }

  dispose(): void {
    this.observer.disconnect();
    for (const viewport of this.viewports) viewport.dispose();
    this.host.shadowRoot?.replaceChildren();
  }
}

/** Colours of the flocks of a second flight, whatever the first one's are. */
const SECOND: [number, number, number][] = [[255, 184, 92], [255, 138, 168], [176, 222, 120]];
const SECOND_ON_LIGHT: [number, number, number][] = [[196, 104, 0], [186, 46, 96], [70, 128, 20]];

const DUSK_LINES: [number, number, number][] = [
  [255, 222, 176], [255, 150, 130], [150, 214, 226], [214, 178, 255], [190, 226, 160], [255, 196, 220],
];
