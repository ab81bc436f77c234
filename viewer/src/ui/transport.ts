/** The toolbar: play, step, restart, speed, and the tools of the scene. */

import { formatNumber } from "../controls/specs";
import { h, icon, iconButton } from "./dom";
import { t, tn } from "../words";

export interface TransportCalls {
  toggle(): void;
  step(): void;
  restart(): void;
  rate(stepsPerSecond: number | null): void;
  shoo(on: boolean): void;
  call(on: boolean): void;
  draw(): void;
  home(): void;
  charts(): void;
  panel(): void;
  help(): void;
}

const [SLOWEST, FASTEST] = [1, 1000]; // steps a second; the right end is as fast as it goes

/** Steps a second of a slider place, 0 to 100. */
export function rateAt(place: number): number | null {
  if (place >= 100) return null;
  const rate = SLOWEST * (FASTEST / SLOWEST) ** (place / 99);
  return rate < 10 ? Math.round(rate * 2) / 2 : Math.round(rate);
}

export function placeOf(rate: number | null): number {
  if (rate === null) return 100;
  const part = Math.log(Math.max(SLOWEST, rate) / SLOWEST) / Math.log(FASTEST / SLOWEST);
  return Math.min(99, Math.round(99 * part));
}

export class Transport {
  readonly element: HTMLElement;
  private readonly main: HTMLButtonElement;
  private readonly speed: HTMLInputElement;
  private readonly reading = h("output", {});
  private readonly beckoning: Record<"shoo" | "call", HTMLButtonElement>;
  private readonly drawButton: HTMLButtonElement;
  private readonly panelButton: HTMLButtonElement;
  private readonly chartButton: HTMLButtonElement;
  private held = -Infinity;
  private playing: boolean | null = null;

  constructor(calls: TransportCalls) {
    this.main = iconButton("pause", t("Pause"), "pause", calls.toggle, t("space bar"));
    this.main.classList.add("main");
    this.speed = h("input", { type: "range", min: 0, max: 100, step: 1, "data-test": "speed", "aria-label": t("Steps per second") });
    this.speed.addEventListener("input", () => {
      this.held = performance.now();
      const rate = rateAt(Number(this.speed.value));
      this.show(rate);
      calls.rate(rate);
    });
    const pressed = (name: "shoo" | "call"): boolean => this.beckoning[name].getAttribute("aria-pressed") === "true";
    this.beckoning = {
      shoo: iconButton("hand", t("Drive the flock away with the pointer"), "shoo", () => calls.shoo(!pressed("shoo")), t("hold {key}", { key: "s" })),
      call: iconButton("call", t("Attract the flock to the pointer"), "call", () => calls.call(!pressed("call")), t("hold {key}", { key: "a" })),
    };
    this.drawButton = iconButton("pen", t("Draw obstacles, paths, goals and predators"), "draw", calls.draw, "d");
    this.chartButton = iconButton("chart", t("Charts"), "charts", calls.charts, "g");
    this.panelButton = iconButton("panel", t("Panel"), "panel", calls.panel, "p");
    const help = iconButton("help", t("Keys and mouse"), "help", calls.help, "?");
    help.classList.add("wide");
    const home = iconButton("home", t("Show everything"), "home", calls.home, "h");
    this.element = h(
      "div",
      { class: "card transport", role: "toolbar", "aria-label": t("Flight") },
      iconButton("restart", t("Restart"), "restart", calls.restart, "r"),
      this.main,
      iconButton("step", t("One step"), "step", calls.step, "."),
      h("div", { class: "speed", title: t("Steps per second") }, this.speed, this.reading),
      h("div", { class: "split" }),
      this.beckoning.shoo,
      this.beckoning.call,
      this.drawButton,
      home,
      this.chartButton,
      this.panelButton,
      help,
    );
    this.setPlaying(true);
    this.show(null);
  }

  setPlaying(playing: boolean): void {
    if (playing === this.playing) return;
    this.playing = playing;
    const name = playing ? "pause" : "play";
    const label = playing ? t("Pause") : t("Play");
    this.main.replaceChildren(icon(name));
    this.main.setAttribute("aria-label", label);
    this.main.title = `${label} (${t("space bar")})`;
    this.main.dataset["test"] = name;
  }

  /** The state of the simulation, unless the user has just moved the slider. */
  setRate(rate: number | null): void {
    if (performance.now() - this.held < 800) return;
    this.show(rate);
  }

  /** Whether it shoos or calls now. */
  setBeckoning(held: "shoo" | "call" | null): void {
    for (const [name, button] of Object.entries(this.beckoning)) button.setAttribute("aria-pressed", String(name === held));
  }
  setDrawing(open: boolean): void {
    this.drawButton.setAttribute("aria-pressed", String(open));
  }
  /** A recording has nothing to shoo; the structure of a page that simulates by itself is fixed. */
  setAble({ change, draw }: { change?: boolean; draw?: boolean } = {}): void {
    for (const button of Object.values(this.beckoning)) button.hidden = change === false;
    this.drawButton.hidden = draw !== true;
  }
  setPanel(open: boolean): void {
    this.panelButton.setAttribute("aria-pressed", String(open));
  }
  setCharts(open: boolean): void {
    this.chartButton.setAttribute("aria-pressed", String(open));
  }

  private show(rate: number | null): void {
    const place = placeOf(rate);
    this.speed.value = String(place);
    this.speed.style.setProperty("--to", `${place}%`);
    const text = rate === null ? t("fastest") : `${formatNumber(rate)} /s`;
    this.reading.textContent = text;
    this.speed.setAttribute("aria-valuetext", rate === null ? text : tn("{n} step per second", "{n} steps per second", rate, { n: formatNumber(rate) }));
  }
}
