/** uPlot options of one chart: scales, axes and a line for each flock. */

import type uPlot from "uplot";
import { formatNumber } from "../controls/specs";
import { css, type RGB } from "../look/colours";

const WIDTH = 268;
export const HEIGHT = 52;

export interface ChartColours {
  flocks: RGB[];
  /** Those of a second flight's flocks. */
  second: RGB[];
  quiet: string;
  grid: string;
}

/** How a line is drawn. */
export interface LineStyle {
  colour: RGB;
  dashed: boolean;
}

/** The vertical axis of a chart for values from `low` to `high` (null without any): where it begins
 * and ends, and the highest label. Measures without a unit, such as polarization, show 0 to 1 at
 * least, so that they are seen on one scale. */
export function verticalAxis(
  unit: string,
  low: number | null,
  high: number | null,
): { min: number; max: number; label: number } {
  if (unit === "1") {
    const max = Math.max(1, high ?? 1);
    return { min: Math.min(0, low ?? 0), max, label: max };
  }
  const min = Math.min(0, low ?? 0);
  const label = high !== null && high > (low ?? high) ? high : (low ?? 0) + 1;
  return { min, max: min + 1.08 * (label - min), label };
}

/** Options of the chart of a measure with this unit and these lines. */
export function chartOptions(unit: string, lines: LineStyle[], colours: ChartColours): uPlot.Options {
  let labels: number[] = [];
  return {
    width: WIDTH,
    height: HEIGHT,
    padding: [5, 2, 3, 0],
    legend: { show: false },
    cursor: { show: true, x: true, y: false, points: { show: false }, drag: { x: false, y: false, setScale: false } },
    scales: {
      x: { time: false },
      y: {
        range: (_, low, high) => {
          const { min, max, label } = verticalAxis(unit, low, high);
          labels = [min, label];
          return [min, max];
        },
      },
    },
    axes: [
      { show: false },
      {
        size: 30,
        gap: 4,
        font: "10px system-ui, sans-serif",
        stroke: colours.quiet,
        splits: () => labels,
        values: (_, ticks) => ticks.map((tick) => formatNumber(Number(tick.toPrecision(2)))),
        grid: { stroke: colours.grid, width: 1 },
        ticks: { show: false },
      },
    ],
    series: [
      {},
      ...lines.map(({ colour, dashed }) => ({
        stroke: css(colour),
        width: 1.5,
        ...(dashed ? { dash: [5, 3] } : {}),
        points: { show: false },
        spanGaps: true,
        ...(lines.length === 1 ? { fill: css(colour, 0.1) } : {}),
      })),
    ],
  };
}
