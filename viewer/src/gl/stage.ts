/** Draws with WebGL 2, by three.js. */

import {
  Camera as NoCamera,
  Color,
  ColorManagement,
  DataTexture,
  LinearSRGBColorSpace,
  RGBAFormat,
  Scene,
  WebGLRenderer,
} from "three";
import { tableOf, TABLE, type Look } from "../look/styles";
import type { Drawing, Stage } from "../stage";
import type { Frame, Vec3 } from "../wire/frame";
import type { ColourBy, ObstacleInfo, SceneCore } from "../wire/messages";
import { periodOf } from "../period";
import { flockMeshes, type FlockMesh } from "./boids";
import { SceneryLines, Solids } from "./scenery";
import { PastTextures, StateTextures } from "./state";
import { SharedUniforms } from "./uniforms";

// Colours are sRGB numbers from the tables to the screen: nothing is to be converted.
ColorManagement.enabled = false;

export class GlStage implements Stage {
  readonly kind = "gl";
  readonly canvas: HTMLCanvasElement;
  private readonly renderer: WebGLRenderer;
  private readonly world = new Scene();
  private readonly eye = new NoCamera();
  private readonly shared = new SharedUniforms();
  private readonly state = new StateTextures();
  private readonly past = new PastTextures();
  private model: SceneCore | null = null;
  private flocks: FlockMesh[] = [];
  private lines: SceneryLines | null = null;
  private solids: Solids | null = null;
  private obstacles: ObstacleInfo[] = [];
  private version = 0;
  private frames: { before: Frame; now: Frame } | null = null;
  private period: Vec3 = [0, 0, 0];
  private table: { look: Look; by: ColourBy; texture: DataTexture } | null = null;
  private lost = false;

  /** Throws where there is no WebGL 2. */
  constructor(antialias: boolean, clear: boolean) {
    this.canvas = document.createElement("canvas");
    // Asked for here, since three.js would fill the console before it gives up.
    const context = this.canvas.getContext("webgl2", {
      antialias, alpha: clear, stencil: false, depth: true, powerPreference: "high-performance",
    });
    if (!context) throw new Error("no WebGL 2");
    this.renderer = new WebGLRenderer({
      canvas: this.canvas,
      context,
      antialias,
      alpha: clear,
      stencil: false,
      powerPreference: "high-performance",
    });
    this.renderer.outputColorSpace = LinearSRGBColorSpace;
    this.renderer.sortObjects = false;
    this.canvas.addEventListener("webglcontextlost", () => (this.lost = true));
    this.canvas.addEventListener("webglcontextrestored", () => (this.lost = false));
  }

  enter(model: SceneCore): void {
    for (const flock of this.flocks) flock.dispose(this.world);
    this.lines?.dispose(this.world);
    this.solids?.clear();
    this.model = model;
    this.period = periodOf(model);
    this.past.forget();
    this.frames = null;
    // Drawn in this order: ground and box, boids, then what they may shine through.
    this.lines = new SceneryLines(model, this.shared, this.world);
    this.solids = new Solids(model, this.shared, this.world);
    this.flocks = flockMeshes(model, this.shared, this.world);
    this.setObstacles(model.obstacles);
  }

  setObstacles(obstacles: ObstacleInfo[]): void {
    this.obstacles = obstacles;
    this.version++;
    this.solids?.set(obstacles);
  }

  show(before: Frame, now: Frame, cut: boolean): void {
    if (cut) this.past.forget();
    this.frames = { before, now };
  }

  resize(width: number, height: number, density: number): void {
    this.renderer.setPixelRatio(density);
    this.renderer.setSize(width, height, false);
  }

  draw(drawing: Drawing): void {
    const { model, frames } = this;
    if (!model || !this.lines || !this.solids || this.lost) return;
    const { look, colourBy, slowest, fastest, crowd } = drawing.picture;
    const [r, g, b] = look.sky[0]!;
    this.renderer.setClearColor(new Color(r / 255, g / 255, b / 255), look.sky.length > 1 ? 0 : 1);
    this.shared.setCamera(drawing, model.dims === 2);
    this.shared.colour.range.value.set(slowest, 1 / Math.max(1e-12, fastest - slowest), crowd);
    this.shared.colour.table.value = this.colours(look, colourBy);
    this.lines.update(drawing, this.obstacles, this.version);
    this.solids.update(drawing);
    if (frames) {
      const { before, now } = this.state.show(frames.before, frames.now);
      this.shared.pull.before.value = before;
      this.shared.pull.now.value = now;
      this.shared.setFrames(frames.before, frames.now, drawing, this.period);
      if (drawing.picture.trails > 0) this.past.push(frames.before);
      else this.past.forget();
      for (const flock of this.flocks) flock.update(drawing, frames.now, this.past);
    }
    this.renderer.render(this.world, this.eye);
  }

  dispose(): void {
    this.state.dispose();
    this.past.dispose();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }

  private colours(look: Look, by: ColourBy): DataTexture {
    if (this.table?.look !== look || this.table.by !== by) {
      this.table?.texture.dispose();
      const data = new Uint8Array(tableOf(look, by).flatMap((c) => [...c.map(Math.round), 255]));
      const texture = new DataTexture(data, TABLE, 1, RGBAFormat);
      texture.needsUpdate = true;
      this.table = { look, by, texture };
    }
    return this.table.texture;
  }
}
