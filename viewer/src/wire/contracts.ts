/** What Python and pages send each other: contracts.py writes it from types in Python.
 * Schema f933ce24113ae785. Do not edit: npm run contracts. */

export type Plain = null | boolean | number | string | Plain[] | { [key: string]: Plain };
export type Table = { [key: string]: Plain };
/** A text, or texts by language. */
export type Texts = string | { [language: string]: string };

export interface JsonSchema {
  [key: string]: unknown;
  properties?: Record<string, JsonSchema>;
  description?: string;
  /** Why the page cannot change it. */
  fixed?: string;
}

export const MAGIC = 1297239366;
export const VERSION = 1;
export const HEADER = 96;
export const RECORD = 12;
export const NEIGHBOURS = 1;
export const CHANGING = 2;
export const COLOURED = 4;
export const POSITION_LEVELS = 65536;
export const SPEED_LEVELS = 65535;
export const LEVELS = 65534;
export const NO_VALUE = 65535;
export const HEADING = 127;
export const PERCHED = 63;
export const FIELDS = {"magic": [0, "Uint32"], "version": [4, "Uint16"], "dims": [6, "Uint16"], "scene": [8, "Uint32"], "count": [12, "Uint32"], "step": [16, "Float64"], "time": [24, "Float64"], "lower": [32, "Float32"], "side": [44, "Float32"], "fastest": [56, "Float32"], "flags": [60, "Uint32"], "rate": [64, "Float32"], "flocks": [68, "Uint16"], "which": [70, "Uint16"], "low": [72, "Float32"], "high": [76, "Float32"]} as const;
export const RECORD_FIELDS = {"position": 0, "speed": 6, "heading": 8, "neighbours": 11} as const;
export const CONTROL = {"step_low": 0, "step_high": 1, "steps_done": 2, "lost": 3, "stopped": 4, "probe": 5, "begun": 6, "wanted": 7} as const;
export const NOBODY = 4294967295;
export const LARGE = 1000000000000000.0 as const;
export const OBSTACLE_NUMBERS = 7;
export const START_WORDS = {"KIND": 0, "KEY0": 2, "KEY1": 3, "STEP": 4, "LOWER_HALF": 13, "TABLE_WORDS": 14} as const;
export const MIN_SHARE = 1e-09 as const;
export const SUM_TOLERANCE = 1e-06 as const;
export const MAX_NUMBER = 1000000000.0 as const;
export const LARGEST_QUANTILE = 8.209536151601386 as const;
export const TRAIT_KINDS = {"uniform": 0, "normal": 1, "lognormal": 2} as const;
export const START_SIZES = {"integers": 9, "numbers": 25, "generator": 14} as const;
export const POPULATION_WORDS = {"SEED": 0, "STEP": 1, "FULL_FLOCK": 3, "FULL_COUNT": 4, "LOWER_HALF": 13} as const;
export const METHODS = ["pair", "finish", "alone"] as const;

export type ServerMessage =
  | SceneMessage
  | ValuesMessage
  | ObstaclesMessage
  | StatusMessage
  | MeasuresMessage
  | BoidMessage
  | ReplyMessage
  | NoticeMessage
  | MadeMessage
  | ByeMessage;

export type PageMessage =
  | Credit
  | Play
  | Pause
  | Step
  | Restart
  | Rate
  | Set
  | Switch
  | Reset
  | Open
  | Choose
  | NeighbourCounts
  | Move
  | Shoo
  | Prepare
  | Draw
  | PlacePredator
  | Remove
  | Edit
  | Toml
  | Film
  | Page;

export type Shape = Sphere | Box | Wall | Path | Goal;

export type StartNumbers = LaidStart | GivenStart;

export type Role = "flee" | "hunt" | "goal" | "path" | "avoid" | "predators-avoid";

export type Method = "pair" | "finish" | "alone";

export type Places = number | Places[];

/** A model with its controls. */
export interface SceneMessage extends ModelScene {
  wire?: WireInfo;
  zoo: MenuEntry[];
  /** Rules that are switched off. */
  off: string[];
  /** Path of a rule -> its functions as text, where they can be edited. */
  functions?: {
    [k: string]: string;
  };
  can?: Abilities;
  /** In a page that simulates: path -> table of what was drawn. */
  drawn?: {
    [k: string]: Table;
  };
}

/** How frames are read; see murmurate.show.wire_format. */
export interface WireInfo {
  /** Readers of another number before the point would misread frames. */
  version: string;
  /** Name, type and, of several numbers, their count of each field of the header. */
  frame: (string | number)[][];
  /** The same of the record of a boid. */
  boid: (string | number)[][];
}

/** A model that a page may open. */
export interface MenuEntry {
  name: string;
  title: string;
  dims: number;
  boids: number;
}

