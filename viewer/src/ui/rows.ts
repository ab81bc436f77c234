/** The rows of the panel: one control each, made from a spec. */

import { formatNumber, type Spec } from "../controls/specs";
import { isSchedule, scheduleAt, schedulePaths, scheduleSpan } from "../controls/schedule";
import { rangeOf, type Sizes } from "../controls/ranges";
import { textOf } from "../page/settings";
import { asNumber } from "../wire/json";
import type { Plain } from "../wire/contracts";
import { h, icon } from "./dom";
import { differMenu, distributionRow } from "./distributionrow";
import { numberRow, type Edits, type Row } from "./numberrow";
import { term } from "./term";
import { t, tm, tv } from "../words";

export function rowOf(spec: Spec, value: Plain, edits: Edits, sizes: Sizes): Row {
  if (spec.fixed !== undefined) return fixedRow(spec, spec.fixed, value);
  switch (spec.kind) {
    case "number":
      return withMenu(numberRow(spec, spec.range, spec.whole, value, edits), spec, value, edits);
    case "distribution":
      return distributionRow(spec, value, edits, sizes);
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

/** A slider with a menu by which its number can differ between boids. */
function withMenu(row: Row, spec: Spec & { kind: "number" }, value: Plain, edits: Edits): Row {
  if (!spec.limits) return row;
  let now = value;
  row.element.classList.add("may-differ");
  row.element.children[2]!.after(differMenu(spec.name, spec.path, () => now, spec.limits, edits, true));
  return {
    ...row,
    set(next) {
      now = next;
      row.set(next);
    },
  };
}

/** A value that is shown and cannot change; its label shows why when it is pressed. */
export function fixedRow(spec: Pick<Spec, "path" | "label" | "name" | "about" | "unit">, why: string, value: Plain): Row {
  const { label, note } = term(spec.label, [spec.about, why].filter(Boolean).join(" "));
  const said = h("b", {});
  const show = (now: Plain): void => void (said.textContent = textOf(now, { unit: spec.unit }));
  show(value);
  const element = h(
    "div",
    { class: "row", title: why },
    label,
    h("span", { class: "fixed", "data-fixed": spec.path }, icon("lock"), said, h("span", { class: "hidden" }, `, ${t("fixed")}. ${why}`)),
    note,
  );
  return { element, path: spec.path, set: show };
}

function vectorRow(spec: Spec & { kind: "vector" }, value: Plain, edits: Edits): Row {
  let now = (value as Plain[]).map((x) => asNumber(x) ?? 0);
  const rows = spec.axes.map((axis, k) =>
    numberRow(
      { ...spec, path: `${spec.path}.${k}`, label: `${spec.label} ${axis}`, name: `${spec.name} ${axis}` },
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
    refuse: (why) => rows[0]!.refuse!(why),
  };
}

function choiceRow(spec: Spec & { kind: "choice" }, value: Plain, edits: Edits): Row {
  const select = h(
    "select",
    { "data-path": spec.path, "aria-label": spec.name, onChange: () => edits.change(spec.path, select.value, true) },
    ...spec.options.map((option) => h("option", { value: option }, tm(option))),
  );
  select.value = String(value);
  const { label, note } = term(spec.label, spec.about);
  return {
    element: h("div", { class: "row", title: spec.about }, label, select, note),
    path: spec.path,
    set: (next) => (select.value = String(next)),
  };
}

function switchRow(spec: Spec & { kind: "switch" }, value: Plain, edits: Edits): Row {
  const box = h("input", {
    type: "checkbox", role: "switch", class: "switch", "aria-label": spec.name, "data-path": spec.path, checked: value === true,
    onChange: () => edits.change(spec.path, box.checked, true),
  });
  const { label, note } = term(spec.label, spec.about);
  return {
    element: h("div", { class: "row", title: spec.about }, label, box, note),
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
    return numberRow({ path, label, name: t("{name}, {part}", { name: spec.name, part: label }), about: "" }, range, false, initial, {
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
  const { label, note } = term(spec.label, spec.about);
  const element = h(
    "div",
    { class: "schedule", title: spec.about },
    h("div", { class: "row" }, label, h("span", { class: "tag" }, t("over time: {kind}", { kind: tv(String(schedule["kind"])) })), reading, note),
    h("div", { class: "course" }),
    h("details", { class: "inner" }, h("summary", {}, t("numbers of the schedule")), ...numbers.map((row) => row.element)),
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
      reading.textContent = formatNumber(Number(scheduleAt(schedule, time).toPrecision(3)));
      const x = (WIDE * Math.min(time, span)) / span;
      present.setAttribute("x1", String(x));
      present.setAttribute("x2", String(x));
      present.setAttribute("y1", "0");
      present.setAttribute("y2", String(HIGH));
    },
  };
}
