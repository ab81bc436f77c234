/** The row of a number: its slider, and a field to type it. */

import type { Range } from "../controls/ranges";
import { formatNumber } from "../controls/specs";
import { asNumber } from "../wire/json";
import type { Plain } from "../wire/contracts";
import { h } from "./dom";
import { numberField } from "./numberfield";
import { term } from "./term";
import { t } from "../words";

export interface Row {
  element: HTMLElement;
  /** The path that this row shows. */
  path: string;
  set(value: Plain): void;
  setTime?(time: number): void;
  /** Show beside it why a value was refused. */
  refuse?(why: string): void;
}

export interface Edits {
  /** The user changes a value; `done` when the change is complete (released, typed). */
  change(path: string, value: Plain, done: boolean): void;
  /** The value at load. */
  initial(path: string): Plain | undefined;
  /** Boids are to be coloured by a number that differs between them. */
  colour?: ((path: string) => void) | undefined;
}

export interface NumberSpec {
  path: string;
  label: string;
  name: string;
  about: string;
}

/** How full the track is drawn: from zero where zero is within the range. */
function paintTrack(slider: HTMLInputElement, min: number, max: number, value: number): void {
  const at = (x: number): number => (100 * (Math.min(max, Math.max(min, x)) - min)) / (max - min || 1);
  const zero = min < 0 && max > 0 ? at(0) : 0;
  slider.style.setProperty("--from", `${Math.min(zero, at(value))}%`);
  slider.style.setProperty("--to", `${Math.max(zero, at(value))}%`);
}

const SNAP = 0.02; // of the range: from that near, the pointer snaps to zero

/** Where zero and the number at load are marked on a slider. */
function markTrack(slider: HTMLInputElement, min: number, max: number, initial: number | null): void {
  const at = (x: number): number => (x - min) / (max - min || 1);
  const crosses = min < 0 && max > 0;
  slider.classList.toggle("marked", crosses || initial !== null);
  slider.style.setProperty("--zero", String(at(0)));
  slider.style.setProperty("--zero-wide", crosses ? "1px" : "0px");
  const inside = initial !== null && initial >= min && initial <= max;
  slider.style.setProperty("--default", String(inside ? at(initial) : -1));
}

/** The moves of a slider are one change from press to release, of the pointer or of a key that repeats. */
export function whileHeld(slider: HTMLInputElement, moved: () => void, done: () => void): void {
  let [key, changed] = [false, false];
  const letGo = (): void => {
    key = false;
    if (changed) done();
    changed = false;
  };
  slider.addEventListener("keydown", () => (key = true));
  slider.addEventListener("input", () => {
    changed = true;
    moved();
  });
  slider.addEventListener("change", () => !key && letGo());
  slider.addEventListener("keyup", letGo);
  slider.addEventListener("blur", letGo);
}

export function numberRow(spec: NumberSpec, range: Range, whole: boolean, value: Plain, edits: Edits): Row {
  const { label, note } = term(spec.label, spec.about);
  let { min, max } = range;
  let now = asNumber(value) ?? 0;
  const top = (): number => max + (range.infinite ? 8 * range.step : 0);
  const slider = h("input", {
    type: "range", "data-path": spec.path, "aria-label": spec.name, "aria-describedby": note?.id, min, max: top(), step: range.step,
  });
  const field = numberField(
    { "aria-label": t("{name}, value", { name: spec.name }), "data-value-path": spec.path },
    {
      bounds: range, whole, now: () => now, text: formatNumber,
      commit: (next) => {
        show(next);
        edits.change(spec.path, next, true);
      },
    },
  );
  const show = (next: number): void => {
    now = next;
    if (Number.isFinite(next) && (next > max || next < min)) {
      max = Math.max(max, next);
      min = Math.min(min, next);
      slider.min = String(min);
      slider.max = String(top());
    }
    slider.value = String(next === Infinity ? top() : next);
    slider.setAttribute("aria-valuetext", formatNumber(next));
    field.show();
    paintTrack(slider, min, top(), next === Infinity ? top() : next);
    const initial = asNumber(edits.initial(spec.path));
    markTrack(slider, min, top(), initial === Infinity ? top() : initial);
    element.classList.toggle("changed", initial !== null && Math.abs(initial - next) > 1e-9 * Math.abs(initial));
  };
  let pointed = false; // by the pointer, not by keys, which reach every step
  slider.addEventListener("pointerdown", () => (pointed = true));
  slider.addEventListener("keydown", () => (pointed = false));
  const fromSlider = (): number => {
    const raw = Number(slider.value);
    if (range.infinite && raw > max + 0.5 * range.step) return Infinity;
    if (pointed && min < 0 && max > 0 && Math.abs(raw) < SNAP * (max - min)) return 0;
    const stepped = Number(raw.toPrecision(10));
    return whole ? Math.round(stepped) : stepped;
  };
  whileHeld(
    slider,
    () => {
      show(fromSlider());
      edits.change(spec.path, now, false);
    },
    () => edits.change(spec.path, now, true),
  );
  slider.addEventListener("dblclick", () => {
    const initial = asNumber(edits.initial(spec.path));
    if (initial === null) return;
    show(initial);
    edits.change(spec.path, initial, true);
  });
  const element = h(
    "div",
    { class: "row number", title: spec.about },
    label,
    slider,
    field.input,
    field.fault,
    note,
  );
  show(now);
  return { element, path: spec.path, set: (next) => show(asNumber(next) ?? 0), refuse: field.refuse };
}
