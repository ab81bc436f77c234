/** What is drawn over the scene with lines: the chosen boid, and the pointer's shoo. It uses the same camera, so it is the same with and without WebGL. */

import { cameraAxes, cross, length, minus, plus, project, type Place, type Shot } from "./camera/lens";
import { css, type RGB } from "./look/colours";
import { HandleMarks } from "./handles";
import type { Viewport } from "./viewport";
import type { Vec3 } from "./wire/frame";
import { headingOf } from "./wire/frame";
import type { BoidMessage, HandleInfo } from "./wire/messages";

export class Overlay {
  readonly canvas: HTMLCanvasElement;
  boid: BoidMessage | null = null;
  handles: HandleInfo[] = [];
  hot: string | null = null;
  shoo: { at: Vec3; radius: number } | null = null;
  /** Rules in the order of the panel, so that colours stay with them. */
  rules: string[] = [];
  readonly marks = new HandleMarks();
  private readonly pen: CanvasRenderingContext2D;
  private density = 1;

  constructor() {
    this.canvas = document.createElement("canvas");
    this.canvas.className = "overlay";
    this.canvas.hidden = true;
    this.pen = this.canvas.getContext("2d")!;
  }

  resize(width: number, height: number): void {
    this.density = Math.min(2, devicePixelRatio || 1);
    this.canvas.width = Math.round(width * this.density);
    this.canvas.height = Math.round(height * this.density);
  }

  colourOf(rule: string, arrows: RGB[]): RGB {
    const place = Math.max(0, this.rules.indexOf(rule));
    return arrows[place % arrows.length]!;
  }

  draw(viewport: Viewport): void {
    const chosen = viewport.chosen === null ? null : viewport.positionOf(viewport.chosen);
    this.marks.place(this.handles, this.hot, viewport.shot);
    const busy = chosen !== null || this.shoo !== null;
    // A page-sized layer costs time to put on the screen even when it is empty.
    this.canvas.hidden = !busy;
    if (!busy) return;
    const { pen } = this;
    pen.setTransform(this.density, 0, 0, this.density, 0, 0);
    pen.clearRect(0, 0, viewport.shot.width, viewport.shot.height);
    if (this.shoo) this.drawShoo(viewport, this.shoo);
    if (chosen) this.drawChosen(viewport, chosen);
    pen.globalAlpha = 1;
    pen.setLineDash([]);
  }

  /** The handle at a pixel. */
  handleAt(shot: Shot, x: number, y: number): HandleInfo | null {
    let best: HandleInfo | null = null;
    let least = 18;
    for (const handle of this.handles) {
      const place = project(shot, deep(handle.position));
      const away = Math.hypot(place.x - x, place.y - y);
      if (place.depth > 0 && away < least) [best, least] = [handle, away];
    }
    return best;
  }

  private drawShoo({ shot, picture: { look } }: Viewport, shoo: { at: Vec3; radius: number }): void {
    const { pen } = this;
    const place = project(shot, shoo.at);
    const r = shoo.radius * place.scale;
    const glow = pen.createRadialGradient(place.x, place.y, 0, place.x, place.y, r);
    glow.addColorStop(0, css(look.text, 0.22));
    glow.addColorStop(1, css(look.text, 0));
    pen.globalAlpha = 1;
    pen.fillStyle = glow;
    pen.beginPath();
    pen.arc(place.x, place.y, r, 0, 2 * Math.PI);
    pen.fill();
    pen.strokeStyle = css(look.text, 0.35);
    pen.lineWidth = 1;
    pen.stroke();
  }

