// Sums over each flock, for rules that sense everyone by sums: positions from the centre of the
// space, and velocities. The shape of the tree depends on the number of boids alone, and boids are
// in the order of (cell, id), so the sums have the same bits again.

const WIDE = 256u;     // threads of a workgroup
const RANGES = 64u;    // ranges of boids that are summed apart

var<workgroup> positions: array<vec3f, WIDE>;
var<workgroup> velocities: array<vec3f, WIDE>;

// Parts of `work` behind those of grid.wgsl.
fn part_at(flock: u32, range: u32) -> u32 {
  return settings.max_cells + 2u * settings.n_boids + settings.blocks + 6u * RANGES
    + 6u * (RANGES * flock + range);
}

@compute @workgroup_size(256)
fn sum_ranges(@builtin(workgroup_id) group: vec3u,
              @builtin(local_invocation_index) local: u32) {
  for (var flock = 0u; flock < FLOCKS; flock++) {
    var x = vec3f(0.0);
    var v = vec3f(0.0);
    for (var i = group.x * WIDE + local; i < settings.n_boids; i += RANGES * WIDE) {
      if (flock_of(boids[settings.n_boids + i].w) == flock) {
        x += bitcast<vec3f>(boids[i].xyz) - settings.centre.xyz;
        v += bitcast<vec3f>(boids[settings.n_boids + i].xyz);
      }
    }
    positions[local] = x;
    velocities[local] = v;
    add_up(local, WIDE);
    if (local == 0u) {
      for (var k = 0u; k < 3u; k++) {
        atomicStore(&work[part_at(flock, group.x) + k], bitcast<u32>(positions[0][k]));
        atomicStore(&work[part_at(flock, group.x) + 3u + k], bitcast<u32>(velocities[0][k]));
      }
    }
    workgroupBarrier();
  }
}

// A workgroup for each flock.
@compute @workgroup_size(64)
fn sum_flocks(@builtin(workgroup_id) group: vec3u,
              @builtin(local_invocation_index) local: u32) {
  let at = part_at(group.x, local);
  for (var k = 0u; k < 3u; k++) {
    positions[local][k] = bitcast<f32>(atomicLoad(&work[at + k]));
    velocities[local][k] = bitcast<f32>(atomicLoad(&work[at + 3u + k]));
  }
  add_up(local, RANGES);
  if (local == 0u) {
    for (var k = 0u; k < 3u; k++) {
      numbers[total_at(group.x) + k] = positions[0][k];
      numbers[total_at(group.x) + 3u + k] = velocities[0][k];
    }
  }
}

// Add the first `size` entries of both arrays into their entry 0.
fn add_up(local: u32, size: u32) {
  for (var step = size / 2u; step > 0u; step = step / 2u) {
    workgroupBarrier();
    if (local < step) {
      positions[local] += positions[local + step];
      velocities[local] += velocities[local + step];
    }
  }
  workgroupBarrier();
}
