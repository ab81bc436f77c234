/** Draws with the processor on a 2-D canvas. */

import { flockDrawings } from "../flocks";
import type { Corner } from "../look/shapes";
import type { Look } from "../look/styles";
import { periodOf } from "../period";
import { SceneryLines } from "../scenery";
import { solidsOf, type Solid } from "../solids";
import type { Drawing, Stage } from "../stage";
import type { Frame, Vec3 } from "../wire/frame";
import type { ObstacleInfo, SceneCore } from "../wire/messages";
import { BoidPainter } from "./boids";
import { MARGIN, packed, Pixels } from "./pixels";
import { drawLines, drawSolid, Eye, skyFor } from "./scenery";
import { Stamps } from "./stamps";
import { Past } from "./trails";

const MANY = 5000; // boids, of which nobody sees a quarter of a pixel

export class CanvasStage implements Stage {
  readonly kind = "canvas";
  readonly canvas = document.createElement("canvas");
  private readonly pen = this.canvas.getContext("2d", { alpha: false })!;
  private readonly lines = new SceneryLines();
  private readonly past = new Past();
  private readonly painter = new BoidPainter();
  private pixels = new Pixels(1, 1);
  private sky: { look: Look; pixels: Pixels; colours: Uint32Array } | null = null;
  private stamps = new Map<string, Stamps>();
  private model: SceneCore | null = null;
  private period: Vec3 = [0, 0, 0];
  private solids: Solid[] = [];
  private frames: { before: Frame; now: Frame } | null = null;
  private density = 1;

  enter(model: SceneCore): void {
    this.model = model;
    this.period = periodOf(model);
    this.frames = null;
    this.past.forget();
    this.pixels.depths.fill(Infinity);
    this.setObstacles(model.obstacles);
  }

  setObstacles(obstacles: ObstacleInfo[]): void {
    this.lines.set(obstacles);
    if (this.model) this.solids = solidsOf(obstacles, this.model);
  }

  show(before: Frame, now: Frame, cut: boolean): void {
    if (cut) this.past.forget();
    this.frames = { before, now };
  }

  resize(width: number, height: number, density: number): void {
    this.density = density;
    const [w, h] = [Math.max(1, Math.floor(width * density)), Math.max(1, Math.floor(height * density))];
    if (this.canvas.width === w && this.canvas.height === h && this.sky) return;
    this.canvas.width = w;
    this.canvas.height = h;
    this.pixels = new Pixels(w, h);
    this.stamps.clear();
  }

  dispose(): void {
    this.past.forget();
    this.frames = null;
  }

  draw(drawing: Drawing): void {
    const { model, pixels, frames } = this;
    if (!model) return;
    const flat = model.dims === 2;
    const eye = new Eye(drawing.shot, this.density);
    this.clear(drawing.picture.look, flat);
    this.lines.update(model, drawing);
    drawLines(pixels, this.lines, drawing, flat, eye);
    if (frames) this.drawBoids(model, drawing, frames, eye);
    for (const solid of this.solids) drawSolid(pixels, solid, drawing, eye);
    const { width, height } = this.canvas;
    this.pen.putImageData(pixels.image, -MARGIN, -MARGIN, MARGIN, MARGIN, width, height);
  }

  private drawBoids(model: SceneCore, drawing: Drawing, frames: { before: Frame; now: Frame }, eye: Eye): void {
    const { now } = frames;
    // A frame that came after one with fewer boids begins where it ends.
    const before = frames.before.count >= now.count ? frames.before : now;
    const trails = drawing.picture.trails > 0;
    if (trails) this.past.push(before);
    else this.past.forget();
    for (const flock of flockDrawings(model, drawing, now.count)) {
      if (trails) this.past.draw(this.pixels, flock, drawing, now, this.period, eye);
      const stamps = this.stampsOf(flock.shape, now.count);
      const between = { before, now, period: this.period };
      this.painter.draw(this.pixels, stamps, flock, drawing, between, this.density, this.solids.length > 0);
    }
  }

  private stampsOf(shape: Corner[], count: number): Stamps {
    const [phases, turns] = count > MANY ? [2, 64] : [4, 96];
    const key = [phases, ...shape.flat()].join();
    let stamps = this.stamps.get(key);
    if (!stamps) {
      stamps = new Stamps(shape, this.pixels.width, phases!, turns!);
      this.stamps.set(key, stamps);
    }
    stamps.tidy();
    return stamps;
  }

  /** The sky, and nothing near. */
  private clear(look: Look, flat: boolean): void {
    const { pixels } = this;
    if (look.sky.length === 1) pixels.colours.fill(packed(look.sky[0]!));
    else {
      if (this.sky?.look !== look || this.sky.pixels !== pixels) {
        this.sky = { look, pixels, colours: skyFor(look, pixels) };
      }
      pixels.colours.set(this.sky.colours);
    }
    if (!flat && this.solids.length > 0) pixels.depths.fill(Infinity);
  }
}
