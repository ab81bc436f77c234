/** The head of a replay: all that is not its frames. See murmurate/show/replay.py. */

import type { Plain, SceneCore } from "../wire/contracts";

/** Numbers of a list: all of them, or the first one and the distance between them. */
export type Row<Distance extends string> = number[] | ({ first: number } & Record<Distance, number>);

export interface ReplayHead {
  version: number;
  dims: 2 | 3;
  frames: number;
  count: number;
  /** Order of the differences in time: 1, 2 or 3. */
  order: number;
  lower: number[];
  side: number[];
  periodic: boolean[];
  /** Film time from one frame to the next. */
  every_seconds: number;
  /** Model time, and steps, of the frames. */
  times: Row<"step">;
  steps: Row<"every">;
  /** Boid, first and last frame of a gap in which it is not seen. Only tracks have gaps. */
  unseen?: [number, number, number][];
  /** Boids that join and leave; `count` is then the number of rows. */
  boids?: ReplayBoids;
  /** Numbers of each boid, in the order of the scene's `per_boid`. */
  numbers?: ReplayNumbers;
  /** The highest speed of any boid. */
  fastest: number;
  scene: SceneCore & {
    dt: number;
    /** Obstacle -> number that changes -> its values by frame. */
    obstacle_tracks?: Record<string, Record<string, Plain[]>>;
  };
  /** Flock -> measure -> its values by frame; null where there is none. */
  measures: Record<string, Record<string, (number | null)[]>>;
  toml: string;
  comment: string;
}

/** The boids in each row, and when they are there. Item k of each list is about boid k. */
export interface ReplayBoids {
  /** Rows of each flock. */
  rows: number[];
  row: number[];
  /** Index within its flock. */
  id: number[];
  /** First and last frame in which it is there. */
  first: number[];
  last: number[];
  /** Flock -> number of boids that it has ever had, in each frame. */
  ever: Record<string, Row<"every">>;
}

export interface ReplayNumbers {
  names: { name: string; kind: "trait" | "state"; low: number; high: number }[];
  /** Packed levels of all numbers, in order. */
  text: string;
}