/** What a page can ask for. */
export interface Abilities {
  film?: boolean;
  page?: boolean;
  open?: boolean;
  toml?: boolean;
  /** False: a recording, of which nothing can be changed. */
  change?: boolean;
  /** Whether the structure of the model can be changed too. */
  draw?: boolean;
  /** What can be drawn; everything by default. */
  kinds?: string[];
  /** Whether the functions of rules can be edited. */
  functions?: boolean;
  /** Whether the page simulates the flock itself. */
  alone?: boolean;
}

/** The scene message without what a session adds. */
export interface ModelScene extends SceneCore {
  type: "scene";
  /** Its number, which frames repeat. */
  scene: number;
  dt: number;
  model: Table;
  /** Dotted path -> value of everything that has a control. */
  values: {
    [k: string]: Plain;
  };
  /** Lines 'path=value: what it does', to try. */
  tries?: string[];
  /** Path of a part -> its schema; "" has the numbers of the model. */
  schemas: {
    [k: string]: JsonSchema;
  };
  /** Path of a rule -> its formula. */
  formulas: {
    [k: string]: string;
  };
  /** The values of the model as it was loaded. */
  defaults: {
    [k: string]: Plain;
  };
  handles: HandleInfo[];
}

/** A point of an obstacle or a rule that can be dragged. */
export interface HandleInfo {
  path: string;
  label: string;
  position: number[];
  kind: "obstacle" | "place";
  /** Whether it is the last corner of a path that returns to its first. */
  closes?: boolean;
}

/** What a renderer needs to know of a model. */
export interface SceneCore {
  name: string;
  title: string;
  about: string;
  source?: Source | null;
  dims: 2 | 3;
  space: SpaceInfo;
  /** In the order of frames. */
  flocks: FlockInfo[];
  view: ViewInfo;
  obstacles: ObstacleInfo[];
  /** Shapes of obstacles by kind. */
  shapes: {
    [k: string]: ShapeInfo;
  };
  /** Lines along which boids are led, of a replay; a live view has them as handles. */
  paths?: number[][][];
  /** From the top. */
  charts: ChartInfo[];
  /** Numbers that boids may be coloured by. */
  per_boid?: PerBoid[];
}

/** The publication of a model. */
export interface Source {
  /** Authors, year, title. */
  reference?: string;
  /** Its digital object identifier, without the address of the resolver. */
  doi?: string;
  /** Its web address. */
  url?: string;
  /** What the source leaves open, and how the model interprets it. */
  reading?: string;
}

/** The space; vectors have three numbers. */
export interface SpaceInfo {
  lower: number[];
  upper: number[];
  periodic: boolean[];
  boundaries?: string[];
}

/** A flock: its look, and how many boids it has. */
export interface FlockInfo {
  name: string;
  count: number;
  colour: string;
  scale: number;
  shape?: "auto" | "dart" | "bird" | "fish" | "sheep" | "dog" | "arrow" | "disc";
  /** The largest number of boids, if boids join and leave. */
  max_boids?: number;
  /** Whether its boids perch. */
  perches?: boolean;
}

/** Settings of pictures, decided for a space. */
export interface ViewInfo {
  /** Steps of a film. */
  steps?: number;
  /** Steps from one picture to the next. */
  every?: number;
  /**
   * Steps that are simulated before the first picture, so that a film does not begin with a
   * random start. Films of recordings begin with the first frame unless the call says otherwise.
   */
  warm_up?: number;
  /** Pictures per second of film. */
  frames_per_second?: number;
  /** Width and height in pixels. Films in mp4 and webm round odd numbers up to even ones. */
  size?: [number, number];
  /** The colours of the picture, apart from flocks with a colour. */
  style?: "dark" | "light" | "dusk";
  /**
   * What the colour of a boid shows: flock, heading, speed, or a number that differs between
   * boids: a number of a rule or motion that has a distribution, or per-boid state, by its path
   * (rules.cohesion.weight) or the last part of it (weight). Boids without the number keep the
   * colour of their flock.
   */
  colour_by?: string;
  /**
   * Numbers with the first and the last colour, for speeds and numbers of boids. Empty: the
   * range of the flock; for cyclic colours 0 to 2 pi.
   */
  colour_range?: number[];
  /**
   * Colours of speeds and numbers of boids. sequential: dark to bright or bright to dark, away
   * from the background; cyclic: a circle, for phases and angles. Headings are always cyclic.
   */
  colour_map?: "sequential" | "cyclic";
  /**
   * darts: draw each boid; density: show the number of boids as brightness; auto: choose by their
   * number. Boids with a scale above 1 are drawn individually up to a large number.
   */
  shading?: "auto" | "darts" | "density";
  /** Length of a boid in length units; 0: chosen for the picture and the number of boids. */
  boid_size?: number;
  /** Number of past frames in the trail behind each boid. Density shading has no trails. */
  trails?: number;
  /**
   * Angle of the shutter in degrees: 360 is open from one picture to the next, 180 for half that
   * time, as usual in films, and 0 is sharp. Density shading has no motion blur.
   */
  motion_blur?: number;
  /**
   * What is behind the flock. none: the plain sky of the style. land: in 3-D hills on the horizon
   * and the ground at the floor of the space, in 2-D a meadow from above. water: in 3-D the blue of
   * the sea under its surface, in 2-D water from above.
   */
  scenery?: "none" | "land" | "water";
  /** Whether the outline of the space is drawn. */
  box?: boolean;
  /** Whether time, number of boids and polarization are written. */
  text?: boolean;
  /** Text below the flock, broken into lines. */
  caption?: string;
  /** Small text in the lower right corner, such as the author. */
  watermark?: string;
  /**
   * Leave out background, scenery, box and text, for editing: in stills, numbered pictures, .webm
   * and .mov films. Box and text are drawn if they are true, not auto.
   */
  transparent?: boolean;
  /**
   * Measures that live views and pages chart, from the top, such as milling: each is one number
   * of a frame. Empty: polarization, milling, nearest neighbour and speed.
   */
  charts?: string[];
  /** Language of live views and pages, such as es. Empty: the reader's, or English. */
  language?: string;
  camera?: CameraInfo;
}

