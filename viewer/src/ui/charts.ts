/** Charts of the measures that Python lists in the scene: one line per flock, in its colour. */

import uPlot from "uplot";
import { shown } from "../controls/specs";
import { css } from "../look/colours";
import type { ChartInfo, MeasurePoint } from "../wire/messages";
import { chartOptions, type ChartColours } from "./chartoptions";
import { h } from "./dom";
import { term } from "./term";

const KEPT = 600; // points
const SHOWN = 3; // flocks a chart has room for

/** Where the last stretch without a long gap begins: nothing is measured while no page looks. */
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
  private plots: { name: string; plot: uPlot; reading: HTMLElement }[] = [];
  private charts: ChartInfo[] = [];
  private flocks: string[] = [];
  private colours: ChartColours = { flocks: [], quiet: "#888", grid: "#8882" };
  private times: number[] = [];
  /** Measure -> a line of values for each flock. */
  private data = new Map<string, (number | null)[][]>();
  private dirty = false;
  private timer = 0;

  /** Which measures are charted, of which flocks. The values stay unless one of the two changes. */
  enter(charts: ChartInfo[], flocks: string[], colours: ChartColours): void {
    const before = this.key();
    this.charts = charts;
    this.flocks = flocks.slice(0, SHOWN);
    this.colours = colours;
    if (this.key() !== before) this.clear();
    this.build();
  }

  clear(): void {
    this.times = [];
    this.data = new Map(this.charts.map(({ name }) => [name, this.flocks.map(() => [])]));
    this.touch();
  }

  /** Add points; with `begin` they replace all that there were. */
  push(points: MeasurePoint[], begin = false): void {
    if (begin) this.clear();
    for (const point of points) {
      // A flight that starts again starts its charts again.
      if (this.times.length > 0 && point.time < this.times[this.times.length - 1]!) this.clear();
      this.times.push(point.time);
      for (const [measure, lines] of this.data) {
        lines.forEach((line, k) => line.push(point.flocks[this.flocks[k]!]?.[measure] ?? null));
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
  setAll(times: number[], series: Record<string, Record<string, (number | null)[]>>): void {
    this.times = times;
    for (const { name } of this.charts) {
      this.data.set(name, this.flocks.map((flock) => series[flock]?.[name] ?? times.map(() => null)));
    }
    this.touch();
  }

  /** Mark a place in time, for a replay. */
  setCursor(index: number): void {
    for (const { name, plot, reading } of this.plots) {
      const left = plot.valToPos(this.times[index] ?? 0, "x");
      plot.setCursor({ left, top: -10 }, false);
      this.read(name, reading, index);
    }
  }

  /** The newest value of a measure; null where there is none. */
  last(measure: string, flock?: string): number | null {
    const place = flock ? this.flocks.indexOf(flock) : 0;
    const line = this.data.get(measure)?.[place];
    return line?.[line.length - 1] ?? null;
  }

  private key(): string {
    return JSON.stringify([this.charts, this.flocks]);
  }

  private touch(): void {
    this.dirty = true;
    if (this.timer) return;
    // Drawing charts costs much beside drawing boids: at most five times a second.
    this.timer = window.setTimeout(() => {
      this.timer = 0;
      this.update();
    }, 200);
  }

  update(): void {
    if (!this.dirty || this.element.hidden) return;
    this.dirty = false;
    const from = afterGap(this.times);
    for (const { name, plot, reading } of this.plots) {
      const lines = this.lines(name).map((line) => line.slice(from));
      plot.setData([this.times.slice(from), ...lines] as uPlot.AlignedData);
      this.read(name, reading, this.times.length - 1);
    }
  }

  private lines(measure: string): (number | null)[][] {
    return this.data.get(measure) ?? [];
  }

  private read(measure: string, reading: HTMLElement, index: number): void {
    const values = this.lines(measure).map((line) => line[index] ?? null);
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
    for (const { plot } of this.plots) plot.destroy();
    this.element.replaceChildren();
    this.plots = this.charts.map(({ name, label, unit, about }) => {
      const reading = h("output", {});
      const place = h("div", { role: "img", "aria-label": label });
      const title = unit === "1" ? about : `${about} (${unit})`;
      const { label: word, note } = term(label, title);
      this.element.append(
        h("div", { class: "chart", "data-test": `chart-${name}`, title }, h("header", {}, word, reading), note, place),
      );
      const options = chartOptions(unit, this.flocks.length, this.colours);
      return { name, plot: new uPlot(options, [[], ...this.flocks.map(() => [])], place), reading };
    });
    if (this.flocks.length > 1) {
      const dot = (k: number): string => `--dot:${css(this.colours.flocks[k]!)}`;
      this.element.append(h("div", { class: "legend" }, ...this.flocks.map((flock, k) => h("span", { style: dot(k) }, flock))));
    }
    this.dirty = true;
    this.update();
  }
}
