/** The camera: angles, zoom, pan and what it follows.
 *
 * Zoom and pan are relative to what is framed, so a page that changes its size, or a flock that
 * grows, stays framed the way the user left it.
 */

import type { Frame, Vec3 } from "../wire/frame";
import { nearest } from "../wire/torus";
import type { SceneCore } from "../wire/contracts";
import { Follower } from "./follow";
import { fitDeep, fitFlat, fitReach } from "./framing";
import { ABOVE, cameraAxes, focalOf, length, minus, plus, type Insets, type Shot } from "./projection";

export type Follow = "space" | "flock" | "boid";

export interface CameraState {
  azimuth: number;
  elevation: number;
  zoom: number;
  pan: Vec3;
  follow: Follow;
}

/** How a camera moves; two cameras may share it, and then move as one. */
interface Moves {
  /** The target of the camera; `state` approaches it smoothly. */
  goal: CameraState;
  state: CameraState;
  turning: boolean;
  /** Whether `state` is not yet at the target. */
  going: boolean;
  /** The camera that continues for both. */
  leader: Camera;
}

const EASE = 0.075; // seconds
const BOIDS = 8; // of their length are followed at least, as in the films: none is longer than a 16th of the picture

export class Camera {
  private moves: Moves;
  readonly dims: 2 | 3;
  readonly period: Vec3 = [0, 0, 0];
  readonly middle: Vec3 = [0, 0, 0];
  readonly half: Vec3 = [0, 0, 0];
  /** Degrees a second that it turns by itself. */
  turn: number;
  still = false; // reduced motion: no easing, no turning
  private size = { width: 1, height: 1 };
  private insets: Insets = { left: 0, right: 0, top: 0, bottom: 0 };
  private follower: Follower;
  private anchor: Vec3;
  private lastBase: { centre: Vec3; distance: number } | null = null;
  private home: CameraState;

  constructor(private readonly scene: SceneCore) {
    this.dims = scene.dims;
    const { lower, upper, periodic } = scene.space;
    for (let axis = 0; axis < scene.dims; axis++) {
      this.half[axis] = 0.5 * (upper[axis]! - lower[axis]!);
      this.middle[axis] = lower[axis]! + this.half[axis]!;
      this.period[axis] = periodic[axis] ? 2 * this.half[axis]! : 0;
    }
    const wanted = scene.view.camera ?? {};
    this.home = {
      ...(this.dims === 2
        ? ABOVE
        : { azimuth: wanted.azimuth ?? 35, elevation: wanted.elevation ?? 20 }),
      zoom: wanted.zoom ?? 1,
      pan: [0, 0, 0],
      follow: wanted.follow ?? "space",
    };
    this.turn = this.dims === 3 ? (wanted.turn ?? 0) : 0;
    const begin = (): CameraState => ({ ...this.home, pan: [0, 0, 0] });
    this.moves = { goal: begin(), state: begin(), turning: this.turn !== 0, going: false, leader: this };
    const least = Math.max(0.04 * Math.max(...this.half), BOIDS * (scene.view.boid_size ?? 0));
    this.follower = new Follower(scene.flocks, this.period, this.middle, this.half, least);
    this.anchor = [...this.middle];
  }

  get goal(): CameraState {
    return this.moves.goal;
  }
  get state(): CameraState {
    return this.moves.state;
  }
  get turning(): boolean {
    return this.moves.turning;
  }
  set turning(turning: boolean) {
    this.moves.turning = turning;
  }

  /** Continue from the state of another camera. */
  takeOver(before: Camera): void {
    this.moves = before.moves;
    if (this.moves.leader === before) this.moves.leader = this;
  }
  /** Move together with another camera from now on. */
  follow(leader: Camera): void {
    this.moves = leader.moves;
  }

  resize(width: number, height: number, insets: Insets): void {
    this.size = { width, height };
    this.insets = insets;
  }

  /** Return to the view of the model. */
  reset(): void {
    Object.assign(this.goal, this.home, { pan: [0, 0, 0] });
    this.turning = this.turn !== 0;
  }

  /** From straight above, and back. */
  top(): void {
    if (this.dims === 2) return;
    const above = this.goal.elevation > 85;
    this.goal.elevation = above ? this.home.elevation : 89.9;
    this.turning = false;
  }

  /** Follow something else without a jump: the pan cancels the change of the centre, then fades. */
  setFollow(follow: Follow): void {
    this.goal.follow = follow;
    this.goal.pan = [0, 0, 0];
    this.state.follow = follow;
    const before = this.lastBase;
    if (!before) return;
    const base = this.base();
    this.state.pan = minus(plus(before.centre, this.state.pan), base.centre);
    if (follow === "boid") this.goal.zoom = Math.max(this.goal.zoom, 2);
    this.state.zoom *= base.distance / before.distance;
  }

  orbit(right: number, up: number): void {
    if (this.dims === 2) return;
    this.goal.azimuth -= right;
    this.goal.elevation = Math.min(89.9, Math.max(-89, this.goal.elevation + up));
    this.turning = false;
  }

  /** Move by pixels, so that what is under the pointer stays under it. */
  panBy(shot: Shot, right: number, down: number): void {
    const unit = shot.distance / shot.focal;
    const moved = plus(plus([0, 0, 0], shot.axes.right, -right * unit), shot.axes.up, down * unit);
    this.goal.pan = plus(this.goal.pan, moved);
  }

