/** The JSON messages between the page and Python. */

import type { Vec3 } from "./frame";

export type Style = "dark" | "light" | "dusk";
export type BoidShape = "dart" | "bird" | "fish" | "sheep" | "dog" | "arrow" | "disc";
/** What colours show; `value`: a number of each boid, of those in the scene's `per_boid`. */
export type ColourBy = "flock" | "heading" | "speed" | "neighbours" | "value";

export type Plain = null | boolean | number | string | Plain[] | { [key: string]: Plain };
export type Table = { [key: string]: Plain };

export interface FlockInfo {
  name: string;
  count: number;
  colour: string;
  scale: number;
  shape?: "auto" | BoidShape;
  /** How many boids it may have, where their number changes. */
  max_boids?: number;
  /** Whether its boids perch. */
  perches?: boolean;
}

export interface SpaceInfo {
  lower: number[];
  upper: number[];
  periodic: boolean[];
  boundaries?: string[];
}

export interface CameraInfo {
  azimuth?: number;
  elevation?: number;
  turn?: number;
  zoom?: number;
  follow?: "space" | "flock";
}

export interface ViewInfo {
  style?: Style;
  /** A word of ColourBy, or a number of each boid by its path or the last part of it. */
  colour_by?: string;
  colour_range?: number[];
  colour_map?: "sequential" | "cyclic";
  trails?: number;
  box?: boolean;
  scenery?: "none" | "land" | "water";
  boid_size?: number;
  steps?: number;
  frames_per_second?: number;
  every?: number;
  camera?: CameraInfo;
}

export interface ObstacleInfo {
  name: string;
  /** A wire is none, but is shown as they are. */
  kind: "sphere" | "box" | "wall" | "tank" | "mesh" | "wire";
  centre?: number[];
  radius?: number;
  size?: number[];
  point?: number[];
  normal?: number[];
  start?: number[];
  end?: number[];
  sag?: number;
  /** Of a mesh, in base64: float32 around its centre, and three uint32 for each triangle. */
  vertices?: string;
  faces?: string;
}

export interface HandleInfo {
  path: string;
  label: string;
  position: number[];
  kind: "obstacle" | "place";
  /** The last corner of a path that returns to its first. */
  closes?: boolean;
}

export interface SourceInfo {
  reference?: string;
  doi?: string;
  url?: string;
  reading?: string;
}

/** A number that each boid has: one that differs between boids, or a state that a rule keeps. */
export interface PerBoid {
  /** Its path, such as rules.cohesion.weight. */
  name: string;
  /** Whether it differs between boids and stays, or is state that changes in time. */
  kind?: "trait" | "state";
  /** Whether it is an angle or phase. */
  cyclic: boolean;
  /** The range of its colours, if the model has one. */
  range?: [number, number] | null;
  unit?: string;
}

/** A measure to chart. */
export interface ChartInfo {
  /** As in the messages. */
  name: string;
  label: string;
  /** "1" for measures without a unit. */
  unit: string;
  /** What it is, in a line. */
  about: string;
}

/** What a renderer needs to know of a model; a replay has no more than this. */
export interface SceneCore {
  name: string;
  title: string;
  about: string;
  source?: SourceInfo | null;
  dims: 2 | 3;
  space: SpaceInfo;
  flocks: FlockInfo[];
  view: ViewInfo;
  obstacles: ObstacleInfo[];
  /** Lines that boids are led along, of a replay; a live view has them as handles. */
  paths?: number[][][];
  /** The charts, from the top. */
  charts: ChartInfo[];
  /** Numbers that boids may be coloured by. */
  per_boid?: PerBoid[];
}

export interface JsonSchema {
  [key: string]: unknown;
  properties?: Record<string, JsonSchema>;
  description?: string;
  /** Why the page cannot change it. */
  fixed?: string;
}

export interface SceneMessage extends SceneCore {
  type: "scene";
  scene: number;
  dt: number;
  model: Table;
  /** Dotted path -> value of everything that has a control. */
  values: Record<string, Plain>;
  /** Lines 'path=value: what it does', to try. */
  tries?: string[];
  schemas: Record<string, JsonSchema>;
  formulas: Record<string, string>;
  /** Path of a rule -> its functions as text, as its kind has them, where they can be edited. */
  functions?: Record<string, string>;
  defaults: Record<string, Plain>;
  handles: HandleInfo[];
  zoo: { name: string; title: string; dims: number; boids: number }[];
  off: string[];
  /** `change: false`: a recording, of which nothing can be changed. `draw`: its structure too. */
  can?: { film?: boolean; page?: boolean; open?: boolean; toml?: boolean; change?: boolean; draw?: boolean; kinds?: string[]; functions?: boolean };
  /** Of a flock in a page: what was drawn, path -> table. */
  drawn?: Record<string, Table>;
}

