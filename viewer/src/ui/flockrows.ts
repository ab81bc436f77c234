/** The first rows of the panel: description, numbers of boids, changes to try. */

import { numberField } from "./numberfield";
import { whileHeld, type Edits, type Row } from "./numberrow";
import { term } from "./term";
import type { Bounds } from "../controls/typed";
import { labelOf } from "../controls/specs";
import { asNumber } from "../wire/json";
import { fixedRow } from "./rows";
import type { Plain, SceneMessage } from "../wire/contracts";
import { h } from "./dom";
import { count as grouped, t, tm } from "../words";

const MAX_SLIDER_BOIDS = 100_000;

export function flockRows(scene: SceneMessage, edits: Edits, keep: (row: Row) => void, more?: HTMLElement): Node[] {
  const most = Math.max(...scene.flocks.map((flock) => flock.count));
  const { flocks } = scene;
  const main = flocks.find(({ name }) => name === "boids") ?? flocks.find(({ count }) => count === most);
  const counts = flocks.map((flock) => {
    const about = scene.schemas[`flocks.${flock.name}`]?.properties?.["count"];
    if (!about) return null; // a recording's
    const top = asNumber(about["maximum"]) ?? Infinity;
    const bounds = { least: asNumber(about["minimum"]) ?? 1, most: top, above: false, infinite: false };
    const label = flocks.length > 1 ? labelOf(flock.name) : t("boids");
    const path = `flocks.${flock.name}.count`;
    const spec = { path, label, name: t("Number of {label}", { label }), about: "", unit: "" };
    const row = about.fixed !== undefined ? fixedRow(spec, tm(about.fixed), flock.count) : countRow(flock.name, label, flock.max_boids !== undefined, flock.count, bounds, Math.min(top, Math.max(MAX_SLIDER_BOIDS, flock.count)), flock === main, edits);
    keep(row);
    return row.element;
  });
  if (scene.can?.change === false) return [aboutOf(scene)];
  return [aboutOf(scene), ...counts.filter((row) => row !== null), ...(more ? [more] : []), ...triesOf(scene, edits)];
}

function aboutOf(scene: SceneMessage): HTMLElement {
  const { source } = scene;
  const link = source?.doi ? `https://doi.org/${source.doi}` : source?.url;
  const cite = source?.reference
    ? h(
        "p",
        { class: "cite", title: source.reference },
        link ? h("a", { href: link, target: "_blank", rel: "noreferrer" }, source.reference) : source.reference,
      )
    : null;
  return h("div", { class: "about" }, scene.about ? storyOf(tm(scene.about.trim())) : null, cite);
}

const LONG = 220; // letters of a description; what is longer is opened by a button

/** The description: its first sentences, and the rest behind a button. */
function storyOf(text: string): HTMLElement {
  const words = text.replace(/\s+/g, " ");
  const ends = [...words.matchAll(/[.!?] /g)].map(({ index }) => index + 1).filter((at) => at <= LONG);
  const cut = words.length <= LONG ? words.length : (ends.at(-1) ?? words.length);
  const rest = h("span", { hidden: true }, words.slice(cut));
  const more = h("button", { type: "button", class: "more", "data-test": "more-about", "aria-expanded": "false" }, t("more"));
  more.addEventListener("click", () => {
    rest.hidden = !rest.hidden;
    more.textContent = rest.hidden ? t("more") : t("less");
    more.setAttribute("aria-expanded", String(!rest.hidden));
  });
  return h("p", { class: "story" }, words.slice(0, cut), rest, ...(cut < words.length ? [" ", more] : []));
}

/** Lines 'path=value: what it does'. */
export function readTry(line: string): { path: string; value: Plain; what: string } | null {
  const cut = line.indexOf(": ");
  const change = cut > 0 ? line.slice(0, cut) : line;
  const equals = change.indexOf("=");
  if (equals < 1) return null;
  const text = change.slice(equals + 1).trim();
  let value: Plain = text;
  try {
    value = JSON.parse(text) as Plain;
  } catch {
    // A word, such as a form; it stays text.
  }
  return { path: change.slice(0, equals).trim(), value, what: cut > 0 ? line.slice(cut + 2) : "" };
}

function triesOf(scene: SceneMessage, edits: Edits): Node[] {
  const chips = (scene.tries ?? []).flatMap((line) => {
    const found = readTry(line);
    if (!found) return [];
    const { path, value, what } = found;
    const code = `${path.replace(/^(rules|flocks)\./, "")} = ${JSON.stringify(value)}`;
    return [
      h("button", { type: "button", class: "chip", "data-try": path, onClick: () => edits.change(path, value, true) }, tm(what) || path, h("code", {}, code)),
    ];
  });
  if (chips.length === 0) return [];
  return [h("details", { class: "inner" }, h("summary", {}, t("Things to try")), h("div", { class: "tries" }, ...chips))];
}

/** Numbers of boids run from one to very many, so the slider is logarithmic. */
function countRow(flock: string, label: string, grows: boolean, count: number, bounds: Bounds, top: number, main: boolean, edits: Edits): Row {
  const path = `flocks.${flock}.count`;
  const name = t("Number of {label}", { label });
  const slider = h("input", { type: "range", min: 0, max: 1000, step: 1, "aria-label": name, "data-path": `${path}.slider` });
  let now = count;
  const text = (n: number): string => grouped(n);
  const field = numberField(
    { "data-path": path, "data-test": main ? "boids" : undefined, "aria-label": t("{name}, value", { name }) },
    { bounds, whole: true, now: () => now, text, commit: (n) => edits.change(path, n, true) },
  );
  const place = (n: number): number => (1000 * Math.log(Math.max(1, n))) / Math.log(top);
  const numberAt = (at: number): number => {
    const exact = top ** (at / 1000);
    const digits = 10 ** Math.max(0, Math.floor(Math.log10(exact)) - 1);
    return Math.min(top, Math.max(1, Math.round(exact / digits) * digits));
  };
  const show = (n: number): void => {
    now = n;
    slider.value = String(place(n));
    slider.style.setProperty("--to", `${Math.min(100, place(n) / 10)}%`);
    slider.setAttribute("aria-valuetext", String(n));
    field.show();
  };
  // Another number of boids restarts, so it is sent when the slider is released.
  whileHeld(slider, () => show(numberAt(Number(slider.value))), () => edits.change(path, now, true));
  show(count);
  const title = grows ? t("Number of boids at the start. A change restarts the flock.") : t("Number of boids. A change restarts the flock.");
  const { label: word, note } = term(label, title);
  return {
    element: h("div", { class: "row", title }, word, slider, field.input, field.fault, note),
    path,
    set: (value) => show(asNumber(value) ?? count),
    refuse: field.refuse,
  };
}