  /** Zoom in by a factor, towards a pixel of the page. */
  zoomBy(shot: Shot, factor: number, x = shot.middleX, y = shot.middleY): void {
    const zoom = Math.min(400, Math.max(0.05, this.goal.zoom * factor));
    const keep = 1 - this.goal.zoom / zoom;
    this.goal.zoom = zoom;
    if (this.goal.follow === "boid") return;
    this.panBy(shot, -(x - shot.middleX) * keep, -(y - shot.middleY) * keep);
  }

  /** Read a new frame; `boid`: position of the chosen boid. */
  look(frame: Frame, seconds: number, boid: Vec3 | null): void {
    if (this.state.follow === "flock") this.follower.update(frame, Math.min(seconds, 1));
    if (boid) this.anchor = boid;
  }

  /** Move towards the goal. Returns whether it still moves. */
  ease(seconds: number, playing: boolean): boolean {
    if (this.moves.leader !== this) return this.moves.going;
    if (this.turning && playing && !this.still) {
      this.goal.azimuth += this.turn * seconds;
      this.state.azimuth += this.turn * seconds;
    }
    const part = this.still ? 1 : 1 - Math.exp(-Math.min(seconds, 0.1) / EASE);
    const { state, goal } = this;
    let left = 0;
    const go = (from: number, to: number, unit: number): number => {
      left = Math.max(left, Math.abs(to - from) / unit);
      return from + part * (to - from);
    };
    state.azimuth = go(state.azimuth, goal.azimuth, 90);
    state.elevation = go(state.elevation, goal.elevation, 90);
    state.zoom = Math.exp(go(Math.log(state.zoom), Math.log(goal.zoom), 1));
    const unit = length(this.half) || 1;
    for (let k = 0; k < 3; k++) state.pan[k] = go(state.pan[k]!, goal.pan[k]!, unit);
    this.moves.going = left > 2e-4;
    return this.moves.going;
  }

  private free(): { width: number; height: number } {
    const { left, right, top, bottom } = this.insets;
    return {
      width: Math.max(120, this.size.width - left - right),
      height: Math.max(120, this.size.height - top - bottom),
    };
  }

  /** What is framed before the user's zoom and pan. */
  private base(): { centre: Vec3; distance: number; radius: number; lift: number } {
    const { width, height } = this.free();
    const { follow } = this.state;
    const whole =
      this.dims === 2
        ? fitFlat(this.half, width, height)
        : fitDeep(this.half, this.state.azimuth, this.home.elevation, this.turning, width, height);
    const radius = 0.8 * length(this.half);
    if (follow === "flock") {
      const fit = fitReach(this.follower.reach, this.dims, this.state.elevation, width, height);
      return { centre: this.follower.centre, ...fit, radius: 1.2 * length(this.follower.reach) };
    }
    if (follow === "boid") return { centre: this.anchor, ...whole, lift: 0, radius };
    return { centre: this.middle, ...whole, radius };
  }

  shot(): Shot {
    const base = this.base();
    this.lastBase = base;
    const { width, height } = this.free();
    const axes = cameraAxes(this.state.azimuth, this.state.elevation);
    const distance = base.distance / this.state.zoom;
    const focal = focalOf(height);
    const lift = (base.lift * focal) / base.distance;
    const radius = base.radius;
    return {
      width: this.size.width,
      height: this.size.height,
      middleX: this.insets.left + 0.5 * width,
      middleY: this.insets.top + 0.5 * height + lift * this.state.zoom,
      target: plus(base.centre, this.state.pan),
      axes,
      distance,
      focal,
      near: 0.03 * distance,
      far: distance + 40 * radius + 40 * distance,
      radius,
    };
  }

  /** Whether the picture is tied to the space (then the box is drawn where it is). */
  get fixed(): boolean {
    return this.state.follow === "space";
  }

  /** The point whose nearest images are drawn on a torus. */
  get imageCentre(): Vec3 {
    return this.fixed ? this.middle : this.state.follow === "flock" ? this.follower.centre : this.anchor;
  }

  /** The image of a point that is drawn. */
  image(point: Vec3): Vec3 {
    const centre = this.imageCentre;
    return [0, 1, 2].map(
      (k) => centre[k]! + nearest(point[k]! - centre[k]!, this.period[k]!),
    ) as Vec3;
  }

  get info(): CameraState {
    return { ...this.state, pan: [...this.state.pan] };
  }

  /** The view that the user has left; null if it is that of the model, or it turns. */
  get moved(): Pick<CameraState, "azimuth" | "elevation" | "zoom" | "pan"> | null {
    const round = (x: number): number => Number(x.toPrecision(5));
    const { azimuth, elevation, zoom, pan } = this.goal;
    const own = { azimuth: round(azimuth), elevation: round(elevation), zoom: round(zoom), pan: pan.map(round) as Vec3 };
    const { home } = this;
    const asItWas = own.azimuth === home.azimuth && own.elevation === home.elevation && own.zoom === home.zoom && length(own.pan) === 0;
    return this.turning || asItWas ? null : own;
  }

  get sceneName(): string {
    return this.scene.name;
  }
}
