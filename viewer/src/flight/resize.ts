/** A state with other numbers of boids: as adapt_state of engines/state.py. */

import type { State } from "./state";

/** Boids that join and leave while a flock is simulated. */
export interface Resize {
  counts: number[];
  /** Of each flock: positions of the boids that join it, in this order. */
  places: number[][][];
  /** The boid that leaves, counted through all flocks; unless given, the last ones of its flock leave. */
  leaving?: number;
}

/** The state from which a flock continues. Boids that join are the last ones of `start`, the start of as many boids. */
export function resized(state: State, start: State, dims: number, { counts, places, leaving = -1 }: Resize): State {
  const sources: State[] = [];
  const ids: number[] = [];
  const joined: [number, number[]][] = [];
  let [first, begin] = [0, 0];
  counts.forEach((count, k) => {
    let left = count;
    for (let id = first; id < first + state.counts[k]! && left > 0; id++) {
      if (id === leaving) continue;
      left--;
      sources.push(state);
      ids.push(id);
    }
    for (let i = 0; i < left; i++) {
      const place = places[k]?.[i];
      if (place) joined.push([ids.length, place]);
      sources.push(start);
      ids.push(begin + count - left + i);
    }
    first += state.counts[k]!;
    begin += count;
  });
  const boids = ids.length;
  const column = (key: "places" | "kept"): Float32Array => {
    const rows = start[key].length / Math.max(1, boids);
    const numbers = new Float32Array(rows * boids);
    ids.forEach((id, k) => {
      const from = sources[k]!;
      const width = from === start ? boids : from.timers.length;
      for (let row = 0; row < rows; row++) numbers[row * boids + k] = from[key][row * width + id]!;
    });
    return numbers;
  };
  const moved = column("places");
  for (const [k, place] of joined) for (let d = 0; d < dims; d++) moved[d * boids + k] = place[d]!;
  return { step: state.step, counts, places: moved, timers: Int32Array.from(ids, (id, k) => sources[k]!.timers[id]!), kept: column("kept") };
}
