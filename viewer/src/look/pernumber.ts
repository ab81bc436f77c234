/** Numbers that each boid has, such as its weight or its phase: which of them colours show, and over which
 * range. */

import { nameOf } from "../controls/specs";
import type { ColourRanges } from "../page/colourranges";
import type { Picture } from "../scene/renderer";
import type { PerBoid, SceneCore } from "../wire/contracts";

export const WORDS = ["flock", "heading", "speed", "neighbours"] as const;

const TURN: [number, number] = [0, 2 * Math.PI];

/** The place in a scene of the number of this path, or the only one whose path ends with it; -1 for none. */
export function placeOf({ per_boid = [] }: Pick<SceneCore, "per_boid">, name: string): number {
  const exact = per_boid.findIndex((one) => one.name === name);
  if (exact >= 0) return exact;
  const ends = per_boid.filter((one) => one.name.endsWith(`.${name}`));
  return ends.length === 1 ? per_boid.indexOf(ends[0]!) : -1;
}

/** What colours show of a scene: a word, or the path of a number; what it does not have is its flock. */
export function colourIn(scene: Pick<SceneCore, "per_boid">, by: string): string {
  if ((WORDS as readonly string[]).includes(by)) return by;
  return scene.per_boid?.[placeOf(scene, by)]?.name ?? "flock";
}

/** What it is called: 'cohesion weight'. */
export const labelOfNumber = (number: PerBoid): string => nameOf(number.name);

/** Whether the colours of a number are a circle. */
export function isCyclic({ view, per_boid = [] }: Pick<SceneCore, "view" | "per_boid">, which: number): boolean {
  const number = per_boid[which];
  if (!number) return false;
  return which === placeOf({ per_boid }, view.colour_by ?? "") && view.colour_map ? view.colour_map === "cyclic" : number.cyclic;
}

/** The range that colours of a number run over: as the model says, a turn, or what was seen. */
export function rangeOfNumber(scene: SceneCore, which: number, seen: ColourRanges["values"]): [number, number] {
  const { view, per_boid = [] } = scene;
  const given = view.colour_range;
  if (given?.length === 2 && which === placeOf(scene, view.colour_by ?? "")) return [given[0]!, given[1]!];
  if (isCyclic(scene, which)) return TURN;
  const own = per_boid[which]?.range;
  if (own) return own;
  if (!seen || seen.which !== which || !(seen.low <= seen.high)) return [0, 1];
  const room = 1e-9 + 0.01 * Math.abs(seen.low);
  return seen.high - seen.low < 2e-9 ? [seen.low - room, seen.high + room] : [seen.low, seen.high];
}

/** The ranges of a picture's colours. */
export function colourScale(scene: SceneCore, { colourBy, which }: Picture, ranges: ColourRanges): Partial<Picture> {
  const { view } = scene;
  const given = view.colour_by === "speed" && view.colour_range?.length === 2 ? view.colour_range : null;
  const [lowest, highest] = rangeOfNumber(scene, which, ranges.values);
  return {
    ...ranges.found, ...(given && { slowest: given[0]!, fastest: given[1]! }),
    lowest, highest, cyclic: colourBy === "value" && isCyclic(scene, which),
  };
}
