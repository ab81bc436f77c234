/** WGSL sources of the shaders that draw boids, the same pictures as those of gl/. Boids are drawn by vertex pulling:
 * each vertex reads its boid from storage buffers by its index. */

import { TABLE } from "../look/styles";
import { PERCHES } from "../wire/frame";
import { BODY, LEAN } from "./rendererbodyshaders";
import { CAMERA, INK } from "./renderercamera";

/** What a boid's record is: three words of a frame as they came over the wire, positions 16-bit parts of a box; or
 * eight words of a state on the device (see deviceboids.ts). */
export type RecordKind = "frame" | "device";

/** Words a boid. */
export const RECORD_WORDS: Record<RecordKind, number> = { frame: 3, device: 8 };

const HEADINGS: Record<RecordKind, string> = {
  frame: /* wgsl */ `
struct Record { a: u32, b: u32, c: u32 }
fn heading(r: Record) -> vec3f { return vec3f(bitcast<vec3i>(vec3u(r.c << 24u, r.c << 16u, r.c << 8u)) >> vec3u(24u)) / 127.0; }
fn lacks(r: Record) -> bool { return (r.c & 0xffffffu) == 0x808080u; } // is not seen: see UNSEEN in wire/frame.ts
fn perches(r: Record) -> bool { let s = dot(heading(r), heading(r)); return ${PERCHES}; }
`,
  device: /* wgsl */ `
struct Record { place: vec4u, motion: vec4u }
fn velocity(r: Record) -> vec3f { return bitcast<vec3f>(r.motion.xyz); }
fn heading(r: Record) -> vec3f { return velocity(r) / max(length(velocity(r)), 1e-30); }
fn lacks(r: Record) -> bool { return any((r.place.xyz & vec3u(0x7f800000u)) == vec3u(0x7f800000u)); } // not finite
fn perches(r: Record) -> bool { return (r.motion.w >> 8u) > 0u; } // steps of its rest
`,
};

const RECORDS = (kind: RecordKind): string => /* wgsl */ `${HEADINGS[kind]}
@group(1) @binding(0) var<storage, read> before: array<Record>;
@group(1) @binding(1) var<storage, read> now: array<Record>;
`;

const NUMBERS: Record<RecordKind, string> = {
  frame: /* wgsl */ `
fn whole(r: Record) -> vec3f { return vec3f(f32(r.a & 0xffffu), f32(r.a >> 16u), f32(r.b & 0xffffu)) + 0.5; }
fn speed(r: Record) -> f32 { return f32(r.b >> 16u) / 65535.0 * scene.fastest; }
fn crowd(r: Record, boid: u32) -> f32 { return f32(r.c >> 24u); }
fn short(boid: u32) -> u32 { return extractBits(numbers[boid >> 1u], 16u * (boid & 1u), 16u); }
fn known(boid: u32) -> bool { return short(boid) != 65535u; }
fn level(boid: u32) -> f32 { return f32(short(boid)); }
`,
  device: /* wgsl */ `
fn whole(r: Record) -> vec3f { return bitcast<vec3f>(r.place.xyz); }
fn speed(r: Record) -> f32 { return length(velocity(r)); }
fn crowd(r: Record, boid: u32) -> f32 { return level(boid); }
fn known(boid: u32) -> bool { return (numbers[boid] & 0x7f800000u) != 0x7f800000u; } // finite
fn level(boid: u32) -> f32 { return bitcast<f32>(numbers[boid]); }
`,
};

const BOID_STATE = /* wgsl */ `
@group(1) @binding(2) var<storage, read> numbers: array<u32>; // for colours, one of each boid
@group(1) @binding(3) var<storage, read> past: array<Record>; // layers of old states
@group(1) @binding(4) var<storage, read> leans: array<vec2f>; // before and now, tangents
@group(2) @binding(0) var<storage, read> shape: array<vec4f>; // corners: see look/shapes.ts and look/bodies.ts
fn shortest(d: vec3f) -> vec3f { return d - scene.period * round(d * scene.perPeriod); }
fn placed(was: Record, is: Record) -> vec3f {
  let a = scene.originBefore + scene.stepBefore * whole(was);
  let b = scene.originNow + scene.stepNow * whole(is);
  return scene.images + shortest(a + scene.part * shortest(b - a) - scene.images);
}
fn hidden(was: Record, is: Record) -> bool { return (lacks(was) && scene.part < 1.0) || (lacks(is) && scene.part > 0.0); }
fn perched(was: Record, is: Record) -> bool { return perches(is) && (scene.part >= 1.0 || perches(was)); }
// A shadow is under all boids.
fn under(at: vec4f) -> vec4f { return select(at, vec4f(at.xy, 0.9999 * at.w, at.w), item.shadow.z < 1.0); }
fn unit(v: vec3f, standing: vec3f) -> vec3f {
  let moving = dot(v, v);
  return select(standing, v * inverseSqrt(max(moving, 1e-30)), moving > 1e-4);
}
fn colour(r: Record, h: vec3f, boid: u32) -> vec3f {
  if (item.mode == 0u || (item.mode == 4u && !known(boid))) { return item.own; }
  var at = 0.0;
  switch item.mode {
    case 1u: { at = fract(atan2(h.y, h.x) / TURN); }
    case 2u: { at = (speed(r) - scene.range.x) * scene.range.y; }
    case 3u: { at = crowd(r, boid) / scene.range.z; }
    default: {
      let value = scene.levelScale.x + scene.levelScale.y * level(boid);
      at = select(value, fract(value), scene.levelScale.z > 0.5);
    }
  }
  return scene.table[u32(clamp(at, 0.0, 1.0) * ${TABLE - 1}.0 + 0.5)];
}
`;

