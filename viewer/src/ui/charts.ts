/** Charts of what a flock does, as it flies: one line a flock, the colours of the flocks. */

import uPlot from "uplot";
import { shown } from "../controls/specs";
import { css, type RGB } from "../look/colours";
import { MEASURES, type Measure, type MeasurePoint } from "../wire/messages";
import { h } from "./dom";

const NAMES: Record<Measure, string> = {
  polarization: "polarization",
  milling: "milling",
  nearest_neighbour_distance: "nearest neighbour",
  speed: "speed",
};
const ABOUT: Record<Measure, string> = {
  polarization: "How alike the headings are: 1, all fly the same way; 0, no common way.",
  milling: "How much the flock turns around its middle: 1, a mill.",
  nearest_neighbour_distance: "Mean distance to the nearest neighbour.",
  speed: "Mean speed.",
};
const KEPT = 600; // points
const SHOWN = 3; // flocks a chart has room for
const HEIGHT = 52;

export interface ChartColours {
  flocks: RGB[];
  quiet: string;
  grid: string;
}

/** Where the last stretch without a long gap begins: nobody measures while nobody looks. */
export function afterGap(times: number[]): number {
  const last = times.length - 1;
  if (last < 3) return 0;
  const gaps = times.slice(1).map((time, k) => time - times[k]!);
  const typical = gaps.slice(-40).sort((a, b) => a - b)[Math.min(20, gaps.length >> 1)]!;
  for (let k = last; k > 0; k--) if (gaps[k - 1]! > 15 * typical) return last - k >= 3 ? k : 0;
  return 0;
}

export class Charts {
  readonly element = h("section", { class: "card charts", "aria-label": "Charts" });
  private readonly legend = h("div", { class: "legend" });
  private plots: { measure: Measure; plot: uPlot | null; place: HTMLElement; reading: HTMLElement }[] = [];
  private flocks: string[] = [];
  private colours: ChartColours = { flocks: [], quiet: "#888", grid: "#8882" };
  private times: number[] = [];
  private data = new Map<Measure, (number | null)[][]>();
  private dirty = false;
  private timer = 0;

  constructor() {
    for (const measure of MEASURES) {
      const reading = h("output", {});
      const place = h("div", {});
      const element = h(
        "div",
        { class: "chart", "data-test": `chart-${measure}`, title: ABOUT[measure], role: "img", "aria-label": NAMES[measure] },
        h("header", {}, h("span", {}, NAMES[measure]), reading),
        place,
      );
      this.element.append(element);
      this.plots.push({ measure, plot: null, place, reading });
    }
    this.element.append(this.legend);
  }

  enter(flocks: string[], colours: ChartColours): void {
    const same = flocks.join() === this.flocks.join();
    this.flocks = flocks.slice(0, SHOWN);
    this.colours = colours;
    if (!same) this.clear();
    this.build();
  }

  clear(): void {
    this.times = [];
    for (const measure of MEASURES) this.data.set(measure, this.flocks.map(() => []));
    this.touch();
  }

  /** `begin`: these are all that there are. */
  push(points: MeasurePoint[], begin = false): void {
    if (begin) this.clear();
    for (const point of points) {
      // A flight that starts again starts its charts again.
      if (this.times.length > 0 && point.time < this.times[this.times.length - 1]!) this.clear();
      this.times.push(point.time);
      for (const measure of MEASURES) {
        this.data.get(measure)?.forEach((line, k) => {
          line.push(point.flocks[this.flocks[k]!]?.[measure] ?? null);
        });
      }
    }
    const over = this.times.length - KEPT;
    if (over > 0) {
      this.times.splice(0, over);
      for (const lines of this.data.values()) for (const line of lines) line.splice(0, over);
    }
    this.touch();
  }