/** The camera of a 3-D picture, decided for a space. */
export interface CameraInfo {
  /** Angle around the vertical axis, in degrees. */
  azimuth?: number;
  /** Angle above the horizon, in degrees. */
  elevation?: number;
  /** Rotation of the camera around the flock, in degrees per second of film. */
  turn?: number;
  /** Magnification; above 1 the camera is nearer. */
  zoom?: number;
  /** What it shows: the whole space, or the flock in the centre. */
  follow?: "space" | "flock";
}

/** An obstacle at a time, or a wire; vectors have three numbers. */
export interface ObstacleInfo {
  name: string;
  /** A shape of the scene, or wire. */
  kind: string;
  position?: number[];
  /** The last numbers of its row in tables of obstacles. */
  numbers?: number[];
  start?: number[];
  end?: number[];
  sag?: number;
  /** Of a mesh, around its centre: float32 in base64. */
  vertices?: string;
  /** Of a mesh: three uint32 for each triangle, in base64. */
  faces?: string;
}

/** A shape of obstacles, and its surface of unit size: see murmurate.model.shapes.shape. */
export interface ShapeInfo {
  number: number;
  position: string;
  lengths: {
    [k: string]: number;
  };
  fill: number;
  unbounded: boolean;
  encloses: boolean;
  /** The numbers by which its surface is scaled along each axis. */
  axes: (number | null)[];
  profile: number[][];
  /** 0 for a shape whose obstacles have triangles of their own. */
  sides: number;
  lines: number;
}

/** A measure to chart. */
export interface ChartInfo {
  /** As in the messages. */
  name: string;
  label: string;
  /** "1" for measures without a unit. */
  unit: string;
  /** Its definition, in a line. */
  about: string;
}

/** A number that each boid has. */
export interface PerBoid {
  /** Its path, such as rules.cohesion.weight. */
  name: string;
  /** Whether it differs between boids and stays, or changes in time. */
  kind?: "trait" | "state";
  /** Whether it is an angle or phase. */
  cyclic: boolean;
  /** The range of its colours, if it is known. */
  range?: [number, number] | null;
  unit?: string;
}

/** Values that have changed. */
export interface ValuesMessage {
  type: "values";
  values: {
    [k: string]: Plain;
  };
  /** All rules that are switched off now. */
  off: string[];
}

/** Obstacles and handles that have moved. */
export interface ObstaclesMessage {
  type: "obstacles";
  obstacles: ObstacleInfo[];
  handles: HandleInfo[];
}

/** Activity and speed. */
export interface StatusMessage {
  type: "status";
  playing: boolean;
  /** Steps per second that were asked for. */
  rate: number | null;
  steps_per_second: number;
  boid_steps_per_second: number;
  step: number;
  time: number;
  clients: number;
  /** What is being done before the flock moves. */
  busy: string;
  /** Of a flock that is simulated in the page. */
  seed?: string;
  /** The engine of a flock that is simulated in the page. */
  engine?: string;
}

/** Points of the charts. */
export interface MeasuresMessage {
  type: "measures";
  points: MeasurePoint[];
  /** Whether these are all points, in place of those that were sent before. */
  begin?: boolean;
}

/** The values of the charts at a step. */
export interface MeasurePoint {
  step: number;
  time: number;
  /** Flock -> measure -> its value; null if it has none. */
  flocks: {
    [k: string]: {
      [k: string]: number | null;
    };
  };
}

