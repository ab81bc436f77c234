/** The bar over two flocks that are compared: a caption of each, and the buttons between them. */

import type { Part } from "../page/stagelayout";
import { h, iconButton } from "./dom";
import { t } from "../words";

export class CompareBar {
  readonly element: HTMLElement;
  private readonly captions = [0, 1].map((k) =>
    h("div", { class: "caption", "data-test": `caption-${k}` }, h("p", {}, h("b", {}), h("span", {}))),
  );
  private readonly buttons: HTMLElement;
  private readonly line = h("i", { class: "divide" });

  /** `calls`: of two settings; two flocks stay. */
  constructor(calls?: { swap(): void; end(): void }) {
    this.buttons = h(
      "div",
      { class: "card between", role: "toolbar", "aria-label": t("Comparison"), hidden: calls === undefined },
      ...(calls ? [iconButton("swap", t("Swap the two settings"), "compare-swap", calls.swap), iconButton("close", t("End the comparison"), "compare-end", calls.end)] : []),
    );
    this.element = h("div", { class: "compare" }, this.line, ...this.captions, this.buttons);
  }

  /** What the two are, in words: a name, and what is different there. */
  say(one: [name: string, words: string], other: [name: string, words: string]): void {
    [one, other].forEach(([name, words], k) => {
      const [title, text] = [...this.captions[k]!.firstElementChild!.children] as [HTMLElement, HTMLElement];
      title.textContent = name;
      text.textContent = name === words ? "" : words;
    });
  }

  /** Over these parts of the page; the buttons are where they meet. */
  place(parts: [Part, Part]): void {
    const [one, other] = parts;
    const beside = other.x > 0;
    const height = 34;
    parts.forEach(({ x, y, width, left, right, top }, k) => {
      const room = beside && !this.buttons.hidden ? 44 : 8; // for the buttons between the two
      const [from, to] = [x + left + (k === 1 ? room : 8), x + width - right - (k === 0 || !beside ? (beside ? room : 8) : 8)];
      const end = !beside && k === 1 && !this.buttons.hidden ? 84 : 0;
      Object.assign(this.captions[k]!.style, { left: `${from}px`, width: `${to - from - end}px`, top: `${y + top - height - 5}px` });
    });
    const at = beside
      ? { left: `${other.x}px`, top: `${one.top - height - 5}px`, transform: "translateX(-50%)", right: "auto" }
      : { left: "auto", right: "8px", top: `${other.y + other.top - height - 5}px`, transform: "none" };
    Object.assign(this.buttons.style, at);
    const line = beside
      ? { left: `${other.x}px`, top: `${one.top}px`, bottom: `${one.bottom}px`, right: "auto", width: "1px", height: "auto" }
      : { left: `${other.left}px`, right: `${other.right}px`, top: `${other.y}px`, bottom: "auto", width: "auto", height: "1px" };
    Object.assign(this.line.style, line);
  }
}
