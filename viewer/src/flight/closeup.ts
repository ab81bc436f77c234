/** A close-up of one boid: its state, its neighbours, and the steering vector of each rule. */

import { nearest, rangesOf } from "./flock";
import type { Flock } from "./state";
import { traitsOfBoid } from "./traits";
import { numberAt, type Values } from "./values";
import { visibleDiscs, type Disc } from "./views";
import type { BoidMessage, Plain, SceneMessage } from "../wire/contracts";

const MAX_NEIGHBOURS = 1000; // neighbours that are named

const words = (value: Plain | undefined): string[] =>
  Array.isArray(value) ? value.map(String) : value ? [String(value)] : [];

/** Rules that move a flock, by name. */
function rulesOf(values: Values, flock: string): string[] {
  return Object.keys(values)
    .filter((path) => /^rules\.[^.]+\.moves$/.test(path))
    .map((path) => path.split(".")[1]!)
    .filter((rule) => {
      const moved = words(values[`rules.${rule}.moves`]);
      return moved.length === 0 || moved.includes(flock);
    });
}

/** Those of them that sense others. */
export const sensingRules = (values: Values, flock: string): string[] =>
  rulesOf(values, flock).filter((rule) => `rules.${rule}.nearest` in values);

/** The rules' vectors as they act: of several priority levels, the highest with a vector silences those below, as
 * in engines/reference/steering.py. */
function acting(values: Values, flock: string, wants: Record<string, number[]>): BoidMessage["steering"] {
  const steering = rulesOf(values, flock).map((rule) => ({ rule, vector: wants[rule] ?? [0, 0, 0] }));
  if (values[`flocks.${flock}.combine`] !== "levels") return steering;
  const levelOf = (rule: string): number => Number(values[`rules.${rule}.level`] ?? 0);
  const wakes = (rule: string): boolean => values[`rules.${rule}.wakes`] === true;
  const gives = (vectors: number[][]): boolean => [0, 1, 2].some((d) => vectors.reduce((sum, v) => sum + v[d]!, 0) !== 0);
  const heard = (level: number): boolean => {
    const its = steering.filter(({ rule }) => levelOf(rule) === level);
    const waking = its.filter(({ rule }) => wakes(rule));
    return gives(its.map(({ vector }) => vector)) && (waking.length === 0 || waking.some(({ vector }) => gives([vector])));
  };
  const highest = Math.max(0, ...steering.map(({ rule }) => levelOf(rule)).filter((level) => level > 0 && heard(level)));
  return steering.map(({ rule, vector }) => ({ rule, vector: [0, highest].includes(levelOf(rule)) ? vector : [0, 0, 0] }));
}

/** The flocks that a rule senses for a flock. */
export function sensedBy(values: Values, rule: string, flock: string): string[] {
  const sensed = words(values[`rules.${rule}.senses`]);
  return sensed.length > 0 ? sensed : [flock];
}

/** Return the boid message.
 *
 * wants: rule -> its vector, weighted */
export function closeUp(flock: Flock, scene: SceneMessage, values: Values, id: number, wants: Record<string, number[]>): BoidMessage {
  const ranges = rangesOf(scene, flock);
  const own = ranges.find((range) => id >= range.first && id < range.first + range.count)!;
  const three = (rows: Float32Array): number[] => [...rows.subarray(3 * id, 3 * id + 3)];
  const [position, velocity] = [three(flock.positions), three(flock.velocities)];
  const speed = Math.hypot(...velocity);
  const traits = traitsOfBoid(flock.traits ?? [], id);
  const distances = new Map<number, number>();
  const radius: BoidMessage["radius"] = [];
  for (const rule of sensingRules(values, own.name)) {
    const at = (key: string): number => traits[`rules.${rule}.${key}`] ?? numberAt(values[`rules.${rule}.${key}`], flock.time);
    const [reach, view, inner] = [at("radius"), at("field_of_view"), at("inner_radius")];
    radius.push({ rule, radius: Number.isFinite(reach) ? reach : null, field_of_view: view });
    const least = Math.cos((view * Math.PI) / 180);
    const hides = values[`rules.${rule}.neighbours`] === "visible";
    const discs: { other: number; d2: number; disc: Disc }[] = [];
    let seen: [number, number][] = [];
    for (const range of ranges.filter(({ name }) => sensedBy(values, rule, own.name).includes(name))) {
      for (let other = range.first; other < range.first + range.count; other++) {
        if (other === id) continue;
        let [d2, ahead] = [0, 0];
        const away = [0, 0, 0];
        for (let d = 0; d < flock.dims; d++) {
          const x = nearest(scene.space, d, flock.positions[3 * other + d]! - position[d]!);
          away[d] = x;
          d2 += x * x;
          ahead += x * velocity[d]!;
        }
        if (d2 > reach * reach) continue;
        const diameter = hides ? numberAt(values[`flocks.${range.name}.diameter`], flock.time) : 0;
        discs.push({ other, d2, disc: { x: away[0]!, y: away[1]!, diameter } });
        if (d2 < inner * inner) continue;
        if (view < 180 && speed > 0 && ahead < least * speed * Math.sqrt(d2)) continue;
        seen.push([other, d2]);
      }
    }
    if (hides) {
      discs.sort((a, b) => a.d2 - b.d2);
      const visible = visibleDiscs(discs.map(({ disc }) => disc));
      const shown = new Set(discs.filter((_, k) => visible[k]).map(({ other }) => other));
      seen = seen.filter(([other]) => shown.has(other));
    }
    const nearestOnly = at("nearest");
    seen.sort((a, b) => a[1] - b[1]);
    for (const [other, d2] of nearestOnly > 0 ? seen.slice(0, nearestOnly) : seen) distances.set(other, d2);
  }
  const neighbours = [...distances].sort((a, b) => a[1] - b[1]).slice(0, MAX_NEIGHBOURS).map(([other]) => other);
  const steering = acting(values, own.name, wants);
  const total = [0, 1, 2].map((d) => steering.reduce((sum, { vector }) => sum + vector[d]!, 0));
  const indexOf = (boid: number, first: number): number => flock.who?.indices[boid] ?? boid - first;
  const identity = (boid: number): [number, number] => {
    const k = ranges.findIndex(({ first, count }) => boid < first + count);
    return [k, indexOf(boid, ranges[k]!.first)];
  };
  return {
    type: "boid", flock: own.name, id: indexOf(id, own.first), position, velocity, speed, neighbours, radius, numbers: traits,
    steering, total, ...(flock.who && { neighbour_ids: neighbours.map(identity) }),
  };
}
