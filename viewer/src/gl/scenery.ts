/** Draws the scenery with WebGL: lines of box and ground, solid obstacles. */

import { minus } from "../camera/projection";
import type { RGB } from "../look/colours";
import type { SceneryLines } from "../scene/scenery";
import { opacityOf, paintsOf, solidsOf, type Solid } from "../scene/solids";
import type { Drawing } from "../scene/renderer";
import { vec3 } from "../wire/frame";
import type { ObstacleInfo, SceneCore } from "../wire/contracts";
import type { Values } from "../scene/uniforms";
import { Points, Program } from "./program";
import { FRAGMENT, LINES, SOLID } from "./shaders";

const part = (colour: RGB): number[] => colour.map((c) => c / 255);

export class Lines {
  private readonly program: Program;
  private points: Points | null = null;
  private drawn: Float32Array | null = null;

  constructor(private readonly gl: WebGL2RenderingContext) {
    this.program = new Program(gl, LINES, FRAGMENT);
  }

  draw(lines: SceneryLines, drawing: Drawing, flat: boolean, camera: Values): void {
    const { gl } = this;
    const { data, origin, reach } = lines;
    if (this.drawn !== data) {
      this.points?.dispose();
      this.points = data.length > 0 ? new Points(gl, data, "strength") : null;
      this.drawn = data;
    }
    if (!this.points) return;
    this.program.use(camera, {
      offset: minus(origin, drawing.shot.target),
      paint: part(drawing.picture.look.line),
      wire: part(drawing.picture.look.flocks[0]!),
      fading: [reach, flat ? 0 : 1],
    });
    gl.depthMask(false);
    this.points.draw(gl.LINES);
    gl.depthMask(true);
  }
}

export class Solids {
  private readonly program: Program;
  private bodies: { solid: Solid; points: Points }[] = [];

  constructor(private readonly gl: WebGL2RenderingContext) {
    this.program = new Program(gl, SOLID, FRAGMENT);
  }

  set(obstacles: ObstacleInfo[], model: SceneCore): void {
    for (const { points } of this.bodies) points.dispose();
    this.bodies = solidsOf(obstacles, model).map((solid) => ({
      solid,
      points: new Points(this.gl, solid.corners, "normal"),
    }));
  }

  draw(drawing: Drawing, camera: Values): void {
    const { gl } = this;
    const { shot, picture } = drawing;
    for (const { solid, points } of this.bodies) {
      const [body, shade] = paintsOf(solid, picture.look).map(part);
      const { opacity, hides } = opacityOf(solid, drawing);
      this.program.use(camera, {
        offset: minus(vec3(solid.centre), shot.target),
        body, shade,
        sheet: [opacity, solid.sheet ? 1 : 0],
      });
      if (!solid.sheet) gl.enable(gl.CULL_FACE);
      gl.depthMask(hides);
      points.draw(gl.TRIANGLES);
      gl.depthMask(true);
      gl.disable(gl.CULL_FACE);
    }
  }
}
