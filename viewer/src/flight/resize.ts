/** A state with other numbers of boids: as adapt_state of engines/state.py. */

import { firstBoids, type State } from "./state";

/** Boids that join and leave while a flock is simulated. */
export interface Resize {
  counts: number[];
  /** Of each flock: positions of the boids that join it, in this order. */
  places: number[][][];
  /** The boid that leaves, counted through all flocks; unless given, the last ones of its flock leave. */
  leaving?: number;
}

/** The state from which a flock continues. Boids that join are the last ones of `start`. `remain`: whether boids keep
 * their indices, as they do where they also join and leave by themselves. */
export function resized(state: State, start: State, dims: number, { counts, places, leaving = -1 }: Resize, remain = false): State {
  const sources: State[] = [];
  const ids: number[] = [];
  const flocks: number[] = [];
  const joined: [number, number[]][] = [];
  let [first, begin] = [0, 0];
  counts.forEach((count, k) => {
    let left = count;
    for (let i = 0; i < count; i++) flocks.push(k);
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
      ids.push(begin + start.counts[k]! - left + i);
    }
    first += state.counts[k]!;
    begin += start.counts[k]!;
  });
  const boids = ids.length;
  const column = (key: "places" | "kept"): Float32Array => {
    const rows = Math.max(...[state, start].map((from) => from[key].length / Math.max(1, from.timers.length)));
    const numbers = new Float32Array(rows * boids);
    ids.forEach((id, k) => {
      const from = sources[k]!;
      const width = from.timers.length;
      for (let row = 0; row < rows; row++) {
        // a boid that joins has always been where it starts
        const past = row * width - from[key].length;
        numbers[row * boids + k] = (past < 0 ? from[key][row * width + id] : from.places[(past % from.places.length) + id])!;
      }
    });
    return numbers;
  };
  const ever = [...state.ever];
  const who = !remain ? firstBoids(counts) : {
    indices: Int32Array.from(ids, (id, k) => (sources[k] === state ? state.indices[id]! : ever[flocks[k]!]!++)),
    births: Int32Array.from(ids, (id, k) => (sources[k] === state ? state.births[id]! : state.step)),
    ever,
  };
  const moved = column("places");
  for (const [k, place] of joined) for (let d = 0; d < dims; d++) moved[d * boids + k] = place[d]!;
  return { step: state.step, counts, places: moved, timers: Int32Array.from(ids, (id, k) => sources[k]!.timers[id]!), kept: column("kept"), ...who };
}
