/** Outlines of what is being drawn, on the overlay. */

import { project, type Shot } from "../camera/projection";
import { css } from "../look/colours";
import type { Look } from "../look/styles";
import { planeWithin } from "../scene/outline";
import { boxEdges, type Segments } from "../scene/scenery";
import { vec3, type Vec3 } from "../wire/frame";
import type { SpaceInfo } from "../wire/contracts";
import { line } from "./plane";
import { ballOf, boxOf, isClick, type Drawing } from "./shapes";

type Pen = CanvasRenderingContext2D;

export function drawOutline(pen: Pen, shot: Shot, look: Look, space: SpaceInfo, drawing: Drawing): void {
  pen.strokeStyle = pen.fillStyle = css(look.text);
  pen.globalAlpha = 0.9;
  pen.lineWidth = 1.75;
  const { kind, points, flat } = drawing;
  if (kind === "sphere") {
    const { centre, radius } = ballOf(drawing);
    ball(pen, shot, centre, radius, flat);
  } else if (kind === "box") {
    const { centre, size } = boxOf(drawing);
    box(pen, shot, centre, size, flat);
  } else if (kind === "wall") wall(pen, shot, space, drawing);
  else if (kind === "path") path(pen, shot, drawing);
  else mark(pen, shot, points.at(-1)!);
  pen.globalAlpha = 1;
}

function ball(pen: Pen, shot: Shot, centre: Vec3, radius: number, flat: boolean): void {
  const around = Array.from({ length: 64 }, (_, k): Vec3 => {
    const a = (2 * Math.PI * k) / 64;
    return [centre[0] + radius * Math.cos(a), centre[1] + radius * Math.sin(a), centre[2]];
  });
  line(pen, shot, around, true);
  if (flat) return;
  const { x, y, depth } = project(shot, centre);
  if (depth <= radius + shot.near) return;
  pen.beginPath();
  pen.arc(x, y, (shot.focal * radius) / Math.sqrt(depth ** 2 - radius ** 2), 0, 2 * Math.PI);
  pen.stroke();
  fill(pen);
}

function fill(pen: Pen): void {
  const before = pen.globalAlpha;
  pen.globalAlpha = 0.12;
  pen.fill();
  pen.globalAlpha = before;
}

function box(pen: Pen, shot: Shot, centre: Vec3, size: Vec3, flat: boolean): void {
  const half = size.map((s) => 0.5 * s) as Vec3;
  const edges: Segments = { points: [], strengths: [] };
  const corner = (sign: number): Vec3 => centre.map((c, k) => c + sign * half[k]!) as Vec3;
  boxEdges(edges, corner(-1), corner(1), flat, 1);
  for (let k = 0; k < edges.points.length; k += 6) {
    line(pen, shot, [vec3(edges.points.slice(k, k + 3)), vec3(edges.points.slice(k + 3, k + 6))]);
  }
}

/** The part of the wall within the space: a wall has no ends. */
function wall(pen: Pen, shot: Shot, space: SpaceInfo, drawing: Drawing): void {
  const [from, to] = [drawing.points[0]!, drawing.points.at(-1)!];
  if (isClick(drawing)) return mark(pen, shot, from);
  line(pen, shot, planeWithin(from, [from[1] - to[1], to[0] - from[0], 0], space, drawing.flat), !drawing.flat);
  if (!drawing.flat) fill(pen);
  for (const point of [from, to]) dot(pen, shot, point);
}

function path(pen: Pen, shot: Shot, { points, closed }: Drawing): void {
  line(pen, shot, points, closed);
  for (const point of points) dot(pen, shot, point);
}

function dot(pen: Pen, shot: Shot, point: Vec3): void {
  const { x, y, depth } = project(shot, point);
  if (depth < shot.near) return;
  pen.beginPath();
  pen.arc(x, y, 4, 0, 2 * Math.PI);
  pen.fill();
}

function mark(pen: Pen, shot: Shot, point: Vec3): void {
  const { x, y, depth } = project(shot, point);
  if (depth < shot.near) return;
  pen.beginPath();
  pen.arc(x, y, 10, 0, 2 * Math.PI);
  pen.stroke();
  dot(pen, shot, point);
}
