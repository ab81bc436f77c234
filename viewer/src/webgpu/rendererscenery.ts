/** The scenery as draw calls of WebGPU: lines of box and ground, solid obstacles. */

import { minus } from "../camera/projection";
import type { RGB } from "../look/colours";
import type { Drawing } from "../scene/renderer";
import type { SceneryLines } from "../scene/scenery";
import { opacityOf, paintsOf, solidsOf, type Solid } from "../scene/solids";
import { vec3 } from "../wire/frame";
import type { ObstacleInfo, SceneCore } from "../wire/contracts";
import type { Call } from "./rendererboids";
import type { Pipelines } from "./rendererpipelines";

const part = (colour: RGB): number[] => colour.map((c) => c / 255);

export class Scenery {
  private lines: { data: Float32Array; points: GPUBuffer | null } | null = null;
  private solids: { solid: Solid; points: GPUBuffer }[] = [];

  constructor(private readonly device: GPUDevice, private readonly pipelines: Pipelines) {}

  setObstacles(obstacles: ObstacleInfo[], model: SceneCore): void {
    for (const { points } of this.solids) points.destroy();
    this.solids = solidsOf(obstacles, model).map((solid) => ({ solid, points: this.points(solid.corners) }));
  }

  drawLines({ data, origin, reach }: SceneryLines, { shot, picture }: Drawing, flat: boolean): Call[] {
    if (this.lines?.data !== data) {
      this.lines?.points?.destroy();
      this.lines = { data, points: data.length > 0 ? this.points(data) : null };
    }
    const { points } = this.lines;
    if (!points) return [];
    const values = { offset: minus(origin, shot.target), paint: part(picture.look.line), shade: part(picture.look.flocks[0]!), fading: [reach, flat ? 0 : 1] };
    return [{ pipeline: this.pipelines.scenery("line", flat ? "flat" : "clear"), values: [values], vertices: data.length / 4, groups: [], points }];
  }

  drawSolids(drawing: Drawing, flat: boolean): Call[] {
    const { shot, picture: { look } } = drawing;
    return this.solids.map(({ solid, points }) => {
      const { centre, corners, sheet } = solid;
      const { opacity, hides } = opacityOf(solid, drawing);
      const [paint, shade] = paintsOf(solid, look).map(part);
      return {
        pipeline: this.pipelines.scenery("solid", hides ? "solid" : flat ? "flat" : "clear"),
        values: [{ offset: minus(vec3(centre), shot.target), paint, shade, sheet: [opacity, sheet ? 1 : 0] }],
        vertices: corners.length / 6,
        groups: [],
        points,
      };
    });
  }

  private points(data: Float32Array): GPUBuffer {
    const buffer = this.device.createBuffer({ size: Math.max(4, data.byteLength), usage: GPUBufferUsage.VERTEX | GPUBufferUsage.COPY_DST });
    this.device.queue.writeBuffer(buffer, 0, data as Float32Array<ArrayBuffer>);
    return buffer;
  }

  dispose(): void {
    this.lines?.points?.destroy();
    for (const { points } of this.solids) points.destroy();
  }
}