/** The chosen boid; vectors have three numbers. */
export interface BoidMessage {
  type: "boid";
  flock: string;
  id: number;
  position: number[];
  velocity: number[];
  speed: number;
  /** Numbered through all flocks, the nearest ones first. */
  neighbours: number[];
  /** Flock and index of the neighbours, if boids join and leave. */
  neighbour_ids?: [number, number][];
  /** Path -> trait or state of the boid. */
  numbers?: {
    [k: string]: number;
  };
  radius: RuleReach[];
  steering: RuleVector[];
  total: number[];
}

/** How far a rule of the chosen boid senses. */
export interface RuleReach {
  rule: string;
  /** Null: everywhere. */
  radius: number | null;
  field_of_view: number;
}

/** The steering vector of a rule. */
export interface RuleVector {
  rule: string;
  vector: number[];
}

/** The reply to a message with an id. */
export interface ReplyMessage {
  toml?: string;
  seed?: number;
  changed?: {
    [k: string]: [Plain, Plain];
  };
  compiling?: boolean;
  step?: number;
  job?: number;
  type: "reply";
  to: number | null;
  ok: boolean;
  error?: string;
}

/** A line to show, or one about the same to withdraw. */
export interface NoticeMessage {
  type: "notice";
  level: "error" | "warning" | "info" | "clear";
  text?: string;
  about?: string;
  /** Whether it stays until it is withdrawn. */
  sticky?: boolean;
}

/** The progress of a film or page. */
export interface MadeMessage {
  type: "made";
  job: number;
  what: "film" | "page";
  state: "working" | "done" | "failed";
  /** From 0 to 1. */
  progress?: number;
  url?: string;
  name?: string;
  error?: string;
}

/** The end of the connection. */
export interface ByeMessage {
  type: "bye";
  reason?: string;
}

/** The page can take more frames. */
export interface Credit {
  type: "credit";
  id?: number | null;
  frames?: number;
}

export interface Play {
  type: "play";
  id?: number | null;
}

export interface Pause {
  type: "pause";
  id?: number | null;
}

export interface Step {
  type: "step";
  id?: number | null;
  steps?: number;
}

export interface Restart {
  type: "restart";
  id?: number | null;
  seed?: number | null;
}

export interface Rate {
  type: "rate";
  id?: number | null;
  steps_per_second: number | null;
}

/**
 * Set values at dotted paths.
 *
 * off  the rules to switch off; all others are switched on. Without it, a rule whose weight is
 *      set is switched on, and the other rules stay as they are.
 */
export interface Set {
  type: "set";
  id?: number | null;
  values?: {
    [k: string]: Plain;
  };
  off?: string[] | null;
}

export interface Switch {
  type: "switch";
  id?: number | null;
  rule: string;
  on: boolean;
}

export interface Reset {
  type: "reset";
  id?: number | null;
}

export interface Open {
  type: "open";
  id?: number | null;
  model: string;
}

export interface Choose {
  type: "choose";
  id?: number | null;
  flock?: string | null;
  boid?: number | null;
}

/**
 * Whether frames for this page carry neighbour counts, and a number that differs between boids.
 *
 * number  its path, one of the scene's `per_boid`; none if empty or unknown
 */
export interface NeighbourCounts {
  type: "extra";
  id?: number | null;
  neighbours: boolean;
  number?: string;
}

export interface Move {
  type: "move";
  id?: number | null;
  flock: string;
  boid: number;
  position: number[];
}

/** Drive boids away from the pointer, or attract them if `call` is true. */
export interface Shoo {
  type: "shoo";
  id?: number | null;
  position: number[] | null;
  radius: number;
  call?: boolean;
}

/** Such a part may be drawn soon: what it needs is compiled in the background. */
export interface Prepare {
  type: "prepare";
  id?: number | null;
  part: "obstacle" | "goal" | "predator";
}

export interface Draw {
  type: "draw";
  id?: number | null;
  shape: Sphere | Box | Wall | Path | Goal;
}

export interface Sphere {
  kind: "sphere";
  centre: number[];
  radius: number;
}

export interface Box {
  kind: "box";
  centre: number[];
  size: number[];
}

/** A wall through two points, upright in 3-D, with the flock in front of it. */
export interface Wall {
  kind: "wall";
  through: [number[], number[]];
}

export interface Path {
  kind: "path";
  points: number[][];
  closed?: boolean;
}

export interface Goal {
  kind: "goal";
  place: number[];
}

export interface PlacePredator {
  type: "place";
  id?: number | null;
  position: number[];
}

/** Remove a boid from its flock. Removing the last boid removes the flock. */
export interface Remove {
  type: "remove";
  id?: number | null;
  flock: string;
  boid: number;
}

/**
 * Remove parts (null) or put them back; other numbers are unchanged. The flock continues from
 * its state, also with other flocks or other numbers of boids. `places` has the positions of
 * boids that are added.
 */
export interface Edit {
  type: "edit";
  id?: number | null;
  values: {
    [k: string]: Plain;
  };
  places?: {
    [k: string]: number[][];
  };
}

