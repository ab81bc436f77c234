/** Numbers that differ between boids: like engines/individual_numbers.py. */

import { cos } from "./plainmath";
import type { Starts } from "./starts";
import type { State, Trait } from "./state";
import type { Values } from "./values";
import { lookUp } from "../state/paths";
import type { NumberSources, TraitSource } from "../wire/contracts";

/** A number as kernels read it: a field of view is a signed squared cosine. */
export function passed(kind: TraitSource["kind"], number: number): number {
  if (kind !== "cone") return number;
  const c = cos((number * Math.PI) / 180);
  return number < 180 ? c * Math.abs(c) : -2; // boids right behind must not be hidden by rounding
}

export function drawTraits({ traits, flocks }: NumberSources, values: Values, starts: Starts, { counts, indices }: Pick<State, "counts" | "indices">, seed: bigint): Trait[] {
  return traits.map((source) => {
    const numbers = new Float64Array(indices.length).fill(NaN);
    const value = (source.path ? lookUp(values, source.path) : undefined) ?? source.value;
    let first = 0;
    flocks.forEach((name, k) => {
      const own = indices.subarray(first, first + counts[k]!);
      if (source.flocks.includes(name)) numbers.set(starts.drawn({ value, flock: name, name: source.name }, own, seed), first);
      first += own.length;
    });
    return { source, numbers };
  });
}

/** The numbers of a name; null if there are none. */
export function traitOf(traits: Trait[], name: string): Float32Array | null {
  const [first, ...others] = traits.filter(({ source }) => source.name === name);
  if (!first) return null;
  return Float32Array.from(first.numbers, (x, id) => others.reduce((found, { numbers }) => (Number.isNaN(found) ? numbers[id]! : found), x));
}

/** The numbers of a boid: name -> number. */
export function traitsOfBoid(traits: Trait[], id: number): Record<string, number> {
  return Object.fromEntries(traits.map(({ source, numbers }) => [source.name, numbers[id]!] as const).filter(([, x]) => !Number.isNaN(x)));
}
