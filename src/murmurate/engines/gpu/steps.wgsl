// All steps of a few boids by one workgroup, which needs no other pass. Buffers do not alternate:
// `boids` has the state before and after each pass.

// Copy the next state into `boids` and `memory`.
fn keep(local: u32) {
  storageBarrier();
  for (var k = local; k < 2u * settings.n_boids; k += WIDE) { boids[k] = next_boids[k]; }
  for (var k = local; k < MEMORY * settings.n_boids; k += WIDE) { memory[k] = next_memory[k]; }
  storageBarrier();
}

@compute @workgroup_size(64)
fn run_steps(@builtin(local_invocation_index) local: u32) {
  for (var k = 0u; k < STEPS_AT_ONCE; k++) {
    if (local == 0u) {
      let done = atomicLoad(&control[STEPS_DONE]) >= atomicLoad(&control[WANTED]);
      shelf[0] = select(0u, 1u, done || is_stopped());
    }
    if (workgroupUniformLoad(&shelf[0]) != 0u) { break; }
    if (SORTS) {
      sort(0u, local);
      keep(local);
    }
    run_stages(local);
    if (local == 0u) { finish_step(); }
    storageBarrier();
  }
}
