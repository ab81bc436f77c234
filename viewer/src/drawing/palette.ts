/** The palette: what can be drawn, and how. */

import { h, icon, iconButton } from "../ui/dom";
import { KINDS, type Kind } from "./shapes";
import { mark, t, tv } from "../words";

const LABELS: Record<Kind, string> = { sphere: mark("Sphere"), box: mark("Box"), wall: mark("Wall"), path: mark("Path"), goal: mark("Goal"), predator: mark("Predator") };

const HINTS: Record<Kind, string> = {
  sphere: mark("Press at its centre and drag to its edge."),
  box: mark("Press at one corner and drag to the other."),
  wall: mark("Press and drag along the wall: it extends beyond both ends, and the flock stays in front of it."),
  path: mark("Click the corners. Double-click or Enter ends the path; a click on the first corner closes it."),
  goal: mark("Click the point that the flock flies to."),
  predator: mark("Click where the predator starts."),
};
const HINT = mark("Choose a shape. Drag a mark to move a shape; press Delete to remove the selected one.");

export class Palette {
  readonly element: HTMLElement;
  private readonly hint = h("p", {});
  private readonly buttons = new Map<Kind, HTMLButtonElement>();
  private readonly away: HTMLButtonElement;
  private flat = false;

  constructor(choose: (kind: Kind | null) => void, remove: () => void, close: () => void) {
    for (const kind of KINDS) {
      const button = h(
        "button",
        { type: "button", class: "kind", "data-test": `draw-${kind}`, "aria-pressed": "false", onClick: () => choose(button.getAttribute("aria-pressed") === "true" ? null : kind) },
        icon(kind), h("span", {}, tv(LABELS[kind])),
      );
      this.buttons.set(kind, button);
    }
    this.away = h("button", { type: "button", class: "kind", "data-test": "draw-delete", title: t("Delete the selection (Delete)"), onClick: remove }, icon("bin"), h("span", {}, t("Delete")));
    this.element = h(
      "div",
      { class: "card palette", role: "toolbar", "aria-label": t("Draw"), "data-test": "palette", hidden: true },
      h("div", { class: "kinds" }, ...this.buttons.values(), h("div", { class: "split" }), this.away, iconButton("close", t("Stop drawing"), "draw-close", close, "d")),
      this.hint,
    );
    this.show(null);
    this.select(null);
  }

  /** `kinds`: what can be drawn; all of them unless given. */
  enter(flat: boolean, kinds: readonly string[] = KINDS): void {
    this.flat = flat;
    for (const [kind, button] of this.buttons) button.hidden = !kinds.includes(kind);
    this.buttons.get("sphere")!.lastElementChild!.textContent = flat ? t("Disc") : tv(LABELS.sphere);
  }

  /** The kind that is drawn; null: none, and things can be dragged. */
  show(kind: Kind | null): void {
    for (const [each, button] of this.buttons) button.setAttribute("aria-pressed", String(each === kind));
    const plane = kind && !this.flat ? ` ${t("Shapes are drawn on the visible plane.")}` : "";
    this.hint.textContent = kind ? tv(HINTS[kind]) + plane : tv(HINT);
  }

  /** The name of what is selected. */
  select(name: string | null): void {
    this.away.disabled = name === null;
    this.away.setAttribute("aria-label", name === null ? t("Delete") : t("Delete {name}", { name }));
  }
}
