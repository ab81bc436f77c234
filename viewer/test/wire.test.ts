import { describe, expect, it } from "vitest";
import { encode } from "../src/flight/encode";
import { decodeFrame, headingOf, positionOf, speedOf, valueOf, WireError } from "../src/wire/frame";
import { asNumber, parseJson, writeJson } from "../src/wire/json";
import { frameBytes } from "./frames";

const BOIDS = [
  [0, 32768, 65535, 65535, 127, 0, -127, 7],
  [16384, 1, 2, 32768, 0, 90, 90, 255],
];

describe("the wire decoder", () => {
  it("reads the header", () => {
    const frame = decodeFrame(frameBytes({ scene: 9, step: 1e10, time: 0.25, rate: 24, flags: 1, boids: BOIDS }));
    expect(frame).toMatchObject({ dims: 3, scene: 9, count: 2, step: 1e10, time: 0.25, rate: 24, hasNeighbours: true });
  });

  it("reads positions in the frame's own box", () => {
    const frame = decodeFrame(frameBytes({ lower: [-5, 0, 100], side: [10, 20, 1], boids: BOIDS }));
    const [x, y, z] = positionOf(frame, 0);
    expect(x).toBeCloseTo(-5 + (0.5 / 65536) * 10, 9);
    expect(y).toBeCloseTo(10, 3);
    expect(z).toBeCloseTo(101, 3);
  });

  it("reads speeds, headings and the extra byte", () => {
    const frame = decodeFrame(frameBytes({ fastest: 4, boids: BOIDS }));
    expect(speedOf(frame, 0)).toBe(4);
    expect(speedOf(frame, 1)).toBeCloseTo(2, 3);
    expect(headingOf(frame, 0)).toEqual([1, 0, -1]);
    expect(frame.bytes[11]! & 255).toBe(7);
    expect(frame.bytes[23]! & 255).toBe(255);
  });

  it("packs a boid in three words, as the shaders read them", () => {
    const { words } = decodeFrame(frameBytes({ boids: [[1, 2, 3, 4, -1, 2, -3, 200]] }));
    expect([...words]).toEqual([1 | (2 << 16), 3 | (4 << 16), (255 | (2 << 8) | (253 << 16) | (200 << 24)) >>> 0]);
  });

  it("has no third axis in 2-D", () => {
    const frame = decodeFrame(frameBytes({ dims: 2, boids: BOIDS }));
    expect(positionOf(frame, 0)[2]).toBe(0);
  });

  it("takes views that begin anywhere", () => {
    const bytes = new Uint8Array(frameBytes({ boids: BOIDS }));
    const shifted = new Uint8Array(bytes.length + 3);
    shifted.set(bytes, 3);
    const frame = decodeFrame(new DataView(shifted.buffer, 3, bytes.length));
    expect(positionOf(frame, 1)[0]).toBeCloseTo(2.5, 3);
  });

  it("says what is wrong with other bytes", () => {
    expect(() => decodeFrame(new ArrayBuffer(10))).toThrow(WireError);
    expect(() => decodeFrame(frameBytes({ magic: 1, boids: [] }))).toThrow("not a frame");
    expect(() => decodeFrame(frameBytes({ version: 2, boids: [] }))).toThrow("version 2");
    expect(() => decodeFrame(frameBytes({ dims: 4, boids: [] }))).toThrow("4 dimensions");
    const short = frameBytes({ boids: BOIDS }).slice(0, 100);
    expect(() => decodeFrame(short)).toThrow("too few for 2 boids");
  });
});

describe("frames that a page writes", () => {
  it("hold a number of each boid, where there is one", () => {
    const space = { lower: [0, 0, 0], upper: [10, 8, 1], periodic: [true, true, false], boundaries: ["periodic", "periodic"] };
    const zeros = new Float32Array(12);
    const flock = { dims: 2, boids: 4, counts: [4], who: null, step: 1, time: 1, positions: zeros, velocities: zeros, timers: new Int32Array(4) };
    const values = Float32Array.of(-1, 0.5, NaN, 2);
    const frame = decodeFrame(encode(flock, { space, scene: 1, flocks: [] }, 0, null, { which: 3, values }));
    expect(frame.values).toMatchObject({ which: 3, low: -1, high: 2 });
    expect(valueOf(frame, 2)).toBeNull();
    for (const boid of [0, 1, 3]) expect(valueOf(frame, boid)).toBeCloseTo(values[boid]!, 4);
    expect(decodeFrame(encode(flock, { space, scene: 1, flocks: [] }, 0, null)).values).toBeNull();
  });
});

describe("JSON with infinite numbers", () => {
  it("reads bare words outside of strings", () => {
    expect(parseJson('{"a": Infinity, "b": [-Infinity, 1], "c": "Infinity, NaN"}')).toEqual({
      a: Infinity, b: [-Infinity, 1], c: "Infinity, NaN",
    });
  });
  it("writes them as words that Python reads", () => {
    expect(writeJson({ a: Infinity, b: [-Infinity, 2] })).toBe('{"a":"inf","b":["-inf",2]}');
  });
  it("takes either for a number", () => {
    expect([asNumber(2), asNumber("inf"), asNumber("-inf"), asNumber("x"), asNumber(null)]).toEqual([2, Infinity, -Infinity, null, null]);
  });
});
