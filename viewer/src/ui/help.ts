/** The help sheet: keys and gestures. */

import { h, iconButton } from "./dom";

const KEYS: [string[], string][] = [
  [["space"], "play, pause"],
  [["."], "one step"],
  [["r"], "restart"],
  [["ctrl z"], "undo your last change (⌘ z on a Mac); with shift: do it again"],
  [["f"], "follow the flock, the chosen boid, or the space"],
  [["t"], "from above"],
  [["h"], "frame everything again"],
  [["+", "−"], "nearer, farther"],
  [["←", "→", "↑", "↓"], "turn around, or move in 2-D"],
  [["c"], "colour by flock, heading, speed, neighbours"],
  [["l"], "dark, light, dusk"],
  [["s"], "hold: the pointer shoos the flock"],
  [["a"], "hold: the pointer calls the flock"],
  [["d"], "draw obstacles, paths and goals, place predators"],
  [["delete"], "delete the obstacle, path or goal that is selected, or the chosen boid of a small flock"],
  [["g"], "charts"],
  [["p"], "panel"],
  [["esc"], "stop drawing; let the chosen boid go"],
  [["?"], "this page"],
];

const MOUSE: [string[], string][] = [
  [["drag"], "turn around; in 2-D, move"],
  [["right drag"], "move (also with shift)"],
  [["wheel"], "nearer, farther"],
  [["click"], "choose a boid: what it senses, and what each rule wants of it"],
  [["drag ⊕"], "move an obstacle, a place or a predator"],
];

const SETTINGS: [string[], string][] = [
  [["keep this setting"], "in the panel: all numbers as they are, and which rules are off, to go back to with one click"],
  [["compare"], "beside its name: two flights side by side from one seed, step by step; the sliders are those of the second"],
];

const WORDS: [string[], string][] = [
  [["boid"], "one animal of a flock, or one drone"],
  [["step"], "the model's smallest stretch of time: each boid senses, steers and moves once"],
  [["t"], "the time that the flock has flown, in the model's units"],
  [["boid-steps/s"], "boids times steps a second: how much is computed"],
  [["shoo, call"], "boids turn away from where the pointer is, or come to it"],
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
  openSheet(into, "Keys, mouse and words", list(MOUSE), gap(), list(KEYS), gap(), list(SETTINGS), gap(), list(WORDS));
}
