/** GLSL sources of the shaders. Boids are drawn by vertex pulling: no vertex buffers, each vertex reads its
 * boid from a texture by gl_VertexID, which is many times faster than instancing tiny shapes. */

import { PERCHES } from "../wire/frame";

/** Perspective projection of points, which are offsets from the camera's target. */
export const CAMERA = /* glsl */ `
precision highp float;
precision highp int;
uniform vec3 right, up, forward;
uniform vec4 perspective;   // distance, focal, near, far
uniform vec4 page;   // 2 / width, 2 / height, where the target lies
uniform vec2 depths; // radius of the fading, strength of the farthest
vec3 seen(vec3 p) { return vec3(dot(right, p), dot(up, p), dot(forward, p) + perspective.x); }
vec4 clip(vec3 c) {
  float n = perspective.z, f = perspective.w;
  return vec4(c.xy * perspective.y * page.xy + page.zw * c.z,
              ((f + n) * c.z - 2.0 * f * n) / (f - n), c.z);
}
float nearness(float depth) {
  return sqrt(clamp((perspective.x + depths.x - depth) / (2.0 * depths.x), 0.0, 1.0));
}
`;

/** Position and heading of a boid from its three 32-bit words; positions are 16-bit parts of a box. */
export const BOID_STATE = /* glsl */ `
precision highp usampler2D;
uniform usampler2D before, now;
uniform vec3 originBefore, stepBefore, originNow, stepNow, period, perPeriod, images;
uniform float part;
vec3 whole(uvec3 w) {
  return vec3(float(w.x & 0xffffu), float(w.x >> 16), float(w.y & 0xffffu)) + 0.5;
}
vec3 heading(uvec3 w) {
  ivec3 h = ivec3(int(w.z << 24), int(w.z << 16), int(w.z << 8)) >> 24;
  return vec3(h) / 127.0;
}
bool perches(uvec3 w) { vec3 h = heading(w); float s = dot(h, h); return ${PERCHES}; }
bool perched(uvec3 was, uvec3 is) { return perches(is) && (part >= 1.0 || perches(was)); }
vec3 shortest(vec3 d) { return d - period * round(d * perPeriod); }
vec3 placed(uvec3 was, uvec3 is) {
  vec3 a = originBefore + stepBefore * whole(was), b = originNow + stepNow * whole(is);
  vec3 p = a + part * shortest(b - a);
  return images + shortest(p - images);
}
// Whether a boid is not seen in a frame: see UNSEEN in wire/frame.ts.
bool lacks(uvec3 w) { return (w.z & 0xffffffu) == 0x808080u; }
bool hidden(uvec3 was, uvec3 is) { return (lacks(was) && part < 1.0) || (lacks(is) && part > 0.0); }
uvec3 fetch(usampler2D state, int boid) { return texelFetch(state, ivec2(boid & 1023, boid >> 10), 0).xyz; }
`;

export const COLOUR = /* glsl */ `
uniform sampler2D table;
uniform usampler2D levels; // a number of each boid; 65535: none
uniform vec3 levelScale;   // part of the table at level 0, and for each level; whether it is a circle
uniform int mode;      // 0 flock, 1 heading, 2 speed, 3 neighbours, 4 a number of each boid
uniform vec3 own;
uniform vec3 range;    // slowest, 1 / (fastest - slowest), crowd
uniform float fastest; // speed at level 65535
vec3 colour(uvec3 w, vec3 h, int boid) {
  uint level = mode == 4 ? texelFetch(levels, ivec2(boid & 1023, boid >> 10), 0).x : 65535u;
  if (mode == 0 || (mode == 4 && level == 65535u)) return own;
  float value = levelScale.x + levelScale.y * float(level);
  float at = mode == 4 ? mix(value, fract(value), levelScale.z) : mode == 1 ? fract(atan(h.y, h.x) / 6.2831853)
    : mode == 2 ? (float(w.y >> 16) / 65535.0 * fastest - range.x) * range.y
    : float(w.z >> 24) / range.z;
  return texelFetch(table, ivec2(int(clamp(at, 0.0, 1.0) * 127.0 + 0.5), 0), 0).rgb;
}
`;

