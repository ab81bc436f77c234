/** What closer discs leave to see of others, in 2-D: see murmurate.engines.reference.view. */

export interface Disc {
  x: number;
  y: number;
  diameter: number;
}

const CIRCLE = 2 * Math.PI;
const turned = (angle: number): number => ((angle % CIRCLE) + CIRCLE) % CIRCLE;

/** The angles from 0 to 2 pi that a disc covers; all of them from within. */
function piecesOf({ x, y, diameter }: Disc): [number, number][] {
  const distance = Math.hypot(x, y);
  if (2 * distance <= diameter) return [[0, CIRCLE]];
  const [middle, half] = [Math.atan2(y, x), Math.asin(diameter / 2 / distance)];
  const [first, last] = [turned(middle - half), turned(middle + half)];
  return first <= last ? [[first, last]] : [[first, CIRCLE], [0, last]];
}

/** Whether each disc is visible from the origin: the nearest come first, and hide those behind them. */
export function visibleDiscs(discs: Disc[]): boolean[] {
  let covered: [number, number][] = [];
  return discs.map((disc) => {
    const pieces = piecesOf(disc);
    if (pieces.every(([a, b]) => covered.some(([first, last]) => first <= a && b <= last))) return false;
    const union: [number, number][] = [];
    for (const [first, last] of [...covered, ...pieces].sort((a, b) => a[0] - b[0])) {
      const end = union.at(-1);
      if (end && first <= end[1]) end[1] = Math.max(end[1], last);
      else union.push([first, last]);
    }
    covered = union;
    return true;
  });
}
