/** Draws the boids of one flock with sprites: projects them, sorts them from far to near, blends them.
 * The loops are long and over plain numbers, as they run for each boid of each picture, millions of
 * times a second. */

import type { FlockDrawing } from "../scene/flocks";
import { hueOf } from "../look/styles";
import type { Drawing } from "../scene/renderer";
import { sitting } from "../scene/uniforms";
import { SPEED_LEVELS } from "../wire/contracts";
import { isPerched, UNSEEN, valueOf, type Frame, type Vec3 } from "../wire/frame";
import { originOf, stepOf } from "../wire/scale";
import { blendSprite, folded, SOLID, writeDepths } from "./blending";
import { paletteOf, partOfRange } from "./palette";
import { MARGIN, packed, type Pixels } from "./pixels";
import { angleOf, diamond, LARGEST, type Sprites } from "./sprites";

const MANY_BOIDS = 20_000;
const LAYERS = 128; // of depth
const BAND = 32; // rows: what is drawn together should fit in the processor's cache

export interface Between {
  before: Frame;
  now: Frame;
  period: Vec3;
}

/** What is known of each boid before it is drawn, four words in memory: its pixel; its sprite and
 * strength; its colour and how it is folded; how far away it is. */
const [HERE, SPRITE, COLOUR, DEPTH] = [0, 1, 2, 3];

interface Large {
  x: number;
  y: number;
  size: number;
  turn: number;
  ink: number;
  strength: number;
  depth: number;
}

export class BoidPainter {
  private floats = new Float32Array(0);
  private ints = new Int32Array(0);
  private sorted = new Int32Array(0);
  private keys = new Uint16Array(0);
  private larges: Large[] = [];

  /** `hides`: something is drawn later that may lie behind the boids. `perched`: draws only those that perch, or only
   * the others. */
  draw(pixels: Pixels, sprites: Sprites, flock: FlockDrawing, drawing: Drawing, between: Between, density: number, hides: boolean, perched?: boolean): void {
    if (this.keys.length < flock.count) {
      const room = Math.ceil(1.2 * flock.count);
      this.floats = new Float32Array(4 * room);
      this.ints = new Int32Array(this.floats.buffer);
      this.sorted = new Int32Array(4 * room);
      this.keys = new Uint16Array(room);
    }
    const seen = this.placeBoids(pixels, sprites, flock, drawing, between, density, perched);
    this.sort(seen);
    if (flock.shadow) {
      this.shade(pixels, sprites, seen);
      return;
    }
    const depths = hides ? pixels.depths : null;
    this.paint(pixels.signed, depths, sprites, seen);
    for (const large of this.larges) this.paintLarge(pixels, depths, sprites, large);
  }

