/** WGSL sources that draw boids as bodies: birds that beat their wings and lean into their turns, fish that bend. */

import { STEEPEST } from "../gl/leans";
import { Block } from "./rendererblocks";

const LIGHT = "vec3f(0.25, -0.35, 0.9)"; // where it comes from

export const BODY = /* wgsl */ `
struct Flesh { @builtin(position) at: vec4f, @location(0) ink: vec4f, @location(1) spot: vec3f }
fn spread(boid: u32) -> vec3f { return fract(f32(boid) * vec3f(0.75487767, 0.56984029, 0.43015971)); }
fn bent(p: vec3f, mine: vec3f) -> vec3f {
  let beat = 2.2 * (1.0 + 0.2 * (2.0 * mine.y - 1.0)) * scene.clock + mine.x;
  let wide = 0.11 * (0.1 + 0.9 * (0.5 - p.x) * (0.5 - p.x));
  return vec3f(p.x, p.y + wide * sin(TURN * (beat - 0.85 * (0.5 - p.x))), p.z);
}
fn folded(p: vec3f) -> vec3f {
  let reach = abs(p.y) - 0.05;
  let inner = min(0.16 * reach, 0.0432);
  let outer = max(0.16 * reach - 0.0432, 0.0);
  return vec3f(max(p.x - 0.84 * reach, -0.3), sign(p.y) * (0.05 + inner * cos(0.1) + outer), 0.03 + inner * sin(0.1) + outer * 0.02);
}
fn beaten(p: vec3f, mine: vec3f, outside: bool) -> vec3f {
  let side = sign(p.y);
  var x = p.x;
  var y = abs(p.y);
  let beat = TURN * (4.2 * (1.0 + 0.12 * (2.0 * mine.y - 1.0)) * scene.clock + mine.x);
  let effort = smoothstep(-0.7, -0.3, sin(TURN * (scene.clock / 2.6 + mine.z)));
  let arm = 0.1 + effort * (0.06 + 0.72 * sin(beat));
  let hand = 0.02 + effort * 0.95 * sin(beat - 0.75);
  let back = 0.12 + effort * 0.6 * max(cos(beat), 0.0);
  if (outside) {
    let wrist = vec2f(x - 0.26, y - 0.32);
    x = 0.26 + wrist.x * cos(back) - wrist.y * sin(back);
    y = 0.32 + wrist.x * sin(back) + wrist.y * cos(back);
  }
  let inner = min(y - 0.05, 0.27);
  let outer = max(y - 0.32, 0.0);
  return vec3f(x, side * (0.05 + inner * cos(arm) + outer * cos(hand)), 0.03 + inner * sin(arm) + outer * sin(hand));
}
@vertex fn body(@builtin(vertex_index) index: u32) -> Flesh {
  let boid = item.first + index / item.corners;
  let corner = shape[index % item.corners];
  let fish = corner.w == 2.0;
  let was = before[boid];
  let is = now[boid];
  var ahead = unit(mix(heading(was), heading(is), scene.part), vec3f(1.0, 0.0, 0.0));
  var middle = placed(was, is);
  let c = seen(middle);
  if (c.z < scene.perspective.z || hidden(was, is)) { return Flesh(UNSEEN.at, UNSEEN.ink, c); }
  var size = item.dart.x * scene.perspective.x / c.z;
  let faint = min(1.0, size / item.dart.y);
  size = max(size, item.dart.y) * c.z / scene.perspective.y; // in length units
  let level = length(ahead.xy);
  let side = select(vec3f(0.0, 1.0, 0.0), vec3f(-ahead.y, ahead.x, 0.0) / max(level, 1e-30), level > 1e-4);
  let lean = select(mix(leans[boid].x, leans[boid].y, scene.part), 0.0, fish);
  var top = normalize(cross(ahead, side) + lean * side);
  var left = cross(top, ahead);
  let paint = colour(is, ahead, boid);
  let sits = perched(was, is);
  let mine = spread(boid);
  var p = corner.xyz;
  if (fish) { p = bent(p, mine); }
  else if (corner.w > 0.0 && sits) { p = folded(p); }
  else if (corner.w > 0.0) { p = beaten(p, mine, corner.w == 3.0); }
  else if (sits) { p *= vec3f(0.9, 1.6, 1.7); } // plump
  if (sits) {
    let run = vec3f(ahead.xy, 0.0) / max(level, 1e-30);
    left = vec3f(-run.y, run.x, 0.0);
    ahead = item.sitting.x * run + vec3f(0.0, 0.0, item.sitting.y);
    top = vec3f(0.0, 0.0, item.sitting.x) - item.sitting.y * run;
    middle.z += 0.5 * item.sitting.y * size;
  }
  let strength = mix(mix(scene.depths.y, 1.0, nearness(c.z)), 1.0, item.dart.z) * faint * item.shadow.z;
  middle += vec3f(item.shadow.xy * size, 0.0);
  let spot = seen(middle + size * (p.x * ahead + p.y * left + p.z * top));
  return Flesh(under(clip(spot)), vec4f(paint, 1.0) * strength, spot);
}
// Flat faces in the light.
@fragment fn flesh(in: Flesh) -> @location(0) vec4f {
  var n = normalize(cross(dpdx(in.spot), dpdy(in.spot)));
  n *= -sign(n.z); // towards the camera
  let light = normalize(${LIGHT});
  let shine = dot(n, vec3f(dot(scene.right, light), dot(scene.up, light), dot(scene.forward, light)));
  return vec4f(in.ink.rgb * (0.76 + 0.24 * shine), in.ink.a);
}`;

/** What the pass that follows the leans is given. */
export const TURN = new Block("Turn", { count: "u32", span: "f32", share: "f32" });

/** How birds lean into their turns, worked out as states come: see gl/leans.ts. */
export const LEAN = /* wgsl */ `${TURN.text}
@group(0) @binding(0) var<uniform> turn: Turn;
@group(0) @binding(1) var<storage, read_write> leans: array<vec2f>;
@compute @workgroup_size(64) fn lean(@builtin(global_invocation_id) id: vec3u) {
  let boid = id.x;
  if (boid >= turn.count) { return; }
  var known = vec2f(0.0);
  if (!(lacks(before[boid]) || lacks(now[boid]))) {
    let h = heading(now[boid]).xy;
    let change = h - heading(before[boid]).xy;
    let left = (change.y * h.x - change.x * h.y) / max(1.0 / 127.0, length(h)) / turn.span;
    let lean = leans[boid].y;
    known = vec2f(lean, mix(lean, clamp(left, -${STEEPEST}, ${STEEPEST}), turn.share));
  }
  leans[boid] = known;
}`;
