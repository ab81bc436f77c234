/** What the colours of boids mean: a bar of them with the numbers at its ends, or a ring of headings. */

import { formatNumber } from "../controls/specs";
import { css } from "../look/colours";
import { labelOfNumber } from "../look/pernumber";
import { TABLE, tableOf } from "../look/styles";
import type { Picture } from "../scene/renderer";
import type { SceneCore } from "../wire/contracts";
import { h } from "./dom";
import { t, tv } from "../words";

const STOPS = 12;
/** A number in a few digits; parts of a turn by their name. */
function short(x: number): string {
  const angles = [[Math.PI, "π"], [2 * Math.PI, "2π"]] as const;
  const named = angles.find(([angle]) => Math.abs(Math.abs(x) - angle) < 1e-3);
  return named ? `${x < 0 ? "-" : ""}${named[1]}` : formatNumber(Number(x.toPrecision(2)));
}

export class Legend {
  readonly element: HTMLElement;
  private readonly name = h("span", { class: "label" });
  private readonly bar = h("i", {});
  private readonly ring = h("i", { class: "ring" });
  private readonly low = h("span", {});
  private readonly high = h("span", {});
  private key = "";

  constructor() {
    this.element = h("div", { class: "colours", "data-test": "legend", role: "img", hidden: true }, this.name, this.low, this.bar, this.high, this.ring);
  }

  /** What a picture shows now, seen from an azimuth; it costs nothing where that is shown already. */
  show(picture: Picture, scene: SceneCore, azimuth: number): void {
    const { colourBy, which, look, cyclic, slowest, fastest } = picture;
    const number = scene.per_boid?.[which];
    const headings = colourBy === "heading";
    const seen = headings || colourBy === "speed" || (colourBy === "value" && number !== undefined);
    // In 3-D the top of the ring is away from the camera.
    if (headings) this.ring.style.rotate = scene.dims === 2 ? "" : `${Math.round(azimuth + 90)}deg`;
    const [low, high] = (colourBy === "speed" ? [slowest, fastest] : [picture.lowest, picture.highest]).map(short) as [string, string];
    const name = headings || colourBy === "speed" ? tv(colourBy) : number ? labelOfNumber(number) : "";
    const key = [colourBy, seen, name, low, high, cyclic, look.sky[0]!.join()].join("|");
    if (key === this.key) return;
    this.key = key;
    this.element.hidden = !seen;
    if (!seen) return;
    this.name.textContent = name;
    this.low.textContent = low;
    this.high.textContent = high;
    const table = tableOf(look, colourBy, cyclic);
    const stops = Array.from({ length: STOPS + 1 }, (_, k) => css(table[Math.round((k / STOPS) * (TABLE - 1))]!));
    for (const part of [this.low, this.bar, this.high]) part.hidden = headings;
    this.ring.hidden = !headings;
    if (headings) {
      // Counterclockwise from the right, where a conic gradient goes clockwise.
      this.ring.style.background = `conic-gradient(from 90deg, ${stops.reverse().join(", ")})`;
      this.element.setAttribute("aria-label", t("Colours show the heading, as the ring does"));
      return;
    }
    this.bar.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
    this.element.setAttribute("aria-label", t("Colours show {name}, from {low} to {high}", { name, low, high }));
  }
}
