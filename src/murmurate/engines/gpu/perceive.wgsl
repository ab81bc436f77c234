// What boids perceive besides the state: late, with errors, and as herds; by id.

const WIDE = 256u;

var<workgroup> sums: array<vec4f, WIDE>;
var<workgroup> gaps: array<f32, WIDE>;
var<workgroup> farthest: array<u32, WIDE>;

// The state in the order of ids.
@compute @workgroup_size(64)
fn save_by_id(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
              @builtin(local_invocation_index) local: u32) {
  let i = thread(group, groups, local);
  if (i >= settings.n_boids || is_stopped()) { return; }
  let id = boids[i].w;
  by_id[id] = boids[i];
  by_id[settings.n_boids + id] = boids[settings.n_boids + i];
}

// The state of all boids as each flock that senses late, with errors or losses perceives it, by age of
// the message.
@compute @workgroup_size(64)
fn perceive(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
            @builtin(local_invocation_index) local: u32) {
  let id = thread(group, groups, local);
  if (id >= settings.n_boids || is_stopped()) { return; }
  let step = atomicLoad(&control[STEP_LOW]);
  let present = array<vec4u, 2>(by_id[id], by_id[settings.n_boids + id]);
  let flock = flock_of(present[1].w);
  let index = index_of(id, flock);
  for (var message = 0u; message < MESSAGES; message++) {
    let sensor = SENSOR_OF[message];
    let age = message - sensing_of(sensor, 3u);
    let sent = sent_step(sensor, flock, index) - i32(age * sensing_of(sensor, 1u));
    let late = u32(max(sent, 0));
    var position = bitcast<vec3f>(present[0].xyz);
    var velocity = bitcast<vec3f>(present[1].xyz);
    if (late < step && DEPTH > 0u) {
      let at = 2u * (late % max(DEPTH, 1u)) * settings.n_boids + id;
      position = bitcast<vec3f>(history[at].xyz);
      velocity = bitcast<vec3f>(history[at + settings.n_boids].xyz);
    }
    let errors = row(0u) + settings.slots - 2u * SENSORS + 2u * sensor;
    position += numbers[errors] * sensing_error(index, late, stream_of(sensor, flock, 0u));
    velocity += numbers[errors + 1u] * sensing_error(index, late, stream_of(sensor, flock, 1u));
    for (var k = 0u; k < DIMS; k++) {
      if (settings.periodic[k] != 0u) {
        position[k] = wrap_coordinate(position[k], settings.lower[k], settings.upper[k]);
      }
    }
    let to = 2u * message * settings.n_boids + id;
    perceived[to] = vec4u(bitcast<vec3u>(position), id);
    perceived[to + settings.n_boids] = vec4u(bitcast<vec3u>(velocity), present[1].w);
  }
  if (DEPTH > 0u) {
    let at = 2u * (step % max(DEPTH, 1u)) * settings.n_boids + id;
    history[at] = present[0];
    history[at + settings.n_boids] = present[1];
  }
}

// Three normal numbers. Box and Muller 1958, doi:10.1214/aoms/1177706645.
fn sensing_error(index: u32, step: u32, stream: u32) -> vec3f {
  let bits = philox(vec4u(index, step, 0u, stream));
  let u = vec4f(bits >> vec4u(8u)) * 5.9604644775390625e-8;
  let r = sqrt(-2.0 * log_real(1.0 - u.x));
  let s = sqrt(-2.0 * log_real(1.0 - u.z));
  let angle = 6.2831853 * u.y;
  var third = 0.0;
  if (DIMS == 3u) { third = s * cos_real(6.2831853 * u.w); }
  return vec3f(r * cos_real(angle), r * sin_real(angle), third);
}

// A row of HERDS: the row of `perceived` or -1, the first slot, and the flocks or -1.
fn herd_at(herd: u32, column: u32) -> i32 { return HERDS[(2u + FLOCKS) * herd + column]; }

// The position of member k of a herd. Its flocks are in the order in which the rule names them: on
// periodic axes, positions are compared with that of the first member.
fn member_position(herd: u32, member: u32) -> vec3f {
  var rest = member;
  var id = 0u;
  for (var k = 0u; k < FLOCKS && herd_at(herd, 2u + k) >= 0; k++) {
    let f = herd_at(herd, 2u + k);
    if (rest < settings.flocks[f].y) {
      id = settings.flocks[f].x + rest;
      break;
    }
    rest -= settings.flocks[f].y;
  }
  let message = herd_at(herd, 0u);
  if (message >= 0) {
    return bitcast<vec3f>(perceived[2u * u32(message) * settings.n_boids + id].xyz);
  }
  return bitcast<vec3f>(by_id[id].xyz);
}

// The centre of each herd and its farthest member, a workgroup for each herd, in fixed order.
@compute @workgroup_size(256)
fn measure_herds(@builtin(workgroup_id) group: vec3u,
                 @builtin(local_invocation_index) local: u32) {
  let herd = group.x;
  var n_members = 0u;
  for (var k = 0u; k < FLOCKS && herd_at(herd, 2u + k) >= 0; k++) {
    n_members += settings.flocks[herd_at(herd, 2u + k)].y;
  }
  let first = member_position(herd, 0u);
  var sum = vec3f(0.0);
  for (var k = local; k < n_members; k += WIDE) {
    sum += nearest_image(member_position(herd, k) - first);
  }
  sums[local] = vec4f(sum, 0.0);
  for (var step = WIDE / 2u; step > 0u; step = step / 2u) {
    workgroupBarrier();
    if (local < step) { sums[local] += sums[local + step]; }
  }
  workgroupBarrier();
  let centre = sums[0].xyz / max(f32(n_members), 1.0);
  var gap = -1.0;
  var far = 0u;
  for (var k = local; k < n_members; k += WIDE) {
    let d = nearest_image(member_position(herd, k) - first) - centre;
    if (dot(d, d) > gap) {
      gap = dot(d, d);
      far = k;
    }
  }
  gaps[local] = gap;
  farthest[local] = far;
  for (var step = WIDE / 2u; step > 0u; step = step / 2u) {
    workgroupBarrier();
    if (local < step) {
      let other = local + step;
      let wins = gaps[other] > gaps[local]
        || (gaps[other] == gaps[local] && farthest[other] < farthest[local]);
      if (wins) {
        gaps[local] = gaps[other];
        farthest[local] = farthest[other];
      }
    }
  }
  if (local != 0u || is_stopped()) { return; }
  let far_position = first + nearest_image(member_position(herd, farthest[0]) - first);
  let spread = sqrt(max(gaps[0], 0.0));
  let count = f32(n_members);
  for (var e = 0u; e < EVALUATIONS; e++) {
    let at = row(e) + u32(herd_at(herd, 1u));
    for (var k = 0u; k < 3u; k++) {
      numbers[at + k] = select(0.0, first[k] + centre[k], n_members > 0u);
      numbers[at + HERD_FAR + k] = select(0.0, far_position[k], n_members > 0u);
    }
    numbers[at + HERD_SPREAD] = select(0.0, spread, n_members > 0u);
    numbers[at + HERD_COUNT] = count;
  }
}
