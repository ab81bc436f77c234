/** Decodes a replay that murmurate.show.replay encoded, and gives its frames.
 *
 * base64 -> inflate -> byte planes -> zig-zag -> sums in time -> 65536 places a side
 */

import { EMPTY, UNSEEN, type Frame, type Vec3 } from "../wire/frame";
import { NumbersOfBoids, Presence } from "./boids";
import { HEADING, POSITION_LEVELS, RECORD, RECORD_FIELDS, SPEED_LEVELS, type ReplayHead } from "../wire/contracts";
import { perchingIn, restAt } from "./rests";
import { bytesOf, inflated } from "./unpack";
import { t } from "../words";

export interface Replay {
  head: ReplayHead;
  frames: number;
  count: number;
  /** (frames x count x dims) places, frame after frame. */
  places: Uint16Array;
  /** One frame as the live view would get it; headings and speeds come from differences. `which`: the number
   * of each boid that it holds, by its place in the scene. */
  frame(number: number, which?: number): Frame;
}

/** Throws an Error with what is wrong with the data. */
export async function decodeReplay(head: ReplayHead, base64: string): Promise<Replay> {
  if (head.version !== 1) throw new Error(t("{part}: got version {version}, which this viewer cannot read", { part: "replay", version: String(head.version) }));
  const { frames, count, dims } = head;
  const planes = await inflated(bytesOf(base64));
  if (planes.length !== 2 * frames * count * dims) {
    throw new Error(`replay: got ${planes.length} bytes; expected ${2 * frames * count * dims}`);
  }
  const places = unfolded(planes, head);
  const boids: Boids = {
    hidden: hiddenIn(head),
    presence: head.boids ? new Presence(head.boids, head.scene.flocks.map(({ name }) => name)) : null,
    numbers: await NumbersOfBoids.of(head),
    perching: perchingIn(head),
  };
  return { head, frames, count, places, frame: (number, which = -1) => frameOf(head, places, boids, number, which) };
}

/** Which boids are seen when, and what is known of each. */
interface Boids {
  hidden: Uint8Array | null;
  presence: Presence | null;
  numbers: NumbersOfBoids | null;
  perching: Uint8Array;
}

/** (frames x count) 1 where a boid is not seen; null where all are, always. */
function hiddenIn(head: ReplayHead): Uint8Array | null {
  if (!head.unseen?.length) return null;
  const hidden = new Uint8Array(head.frames * head.count);
  for (const [boid, first, last] of head.unseen) {
    for (let frame = first; frame <= last; frame++) hidden[frame * head.count + boid] = 1;
  }
  return hidden;
}

export function timeOf(head: ReplayHead, frame: number): number {
  return Array.isArray(head.times) ? head.times[frame]! : head.times.first + frame * head.times.step;
}

export function stepOf(head: ReplayHead, frame: number): number {
  return Array.isArray(head.steps) ? head.steps[frame]! : head.steps.first + frame * head.steps.step;
}

/** The places: sums in time, as often as differences were taken; a Uint16Array wraps by itself. */
function unfolded(planes: Uint8Array, head: ReplayHead): Uint16Array {
  const { frames, count, dims, order } = head;
  const places = new Uint16Array(frames * count * dims);
  const low = frames * count * dims; // where the plane of low bytes begins
  const keep = [order > 2, order > 1, order > 0].map(Number) as Vec3; // 0 leaves a sum out
  let at = 0;
  for (let axis = 0; axis < dims; axis++) {
    for (let boid = 0; boid < count; boid++) {
      let third = 0;
      let second = 0;
      let first = 0;
      let to = boid * dims + axis;
      for (let frame = 0; frame < frames; frame++, at++, to += count * dims) {
        const folded = (planes[at]! << 8) | planes[low + at]!;
        third = ((folded >>> 1) ^ -(folded & 1)) + keep[0] * third;
        second = third + keep[1] * second;
        first = (second + keep[2] * first) & 0xffff;
        third &= 0xffff;
        second &= 0xffff;
        places[to] = first;
      }
    }
  }
  return places;
}

const CLEAR = 24; // places that a boid must have moved for its heading to be clear
const REACH = [1, 2, 4, 8]; // frames before and after that are looked at, until it is

function frameOf(head: ReplayHead, places: Uint16Array, { hidden, presence, numbers, perching }: Boids, number: number, which: number): Frame {
  const { frames, count, dims } = head;
  const row = count * dims;
  const at = Math.max(0, Math.min(frames - 1, Math.floor(number)));
  const buffer = new ArrayBuffer(RECORD * count);
  const shorts = new Uint16Array(buffer);
  const bytes = new Int8Array(buffer);
  const unit = head.side.map((side) => side / POSITION_LEVELS);
  const motion: Vec3 = [0, 0, 0];
  const ids = presence?.ids(at) ?? null;
  for (let boid = 0; boid < count; boid++) {
    const who = presence?.in(boid, at);
    if (who === -1) continue;
    const [begin, end] = who === undefined ? [0, frames - 1] : presence!.span(who);
    const from = at * row + boid * dims;
    for (let axis = 0; axis < dims; axis++) shorts[6 * boid + axis] = places[from + axis]!;
    let length = 0;
    for (const reach of REACH) {
      let before = Math.max(begin, at - reach);
      let after = Math.min(end, at + reach);
      if (hidden?.[before * count + boid]) before = at;
      if (hidden?.[after * count + boid]) after = at;
      let most = 0;
      for (let axis = 0; axis < dims; axis++) {
        const moved =
          places[after * row + boid * dims + axis]! - places[before * row + boid * dims + axis]!;
        const short = head.periodic[axis] ? (moved << 16) >> 16 : moved;
        most = Math.max(most, Math.abs(short));
        motion[axis] = short * unit[axis]!;
      }
      length = Math.hypot(motion[0], motion[1], motion[2]);
      if (reach === 1 && after > before) {
        const time = timeOf(head, after) - timeOf(head, before);
        const speed = time > 0 && head.fastest > 0 ? length / time / head.fastest : 0;
        shorts[6 * boid + 3] = Math.round(SPEED_LEVELS * Math.min(1, speed));
      }
      if (most >= CLEAR) break;
    }
    const rest = perching[boid] ? restAt(head, places, boid, at, begin, end) : null;
    if (rest) bytes.set(rest, 12 * boid + 8);
    for (let axis = 0; axis < dims && length > 0 && !rest; axis++) {
      bytes[RECORD * boid + RECORD_FIELDS.heading + axis] = Math.round((HEADING * motion[axis]!) / length);
    }
  }
  const words = new Uint32Array(buffer);
  for (let boid = 0; (hidden || ids) && boid < count; boid++) {
    if (hidden?.[at * count + boid] || ids?.[boid] === EMPTY) words[3 * boid + 2] = UNSEEN;
  }
  const counts = presence?.numbers(at) ?? null;
  return {
    dims,
    scene: 0,
    count,
    present: counts?.reduce((sum, flock) => sum + flock.count, 0) ?? count,
    rows: head.boids?.rows ?? null,
    numbers: counts,
    ids,
    layout: 0,
    values: numbers?.at(which, at, presence) ?? null,
    step: stepOf(head, at),
    time: timeOf(head, at),
    lower: head.lower.slice(0, 3) as Vec3,
    side: head.side.slice(0, 3) as Vec3,
    fastest: head.fastest,
    hasNeighbours: false,
    rate: 0,
    words,
    shorts,
    bytes,
  };
}
