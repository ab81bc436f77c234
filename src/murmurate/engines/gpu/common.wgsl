// What all passes share. A boid is two rows of `boids`: (x, y, z, id) and, behind these rows of all
// boids, (u, v, w, kind). Rows are integers, and floats are cast out of them: an id in a float would
// be a denormal, which WGSL may flush to zero. A kind is the index of the flock and, above 8 bits, the
// steps left on the ground.
//
// `numbers` holds the times of the evaluations of the forces, then rows of the model's numbers, one
// for each evaluation if they change in time, then the numbers that differ between boids, by id.

const MAX_FLOAT = 3.4028234e38f;
const MAX_RADIUS = 1e18f;
const NOBODY = 0xffffffffu;
// entries of `control`
const STEP_LOW = 0u;
const STEP_HIGH = 1u;
const STEPS_DONE = 2u;
const LOST = 3u;       // the smallest id of a lost boid, or NOBODY
const STOPPED = 4u;    // 1 after a step with a lost boid: later passes do nothing
const BEGUN = 6u;      // 1: sorting ends the step before it
const WANTED = 7u;     // steps of a run, for `run_steps`
// entries of `cells`
const SHAPE = 0u;
const CELLS = 3u;      // their number
const SIZE = 4u;
const MARGIN = 7u;     // of searches, for rounding
const CORNER = 8u;
const INVERSE = 12u;   // cells per length
const START = 16u;

@group(0) @binding(0) var<uniform> settings: Settings;

struct Settings {
  n_boids: u32,
  max_cells: u32,
  blocks: u32,          // blocks of cells, for the prefix sum
  slots: u32,           // numbers in a row
  key: vec2u,           // of random numbers
  scheduled: u32,       // 1: a row of numbers for each evaluation
  boids_per_cell: f32,  // for searches for the nearest; 0: there are none
  lower: vec4f,
  upper: vec4f,
  centre: vec4f,
  periodic: vec4u,
  side: vec4f,          // of periodic axes, 0 of others
  inverse_side: vec4f,  // 1 / side, 0 of others
  closed: vec4u,        // 1: the grid covers the space; 0: the boids
  max_distance: f32,    // of a boid from the centre on an axis; beyond it is lost
  first_row: u32,       // in `numbers`
  first_individual: u32,
  n_obstacles: u32,
  flocks: array<vec4u, 256>,  // first id, size
}

// A dispatch has at most 65,535 workgroups on an axis, so threads are counted over two of them.
fn thread(group: vec3u, groups: vec3u, local: u32) -> u32 {
  return (group.y * groups.x + group.x) * 64u + local;
}

fn is_stopped() -> bool { return atomicLoad(&control[STOPPED]) != 0u; }

// The first entry of the row of numbers of an evaluation in this step.
fn row(evaluation: u32) -> u32 {
  let evaluations_done = EVALUATIONS * atomicLoad(&control[STEPS_DONE]) + evaluation;
  return settings.first_row + settings.scheduled * settings.slots * evaluations_done;
}

// The time of an evaluation.
fn time_of(evaluation: u32) -> f32 {
  return numbers[EVALUATIONS * atomicLoad(&control[STEPS_DONE]) + evaluation];
}

// A number in a row that begins at an entry.
fn number_at(first: u32, slot: i32) -> f32 { return numbers[first + u32(slot)]; }

fn flock_of(kind: u32) -> u32 { return kind & 0xffu; }
fn timer_of(kind: u32) -> u32 { return kind >> 8u; }

// A difference of positions, to the nearest image on periodic axes.
fn nearest_image(d: vec3f) -> vec3f {
  return d - settings.side.xyz * floor(d * settings.inverse_side.xyz + 0.5);
}

// A periodic coordinate, wrapped to [lower, upper).
fn wrap_coordinate(x: f32, lower: f32, upper: f32) -> f32 {
  if (x >= lower && x < upper) { return x; }
  let y = x - (upper - lower) * floor((x - lower) / (upper - lower));
  return select(lower, y, y >= lower && y < upper);
}

// Whether a number is infinite or nan, by its bits: arithmetic may assume that it is not.
fn is_not_finite(x: f32) -> bool {
  return (bitcast<u32>(x) & 0x7f800000u) == 0x7f800000u;
}

// The fault of a boid, nan if a number is not finite; else as before.
fn fault_of(fault: f32, number: f32) -> f32 {
  return bitcast<f32>(select(bitcast<u32>(fault), 0x7fc00000u, is_not_finite(number)));
}

// Whether a coordinate is not finite or farther from the centre than allowed.
fn is_lost(x: f32, centre: f32) -> bool {
  return is_not_finite(x) || abs(x - centre) > settings.max_distance;
}

// The high word of a product of 32-bit numbers.
fn high_word(a: u32, b: u32) -> u32 {
  let low = (a & 0xffffu) * (b & 0xffffu);
  let first = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
  let second = (a & 0xffffu) * (b >> 16u) + (first & 0xffffu);
  return (a >> 16u) * (b >> 16u) + (first >> 16u) + (second >> 16u);
}

// Philox4x32-10: Salmon, Moraes, Dror and Shaw 2011, doi:10.1145/2063384.2063405.
fn philox(counter: vec4u) -> vec4u {
  var c = counter;
  var k = settings.key;
  for (var turn = 0u; turn < 10u; turn++) {
    let p = vec2u(high_word(0xD2511F53u, c.x), 0xD2511F53u * c.x);
    let q = vec2u(high_word(0xCD9E8D57u, c.z), 0xCD9E8D57u * c.z);
    c = vec4u(q.x ^ c.y ^ k.x, q.y, p.x ^ c.w ^ k.y, p.y);
    k += vec2u(0x9E3779B9u, 0xBB67AE85u);
  }
  return c;
}

// Four random words of a boid in this step.
fn random_bits(index: u32, stream: u32) -> vec4u {
  let step = vec2u(atomicLoad(&control[STEP_LOW]), atomicLoad(&control[STEP_HIGH]));
  return philox(vec4u(index, step, stream));
}

// Four uniform numbers in [0, 1) of a boid in this step.
fn draw(index: u32, stream: u32) -> vec4f {
  return vec4f(random_bits(index, stream) >> vec4u(8u)) * 5.9604644775390625e-8;
}

// A random number of steps on the ground, from shortest to longest.
fn rest(index: i32, stream: i32, shortest: f32, longest: f32) -> i32 {
  let bits = random_bits(u32(index), u32(stream)).x >> 8u;
  let choices = u32(longest - shortest) + 1u;
  // (bits * choices) >> 24
  return i32(u32(shortest) + ((high_word(bits, choices) << 8u) | ((bits * choices) >> 24u)));
}
