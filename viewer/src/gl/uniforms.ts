/** Uniforms that the materials share: the camera and the two frames drawn between. */

import { Vector2, Vector3, Vector4, type IUniform, type Texture } from "three";
import type { Drawing } from "../stage";
import type { Frame, Vec3 } from "../wire/frame";

export type Uniforms = Record<string, IUniform<unknown>>;

const vec = (v: Vec3): Vector3 => new Vector3(...v);

export class SharedUniforms {
  readonly lens = {
    right: { value: new Vector3() },
    up: { value: new Vector3() },
    forward: { value: new Vector3() },
    lens: { value: new Vector4() },
    page: { value: new Vector4() },
    depths: { value: new Vector2() },
  };
  readonly pull = {
    before: { value: null as Texture | null },
    now: { value: null as Texture | null },
    originBefore: { value: new Vector3() },
    stepBefore: { value: new Vector3() },
    originNow: { value: new Vector3() },
    stepNow: { value: new Vector3() },
    period: { value: new Vector3() },
    perPeriod: { value: new Vector3() },
    images: { value: new Vector3() },
    part: { value: 1 },
  };
  readonly colour = {
    table: { value: null as Texture | null },
    mode: { value: 0 },
    range: { value: new Vector3(0, 1, 1) },
    fastest: { value: 1 },
  };

  setCamera({ shot, picture }: Drawing, flat: boolean): void {
    this.lens.right.value.set(...shot.axes.right);
    this.lens.up.value.set(...shot.axes.up);
    this.lens.forward.value.set(...shot.axes.forward);
    this.lens.lens.value.set(shot.distance, shot.focal, shot.near, shot.far);
    this.lens.page.value.set(
      2 / shot.width,
      2 / shot.height,
      (2 * shot.middleX) / shot.width - 1,
      1 - (2 * shot.middleY) / shot.height,
    );
    this.lens.depths.value.set(shot.radius, flat ? 1 : picture.look.far);
  }

  setFrames(before: Frame, now: Frame, drawing: Drawing, period: Vec3): void {
    const { target } = drawing.shot;
    const set = (frame: Frame, origin: Vector3, step: Vector3): void => {
      origin.copy(vec(originOf(frame, target)));
      step.copy(vec(stepOf(frame)));
    };
    set(before, this.pull.originBefore.value, this.pull.stepBefore.value);
    set(now, this.pull.originNow.value, this.pull.stepNow.value);
    this.pull.period.value.set(...period);
    this.pull.perPeriod.value.set(...(period.map((p) => (p > 0 ? 1 / p : 0)) as Vec3));
    const [x, y, z] = drawing.imageCentre;
    this.pull.images.value.set(x - target[0], y - target[1], z - target[2]);
    this.pull.part.value = drawing.part;
    this.colour.fastest.value = now.fastest;
  }
}

/** Subtracted in double precision: far from the origin float32 has no digits to spare. */
export function originOf(frame: Frame, target: Vec3): Vec3 {
  const flat = frame.dims === 2;
  return [
    frame.lower[0] - target[0],
    frame.lower[1] - target[1],
    flat ? -target[2] : frame.lower[2] - target[2],
  ];
}

export function stepOf(frame: Frame): Vec3 {
  return [
    frame.side[0] / 65536,
    frame.side[1] / 65536,
    frame.dims === 2 ? 0 : frame.side[2] / 65536,
  ];
}
