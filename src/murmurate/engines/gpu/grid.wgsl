// Boids sorted by (cell, id): bounds, grid, count, prefix sum, scatter, rank.
//
// Threads take boids in any order. `rank` puts the boids of a cell in the order of their ids, so the
// result does not depend on it, nor on the number of workgroups: grid_passes.wgsl has many, and
// `sort` is for one.

const BLOCK = 4u * WIDE;  // cells of one workgroup of the prefix sum
const RANGES = 64u;       // ranges of boids whose bounds are taken

// --- parts of `work`
fn count_at(cell: u32) -> u32 { return cell; }
fn ticket_at(i: u32) -> u32 { return settings.max_cells + i; }
fn member_at(k: u32) -> u32 { return settings.max_cells + settings.n_boids + k; }
fn sum_at(block: u32) -> u32 { return settings.max_cells + 2u * settings.n_boids + block; }
fn bound_at(range: u32, k: u32) -> u32 {
  return settings.max_cells + 2u * settings.n_boids + settings.blocks + 6u * range + k;
}

var<workgroup> shelf: array<u32, WIDE>;
var<workgroup> lowest: array<vec4f, WIDE>;
var<workgroup> highest: array<vec4f, WIDE>;

// The bounds of boids `first`, `first + stride`, ... that are in the grid, of all threads.
fn find_bounds(local: u32, first: u32, stride: u32) {
  var low = vec4f(MAX_FLOAT);
  var high = vec4f(-MAX_FLOAT);
  for (var i = first; i < settings.n_boids; i += stride) {
    if (FLOCKS > 1u && !is_in_grid(flock_of(boids[settings.n_boids + i].w))) { continue; }
    let x = vec4f(position_of(i), 0.0);
    low = min(low, x);
    high = max(high, x);
  }
  join_bounds(local, WIDE, low, high);
}

// The bounds of all threads of a workgroup, in entry 0 of both arrays.
fn join_bounds(local: u32, threads: u32, low: vec4f, high: vec4f) {
  lowest[local] = low;
  highest[local] = high;
  for (var step = threads / 2u; step > 0u; step = step / 2u) {
    workgroupBarrier();
    if (local < step) {
      lowest[local] = min(lowest[local], lowest[local + step]);
      highest[local] = max(highest[local], highest[local + step]);
    }
  }
  workgroupBarrier();
}

// The cells of this step: they hold a few boids each where rules sense the nearest, else they are as
// large as the longest radius. Along y, where a search is of contiguous columns, they are a quarter of
// that. The bounds of the boids are in entry 0 of both arrays.
//
// What depends on uniforms alone is a `select`: Mesa compiles branches anew whenever it binds buffers.
fn choose_cells(evaluation: u32) {
  var in_grid = 0u;
  for (var flock = 0u; flock < FLOCKS; flock++) {
    in_grid += select(0u, settings.flocks[flock].y, is_in_grid(flock));
  }
  var corner = settings.lower.xyz;
  var extent = settings.upper.xyz - settings.lower.xyz;
  for (var k = 0u; k < DIMS; k++) {
    let is_open = (settings.closed[k] == 0u) & (in_grid > 0u);
    corner[k] = select(corner[k], lowest[0][k], is_open);
    extent[k] = select(extent[k], max(highest[0][k] - lowest[0][k], 1e-6), is_open);
  }
  var widest = 0.0;
  var volume = 1.0;
  for (var k = 0u; k < DIMS; k++) {
    widest = max(widest, extent[k]);
    volume *= extent[k];
  }
  let margin = 1e-6 * widest;
  let reach = longest_reach(evaluation) * 1.00002 + margin;
  let boids = settings.boids_per_cell / f32(max(in_grid, 1u));
  let few = pow(volume * boids, 1.0 / f32(DIMS));
  var side = max(select(reach, few, settings.boids_per_cell > 0.0), widest * 1e-4);
  // in a dense flock thinner cells leave fewer boids out of reach
  var crowd = f32(in_grid);
  for (var k = 0u; k < DIMS; k++) { crowd *= side / max(extent[k], side); }
  let thin = select(1.0, 2.0, crowd > 8.0);
  var shape = vec3u(1u);
  for (var turn = 0u; turn < 64u; turn++) {
    var cells_wanted = 1.0;
    for (var k = 0u; k < DIMS; k++) {
      let along = side / select(thin, 4.0, k == 1u);
      shape[k] = u32(clamp(floor(extent[k] / along), 1.0, 65536.0));
      cells_wanted *= f32(shape[k]);
    }
    if (cells_wanted < 0.9999 * f32(settings.max_cells)) { break; }  // a cell is left
    side *= max(1.02, pow(cells_wanted / f32(settings.max_cells), 1.0 / f32(DIMS)));
  }
  cells[CELLS] = shape.x * shape.y * shape.z;
  cells[MARGIN] = bitcast<u32>(margin);
  for (var k = 0u; k < 3u; k++) {
    let size = select(1.0, extent[k] / f32(shape[k]), k < DIMS);
    cells[SHAPE + k] = shape[k];
    cells[SIZE + k] = bitcast<u32>(size);
    cells[INVERSE + k] = bitcast<u32>(1.0 / size);
    cells[CORNER + k] = bitcast<u32>(corner[k]);
  }
}

