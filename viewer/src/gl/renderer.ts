/** The WebGL 2 renderer. */

import { tableOf, TABLE, type Look } from "../look/styles";
import { periodOf } from "../scene/period";
import { SceneryLines } from "../scene/scenery";
import type { Drawing, Renderer } from "../scene/renderer";
import { cameraUniforms } from "../scene/uniforms";
import type { Frame, Vec3 } from "../wire/frame";
import type { ObstacleInfo, SceneCore } from "../wire/contracts";
import type { ColourBy } from "../look/styles";
import { Boids } from "./boids";
import { Lines, Solids } from "./scenery";
import { newTexture, UNITS } from "./textures";

/** What lies on the graphics card; lost with the context, and made again. */
interface Held {
  boids: Boids;
  lines: Lines;
  solids: Solids;
  table: WebGLTexture;
}

export class GlRenderer implements Renderer {
  readonly kind = "gl";
  readonly canvas: HTMLCanvasElement;
  private readonly gl: WebGL2RenderingContext;
  private held: Held | null;
  private readonly lines = new SceneryLines();
  private model: SceneCore | null = null;
  private obstacles: ObstacleInfo[] = [];
  private frames: { before: Frame; now: Frame } | null = null;
  private period: Vec3 = [0, 0, 0];
  private shown: { look: Look; by: ColourBy; cyclic: boolean } | null = null;

  /** Throws without WebGL 2. `restored`: the card is available again, and the picture must be drawn. */
  constructor(antialias: boolean, clear: boolean, restored: () => void) {
    this.canvas = document.createElement("canvas");
    const gl = this.canvas.getContext("webgl2", {
      antialias, alpha: clear, stencil: false, depth: true, powerPreference: "high-performance",
    });
    if (!gl) throw new Error("no WebGL 2");
    this.gl = gl;
    this.held = this.make();
    this.canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault(); // else it never comes back
      this.held = null;
    });
    this.canvas.addEventListener("webglcontextrestored", () => {
      this.held = this.make();
      restored();
    });
  }

  enter(model: SceneCore): void {
    this.model = model;
    this.period = periodOf(model);
    this.frames = null;
    this.held?.boids.forget();
    this.setObstacles(model.obstacles);
  }

  setObstacles(obstacles: ObstacleInfo[]): void {
    this.obstacles = obstacles;
    this.lines.set(obstacles);
    if (this.model) this.held?.solids.set(obstacles, this.model);
  }

  show(before: Frame, now: Frame, cut: boolean): void {
    if (cut) this.held?.boids.forget();
    this.frames = { before, now };
  }

  resize(width: number, height: number, density: number): void {
    this.canvas.width = Math.floor(width * density);
    this.canvas.height = Math.floor(height * density);
  }

  draw(drawing: Drawing): void {
    const { gl, model, frames, held } = this;
    if (!model || !held || gl.isContextLost()) return;
    const { look, colourBy, cyclic } = drawing.picture;
    const flat = model.dims === 2;
    const [r, g, b] = look.sky[0]!;
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    // Where the sky is the page's own, the canvas is clear.
    if (look.sky.length > 1) gl.clearColor(0, 0, 0, 0);
    else gl.clearColor(r / 255, g / 255, b / 255, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    if (flat) gl.disable(gl.DEPTH_TEST);
    else gl.enable(gl.DEPTH_TEST);
    const camera = cameraUniforms(drawing, flat);
    // In this order: ground and box, boids, then what they may shine through.
    this.lines.update(model, drawing);
    held.lines.draw(this.lines, drawing, flat, camera);
    this.setColours(look, colourBy, cyclic, held.table);
    if (frames) held.boids.draw(model, drawing, frames, this.period, camera);
    held.solids.draw(drawing, camera);
  }

  dispose(): void {
    this.held?.boids.dispose();
    this.held = null;
    this.gl.getExtension("WEBGL_lose_context")?.loseContext();
  }

  private make(): Held {
    const { gl } = this;
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA); // colours come multiplied by their strength
    gl.depthFunc(gl.LEQUAL);
    this.shown = null;
    const held = {
      boids: new Boids(gl),
      lines: new Lines(gl),
      solids: new Solids(gl),
      table: newTexture(gl, gl.TEXTURE_2D, UNITS.table),
    };
    if (this.model) held.solids.set(this.obstacles, this.model);
    return held;
  }

  private setColours(look: Look, by: ColourBy, cyclic: boolean, table: WebGLTexture): void {
    const { gl } = this;
    if (this.shown?.look === look && this.shown.by === by && this.shown.cyclic === cyclic) return;
    const data = new Uint8Array(tableOf(look, by, cyclic).flatMap((c) => [...c.map(Math.round), 255]));
    gl.activeTexture(gl.TEXTURE0 + UNITS.table);
    gl.bindTexture(gl.TEXTURE_2D, table);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, TABLE, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, data);
    this.shown = { look, by, cyclic };
  }
}
