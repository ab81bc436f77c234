/** Outlines of boids as triangles, of length 1 along x: the same as in the films. The second half of the
 * corners mirrors the first. */

import type { BoidShape } from "./styles";

export type Corner = [number, number];

/** A flat shape. `round`: the same from all sides, so that it is not foreshortened. */
export interface Outline {
  corners: Corner[];
  round: boolean;
}

const both = (...left: Corner[]): Corner[] => [...left, ...left.map(([x, y]): Corner => [x, -y])];

const NOSE: Corner = [0.6, 0];
const NOTCH: Corner = [-0.22, 0];
const TAIL: Corner = [-0.5, 0];

/** An arrowhead, in two halves so that it can be shaded like folded paper. */
export const DART = both(NOSE, [-0.4, 0.3], NOTCH);

/** One triangle, for very many; and one for birds. */
export const SPECK: Corner[] = [NOSE, [-0.4, 0.28], [-0.4, -0.28]];
export const WING: Corner[] = [[0.42, 0], [-0.2, 0.42], [-0.2, -0.42]];

const OUTLINES: Record<BoidShape, Corner[]> = {
  dart: DART,
  // From above: swept wings, a slim body and a tail.
  bird: both([0.34, 0], [-0.24, 0.56], [0.02, 0], [0.49, 0], [0.03, 0.075], [-0.33, 0]),
  fish: both([0.5, 0], [0.2, 0.12], [-0.4, 0], [-0.3, 0], [-0.5, 0.08], TAIL),
  sheep: both([0.22, 0], [0, 0.22], [-0.25, 0.22], [0.22, 0], [-0.25, 0.22], [-0.45, 0], [0.5, 0], [0.2, 0.08], [0.2, 0]),
  dog: both([0.5, 0], [0.4, 0.07], [0.2, 0], [0.25, 0], [0.12, 0.1], [-0.3, 0.1], [0.25, 0], [-0.3, 0.1], [-0.5, 0]),
  arrow: both(
    [0.5, 0], [0.08, 0.23], [0.08, 0],
    [0.08, 0], [0.08, 0.06], [-0.5, 0.06], [0.08, 0], [-0.5, 0.06], TAIL,
  ),
  disc: both(...[0, 1, 2, 3].flatMap((k): Corner[] => [[0, 0], onRim(k), onRim(k + 1)])),
};

/** A bird with folded wings. */
export const FOLDED: Outline = {
  corners: both([0.46, 0], [0.2, 0.15], [-0.46, 0], [0.2, 0.15], [-0.36, 0.1], [-0.46, 0]),
  round: false,
};

function onRim(eighth: number): Corner {
  return [0.33 * Math.cos((Math.PI * eighth) / 4), 0.33 * Math.sin((Math.PI * eighth) / 4)];
}

export const MANY_BOIDS = 20_000;

export function outlineFor(shape: BoidShape, count: number): Outline {
  const round = shape === "disc";
  if (count > MANY_BOIDS && !round) return { corners: shape === "bird" ? WING : SPECK, round };
  return { corners: OUTLINES[shape], round };
}
