// Obstacles are rows of `numbers`: kind, centre or point, radius or half sizes or normal; see
// codegen/obstacle_shapes.py. A table is the place of its first number. Each row of the model's
// numbers has two tables: the obstacles when forces are evaluated, and those a time step later. Each
// has room for MAX_OBSTACLES, of which the first `settings.n_obstacles` are there.

fn obstacle_count() -> i32 { return i32(settings.n_obstacles); }

fn obstacle_row(table: u32, k: i32) -> array<f32, 7> {
  let at = table + 7u * u32(k);
  return array<f32, 7>(numbers[at], numbers[at + 1u], numbers[at + 2u], numbers[at + 3u],
                       numbers[at + 4u], numbers[at + 5u], numbers[at + 6u]);
}

fn obstacles_at(evaluation: u32) -> u32 { return row(evaluation) + FIRST_OBSTACLE; }
fn next_obstacles_at(evaluation: u32) -> u32 {
  return row(evaluation) + FIRST_OBSTACLE + 7u * MAX_OBSTACLES;
}

// The lengths of the periodic axes, 0 for the others.
fn sides() -> array<f32, 3> {
  return array<f32, 3>(settings.side.x, settings.side.y, settings.side.z);
}

// Words of a mesh, see codegen/mesh_data.py: all are floats. Its address is that of the first one.
fn float_of(mesh: i32, index: i32) -> f32 { return numbers[mesh + index]; }
fn number(mesh: i32, index: i32) -> i32 { return i32(numbers[mesh + index]); }
