/** The scenery as three.js objects: lines of box and ground, solid obstacles, the sky. */

import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CircleGeometry,
  LineSegments,
  Mesh,
  SphereGeometry,
  Vector2,
  Vector3,
  type Scene,
} from "three";
import { minus } from "../camera/lens";
import type { RGB } from "../look/colours";
import { boxEdges, deep, groundLines, groundOf, obstacleLines, wallCorners, type Segments } from "../scenery";
import type { Drawing } from "../stage";
import type { Vec3 } from "../wire/frame";
import type { ObstacleInfo, SceneCore } from "../wire/messages";
import { material } from "./material";
import { LINES, SOLID } from "./shaders";
import type { SharedUniforms } from "./uniforms";

const part = ([r, g, b]: RGB): [number, number, number] => [r / 255, g / 255, b / 255];

export class SceneryLines {
  private readonly uniforms;
  private readonly lines: LineSegments;
  private key = "";
  private origin: Vec3 = [0, 0, 0];

  constructor(
    private readonly model: SceneCore,
    shared: SharedUniforms,
    into: Scene,
  ) {
    this.uniforms = {
      ...shared.lens,
      offset: { value: new Vector3() },
      paint: { value: new Vector3() },
      fading: { value: new Vector2() },
    };
    this.lines = new LineSegments(
      new BufferGeometry(),
      material(LINES, this.uniforms, { depth: model.dims === 3, write: false }),
    );
    this.lines.frustumCulled = false;
    into.add(this.lines);
  }

  update(drawing: Drawing, obstacles: ObstacleInfo[], version: number): void {
    const { shot, picture, fixed } = drawing;
    const { space, dims } = this.model;
    const flat = dims === 2;
    const ground = groundOf(space, fixed, shot.target, shot.radius);
    const key = [fixed, picture.box, ground.step, ...ground.middle, version].join();
    if (key !== this.key) {
      this.key = key;
      const out: Segments = { points: [], strengths: [] };
      const torus = space.periodic.some(Boolean);
      if (picture.box) {
        // The box of a followed torus lies anywhere, and would jump.
        if (fixed || !torus) boxEdges(out, deep(space.lower), deep(space.upper), flat, 0.6);
        if (!flat || !fixed) groundLines(out, space, ground, flat);
      }
      for (const obstacle of obstacles) obstacleLines(out, obstacle, space, flat);
      this.origin = fixed ? deep(space.lower) : ground.middle;
      const points = Float32Array.from(out.points, (c, k) => c - this.origin[k % 3]!);
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", new BufferAttribute(points, 3));
      geometry.setAttribute("strength", new BufferAttribute(Float32Array.from(out.strengths), 1));
      this.lines.geometry.dispose();
      this.lines.geometry = geometry;
      this.lines.visible = points.length > 0;
    }
    this.uniforms.offset.value.set(...minus(this.origin, shot.target));
    this.uniforms.paint.value.set(...part(picture.look.line));
    this.uniforms.fading.value.set(ground.reach, flat ? 0 : 1);
  }

  dispose(into: Scene): void {
    into.remove(this.lines);
    this.lines.geometry.dispose();
  }
}

/** Obstacles with a body. In 2-D they are faint sheets, as in the films. */
export class Solids {
  private meshes: { mesh: Mesh; centre: Vec3; offset: { value: Vector3 }; colours: { body: { value: Vector3 }; shade: { value: Vector3 } } }[] = [];

  constructor(
    private readonly model: SceneCore,
    private readonly shared: SharedUniforms,
    private readonly into: Scene,
  ) {}

  set(obstacles: ObstacleInfo[]): void {
    this.clear();
    const flat = this.model.dims === 2;
    for (const obstacle of obstacles) {
      const shape = this.shape(obstacle, flat);
      if (!shape) continue;
      const uniforms = {
        ...this.shared.lens,
        offset: { value: new Vector3() },
        size: { value: new Vector3(...shape.size) },
        body: { value: new Vector3() },
        shade: { value: new Vector3() },
        sheet: { value: new Vector2(flat || shape.sheet ? 0.16 : 0.8, flat || shape.sheet ? 1 : 0) },
      };
      const solid = !flat && !shape.sheet;
      const mesh = new Mesh(
        shape.geometry,
        material(SOLID, uniforms, { depth: !flat, write: solid, oneSided: solid }),
      );
      mesh.frustumCulled = false;
      this.into.add(mesh);
      this.meshes.push({ mesh, centre: shape.centre, offset: uniforms.offset, colours: uniforms });
    }
  }

  update({ shot, picture }: Drawing): void {
    for (const { centre, offset, colours } of this.meshes) {
      offset.value.set(...minus(centre, shot.target));
      colours.body.value.set(...part(picture.look.body));
      colours.shade.value.set(...part(picture.look.shade));
    }
  }

  clear(): void {
    for (const { mesh } of this.meshes) {
      this.into.remove(mesh);
      mesh.geometry.dispose();
      (mesh.material as { dispose(): void }).dispose();
    }
    this.meshes = [];
  }

  private shape(
    obstacle: ObstacleInfo,
    flat: boolean,
  ): { geometry: BufferGeometry; centre: Vec3; size: Vec3; sheet?: boolean } | null {
    const centre = deep(obstacle.centre);
    if (obstacle.kind === "sphere") {
      const r = obstacle.radius ?? 1;
      const geometry = flat ? new CircleGeometry(1, 72) : new SphereGeometry(1, 40, 24);
      return { geometry, centre, size: [r, r, r] };
    }
    if (obstacle.kind === "box") {
      const size = deep(obstacle.size);
      if (flat) size[2] = 1e-6;
      return { geometry: new BoxGeometry(1, 1, 1), centre, size };
    }
    const corners = wallCorners(obstacle, this.model.space, flat);
    if (corners.length < 3) return null;
    const points: number[] = [];
    const middle = corners[0]!;
    for (let k = 1; k < corners.length - 1; k++) {
      points.push(0, 0, 0, ...minus(corners[k]!, middle), ...minus(corners[k + 1]!, middle));
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(Float32Array.from(points), 3));
    const normals = points.map((_, k) => (k % 3 === 2 ? 1 : 0));
    geometry.setAttribute("normal", new BufferAttribute(Float32Array.from(normals), 3));
    return { geometry, centre: middle, size: [1, 1, 1], sheet: true };
  }
}
