/** Charts of the measures that Python lists in the scene: one line per flock, in its colour; of two
 * flights that are compared, those of the second are dashed and in colours of their own. */

import uPlot from "uplot";
import { formatNumber } from "../controls/specs";
import { css } from "../look/colours";
import type { ChartInfo, MeasurePoint } from "../wire/contracts";
import { chartOptions, HEIGHT, type ChartColours, type LineStyle } from "./chartoptions";
import { h } from "./dom";
import { Series } from "./series";
import { term } from "./term";
import { decimals, t, tm } from "../words";

const SHOWN = 3; // flocks a chart has room for

export class Charts {
  readonly element = h("section", { class: "card charts", "aria-label": t("Charts") });
  private plots: { name: string; plot: uPlot; place: HTMLElement; reading: HTMLElement }[] = [];
  private charts: ChartInfo[] = [];
  private flocks: string[] = [];
  private colours: ChartColours = { flocks: [], second: [], quiet: "#888", grid: "#8882" };
  private flights = [new Series()];
  /** What the flights are called where there are two. */
  private names: string[] = [];
  private others: string[] | null = null; // the second flight's flocks, where they are not the first's
  private dirty = false;
  private timer = 0;

  /** Which measures are charted, of which flocks. The values stay unless one of the two changes. */
  enter(charts: ChartInfo[], flocks: string[], colours: ChartColours): void {
    this.charts = charts;
    this.flocks = flocks.slice(0, SHOWN);
    this.colours = colours;
    this.build();
  }

  /** Two flights with these names, the page's own first; or that one alone. `others`: the flocks of the
   * second, where it is of other flocks. Lines are then drawn over steps, for these are what both share. */
  compare(names: [string, string] | null, others: string[] | null = null): void {
    this.names = names ?? [];
    this.others = others?.slice(0, SHOWN) ?? null;
    this.flights = [this.flights[0]!, ...(names ? [this.flights[1] ?? new Series()] : [])];
    this.build();
  }

  /** Add points of a flight; with `begin` they replace all that there were. */
  push(points: MeasurePoint[], begin = false, flight = 0): void {
    if (begin) this.flights[flight]?.clear();
    this.flights[flight]?.push(points);
    this.touch();
  }

  /** All of a replay at once. */
  setAll(times: number[], series: Record<string, Record<string, (number | null)[]>>): void {
    this.flights[0]!.setAll(times, series);
    this.touch();
  }

  /** Mark a place in time, for a replay. */
  setCursor(index: number): void {
    for (const { name, plot, reading } of this.plots) {
      const left = plot.valToPos(this.flights[0]!.times[index] ?? 0, "x");
      plot.setCursor({ left, top: -10 }, false);
      this.read(name, reading, index);
    }
  }

  /** The newest value of a measure; null where there is none. */
  last(measure: string, flock?: string, flight = 0): number | null {
    return this.flights[flight]?.last(measure, flock) ?? null;
  }

  /** The time at which the lines of each flight begin. */
  get begins(): (number | null)[] {
    return this.flights.map(({ times }) => times[0] ?? null);
  }

  /** All values that the charts have: a row for each time of each flight, a column for each measure and flock. */
  table(): { columns: string[]; rows: (string | number | null)[][] } {
    const two = this.flights.length > 1;
    const columns = this.charts.flatMap(({ name }) => this.flocks.map((flock) => (this.flocks.length > 1 ? `${name} ${flock}` : name)));
    const rows = this.flights.flatMap((flight, k) => {
      const lines = this.charts.flatMap(({ name }) => flight.lines(name));
      return flight.times.map((time, at) => [...(two ? [this.names[k]!] : []), time, ...lines.map((line) => line[at] ?? null)]);
    });
    return { columns: [...(two ? ["flight"] : []), this.others ? "step" : "time", ...columns], rows };
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
    for (const { name, plot, reading } of this.plots) {
      const tables = this.flights.map((flight) => flight.table(name) as uPlot.AlignedData);
      plot.setData(tables.length > 1 ? uPlot.join(tables) : tables[0]!);
      this.read(name, reading);
    }
  }

  /** Each chart as wide as the page has room for. */
  fit(): void {
    for (const { plot, place } of this.plots) {
      const width = place.clientWidth;
      if (width > 0 && width !== plot.width) plot.setSize({ width, height: HEIGHT });
    }
  }

  /** How the lines are drawn: those of the first flight, then those of the second. */
  private styles(): LineStyle[] {
    const first = this.flocks.map((_, k) => ({ colour: this.colours.flocks[k]!, dashed: false }));
    const second = (this.others ?? this.flocks).map((_, k) => ({ colour: this.colours.second[k]!, dashed: true }));
    return this.names.length > 0 ? [...first, ...second] : first;
  }

  private read(measure: string, reading: HTMLElement, index?: number): void {
    const values = this.flights.flatMap((flight) => (index === undefined ? flight.latest(measure) : flight.at(measure, index)));
    const several = values.filter((v) => v !== null).length > 1;
    const styles = this.styles();
    const whole = this.charts.find(({ name }) => name === measure)?.unit === "boids";
    reading.replaceChildren(
      ...values.flatMap((value, k) => {
        if (value === null) return [];
        const word = h("i", {}, Math.abs(value) < 10 && !whole ? decimals(value.toFixed(2)) : formatNumber(Number(value.toPrecision(3))));
        if (several) word.style.color = css(styles[k]!.colour);
        return [word];
      }),
    );
  }

  private build(): void {
    for (const { plot } of this.plots) plot.destroy();
    this.flights.forEach((flight, k) => flight.enter(this.charts, (k === 1 && this.others) || this.flocks, this.others !== null));
    this.element.replaceChildren();
    const styles = this.styles();
    this.plots = this.charts.map(({ name, unit, ...words }) => {
      const [label, about] = [tm(words.label), tm(words.about)];
      const reading = h("output", {});
      const place = h("div", { role: "img", "aria-label": label });
      const title = unit === "1" ? about : `${about} (${tm(unit)})`;
      const { label: word, note } = term(label, title);
      this.element.append(
        h("div", { class: "chart", "data-test": `chart-${name}`, title }, h("header", {}, word, reading), note, place),
      );
      const options = chartOptions(unit, styles, this.colours);
      return { name, plot: new uPlot(options, [[], ...styles.map(() => [])], place), place, reading };
    });
    this.element.append(...this.legend(styles));
    this.fit();
    this.dirty = true;
    this.update();
  }

  /** What the lines are, where there are several. */
  private legend(styles: LineStyle[]): HTMLElement[] {
    if (styles.length < 2) return [];
    const names = (this.names.length > 0 ? this.names : [""]).flatMap((flight, k) => {
      const flocks = (k === 1 && this.others) || this.flocks;
      return flocks.map((flock) => (flight && flocks.length > 1 ? `${flight}: ${flock}` : flight || flock));
    });
    const mark = ({ colour, dashed }: LineStyle): string => `--dot:${css(colour)}${dashed ? ";--dash:1" : ""}`;
    return [h("div", { class: "legend" }, ...names.map((name, k) => h("span", { style: mark(styles[k]!) }, name)))];
  }
}
