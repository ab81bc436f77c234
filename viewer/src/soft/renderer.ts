/** The software renderer: draws on the CPU into a 2-D canvas. */

import { flockDrawings } from "../scene/flocks";
import type { Corner } from "../look/shapes";
import type { Look } from "../look/styles";
import type { Backdrop } from "../scene/backdrop";
import { periodOf } from "../scene/period";
import { SceneryLines } from "../scene/scenery";
import { solidsOf, type Solid } from "../scene/solids";
import type { Drawing, Renderer } from "../scene/renderer";
import type { Frame, Vec3 } from "../wire/frame";
import type { ObstacleInfo, SceneCore } from "../wire/contracts";
import { BoidPainter } from "./boids";
import { MARGIN, packed, Pixels } from "./pixels";
import { drawLines, drawSolid, PixelProjection, skyFor, spread } from "./scenery";
import { Sprites } from "./sprites";
import { Trails } from "./trails";

const MANY_BOIDS = 5000; // boids, of which nobody sees a quarter of a pixel

export class CanvasRenderer implements Renderer {
  readonly kind = "canvas";
  readonly canvas = document.createElement("canvas");
  private readonly pen = this.canvas.getContext("2d", { alpha: false })!;
  private readonly lines = new SceneryLines();
  private readonly trails = new Trails();
  private readonly painter = new BoidPainter();
  private pixels = new Pixels(1, 1);
  private sky: { look: Look; pixels: Pixels; painted: number; colours: Uint32Array | null } | null = null;
  private sprites = new Map<string, Sprites>();
  private model: SceneCore | null = null;
  private period: Vec3 = [0, 0, 0];
  private solids: Solid[] = [];
  private frames: { before: Frame; now: Frame } | null = null;
  private density = 1;

  enter(model: SceneCore): void {
    this.model = model;
    this.period = periodOf(model);
    this.frames = null;
    this.trails.forget();
    this.pixels.depths.fill(Infinity);
    this.setObstacles(model.obstacles);
  }

  setObstacles(obstacles: ObstacleInfo[]): void {
    this.lines.set(obstacles);
    if (this.model) this.solids = solidsOf(obstacles, this.model);
  }

  show(before: Frame, now: Frame, cut: boolean): void {
    if (cut) this.trails.forget();
    this.frames = { before, now };
  }

  resize(width: number, height: number, density: number): void {
    this.density = density;
    const [w, h] = [Math.max(1, Math.floor(width * density)), Math.max(1, Math.floor(height * density))];
    if (this.canvas.width === w && this.canvas.height === h && this.sky) return;
    this.canvas.width = w;
    this.canvas.height = h;
    this.pixels = new Pixels(w, h);
    this.sprites.clear();
  }

  dispose(): void {
    this.trails.forget();
    this.frames = null;
  }

  draw(drawing: Drawing): void {
    const { model, pixels, frames } = this;
    if (!model) return;
    const flat = model.dims === 2;
    const projection = new PixelProjection(drawing.shot, this.density);
    const { look, backdrop } = drawing.picture;
    this.clear(look, backdrop, this.usesDepth(model));
    this.lines.update(model, drawing);
    drawLines(pixels, this.lines, drawing, flat, projection);
    if (frames) this.drawBoids(model, drawing, frames, projection);
    for (const solid of this.solids) drawSolid(pixels, solid, drawing, projection);
    const { width, height } = this.canvas;
    this.pen.putImageData(pixels.image, -MARGIN, -MARGIN, MARGIN, MARGIN, width, height);
  }

  private drawBoids(model: SceneCore, drawing: Drawing, frames: { before: Frame; now: Frame }, projection: PixelProjection): void {
    const { now } = frames;
    // A frame that came after one with fewer boids begins where it ends.
    const before = frames.before.count >= now.count && frames.before.layout === now.layout ? frames.before : now;
    const trails = drawing.picture.trails > 0;
    if (trails) this.trails.push(before);
    else this.trails.forget();
    const flocks = flockDrawings(model, drawing, now);
    if (flocks.some(({ shadow }) => shadow)) this.pixels.clearShades();
    for (const flock of flocks) {
      if (trails && !flock.shadow) this.trails.draw(this.pixels, flock, drawing, now, this.period, projection);
      const sprites = this.spritesOf(flock.outline.corners, now.present);
      const between = { before, now, period: this.period };
      const hides = this.usesDepth(model);
      if (!flock.folded) this.painter.draw(this.pixels, sprites, flock, drawing, between, this.density, hides);
      else for (const perched of [true, false]) {
        const own = perched ? this.spritesOf(flock.folded.corners, now.present) : sprites;
        this.painter.draw(this.pixels, own, flock, drawing, between, this.density, hides, perched);
      }
    }
  }

  private spritesOf(shape: Corner[], count: number): Sprites {
    const [phases, turns] = count > MANY_BOIDS ? [2, 64] : [4, 96];
    const key = [phases, ...shape.flat()].join();
    let sprites = this.sprites.get(key);
    if (!sprites) {
      sprites = new Sprites(shape, this.pixels.width, phases!, turns!);
      this.sprites.set(key, sprites);
    }
    sprites.tidy();
    return sprites;
  }

  /** In 3-D boids may hide obstacles, which are drawn last; in 2-D obstacles lie over them. */
  private usesDepth(model: SceneCore): boolean {
    return model.dims === 3 && this.solids.length > 0;
  }

  /** The sky or the scenery, and nothing near. */
  private clear(look: Look, backdrop: Backdrop, depth: boolean): void {
    const { pixels } = this;
    const painted = backdrop.canvas.hidden ? 0 : backdrop.painted;
    if (look.sky.length === 1) pixels.colours.fill(packed(look.sky[0]!));
    else {
      const same = this.sky?.look === look && this.sky.pixels === pixels && this.sky.painted === painted;
      const sky = same ? this.sky! : (this.sky = { look, pixels, painted, colours: painted > 0 ? null : skyFor(look, pixels) });
      if (sky.colours) pixels.colours.set(sky.colours);
      else {
        spread(pixels, backdrop);
        if (same) sky.colours = pixels.colours.slice(); // the camera rests
      }
    }
    if (depth) pixels.depths.fill(Infinity);
  }
}
