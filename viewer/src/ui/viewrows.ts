/** The panel's view settings: they change the picture on this page, never the simulation. */

import type { Follow } from "../camera/camera";
import { labelOfNumber, WORDS } from "../look/pernumber";
import type { SceneCore, ViewInfo } from "../wire/contracts";
import type { Style } from "../look/styles";
import { h, newId, segments } from "./dom";
import { term } from "./term";
import { mark, t, tv } from "../words";

export interface ViewChoices {
  style: Style;
  /** A word, or the path of a number that each boid has. */
  colourBy: string;
  trails: number;
  box: boolean;
  follow: Follow;
  turning: boolean;
}

export function choicesOf(view: ViewInfo): ViewChoices {
  return {
    style: view.style ?? "dark",
    colourBy: view.colour_by ?? "flock",
    trails: view.trails ?? 0,
    box: view.box ?? true,
    follow: view.camera?.follow ?? "space",
    turning: (view.camera?.turn ?? 0) !== 0,
  };
}

export const COLOURS: readonly string[] = WORDS;
// mark("dark") mark("light") mark("dusk") mark("heading") mark("space") mark("boid")
export const STYLES: Style[] = ["dark", "light", "dusk"];

const ABOUT = {
  colour:
    mark("The meaning of a boid's colour. flock: its flock; heading: its direction; speed: its speed; neighbours: the number of boids that it senses. Or a number that boids differ in, such as a weight, and state that a rule keeps for each."),
  follow: mark("What the camera follows. space: nothing, it is fixed; flock: the centre of the flock; boid: the chosen boid."),
  trails: mark("The number of past positions that are drawn behind each boid."),
  box: mark("The borders of the space, and the ground."),
};

export class ViewRows {
  readonly element: HTMLElement;
  private readonly colour;
  private readonly number: HTMLSelectElement;
  private readonly numberRow: HTMLElement;
  private readonly style;
  private readonly follow;
  private readonly trails: HTMLInputElement;
  private readonly trailsReading = h("output", { class: "value" });
  private readonly box: HTMLInputElement;
  private readonly turning: HTMLInputElement;
  private readonly turnRow: HTMLElement;

  constructor(change: (choices: Partial<ViewChoices>) => void, options: { neighbours: boolean }) {
    const word = (value: string): { value: string; label: string } => ({ value, label: tv(value) });
    const colours = options.neighbours ? COLOURS : COLOURS.filter((c) => c !== "neighbours");
    this.colour = segments("colour", t("Colour by"), colours.map(word), (v) => change({ colourBy: v }));
    this.number = h("select", {
      "data-test": "colour-number", "aria-label": t("Colour by a number of each boid"),
      onChange: () => change({ colourBy: this.number.value }),
    });
    this.numberRow = h("div", { class: "row", hidden: true }, h("span", { class: "label" }, t("or a number")), this.number);
    this.style = segments("style", t("Style"), STYLES.map(word), (v) => change({ style: v as Style }));
    this.follow = segments("follow", t("Follow"), ["space", "flock", "boid"].map(word), (v) => change({ follow: v as Follow }));
    this.trails = h("input", {
      type: "range", min: 0, max: 60, step: 1, id: newId(), "data-test": "trails",
      onInput: () => change({ trails: Number(this.trails.value) }),
    });
    const check = (test: string, go: (on: boolean) => void): HTMLInputElement => {
      const box = h("input", { type: "checkbox", role: "switch", class: "switch", id: newId(), "data-test": test });
      box.addEventListener("change", () => go(box.checked));
      return box;
    };
    this.box = check("box", (box) => change({ box }));
    this.turning = check("turn", (turning) => change({ turning }));
    const row = (label: string, of: string, ...parts: HTMLElement[]): HTMLElement => {
      const { label: word, note } = term(label, tv(of));
      if (parts[0]!.id) parts[0]!.setAttribute("aria-label", label);
      return h("div", { class: "row" }, word, ...parts, note);
    };
    this.turnRow = row(t("rotate slowly"), "", this.turning);
    const colourRow = row(t("colour by"), ABOUT.colour, this.colour.element);
    colourRow.classList.add("over");
    colourRow.children[1]!.after(this.numberRow);
    this.element = h(
      "div",
      {},
      row(t("style"), "", this.style.element),
      colourRow,
      row(t("follow"), ABOUT.follow, this.follow.element),
      row(t("trails"), ABOUT.trails, this.trails, this.trailsReading),
      row(t("box, ground"), ABOUT.box, this.box),
      this.turnRow,
    );
  }

  show(choices: ViewChoices, scene: SceneCore): void {
    this.colour.set(choices.colourBy);
    this.showNumbers(choices, scene);
    this.style.set(choices.style);
    this.follow.set(choices.follow);
    this.trails.value = String(choices.trails);
    this.trails.style.setProperty("--to", `${(choices.trails / 60) * 100}%`);
    this.trailsReading.textContent = String(choices.trails);
    this.box.checked = choices.box;
    this.turning.checked = choices.turning;
    this.turnRow.hidden = scene.dims === 2;
  }

  /** The numbers that each boid of a scene has. */
  private showNumbers({ colourBy }: ViewChoices, { per_boid = [] }: SceneCore): void {
    this.numberRow.hidden = per_boid.length === 0;
    const names = per_boid.map(({ name }) => name);
    const shown = [...this.number.options].slice(1).map(({ value }) => value);
    if (names.join() !== shown.join()) {
      this.number.replaceChildren(h("option", { value: "flock" }, t("none")), ...per_boid.map((number) => h("option", { value: number.name }, labelOfNumber(number))));
    }
    this.number.value = names.includes(colourBy) ? colourBy : "flock";
  }
}
