/** The help sheet: keys and gestures. */

import { h, iconButton } from "./dom";

const KEYS: [string[], string][] = [
  [["space"], "play, pause"],
  [["."], "one step"],
  [["r"], "restart"],
  [["ctrl z"], "undo your last change (⌘ z on a Mac); with shift: redo it"],
  [["f"], "follow the flock, the chosen boid, or the space"],
  [["t"], "view from above"],
  [["h"], "show everything"],
  [["+", "−"], "zoom in, zoom out"],
  [["←", "→", "↑", "↓"], "rotate the view; in 2-D, move it"],
  [["c"], "colour by flock, heading, speed, neighbours, and numbers that boids differ in"],
  [["l"], "dark, light, dusk"],
  [["s"], "hold: the pointer drives the flock away"],
  [["a"], "hold: the pointer attracts the flock"],
  [["d"], "draw obstacles, paths and goals, place predators"],
  [["delete"], "delete the selected obstacle, path or goal, or the chosen boid of a small flock"],
  [["g"], "charts"],
  [["p"], "panel"],
  [["esc"], "stop drawing; deselect the boid"],
  [["?"], "this help"],
];

const MOUSE: [string[], string][] = [
  [["drag"], "rotate the view; in 2-D, move it"],
  [["right drag"], "move the view (also: drag with shift)"],
  [["wheel"], "zoom in, zoom out"],
  [["click"], "choose a boid: see its neighbours, and how each rule steers it"],
  [["drag ⊕"], "move an obstacle, a goal or a predator"],
];

const SETTINGS: [string[], string][] = [
  [["keep this setting"], "in the panel: store all numbers and the rules that are off, and return to them with one click"],
  [["compare"], "next to a setting's name: run two simulations side by side from the same seed; the sliders belong to the second one"],
];

const WORDS: [string[], string][] = [
  [["boid"], "one animal of a flock, or one drone"],
  [["step"], "the smallest unit of the model's time: each boid senses, steers and moves once"],
  [["t"], "the simulated time, in the model's units"],
  [["boid-steps/s"], "boids times steps per second: the speed of the simulation"],
  [["shoo, call"], "boids turn away from the pointer, or towards it"],
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

const list = (rows: [string[], string][]): HTMLElement =>
  h("dl", { class: "keys" }, ...rows.flatMap(([keys, text]) => [
    h("dt", {}, ...keys.map((key) => h("kbd", {}, key))),
    h("dd", {}, text),
  ]));

const gap = (): HTMLElement => h("div", { style: "height:14px" });

export function openHelp(into: HTMLElement): void {
  openSheet(into, "Mouse, keys and terms", list(MOUSE), gap(), list(KEYS), gap(), list(SETTINGS), gap(), list(WORDS));
}
