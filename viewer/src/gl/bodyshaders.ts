/** GLSL sources that draw boids as bodies: birds that beat their wings, fish that bend. */

import { BOID_STATE, CAMERA, COLOUR } from "./shaders";

const LIGHT = "vec3(0.25, -0.35, 0.9)"; // where it comes from

export const BODIES = /* glsl */ `${CAMERA}${BOID_STATE}${COLOUR}
uniform vec4 mesh[104]; // position of a corner, and the part of the body: see look/bodies.ts
uniform int corners, first;
uniform vec4 dart;      // length in pixels at the target, smallest, keeps its strength
uniform vec3 shadow;    // as in shaders.ts
uniform vec2 sitting;   // axis of a boid that perches: along the ground, and up
uniform float clock;    // seconds of film
uniform sampler2D leans; // see leans.ts
out vec4 ink;
out vec3 spot;
const float TURN = 6.2831853;
vec3 spread(int boid) { return fract(float(boid) * vec3(0.75487767, 0.56984029, 0.43015971)); }
vec3 bent(vec3 p, vec3 mine) {
  float beat = 2.2 * (1.0 + 0.2 * (2.0 * mine.y - 1.0)) * clock + mine.x;
  float wide = 0.11 * (0.1 + 0.9 * (0.5 - p.x) * (0.5 - p.x));
  return vec3(p.x, p.y + wide * sin(TURN * (beat - 0.85 * (0.5 - p.x))), p.z);
}
vec3 folded(vec3 p) {
  float reach = abs(p.y) - 0.05;
  float inner = min(0.16 * reach, 0.0432), outer = max(0.16 * reach - 0.0432, 0.0);
  return vec3(max(p.x - 0.84 * reach, -0.3), sign(p.y) * (0.05 + inner * cos(0.1) + outer), 0.03 + inner * sin(0.1) + outer * 0.02);
}
vec3 beaten(vec3 p, vec3 mine, bool outside) {
  float side = sign(p.y), y = abs(p.y), x = p.x;
  float beat = TURN * (4.2 * (1.0 + 0.12 * (2.0 * mine.y - 1.0)) * clock + mine.x);
  float effort = smoothstep(-0.7, -0.3, sin(TURN * (clock / 2.6 + mine.z)));
  float arm = 0.1 + effort * (0.06 + 0.72 * sin(beat)), hand = 0.02 + effort * 0.95 * sin(beat - 0.75);
  float back = 0.12 + effort * 0.6 * max(cos(beat), 0.0);
  if (outside) {
    vec2 from = vec2(x - 0.26, y - 0.32);
    x = 0.26 + from.x * cos(back) - from.y * sin(back);
    y = 0.32 + from.x * sin(back) + from.y * cos(back);
  }
  float inner = min(y - 0.05, 0.27), outer = max(y - 0.32, 0.0);
  return vec3(x, side * (0.05 + inner * cos(arm) + outer * cos(hand)), 0.03 + inner * sin(arm) + outer * sin(hand));
}
void main() {
  int boid = gl_VertexID / corners;
  vec4 corner = mesh[gl_VertexID - boid * corners];
  boid += first;
  uvec3 was = fetch(before, boid), is = fetch(now, boid);
  vec3 ahead = mix(heading(was), heading(is), part);
  float moving = dot(ahead, ahead);
  ahead = moving > 1e-4 ? ahead * inversesqrt(moving) : vec3(1.0, 0.0, 0.0);
  vec3 middle = placed(was, is), c = seen(middle);
  if (c.z < perspective.z || hidden(was, is)) { gl_Position = vec4(0.0, 0.0, -2.0, 1.0); ink = vec4(0.0); spot = c; return; }
  float size = dart.x * perspective.x / c.z;
  float faint = min(1.0, size / dart.y);
  size = max(size, dart.y) * c.z / perspective.y; // in length units
  float level = length(ahead.xy);
  vec3 left = level > 1e-4 ? vec3(-ahead.y, ahead.x, 0.0) / level : vec3(0.0, 1.0, 0.0);
  vec2 lean = texelFetch(leans, ivec2(boid & 1023, boid >> 10), 0).rg;
  vec3 top = normalize(cross(ahead, left) + (corner.w == 2.0 ? 0.0 : mix(lean.x, lean.y, part)) * left);
  left = cross(top, ahead);
  vec3 p = corner.xyz, mine = spread(boid);
  bool sits = perched(was, is);
  if (corner.w == 2.0) p = bent(p, mine);
  else if (corner.w > 0.0) p = sits ? folded(p) : beaten(p, mine, corner.w == 3.0);
  else if (sits) p *= vec3(0.9, 1.6, 1.7); // plump
  if (sits) {
    vec3 run = ahead;
    left = vec3(-run.y, run.x, 0.0);
    ahead = sitting.x * run + vec3(0.0, 0.0, sitting.y);
    top = vec3(0.0, 0.0, sitting.x) - sitting.y * run;
    middle.z += 0.5 * sitting.y * size;
  }
  float strength = mix(mix(depths.y, 1.0, nearness(c.z)), 1.0, dart.z) * faint * shadow.z;
  middle.xy += shadow.xy * size;
  spot = seen(middle + size * (p.x * ahead + p.y * left + p.z * top));
  gl_Position = clip(spot);
  if (shadow.z < 1.0) gl_Position.z = 0.9999 * gl_Position.w; // under all boids
  ink = vec4(colour(is, ahead, boid), 1.0) * strength;
}`;

/** Flat faces in the light. */
export const BODY_FRAGMENT = /* glsl */ `${CAMERA}
in vec4 ink;
in vec3 spot;
out vec4 pixel;
void main() {
  vec3 n = normalize(cross(dFdx(spot), dFdy(spot)));
  n *= -sign(n.z); // towards the camera
  vec3 light = normalize(${LIGHT});
  float shine = dot(n, vec3(dot(right, light), dot(up, light), dot(forward, light)));
  pixel = vec4(ink.rgb * (0.76 + 0.24 * shine), ink.a);
}`;