export interface Toml {
  type: "toml";
  id?: number | null;
}

export interface Film {
  type: "film";
  id?: number | null;
  steps?: number;
  size?: [number, number];
}

export interface Page {
  type: "page";
  id?: number | null;
  frames?: number;
}

/** A flock's start, for start_functions.py. */
export interface LaidStart {
  /** 64 bits each, as text. */
  integers: string[];
  numbers: number[];
  /** The state of each boid. */
  memory: (number | DrawnNumber)[];
}

/** A number that each boid of a flock draws from a distribution. */
export interface DrawnNumber {
  value: Plain;
  flock: string;
  /** See Model.traits_of. */
  name: string;
}

/** Positions and velocities of a flock's boids. */
export interface GivenStart {
  positions: number[][];
  velocities: number[][];
  /** The state of each boid. */
  memory: (number | DrawnNumber)[];
}

/** What a live page tells before it is unpacked. */
export interface FlightHead {
  format: number;
  name: string;
}

/** Where the numbers of a model come from. */
export interface NumberSources {
  /** Their names, in the order of `flock_index`. */
  flocks: string[];
  dims: number;
  /**
   * Times in a step, as fractions of it, at which forces are evaluated; each needs a row of
   * numbers.
   */
  parts: number[];
  numbers: SlotSource[];
  /** Tables of numbers, which follow the other numbers: see murmurate.model.number_table. */
  tables: (string | number[])[];
  /** Their names, in the order of rows of `vectors`. */
  rules: string[];
  /** Their names, in the order of `obstacles_by_step`. */
  obstacles: string[];
  /** Shapes of obstacles by kind. */
  shapes: {
    [k: string]: ShapeRow;
  };
  /** Obstacle with a mesh -> the last three numbers of its row, which say where its words are. */
  meshes: {
    [k: string]: number[];
  };
  /** Standard errors of sensed positions and velocities, for each flock that has them. */
  errors: Plain[][];
  /** Of `memory`: per-boid state. */
  memory_rows: number;
  traits: TraitSource[];
}

/** Where the number of a slot comes from. */
export interface SlotSource {
  /** See murmurate.codegen.plan.Slot. */
  kind: "plain" | "cone";
  /** In the model. */
  path: string;
  /** A number or a schedule, if the model has none at that path. */
  value: Plain;
}

/** How the row of an obstacle is made of its fields: see Shape. */
export interface ShapeRow {
  number: number;
  /** The field with its position. */
  position: string;
  /** Its other fields -> factors by which they become numbers. */
  lengths: {
    [k: string]: number;
  };
  /** The length that a field lacks in 2-D. */
  fill: number;
  /** Whether it is a half-space: its numbers are its unit normal. */
  unbounded: boolean;
}

/** Where a number that differs between boids comes from, a column of `individual_numbers`. */
export interface TraitSource {
  /** See Model.traits_of. */
  name: string;
  /** See murmurate.codegen.plan.Slot. */
  kind: "plain" | "cone";
  /** In the model. */
  path: string;
  /** Its distribution, if the model has none at that path. */
  value: Plain;
  /** Those that have it. */
  flocks: string[];
}

/** A model in a live page. */
export interface PackedFlight {
  format: number;
  scene: SceneMessage;
  /** The model as a model file has it. */
  tables: Table;
  /** Keys of each infinite number in the tables, where it is a word. */
  infinite: string[][];
  /** The page uses the first one that serves its radii. */
  modules: PackedModule[];
  start: PackedStart;
  starts: {
    [k: string]: LaidStart | GivenStart;
  };
  /** Where boids join and leave. */
  population?: PackedPopulation;
  /** The second key of the generator of shuffled orders; 64 bits as text. */
  order_key: string;
  seed: string;
  /** Largest number of boids with WebAssembly. */
  max_boids: number;
  /** Flock -> names of its boids' state, in the order of the rows of memory. */
  states: {
    [k: string]: string[];
  };
  name: string;
  /** Where rules can be edited. */
  formulas?: FormulaTables;
  drawing?: DrawingData;
  gpu?: Programmed | Unprogrammed;
}

/** A module of WebAssembly. */
export interface PackedModule {
  code: string;
  manifest: Manifest;
}

/** The memory of a module: see murmurate.engines.wasm.module_memory. */
export interface Manifest extends NumberSources {
  /** Changes with the meaning of any entry. */
  format: number;
  /**
   * Address of the table of arguments, the argument of the exported function
   * run_steps(table: i64) -> i64, which returns the number of completed steps.
   */
  table: number;
  arguments: {
    [k: string]: Argument;
  };
  /** Name -> numbers that arguments hold throughout. */
  constants: {
    [k: string]: number[];
  };
  /** Names of the gridded flocks. */
  gridded: string[];
  /** Number of boids for which memory has room. */
  max_boids: number;
  /** Number of steps for which memory has room for rows of numbers. */
  rows: number;
  /** Slots of the radii that the grid serves. */
  radii: number[];
  /** Whether `update_order` is needed. */
  shuffled: boolean;
  /** Rules whose functions the page writes; null if all are compiled. */
  opened: Opened | null;
}

