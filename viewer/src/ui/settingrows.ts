/** The panel's section of settings that were kept: to keep one, go back to it, compare, rename, remove. */

import { LONGEST_NAME, type Kept } from "../page/settings";
import { h, icon, iconButton } from "./dom";
import { t } from "../words";

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
  private readonly list = h("ul", { class: "kept", "aria-label": t("Stored settings") });
  private readonly keepButton: HTMLButtonElement;
  /** Rows stay while their settings do: what is just being clicked is not replaced. */
  private rows = new Map<Kept, SettingRow>();

  constructor(private readonly calls: SettingCalls) {
    this.keepButton = h(
      "button",
      { type: "button", class: "button", "data-test": "keep-setting", title: t("Store all numbers, and the rules that are off"), onClick: () => calls.keep() },
      icon("copy"), t("Keep this setting"),
    );
    this.element = h("div", { class: "settings" }, this.list, this.keepButton);
  }

  show(settings: readonly Kept[]): void {
    const before = [...this.rows.keys()];
    this.rows = new Map(settings.map((kept) => [kept, this.rows.get(kept) ?? new SettingRow(kept, this.calls)]));
    for (const row of this.rows.values()) row.show();
    if (before.length === settings.length && before.every((kept, k) => kept === settings[k])) return;
    const focused = this.list.querySelector(":focus") !== null;
    this.list.replaceChildren(...[...this.rows.values()].map(({ element }) => element));
    if (focused) this.keepButton.focus(); // the element with the keyboard's focus was removed
  }
}

class SettingRow {
  readonly element: HTMLElement;
  private readonly name: HTMLButtonElement;
  private readonly field: HTMLInputElement;
  private readonly labels: [HTMLElement, (name: string) => string][];

  constructor(private readonly kept: Kept, calls: SettingCalls) {
    const { compare } = calls;
    this.name = h("button", { type: "button", class: "chip", "data-test": "setting", onClick: () => calls.goBack(kept) });
    this.field = h("input", { type: "text", class: "value", maxlength: LONGEST_NAME, "data-test": "setting-name", hidden: true });
    const button = (name: string, test: string, go: () => void): HTMLElement => iconButton(name, "", `setting-${test}`, go);
    const beside = compare ? button("beside", "compare", () => compare(kept)) : null;
    const rename = button("rename", "rename", () => this.rename());
    const remove = button("close", "remove", () => calls.remove(kept));
    this.labels = [
      [this.name, (name) => t("Return to {name}", { name })],
      [this.field, (name) => t("Rename {name}", { name })],
      [rename, (name) => t("Rename {name}", { name })],
      [remove, (name) => t("Remove {name}", { name })],
    ];
    if (beside) this.labels.push([beside, (name) => t("Compare with {name}, side by side", { name })]);
    let taken = true;
    this.field.addEventListener("keydown", ({ key }) => {
      if (key !== "Enter" && key !== "Escape") return;
      taken = key === "Enter";
      this.name.hidden = false;
      this.name.focus();
    });
    this.field.addEventListener("blur", () => {
      [this.name.hidden, this.field.hidden] = [false, true];
      calls.rename(kept, taken ? this.field.value : "");
      taken = true;
    });
    this.element = h("li", {}, this.name, this.field, beside, rename, remove);
  }

  show(): void {
    const { name } = this.kept;
    this.name.textContent = name;
    for (const [element, label] of this.labels) {
      element.setAttribute("aria-label", label(name));
      element.title = label(name);
    }
  }

  /** The name becomes a field: Enter takes it, Escape leaves it as it was. */
  private rename(): void {
    this.field.value = this.kept.name;
    [this.name.hidden, this.field.hidden] = [true, false];
    this.field.focus();
    this.field.select();
  }
}
