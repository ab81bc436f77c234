import { expect, test } from "vitest";
import { Block } from "../src/webgpu/rendererblocks";

test("fields lie where WGSL's rules for uniform structs put them", () => {
  const block = new Block("Some", { a: "vec3f", b: "f32", c: "u32", d: "vec2f", e: "vec4f", f: "f32", g: "array<vec3f, 2>" });
  expect(block.bytes).toBe(4 * 24);
  expect(block.text).toContain("struct Some { a: vec3f, b: f32, c: u32, d: vec2f, e: vec4f, f: f32, g: array<vec3f, 2> }");
  const buffer = new ArrayBuffer(256 + block.bytes);
  block.write(buffer, 256, { a: [1, 2, 3], b: 4, unknown: 9 }, { c: 5, d: [6, 7], e: [8, 9, 10, 11], f: 12, g: [13, 14, 15, 16, 17, 18] });
  const numbers = [...new Float32Array(buffer, 256)];
  expect(new Uint32Array(buffer, 256)[4]).toBe(5);
  numbers[4] = 0;
  expect(numbers).toEqual([1, 2, 3, 4, 0, 0, 6, 7, 8, 9, 10, 11, 12, 0, 0, 0, 13, 14, 15, 0, 16, 17, 18, 0]);
});