const DART = /* wgsl */ `
@vertex fn dart(@builtin(vertex_index) index: u32) -> Ink {
  let boid = item.first + index / item.corners;
  let corner = index % item.corners;
  let was = before[boid];
  let is = now[boid];
  let turned = unit(mix(heading(was), heading(is), scene.part), scene.right);
  let c = seen(placed(was, is));
  if (c.z < scene.perspective.z || hidden(was, is)) { return UNSEEN; }
  // A step towards the camera also moves outwards from the middle of the picture.
  let away = dot(scene.forward, turned);
  let run = vec2f(dot(scene.right, turned), dot(scene.up, turned)) - away * c.xy / c.z;
  let shown = length(run);
  let along = select(vec2f(1.0, 0.0), run / max(shown, 1e-30), shown > 1e-4);
  var size = item.dart.x * scene.perspective.x / c.z * clamp(shown, item.squeezed, 1.0);
  let faint = min(1.0, size / item.dart.y);
  size = max(size, item.dart.y);
  let s = shape[corner].xy * size;
  let pixels = along * s.x + vec2f(-along.y, along.x) * s.y + item.shadow.xy * size;
  let strength = mix(mix(scene.depths.y, 1.0, nearness(c.z)), 1.0, item.dart.z) * faint * item.shadow.z;
  // A tail fainter than the nose, and a fold along the middle, keep a dense flock legible.
  let tone = clamp(0.88 + 0.3 * shape[corner].x, 0.0, 1.0);
  let fold = item.dart.w * select(-1.0, 1.0, 2u * corner < item.corners) * clamp((size - 7.0) / 8.0, 0.0, 1.0);
  let paint = colour(is, turned, boid) * (1.0 + fold * (along.x * 0.6 + along.y * 0.8));
  let ink = vec4f(min(paint, vec3f(1.0)), 1.0) * (strength * mix(tone, 1.0, 0.35));
  return Ink(under(clip(c) + vec4f(pixels * scene.page.xy * c.z, 0.0, 0.0)), ink);
}`;

const TRAIL = /* wgsl */ `
fn layer(age: u32) -> u32 { return (scene.head + scene.layers - age) % scene.layers; }
fn record(boid: u32, age: u32) -> Record { return past[layer(age) * scene.rows + boid]; }
fn old(boid: u32, age: u32) -> vec3f { return scene.origins[layer(age)] + scene.steps[layer(age)] * whole(record(boid, age)); }
@vertex fn trail(@builtin(vertex_index) index: u32) -> Ink {
  let line = index >> 1u;
  let tail = (index & 1u) == 1u;
  let age = line / item.count;
  let boid = item.first + line % item.count;
  let was = before[boid];
  let is = now[boid];
  var start = placed(was, is);
  var gap = hidden(was, is) || lacks(record(boid, age));
  if (age > 0u) {
    start = scene.images + shortest(old(boid, age - 1u) - scene.images);
    gap = gap || lacks(record(boid, age - 1u));
  }
  let end = start + shortest(old(boid, age) - start);
  let c = seen(select(start, end, tail));
  if (gap || c.z < scene.perspective.z) { return UNSEEN; }
  let left = 1.0 - (f32(age) + select(0.0, 1.0, tail) + scene.part - 1.0) / f32(scene.segments);
  let strength = mix(mix(scene.depths.y, 1.0, nearness(c.z)), 1.0, item.keeps);
  return Ink(clip(c), vec4f(colour(is, heading(is), boid), 1.0) * (0.62 * pow(clamp(left, 0.0, 1.0), 1.4) * strength));
}`;


/** Boids and their trails: vertex shaders `dart`, `trail` and `body`, fragment shaders `flat_ink` and `flesh`. */
export const boidShaders = (kind: RecordKind): string =>
  `const TURN = 6.2831853;\n${INK}${CAMERA}${RECORDS(kind)}${NUMBERS[kind]}${BOID_STATE}${DART}${TRAIL}${BODY}`;

/** The pass that follows how birds lean. */
export const leanShader = (kind: RecordKind): string => RECORDS(kind) + LEAN;
