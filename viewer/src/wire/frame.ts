/** Binary frames: positions, headings and speeds at one time, as murmurate/show/wire_format.py describes them.
 *
 * The records are kept as they came: the graphics card reads them as three 32-bit words a boid, and
 * the few places that need a position on this side read the 16-bit view.
 */

import {
  CHANGING, COLOURED, FIELDS, HEADER, HEADING, LEVELS, MAGIC, NEIGHBOURS, NO_VALUE, PERCHED, POSITION_LEVELS, RECORD, RECORD_FIELDS,
  SPEED_LEVELS, VERSION,
} from "./contracts";

export type Vec3 = [number, number, number];

/** Three numbers, zeros where there are fewer. */
export const vec3 = (numbers: number[] = []): Vec3 => [numbers[0] ?? 0, numbers[1] ?? 0, numbers[2] ?? 0];

/** The id of a row without a boid. */
export const EMPTY = 0xffffffff;

/** A number of each boid, such as its weight or phase: value = low + level / LEVELS * (high - low). */
export interface Levels {
  /** Its place in the scene's `per_boid`. */
  which: number;
  low: number;
  high: number;
  levels: Uint16Array;
}

/** How many boids a flock has, and how many it has ever had. */
export interface Numbers {
  count: number;
  ever: number;
}

export interface Frame {
  dims: 2 | 3;
  /** A frame belongs to one scene; after a change of structure old ones are still under way. */
  scene: number;
  /** Rows; a row may be empty where boids come and go: see state/rows.ts. */
  count: number;
  /** Boids. */
  present: number;
  /** Of flocks whose numbers change: rows, numbers of boids, and the boid in each row (EMPTY: none). Null if the
   * rows are the boids of the scene. */
  rows: number[] | null;
  numbers: Numbers[] | null;
  ids: Uint32Array | null;
  /** Changes where boids get other rows: frames before and after cannot be drawn between. */
  layout: number;
  /** What boids are coloured by, if it is a number of each. */
  values: Levels | null;
  step: number;
  time: number;
  /** The box that positions are quantised in. */
  lower: Vec3;
  side: Vec3;
  /** The speed at the highest level. */
  fastest: number;
  hasNeighbours: boolean;
  /** Drawn steps a second now; 0 while paused. */
  rate: number;
  /** (3 N) x | y << 16, z | speed << 16, heading and extra. */
  words: Uint32Array;
  /** (6 N) x, y, z, speed, ... of the same bytes. */
  shorts: Uint16Array;
  /** (12 N) bytes 8..10 of each record are the heading, 11 the extra byte. */
  bytes: Int8Array;
}

export class WireError extends Error {}

type Field = keyof typeof FIELDS;

/** A field of a header; `k`: which number of a vector. */
function fieldOf(head: DataView, name: Field, k = 0): number {
  const [at, type] = FIELDS[name];
  return head[`get${type}`](at + 4 * k, true);
}

/** Writes fields of a header. */
export function writeFields(head: DataView, fields: Partial<Record<Field, number | number[]>>): void {
  for (const [name, value] of Object.entries(fields)) {
    const [at, type] = FIELDS[name as Field];
    [value].flat().forEach((x, k) => head[`set${type}`](at + 4 * k, x, true));
  }
}

export function decodeFrame(data: ArrayBuffer | ArrayBufferView): Frame {
  let buffer: ArrayBuffer;
  let start = 0;
  let length: number;
  if (data instanceof ArrayBuffer) {
    buffer = data;
    length = data.byteLength;
  } else {
    buffer = data.buffer as ArrayBuffer;
    start = data.byteOffset;
    length = data.byteLength;
    if (start % 4 !== 0) {
      // Views of 32-bit words must begin at a multiple of four.
      buffer = buffer.slice(start, start + length);
      start = 0;
    }
  }
  if (length < HEADER) throw new WireError(`frame: got ${length} bytes, which is less than a header`);
  const head = new DataView(buffer, start, HEADER);
  const read = (name: Field): number => fieldOf(head, name);
  if (read("magic") !== MAGIC) throw new WireError("not a frame");
  const version = read("version");
  if (version !== VERSION) throw new WireError(`frame: got version ${version}, which this viewer cannot read`);
  const dims = read("dims");
  if (dims !== 2 && dims !== 3) throw new WireError(`frame: got ${dims} dimensions; expected 2 or 3`);
  const count = read("count");
  const flags = read("flags");
  const flocks = flags & CHANGING ? read("flocks") : 0;
  const extra = (flags & CHANGING ? 8 * flocks + 4 * count : 0) + (flags & COLOURED ? 2 * count : 0);
  if (length < HEADER + RECORD * count + extra) {
    throw new WireError(`frame: got ${length} bytes, too few for ${count} boids`);
  }
  const vector = (name: Field): Vec3 => [0, 1, 2].map((k) => fieldOf(head, name, k)) as Vec3;
  const at = start + HEADER;
  let after = at + RECORD * count;
  const words = (many: number): Uint32Array => {
    const view = new Uint32Array(buffer, after, many);
    after += 4 * many;
    return view;
  };
  const changing = (flags & CHANGING) !== 0;
  const table = words(2 * flocks);
  const numbers = changing ? Array.from({ length: flocks }, (_, k) => ({ count: table[2 * k]!, ever: table[2 * k + 1]! })) : null;
  const ids = changing ? words(count) : null;
  const values = flags & COLOURED
    ? { which: read("which"), low: read("low"), high: read("high"), levels: new Uint16Array(buffer, after, count) }
    : null;
  return {
    dims,
    scene: read("scene"),
    count,
    present: count,
    rows: numbers && numbers.map((flock) => flock.count),
    numbers,
    ids,
    layout: 0,
    values,
    step: read("step"),
    time: read("time"),
    lower: vector("lower"),
    side: vector("side"),
    fastest: read("fastest"),
    hasNeighbours: (flags & NEIGHBOURS) !== 0,
    rate: read("rate"),
    words: new Uint32Array(buffer, at, 3 * count),
    shorts: new Uint16Array(buffer, at, 6 * count),
    bytes: new Int8Array(buffer, at, RECORD * count),
  };
}

