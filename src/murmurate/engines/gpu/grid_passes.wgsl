// The passes that sort a large flock, by many workgroups: see grid.wgsl.

// The bounds of the boids of each range.
@compute @workgroup_size(256)
fn measure_bounds(@builtin(workgroup_id) group: vec3u,
                  @builtin(local_invocation_index) local: u32) {
  find_bounds(local, group.x * WIDE + local, RANGES * WIDE);
  if (local == 0u) {
    for (var k = 0u; k < 3u; k++) {
      atomicStore(&work[bound_at(group.x, k)], bitcast<u32>(lowest[0][k]));
      atomicStore(&work[bound_at(group.x, 3u + k)], bitcast<u32>(highest[0][k]));
    }
  }
}

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
  if (local == 0u) { begin_sort(evaluation); }
}

@compute @workgroup_size(64)
fn count(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
         @builtin(local_invocation_index) local: u32) {
  let i = thread(group, groups, local);
  if (i < settings.n_boids && !is_stopped()) { count_boid(i); }
}

// The prefix sum within each block.
@compute @workgroup_size(256)
fn scan_blocks(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
               @builtin(local_invocation_index) local: u32) {
  let block = group.y * groups.x + group.x;
  let used = used_cells(local);
  if (block * BLOCK >= used) { return; }
  scan_block(local, block, used, 0u);
  if (local == WIDE - 1u) { atomicStore(&work[sum_at(block)], shelf[local]); }
}

// Each block adds up the totals of those in front of it.
@compute @workgroup_size(256)
fn add_sums(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
            @builtin(local_invocation_index) local: u32) {
  let block = group.y * groups.x + group.x;
  let used = used_cells(local);
  if (block * BLOCK > used) { return; }
  var own = 0u;
  for (var k = local; k < block; k += WIDE) { own += atomicLoad(&work[sum_at(k)]); }
  sum_before(local, own);
  let before = shelf[WIDE - 1u];
  for (var e = 0u; e < 4u; e++) {
    let cell = block * BLOCK + e * WIDE + local;
    if (cell < used) { cells[START + cell] += before; }
    if (cell == used) { cells[START + cell] = settings.n_boids; }
  }
}

@compute @workgroup_size(64)
fn scatter(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
           @builtin(local_invocation_index) local: u32) {
  let i = thread(group, groups, local);
  if (i < settings.n_boids && !is_stopped()) { scatter_boid(i); }
}

@compute @workgroup_size(64)
fn rank(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
        @builtin(local_invocation_index) local: u32) {
  let i = thread(group, groups, local);
  if (i < settings.n_boids && !is_stopped()) { rank_boid(i); }
}

@compute @workgroup_size(1)
fn end_step() {
  finish_step();
  atomicStore(&control[BEGUN], 0u);
}
