/** Draws the boids and their trails with WebGL: one draw call for each flock, no vertex buffers. */

import { flockDrawings } from "../scene/flocks";
import type { Drawing } from "../scene/renderer";
import { filmSeconds, flockUniforms, frameUniforms, type Values } from "../scene/uniforms";
import type { Frame, Vec3 } from "../wire/frame";
import type { SceneCore } from "../wire/contracts";
import { originOf, stepOf } from "../wire/scale";
import { Leans } from "./leans";
import { Program } from "./program";
import { BODIES, BODY_FRAGMENT } from "./bodyshaders";
import { BOIDS, FRAGMENT, TRAILS } from "./shaders";
import { FrameTextures, LAYERS, LevelTexture, newTexture, TrailTextures, UNITS, WIDTH } from "./textures";

export class Boids {
  private readonly state: FrameTextures;
  private readonly past: TrailTextures;
  private readonly levels: LevelTexture;
  private readonly darts: Program;
  private readonly bodies: Program;
  private readonly trails: Program;
  private readonly leans = new Leans(WIDTH);
  private readonly leanTexture: WebGLTexture;
  private readonly origins = new Float32Array(3 * LAYERS);
  private readonly steps = new Float32Array(3 * LAYERS);

  constructor(private readonly gl: WebGL2RenderingContext) {
    this.state = new FrameTextures(gl);
    this.past = new TrailTextures(gl);
    this.levels = new LevelTexture(gl);
    this.darts = new Program(gl, BOIDS, FRAGMENT);
    this.bodies = new Program(gl, BODIES, BODY_FRAGMENT);
    this.leanTexture = newTexture(gl, gl.TEXTURE_2D, UNITS.leans);
    this.trails = new Program(gl, TRAILS.replaceAll("LAYERS", String(LAYERS)), FRAGMENT);
  }

  forget(): void {
    this.past.forget();
  }

  draw(model: SceneCore, drawing: Drawing, frames: { before: Frame; now: Frame }, period: Vec3, camera: Values): void {
    const { gl, past } = this;
    const { before, now } = frames;
    const { trails: wanted } = drawing.picture;
    this.state.show(before, now);
    if (wanted > 0) past.push(before);
    else past.forget();
    const most = TrailTextures.maxSegments(now.count);
    const segments = Math.min(wanted, past.length, most);
    const common: Values = { ...camera, ...UNITS, ...frameUniforms(before, now, drawing, period) };
    const flocks = flockDrawings(model, drawing, now);
    const seconds = filmSeconds(model);
    const clock = (before.step + drawing.part * (now.step - before.step)) * seconds;
    if (flocks.some((flock) => flock.body)) this.lean(before, now, seconds);
    if (now.values && flocks.some((flock) => flock.by === "value")) this.levels.show(now.values.levels);
    for (const flock of flocks) {
      if (flock.count === 0) continue;
      const { count, outline: { corners }, body } = flock;
      const own = flockUniforms(flock, now.dims === 2);
      if (segments > 0 && !flock.shadow) {
        this.trails.use(common, own, this.pastValues(drawing.shot.target), {
          segments: Math.max(1, Math.min(wanted, most)), head: past.head,
        });
        gl.depthMask(false);
        gl.drawArrays(gl.LINES, 0, 2 * segments * count);
        gl.depthMask(true);
      }
      if (body) {
        this.bodies.use(common, own, { mesh: body, clock });
        gl.enable(gl.DEPTH_TEST); // a body hides its own far side, in a flat space too
        this.drawTriangles((count * body.length) / 4, flock.shadow !== null);
        if (now.dims === 2) gl.disable(gl.DEPTH_TEST);
        continue;
      }
      this.darts.use(common, own, { shape: corners.flat() });
      if (flock.shadow) gl.enable(gl.DEPTH_TEST);
      this.drawTriangles(count * corners.length, flock.shadow !== null);
      if (flock.shadow) gl.disable(gl.DEPTH_TEST);
    }
  }

  /** Draws corners of triangles. Where shadows meet, the ground is no darker. */
  private drawTriangles(corners: number, shadow: boolean): void {
    const { gl } = this;
    if (shadow) gl.depthFunc(gl.LESS);
    gl.drawArrays(gl.TRIANGLES, 0, corners);
    if (shadow) gl.depthFunc(gl.LEQUAL);
  }

  /** Sends how boids lean, where that is not on the card yet. */
  private lean(before: Frame, now: Frame, seconds: number): void {
    const { gl, leans } = this;
    if (!leans.update(before, now, seconds)) return;
    gl.activeTexture(gl.TEXTURE0 + UNITS.leans);
    gl.bindTexture(gl.TEXTURE_2D, this.leanTexture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RG32F, WIDTH, leans.rows, 0, gl.RG, gl.FLOAT, leans.values);
  }

  private pastValues(target: Vec3): Values {
    this.past.frames.forEach((old, layer) => {
      if (!old) return;
      this.origins.set(originOf(old, target), 3 * layer);
      this.steps.set(stepOf(old), 3 * layer);
    });
    return { origins: this.origins, steps: this.steps };
  }

  dispose(): void {
    this.state.dispose();
    this.past.dispose();
    this.levels.dispose();
    this.gl.deleteTexture(this.leanTexture);
  }
}
