/** Textures that hold frames: two that take turns, and a ring of past ones for trails. A texel is a
 * boid: its three 32-bit words as they came over the wire. */

import type { Frame } from "../wire/frame";

export const WIDTH = 1024; // boids a row; the shaders know it
export const LAYERS = 64; // past frames that can be kept
const MAX_SEGMENTS = 500_000;

/** Where textures are bound. */
export const UNITS = { before: 0, now: 1, table: 2, past: 3, leans: 4, levels: 5 };

const rowsFor = (count: number): number => Math.max(1, Math.ceil(count / WIDTH));

/** A texture that is read texel by texel, bound where the next calls will find it. */
export function newTexture(gl: WebGL2RenderingContext, kind: number, unit: number): WebGLTexture {
  const texture = gl.createTexture();
  gl.activeTexture(gl.TEXTURE0 + unit);
  gl.bindTexture(kind, texture);
  gl.texParameteri(kind, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.texParameteri(kind, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  return texture;
}

/** Sends a frame in whole rows and what is left over. */
function send(
  { words, count }: Frame,
  put: (row: number, width: number, height: number, data: Uint32Array) => void,
): void {
  const whole = Math.floor(count / WIDTH);
  const rest = count - WIDTH * whole;
  if (whole > 0) put(0, WIDTH, whole, words.subarray(0, 3 * WIDTH * whole));
  if (rest > 0) put(whole, rest, 1, words.subarray(3 * WIDTH * whole, 3 * count));
}

export class FrameTextures {
  private textures: WebGLTexture[] = [];
  private holds: (Frame | null)[] = [null, null];
  private rows = 0;

  constructor(private readonly gl: WebGL2RenderingContext) {}

  /** Bind these two frames; what is on the card already is not sent again. */
  show(before: Frame, now: Frame): void {
    const { gl } = this;
    const rows = Math.max(rowsFor(now.count), rowsFor(before.count));
    if (rows !== this.rows) {
      this.dispose();
      this.textures = [0, 1].map(() => {
        const texture = newTexture(gl, gl.TEXTURE_2D, UNITS.before);
        gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGB32UI, WIDTH, rows);
        return texture;
      });
      this.rows = rows;
    }
    const place = this.holds[0] === before || this.holds[1] === now ? 0 : 1;
    this.fill(place, before, UNITS.before);
    this.fill(1 - place, now, UNITS.now);
  }

  private fill(place: number, frame: Frame, unit: number): void {
    const { gl } = this;
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(gl.TEXTURE_2D, this.textures[place]!);
    if (this.holds[place] === frame) return;
    send(frame, (row, width, height, data) =>
      gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, row, width, height, gl.RGB_INTEGER, gl.UNSIGNED_INT, data));
    this.holds[place] = frame;
  }

  dispose(): void {
    for (const texture of this.textures) this.gl.deleteTexture(texture);
    this.textures = [];
    this.holds = [null, null];
  }
}

/** A number of each boid, for its colour. */
export class LevelTexture {
  private texture: WebGLTexture | null = null;
  private holds: Uint16Array | null = null;

  constructor(private readonly gl: WebGL2RenderingContext) {}

  show(levels: Uint16Array): void {
    if (this.holds === levels) return;
    const { gl } = this;
    this.texture ??= newTexture(gl, gl.TEXTURE_2D, UNITS.levels);
    gl.activeTexture(gl.TEXTURE0 + UNITS.levels);
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    const rows = rowsFor(levels.length);
    const whole = new Uint16Array(WIDTH * rows);
    whole.set(levels);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 2);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.R16UI, WIDTH, rows, 0, gl.RED_INTEGER, gl.UNSIGNED_SHORT, whole);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 4);
    this.holds = levels;
  }

  dispose(): void {
    this.gl.deleteTexture(this.texture);
    this.texture = this.holds = null;
  }
}

/** The last frames before the one that is drawn from, newest at `head`. */
export class TrailTextures {
  frames: (Frame | null)[] = new Array<Frame | null>(LAYERS).fill(null);
  head = 0;
  length = 0;
  private texture: WebGLTexture | null = null;
  private rows = 0;

  constructor(private readonly gl: WebGL2RenderingContext) {}

  /** Return the maximum number of segments of a trail for a number of boids. */
  static maxSegments(count: number): number {
    return Math.min(LAYERS - 1, Math.floor(MAX_SEGMENTS / Math.max(1, count)));
  }

  forget(): void {
    this.length = 0;
  }

  push(frame: Frame): void {
    if (this.length > 0 && this.frames[this.head] === frame) return;
    const { gl } = this;
    const rows = rowsFor(frame.count);
    if (!this.texture || rows !== this.rows) {
      this.dispose();
      this.texture = newTexture(gl, gl.TEXTURE_2D_ARRAY, UNITS.past);
      gl.texStorage3D(gl.TEXTURE_2D_ARRAY, 1, gl.RGB32UI, WIDTH, rows, LAYERS);
      this.rows = rows;
      this.length = 0;
    }
    this.head = (this.head + 1) % LAYERS;
    gl.activeTexture(gl.TEXTURE0 + UNITS.past);
    gl.bindTexture(gl.TEXTURE_2D_ARRAY, this.texture);
    send(frame, (row, width, height, data) =>
      gl.texSubImage3D(
        gl.TEXTURE_2D_ARRAY, 0, 0, row, this.head, width, height, 1, gl.RGB_INTEGER, gl.UNSIGNED_INT, data,
      ));
    this.frames[this.head] = frame;
    this.length = Math.min(LAYERS - 1, this.length + 1);
  }

  dispose(): void {
    this.gl.deleteTexture(this.texture);
    this.texture = null;
  }
}
