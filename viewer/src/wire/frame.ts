/** Binary frames: positions, headings and speeds at one time. 96 bytes of header, 12 for each boid.
 *
 * The records are kept as they came: the graphics card reads them as three 32-bit words a boid, and
 * the few places that need a position on this side read the 16-bit view.
 */

export type Vec3 = [number, number, number];

/** Three numbers, zeros where there are fewer. */
export const vec3 = (numbers: number[] = []): Vec3 => [numbers[0] ?? 0, numbers[1] ?? 0, numbers[2] ?? 0];

export const MAGIC = 0x4d524d46;
export const HEADER = 96;
export const RECORD = 12;

export interface Frame {
  dims: 2 | 3;
  /** A frame belongs to one scene; after a change of structure old ones are still under way. */
  scene: number;
  count: number;
  step: number;
  time: number;
  /** The box that positions are quantised in. */
  lower: Vec3;
  side: Vec3;
  /** The speed that 65535 stands for. */
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
  if (head.getUint32(0, true) !== MAGIC) throw new WireError("not a frame");
  const version = head.getUint16(4, true);
  if (version !== 1) throw new WireError(`frame: got version ${version}, which this viewer cannot read`);
  const dims = head.getUint16(6, true);
  if (dims !== 2 && dims !== 3) throw new WireError(`frame: got ${dims} dimensions; expected 2 or 3`);
  const count = head.getUint32(12, true);
  if (length < HEADER + RECORD * count) {
    throw new WireError(`frame: got ${length} bytes, too few for ${count} boids`);
  }
  const vector = (at: number): Vec3 => [
    head.getFloat32(at, true),
    head.getFloat32(at + 4, true),
    head.getFloat32(at + 8, true),
  ];
  const at = start + HEADER;
  return {
    dims,
    scene: head.getUint32(8, true),
    count,
    step: head.getFloat64(16, true),
    time: head.getFloat64(24, true),
    lower: vector(32),
    side: vector(44),
    fastest: head.getFloat32(56, true),
    hasNeighbours: (head.getUint32(60, true) & 1) !== 0,
    rate: head.getFloat32(64, true),
    words: new Uint32Array(buffer, at, 3 * count),
    shorts: new Uint16Array(buffer, at, 6 * count),
    bytes: new Int8Array(buffer, at, 12 * count),
  };
}

/** The heading that says that a boid is not seen, as an animal in a gap of its tracks: no heading has
 * -128 in it. Its position is the last that was seen. */
export const UNSEEN = 0x808080;

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
  return frame.lower[axis]! + ((frame.shorts[6 * boid + axis]! + 0.5) / 65536) * frame.side[axis]!;
}

export function positionOf(frame: Frame, boid: number): Vec3 {
  return [coordinate(frame, boid, 0), coordinate(frame, boid, 1), coordinate(frame, boid, 2)];
}

export function speedOf(frame: Frame, boid: number): number {
  return (frame.shorts[6 * boid + 3]! / 65535) * frame.fastest;
}

export function headingOf(frame: Frame, boid: number): Vec3 {
  const at = 12 * boid + 8;
  return [frame.bytes[at]! / 127, frame.bytes[at + 1]! / 127, frame.bytes[at + 2]! / 127];
}
