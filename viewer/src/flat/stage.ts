/** The 2-D canvas for machines without WebGL: the same camera and colours, drawn by hand. */

import { minus, nearness, project } from "../camera/lens";
import { periodOf } from "../period";
import { shapeFor } from "../gl/shapes";
import { css, type RGB } from "../look/colours";
import { flockColour, hueOf, tableOf, type Look } from "../look/styles";
import { boxEdges, deep, groundLines, groundOf, obstacleLines, wallCorners, type Segments } from "../scenery";
import { dartPixels, type Drawing, type Stage } from "../stage";
import { headingOf, speedOf, type Frame, type Vec3 } from "../wire/frame";
import type { ObstacleInfo, SceneCore } from "../wire/messages";
import { placeBetween } from "../wire/torus";

const MOST = 12_000; // boids drawn; of more, every so many

export class FlatStage implements Stage {
  readonly kind = "flat";
  readonly canvas: HTMLCanvasElement;
  private readonly pen: CanvasRenderingContext2D;
  private model: SceneCore | null = null;
  private obstacles: ObstacleInfo[] = [];
  private frames: { before: Frame; now: Frame } | null = null;
  private past: Frame[] = [];
  private density = 1;
  private inks: { key: Look; by: string; colours: string[] } | null = null;

  constructor() {
    this.canvas = document.createElement("canvas");
    this.pen = this.canvas.getContext("2d", { alpha: false })!;
  }

  enter(model: SceneCore): void {
    this.model = model;
    this.obstacles = model.obstacles;
    this.frames = null;
    this.past = [];
  }
  setObstacles(obstacles: ObstacleInfo[]): void {
    this.obstacles = obstacles;
  }
  show(before: Frame, now: Frame, cut: boolean): void {
    if (cut) this.past = [];
    if (this.past[0] !== before) this.past.unshift(before);
    this.past.length = Math.min(this.past.length, 24);
    this.frames = { before, now };
  }
  resize(width: number, height: number, density: number): void {
    this.density = density;
    this.canvas.width = Math.round(width * density);
    this.canvas.height = Math.round(height * density);
  }
  dispose(): void {
    this.past = [];
  }

  draw(drawing: Drawing): void {
    const { model, pen, frames } = this;
    if (!model) return;
    pen.setTransform(this.density, 0, 0, this.density, 0, 0);
    this.drawSky(drawing);
    this.drawScenery(model, drawing);
    if (!frames) return;
    let first = 0;
    const flocks = model.flocks.map((flock, place) => {
      const entry = { flock, place, first };
      first += flock.count;
      return entry;
    });
    flocks.sort((a, b) => a.flock.scale - b.flock.scale);
    for (const { flock, place, first: from } of flocks) {
      const colour = flockColour(drawing.picture.look, flock, place);
      this.drawFlock(model, drawing, frames, from, flock.count, flock.scale, colour);
    }
    pen.globalAlpha = 1;
  }

  private drawSky({ shot, picture: { look } }: Drawing): void {
    const { pen } = this;
    if (look.sky.length > 1) {
      const sky = pen.createLinearGradient(0, 0, 0, shot.height);
      look.sky.forEach((colour, k) => sky.addColorStop(look.skyAt[k]!, css(colour)));
      pen.fillStyle = sky;
    } else pen.fillStyle = css(look.sky[0]!);
    pen.fillRect(0, 0, shot.width, shot.height);
  }

  private drawScenery(model: SceneCore, drawing: Drawing): void {
    const { shot, picture, fixed } = drawing;
    const flat = model.dims === 2;
    const out: Segments = { points: [], strengths: [] };
    if (picture.box) {
      const torus = model.space.periodic.some(Boolean);
      if (fixed || !torus) boxEdges(out, deep(model.space.lower), deep(model.space.upper), flat, 0.6);
      const ground = groundOf(model.space, fixed, shot.target, shot.radius);
      if (!flat || !fixed) groundLines(out, model.space, ground, flat);
    }
    for (const obstacle of this.obstacles) {
      this.drawBody(obstacle, model, drawing);
      obstacleLines(out, obstacle, model.space, flat);
    }
    this.pen.strokeStyle = css(picture.look.line);
    this.pen.lineWidth = 1;
    for (let k = 0; k < out.strengths.length; k += 2) {
      const at = (n: number): Vec3 => out.points.slice(3 * n, 3 * n + 3) as Vec3;
      const [a, b] = [project(shot, at(k)), project(shot, at(k + 1))];
      if (a.depth < shot.near || b.depth < shot.near) continue;
      this.pen.globalAlpha = Math.abs(out.strengths[k]!);
      this.pen.beginPath();
      this.pen.moveTo(a.x, a.y);
      this.pen.lineTo(b.x, b.y);
      this.pen.stroke();
    }
    this.pen.globalAlpha = 1;
  }

