/** The rows of the panel: one control each, made from a spec. */

import { read, shown, type Spec } from "../controls/specs";
import { isSchedule, scheduleAt, schedulePaths, scheduleSpan } from "../controls/schedule";
import { rangeOf, type Range, type Sizes } from "../controls/ranges";
import { asNumber } from "../wire/json";
import type { Plain } from "../wire/messages";
import { h, newId } from "./dom";

export interface Row {
  element: HTMLElement;
  /** The paths that this row shows. */
  path: string;
  set(value: Plain): void;
  setTime?(time: number): void;
}

export interface Edits {
  /** The user changes a value; `done` when the change is complete (let go, typed). */
  change(path: string, value: Plain, done: boolean): void;
  /** The value at load. */
  initial(path: string): Plain | undefined;
}

export function rowOf(spec: Spec, value: Plain, edits: Edits, sizes: Sizes): Row {
  switch (spec.kind) {
    case "number":
      return numberRow(spec, spec.range, spec.whole, value, edits);
    case "vector":
      return vectorRow(spec, value, edits);
    case "schedule":
      return scheduleRow(spec, value, edits, sizes);
    case "choice":
      return choiceRow(spec, value, edits);
    case "switch":
      return switchRow(spec, value, edits);
  }
}

/** How full the track is drawn: from zero where zero is within the range. */
function paintTrack(slider: HTMLInputElement, min: number, max: number, value: number): void {
  const at = (x: number): number => (100 * (Math.min(max, Math.max(min, x)) - min)) / (max - min || 1);
  const zero = min < 0 && max > 0 ? at(0) : 0;
  slider.style.setProperty("--from", `${Math.min(zero, at(value))}%`);
  slider.style.setProperty("--to", `${Math.max(zero, at(value))}%`);
}

export function numberRow(
  spec: { path: string; label: string; about: string; unit: string },
  range: Range,
  whole: boolean,
  value: Plain,
  edits: Edits,
): Row {
  const [id, aboutId] = [newId(), newId()];
  let { min, max } = range;
  let now = asNumber(value) ?? 0;
  const top = (): number => max + (range.infinite ? 8 * range.step : 0);
  const slider = h("input", {
    type: "range", id, "data-path": spec.path, "aria-describedby": aboutId, min, max: top(), step: range.step,
  });
  const field = h("input", {
    type: "text", inputmode: "decimal", class: "value", "aria-label": `${spec.label}, value`,
    "data-value-path": spec.path, spellcheck: "false", autocomplete: "off",
  });
  const show = (next: number): void => {
    now = next;
    if (Number.isFinite(next) && (next > max || next < min)) {
      max = Math.max(max, next);
      min = Math.min(min, next);
      slider.min = String(min);
      slider.max = String(top());
    }
    slider.value = String(next === Infinity ? top() : next);
    slider.setAttribute("aria-valuetext", shown(next));
    if (field !== field.getRootNode() && !isFocused(field)) field.value = shown(next);
    paintTrack(slider, min, top(), next === Infinity ? top() : next);
    const initial = asNumber(edits.initial(spec.path));
    element.classList.toggle("changed", initial !== null && Math.abs(initial - next) > 1e-9 * Math.abs(initial));
  };
  const fromSlider = (): number => {
    const raw = Number(slider.value);
    if (range.infinite && raw > max + 0.5 * range.step) return Infinity;
    const stepped = Number(raw.toPrecision(10));
    return whole ? Math.round(stepped) : stepped;
  };
  slider.addEventListener("input", () => {
    show(fromSlider());
    edits.change(spec.path, now, false);
  });
  slider.addEventListener("change", () => edits.change(spec.path, now, true));
  slider.addEventListener("dblclick", () => {
    const initial = asNumber(edits.initial(spec.path));
    if (initial === null) return;
    show(initial);
    edits.change(spec.path, initial, true);
  });
  const typed = (): void => {
    const next = read(field.value, range, whole);
    if (next !== null && next !== now) {
      show(next);
      edits.change(spec.path, next, true);
    }
    field.value = shown(now);
  };
  field.addEventListener("change", typed);
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") field.blur();
    if (event.key === "Escape") {
      field.value = shown(now);
      field.blur();
    }
  });
  field.addEventListener("focus", () => field.select());
  const element = h(
    "div",
    { class: "row number", title: spec.about },
    h("label", { for: id }, spec.label),
    slider,
    field,
    h("span", { id: aboutId, class: "hidden" }, spec.about),
  );
  show(now);
  return { element, path: spec.path, set: (next) => show(asNumber(next) ?? 0) };
}

function isFocused(element: HTMLElement): boolean {
  const root = element.getRootNode() as Document | ShadowRoot;
  return root.activeElement === element;
}

