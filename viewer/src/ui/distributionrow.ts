/** The row of a number that differs between boids: how it is distributed, and sliders of that. The menu that
 * turns one number for all into such numbers, and back. */

import { barsOf, CHOSEN, common, converted, differing, isDistribution, meanAndSd, sharesOf, spanOf, withShare, type Kind, type Limits } from "../controls/distribution";
import { rangeOf, type Range, type Sizes } from "../controls/ranges";
import { formatNumber, type Spec } from "../controls/specs";
import { asNumber } from "../wire/json";
import type { JsonSchema, Plain, Table } from "../wire/contracts";
import { h } from "./dom";
import { numberRow, type Edits, type Row } from "./numberrow";
import { term } from "./term";
import { mark, t, tn, tv } from "../words";

const BINS = 48;
const [WIDE, HIGH] = [240, 34];
const SAME = "same";
const WORDS: Record<string, string> = { [SAME]: mark("the same for all boids"), normal: mark("differs: normal"), uniform: mark("differs: uniform"), lognormal: mark("differs: lognormal"), choice: mark("differs: choice"), each: mark("one value for each boid") };

/** Whether a number is the same for all boids, or how it differs. `small`: an icon, beside a slider. */
export function differMenu(name: string, path: string, value: () => Plain, limits: Limits, edits: Edits, small: boolean): HTMLSelectElement {
  const now = value();
  const kind = isDistribution(now) ? String(now["kind"]) : SAME;
  const kinds = [SAME, ...CHOSEN, ...(kind === SAME || CHOSEN.includes(kind as Kind) ? [] : [kind])];
  const menu = h(
    "select",
    {
      class: small ? "differ small" : "differ", "data-differ": path, "aria-label": t("{name}: the same for all boids, or not", { name }),
      title: t("Let this number differ between boids"),
      onChange: () => {
        const before = value();
        const next = menu.value as Kind | typeof SAME;
        const finite = asNumber(before) ?? 0;
        if (isDistribution(before)) edits.change(path, next === SAME ? common(before) : converted(before, next, limits), true);
        else if (next !== SAME) edits.change(path, differing(next, Number.isFinite(finite) ? finite : 1, limits), true);
      },
    },
    ...kinds.map((one) => h("option", { value: one }, tv(WORDS[one]!))),
  );
  menu.value = kind;
  if (kind === "each") menu.disabled = true;
  return menu;
}

/** The bars of a distribution, and its ends in numbers. */
class Spread {
  readonly element: HTMLElement;
  private readonly bars = document.createElementNS("http://www.w3.org/2000/svg", "path");
  private readonly low = h("span", {});
  private readonly high = h("span", {});

  constructor() {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", `0 0 ${WIDE} ${HIGH}`);
    svg.setAttribute("preserveAspectRatio", "none");
    svg.setAttribute("aria-hidden", "true");
    svg.append(this.bars);
    this.element = h("div", { class: "spread" }, this.low, this.high);
    this.element.prepend(svg);
  }

  show(table: Table): void {
    const wide = WIDE / BINS;
    const bars = barsOf(table, BINS).flatMap((part, k) => {
      const high = part * (HIGH - 2);
      return part > 0.004 ? [`M${(k * wide + 0.5).toFixed(1)} ${HIGH}v${(-high).toFixed(1)}h${(wide - 1).toFixed(1)}v${high.toFixed(1)}z`] : [];
    });
    this.bars.setAttribute("d", bars.join(""));
    const [low, high] = spanOf(table);
    this.low.textContent = formatNumber(Number(low.toPrecision(3)));
    this.high.textContent = formatNumber(Number(high.toPrecision(3)));
  }
}

/** A slider of the distribution: its key in the table, and what it is called. */
interface Slider {
  key: string;
  label: string;
  about: string;
}

const ABOUT: Record<string, Slider[]> = {
  normal: [
    { key: "mean", label: mark("mean"), about: mark("The mean of the boids' numbers, before the limits.") },
    { key: "sd", label: mark("sd"), about: mark("Their standard deviation: two of three boids are within one of the mean.") },
  ],
  lognormal: [
    { key: "mean", label: mark("mean"), about: mark("The mean of the boids' numbers, before the limits.") },
    { key: "sd", label: mark("sd"), about: mark("Their standard deviation. Many boids are a little below the mean, few far above.") },
  ],
  uniform: [
    { key: "min", label: mark("min"), about: mark("The smallest number. All numbers between min and max are as common.") },
    { key: "max", label: mark("max"), about: mark("The largest number.") },
  ],
};
const LIMITS: Slider[] = [
  { key: "min", label: mark("not below"), about: mark("Boids whose number would be smaller get another one.") },
  { key: "max", label: mark("not above"), about: mark("Boids whose number would be larger get another one.") },
];

