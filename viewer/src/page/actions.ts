/** What the user does in the scene, as messages: choosing and dragging boids, dragging obstacles,
 * shooing and calling boids with the pointer. */

import type { Requests } from "./requests";
import { project } from "../camera/projection";
import type { Channel } from "../channel/channel";
import type { Viewport } from "../scene/viewport";
import { lookUp } from "../state/paths";
import { vec3, type Identity, type Vec3 } from "../wire/frame";
import type { HandleInfo, Plain, SceneMessage } from "../wire/contracts";

const APART = 40; // milliseconds between two positions of a dragged boid

/** The flock of a boid, and its number there, by name. */
export function flockOf(scene: SceneMessage, boid: Identity | null): [string, number] {
  return [scene.flocks[boid?.flock ?? 0]!.name, boid?.id ?? 0];
}

/** Whether the boids of two scenes are the same ones. */
export function sameBoids(a: SceneMessage | null, b: SceneMessage): boolean {
  const counts = (scene: SceneMessage): string => scene.flocks.map((f) => `${f.name} ${f.count}`).join();
  return a !== null && counts(a) === counts(b);
}

/** A number with no more digits than a drag can mean. */
const rounded = (x: number): number => Number(x.toPrecision(6));

export class Actions {
  private lastMove = 0;

  constructor(
    private readonly channel: Channel,
    private readonly requests: Requests,
    private readonly scene: () => SceneMessage | null,
    private readonly change: (path: string, value: Plain, done: boolean) => void,
  ) {}

  /** Request what a boid senses; null: nothing. */
  choose(boid: Identity | null): void {
    const scene = this.scene();
    if (!scene) return;
    if (boid === null) return void this.requests.send({ type: "choose" });
    const [flock, id] = flockOf(scene, boid);
    void this.requests.send({ type: "choose", flock, boid: id });
  }

  /** Move an obstacle or a place. Returns the value that was sent. */
  drag(handle: HandleInfo, position: Vec3, done: boolean): number[] {
    const value = position.slice(0, this.scene()?.dims ?? 3).map(rounded);
    this.change(handle.path, value, done);
    return value;
  }

  move(boid: Identity | null, position: Vec3): void {
    const scene = this.scene();
    if (!scene || !boid || performance.now() - this.lastMove < APART) return;
    this.lastMove = performance.now();
    const [flock, id] = flockOf(scene, boid);
    this.channel.send({ type: "move", flock, boid: id, position: position.slice(0, scene.dims) as Vec3 });
  }

  shoo(position: Vec3 | null, radius: number, call: boolean): void {
    const dims = this.scene()?.dims ?? 3;
    const place = position ? (position.slice(0, dims) as Vec3) : null;
    this.channel.send({ type: "shoo", position: place, radius, call });
  }
}

/** Where the handles are on the page. */
export function handlesOn(viewport: Viewport | null): { path: string; at: [number, number] }[] {
  return (viewport?.overlay.handles ?? []).map(({ path, position }) => {
    const place = project(viewport!.shot, vec3(position));
    return { path, at: [place.x, place.y] };
  });
}

/** Handles follow values that were changed elsewhere, but for the one that is dragged. */
export function moveHandles(viewport: Viewport, values: Record<string, Plain>): void {
  for (const handle of viewport.overlay.handles) {
    const value = lookUp(values, handle.path);
    if (!Array.isArray(value) || viewport.overlay.hot === handle.path) continue;
    handle.position = value.map((x, k) => (typeof x === "number" ? x : handle.position[k]!));
  }
  viewport.redraw();
}
