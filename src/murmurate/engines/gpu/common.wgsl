// What all passes share. A boid is two rows of `boids`: (x, y, z, id) and (u, v, w, flock). Rows are
// integers, and floats are cast out of them: an id in a float would be a denormal, which WGSL may
// flush to zero.

const MAX_FLOAT = 3.4028234e38f;
const NOBODY = 0xffffffffu;
// entries of `control`
const STEP_LOW = 0u;
const STEP_HIGH = 1u;
const STEPS_DONE = 2u;
const LOST = 3u;       // the smallest id of a lost boid, or NOBODY
const STOPPED = 4u;    // 1 after a step with a lost boid: later passes do nothing
// entries of `cells`
const SHAPE = 0u;
const SIZE = 4u;
const CORNER = 8u;
const START = 16u;

struct Settings {
  n_boids: u32,
  max_cells: u32,
  blocks: u32,          // blocks of cells, for the prefix sum
  n_radii: u32,         // radii that cells serve
  key: vec2u,           // of random numbers
  slots: u32,           // numbers in a row
  scheduled: u32,       // 1: a row of numbers for each step
  lower: vec4f,
  upper: vec4f,
  centre: vec4f,
  periodic: vec4u,
  closed: vec4u,        // 1: the grid covers the space; 0: the boids
  max_distance: f32,    // of a boid from the centre on an axis; beyond it is lost
  boids_per_cell: f32,
  dt: f32,
  spare: u32,
  radii: array<vec4u, 16>,
  flocks: array<vec4u, 64>,  // first id, size
}

@group(0) @binding(0) var<uniform> settings: Settings;
@group(0) @binding(1) var<storage, read> boids: array<vec4u>;
@group(0) @binding(2) var<storage, read_write> next_boids: array<vec4u>;
@group(0) @binding(3) var<storage, read> memory: array<f32>;
@group(0) @binding(4) var<storage, read_write> next_memory: array<f32>;
@group(0) @binding(5) var<storage, read_write> cells: array<u32>;
@group(0) @binding(6) var<storage, read> numbers: array<f32>;
@group(0) @binding(7) var<storage, read_write> control: array<atomic<u32>>;

// A dispatch has at most 65,535 workgroups on an axis, so threads are counted over two of them.
fn thread(group: vec3u, groups: vec3u, local: u32) -> u32 {
  return (group.y * groups.x + group.x) * 64u + local;
}

fn is_stopped() -> bool { return atomicLoad(&control[STOPPED]) != 0u; }

// The first entry of this step's row of numbers.
fn row() -> u32 {
  return settings.scheduled * settings.slots * atomicLoad(&control[STEPS_DONE]);
}

fn number_of(slot: u32) -> f32 { return numbers[row() + slot]; }

fn position_of(i: u32) -> vec3f { return bitcast<vec3f>(boids[2u * i].xyz); }
fn velocity_of(i: u32) -> vec3f { return bitcast<vec3f>(boids[2u * i + 1u].xyz); }

fn cell_size() -> vec3f {
  return bitcast<vec3f>(vec3u(cells[SIZE], cells[SIZE + 1u], cells[SIZE + 2u]));
}
fn grid_corner() -> vec3f {
  return bitcast<vec3f>(vec3u(cells[CORNER], cells[CORNER + 1u], cells[CORNER + 2u]));
}
fn grid_shape() -> vec3i {
  return vec3i(vec3u(cells[SHAPE], cells[SHAPE + 1u], cells[SHAPE + 2u]));
}

// The cell of a position; beyond the grid it is the nearest cell of its edge.
fn cell_at(x: vec3f) -> vec3i {
  let c = (x - grid_corner()) / cell_size();
  return vec3i(clamp(floor(c), vec3f(0.0), vec3f(grid_shape() - 1)));
}

// Cells along y are neighbours in memory.
fn cell_number(c: vec3i) -> u32 {
  let shape = grid_shape();
  return u32((c.z * shape.x + c.x) * shape.y + c.y);
}

// A difference of positions, to the nearest image on periodic axes.
fn nearest_image(d: vec3f) -> vec3f {
  let side = settings.upper.xyz - settings.lower.xyz;
  let wrapped = d - side * floor(d / max(side, vec3f(1e-30)) + 0.5);
  return select(d, wrapped, settings.periodic.xyz != vec3u(0u));
}

fn clamp_coordinate(x: f32, lower: f32, upper: f32) -> f32 { return min(max(x, lower), upper); }

// A periodic coordinate, wrapped to [lower, upper).
fn wrap_coordinate(x: f32, lower: f32, upper: f32) -> f32 {
  if (x >= lower && x < upper) { return x; }
  let y = x - (upper - lower) * floor((x - lower) / (upper - lower));
  return select(lower, y, y >= lower && y < upper);
}

// A coordinate and its velocity, reflected at the faces until it is inside.
fn reflect_coordinate(x: f32, u: f32, lower: f32, upper: f32) -> vec2f {
  if (x >= lower && x <= upper) { return vec2f(x, u); }
  let side = upper - lower;
  var part = (x - lower) / side;
  let turns = floor(part);
  part -= turns;
  let odd = turns - 2.0 * floor(0.5 * turns) > 0.5;
  part = select(part, 1.0 - part, odd);
  return vec2f(clamp_coordinate(lower + part * side, lower, upper), select(u, -u, odd));
}

fn limited(v: vec3f, most: f32) -> vec3f {
  let length2 = dot(v, v);
  if (length2 <= most * most) { return v; }
  return v * (most / sqrt(length2));
}

fn unit(v: vec3f) -> vec3f {
  let length2 = dot(v, v);
  return select(v, v / sqrt(max(length2, 1e-37)), length2 > 0.0);
}

// Whether a coordinate is not finite or farther from the centre than allowed.
fn is_lost(x: f32, centre: f32) -> bool {
  let not_finite = (bitcast<u32>(x) & 0x7f800000u) == 0x7f800000u;
  return not_finite || abs(x - centre) > settings.max_distance;
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

// Four uniform numbers in [0, 1) of a boid in this step.
fn draw(index: u32, stream: u32) -> vec4f {
  let step = vec2u(atomicLoad(&control[STEP_LOW]), atomicLoad(&control[STEP_HIGH]));
  return vec4f(philox(vec4u(index, step, stream)) >> vec4u(8u)) * 5.9604644775390625e-8;
}

// Whether a cell of the block of a shell was not in the block of the shell before.
fn is_new_cell(d: vec3i, shell: i32, shape: vec3i) -> bool {
  if (shell == 0) { return true; }
  let before = shell - 1;
  var inside = true;
  for (var k = 0u; k < DIMS; k++) {
    var low = -before;
    var high = before;
    if (settings.periodic[k] != 0u && 2 * before + 1 >= shape[k]) {
      low = -((shape[k] - 1) / 2);
      high = low + shape[k] - 1;
    }
    inside = inside && d[k] >= low && d[k] <= high;
  }
  return !inside;
}
