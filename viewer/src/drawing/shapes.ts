/** Shapes: from where the pointer was pressed and where it is now to what is drawn. */

import { length, minus, plus } from "../camera/projection";
import type { Vec3 } from "../wire/frame";
import type { Shape } from "../wire/contracts";
import type { Plane } from "./plane";

export const KINDS = ["sphere", "box", "wall", "path", "goal", "predator"] as const;
export type Kind = (typeof KINDS)[number];

export interface Drawing {
  kind: Kind;
  /** Places on the plane: where it was pressed, where it is now; of a path, all its corners. */
  points: Vec3[];
  plane: Plane;
  flat: boolean;
  /** The longest side of the space. */
  side: number;
  closed: boolean;
}

const MIN_SIZE = 0.004; // of the space's longest side: less than this is a click, and no drag
const SPHERE = 0.06; // of that side: the radius of a sphere that was clicked and not dragged
const BOX = 0.12;

const across = ({ points }: Drawing): Vec3 => minus(points.at(-1)!, points[0]!);

/** Whether the pointer was only clicked, so that a size must be chosen for it. */
export const isClick = (drawing: Drawing): boolean => length(across(drawing)) < MIN_SIZE * drawing.side;

/** A ball around the pressed point, or on the floor if there is one. */
export function ballOf(drawing: Drawing): { centre: Vec3; radius: number } {
  const radius = isClick(drawing) ? SPHERE * drawing.side : length(across(drawing));
  const up: Vec3 = [0, 0, drawing.plane.floor ? radius : 0];
  return { centre: plus(drawing.points[0]!, up), radius };
}

/** A box from corner to corner, as high as its smaller side is long. */
export function boxOf(drawing: Drawing): { centre: Vec3; size: Vec3 } {
  const [from, to] = [drawing.points[0]!, drawing.points.at(-1)!];
  const click = isClick(drawing);
  const side = (axis: 0 | 1): number => (click ? BOX * drawing.side : Math.max(Math.abs(to[axis] - from[axis]), MIN_SIZE * drawing.side));
  const [width, depth] = [side(0), side(1)];
  const height = drawing.flat ? 0 : Math.min(width, depth);
  const middle = click ? from : plus(from, minus(to, from), 0.5);
  const up: Vec3 = [0, 0, drawing.plane.floor ? 0.5 * height : 0];
  return { centre: plus(middle, up), size: [width, depth, height] };
}

/** A number with no more digits than a pointer can mean. */
const rounded = (point: Vec3, { flat }: Drawing): number[] => point.slice(0, flat ? 2 : 3).map((x) => Number(x.toPrecision(6)));

/** What is sent; null where there is nothing to send, as of a wall that was clicked and not dragged. */
export function shapeOf(drawing: Drawing): Shape | { kind: "predator"; position: number[] } | null {
  const point = (place: Vec3): number[] => rounded(place, drawing);
  const { kind, points } = drawing;
  switch (kind) {
    case "sphere": {
      const { centre, radius } = ballOf(drawing);
      return { kind, centre: point(centre), radius: Number(radius.toPrecision(6)) };
    }
    case "box": {
      const { centre, size } = boxOf(drawing);
      return { kind, centre: point(centre), size: point(size) };
    }
    case "wall":
      return isClick(drawing) ? null : { kind, through: [point(points[0]!), point(points.at(-1)!)] };
    case "path":
      return points.length < 2 ? null : { kind, points: points.map(point), closed: drawing.closed };
    case "goal":
      return { kind, place: point(points.at(-1)!) };
    case "predator":
      return { kind, position: point(points.at(-1)!) };
  }
}