/** The rows of a flock in a frame: [first, first + count). */
export interface Range {
  first: number;
  count: number;
}

/** The rows of each flock; `counts`: numbers of boids in the scene. */
export function rangesOf(frame: Pick<Frame, "rows">, counts: { count: number }[]): Range[] {
  let first = 0;
  return (frame.rows ?? counts.map(({ count }) => count)).map((count) => ({ first: (first += count) - count, count }));
}

/** Who a boid is for as long as it lives: its flock's place in the scene, and its number there. */
export interface Identity {
  flock: number;
  id: number;
}

export function identityOf(frame: Frame, counts: { count: number }[], row: number): Identity {
  const ranges = rangesOf(frame, counts);
  const flock = Math.max(0, ranges.findIndex(({ first, count }) => row < first + count));
  return { flock, id: frame.ids ? frame.ids[row]! : row - (ranges[flock]?.first ?? 0) };
}

/** The row of a boid; null where it is not there any more. */
export function rowOf(frame: Frame, counts: { count: number }[], { flock, id }: Identity): number | null {
  const range = rangesOf(frame, counts)[flock];
  if (!range) return null;
  const { first, count } = range;
  if (!frame.ids) return id < count && first + id < frame.count ? first + id : null;
  const row = frame.ids.indexOf(id, first);
  return row >= 0 && row < first + count ? row : null;
}

/** The number of a boid that colours show; null where it has none. */
export function valueOf(frame: Frame, row: number): number | null {
  const { values } = frame;
  const level = values?.levels[row] ?? NO_VALUE;
  return !values || level === NO_VALUE ? null : values.low + (level / LEVELS) * (values.high - values.low);
}

/** The heading of a boid that is not seen, such as an animal in a gap of its tracks: no other heading has -128 in
 * it. Its position is the last that was seen. */
export const UNSEEN = 0x808080;

const BETWEEN = [50, 80] as const; // lengths of the heading of a boid that perches: around PERCHED

/** The condition of shaders that a boid perches; s is the square of its heading, which is 1 for others. */
export const PERCHES = BETWEEN.map((length, k) => `s ${k === 0 ? ">" : "<"} ${((length / HEADING) ** 2).toFixed(4)}`).join(" && ");

/** Whether a boid perches, from the last word of its record. */
export function isPerched(word: number): boolean {
  const [x, y, z] = [(word << 24) >> 24, (word << 16) >> 24, (word << 8) >> 24];
  const square = x * x + y * y + z * z;
  return square > BETWEEN[0] ** 2 && square < BETWEEN[1] ** 2;
}

/** Whether a boid is not seen in a frame. */
export function isUnseen(frame: Frame, boid: number): boolean {
  return (frame.words[3 * boid + 2]! & 0xffffff) === UNSEEN;
}

/** Whether a boid is hidden between two frames: where one of them, of which it shows a part, lacks it. */
export function isHidden(before: Frame, now: Frame, boid: number, part: number): boolean {
  if (part > 0 && isUnseen(now, boid)) return true;
  return part < 1 && boid < before.count && isUnseen(before, boid);
}

/** Position of one boid along one axis. */
export function coordinate(frame: Frame, boid: number, axis: number): number {
  if (axis >= frame.dims) return 0;
  return frame.lower[axis]! + ((frame.shorts[6 * boid + axis]! + 0.5) / POSITION_LEVELS) * frame.side[axis]!;
}

export function positionOf(frame: Frame, boid: number): Vec3 {
  return [coordinate(frame, boid, 0), coordinate(frame, boid, 1), coordinate(frame, boid, 2)];
}

export function speedOf(frame: Frame, boid: number): number {
  return (frame.shorts[6 * boid + 3]! / SPEED_LEVELS) * frame.fastest;
}

export function headingOf(frame: Frame, boid: number): Vec3 {
  const at = RECORD * boid + RECORD_FIELDS.heading;
  const full = isPerched(frame.words[3 * boid + 2]!) ? PERCHED : HEADING;
  return [frame.bytes[at]! / full, frame.bytes[at + 1]! / full, frame.bytes[at + 2]! / full];
}
