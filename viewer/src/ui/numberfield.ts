/** A field for a typed number. What cannot be used is refused beside it, and the number stays. */

import { readTyped, stays, type Bounds } from "../controls/typed";
import { h, newId } from "./dom";

export interface NumberField {
  readonly input: HTMLInputElement;
  /** Shows why the last text was refused; otherwise empty. It is in the row, below. */
  readonly fault: HTMLElement;
  /** Shows the number that holds, unless the user is typing. */
  show(): void;
  refuse(why: string): void;
}

export interface NumberFieldOptions {
  bounds: Bounds;
  whole: boolean;
  /** The number that holds, and how it is written. */
  now(): number;
  text(value: number): string;
  commit(value: number): void;
}

export function numberField(props: Record<string, unknown>, options: NumberFieldOptions): NumberField {
  const { bounds, whole, now, text, commit } = options;
  const id = newId();
  const fault = h("p", { class: "fault", id, role: "alert", "data-test": "fault" });
  const input = h("input", {
    type: "text", inputmode: whole ? "numeric" : "decimal", class: "value", spellcheck: "false", autocomplete: "off",
    "aria-describedby": id, ...props,
  });
  const say = (why: string): void => {
    if (fault.textContent !== why) fault.textContent = why;
  };
  const put = (): void => void (input.defaultValue = input.value = text(now()));
  // Not "change": a browser knows nothing of a text that was typed into the field before this one.
  input.addEventListener("blur", () => {
    if (input.value !== input.defaultValue) {
      const typed = readTyped(input.value, bounds, whole);
      say("fault" in typed ? stays(typed.fault, now()) : "");
      if ("value" in typed && typed.value !== now()) commit(typed.value);
    }
    put();
  });
  input.addEventListener("input", () => say(""));
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      say("");
      put();
    }
    if (event.key === "Enter" || event.key === "Escape") input.blur();
  });
  input.addEventListener("focus", () => input.select());
  let before = NaN;
  return {
    input,
    fault,
    show() {
      if (now() !== before) say("");
      before = now();
      if ((input.getRootNode() as Document | ShadowRoot).activeElement !== input) put();
    },
    refuse: say,
  };
}
