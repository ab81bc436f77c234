/** The measures of one flight, as charts draw them: a line of values for each measure and flock. */

import type { ChartInfo, MeasurePoint } from "../wire/contracts";

const KEPT = 600; // points
const RECENT = 100; // points among which the newest value is

/** The begin of the last stretch without a long gap: nothing is measured while no page watches. */
export function afterGap(times: number[]): number {
  const last = times.length - 1;
  if (last < 3) return 0;
  const gaps = times.slice(1).map((time, k) => time - times[k]!);
  const typical = gaps.slice(-40).sort((a, b) => a - b)[Math.min(20, gaps.length >> 1)]!;
  for (let k = last; k > 0; k--) if (gaps[k - 1]! > 15 * typical) return last - k >= 3 ? k : 0;
  return 0;
}

type Line = (number | null)[];

export class Series {
  times: number[] = [];
  private measures: string[] = [];
  private flocks: string[] = [];
  private bySteps = false;
  private data = new Map<string, Line[]>();

  /** Other measures or flocks, or lines over steps and not over time; the values stay unless one of
   * these changes. */
  enter(charts: ChartInfo[], flocks: string[], bySteps = false): void {
    const measures = charts.map(({ name }) => name);
    const alike = measures.join() === this.measures.join() && flocks.join() === this.flocks.join() && bySteps === this.bySteps;
    [this.measures, this.flocks, this.bySteps] = [measures, flocks, bySteps];
    if (!alike) this.clear();
  }

  clear(): void {
    this.times = [];
    this.data = new Map(this.measures.map((name) => [name, this.flocks.map(() => [])]));
  }

  push(points: MeasurePoint[]): void {
    for (const point of points) {
      // A flight that starts again starts its charts again.
      const at = this.bySteps ? point.step : point.time;
      if (this.times.length > 0 && at < this.times[this.times.length - 1]!) this.clear();
      this.times.push(at);
      for (const [measure, lines] of this.data) {
        lines.forEach((line, k) => line.push(point.flocks[this.flocks[k]!]?.[measure] ?? null));
      }
    }
    const over = this.times.length - KEPT;
    if (over > 0) {
      this.times.splice(0, over);
      for (const lines of this.data.values()) for (const line of lines) line.splice(0, over);
    }
  }

  /** All of a replay at once. */
  setAll(times: number[], series: Record<string, Record<string, Line>>): void {
    this.times = times;
    for (const name of this.measures) {
      this.data.set(name, this.flocks.map((flock) => series[flock]?.[name] ?? times.map(() => null)));
    }
  }

  lines(measure: string): Line[] {
    return this.data.get(measure) ?? [];
  }

  /** The newest stretch of a measure's lines: times, then a line for each flock. */
  table(measure: string): [number[], ...Line[]] {
    const from = afterGap(this.times);
    return [this.times.slice(from), ...this.lines(measure).map((line) => line.slice(from))];
  }

  /** A measure's values at a place in time; the last one unless given. */
  at(measure: string, index = this.times.length - 1): Line {
    return this.lines(measure).map((line) => line[index] ?? null);
  }

  /** The newest values that there are: slow measures are not in every point. */
  latest(measure: string): Line {
    return this.lines(measure).map((line) => {
      for (let k = line.length - 1; k >= Math.max(0, line.length - RECENT); k--) if (line[k] !== null) return line[k]!;
      return null;
    });
  }

  last(measure: string, flock?: string): number | null {
    return this.at(measure)[flock ? this.flocks.indexOf(flock) : 0] ?? null;
  }
}