  /** Where the boids lie on the picture; returns how many of them are to be seen. */
  private placeBoids(pixels: Pixels, sprites: Sprites, flock: FlockDrawing, drawing: Drawing, { before, now, period }: Between, density: number, perched?: boolean): number {
    const { shot, picture, part, imageCentre } = drawing;
    const { axes: { right, up, forward }, target, distance, near } = shot;
    const deep = now.dims === 3;
    const { width, height } = pixels;
    const { floats, ints, keys } = this;
    const larges: Large[] = (this.larges = []);
    const [rx, ry, rz] = right;
    const [ux, uy, uz] = up;
    const [fx, fy, fz] = forward;
    const focal = shot.focal * density;
    const [middleX, middleY] = [shot.middleX * density + MARGIN, shot.middleY * density + MARGIN];
    const [ax, ay, az] = originOf(before, target);
    const [nx, ny, nz] = originOf(now, target);
    const [asx, asy, asz] = stepOf(before);
    const [bsx, bsy, bsz] = stepOf(now);
    const [px, py, pz] = period;
    const [ipx, ipy, ipz] = period.map((p) => (p > 0 ? 1 / p : 0)) as Vec3;
    const [ix, iy, iz] = imageCentre.map((c, k) => c - target[k]!) as Vec3;
    const far = deep ? picture.look.far : 1;
    const [fadeFrom, fadeBy] = [distance + shot.radius, 1 / (2 * shot.radius)];
    const wordsA = before.words;
    const wordsB = now.words;
    const own = packed(flock.colour) | 0;
    const palette = flock.by === "flock" ? null : paletteOf(picture.look, flock.by, picture.cyclic);
    const { by, keeps, outline: { round } } = flock;
    const speedScale = now.fastest / SPEED_LEVELS / Math.max(1e-12, picture.fastest - picture.slowest);
    const speedFrom = picture.slowest / Math.max(1e-12, picture.fastest - picture.slowest);
    const size0 = flock.size * density * distance;
    const [shiftX, shiftY, strength0] = flock.shadow ?? [0, 0, 1];
    const [level, rise] = sitting(!deep);
    const lift = (0.5 * rise * flock.size * distance) / shot.focal; // of a boid that perches, length units
    const least = flock.least * density;
    const reach = 0.62 * LARGEST;
    const end = flock.first + flock.count;
    const banded = flock.count > MANY_BOIDS;
    const layerFrom = distance - shot.radius;
    const layerBy = deep ? LAYERS / (2 * shot.radius) : 0;
    let seen = 0;
    for (let boid = flock.first; boid < end; boid++) {
      const w = 3 * boid;
      if (part > 0 && (wordsB[w + 2]! & 0xffffff) === UNSEEN) continue;
      if (part < 1 && (wordsA[w + 2]! & 0xffffff) === UNSEEN) continue;
      if (perched !== undefined && perched !== (isPerched(wordsB[w + 2]!) && (part >= 1 || isPerched(wordsA[w + 2]!)))) continue;
      const a0 = wordsA[w]!, a1 = wordsA[w + 1]!, b0 = wordsB[w]!, b1 = wordsB[w + 1]!;
      // Where it is, from the camera's target: part of the shorter way, and the image to be drawn.
      let x = ax + asx * ((a0 & 0xffff) + 0.5);
      let y = ay + asy * ((a0 >>> 16) + 0.5);
      let z = az + asz * ((a1 & 0xffff) + 0.5);
      let dx = nx + bsx * ((b0 & 0xffff) + 0.5) - x;
      let dy = ny + bsy * ((b0 >>> 16) + 0.5) - y;
      let dz = nz + bsz * ((b1 & 0xffff) + 0.5) - z;
      if (px > 0) dx -= px * Math.round(dx * ipx);
      if (py > 0) dy -= py * Math.round(dy * ipy);
      if (pz > 0) dz -= pz * Math.round(dz * ipz);
      x += part * dx;
      y += part * dy;
      z += part * dz;
      if (px > 0) x -= px * Math.round((x - ix) * ipx);
      if (py > 0) y -= py * Math.round((y - iy) * ipy);
      if (pz > 0) z -= pz * Math.round((z - iz) * ipz);
      if (perched) z += lift;
      const depth = fx * x + fy * y + fz * z + distance;
      if (depth < near) continue;
      const closeness = 1 / depth;
      const acrossX = (rx * x + ry * y + rz * z) * closeness;
      const acrossY = (ux * x + uy * y + uz * z) * closeness;
      let size = size0 * closeness;
      const sx = middleX + acrossX * focal + shiftX * size;
      const sy = middleY - acrossY * focal - shiftY * size;
      // Sprites are never clipped: their margin is. Large shapes reach in from farther away.
      const edge = size < LARGEST ? reach : -0.62 * size;
      if (sx < edge || sx > width - edge || sy < edge || sy > height - edge) continue;
      // Which way it points, on the picture.
      const a2 = wordsA[w + 2]!, b2 = wordsB[w + 2]!;
      let hx = (a2 << 24) >> 24, hy = (a2 << 16) >> 24, hz = (a2 << 8) >> 24;
      hx += part * (((b2 << 24) >> 24) - hx);
      hy += part * (((b2 << 16) >> 24) - hy);
      hz += part * (((b2 << 8) >> 24) - hz);
      const moving = hx * hx + hy * hy + hz * hz;
      if (moving < 1.6) { hx = rx; hy = ry; hz = rz; }
      else {
        const k = 1 / Math.sqrt(moving);
        hx *= k; hy *= k; hz *= k;
      }
      if (perched) { hx *= level; hy *= level; hz = rise; }
      // A step towards the camera also moves outwards from the middle of the picture.
      const away = fx * hx + fy * hy + fz * hz;
      let runX = rx * hx + ry * hy + rz * hz - away * acrossX;
      let runY = ux * hx + uy * hy + uz * hz - away * acrossY;
      const shown = Math.sqrt(runX * runX + runY * runY);
      if (shown < 1e-4) { runX = 1; runY = 0; }
      if (!round) size *= shown < 0.4 ? 0.4 : shown > 1 ? 1 : shown;
      let nearness = (fadeFrom - depth) * fadeBy;
      nearness = nearness < 0 ? 0 : nearness > 1 ? 1 : Math.sqrt(nearness);
      let strength = far + (1 - far) * nearness;
      strength += keeps * (1 - strength);
      if (size < least) {
        strength *= size / least;
        size = least;
      }
      let colour = own;
      const value = by === "value" ? valueOf(now, boid) : null;
      if (palette !== null && (by !== "value" || value !== null)) {
        const at = value !== null ? partOfRange(value, picture) : by === "heading" ? hueOf(hx, hy)
          : by === "speed" ? (b1 >>> 16) * speedScale - speedFrom
          : (b2 >>> 24) / picture.crowd;
        colour = palette[(Math.min(1, Math.max(0, at)) * 127 + 0.5) | 0]!;
      }
      let crease = 0;
      if (flock.fold > 0 && size > 7) {
        crease = (127 * flock.fold * Math.min(1, (size - 7) / 8) * (0.6 * runX + 0.8 * runY)) / shown;
      }
      const turn = diamond(runX, runY);
      const ink = (colour & 0xffffff) | (crease << 24);
      const full = (256.5 * strength * strength0) | 0;
      const cellX = sx | 0, cellY = sy | 0;
      if (size >= LARGEST) {
        larges.push({ x: sx, y: sy, size, turn, ink, strength: full, depth });
        continue;
      }
      const row = 4 * seen;
      ints[row + HERE] = cellY * width + cellX;
      ints[row + SPRITE] = (sprites.find(sx - cellX, sy - cellY, size, turn) << 9) | full;
      ints[row + COLOUR] = ink;
      floats[row + DEPTH] = depth;
      const layer = (depth - layerFrom) * layerBy;
      keys[seen] = (banded ? (sy / BAND) | 0 : 0) * LAYERS + (LAYERS - 1 - (layer < 0 ? 0 : layer > LAYERS - 1 ? LAYERS - 1 : layer | 0));
      seen++;
    }
    larges.sort((a, b) => b.depth - a.depth);
    return seen;
  }

