/** The panel's section of settings that were kept: to keep one, go back to it, compare, rename, remove. */

import { LONGEST_NAME, type Kept } from "../settings";
import { h, icon, iconButton } from "./dom";

export interface SettingCalls {
  keep(): void;
  goBack(kept: Kept): void;
  /** Not there where nothing can be compared. */
  compare?: ((kept: Kept) => void) | undefined;
  rename(kept: Kept, name: string): void;
  remove(kept: Kept): void;
}

export class SettingRows {
  readonly element: HTMLElement;
  private readonly list = h("ul", { class: "kept", "aria-label": "Settings that were kept" });
  private readonly keepButton: HTMLButtonElement;

  constructor(private readonly calls: SettingCalls) {
    this.keepButton = h(
      "button",
      { type: "button", class: "button", "data-test": "keep-setting", title: "All numbers as they are now, and which rules are off", onClick: () => calls.keep() },
      icon("copy"), "Keep this setting",
    );
    this.element = h("div", { class: "settings" }, this.list, this.keepButton);
  }

  /** The settings; `focus`: the one whose name the keyboard is on then. */
  show(settings: readonly Kept[], focus?: Kept): void {
    const rows = settings.map((kept) => this.row(kept));
    this.list.replaceChildren(...rows);
    if (focus) rows[settings.indexOf(focus)]?.querySelector("button")?.focus();
  }

  private row(kept: Kept): HTMLElement {
    const { name } = kept;
    const goBack = h(
      "button",
      { type: "button", class: "chip", "data-test": "setting", title: `Go back to: ${name}`, "aria-label": `Go back to ${name}`, onClick: () => this.calls.goBack(kept) },
      name,
    );
    const { compare } = this.calls;
    const row = h(
      "li",
      {},
      goBack,
      compare && iconButton("beside", `Compare with ${name}, side by side`, "setting-compare", () => compare(kept)),
      iconButton("rename", `Rename ${name}`, "setting-rename", () => this.rename(kept, goBack)),
      iconButton("close", `Remove ${name}`, "setting-remove", () => {
        this.calls.remove(kept);
        this.keepButton.focus();
      }),
    );
    return row;
  }

  /** The name becomes a field: Enter takes it, Escape leaves it as it was. */
  private rename(kept: Kept, place: HTMLElement): void {
    const field = h("input", { type: "text", class: "value", maxlength: LONGEST_NAME, "data-test": "setting-name", "aria-label": `Another name for ${kept.name}`, value: kept.name });
    let taken = true;
    field.addEventListener("keydown", (event) => {
      taken = event.key !== "Escape";
      if (event.key === "Enter" || event.key === "Escape") field.blur();
    });
    field.addEventListener("blur", () => this.calls.rename(kept, taken ? field.value : ""));
    place.replaceWith(field);
    field.focus();
    field.select();
  }
}