export const BOIDS = /* glsl */ `${CAMERA}${BOID_STATE}${COLOUR}
uniform vec2 shape[24];
uniform int corners, first;
uniform float squeezed; // the least foreshortening
uniform vec4 dart;  // length in pixels at the target, smallest, keeps its strength, folded
uniform vec3 shadow; // how far to the right and up, in lengths, and its strength; 1: none
out vec4 ink;
void main() {
  int boid = gl_VertexID / corners;
  int corner = gl_VertexID - boid * corners;
  boid += first;
  uvec3 was = fetch(before, boid), is = fetch(now, boid);
  vec3 turned = mix(heading(was), heading(is), part);
  float moving = dot(turned, turned);
  turned = moving > 1e-4 ? turned * inversesqrt(moving) : right;
  vec3 c = seen(placed(was, is));
  if (c.z < perspective.z || hidden(was, is)) { gl_Position = vec4(0.0, 0.0, -2.0, 1.0); ink = vec4(0.0); return; }
  // A step towards the camera also moves outwards from the middle of the picture.
  float away = dot(forward, turned);
  vec2 run = vec2(dot(right, turned), dot(up, turned)) - away * c.xy / c.z;
  float shown = length(run);
  vec2 along = shown > 1e-4 ? run / shown : vec2(1.0, 0.0);
  float size = dart.x * perspective.x / c.z * clamp(shown, squeezed, 1.0);
  float faint = min(1.0, size / dart.y);
  size = max(size, dart.y);
  vec2 s = shape[corner] * size;
  vec2 pixels = along * s.x + vec2(-along.y, along.x) * s.y + shadow.xy * size;
  gl_Position = clip(c) + vec4(pixels * page.xy * c.z, 0.0, 0.0);
  if (shadow.z < 1.0) gl_Position.z = 0.9999 * gl_Position.w; // under all boids
  float strength = mix(depths.y, 1.0, nearness(c.z));
  strength = mix(strength, 1.0, dart.z) * faint * shadow.z;
  // A tail fainter than the nose, and a fold along the middle, keep a dense flock legible.
  float tone = clamp(0.88 + 0.3 * shape[corner].x, 0.0, 1.0);
  float fold = dart.w * (2 * corner < corners ? 1.0 : -1.0) * clamp((size - 7.0) / 8.0, 0.0, 1.0);
  vec3 paint = colour(is, turned, boid) * (1.0 + fold * (along.x * 0.6 + along.y * 0.8));
  ink = vec4(min(paint, 1.0), 1.0) * (strength * mix(tone, 1.0, 0.35));
}`;

export const TRAILS = /* glsl */ `${CAMERA}${BOID_STATE}${COLOUR}
precision highp usampler2DArray;
uniform usampler2DArray past;
uniform vec3 origins[LAYERS], steps[LAYERS];
uniform int first, segments, head, count;
uniform float keeps;
out vec4 ink;
int layerOf(int age) { return (head - age + LAYERS) % LAYERS; }
uvec3 record(int boid, int age) { return texelFetch(past, ivec3(boid & 1023, boid >> 10, layerOf(age)), 0).xyz; }
vec3 old(int boid, int age) { return origins[layerOf(age)] + steps[layerOf(age)] * whole(record(boid, age)); }
void main() {
  int line = gl_VertexID >> 1;
  int age = line / count;
  int boid = first + line - age * count;
  uvec3 was = fetch(before, boid), is = fetch(now, boid);
  vec3 p = placed(was, is);
  vec3 start = p;
  if (age > 0) { vec3 s = old(boid, age - 1); start = images + shortest(s - images); }
  vec3 end = start + shortest(old(boid, age) - start);
  bool tail = (gl_VertexID & 1) == 1;
  vec3 c = seen(tail ? end : start);
  bool gap = hidden(was, is) || lacks(record(boid, age)) || (age > 0 && lacks(record(boid, age - 1)));
  gl_Position = gap || c.z < perspective.z ? vec4(0.0, 0.0, -2.0, 1.0) : clip(c);
  float left = 1.0 - (float(age + (tail ? 1 : 0)) + part - 1.0) / float(segments);
  float strength = mix(mix(depths.y, 1.0, nearness(c.z)), 1.0, keeps);
  ink = vec4(colour(is, heading(is), boid), 1.0) * (0.62 * pow(clamp(left, 0.0, 1.0), 1.4) * strength);
}`;

export const LINES = /* glsl */ `${CAMERA}
in vec3 position;
in float strength;
uniform vec3 offset, paint, wire;
uniform vec2 fading; // reach of the ground, 0: none; whether strength falls with depth
out vec4 ink;
void main() {
  vec3 p = position + offset;
  vec3 c = seen(p);
  gl_Position = clip(c);
  float s = abs(strength);
  // Negative strengths are the ground's, which fades out around a followed flock.
  if (strength < 0.0 && fading.x > 0.0) s *= clamp(1.0 - length(p.xy) / fading.x, 0.0, 1.0);
  if (strength > 0.0 && fading.y > 0.0) s *= 0.28 + 0.72 * nearness(c.z);
  ink = strength > 1.5 ? vec4(wire, 1.0) : vec4(paint, 1.0) * s; // see WIRE in scenery.ts
}`;

/** The fragment shader of all of them: the colour that comes from the vertices. */
export const FRAGMENT = /* glsl */ `
precision mediump float;
in vec4 ink;
out vec4 pixel;
void main() { pixel = ink; }`;

export const SOLID = /* glsl */ `${CAMERA}
in vec3 position, normal;
uniform vec3 offset, body, shade;
uniform vec2 sheet; // opacity; whether it is flat (no light)
out vec4 ink;
void main() {
  vec3 light = normalize(vec3(-0.45, 0.72, -0.53));
  float shine = dot(vec3(dot(right, normal), dot(up, normal), dot(forward, normal)), light);
  shine = mix(clamp(0.22 + 0.78 * shine, 0.0, 1.0), 1.0, sheet.y);
  gl_Position = clip(seen(position + offset));
  ink = vec4(mix(shade, body, shine), 1.0) * sheet.x;
}`;