/**
 * Where an argument is in memory.
 *
 * The word of a number (64 bits) in the table holds its value, float64 by its bits. An array
 * begins at `address`; its address and sides are in the words from `word` on.
 */
export interface Argument {
  word: number;
  dtype: "float32" | "float64" | "int32" | "int64" | "uint32" | "uint64";
  shape: number[];
  address?: number;
}

/** Where functions of rules find their arguments. */
export interface Opened {
  /** Of the array `opened`. */
  address: number;
  max_sums: number;
  /** Argument -> field -> its index in `opened`. */
  positions: {
    [k: string]: {
      [k: string]: number;
    };
  };
  rules: {
    [k: string]: OpenedRule;
  };
}

export interface OpenedRule {
  class: string;
  functions: {
    pair?: number;
    finish?: number;
    alone?: number;
  };
  has: ("pair" | "finish" | "alone")[];
  numbers: {
    [k: string]: Places;
  };
  words: {
    [k: string]: Plain;
  };
  fields: string[];
  state_names: string[];
  herd: boolean;
  states: ReadStates;
}

/** The state that functions read, of the boid and of its neighbours. */
export interface ReadStates {
  me: string[];
  other: string[];
}

/** The module that computes starts. */
export interface PackedStart {
  code: string;
  manifest: StartManifest;
}

/** The memory of the module of starts. */
export interface StartManifest {
  /** Address of its table. */
  table: number;
  /** Of the arrays to which the table points. */
  addresses: {
    [k: string]: number;
  };
}

/** The module of births and deaths. */
export interface PackedPopulation {
  code: string;
  manifest: PopulationManifest;
}

/** The memory of the module of births and deaths; see wasm.population_functions. */
export interface PopulationManifest {
  /** Address of its table. */
  table: number;
  arrays: {
    [k: string]: Argument;
  };
  /** Array -> numbers that it holds throughout. */
  constants: {
    [k: string]: number[];
  };
  numbers: EntryNumber[];
  /** The largest number of boids of each flock that boids may join. */
  limits: {
    [k: string]: number;
  };
}

/** A number of an entry of a population, which a page evaluates for each step. */
export interface EntryNumber {
  /** In the model. */
  path: string;
  /** A number or a schedule, if the page has none at that path. */
  value: Plain;
  /** Its place in the array `numbers`. */
  at: number;
  /** Whether it is that at the end of the step, not at its start. */
  end: boolean;
}

/** The language of formulas. */
export interface FormulaTables {
  methods: MethodArguments;
  calls: string[];
  owners: string[];
  /** Function -> smallest and largest number of arguments. */
  builtins: {
    [k: string]: [number, number];
  };
  maths: {
    [k: string]: MathsFunction;
  };
  in_pages: string[];
  /** All functions of Python's `math`. */
  of_math: string[];
  constants: {
    [k: string]: number | string;
  };
  /** Argument -> field -> its type. */
  fields: {
    [k: string]: {
      [k: string]: string;
    };
  };
  max_letters: number;
  max_pieces: number;
  max_power: number;
}

/** Of each method: the arguments that it takes, and those that may follow. */
export interface MethodArguments {
  pair: [string[], string[]];
  finish: [string[], string[]];
  alone: [string[], string[]];
}

/** A mathematical function. */
export interface MathsFunction {
  takes: number;
  result: string;
  /** Its implementation in pages; null if there is none. */
  page: string | null;
  /** Its name in WGSL. */
  wgsl: string;
}

/** What can be drawn in a page. */
export interface DrawingData {
  /** Number of obstacles that there is room for. */
  obstacles: number;
  /** Number of corners of a path that there is room for. */
  points: number;
  /** Of the flocks that paths lead. */
  speed: number;
  /** Kind of obstacle -> its schema. */
  shapes: {
    [k: string]: JsonSchema;
  };
  /** In the order in which they act. */
  rules: {
    flee?: SpareRule;
    hunt?: SpareRule;
    goal?: SpareRule;
    path?: SpareRule;
    avoid?: SpareRule;
    "predators-avoid"?: SpareRule;
  };
  predators: PredatorPlace;
}

/** A rule that a page has room for. */
export interface SpareRule {
  path: string;
  table: Table;
  /** All of its values, by whole path. */
  values: {
    [k: string]: Plain;
  };
  schema: JsonSchema;
  formula: string;
}

/** The flock that predators join; empty if none can be drawn. */
export interface PredatorPlace {
  flock: string;
  founded: FoundedFlock | null;
}

