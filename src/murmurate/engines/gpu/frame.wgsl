// What a frame holds, in the order of ids and without gaps: positions, velocities, and if boids
// perch the steps left on the ground; and the per-boid state, boid by boid.

@compute @workgroup_size(64)
fn write_frame(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
               @builtin(local_invocation_index) local: u32) {
  let i = thread(group, groups, local);
  if (i >= settings.n_boids) { return; }
  let id = boids[i].w;
  for (var k = 0u; k < DIMS; k++) {
    frame[DIMS * id + k] = boids[i][k];
    frame[DIMS * (settings.n_boids + id) + k] = boids[settings.n_boids + i][k];
  }
  if (PERCHES) { frame[2u * DIMS * settings.n_boids + id] = timer_of(boids[settings.n_boids + i].w); }
  for (var k = 0u; k < MEMORY; k++) {
    frame_memory[MEMORY * id + k] = memory[k * settings.n_boids + i];
  }
}
