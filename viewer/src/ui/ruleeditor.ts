/** The functions of a rule as text, to be changed and run. What the text means is read where the flock is
 * simulated: it is never run as a program of this page. */

import type { Plain } from "../wire/contracts";
import { labelOf } from "../controls/specs";
import { h, newId } from "./dom";
import type { Edits, Row } from "./numberrow";
import { mark, t, tv } from "../words";

/** The numbers that functions may use, by argument. */
const NAMES: [string, string][] = [
  ["other.", mark("dx dy dz (to the neighbour), distance, r2 (its square), u v w (velocity)")],
  ["me.", mark("x y z, u v w (velocity), speed, index, flock_size, time, dt, dims, max_speed, max_force")],
  ["self.", mark("the numbers of the rule, with the names of its sliders")],
  ["sums", mark("what pair returns, added up over all neighbours")],
  [mark("functions"), mark("min max abs, math.sqrt math.exp math.log math.sin math.cos math.tanh and others of math, and functions of this text")],
];
const LINES = 18; // the most that are shown without scrolling

export interface RuleText {
  /** The path of the rule. */
  path: string;
  name: string;
  /** Its functions as the kind of rule has them. */
  text: string;
  /** As they were edited; empty where they were not. */
  edited: string;
}

/** The editor, folded behind a button; its row has the path of the text. */
export function ruleEditor({ path, name, text, edited }: RuleText, edits: Pick<Edits, "change">, open: boolean, opened: (open: boolean) => void): Row {
  const id = newId();
  const key = `${path}.functions`;
  const fault = h("p", { class: "fault", id, role: "alert", "data-test": `fault-${name}` });
  const area = h("textarea", {
    class: "mono", spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off",
    "aria-label": t("Functions of {name}", { name: labelOf(name) }), "aria-describedby": id, "data-test": `text-${name}`,
  });
  let now = "";
  const show = (value: string): void => {
    const typed = area.value === area.defaultValue ? null : area.value;
    now = value;
    area.defaultValue = value || text;
    area.value = typed ?? area.defaultValue; // what somebody is typing stays
    area.rows = Math.min(LINES, area.value.split("\n").length + 1);
    restore.disabled = area.value === text;
    fault.textContent = "";
    element.classList.toggle("edited", value !== "");
  };
  const run = (): void => {
    const typed = area.value.trimEnd() + "\n";
    if (area.value !== typed) area.value = typed;
    fault.textContent = "";
    const next = typed === text.trimEnd() + "\n" ? "" : typed;
    if (next !== now) edits.change(key, next, true);
  };
  const button = (label: string, test: string, title: string, go: () => void, strong = false): HTMLButtonElement =>
    h("button", { type: "button", class: strong ? "button strong" : "button", "data-test": `${test}-${name}`, title, onClick: go }, label);
  const restore = button(t("As it was"), "restore", t("The functions of this kind of rule again"), () => {
    area.value = area.defaultValue;
    if (now === "") show("");
    else edits.change(key, "", true);
  });
  area.addEventListener("input", () => {
    fault.textContent = "";
    restore.disabled = area.value === text;
  });
  area.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run();
    else if (event.key === "Tab" && !event.shiftKey && !event.altKey && area.selectionStart !== undefined) area.setRangeText("    ", area.selectionStart, area.selectionEnd, "end");
    else return;
    event.preventDefault();
  });
  const names = h(
    "details", { class: "inner" }, h("summary", {}, t("Names that may be used")),
    h("dl", { class: "names" }, ...NAMES.flatMap(([word, about]) => [h("dt", {}, h("code", {}, tv(word))), h("dd", {}, tv(about))])),
  );
  const element = h(
    "details", { class: "editor", open },
    h("summary", { "data-test": `edit-${name}` }, t("Edit the rule")),
    area, fault,
    h("div", { class: "runs" }, button(t("Run"), "run", t("Run the rule as it stands here (ctrl Enter)"), run, true), restore),
    names,
  );
  element.addEventListener("toggle", () => opened(element.open));
  show(edited);
  return {
    element,
    path: key,
    set(value: Plain) {
      const next = typeof value === "string" ? value : "";
      if (next !== now) show(next);
    },
    refuse(why) {
      fault.textContent = why.replace(`${key}: `, "").replace(/^<[^>]*>, /, "");
      fault.scrollIntoView({ block: "nearest" });
    },
  };
}

/** The functions to be read, where the page cannot compile others. */
export function ruleText(name: string, text: string, open: boolean, opened: (open: boolean) => void): HTMLElement {
  const element = h(
    "details", { class: "editor", open },
    h("summary", { "data-test": `functions-${name}` }, t("Its functions")),
    h("pre", { class: "mono", tabindex: "0", "aria-label": t("Functions of {name}", { name: labelOf(name) }) }, text.trimEnd()),
    h("p", { class: "why" }, t("This page was made without an editor. Make it with --edit, or save the model and change them in the live view of Python: murmurate watch.")),
  );
  element.addEventListener("toggle", () => opened(element.open));
  return element;
}
