/** Bodies of animals, of length 1 along x, as triangles whose corners the shader moves: the same as
 * in the films, which have more of them. */

import type { BoidShape } from "./styles";

/** The part of the body to which a corner belongs: the shader moves each in its own way. */
const [BODY, ARM, FISH, HAND] = [0, 1, 2, 3];

type Point = [number, number, number];

export const BODIES = 5000; // boids of a picture: of more, none is a body

/** A closed body with square rings, from nose to tail; `stations`: x, half width, half height. */
function spindle(stations: Point[], kind: number): number[] {
  const ring = ([x, wide, high]: Point): Point[] => [[x, 0, high], [x, wide, 0], [x, 0, -high], [x, -wide, 0]];
  return stations.slice(1).flatMap((station, k) => {
    const [front, back] = [ring(stations[k]!), ring(station)];
    return [0, 1, 2, 3].flatMap((side) => {
      const next = (side + 1) % 4;
      const [a, b, c, d] = [front[side]!, front[next]!, back[side]!, back[next]!];
      // At either end a ring is a point, and one of the two triangles nothing.
      const found = k === 0 ? [a, d, c] : station[1] === 0 ? [a, b, d] : [a, b, d, a, d, c];
      return found.flatMap((p) => [...p, kind]);
    });
  });
}

const fins = (points: Point[], kind: number): number[] => points.flatMap((p) => [...p, kind]);

/** The left wing: shoulder and wrist, each in front and behind, tip, trailing edge. */
const WING: [number, number, number][] = [
  [0.2, 0.04, ARM!], [-0.1, 0.04, ARM!], [0.26, 0.32, ARM!], [-0.06, 0.33, ARM!], [-0.09, 0.82, HAND!], [-0.1, 0.55, HAND!],
];
const WING_FACES = [0, 2, 1, 1, 2, 3, 3, 2, 5, 2, 4, 5];
const wings = [1, -1].flatMap((side) => WING_FACES.flatMap((k) => [WING[k]![0], side * WING[k]![1], 0, WING[k]![2]]));

const BIRD = Float32Array.from([
  ...spindle([[0.5, 0, 0], [0.38, 0.06, 0.055], [0.1, 0.1, 0.1], [-0.22, 0.055, 0.055], [-0.34, 0, 0]], BODY!),
  ...fins([[-0.2, 0, 0.02], [-0.5, 0.1, 0], [-0.45, 0, 0], [-0.2, 0, 0.02], [-0.45, 0, 0], [-0.5, -0.1, 0]], BODY!),
  ...wings,
]);

const FISH_MESH = Float32Array.from([
  ...spindle([[0.5, 0, 0], [0.34, 0.08, 0.1], [0.08, 0.1, 0.14], [-0.28, 0.03, 0.05], [-0.5, 0, 0]], FISH!),
  ...fins([[-0.34, 0, 0.03], [-0.52, 0, 0.15], [-0.43, 0, 0], [-0.34, 0, -0.03], [-0.43, 0, 0], [-0.52, 0, -0.15]], FISH!),
  ...fins([[0.12, 0, 0.12], [-0.14, 0, 0.2], [-0.12, 0, 0.08]], FISH!),
]);

const SHEEP = Float32Array.from(
  spindle([[0.5, 0, 0], [0.35, 0.065, 0.075], [0.2, 0.19, 0.19], [-0.05, 0.235, 0.23], [-0.4, 0.15, 0.16], [-0.5, 0, 0]], BODY!),
);
const DOG = Float32Array.from(
  spindle([[0.5, 0, 0], [0.34, 0.075, 0.075], [0.1, 0.105, 0.125], [-0.22, 0.09, 0.11], [-0.3, 0.035, 0.04], [-0.5, 0, 0]], BODY!),
);
const MESHES: Partial<Record<BoidShape, Float32Array>> = { bird: BIRD, fish: FISH_MESH, sheep: SHEEP, dog: DOG };

/** Four numbers a corner: its position and its part of the body; null: boids are flat. */
export function bodyFor(shape: BoidShape, count: number): Float32Array | null {
  return count > BODIES ? null : (MESHES[shape] ?? null);
}