// The first thread's part of sorting. Where it begins a step, it ends the one before.
fn begin_sort(evaluation: u32) {
  if (BEGINS && atomicExchange(&control[BEGUN], 1u) != 0u) { finish_step(); }
  if (!is_stopped()) { choose_cells(evaluation); }
}

fn cell_of(i: u32) -> u32 {
  if (FLOCKS > 1u && !is_in_grid(flock_of(boids[settings.n_boids + i].w))) { return cells[CELLS]; }
  return cell_number(cell_at(position_of(i)), grid_shape());
}

// Count a boid in its cell. Its ticket is its turn of arrival, in no fixed order.
fn count_boid(i: u32) {
  atomicStore(&work[ticket_at(i)], atomicAdd(&work[count_at(cell_of(i))], 1u));
}

// The exclusive prefix sum of one number a thread; the last shelf holds the total.
fn sum_before(local: u32, own: u32) -> u32 {
  shelf[local] = own;
  workgroupBarrier();
  for (var step = 1u; step < WIDE; step = step << 1u) {
    var left = 0u;
    if (local >= step) { left = shelf[local - step]; }
    workgroupBarrier();
    shelf[local] += left;
    workgroupBarrier();
  }
  return shelf[local] - own;
}

// The cells of the grid, and that of the other boids. All threads of the workgroup get it.
fn used_cells(local: u32) -> u32 {
  if (local == 0u) { shelf[0] = cells[CELLS] + 1u; }
  return workgroupUniformLoad(&shelf[0]);
}

// The number of boids before each cell of a block, where `before` are in front of the block. The last
// shelf has the number in the block. Counts are cleared for the next step.
fn scan_block(local: u32, block: u32, used: u32, before: u32) {
  let first = block * BLOCK + local * 4u;
  var four = vec4u(0u);
  for (var e = 0u; e < 4u; e++) {
    if (first + e < used) {
      four[e] = atomicExchange(&work[count_at(first + e)], 0u);
    }
  }
  var sum = before + sum_before(local, four.x + four.y + four.z + four.w);
  for (var e = 0u; e < 4u; e++) {
    if (first + e < used) { cells[START + first + e] = sum; }
    sum += four[e];
  }
}

fn scatter_boid(i: u32) {
  let column = cells[START + cell_of(i)] + atomicLoad(&work[ticket_at(i)]);
  atomicStore(&work[member_at(column)], boids[i].w);
}

// The column of a boid within its cell is the number of boids there with smaller ids.
fn rank_boid(i: u32) {
  let cell = cell_of(i);
  let id = boids[i].w;
  let first = cells[START + cell];
  let last = cells[START + cell + 1u];
  var column = first;
  for (var k = first; k < last; k++) {
    column += select(0u, 1u, atomicLoad(&work[member_at(k)]) < id);
  }
  next_boids[column] = boids[i];
  next_boids[settings.n_boids + column] = boids[settings.n_boids + i];
  for (var k = 0u; k < MEMORY; k++) {
    next_memory[k * settings.n_boids + column] = memory[k * settings.n_boids + i];
  }
}

// All of it by one workgroup, for a small flock.
fn sort(evaluation: u32, local: u32) {
  if (OPEN) { find_bounds(local, local, WIDE); }
  if (local == 0u) { begin_sort(evaluation); }
  storageBarrier();
  let n_boids = select(settings.n_boids, 0u, is_stopped());
  for (var i = local; i < n_boids; i += WIDE) { count_boid(i); }
  storageBarrier();
  let used = used_cells(local);
  var before = 0u;
  for (var block = 0u; block * BLOCK < used; block++) {
    scan_block(local, block, used, before);
    before += shelf[WIDE - 1u];
    workgroupBarrier();
  }
  if (local == 0u) { cells[START + used] = settings.n_boids; }
  storageBarrier();
  for (var i = local; i < n_boids; i += WIDE) { scatter_boid(i); }
  storageBarrier();
  for (var i = local; i < n_boids; i += WIDE) { rank_boid(i); }
}

// The end of a step: the next one begins, unless a boid is lost.
fn finish_step() {
  if (is_stopped()) { return; }
  atomicAdd(&control[STEPS_DONE], 1u);
  let low = atomicAdd(&control[STEP_LOW], 1u) + 1u;
  if (low == 0u) { atomicAdd(&control[STEP_HIGH], 1u); }
  if (atomicLoad(&control[LOST]) != NOBODY) { atomicStore(&control[STOPPED], 1u); }
}
