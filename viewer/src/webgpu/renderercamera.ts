/** WGSL sources that all shaders of the WebGPU renderer share, and those of the scenery. */

import { LAYERS } from "../gl/textures";
import { TABLE } from "../look/styles";
import { Block } from "./rendererblocks";

/** What is the same in a whole picture. */
export const SCENE = new Block("Scene", {
  right: "vec3f", up: "vec3f", forward: "vec3f",
  perspective: "vec4f", // distance, focal, near, far
  page: "vec4f", // 2 / width, 2 / height, where the target lies
  depths: "vec2f", // radius of the fading, strength of the farthest
  part: "f32", // from the state before to the state now
  fastest: "f32", // speed at level 65535
  originBefore: "vec3f", stepBefore: "vec3f", originNow: "vec3f", stepNow: "vec3f",
  period: "vec3f", perPeriod: "vec3f", images: "vec3f",
  levelScale: "vec3f", // part of the table at level 0, and for each level; whether it is a circle
  range: "vec3f", // slowest, 1 / (fastest - slowest), crowd
  clock: "f32", // seconds of film
  layers: "u32", rows: "u32", head: "u32", // of the past: how many, boids in each, the newest
  segments: "u32", // of a trail
  table: `array<vec3f, ${TABLE}>`,
  origins: `array<vec3f, ${LAYERS}>`, steps: `array<vec3f, ${LAYERS}>`, // of the past
});

/** What each draw call has of its own: a flock, the lines, a solid. */
export const ITEM = new Block("Item", {
  dart: "vec4f", // length in pixels at the target, smallest, keeps its strength, folded
  own: "vec3f",
  shadow: "vec3f", // how far to the right and up, in lengths, and its strength; 1: none
  sitting: "vec2f", // axis of a boid that perches: along the ground, and up
  first: "u32", count: "u32", corners: "u32",
  mode: "u32", // 0 flock, 1 heading, 2 speed, 3 neighbours, 4 a number of each boid
  squeezed: "f32", // the least foreshortening
  keeps: "f32",
  offset: "vec3f", paint: "vec3f", shade: "vec3f",
  fading: "vec2f", // lines: reach of the ground, 0: none; whether strength falls with depth
  sheet: "vec2f", // solids: opacity; whether it is flat (no light)
});

export const INK = /* wgsl */ `
struct Ink { @builtin(position) at: vec4f, @location(0) ink: vec4f }
const UNSEEN = Ink(vec4f(0.0, 0.0, -2.0, 1.0), vec4f(0.0));
@fragment fn flat_ink(in: Ink) -> @location(0) vec4f { return in.ink; }
`;

/** Perspective projection of points, which are offsets from the camera's target. */
export const CAMERA = /* wgsl */ `${SCENE.text}${ITEM.text}
@group(0) @binding(0) var<uniform> scene: Scene;
@group(0) @binding(1) var<uniform> item: Item;
fn seen(p: vec3f) -> vec3f {
  return vec3f(dot(scene.right, p), dot(scene.up, p), dot(scene.forward, p) + scene.perspective.x);
}
fn clip(c: vec3f) -> vec4f {
  let n = scene.perspective.z;
  let f = scene.perspective.w;
  return vec4f(c.xy * scene.perspective.y * scene.page.xy + scene.page.zw * c.z, f * (c.z - n) / (f - n), c.z);
}
fn nearness(depth: f32) -> f32 {
  return sqrt(clamp((scene.perspective.x + scene.depths.x - depth) / (2.0 * scene.depths.x), 0.0, 1.0));
}
`;

/** Lines and solids. */
export const SCENERY = /* wgsl */ `${INK}${CAMERA}
@vertex fn line(@location(0) position: vec3f, @location(1) strength: f32) -> Ink {
  let p = position + item.offset;
  let c = seen(p);
  var s = abs(strength);
  // Negative strengths are the ground's, which fades out around a followed flock.
  if (strength < 0.0 && item.fading.x > 0.0) { s *= clamp(1.0 - length(p.xy) / item.fading.x, 0.0, 1.0); }
  if (strength > 0.0 && item.fading.y > 0.0) { s *= 0.28 + 0.72 * nearness(c.z); }
  return Ink(clip(c), select(vec4f(item.paint, 1.0) * s, vec4f(item.shade, 1.0), strength > 1.5)); // see WIRE in scenery.ts
}
@vertex fn solid(@location(0) position: vec3f, @location(1) normal: vec3f) -> Ink {
  let light = normalize(vec3f(-0.45, 0.72, -0.53));
  let shine = dot(vec3f(dot(scene.right, normal), dot(scene.up, normal), dot(scene.forward, normal)), light);
  let lit = mix(clamp(0.22 + 0.78 * shine, 0.0, 1.0), 1.0, item.sheet.y);
  return Ink(clip(seen(position + item.offset)), vec4f(mix(item.shade, item.paint, lit), 1.0) * item.sheet.x);
}`;
