/** Lines over the scene: the chosen boid, what it perceives, and the area that the pointer repels
 * boids from. Drawn with the scene's camera on a canvas of its own, alike for both renderers. */

import { length, plus, project, type Place, type Shot } from "../camera/projection";
import { css, type RGB } from "../look/colours";
import type { Look } from "../look/styles";
import { HandleMarks } from "./handles";
import type { FrameRows } from "../page/selection";
import { arrow, ring, sector, sphere } from "./overlayshapes";
import { headingOf, vec3, type Frame, type Vec3 } from "../wire/frame";
import type { BoidMessage, HandleInfo } from "../wire/contracts";

/** What the overlay draws from: the viewport. */
export interface OverlaySource {
  readonly shot: Shot;
  readonly scene: { dims: 2 | 3 };
  readonly picture: { look: Look };
  /** The newest frame. */
  readonly frame: Frame | null;
  /** Index of the chosen boid in the frame. */
  readonly chosen: number | null;
  /** Where a boid is drawn now; null when there is no such boid. */
  positionOf(boid: number): Vec3 | null;
  readonly rows: FrameRows;
}

export class Overlay {
  readonly canvas: HTMLCanvasElement;
  boid: BoidMessage | null = null;
  /** Its neighbours where numbers of boids change: flock and number there. */
  neighbourIds: [flock: number, id: number][] | null = null;
  handles: HandleInfo[] = [];
  /** Lines that boids are led along, where they have no handles. */
  paths: Vec3[][] = [];
  hot: string | null = null;
  /** The handle that is selected. */
  selected: string | null = null;
  /** What is being drawn. */
  sketch: { draw(pen: CanvasRenderingContext2D): void } | null = null;
  /** What was drawn and does not act yet; `names` of obstacles. */
  ghosts: { names: ReadonlySet<string>; draw(pen: CanvasRenderingContext2D): void } | null = null;
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

  draw(source: OverlaySource): void {
    const chosen = source.chosen === null ? null : source.positionOf(source.chosen);
    this.marks.place(this.handles, [this.hot, this.selected], source.shot, this.paths);
    const busy = chosen !== null || this.shoo !== null || this.sketch !== null || this.ghosts !== null;
    // A page-sized layer costs time to put on the screen even when it is empty.
    this.canvas.hidden = !busy;
    if (!busy) return;
    const { pen } = this;
    pen.setTransform(this.density, 0, 0, this.density, 0, 0);
    pen.clearRect(0, 0, source.shot.width, source.shot.height);
    if (this.shoo) this.drawShoo(source, this.shoo);
    if (chosen) this.drawChosen(source, chosen);
    this.ghosts?.draw(pen);
    this.sketch?.draw(pen);
    pen.globalAlpha = 1;
    pen.setLineDash([]);
  }

  /** The handle at a pixel. */
  handleAt(shot: Shot, x: number, y: number): HandleInfo | null {
    let best: HandleInfo | null = null;
    let least = 18;
    for (const handle of this.handles) {
      const place = project(shot, vec3(handle.position));
      const away = Math.hypot(place.x - x, place.y - y);
      if (place.depth > 0 && away < least) [best, least] = [handle, away];
    }
    return best;
  }

  private drawShoo({ shot, picture: { look } }: OverlaySource, shoo: { at: Vec3; radius: number }): void {
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

  private drawChosen(source: OverlaySource, at: Vec3): void {
    const { pen } = this;
    const { shot, picture, scene } = source;
    const { look } = picture;
    const flat = scene.dims === 2;
    const here = project(shot, at);
    if (here.depth < shot.near) return;
    const data = this.boid;
    pen.lineWidth = 1.5;
    pen.strokeStyle = css(look.text);
    pen.globalAlpha = 0.9;
    ring(pen, here, 11);
    if (!data) return;
    const neighbours = this.neighbourIds ? source.rows.of(this.neighbourIds.slice(0, 400)) : data.neighbours;
    const crowded = neighbours.length > 40;
    pen.lineWidth = crowded ? 1 : 1.5;
    for (const other of neighbours.slice(0, 400)) {
      const p = source.positionOf(other);
      if (!p) continue;
      const there = project(shot, p);
      // Lines to very many would hide what they point at.
      if (!crowded) {
        pen.globalAlpha = 0.22;
        pen.beginPath();
        pen.moveTo(here.x, here.y);
        pen.lineTo(there.x, there.y);
        pen.stroke();
      }
      pen.globalAlpha = crowded ? 0.3 : 0.75;
      ring(pen, there, crowded ? 5 : 6.5);
    }
    const heading = source.frame ? headingOf(source.frame, source.chosen!) : ([1, 0, 0] as Vec3);
    const drawn = new Set<string>();
    for (const { rule, radius, field_of_view } of data.radius) {
      if (radius === null || !Number.isFinite(radius)) continue;
      const key = `${radius}/${field_of_view}`;
      if (drawn.has(key)) continue; // rules that share one search share one drawing
      drawn.add(key);
      const colour = this.colourOf(rule, look.arrows);
      if (flat) sector(pen, shot, at, heading, radius, field_of_view, colour);
      else sphere(pen, shot, at, heading, radius, field_of_view, colour);
    }
    this.drawArrows(source, at, here, data);
  }

  private drawArrows({ shot, picture: { look } }: OverlaySource, at: Vec3, here: Place, data: BoidMessage): void {
    const most = Math.max(length(vec3(data.total)), ...data.steering.map((s) => length(vec3(s.vector))));
    if (!(most > 0)) return;
    const unit = 100 / here.scale / most;
    for (const { rule, vector } of data.steering) {
      const v = vec3(vector);
      if (length(v) < 0.015 * most) continue;
      arrow(this.pen, here, project(shot, plus(at, v, unit)), this.colourOf(rule, look.arrows), 2.25);
    }
    arrow(this.pen, here, project(shot, plus(at, vec3(data.total), unit)), look.text, 3);
  }
}