  /** By band and, within it, by depth: the farthest first. */
  private sort(seen: number): void {
    const { keys, ints, sorted } = this;
    const places = new Uint32Array(1 << 14);
    for (let k = 0; k < seen; k++) places[keys[k]! + 1]!++;
    for (let key = 1; key < places.length; key++) places[key]! += places[key - 1]!;
    for (let k = 0; k < seen; k++) {
      const to = 4 * places[keys[k]!]!++;
      sorted[to] = ints[4 * k]!;
      sorted[to + 1] = ints[4 * k + 1]!;
      sorted[to + 2] = ints[4 * k + 2]!;
      sorted[to + 3] = ints[4 * k + 3]!;
    }
  }

  private paint(colours: Int32Array, depths: Float32Array | null, sprites: Sprites, seen: number): void {
    const { sorted } = this;
    const far = new Float32Array(sorted.buffer);
    const { begins, ends } = sprites;
    for (let row = 0; row < 4 * seen; row += 4) {
      const sprite = sorted[row + SPRITE]!;
      const from = begins[sprite >> 9]!, to = ends[sprite >> 9]!;
      blendSprite(colours, sprites.marks, from, to, sorted[row + HERE]!, sorted[row + COLOUR]!, sprite & 511);
      if (depths) writeDepths(depths, sprites.marks, from, to, sorted[row + HERE]!, far[row + DEPTH]!);
    }
  }

  /** Shadows: those of many boids are no darker than that of one. */
  private shade(pixels: Pixels, sprites: Sprites, seen: number): void {
    const { sorted } = this;
    const { begins, ends, marks } = sprites;
    for (let row = 0; row < 4 * seen; row += 4) {
      const sprite = sorted[row + SPRITE]!;
      for (let k = begins[sprite >> 9]!; k < ends[sprite >> 9]!; k++) {
        pixels.shade(sorted[row + HERE]! + (marks[k]! >> 9), (((marks[k]! & 255) + 1) * (sprite & 511)) >>> 8);
      }
    }
    for (const large of this.larges) this.eachOf(pixels, sprites, large, (at, mark) => pixels.shade(at, (((mark & 255) + 1) * large.strength) >>> 8));
  }

  /** The pixels of a boid that is too large to keep, and their marks. */
  private eachOf({ width, height }: Pixels, sprites: Sprites, { x, y, size, turn }: Large, draw: (at: number, mark: number) => void): void {
    const [cellX, cellY] = [Math.floor(x), Math.floor(y)];
    const angle = angleOf(turn);
    const room = { left: -cellX, top: -cellY, right: width - cellX, bottom: height - cellY };
    const here = cellY * width + cellX;
    sprites.each(x - cellX, y - cellY, size, Math.cos(angle), Math.sin(angle), room, (offset, mark) => draw(here + offset, mark));
  }

  private paintLarge(pixels: Pixels, depths: Float32Array | null, sprites: Sprites, large: Large): void {
    const { ink, strength, depth } = large;
    const sides = folded(ink);
    this.eachOf(pixels, sprites, large, (at, mark) => {
      pixels.blend(at, sides[mark >> 8]!, (((mark & 255) + 1) * strength) >>> 8);
      if (depths && (mark & 255) > SOLID) depths[at] = depth;
    });
  }
}
