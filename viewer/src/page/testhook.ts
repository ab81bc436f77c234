/** The test hook: a read-only view of the page's state, `element.__murmurate`. */

import type { CameraState } from "../camera/camera";
import { project } from "../camera/projection";
import type { Renderer } from "../scene/renderer";
import type { Viewport } from "../scene/viewport";
import type { Charts } from "../ui/charts";
import { EMPTY, type Vec3 } from "../wire/frame";

export interface Hook {
  readonly step: number;
  readonly time: number;
  readonly N: number;
  readonly scene: string;
  readonly drawn: number;
  readonly received: number;
  readonly fps: number;
  readonly kind: Renderer["kind"];
  /** For tests that show it states of their own. */
  readonly viewport: Viewport | null;
  readonly camera: CameraState;
  readonly chosen: number | null;
  /** Whether the frame has the number of neighbours of each boid. */
  readonly neighbours: boolean;
  readonly handles: { path: string; at: [number, number] }[];
  /** The flight that this one is compared with. */
  readonly beside: { step: number; N: number; positions(boid: number): Vec3 | null } | null;
  positions(boid: number): Vec3 | null;
  /** The boid in each row: its flock and its number there; -1 for an empty row. */
  rows(): [flock: number, id: number][];
  screen(boid: number): [number, number] | null;
  chartLast(measure: string, flock?: string): number | null;
  /** The time at which the charts of each flight begin. */
  readonly chartBegins: (number | null)[];
}

export function hookOf(
  viewport: () => Viewport | null,
  charts: Charts,
  received: () => number,
  handles: () => Hook["handles"],
  beside: () => Viewport | null = () => null,
): Hook {
  return {
    get step() { return viewport()?.frame?.step ?? -1; },
    get time() { return viewport()?.frame?.time ?? 0; },
    get N() { return viewport()?.frame?.present ?? 0; },
    get scene() { return viewport()?.scene.name ?? ""; },
    get drawn() { return viewport()?.pace.drawn ?? 0; },
    get received() { return received(); },
    get fps() { return viewport()?.pace.fps ?? 0; },
    get kind() { return viewport()?.renderer.kind ?? "gl"; },
    get viewport() { return viewport(); },
    get camera() { return viewport()!.camera.info; },
    get neighbours() { return viewport()?.frame?.hasNeighbours ?? false; },
    get chosen() { return viewport()?.chosen ?? null; },
    get handles() { return handles(); },
    get beside() {
      const other = beside();
      return other && { step: other.frame?.step ?? -1, N: other.frame?.present ?? 0, positions: (boid: number) => other.positionOf(boid) };
    },
    positions: (boid) => viewport()?.positionOf(boid) ?? null,
    rows: () => {
      const [view, frame] = [viewport(), viewport()?.frame];
      if (!view || !frame) return [];
      return Array.from({ length: frame.count }, (_, row): [number, number] => {
        const { flock, id } = view.rows.identity(row)!;
        return [flock, id === EMPTY ? -1 : id];
      });
    },
    screen: (boid) => {
      const at = viewport()?.positionOf(boid);
      if (!at) return null;
      const { x, y } = project(viewport()!.shot, at);
      return [x, y];
    },
    get chartBegins() { return charts.begins; },
    chartLast: (measure, flock) => charts.last(measure, flock),
  };
}
