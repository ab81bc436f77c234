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

// A block of cells, which may lie beyond the ends of a periodic axis. All boids nearer than the root
// of `covered2` are in it.
struct Block { first: vec3i, last: vec3i, covered2: f32 }

// The cells within one cell of `home`; with one or two cells on an axis, each is in it once.
fn cells_around(home: vec3i, shape: vec3i) -> Block {
  var first = max(home - 1, vec3i(0));
  var last = min(home + 1, shape - 1);
  for (var k = 0u; k < DIMS; k++) {
    if (settings.periodic[k] == 0u) { continue; }
    if (shape[k] >= 3) { first[k] = home[k] - 1; last[k] = home[k] + 1; }
    else { first[k] = 0; last[k] = shape[k] - 1; }
  }
  return Block(first, last, 0.0);
}

// The cells within some cells of `home`, that of a position.
fn cells_within(shell: i32, home: vec3i, position: vec3f, shape: vec3i) -> Block {
  var first = home - shell;
  var last = home + shell;
  var complete = true;
  var covered = MAX_FLOAT;
  let x0 = grid_corner();
  let size = cell_size();
  for (var k = 0u; k < DIMS; k++) {
    if (settings.periodic[k] != 0u) {
      if (2 * shell + 1 >= shape[k]) {
        // all cells of the axis: from home - (n - 1) / 2 on, each once
        first[k] = home[k] - (shape[k] - 1) / 2;
        last[k] = first[k] + shape[k] - 1;
        continue;
      }
    } else {
      first[k] = max(first[k], 0);
      last[k] = min(last[k], shape[k] - 1);
      if (first[k] == 0 && last[k] == shape[k] - 1) { continue; }
    }
    complete = false;
    let below = position[k] - (x0[k] + f32(home[k] - shell) * size[k]);
    let above = x0[k] + f32(home[k] + shell + 1) * size[k] - position[k];
    if (settings.periodic[k] != 0u || home[k] - shell > 0) { covered = min(covered, below); }
    if (settings.periodic[k] != 0u || home[k] + shell < shape[k] - 1) {
      covered = min(covered, above);
    }
  }
  if (DIMS == 2u) { first.z = 0; last.z = 0; }
  covered = max(0.0, covered * 0.9999);
  return Block(first, last, select(covered * covered, MAX_FLOAT, complete));
}
