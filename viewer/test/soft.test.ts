import { beforeAll, expect, test } from "vitest";
import { cameraAxes, project, type Shot } from "../src/camera/projection";
import type { FlockDrawing } from "../src/scene/flocks";
import { DART, SPECK } from "../src/look/shapes";
import { LOOKS } from "../src/look/styles";
import { BoidPainter } from "../src/soft/boids";
import { MARGIN, packed, Pixels } from "../src/soft/pixels";
import { angleOf, diamond, LARGEST, Sprites } from "../src/soft/sprites";
import type { Drawing } from "../src/scene/renderer";
import { decodeFrame, isHidden, isUnseen, type Frame } from "../src/wire/frame";
import { frameBytes } from "./frames";

const BLACK = 0xff000000;
const OPEN = { left: -1e4, top: -1e4, right: 1e4, bottom: 1e4 };

beforeAll(() => {
  // What a browser has and Node has not.
  Object.assign(globalThis, {
    ImageData: class {
      readonly data: Uint8ClampedArray;
      constructor(readonly width: number, readonly height: number) {
        this.data = new Uint8ClampedArray(4 * width * height);
      }
    },
  });
});

const black = (width: number, height: number): Pixels => {
  const pixels = new Pixels(width, height);
  pixels.colours.fill(BLACK);
  return pixels;
};
const red = (pixels: Pixels, x: number, y: number): number =>
  pixels.colours[(y + MARGIN) * pixels.width + x + MARGIN]! & 255;

test("colours are laid over each other by their strength", () => {
  const pixels = black(4, 4);
  pixels.blend(0, packed([200, 100, 50]), 128);
  expect(pixels.image.data.slice(0, 4)).toEqual(Uint8ClampedArray.of(100, 50, 25, 255));
  pixels.blend(0, packed([255, 255, 255]), 256);
  expect(pixels.image.data.slice(0, 4)).toEqual(Uint8ClampedArray.of(255, 255, 255, 255));
});

test("a line goes where it should, however it lies, and is cut at the picture", () => {
  for (const [x, y] of [[30, 7], [7, 30], [-20, 12], [30, 30]] as const) {
    const pixels = black(60, 60);
    const a = { x: 30 + MARGIN, y: 30 + MARGIN, z: 1, s: 1 };
    pixels.line(a, { x: a.x + x, y: a.y + y, z: 1, s: 1 }, packed([255, 0, 0]));
    const [px, py] = [Math.round(30 + x / 2 - 0.5), Math.round(30 + y / 2 - 0.5)];
    let most = 0;
    for (const dx of [-1, 0, 1]) for (const dy of [-1, 0, 1]) most = Math.max(most, red(pixels, px + dx, py + dy));
    expect(most).toBeGreaterThan(120);
    expect(red(pixels, Math.round(30 - x / 2), Math.round(30 - y / 2))).toBe(0);
  }
  black(5, 5).line({ x: -1e6, y: 3, z: 1, s: 1 }, { x: 1e6, y: 1e5, z: 1, s: 1 }, 0xffffffff);
});

test("a nearer triangle hides a farther one that is drawn later", () => {
  const pixels = black(20, 20);
  const triangle = (z: number, colour: [number, number, number], hides: boolean): void => {
    const [a, b, c] = [[0, 0], [100, 0], [0, 100]].map(([x, y]) => ({ x: x!, y: y!, z, s: 1 }));
    pixels.triangle(a!, b!, c!, [0, 0, 0], colour, 1, hides);
  };
  triangle(5, [10, 0, 0], true);
  triangle(9, [200, 0, 0], true);
  expect(red(pixels, 5, 5)).toBe(10);
  triangle(2, [90, 0, 0], false);
  triangle(4, [120, 0, 0], false);
  expect(red(pixels, 5, 5)).toBe(120);
});

test("directions without an arc tangent, there and back", () => {
  for (let degrees = 0; degrees < 360; degrees += 7) {
    const angle = (degrees * Math.PI) / 180;
    expect(angleOf(diamond(Math.cos(angle), Math.sin(angle)))).toBeCloseTo(angle, 9);
  }
});

test("a sprite covers as much as its shape, and points where the shape points", () => {
  const sprites = new Sprites(DART, 1000, 4, 96);
  const size = 40;
  let [area, ahead, right] = [0, 0, 0];
  sprites.each(0.5, 0.5, size, 0, 1, OPEN, (offset, ink) => {
    const row = Math.round(offset / 1000);
    const weight = (ink & 255) / 255;
    area += weight;
    ahead -= weight * row;
    right += weight * (offset - 1000 * row) * (ink > 255 ? 1 : -1);
  });
  // Two triangles of base 0.82 and height 0.3; the tone is 0.9 or so in the mean.
  expect(area / (0.82 * 0.3 * size * size)).toBeGreaterThan(0.84);
  expect(area / (0.82 * 0.3 * size * size)).toBeLessThan(1);
  expect(ahead).toBeGreaterThan(0); // upwards: more of it lies before its middle than behind
  expect(right).toBeGreaterThan(0); // marked: the half on the right of its way
});

test("a sprite is made once for a size, a direction and a place within a pixel", () => {
  const sprites = new Sprites(SPECK, 1000, 2, 64);
  const one = sprites.find(0.1, 0.1, 5, 1);
  expect(sprites.find(0.2, 0.3, 5.02, 1.001)).toBe(one);
  expect(sprites.find(0.7, 0.1, 5, 1)).not.toBe(one);
  expect(sprites.find(0.1, 0.1, 8, 1)).not.toBe(one);
  expect(sprites.find(0.1, 0.1, 5, 3)).not.toBe(one);
  expect(sprites.ends[one]! - sprites.begins[one]!).toBeGreaterThan(4);
  expect(sprites.find(0.99, 0.99, LARGEST - 0.01, 3.999)).toBeLessThan(sprites.begins.length);
});