  private drawBody(obstacle: ObstacleInfo, model: SceneCore, { shot, picture }: Drawing): void {
    const { pen } = this;
    pen.fillStyle = css(picture.look.body);
    pen.globalAlpha = model.dims === 2 ? 0.16 : 0.4;
    pen.beginPath();
    if (obstacle.kind === "sphere") {
      const place = project(shot, deep(obstacle.centre));
      if (place.depth > shot.near) pen.arc(place.x, place.y, (obstacle.radius ?? 0) * place.scale, 0, 7);
    } else {
      const corners =
        obstacle.kind === "wall"
          ? wallCorners(obstacle, model.space, model.dims === 2)
          : [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([i, j]): Vec3 => {
              const [c, s] = [deep(obstacle.centre), deep(obstacle.size)];
              return [c[0] + 0.5 * i! * s[0], c[1] + 0.5 * j! * s[1], c[2] + 0.5 * s[2]];
            });
      for (const corner of corners) {
        const place = project(shot, corner);
        pen.lineTo(place.x, place.y);
      }
    }
    pen.fill();
    pen.globalAlpha = 1;
  }

  private drawFlock(
    model: SceneCore,
    drawing: Drawing,
    frames: { before: Frame; now: Frame },
    first: number,
    count: number,
    scale: number,
    own: RGB,
  ): void {
    const { pen } = this;
    const { shot, picture, imageCentre, part } = drawing;
    const { look, colourBy } = picture;
    const { before, now } = frames;
    const period = periodOf(model);
    const shape = shapeFor(look.bird, now.count);
    const size = dartPixels(model, drawing, now.count) * scale;
    const plain = colourBy === "flock" || scale > 1;
    const inks = this.table(look, colourBy);
    const step = Math.max(1, Math.ceil(count / MOST));
    pen.fillStyle = css(own);
    for (let boid = first; boid < Math.min(first + count, now.count); boid += step) {
      const at = placeBetween(before, now, boid, part, period, imageCentre);
      const place = project(shot, at);
      if (place.depth < shot.near) continue;
      const heading = headingOf(now, boid);
      const ahead = project(shot, [at[0] + heading[0], at[1] + heading[1], at[2] + heading[2]]);
      const [dx, dy] = [ahead.x - place.x, ahead.y - place.y];
      const run = Math.hypot(dx, dy);
      const [cos, sin] = run > 1e-6 ? [dx / run, dy / run] : [1, 0];
      const long = ((size * shot.distance) / place.depth) * Math.max(0.4, Math.min(1, run / place.scale));
      if (!plain) {
        const speed = (speedOf(now, boid) - picture.slowest) / Math.max(1e-9, picture.fastest - picture.slowest);
        const crowd = (now.bytes[12 * boid + 11]! & 255) / picture.crowd;
        const value = colourBy === "heading" ? hueOf(heading[0], heading[1]) : colourBy === "speed" ? speed : crowd;
        pen.fillStyle = inks[Math.round(127 * Math.min(1, Math.max(0, value)))]!;
      }
      const near = model.dims === 3 ? look.far + (1 - look.far) * nearness(shot, place.depth) : 1;
      pen.globalAlpha = scale > 1 ? 0.5 + 0.5 * near : near;
      pen.beginPath();
      shape.forEach(([along, aside], k) => {
        const x = place.x + long * (along * cos - aside * sin);
        const y = place.y + long * (along * sin + aside * cos);
        if (k % 3 === 0) pen.moveTo(x, y);
        else pen.lineTo(x, y);
      });
      pen.fill();
      if (picture.trails > 0) this.drawTrail(drawing, boid, place, period, plain ? css(own) : String(pen.fillStyle));
    }
  }

  private drawTrail(
    { shot, picture, imageCentre }: Drawing,
    boid: number,
    from: { x: number; y: number },
    period: Vec3,
    ink: string,
  ): void {
    const { pen } = this;
    pen.strokeStyle = ink;
    let last = from;
    const count = Math.min(picture.trails, this.past.length);
    for (let age = 0; age < count; age++) {
      const old = this.past[age]!;
      if (boid >= old.count) break;
      const place = project(shot, placeBetween(old, old, boid, 1, period, imageCentre));
      const far = Math.hypot(...minus([place.x, place.y, 0], [last.x, last.y, 0]));
      if (far < 0.3 * shot.width) {
        pen.globalAlpha = 0.5 * (1 - age / count);
        pen.beginPath();
        pen.moveTo(last.x, last.y);
        pen.lineTo(place.x, place.y);
        pen.stroke();
      }
      last = place;
    }
  }

  private table(look: Look, by: Drawing["picture"]["colourBy"]): string[] {
    if (this.inks?.key !== look || this.inks.by !== by) {
      this.inks = { key: look, by, colours: tableOf(look, by).map((c) => css(c)) };
    }
    return this.inks.colours;
  }
}
