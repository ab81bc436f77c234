/** A word with its explanation: a button that opens a line below, for mouse, keyboard and touch. */

import { h, newId } from "./dom";
import { t } from "../words";

export interface Term {
  label: HTMLElement;
  /** To be put below; nothing where there is nothing to explain. */
  note: HTMLElement | null;
}

export function term(word: string, about: string): Term {
  if (!about) return { label: h("span", { class: "label" }, word), note: null };
  const note = h("p", { class: "note", id: newId(), hidden: true }, about);
  const button = h(
    "button",
    {
      type: "button", class: "term", "aria-label": t("What is {word}?", { word }), "aria-expanded": "false", "aria-controls": note.id,
      onClick: () => {
        note.hidden = !note.hidden;
        button.setAttribute("aria-expanded", String(!note.hidden));
      },
    },
    word,
  );
  return { label: h("span", { class: "label" }, button), note };
}