const shot = (azimuth: number): Shot => ({
  width: 200, height: 160, middleX: 100, middleY: 80, target: [5, 5, 5], axes: cameraAxes(azimuth, 20),
  distance: 30, focal: 200, near: 1, far: 1000, radius: 10,
});

function draw(boids: number[][], size: number, azimuth = 35, more: Partial<FlockDrawing> = {}): Pixels {
  const pixels = black(200, 160);
  drawInto(pixels, decodeFrame(frameBytes({ boids })), size, more, azimuth);
  return pixels;
}

function drawInto(pixels: Pixels, frame: Frame, size: number, more: Partial<FlockDrawing>, azimuth = 35): void {
  const flock: FlockDrawing = {
    first: 0, count: frame.count, outline: { corners: DART, round: false }, body: null, size, least: 1.7, keeps: 1, fold: 0, colour: [255, 0, 0], by: "flock", shadow: null, folded: null, ...more,
  };
  const picture = { look: LOOKS.dark, slowest: 0, fastest: 1, crowd: 16 } as Drawing["picture"];
  const drawing: Drawing = { shot: shot(azimuth), picture, part: 1, imageCentre: [5, 5, 5], fixed: true, side: 720 };
  const sprites = new Sprites(DART, pixels.width, 4, 96);
  new BoidPainter().draw(pixels, sprites, flock, drawing, { before: frame, now: frame, period: [0, 0, 0] }, 1, true);
}

function middle(pixels: Pixels): { x: number; y: number; sum: number } {
  let [sum, x, y] = [0, 0, 0];
  for (let row = 0; row < 160; row++) {
    for (let column = 0; column < 200; column++) {
      const weight = red(pixels, column, row);
      sum += weight;
      x += weight * (column + 0.5);
      y += weight * (row + 0.5);
    }
  }
  return { x: x / sum, y: y / sum, sum };
}

test.each([6, 40])("a boid of %d pixels is drawn where the camera sees it", (size) => {
  for (const azimuth of [0, 35, 200]) {
    const place = 40_000;
    const pixels = draw([[place, 20_000, 30_000, 0, 0, 0, 127]], size, azimuth);
    const at = ([place, 20_000, 30_000] as const).map((q) => ((q + 0.5) / 65536) * 10) as [number, number, number];
    const seen = project(shot(azimuth), at);
    const drawn = middle(pixels);
    // Its middle lies about a tenth of its length before the notch that it turns around.
    expect(Math.hypot(drawn.x - seen.x, drawn.y - seen.y)).toBeLessThan(0.12 * size + 0.5);
    expect(drawn.sum / 255).toBeGreaterThan(0.1 * size * size);
  }
});

test("of two boids in line the nearer is on top, whichever comes first", () => {
  const ink = (order: number[][]): number => {
    const pixels = draw(order, 30, 0, { by: "neighbours" });
    return pixels.colours[(80 + MARGIN) * pixels.width + 100 + MARGIN]!;
  };
  // From azimuth 0 the camera looks along -x: the larger x is nearer. They differ in neighbours.
  const far = [20_000, 32_768, 32_768, 0, 0, 0, 127, 0];
  const near = [50_000, 32_768, 32_768, 0, 0, 0, 127, 16];
  expect(ink([far, near])).toBe(ink([near, far]));
  expect(ink([near])).not.toBe(ink([far]));
});

test("boids out of the picture, behind the camera or very large do no harm", () => {
  const edge = Array.from({ length: 60 }, (_, k) => [(k * 7919) % 65536, (k * 104_729) % 65536, (k * 31) % 65536, 0, 90, 60, 0]);
  for (const size of [2, 23, 400]) {
    const pixels = draw(edge, size, 77);
    expect(pixels.colours.every((colour) => colour >>> 24 === 255)).toBe(true);
  }
});

test("a boid that is not seen in one of two frames is drawn at the other alone", () => {
  const [seen, gap] = [0, -128].map((h) =>
    decodeFrame(frameBytes({ dims: 2, boids: [[100, 100, 0, 0, h, h, h]] })));
  expect(isUnseen(seen!, 0)).toBe(false);
  expect(isUnseen(gap!, 0)).toBe(true);
  const hidden = [0, 0.5, 1].map((part) => [isHidden(seen!, gap!, 0, part), isHidden(gap!, seen!, 0, part)]);
  expect(hidden).toEqual([[false, true], [true, true], [true, false]]);
});

test("shadows of two boids at one place are no darker than that of one", () => {
  const grey = (boids: number[][], size: number): number[] => {
    const frame = decodeFrame(frameBytes({ boids }));
    const pixels = black(200, 160);
    pixels.colours.fill(0xffc8c8c8);
    pixels.clearShades();
    drawInto(pixels, frame, size, { shadow: [0.5, -0.5, 0.3] });
    return [...pixels.colours];
  };
  for (const size of [8, 40]) {
    const one = grey([[5, 5, 5, 1, 0, 0]], size);
    expect(one.some((colour) => colour !== 0xffc8c8c8)).toBe(true);
    expect(Math.min(...one.map((colour) => colour & 255))).toBeGreaterThanOrEqual(0.69 * 0xc8);
    expect(grey([[5, 5, 5, 1, 0, 0], [5, 5, 5, 1, 0, 0]], size)).toEqual(one);
  }
});
