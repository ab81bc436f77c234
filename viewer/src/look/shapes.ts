/** Outlines of boids as triangles, of length 1 along x: the same as in the films. */

export type Corner = [number, number];

const NOSE: Corner = [0.6, 0];
const NOTCH: Corner = [-0.22, 0];

/** An arrowhead, in two halves so that it can be shaded like folded paper. */
export const DART: Corner[] = [NOSE, [-0.4, 0.3], NOTCH, NOSE, NOTCH, [-0.4, -0.3]];

/** A bird from above: swept wings, a slim body and a tail. */
export const BIRD: Corner[] = [
  [0.34, 0], [-0.24, 0.56], [0.02, 0],
  [0.34, 0], [0.02, 0], [-0.24, -0.56],
  [0.49, 0], [0.06, 0.075], [0.06, -0.075],
  [-0.33, 0], [0.06, -0.075], [0.06, 0.075],
];

/** One triangle, for very many. */
export const SPECK: Corner[] = [NOSE, [-0.4, 0.28], [-0.4, -0.28]];
export const WING: Corner[] = [[0.42, 0], [-0.2, 0.42], [-0.2, -0.42]];

export const MANY = 20_000;

export function shapeFor(bird: boolean, count: number): Corner[] {
  if (count > MANY) return bird ? WING : SPECK;
  return bird ? BIRD : DART;
}
