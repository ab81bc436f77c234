/** The boids and their trails as three.js objects: one draw a flock, no vertex buffers. */

import { BufferGeometry, LineSegments, Mesh, Vector2, Vector3, Vector4, type Scene } from "three";
import { flockColour } from "../look/styles";
import { dartPixels, type Drawing } from "../stage";
import type { Frame } from "../wire/frame";
import type { FlockInfo, SceneCore } from "../wire/messages";
import { material } from "./material";
import { BOIDS, TRAILS } from "./shaders";
import { shapeFor } from "./shapes";
import { LAYERS, PastTextures } from "./state";
import { originOf, stepOf, type SharedUniforms } from "./uniforms";

const MODES = { flock: 0, heading: 1, speed: 2, neighbours: 3 };

export class FlockMesh {
  private readonly own = {
    first: { value: 0 },
    own: { value: new Vector3() },
    mode: { value: 0 },
  };
  private readonly dart = {
    corners: { value: 3 },
    shape: { value: Array.from({ length: 12 }, () => new Vector2()) },
    dart: { value: new Vector4() },
  };
  private readonly trail = {
    past: { value: null as unknown },
    origins: { value: new Float32Array(3 * LAYERS) },
    steps: { value: new Float32Array(3 * LAYERS) },
    segments: { value: 1 },
    head: { value: 0 },
    count: { value: 1 },
    keeps: { value: 0 },
  };
  private readonly mesh: Mesh;
  private readonly lines: LineSegments;

  constructor(
    private readonly flock: FlockInfo,
    private readonly place: number,
    private readonly first: number,
    private readonly model: SceneCore,
    shared: SharedUniforms,
    into: Scene,
  ) {
    const deep = model.dims === 3;
    const common = { ...shared.lens, ...shared.pull, ...shared.colour, ...this.own };
    this.mesh = new Mesh(new BufferGeometry(), material(BOIDS, { ...common, ...this.dart }, { depth: deep }));
    this.lines = new LineSegments(
      new BufferGeometry(),
      material(
        TRAILS.replaceAll("LAYERS", String(LAYERS)),
        { ...common, ...this.trail },
        { depth: deep, write: false },
      ),
    );
    this.mesh.frustumCulled = this.lines.frustumCulled = false;
    into.add(this.lines, this.mesh);
  }

  update(drawing: Drawing, frame: Frame, past: PastTextures): void {
    const { picture, shot } = drawing;
    const count = Math.max(0, Math.min(this.flock.count, frame.count - this.first));
    const large = this.flock.scale > 1;
    this.own.first.value = this.first;
    const [r, g, b] = flockColour(picture.look, this.flock, this.place);
    this.own.own.value.set(r / 255, g / 255, b / 255);
    this.own.mode.value = large ? 0 : MODES[picture.colourBy];
    const shape = shapeFor(picture.look.bird, frame.count);
    shape.forEach(([x, y], k) => this.dart.shape.value[k]!.set(x, y));
    this.dart.corners.value = shape.length;
    let size = dartPixels(this.model, drawing, frame.count) * this.flock.scale;
    if (large && !this.model.view.boid_size) size = Math.max(size, 7 * this.flock.scale);
    // Birds are slim: a little longer, they weigh as much as darts. Paper folds, birds do not.
    const fold = picture.look.bird ? 0 : 0.1;
    this.dart.dart.value.set(size, frame.count > 20_000 ? 2 : 1.7, large ? 0.5 : 0, fold);
    this.mesh.geometry.setDrawRange(0, count * shape.length);
    this.mesh.visible = count > 0;
    const segments = Math.min(picture.trails, past.length, PastTextures.most(frame.count));
    this.lines.visible = segments > 0 && count > 0;
    if (!this.lines.visible) return;
    this.lines.geometry.setDrawRange(0, 2 * segments * count);
    this.trail.past.value = past.texture;
    this.trail.segments.value = Math.max(1, Math.min(picture.trails, PastTextures.most(frame.count)));
    this.trail.head.value = past.head;
    this.trail.count.value = count;
    this.trail.keeps.value = large ? 0.5 : 0;
    past.frames.forEach((old, layer) => {
      if (!old) return;
      this.trail.origins.value.set(originOf(old, shot.target), 3 * layer);
      this.trail.steps.value.set(stepOf(old), 3 * layer);
    });
  }

  dispose(into: Scene): void {
    into.remove(this.lines, this.mesh);
    for (const part of [this.lines, this.mesh]) {
      part.geometry.dispose();
      (part.material as { dispose(): void }).dispose();
    }
  }
}

/** Large ones last: predators are drawn on top. */
export function flockMeshes(model: SceneCore, shared: SharedUniforms, into: Scene): FlockMesh[] {
  let first = 0;
  const all = model.flocks.map((flock, place) => {
    const at = first;
    first += flock.count;
    return { flock, place, at };
  });
  return all
    .sort((a, b) => a.flock.scale - b.flock.scale)
    .map(({ flock, place, at }) => new FlockMesh(flock, place, at, model, shared, into));
}
