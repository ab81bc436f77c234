/** The JSON messages of pages: those of Python (contracts.ts), and those between a page and a flock that it simulates. */

import type { PageMessage as ToPython, ReplyMessage as PythonReply, ServerMessage as FromPython } from "./contracts";

/** Of a flock that is simulated up to a limit: its position. */
export interface ReachedMessage {
  type: "reached";
  step: number;
  time: number;
  dt: number;
  playing: boolean;
  /** How many times it was restarted. */
  begun: number;
  /** Number of commands of its own page to play, to pause or to make a step. */
  orders: number;
}

/** To a flock that is simulated in a page: simulate up to that time and wait there for the next limit; at rest, go
 * there at once. `begun` and `orders` repeat its last report. */
export interface UntilMessage {
  type: "until";
  time: number;
  playing: boolean;
  begun: number;
  orders: number;
}

/** To a flock that is simulated in a page, from a program: commands for its boids, and a number of steps, after which
 * the flock rests and the reply comes. 0 steps: the reply comes at once. */
export interface ControlMessage {
  type: "control";
  steps: number;
  controls: Controls;
}

/** Flock -> vectors for all its boids, vectors for some of them, or null, which ends all commands. */
export type Controls = Record<string, Vectors | { ids: ArrayLike<number>; vectors: Vectors } | null>;
type Vectors = ArrayLike<number> | ArrayLike<ArrayLike<number>>;

/** The boids of a flock in the order of ids: (N,) ids, (N * D,) positions and velocities. */
export interface Boids {
  ids: Int32Array;
  positions: Float32Array;
  velocities: Float32Array;
}

export interface ReplyMessage extends PythonReply {
  to: number;
  /** All boids to the bit, in the order of ids: for scripts and tests. */
  state?: { step: number; counts: number[]; places: Float32Array };
  /** To a program that controls boids. */
  controlled?: { step: number; time: number; flocks: Record<string, Boids> };
}

export type ServerMessage = Exclude<FromPython, PythonReply> | ReplyMessage | ReachedMessage;

/** Fields of a message that may be left out, and have no value then. */
type Left<M> = { [K in keyof M]-?: undefined extends M[K] ? (null extends M[K] ? K : never) : never }[keyof M];
/** A message as this viewer sends it: with all fields that have a value by default. */
type Sent<M> = M extends unknown
  ? Required<Omit<M, Left<M> | "id">> & { [K in Exclude<Left<M>, "id">]?: Exclude<M[K], null> }
  : never;

export type PageMessage = Sent<ToPython> | { type: "watch"; on: boolean } | UntilMessage | ControlMessage | { type: "state" };
