/** Shapes that the overlay draws on a 2-D canvas: rings, fields of view, arrows. */

import { cameraAxes, cross, length, minus, plus, project, type Place, type Shot } from "../camera/projection";
import { css, type RGB } from "../look/colours";
import type { Vec3 } from "../wire/frame";

type Pen = CanvasRenderingContext2D;

export function ring(pen: Pen, { x, y }: { x: number; y: number }, r: number): void {
  pen.beginPath();
  pen.arc(x, y, r, 0, 2 * Math.PI);
  pen.stroke();
}

/** In 2-D: the disc, less what lies behind the boid out of its sight. */
export function sector(pen: Pen, shot: Shot, at: Vec3, heading: Vec3, radius: number, half: number, colour: RGB): void {
  const { x, y, scale } = project(shot, at);
  const r = radius * scale;
  const ahead = Math.atan2(-heading[1], heading[0]);
  const angle = (Math.min(180, half) * Math.PI) / 180;
  pen.beginPath();
  if (half < 180) pen.moveTo(x, y);
  pen.arc(x, y, r, ahead - angle, ahead + angle);
  pen.closePath();
  pen.fillStyle = css(colour);
  pen.globalAlpha = 0.07;
  pen.fill();
  pen.strokeStyle = css(colour);
  pen.globalAlpha = 0.65;
  pen.lineWidth = 1.25;
  pen.stroke();
}

/** In 3-D: the outline of the sphere, and the circle where its sight ends. */
export function sphere(pen: Pen, shot: Shot, at: Vec3, heading: Vec3, radius: number, half: number, colour: RGB): void {
  const place = project(shot, at);
  pen.strokeStyle = css(colour);
  pen.lineWidth = 1.25;
  const far = Math.sqrt(Math.max(1e-9, place.depth ** 2 - radius ** 2));
  const outline = (shot.focal * radius) / far;
  pen.fillStyle = css(colour);
  pen.globalAlpha = 0.05;
  pen.beginPath();
  pen.arc(place.x, place.y, outline, 0, 2 * Math.PI);
  pen.fill();
  pen.globalAlpha = 0.55;
  pen.stroke();
  pen.globalAlpha = 0.3;
  circle(pen, shot, at, cameraAxes(0, 90).forward, radius, 0);
  if (half >= 180) return;
  const angle = (half * Math.PI) / 180;
  pen.globalAlpha = 0.7;
  pen.setLineDash([4, 4]);
  const rim = circle(pen, shot, at, heading, radius * Math.sin(angle), radius * Math.cos(angle));
  for (const k of [0, 12, 24, 36]) {
    pen.beginPath();
    pen.moveTo(place.x, place.y);
    pen.lineTo(rim[k]!.x, rim[k]!.y);
    pen.globalAlpha = 0.35;
    pen.stroke();
  }
  pen.setLineDash([]);
}

/** A circle around an axis through a point, `ahead` along it. */
function circle(pen: Pen, shot: Shot, at: Vec3, axis: Vec3, radius: number, ahead: number): Place[] {
  const side: Vec3 = Math.abs(axis[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0];
  const a = cross(axis, side);
  const u = a.map((c) => c / (length(a) || 1)) as Vec3;
  const v = cross(axis, u);
  const middle = plus(at, axis, ahead);
  const places: Place[] = [];
  pen.beginPath();
  for (let k = 0; k <= 48; k++) {
    const t = (2 * Math.PI * k) / 48;
    const p = plus(plus(middle, u, radius * Math.cos(t)), v, radius * Math.sin(t));
    const place = project(shot, p);
    places.push(place);
    pen.lineTo(place.x, place.y);
  }
  pen.stroke();
  return places;
}

export function arrow(pen: Pen, from: Place, to: Place, colour: RGB, width: number): void {
  const [dx, dy] = minus([to.x, to.y, 0], [from.x, from.y, 0]);
  const long = Math.hypot(dx, dy);
  if (long < 3) return;
  const [c, s] = [dx / long, dy / long];
  const tip = Math.min(9, 0.5 * long);
  // A soft edge keeps it legible over a crowd of boids.
  pen.globalAlpha = 0.35;
  pen.strokeStyle = "#10131c";
  pen.lineWidth = width + 2;
  pen.lineCap = "round";
  pen.beginPath();
  pen.moveTo(from.x, from.y);
  pen.lineTo(to.x - 0.5 * tip * c, to.y - 0.5 * tip * s);
  pen.stroke();
  pen.globalAlpha = 1;
  pen.strokeStyle = pen.fillStyle = css(colour);
  pen.lineWidth = width;
  pen.lineCap = "round";
  pen.beginPath();
  pen.moveTo(from.x, from.y);
  pen.lineTo(to.x - tip * c, to.y - tip * s);
  pen.stroke();
  pen.beginPath();
  pen.moveTo(to.x, to.y);
  pen.lineTo(to.x - tip * c - 0.5 * tip * s, to.y - tip * s + 0.5 * tip * c);
  pen.lineTo(to.x - tip * c + 0.5 * tip * s, to.y - tip * s - 0.5 * tip * c);
  pen.fill();
}