export function distributionRow(spec: Spec & { kind: "distribution" }, value: Plain, edits: Edits, sizes: Sizes): Row {
  let table: Table = isDistribution(value) ? value : {};
  const kind = String(table["kind"]);
  const spread = new Spread();
  const reading = h("output", { class: "value" });
  const fault = h("p", { class: "fault", role: "alert" });
  const draw = (): void => {
    const { mean, sd } = meanAndSd(table);
    spread.show(table);
    reading.textContent = `${formatNumber(Number(mean.toPrecision(3)))} ± ${formatNumber(Number(sd.toPrecision(2)))}`;
  };
  const put = (key: string, next: Plain, done: boolean): void => {
    table = { ...table, [key]: next };
    fault.textContent = "";
    draw();
    edits.change(`${spec.path}.${key}`, next, done);
  };
  const sliders: { row: Row; read: (table: Table) => Plain }[] = [];
  const slider = ({ key, ...words }: Slider): HTMLElement => {
    const [label, about] = [tv(words.label), tv(words.about)];
    const initial = edits.initial(spec.path);
    const first = isDistribution(initial) ? asNumber(initial[key]) : null;
    const now = asNumber(table[key]) ?? 0;
    const start = first ?? (key === "sd" ? Math.max(now, 0.4 * Math.abs(meanAndSd(table).mean)) : now);
    const schema: JsonSchema = key === "sd" ? { unit: spec.unit, minimum: 0 } : { ...spec.schema, infinite: false };
    const row = numberRow(
      { path: `${spec.path}.${key}`, label, name: t("{name}, {part}", { name: spec.name, part: label }), about }, rangeOf(schema, now, start, sizes), false, now,
      { change: (_, next, done) => put(key, within(key, next as number), done), initial: () => first ?? undefined },
    );
    sliders.push({ row, read: (of) => of[key] ?? 0 });
    return row.element;
  };
  /** The smallest number stays below the largest. */
  const within = (key: string, next: number): number => {
    const [low, high] = [asNumber(table["min"]), asNumber(table["max"])];
    if (key === "min" && high !== null) return Math.min(next, high);
    return key === "max" && low !== null ? Math.max(next, low) : next;
  };
  const share = (k: number, x: Plain): HTMLElement => {
    const label = t("share of {value}", { value: formatNumber(asNumber(x) ?? 0) });
    const bounds: Range = { min: 0, max: 1, step: 0.01, least: 0, most: 1, above: false, infinite: false };
    const row = numberRow(
      { path: `${spec.path}.probabilities.${k}`, label, name: t("{name}, {part}", { name: spec.name, part: label }), about: t("The part of the boids that have this value. The other parts change with it.") },
      bounds, false, sharesOf(table)[k]!,
      {
        change: (_, next, done) => {
          table = { ...table, probabilities: withShare(sharesOf(table), k, next as number) };
          draw();
          sliders.forEach(({ row: one, read }, j) => j !== k && one.set(read(table)));
          edits.change(spec.path, table, done); // parts of one are checked together
        },
        initial: () => undefined,
      },
    );
    sliders.push({ row, read: (of) => sharesOf(of)[k] ?? 0 });
    return row.element;
  };
  const values = Array.isArray(table["values"]) ? table["values"] : [];
  const limits = LIMITS.filter(({ key }) => kind !== "uniform" && Number.isFinite(asNumber(table[key]) ?? NaN) && !(key === "min" && kind === "lognormal" && table[key] === 0));
  const { label, note } = term(spec.label, spec.about);
  const element = h(
    "div",
    { class: "distribution", title: spec.about, "data-distribution": spec.path },
    h("div", { class: "row" }, label, differMenu(spec.name, spec.path, () => table, spec.limits, edits, false), note),
    h("div", { class: "reading" }, h("span", { class: "label" }, kind === "each" ? tn("{n} value, mean ± sd", "{n} values, mean ± sd", values.length) : t("mean ± sd")), reading, spread.element),
    fault,
    ...(ABOUT[kind] ?? []).map(slider),
    ...(kind === "choice" ? values.map((x, k) => share(k, x)) : []),
    limits.length > 0 && h("details", { class: "inner" }, h("summary", {}, t("limits")), ...limits.map(slider)),
    edits.colour ? h("div", { class: "row" }, h("span", {}), colourButton(spec, edits.colour)) : null,
  );
  draw();
  return {
    element,
    path: spec.path,
    set(next) {
      if (!isDistribution(next)) return;
      table = next;
      draw();
      for (const { row, read } of sliders) row.set(read(next));
    },
    refuse: (why) => (fault.textContent = why),
  };
}

function colourButton(spec: Spec, colour: (path: string) => void): HTMLElement {
  const button = h("button", { type: "button", class: "chip colouring", "data-colour": spec.path, onClick: () => colour(spec.path) }, t("colour boids by it"));
  return button;
}


/** What can be seen and changed of a weight whose slider is in the head of its rule. */
export function weightRows(value: () => Plain, spec: Spec & { kind: "number" }, edits: Edits): HTMLElement[] {
  const about = h("p", { class: "why" }, h("b", {}, `${t("The slider above is its weight.")} `), spec.about);
  if (!spec.limits) return [about];
  const menu = differMenu(spec.name, spec.path, value, spec.limits, edits, false);
  return [about, h("div", { class: "row" }, h("span", { class: "label" }, t("weight")), menu)];
}
