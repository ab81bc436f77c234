// Boids sorted by (cell, id): bounds, grid, count, prefix sum in three passes, scatter, rank.
//
// Threads of a workgroup take boids in any order. `rank` puts the boids of a cell in the order of
// their ids, so the result does not depend on it.

const BLOCK = 1024u;   // cells of one workgroup of the prefix sum: 4 a thread
const WIDE = 256u;     // threads of a workgroup of the prefix sum, and of a reduction
const RANGES = 64u;    // ranges of boids whose bounds are taken

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

// The bounds of the boids of a range that are in the grid.
@compute @workgroup_size(256)
fn measure_bounds(@builtin(workgroup_id) group: vec3u,
                  @builtin(local_invocation_index) local: u32) {
  var low = vec4f(MAX_FLOAT);
  var high = vec4f(-MAX_FLOAT);
  for (var i = group.x * WIDE + local; i < settings.n_boids; i += RANGES * WIDE) {
    if (FLOCKS > 1u && !is_in_grid(flock_of(boids[settings.n_boids + i].w))) { continue; }
    let x = vec4f(position_of(i), 0.0);
    low = min(low, x);
    high = max(high, x);
  }
  join_bounds(local, WIDE, low, high);
  if (local == 0u) {
    for (var k = 0u; k < 3u; k++) {
      atomicStore(&work[bound_at(group.x, k)], bitcast<u32>(lowest[0][k]));
      atomicStore(&work[bound_at(group.x, 3u + k)], bitcast<u32>(highest[0][k]));
    }
  }
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
// that.
fn make_grid(evaluation: u32, local: u32) {
  if (OPEN) {
    var low = vec4f(0.0);
    var high = vec4f(0.0);
    for (var k = 0u; k < 3u; k++) {
      low[k] = bitcast<f32>(atomicLoad(&work[bound_at(local, k)]));
      high[k] = bitcast<f32>(atomicLoad(&work[bound_at(local, 3u + k)]));
    }
    join_bounds(local, RANGES, low, high);
  }
  if (local != 0u || is_stopped()) { return; }
  var in_grid = 0u;
  for (var flock = 0u; flock < FLOCKS; flock++) {
    in_grid += select(0u, settings.flocks[flock].y, is_in_grid(flock));
  }
  var corner = settings.lower.xyz;
  var extent = settings.upper.xyz - settings.lower.xyz;
  for (var k = 0u; k < DIMS; k++) {
    if (settings.closed[k] != 0u || in_grid == 0u) { continue; }
    corner[k] = lowest[0][k];
    extent[k] = max(highest[0][k] - lowest[0][k], 1e-6);
  }
  var widest = 0.0;
  var volume = 1.0;
  for (var k = 0u; k < DIMS; k++) {
    widest = max(widest, extent[k]);
    volume *= extent[k];
  }
  let margin = 1e-6 * widest;
  var side = max(longest_reach(evaluation) * 1.00002 + margin, widest * 1e-4);
  if (settings.boids_per_cell > 0.0) {
    let boids = settings.boids_per_cell / f32(max(in_grid, 1u));
    side = max(pow(volume * boids, 1.0 / f32(DIMS)), widest * 1e-4);
  }
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

fn cell_of(i: u32) -> u32 {
  if (FLOCKS > 1u && !is_in_grid(flock_of(boids[settings.n_boids + i].w))) { return cells[CELLS]; }
  return cell_number(cell_at(position_of(i)), grid_shape());
}

// The number of boids in each cell; the ticket of a boid is its turn of arrival, in no fixed order.
@compute @workgroup_size(64)
fn count(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
         @builtin(local_invocation_index) local: u32) {
  let i = thread(group, groups, local);
  if (i >= settings.n_boids || is_stopped()) { return; }
  let cell = cell_of(i);
  atomicStore(&work[ticket_at(i)], atomicAdd(&work[count_at(cell)], 1u));
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

// Within each block. Counts are cleared for the next step.
@compute @workgroup_size(256)
fn scan_blocks(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
               @builtin(local_invocation_index) local: u32) {
  let block = group.y * groups.x + group.x;
  let used = used_cells(local);
  if (block * BLOCK >= used) { return; }
  let first = block * BLOCK + local * 4u;
  var four = vec4u(0u);
  for (var e = 0u; e < 4u; e++) {
    if (first + e < used) {
      four[e] = atomicExchange(&work[count_at(first + e)], 0u);
    }
  }
  var sum = sum_before(local, four.x + four.y + four.z + four.w);
  for (var e = 0u; e < 4u; e++) {
    if (first + e < used) { cells[START + first + e] = sum; }
    sum += four[e];
  }
  if (local == WIDE - 1u) { atomicStore(&work[sum_at(block)], sum); }
}

// Over the totals of the blocks: one workgroup goes along them.
@compute @workgroup_size(256)
fn scan_sums(@builtin(local_invocation_index) local: u32) {
  let blocks = (used_cells(local) + BLOCK - 1u) / BLOCK;
  var carry = 0u;
  for (var at = 0u; at < blocks; at += WIDE) {
    var own = 0u;
    if (at + local < blocks) { own = atomicLoad(&work[sum_at(at + local)]); }
    let sum = sum_before(local, own);
    if (at + local < blocks) { atomicStore(&work[sum_at(at + local)], carry + sum); }
    carry += shelf[WIDE - 1u];
    workgroupBarrier();
  }
}

@compute @workgroup_size(64)
fn add_sums(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
            @builtin(local_invocation_index) local: u32) {
  let cell = thread(group, groups, local);
  let used = cells[CELLS] + 1u;
  if (cell < used) {
    cells[START + cell] += atomicLoad(&work[sum_at(cell / BLOCK)]);
  }
  if (cell == used) { cells[START + cell] = settings.n_boids; }
}

@compute @workgroup_size(64)
fn scatter(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
           @builtin(local_invocation_index) local: u32) {
  let i = thread(group, groups, local);
  if (i >= settings.n_boids || is_stopped()) { return; }
  let cell = cell_of(i);
  let column = cells[START + cell] + atomicLoad(&work[ticket_at(i)]);
  atomicStore(&work[member_at(column)], boids[i].w);
}

// The column of a boid within its cell is the number of boids there with smaller ids.
@compute @workgroup_size(64)
fn rank(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
        @builtin(local_invocation_index) local: u32) {
  let i = thread(group, groups, local);
  if (i >= settings.n_boids || is_stopped()) { return; }
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

// The end of a step: the next one begins, unless a boid is lost.
@compute @workgroup_size(1)
fn end_step() {
  if (is_stopped()) { return; }
  atomicAdd(&control[STEPS_DONE], 1u);
  let low = atomicAdd(&control[STEP_LOW], 1u) + 1u;
  if (low == 0u) { atomicAdd(&control[STEP_HIGH], 1u); }
  if (atomicLoad(&control[LOST]) != NOBODY) { atomicStore(&control[STOPPED], 1u); }
}
