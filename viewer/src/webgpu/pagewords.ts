/** The words of the uniform `page` for what a page does with boids, see PAGE_TEXT. */

import { PAGE } from "./kernels";
import type { Command } from "../flight/controls";
import { strengths } from "../flight/shoo";
import type { Flock, Push } from "../flight/state";
import { NOBODY, type SceneMessage } from "../wire/contracts";

const empty = (): ArrayBuffer => new ArrayBuffer(4 * PAGE.words);

/** A boid is moved. */
export function moveWords(boids: number, id: number, position: number[]): ArrayBuffer {
  const words = empty();
  new Uint32Array(words).set([boids, id, 0, 0]);
  new Float32Array(words).set(position, PAGE.position);
  return words;
}

/** Boids are pushed in the next steps. */
export function pushWords(scene: SceneMessage, flock: Flock, push: Push, steps: number): ArrayBuffer {
  const words = empty();
  const [integers, floats] = [new Uint32Array(words), new Float32Array(words)];
  const { lower, upper, periodic } = scene.space;
  integers.set([flock.boids, NOBODY, 0, 1]);
  floats.set([0, 1, 2].map((d) => push.position[d] ?? 0), PAGE.centre);
  floats[PAGE.centre + 3] = push.radius;
  floats.set(upper.map((u, d) => u - lower[d]!), PAGE.side);
  integers.set(periodic.map(Number), PAGE.periodic);
  floats.set(strengths(scene, flock, push, steps), PAGE.strength);
  return words;
}

/** Boids are given commands. */
export function commandWords(boids: number, { row, first, count }: Command): ArrayBuffer {
  const words = empty();
  new Uint32Array(words).set([boids, first, count, row]);
  return words;
}
