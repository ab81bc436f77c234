/** A small read-only window into the page, for tests and the curious: `element.__murmurate`. */

import type { CameraState } from "./camera/camera";
import type { Theatre } from "./theatre";
import type { Charts } from "./ui/charts";
import type { Vec3 } from "./wire/frame";
import { MEASURES, type Measure } from "./wire/messages";

export interface Hook {
  readonly step: number;
  readonly time: number;
  readonly N: number;
  readonly scene: string;
  readonly drawn: number;
  readonly received: number;
  readonly fps: number;
  readonly kind: "gl" | "canvas";
  readonly camera: CameraState;
  readonly chosen: number | null;
  readonly handles: { path: string; at: [number, number] }[];
  positions(boid: number): Vec3 | null;
  screen(boid: number): [number, number] | null;
  chartLast(measure: string, flock?: string): number | null;
}

export function hookOf(
  theatre: () => Theatre | null,
  charts: Charts,
  received: () => number,
  handles: () => Hook["handles"],
): Hook {
  return {
    get step() { return theatre()?.frame?.step ?? -1; },
    get time() { return theatre()?.frame?.time ?? 0; },
    get N() { return theatre()?.frame?.count ?? 0; },
    get scene() { return theatre()?.scene.name ?? ""; },
    get drawn() { return theatre()?.drawnFrames ?? 0; },
    get received() { return received(); },
    get fps() { return theatre()?.fps ?? 0; },
    get kind() { return theatre()?.stage.kind ?? "gl"; },
    get camera() { return theatre()!.camera.info; },
    get chosen() { return theatre()?.chosen ?? null; },
    get handles() { return handles(); },
    positions: (boid) => theatre()?.positionOf(boid) ?? null,
    screen: (boid) => theatre()?.screenOf(boid) ?? null,
    chartLast: (measure, flock) =>
      MEASURES.includes(measure as Measure) ? charts.last(measure as Measure, flock) : null,
  };
}
