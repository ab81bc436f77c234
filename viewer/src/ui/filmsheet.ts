/** The sheet for the length and the shape of a film. */

import { boundsOf, filmText, lengthIn, SIZES, stepsOf, type FilmChoice, type Unit } from "../controls/filmchoice";
import { formatNumber } from "../controls/specs";
import type { ViewInfo } from "../wire/contracts";
import { h, newId, segments } from "./dom";
import { openSheet } from "./help";
import { numberField, type NumberField } from "./numberfield";
import { mark, t, tv } from "../words";

export function openFilmSheet(into: HTMLElement, view: ViewInfo, first: FilmChoice, make: (choice: FilmChoice) => void): void {
  let choice = first;
  const summary = h("p", { class: "quiet", "aria-live": "polite", "data-test": "film-length-told" });
  const place = h("div", { class: "row length" });
  let field: NumberField | null = null;
  const units = segments("film-unit", t("Unit of the length"), [mark("seconds"), mark("steps")].map((value) => ({ value, label: tv(value) })), (unit) => {
    choice = { ...choice, unit: unit as Unit };
    show();
  });
  const show = (): void => {
    const { unit } = choice;
    units.set(unit);
    const length = (): number => lengthIn(unit, choice.steps, view);
    field = numberField(
      { "data-test": "film-length", "aria-label": t("Length in {unit}", { unit: tv(unit) }) },
      {
        bounds: boundsOf(unit, view), whole: unit === "steps", now: length, text: formatNumber,
        commit: (value) => {
          choice = { ...choice, steps: stepsOf(unit, value, view) };
          summary.textContent = filmText(choice.steps, view);
        },
      },
    );
    field.show();
    place.replaceChildren(h("span", { class: "label" }, t("duration")), field.input, units.element, field.fault);
    summary.textContent = filmText(choice.steps, view);
  };
  show();
  const name = newId();
  const sizes = SIZES.map(({ value, label, size: [width, height] }) => {
    const long = Math.max(width, height);
    return h(
      "label",
      { class: "shape" },
      h("input", {
        type: "radio", name, value, checked: value === choice.size, "data-test": `film-size-${value}`,
        onChange: () => (choice = { ...choice, size: value }),
      }),
      h("i", { style: `width:${(26 * width) / long}px;height:${(26 * height) / long}px` }),
      h("span", {}, tv(label)),
    );
  });
  const form = h(
    "form",
    {
      class: "film", novalidate: true,
      onSubmit: (event: Event) => {
        event.preventDefault();
        field!.input.blur(); // what was typed last counts, or is refused
        if (field!.fault.textContent) return field!.input.focus();
        close();
        make(choice);
      },
    },
    place,
    summary,
    h("fieldset", {}, h("legend", { class: "label" }, t("shape, in pixels")), ...sizes),
    h("p", { class: "quiet" }, t("The film starts with the flock's present state. The flock moves on while the film is made.")),
    h("footer", {},
      h("button", { type: "button", class: "button", onClick: () => close() }, t("Cancel")),
      h("button", { type: "submit", class: "button strong", "data-test": "film-make" }, t("Make the film")),
    ),
  );
  const close = openSheet(into, t("Save a film"), form);
  field!.input.focus();
}
