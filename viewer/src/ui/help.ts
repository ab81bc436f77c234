/** The help sheet: keys and gestures. */

import { h, iconButton } from "./dom";

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
  [["space"], "play, pause"],
  [["."], "one step"],
  [[","], "one frame back", "replay"],
  [["r"], "restart"],
  [["ctrl z"], "undo your last change (⌘ z on a Mac); with shift: redo it", "change"],
  [["f"], "follow the flock, the chosen boid, or the space"],
  [["t"], "view from above"],
  [["h"], "show everything"],
  [["+", "−"], "zoom in, zoom out"],
  [["←", "→", "↑", "↓"], "rotate the view; in 2-D, move it"],
  [["c"], "colour by flock, heading, speed, neighbours, and numbers that boids differ in"],
  [["l"], "dark, light, dusk"],
  [["s"], "hold: the pointer drives the flock away", "change"],
  [["a"], "hold: the pointer attracts the flock", "change"],
  [["d"], "draw obstacles, paths and goals, place predators", "draw"],
  [["delete"], "delete the selected obstacle, path or goal", "draw"],
  [["delete"], "delete the chosen boid of a small flock", "change"],
  [["g"], "charts"],
  [["b"], "table of boids"],
  [["p"], "panel"],
  [["esc"], "stop drawing", "draw"],
  [["esc"], "deselect the boid"],
  [["?"], "this help"],
];

const MOUSE: Line[] = [
  [["drag"], "rotate the view; in 2-D, move it"],
  [["right drag"], "move the view (also: drag with shift)"],
  [["wheel"], "zoom in, zoom out"],
  [["click"], "choose a boid: see its neighbours, and how each rule steers it", "change"],
  [["drag ⊕"], "move an obstacle, a goal or a boid", "change"],
];

const SETTINGS: Line[] = [
  [["keep this setting"], "in the panel: store all numbers and the rules that are off, and return to them with one click", "change"],
  [["compare"], "next to a setting's name: run two simulations side by side from the same seed; the sliders belong to the second one", "compare"],
];

const WORDS: Line[] = [
  [["boid"], "one animal of a flock, or one drone"],
  [["step"], "the smallest unit of the model's time: each boid senses, steers and moves once"],
  [["t"], "the simulated time, in the model's units"],
  [["boid-steps/s"], "boids times steps per second: the speed of the simulation", "change"],
  [["shoo, call"], "boids turn away from the pointer, or towards it", "change"],
];

/** A sheet over the page; closes by button, Escape, or a click beside it. */
export function openSheet(into: HTMLElement, label: string, ...content: Node[]): () => void {
  const before = (into.getRootNode() as Document | ShadowRoot).activeElement as HTMLElement | null;
  const close = (): void => {
    veil.remove();
    before?.focus();
  };
  const button = iconButton("close", "Close", "sheet-close", close);
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
    h("dt", {}, ...keys.map((key) => h("kbd", {}, key))),
    h("dd", {}, text),
  ]));
}

export function openHelp(into: HTMLElement, able: Able): void {
  const lists = [MOUSE, KEYS, SETTINGS, WORDS].map((rows) => list(rows, able)).filter((one) => one !== null);
  openSheet(into, "Mouse, keys and terms", ...lists);
}