function vectorRow(spec: Spec & { kind: "vector" }, value: Plain, edits: Edits): Row {
  let now = (value as Plain[]).map((x) => asNumber(x) ?? 0);
  const rows = spec.axes.map((axis, k) =>
    numberRow(
      { ...spec, path: `${spec.path}.${k}`, label: `${spec.label} ${axis}` },
      spec.range,
      false,
      now[k]!,
      {
        change: (_, next, done) => {
          now = now.map((x, j) => (j === k ? (next as number) : x));
          edits.change(spec.path, [...now], done);
        },
        initial: () => {
          const all = edits.initial(spec.path);
          return Array.isArray(all) ? all[k] : undefined;
        },
      },
    ),
  );
  return {
    element: h("div", { class: "group" }, ...rows.map((row) => row.element)),
    path: spec.path,
    set(next) {
      if (!Array.isArray(next)) return;
      now = next.map((x) => asNumber(x) ?? 0);
      rows.forEach((row, k) => row.set(now[k] ?? 0));
    },
  };
}

function choiceRow(spec: Spec & { kind: "choice" }, value: Plain, edits: Edits): Row {
  const id = newId();
  const select = h(
    "select",
    { id, "data-path": spec.path, onChange: () => edits.change(spec.path, select.value, true) },
    ...spec.options.map((option) => h("option", { value: option }, option)),
  );
  select.value = String(value);
  return {
    element: h("div", { class: "row", title: spec.about }, h("label", { for: id }, spec.label), select),
    path: spec.path,
    set: (next) => (select.value = String(next)),
  };
}

function switchRow(spec: Spec & { kind: "switch" }, value: Plain, edits: Edits): Row {
  const id = newId();
  const box = h("input", {
    type: "checkbox", role: "switch", class: "switch", id, "data-path": spec.path, checked: value === true,
    onChange: () => edits.change(spec.path, box.checked, true),
  });
  return {
    element: h("div", { class: "row", title: spec.about }, h("label", { for: id }, spec.label), box),
    path: spec.path,
    set: (next) => (box.checked = next === true),
  };
}

const [WIDE, HIGH] = [240, 36];

/** A number that changes in time: its course with the present marked, and its own numbers below. */
function scheduleRow(spec: Spec & { kind: "schedule" }, value: Plain, edits: Edits, sizes: Sizes): Row {
  let schedule = isSchedule(value) ? value : {};
  let span = 1;
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", `0 0 ${WIDE} ${HIGH}`);
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("aria-hidden", "true");
  const course = document.createElementNS("http://www.w3.org/2000/svg", "path");
  const present = document.createElementNS("http://www.w3.org/2000/svg", "line");
  svg.append(course, present);
  const reading = h("output", { class: "value" });
  const draw = (): void => {
    span = scheduleSpan(schedule) || 1;
    const points = Array.from({ length: 161 }, (_, k) => scheduleAt(schedule, (span * k) / 160));
    const [low, high] = [Math.min(0, ...points), Math.max(...points, 1e-9)];
    const y = (v: number): number => HIGH - 3 - ((HIGH - 6) * (v - low)) / (high - low || 1);
    course.setAttribute("d", points.map((v, k) => `${k ? "L" : "M"}${((WIDE * k) / 160).toFixed(1)} ${y(v).toFixed(1)}`).join(""));
  };
  draw();
  const numbers = schedulePaths(schedule, spec.path).map(({ path, label }) => {
    const at = path.slice(spec.path.length + 1).split(".");
    const initial = (at.reduce<Plain | undefined>(
      (here, key) => (here as Record<string, Plain> | undefined)?.[key], schedule) ?? 0) as number;
    const range = rangeOf({ unit: "", slider: [-1, 1] }, initial, initial, sizes);
    if (at[0] !== "values" && at[0] !== "start" && at[0] !== "stop") range.min = Math.max(0, range.min);
    return numberRow({ path, label, about: spec.about, unit: "" }, range, false, initial, {
      change: (_, next, done) => {
        // The whole table is sent: its numbers are checked together.
        const copy = JSON.parse(JSON.stringify(schedule)) as Record<string, Plain>;
        if (at.length === 1) copy[at[0]!] = next;
        else (copy[at[0]!] as Plain[])[Number(at[1])] = next;
        schedule = copy;
        draw();
        edits.change(spec.path, copy, done);
      },
      initial: () => initial,
    });
  });
  const element = h(
    "div",
    { class: "schedule", title: spec.about },
    h("div", { class: "row" }, h("span", { class: "label" }, spec.label), h("span", { class: "tag" }, `in time: ${String(schedule["kind"])}`), reading),
    h("div", { class: "course" }),
    h("details", { class: "inner" }, h("summary", {}, "its numbers"), ...numbers.map((row) => row.element)),
  );
  element.querySelector(".course")!.append(svg);
  return {
    element,
    path: spec.path,
    set(next) {
      if (!isSchedule(next)) return;
      schedule = next;
      draw();
      schedulePaths(next, "").forEach(({ path }, k) => {
        const keys = path.slice(1).split(".");
        const inner = keys.reduce<Plain | undefined>((here, key) => (here as Record<string, Plain>)[key], next);
        numbers[k]?.set(inner ?? 0);
      });
    },
    setTime(time) {
      reading.textContent = shown(Number(scheduleAt(schedule, time).toPrecision(3)));
      const x = (WIDE * Math.min(time, span)) / span;
      present.setAttribute("x1", String(x));
      present.setAttribute("x2", String(x));
      present.setAttribute("y1", "0");
      present.setAttribute("y2", String(HIGH));
    },
  };
}