  /** All of a replay at once. */
  setAll(times: number[], series: Record<string, Partial<Record<Measure, (number | null)[]>>>): void {
    this.times = times;
    for (const measure of MEASURES) {
      this.data.set(measure, this.flocks.map((flock) => series[flock]?.[measure] ?? times.map(() => null)));
    }
    this.touch();
  }

  /** Mark a place in time, for a replay. */
  setCursor(index: number): void {
    for (const { plot, measure, reading } of this.plots) {
      if (!plot) continue;
      const left = plot.valToPos(this.times[index] ?? 0, "x");
      plot.setCursor({ left, top: -10 }, false);
      this.read(measure, reading, index);
    }
  }

  last(measure: Measure, flock?: string): number | null {
    const place = flock ? this.flocks.indexOf(flock) : 0;
    const line = this.data.get(measure)?.[place];
    return line?.[line.length - 1] ?? null;
  }

  private touch(): void {
    this.dirty = true;
    if (this.timer) return;
    // Drawing charts is dear beside drawing boids: at most five times a second.
    this.timer = window.setTimeout(() => {
      this.timer = 0;
      this.update();
    }, 200);
  }

  update(): void {
    if (!this.dirty || this.element.hidden) return;
    this.dirty = false;
    const from = afterGap(this.times);
    for (const { measure, plot, reading } of this.plots) {
      const lines = (this.data.get(measure) ?? []).map((line) => line.slice(from));
      plot?.setData([this.times.slice(from), ...lines] as uPlot.AlignedData);
      this.read(measure, reading, this.times.length - 1);
    }
  }

  private read(measure: Measure, reading: HTMLElement, index: number): void {
    const values = (this.data.get(measure) ?? []).map((line) => line[index] ?? null);
    const several = values.filter((v) => v !== null).length > 1;
    reading.replaceChildren(
      ...values.flatMap((value, k) => {
        if (value === null) return [];
        const word = h("i", {}, Math.abs(value) < 10 ? value.toFixed(2) : shown(Number(value.toPrecision(3))));
        if (several) word.style.color = css(this.colours.flocks[k]!);
        return [word];
      }),
    );
  }

  private build(): void {
    for (const entry of this.plots) {
      entry.plot?.destroy();
      const unit = entry.measure === "polarization" || entry.measure === "milling";
      const options: uPlot.Options = {
        width: 268,
        height: HEIGHT,
        padding: [5, 2, 3, 0],
        legend: { show: false },
        cursor: { show: true, x: true, y: false, points: { show: false }, drag: { x: false, y: false, setScale: false } },
        scales: {
          x: { time: false },
          y: { range: unit ? [0, 1] : (_, low, high) => [Math.min(0, low), high > low ? high * 1.08 : low + 1] },
        },
        axes: [
          { show: false },
          {
            size: 30,
            gap: 4,
            font: "10px system-ui, sans-serif",
            stroke: this.colours.quiet,
            splits: (plot) => [plot.scales["y"]!.min!, plot.scales["y"]!.max! / (unit ? 1 : 1.08)],
            values: (_, ticks) => ticks.map((tick) => shown(Number(tick.toPrecision(2)))),
            grid: { stroke: this.colours.grid, width: 1 },
            ticks: { show: false },
          },
        ],
        series: [
          {},
          ...this.flocks.map((_, k) => ({
            stroke: css(this.colours.flocks[k]!),
            width: 1.5,
            points: { show: false },
            spanGaps: true,
            ...(this.flocks.length === 1 ? { fill: css(this.colours.flocks[k]!, 0.1) } : {}),
          })),
        ],
      };
      entry.place.replaceChildren();
      entry.plot = new uPlot(options, [[], ...this.flocks.map(() => [])], entry.place);
    }
    this.legend.hidden = this.flocks.length < 2;
    this.legend.replaceChildren(
      ...this.flocks.map((flock, k) => h("span", { style: `--dot:${css(this.colours.flocks[k]!)}` }, flock)),
    );
    this.dirty = true;
    this.update();
  }
}