  private drawChosen(viewport: Viewport, at: Vec3): void {
    const { pen } = this;
    const { shot, picture, scene } = viewport;
    const { look } = picture;
    const flat = scene.dims === 2;
    const here = project(shot, at);
    if (here.depth < shot.near) return;
    const data = this.boid;
    pen.lineWidth = 1.5;
    pen.strokeStyle = css(look.text);
    pen.globalAlpha = 0.9;
    this.ring(here, 11);
    if (!data) return;
    const many = data.neighbours.length > 40;
    pen.lineWidth = many ? 1 : 1.5;
    for (const other of data.neighbours.slice(0, 400)) {
      const p = viewport.positionOf(other);
      if (!p) continue;
      const there = project(shot, p);
      // Lines to very many would hide what they point at.
      if (!many) {
        pen.globalAlpha = 0.22;
        pen.beginPath();
        pen.moveTo(here.x, here.y);
        pen.lineTo(there.x, there.y);
        pen.stroke();
      }
      pen.globalAlpha = many ? 0.3 : 0.75;
      this.ring(there, many ? 5 : 6.5);
    }
    const heading = viewport.frame ? headingOf(viewport.frame, viewport.chosen!) : ([1, 0, 0] as Vec3);
    const drawn = new Set<string>();
    for (const { rule, radius, field_of_view } of data.radius) {
      if (radius === null || !Number.isFinite(radius)) continue;
      const key = `${radius}/${field_of_view}`;
      if (drawn.has(key)) continue; // rules that share one search share one drawing
      drawn.add(key);
      const colour = this.colourOf(rule, look.arrows);
      if (flat) this.sector(shot, at, heading, radius, field_of_view, colour);
      else this.globe(shot, at, heading, radius, field_of_view, colour);
    }
    this.drawArrows(viewport, at, here, data);
  }

  private drawArrows({ shot, picture: { look } }: Viewport, at: Vec3, here: Place, data: BoidMessage): void {
    const most = Math.max(length(deep(data.total)), ...data.steering.map((s) => length(deep(s.vector))));
    if (!(most > 0)) return;
    const unit = 100 / here.scale / most;
    for (const { rule, vector } of data.steering) {
      const v = deep(vector);
      if (length(v) < 0.015 * most) continue;
      this.arrow(here, project(shot, plus(at, v, unit)), this.colourOf(rule, look.arrows), 2.25);
    }
    this.arrow(here, project(shot, plus(at, deep(data.total), unit)), look.text, 3);
  }

  private ring({ x, y }: { x: number; y: number }, r: number): void {
    this.pen.beginPath();
    this.pen.arc(x, y, r, 0, 2 * Math.PI);
    this.pen.stroke();
  }

  /** In 2-D: the disc, less what lies behind the boid out of its sight. */
  private sector(shot: Shot, at: Vec3, heading: Vec3, radius: number, half: number, colour: RGB): void {
    const { pen } = this;
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
  private globe(shot: Shot, at: Vec3, heading: Vec3, radius: number, half: number, colour: RGB): void {
    const { pen } = this;
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
    this.circle(shot, at, cameraAxes(0, 90).forward, radius, 0);
    if (half >= 180) return;
    const angle = (half * Math.PI) / 180;
    pen.globalAlpha = 0.7;
    pen.setLineDash([4, 4]);
    const rim = this.circle(shot, at, heading, radius * Math.sin(angle), radius * Math.cos(angle));
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
  private circle(shot: Shot, at: Vec3, axis: Vec3, radius: number, ahead: number): Place[] {
    const side: Vec3 = Math.abs(axis[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0];
    const a = cross(axis, side);
    const u = a.map((c) => c / (length(a) || 1)) as Vec3;
    const v = cross(axis, u);
    const middle = plus(at, axis, ahead);
    const places: Place[] = [];
    this.pen.beginPath();
    for (let k = 0; k <= 48; k++) {
      const t = (2 * Math.PI * k) / 48;
      const p = plus(plus(middle, u, radius * Math.cos(t)), v, radius * Math.sin(t));
      const place = project(shot, p);
      places.push(place);
      this.pen.lineTo(place.x, place.y);
    }
    this.pen.stroke();
    return places;
  }

  private arrow(from: Place, to: Place, colour: RGB, width: number): void {
    const { pen } = this;
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
}

const deep = (v: number[]): Vec3 => [v[0] ?? 0, v[1] ?? 0, v[2] ?? 0];
