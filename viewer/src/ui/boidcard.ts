/** The card of the chosen boid: its speed and neighbours, and a legend of its steering arrows. */

import { formatNumber, labelOf, nameOf } from "../controls/specs";
import { css } from "../look/colours";
import type { Look } from "../look/styles";
import type { Overlay } from "../scene/overlay";
import type { BoidMessage } from "../wire/contracts";
import { h, iconButton } from "./dom";
import { decimals, t, tm, tn } from "../words";

const size = (v: number[]): number => Math.hypot(...v);
const three = (x: number): string => formatNumber(Number(x.toPrecision(3)));

export class BoidCard {
  readonly element: HTMLElement;
  private readonly name = h("h2", {});
  private readonly facts = h("div", { class: "quiet" });
  private readonly list = h("ul", {});

  constructor(close: () => void, follow: () => void) {
    this.element = h(
      "section",
      { class: "card boid", "aria-label": t("The chosen boid"), "data-test": "boid", hidden: true },
      h(
        "header",
        {},
        this.name,
        iconButton("home", t("Follow this boid"), "boid-follow", follow, "f"),
        iconButton("close", t("Deselect this boid"), "boid-close", close, t("esc")),
      ),
      this.facts,
      this.list,
    );
  }

  hide(): void {
    this.element.hidden = true;
  }

  /** A boid that is not there any more. */
  showLeft(name: string, time: number): void {
    this.element.hidden = false;
    this.name.textContent = name;
    this.facts.textContent = t("has left the flock, at t {time}", { time: decimals(time.toFixed(1)) });
    this.list.replaceChildren();
  }

  show(data: BoidMessage, overlay: Overlay, look: Look): void {
    this.element.hidden = false;
    this.name.textContent = `${tm(data.flock)} ${data.id}`;
    const facts = [`${t("speed {speed}", { speed: three(data.speed) })}, ${tn("{n} neighbour", "{n} neighbours", data.neighbours.length)}`];
    const line = (label: string, vector: number[], colour: string): HTMLElement => {
      const long = size(vector);
      return h(
        "li",
        { class: long > 0 ? "" : "still", "data-steering": label },
        h("i", { style: `background:${colour}` }),
        h("span", {}, labelOf(label)),
        h("span", {}, three(long)),
      );
    };
    for (const [path, value] of Object.entries(data.numbers ?? {})) facts.push(`${nameOf(path)} ${three(value)}`);
    this.facts.replaceChildren(...facts.map((fact) => h("div", {}, fact)));
    this.list.replaceChildren(
      ...data.steering.map(({ rule, vector }) => line(rule, vector, css(overlay.colourOf(rule, look.arrows)))),
      line(t("together"), data.total, css(look.text)),
    );
  }
}
