/** The help sheet: keys and gestures. */

import { h, iconButton } from "./dom";
import { mark, t, tv } from "../words";

/** What a page can do; its help lists nothing else. */
export interface Able {
  /** It simulates, and its numbers can be changed. */
  change: boolean;
  draw: boolean;
  /** Two settings can be compared. */
  compare: boolean;
  replay: boolean;
}
type Line = [keys: string[], text: string, needs?: keyof Able];

const KEYS: Line[] = [
  [[mark("space bar")], mark("play, pause")],
  [["."], mark("one step")],
  [[","], mark("one frame back"), "replay"],
  [["r"], mark("restart")],
  [[mark("ctrl z")], mark("undo your last change (⌘ z on a Mac); with shift: redo it"), "change"],
  [["f"], mark("follow the flock, the chosen boid, or the space")],
  [["t"], mark("view from above")],
  [["h"], mark("show everything")],
  [["+", "−"], mark("zoom in, zoom out")],
  [["←", "→", "↑", "↓"], mark("rotate the view; in 2-D, move it")],
  [["c"], mark("colour by flock, heading, speed, neighbours, and numbers that boids differ in")],
  [["l"], mark("dark, light, dusk")],
  [["s"], mark("hold: the pointer drives the flock away"), "change"],
  [["a"], mark("hold: the pointer attracts the flock"), "change"],
  [["d"], mark("draw obstacles, paths and goals, place predators"), "draw"],
  [[mark("delete")], mark("delete the selected obstacle, path or goal"), "draw"],
  [[mark("delete")], mark("delete the chosen boid of a small flock"), "change"],
  [["g"], mark("charts")],
  [["b"], mark("table of boids")],
  [["p"], mark("panel")],
  [[mark("esc")], mark("stop drawing"), "draw"],
  [[mark("esc")], mark("deselect the boid")],
  [["?"], mark("this help")],
];

const MOUSE: Line[] = [
  [[mark("drag")], mark("rotate the view; in 2-D, move it")],
  [[mark("right drag")], mark("move the view (also: drag with shift)")],
  [[mark("wheel")], mark("zoom in, zoom out")],
  [[mark("click")], mark("choose a boid: see its neighbours, and how each rule steers it"), "change"],
  [[mark("drag ⊕")], mark("move an obstacle, a goal or a boid"), "change"],
];

const SETTINGS: Line[] = [
  [[mark("keep this setting")], mark("in the panel: store all numbers and the rules that are off, and return to them with one click"), "change"],
  [[mark("compare")], mark("next to a setting's name: run two simulations side by side from the same seed; the sliders belong to the second one"), "compare"],
];

const WORDS: Line[] = [
  [[mark("boid")], mark("one animal of a flock, or one drone")],
  [[mark("step")], mark("the smallest unit of the model's time: each boid senses, steers and moves once")],
  [["t"], mark("the simulated time, in the model's units")],
  [[mark("boid-steps/s")], mark("boids times steps per second: the speed of the simulation"), "change"],
  [[mark("shoo, call")], mark("boids turn away from the pointer, or towards it"), "change"],
];

/** A sheet over the page; closes by button, Escape, or a click beside it. */
export function openSheet(into: HTMLElement, label: string, ...content: Node[]): () => void {
  const before = (into.getRootNode() as Document | ShadowRoot).activeElement as HTMLElement | null;
  const close = (): void => {
    veil.remove();
    before?.focus();
  };
  const button = iconButton("close", t("Close"), "sheet-close", close);
  const sheet = h("div", { class: "card sheet", role: "dialog", "aria-modal": "true", "aria-label": label }, h("h2", {}, label), ...content, button);
  const veil = h("div", { class: "veil", "data-test": "sheet" }, sheet);
  veil.addEventListener("click", (event) => {
    if (event.target === veil) close();
  });
  veil.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
    event.stopPropagation();
  });
  into.append(veil);
  button.focus();
  return close;
}

function list(rows: Line[], able: Able): HTMLElement | null {
  const usable = rows.filter(([, , needs]) => needs === undefined || able[needs]);
  if (usable.length === 0) return null;
  return h("dl", { class: "keys" }, ...usable.flatMap(([keys, text]) => [
    h("dt", {}, ...keys.map((key) => h("kbd", {}, tv(key)))),
    h("dd", {}, tv(text)),
  ]));
}

export function openHelp(into: HTMLElement, able: Able): void {
  const lists = [MOUSE, KEYS, SETTINGS, WORDS].map((rows) => list(rows, able)).filter((one) => one !== null);
  openSheet(into, t("Mouse, keys and terms"), ...lists);
}