export interface StatusMessage {
  type: "status";
  playing: boolean;
  rate: number | null;
  steps_per_second: number;
  boid_steps_per_second: number;
  step: number;
  time: number;
  clients: number;
  busy: string;
  /** Of a flock that is simulated in the page. */
  seed?: string;
  /** What simulates it there. */
  engine?: string;
}

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

export interface MeasurePoint {
  step: number;
  time: number;
  /** Flock -> measure -> its value; null where there is none. */
  flocks: Record<string, Record<string, number | null>>;
}

export interface MeasuresMessage {
  type: "measures";
  points: MeasurePoint[];
  /** These are all that there are; what was drawn before is forgotten. */
  begin?: boolean;
}

export interface ValuesMessage {
  type: "values";
  values: Record<string, Plain>;
  /** All rules that are switched off now. */
  off: string[];
}

export interface BoidMessage {
  type: "boid";
  flock: string;
  id: number;
  position: number[];
  velocity: number[];
  speed: number;
  neighbours: number[];
  /** The neighbours where numbers of boids change: flock and number there. */
  others?: [flock: number, id: number][];
  /** Whether the boid has left its flock; everything else is its last state. */
  left?: boolean;
  /** Numbers of its own, by path. */
  own?: Record<string, number>;
  radius: { rule: string; radius: number | null; field_of_view: number }[];
  steering: { rule: string; vector: number[] }[];
  total: number[];
}

export interface NoticeMessage {
  type: "notice";
  level: "error" | "warning" | "info" | "clear";
  text?: string;
  about?: string;
  sticky?: boolean;
}

export interface MadeMessage {
  type: "made";
  /** Its number: several may be made at a time. */
  job: number;
  what: "film" | "page";
  state: "working" | "done" | "failed";
  progress?: number;
  url?: string;
  name?: string;
  error?: string;
}

export interface ReplyMessage {
  type: "reply";
  to: number;
  ok: boolean;
  error?: string;
  toml?: string;
  seed?: number;
  /** Of what was drawn, placed or taken away: [before, after] by path. */
  changed?: Record<string, [before: Plain, after: Plain]>;
  /** Whether rules are being compiled before it holds. */
  compiling?: boolean;
  /** Number of a film or a page whose making has begun. */
  job?: number;
  /** All boids to the bit, in the order of ids: for scripts and tests. */
  state?: { step: number; counts: number[]; places: Float32Array };
}

/** What can be drawn. */
export type Shape =
  | { kind: "sphere"; centre: number[]; radius: number }
  | { kind: "box"; centre: number[]; size: number[] }
  | { kind: "wall"; through: number[][] }
  | { kind: "path"; points: number[][]; closed: boolean }
  | { kind: "goal"; place: number[] };

export type ServerMessage =
  | SceneMessage
  | ValuesMessage
  | { type: "obstacles"; obstacles: ObstacleInfo[]; handles: HandleInfo[] }
  | StatusMessage
  | ReachedMessage
  | MeasuresMessage
  | BoidMessage
  | ReplyMessage
  | NoticeMessage
  | MadeMessage
  | { type: "bye"; reason?: string };

export type PageMessage =
  | { type: "credit"; frames: number }
  | { type: "play" }
  | { type: "pause" }
  | { type: "step"; steps: number }
  | { type: "restart"; seed?: number }
  | { type: "rate"; steps_per_second: number | null }
  // `off`: the rules that are off afterwards; unless given, a rule whose weight is set goes on
  | { type: "set"; values: Record<string, Plain>; off?: string[] }
  | { type: "switch"; rule: string; on: boolean }
  | { type: "reset" }
  | { type: "open"; model: string }
  | { type: "choose"; flock?: string; boid?: number }
  // `number`: a path of `per_boid` that frames are to hold; "" for none
  | { type: "extra"; neighbours: boolean; number?: string }
  | { type: "move"; flock: string; boid: number; position: Vec3 }
  | { type: "shoo"; position: Vec3 | null; radius: number; call?: boolean }
  | { type: "draw"; shape: Shape }
  | { type: "place"; position: number[] }
  | { type: "remove"; flock: string; boid: number }
  | { type: "edit"; values: Record<string, Plain>; places?: Record<string, number[][]> }
  | { type: "toml" }
  | { type: "film"; steps: number; size: [number, number] }
  | { type: "page"; frames: number }
  // of a flock that flies in the page:
  | { type: "watch"; on: boolean }
  | UntilMessage
  | { type: "state" };