/** The flock that the first predator creates. */
export interface FoundedFlock {
  table: Table;
  /** All of its values, by whole path. */
  values: {
    [k: string]: Plain;
  };
  /** Of the flock and its motion, by path. */
  schemas: {
    [k: string]: JsonSchema;
  };
  flock: FlockInfo;
  /** Rules that moved the only flock without naming it: path -> `moves`. */
  moves: {
    [k: string]: string;
  };
  /** The only other flock, which drawn rules then name as well; empty if there are several. */
  only: string;
  /** How far its start reaches around the predator on each axis. */
  reach: number;
}

/** A model that WebGPU can simulate. */
export interface Programmed {
  program: PageProgram;
}

/** A program with what its page allows. */
export interface PageProgram extends PlainProgram {
  max_boids: number;
  fixed: string[];
  /** If rules can be edited. */
  edited?: EditedProgram;
}

/** The program of a page in which a rule is edited. */
export interface EditedProgram {
  /** Its `modules` are those that differ from the page's program. */
  program: PlainProgram;
  /** Rule -> method -> function of the module `stages`. */
  functions: {
    [k: string]: {
      pair?: OpenFunction;
      finish?: OpenFunction;
      alone?: OpenFunction;
    };
  };
}

/** What a model needs of a device: see murmurate.engines.gpu.program. */
export interface PlainProgram extends NumberSources {
  format: number;
  modules: {
    [k: string]: ShaderModule;
  };
  bindings: {
    [k: string]: number;
  };
  /** That of the smallest flocks first; the first one that allows the number of boids is used. */
  paths: PlainPath[];
  /** Buffer -> amount -> words of 4 bytes for each. */
  buffers: {
    [k: string]: {
      [k: string]: number;
    };
  };
  /** The number of cells is the smallest of a * boids + b. */
  cells: [number, number][];
  block: number;
  max_groups: number;
  settings: {
    [k: string]: number[];
  };
  uniform: Uniform;
  max_steps: number;
  rows: number;
  /** First word of `control` with the vectors of a chosen boid. */
  vectors: number;
}

/** A module of WGSL. */
export interface ShaderModule {
  text: string;
  /** Buffer -> its access. */
  access: {
    [k: string]: "read" | "read_write";
  };
}

/** A way to make a step. */
export interface PlainPath {
  /** The largest number of boids for which it is used. */
  max_boids: number | null;
  /** Of each step. */
  passes: Dispatch[];
  /** After the last step of a submission. */
  end: Dispatch[];
  /** Whether the state after a step is in the other one of two alternating buffers. */
  flips: boolean;
}

/** A dispatch of a step. */
export interface Dispatch {
  /** Name of the kernel. */
  entry: string;
  module: string;
  /** Which of the alternating buffers it reads: 0 for those with the state before the step. */
  reads: 0 | 1;
  /** Amount -> number of threads for each. */
  threads: {
    [k: string]: number;
  };
  /** Threads of a workgroup. */
  group: number;
}

/** The uniform `settings`. */
export interface Uniform {
  /** Bytes. */
  size: number;
  fields: {
    [k: string]: UniformField;
  };
}

/** A field of the uniform `settings`. */
export interface UniformField {
  /** Bytes. */
  offset: number;
  dtype: "float32" | "float64" | "int32" | "int64" | "uint32" | "uint64";
}

/** A function in the text of a module, whose body a page replaces. */
export interface OpenFunction {
  name: string;
  /** Argument -> its type in the text. */
  types: {
    [k: string]: string;
  };
  result: string;
}

/** A model that WebGPU cannot simulate. */
export interface Unprogrammed {
  why: string;
}

/** What is packed in a live page. */
export interface PackedPage extends PackedFlight {
  /** The script of the worker. */
  worker: string;
  /** Another model, which is shown beside. */
  second: PackedFlight | null;
  task?: PackedTask;
}

/** A task in a page. */
export interface PackedTask {
  /** The script that shows it. */
  script: string;
  /** The key of codes of results, in hexadecimal digits. */
  digest: string;
  /** The task as its file has it. */
  task: Task;
}

/** Steps with a question and a check. Pages show them beside the flock. */
export interface Task {
  title: Texts;
  /** Introduction above the first question. */
  about?: Texts | null;
  /** Name of the model of the page. */
  model: string;
  /** Numbers of the model with which the page begins, by path. */
  start?: {
    [k: string]: number;
  };
  /** Smallest percentage of the points with which the task is passed. */
  passing?: number;
  steps: (Choice | Reach | Effect | Prediction)[];
}

/** A question with answers to choose from. One of them is right. */
export interface Choice {
  /** The question, or an instruction. */
  question: Texts;
  /** Each opened hint costs a quarter of the points. */
  hints?: Texts[];
  /** Shown once the step is done. */
  explanation?: Texts | null;
  points?: number;
  /** Numbers of the model with which the step begins, by path. The flock then restarts. */
  values?: {
    [k: string]: number;
  };
  kind?: "choice";
  options: Option[];
  /** Whether pupils write a reason before the answer is checked. */
  reason?: boolean;
}

