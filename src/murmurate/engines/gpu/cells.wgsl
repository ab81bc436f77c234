// Boids in their columns, and the cells of the grid.

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
