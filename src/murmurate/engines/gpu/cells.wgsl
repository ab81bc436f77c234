// Boids in their columns, and the cells of the grid. A flock of few boids among others is not in the
// grid: such boids share one cell behind those of the grid, and searches test each of them.

fn position_of(i: u32) -> vec3f { return bitcast<vec3f>(boids[2u * i].xyz); }
fn velocity_of(i: u32) -> vec3f { return bitcast<vec3f>(boids[2u * i + 1u].xyz); }

fn is_in_grid(flock: u32) -> bool {
  return FLOCKS == 1u || settings.flocks[flock].y > MAX_UNGRIDDED;
}

fn cell_size() -> vec3f {
  return bitcast<vec3f>(vec3u(cells[SIZE], cells[SIZE + 1u], cells[SIZE + 2u]));
}
fn cells_per_length() -> vec3f {
  return bitcast<vec3f>(vec3u(cells[INVERSE], cells[INVERSE + 1u], cells[INVERSE + 2u]));
}
fn grid_corner() -> vec3f {
  return bitcast<vec3f>(vec3u(cells[CORNER], cells[CORNER + 1u], cells[CORNER + 2u]));
}
fn grid_shape() -> vec3i {
  return vec3i(vec3u(cells[SHAPE], cells[SHAPE + 1u], cells[SHAPE + 2u]));
}

// The cell of a position; beyond the grid it is the nearest cell of its edge.
fn cell_at(x: vec3f) -> vec3i {
  let c = (x - grid_corner()) * cells_per_length();
  return vec3i(clamp(floor(c), vec3f(0.0), vec3f(grid_shape() - 1)));
}

// Cells along y are neighbours in memory.
fn cell_number(c: vec3i, shape: vec3i) -> u32 { return u32((c.z * shape.x + c.x) * shape.y + c.y); }

// A block of cells, which may lie beyond the ends of a periodic axis. Each cell is in it once.
struct Block { first: vec3i, last: vec3i }

// The cells that may have boids within the root of `reach2` on each axis; none if it is negative.
fn cells_within(reach2: f32, position: vec3f) -> Block {
  let shape = grid_shape();
  let ends = vec3f(shape);
  // wider by a little, so that rounding cannot put a neighbour outside
  let reach = vec3f(sqrt(max(reach2, 0.0)) * 1.00002 + bitcast<f32>(cells[MARGIN]));
  let x = position - grid_corner();
  let low = vec3i(clamp(floor((x - reach) * cells_per_length()), -ends, 2.0 * ends - 1.0));
  let high = vec3i(clamp(floor((x + reach) * cells_per_length()), -ends, 2.0 * ends - 1.0));
  let open = settings.periodic.xyz == vec3u(0u);
  let all = high - low >= shape;
  var first = select(select(low, vec3i(0), all), clamp(low, vec3i(0), shape - 1), open);
  let last = select(select(high, shape - 1, all), clamp(high, vec3i(0), shape - 1), open);
  if (reach2 < 0.0) { first.z = last.z + 1; }
  return Block(first, last);
}

// The columns of a strip of cells along y, and where the next strip begins.
struct Strip { first: u32, end: u32, next: vec3i }

// The strip that begins at a cell, to the end of the block or of the axis. Behind the last layer of
// the block are the boids that are not in the grid.
fn strip_at(cell: vec3i, block: Block) -> Strip {
  if (cell.z > block.last.z) {
    return Strip(cells[START + cells[CELLS]], settings.n_boids, vec3i(cell.xy, cell.z + 1));
  }
  let shape = grid_shape();
  var c = select(cell, cell - shape, cell >= shape);
  c = select(c, c + shape, c < vec3i(0));
  let at = START + cell_number(c, shape);
  let length = min(block.last.y - cell.y, shape.y - 1 - c.y) + 1;
  var next = vec3i(cell.x, cell.y + length, cell.z);
  if (next.y > block.last.y) { next = vec3i(next.x + 1, block.first.y, next.z); }
  if (next.x > block.last.x) { next = vec3i(block.first.x, next.y, next.z + 1); }
  return Strip(cells[at], cells[at + u32(length)], next);
}

// How far a position is outside of the grid.
fn distance_to_grid(position: vec3f) -> f32 {
  let x = position - grid_corner();
  return length(max(max(-x, x - cell_size() * vec3f(grid_shape())), vec3f(0.0)));
}

// A radius that probably contains k boids, from the density around a position.
fn first_radius(k: f32, position: vec3f) -> f32 {
  let size = cell_size();
  let block = cells_within(0.25 * size.x * size.x, position);
  var n = 0u;
  var at = block.first;
  while (at.z <= block.last.z) {
    let strip = strip_at(at, block);
    at = strip.next;
    n += strip.end - strip.first;
  }
  let shape = vec3f(block.last - block.first + 1) * size;
  let volume = k * shape.x * shape.y * shape.z / f32(max(n, 1u));
  let radius = select(pow(0.2387 * volume, 0.33333), sqrt(0.3183 * volume), DIMS == 2u);
  return 1.25 * radius + distance_to_grid(position);
}

// The next radius of a search that found too few boids; MAX_RADIUS if it reaches the whole grid.
fn next_radius(radius: f32, position: vec3f) -> f32 {
  let all = distance_to_grid(position) + length(cell_size() * vec3f(grid_shape()));
  return select(1.5 * radius, MAX_RADIUS, radius >= all);
}
