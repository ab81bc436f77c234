/** Frames on the graphics card: two textures that take turns, and a ring of past ones for trails. */

import {
  DataArrayTexture,
  DataTexture,
  RGBAIntegerFormat,
  UnsignedIntType,
  type Texture,
} from "three";
import type { Frame } from "../wire/frame";

const WIDTH = 1024; // boids a row; the shaders know it
export const LAYERS = 64; // past frames that can be kept
const MOST_SEGMENTS = 500_000;

function make(rows: number): DataTexture {
  const data = new Uint32Array(WIDTH * rows * 4);
  const texture = new DataTexture(data, WIDTH, rows, RGBAIntegerFormat, UnsignedIntType);
  texture.internalFormat = "RGBA32UI";
  texture.unpackAlignment = 4;
  return texture;
}

/** Three words a boid into texels of four, the kind that every card and three.js take. */
function spread(frame: Frame, into: Uint32Array, at: number): void {
  const { words, count } = frame;
  for (let boid = 0, from = 0, to = at; boid < count; boid++, from += 3, to += 4) {
    into[to] = words[from]!;
    into[to + 1] = words[from + 1]!;
    into[to + 2] = words[from + 2]!;
  }
}

export class StateTextures {
  private textures: [DataTexture, DataTexture] = [make(1), make(1)];
  private holds: [Frame | null, Frame | null] = [null, null];
  private rows = 1;

  /** Make the two hold these frames; what is there already is not sent again. */
  show(before: Frame, now: Frame): { before: Texture; now: Texture } {
    const rows = Math.max(1, Math.ceil(now.count / WIDTH));
    if (rows !== this.rows) {
      this.dispose();
      this.textures = [make(rows), make(rows)];
      this.holds = [null, null];
      this.rows = rows;
    }
    const place = this.holds[0] === before || this.holds[1] === now ? 0 : 1;
    this.fill(place, before);
    this.fill(place === 0 ? 1 : 0, now);
    return { before: this.textures[place], now: this.textures[place === 0 ? 1 : 0] };
  }

  private fill(place: 0 | 1, frame: Frame): void {
    if (this.holds[place] === frame) return;
    const texture = this.textures[place];
    spread(frame, texture.image.data as Uint32Array, 0);
    texture.needsUpdate = true;
    this.holds[place] = frame;
  }

  dispose(): void {
    for (const texture of this.textures) texture.dispose();
  }
}

/** The last frames before the one that is drawn from, newest at `head`. */
export class PastTextures {
  texture: DataArrayTexture | null = null;
  frames: (Frame | null)[] = new Array<Frame | null>(LAYERS).fill(null);
  head = 0;
  length = 0;
  private rows = 0;

  /** How many segments a trail may have with so many boids. */
  static most(count: number): number {
    return Math.min(LAYERS - 1, Math.floor(MOST_SEGMENTS / Math.max(1, count)));
  }

  forget(): void {
    this.length = 0;
  }

  push(frame: Frame): void {
    if (this.length > 0 && this.frames[this.head] === frame) return;
    const rows = Math.max(1, Math.ceil(frame.count / WIDTH));
    const size = WIDTH * rows * 4;
    if (!this.texture || rows !== this.rows) {
      this.texture?.dispose();
      const data = new Uint32Array(size * LAYERS);
      const texture = new DataArrayTexture(data, WIDTH, rows, LAYERS);
      texture.format = RGBAIntegerFormat;
      texture.type = UnsignedIntType;
      texture.internalFormat = "RGBA32UI";
      texture.unpackAlignment = 4;
      texture.needsUpdate = true;
      this.texture = texture;
      this.rows = rows;
      this.length = 0;
    }
    this.head = (this.head + 1) % LAYERS;
    spread(frame, this.texture.image.data as Uint32Array, this.head * size);
    this.texture.addLayerUpdate(this.head);
    this.texture.needsUpdate = true;
    this.frames[this.head] = frame;
    this.length = Math.min(LAYERS - 1, this.length + 1);
  }

  dispose(): void {
    this.texture?.dispose();
    this.texture = null;
  }
}