/** An answer to choose. */
export interface Option {
  text: Texts;
  right?: boolean;
  /** Shown after the option is chosen. */
  because?: Texts | null;
}

/** A measure that pupils bring within bounds for some seconds. */
export interface Reach {
  /** The question, or an instruction. */
  question: Texts;
  /** Each opened hint costs a quarter of the points. */
  hints?: Texts[];
  /** Shown once the step is done. */
  explanation?: Texts | null;
  points?: number;
  /** Numbers of the model with which the step begins, by path. The flock then restarts. */
  values?: {
    [k: string]: number;
  };
  /** A measure that the page charts. */
  measure: string;
  /** The flock that is measured; the first one by default. */
  flock?: string;
  /** Seconds at the model's own pace, whatever the speed of the page. */
  seconds?: number;
  kind?: "reach";
  min?: number | null;
  max?: number | null;
}

/** A number that pupils change, so that a measure rises or falls. */
export interface Effect {
  /** The question, or an instruction. */
  question: Texts;
  /** Each opened hint costs a quarter of the points. */
  hints?: Texts[];
  /** Shown once the step is done. */
  explanation?: Texts | null;
  points?: number;
  /** Numbers of the model with which the step begins, by path. The flock then restarts. */
  values?: {
    [k: string]: number;
  };
  /** A measure that the page charts. */
  measure: string;
  /** The flock that is measured; the first one by default. */
  flock?: string;
  /** Seconds at the model's own pace, whatever the speed of the page. */
  seconds?: number;
  kind?: "effect";
  /** Path of the number. */
  slider: string;
  /** Required change of the mean of the measure over `seconds`. */
  effect: "rises" | "falls";
  /** Smallest change of the mean. */
  by: number;
}

/** A line that pupils draw before the flock restarts and runs for `seconds`. */
export interface Prediction {
  /** The question, or an instruction. */
  question: Texts;
  /** Each opened hint costs a quarter of the points. */
  hints?: Texts[];
  /** Shown once the step is done. */
  explanation?: Texts | null;
  points?: number;
  /** Numbers of the model with which the step begins, by path. The flock then restarts. */
  values?: {
    [k: string]: number;
  };
  /** A measure that the page charts. */
  measure: string;
  /** The flock that is measured; the first one by default. */
  flock?: string;
  /** Seconds at the model's own pace, whatever the speed of the page. */
  seconds?: number;
  kind?: "prediction";
  /** Upper end of the axis. */
  top?: number;
  /** Largest mean distance of the line from the measure. None: any line has the points. */
  within?: number | null;
}

/** All of a replay that is not its frames. */
export interface ReplayHead {
  version: number;
  dims: 2 | 3;
  frames: number;
  /** Number of boids, or of rows if boids join and leave. */
  count: number;
  /** Order of the differences in time: 1, 2 or 3. */
  order: number;
  lower: number[];
  side: number[];
  periodic: boolean[];
  /** Film time from one frame to the next. */
  every_seconds: number;
  /** Model times of the frames. */
  times: number[] | EvenSeries;
  steps: number[] | EvenSeries;
  /** Boid, first and last frame of a gap in which it is not seen. Only tracks have gaps. */
  unseen?: [number, number, number][];
  /** If boids join and leave. */
  boids?: ReplayBoids;
  numbers?: ReplayNumbers;
  /** The highest speed of any boid. */
  fastest: number;
  scene: ReplayScene;
  /** Flock -> measure -> its values by frame; null if it has none. */
  measures: {
    [k: string]: {
      [k: string]: (number | null)[];
    };
  };
  toml: string;
  comment: string;
}

/** Evenly spaced numbers: the first one and the distance between two. */
export interface EvenSeries {
  first: number;
  step: number;
}

/** Boids that join and leave, and their rows. */
export interface ReplayBoids {
  rows: number[];
  row: number[];
  id: number[];
  first: number[];
  last: number[];
  /** Flock -> number of boids that it has ever had, in each frame. */
  ever: {
    [k: string]: number[] | EvenSeries;
  };
}

/** Numbers of each boid, in the order of the scene's `per_boid`. */
export interface ReplayNumbers {
  names: ReplayNumber[];
  /** Packed levels of all numbers, in order. */
  text: string;
}

/** A number of each boid: value = low + level / levels * (high - low). */
export interface ReplayNumber {
  name: string;
  kind: "trait" | "state";
  low: number;
  high: number;
}

/** The scene of a replay. */
export interface ReplayScene extends SceneCore {
  dt: number;
  /** Obstacle -> number that changes -> its values by frame. */
  obstacle_tracks?: {
    [k: string]: {
      [k: string]: Plain[];
    };
  };
}
