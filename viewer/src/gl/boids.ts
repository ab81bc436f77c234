/** Draws the boids and their trails with WebGL: one draw call for each flock, no vertex buffers. */

import { flockDrawings } from "../flocks";
import type { Drawing } from "../renderer";
import type { Frame, Vec3 } from "../wire/frame";
import type { ColourBy, SceneCore } from "../wire/messages";
import { originOf, stepOf } from "../wire/scale";
import { Program, type Values } from "./program";
import { BODIES, BODY_FRAGMENT } from "./bodyshaders";
import { BOIDS, FRAGMENT, TRAILS } from "./shaders";
import { LAYERS, TrailTextures, FrameTextures, UNITS } from "./textures";
import { frameUniforms } from "./uniforms";

const MODES: Record<ColourBy, number> = { flock: 0, heading: 1, speed: 2, neighbours: 3 };

/** The time of a film of these frames: wings beat by it, and rest while nothing moves. */
function filmSeconds(model: SceneCore, { part }: Drawing, before: Frame, now: Frame): number {
  const { every = 1, frames_per_second = 24 } = model.view;
  return (before.step + part * (now.step - before.step)) / every / frames_per_second;
}

export class Boids {
  private readonly state: FrameTextures;
  private readonly past: TrailTextures;
  private readonly darts: Program;
  private readonly bodies: Program;
  private readonly trails: Program;
  private readonly origins = new Float32Array(3 * LAYERS);
  private readonly steps = new Float32Array(3 * LAYERS);

  constructor(private readonly gl: WebGL2RenderingContext) {
    this.state = new FrameTextures(gl);
    this.past = new TrailTextures(gl);
    this.darts = new Program(gl, BOIDS, FRAGMENT);
    this.bodies = new Program(gl, BODIES, BODY_FRAGMENT);
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
    const most = TrailTextures.most(now.count);
    const segments = Math.min(wanted, past.length, most);
    const common: Values = { ...camera, ...UNITS, ...frameUniforms(before, now, drawing, period) };
    for (const flock of flockDrawings(model, drawing, now.count)) {
      if (flock.count === 0) continue;
      const { first, count, outline: { corners, round }, body } = flock;
      const own: Values = { first, own: flock.colour.map((c) => c / 255), mode: MODES[flock.by] };
      if (segments > 0) {
        this.trails.use(common, own, this.pastValues(drawing.shot.target), {
          segments: Math.max(1, Math.min(wanted, most)), head: past.head, count, keeps: flock.keeps,
        });
        gl.depthMask(false);
        gl.drawArrays(gl.LINES, 0, 2 * segments * count);
        gl.depthMask(true);
      }
      const size: Values = { dart: [flock.size, flock.least, flock.keeps, flock.fold] };
      if (body) {
        this.bodies.use(common, own, size, { mesh: body, corners: body.length / 4, clock: filmSeconds(model, drawing, before, now) });
        gl.enable(gl.DEPTH_TEST); // a body hides its own far side, in a flat space too
        gl.drawArrays(gl.TRIANGLES, 0, (count * body.length) / 4);
        if (now.dims === 2) gl.disable(gl.DEPTH_TEST);
        continue;
      }
      this.darts.use(common, own, size, { shape: corners.flat(), corners: corners.length, squeezed: round ? 1 : 0.4 });
      gl.drawArrays(gl.TRIANGLES, 0, count * corners.length);
    }
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
  }
}
