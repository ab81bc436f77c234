// Boids in their columns, and the cells of the grid. A flock of few boids among others is not in the
// grid: such boids share one cell behind those of the grid, and searches test each of them.

fn position_of(i: u32) -> vec3f { return bitcast<vec3f>(boids[i].xyz); }

fn is_in_grid(flock: u32) -> bool {
  return FLOCKS == 1u || settings.flocks[flock].y > MAX_UNGRIDDED;
}

fn floats_at(k: u32) -> vec3f {
  return bitcast<vec3f>(vec3u(cells[k], cells[k + 1u], cells[k + 2u]));
}
fn cell_size() -> vec3f { return floats_at(SIZE); }
fn cells_per_length() -> vec3f { return floats_at(INVERSE); }
fn grid_corner() -> vec3f { return floats_at(CORNER); }
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

// The cells that may have boids within a reach of a position. They may lie beyond the ends of a
// periodic axis; each is there once.
//
// x       the position from the corner of the grid; on axes that are not periodic the nearest in it
// reach2  squared, wider by a little, so that rounding cannot put a neighbour outside
// all     axes of which all cells are in the block
struct Block { first: vec3i, last: vec3i, x: vec3f, reach2: f32, all: vec3<bool> }

// The block for the root of `reach2`; without cells if it is negative.
fn cells_within(reach2: f32, position: vec3f) -> Block {
  let shape = grid_shape();
  let ends = vec3f(shape);
  let reach = sqrt(max(reach2, 0.0)) * 1.00002 + bitcast<f32>(cells[MARGIN]);
  let open = settings.periodic.xyz == vec3u(0u);
  let from_corner = position - grid_corner();
  let x = select(from_corner, clamp(from_corner, vec3f(0.0), ends * cell_size()), open);
  let low = vec3i(clamp(floor((x - reach) * cells_per_length()), -ends, 2.0 * ends - 1.0));
  let high = vec3i(clamp(floor((x + reach) * cells_per_length()), -ends, 2.0 * ends - 1.0));
  let all = high - low >= shape;
  var first = select(select(low, vec3i(0), all), clamp(low, vec3i(0), shape - 1), open);
  let last = select(select(high, shape - 1, all), clamp(high, vec3i(0), shape - 1), open);
  if (reach2 < 0.0) { first.z = last.z + 1; }
  return Block(first, last, x, reach * reach, all);
}

// The columns of a strip of cells along y, and where the next strip begins.
struct Strip { first: u32, end: u32, next: vec3i }

// The strip that begins at a cell or behind it, to where the reach, the block or the axis ends. Behind
// the last layer of the block are the boids that are not in the grid.
fn strip_at(cell: vec3i, block: Block) -> Strip {
  if (cell.z > block.last.z) {
    return Strip(cells[START + cells[CELLS]], settings.n_boids, vec3i(cell.xy, cell.z + 1));
  }
  var next = vec3i(cell.x + 1, block.first.y, cell.z);
  if (next.x > block.last.x) { next = vec3i(block.first.x, block.first.y, cell.z + 1); }
  let below = vec3f(cell) * cell_size() - block.x;
  let gap = select(max(max(below, -below - cell_size()), vec3f(0.0)), vec3f(0.0), block.all);
  let reach2 = block.reach2 - gap.x * gap.x - gap.z * gap.z;
  if (reach2 < 0.0) { return Strip(0u, 0u, next); }
  let reach = select(sqrt(reach2), MAX_RADIUS, block.all.y);
  let ends = vec2f(f32(block.first.y), f32(block.last.y));
  let low = clamp(floor((block.x.y - reach) * cells_per_length().y), ends.x, ends.y);
  let high = clamp(floor((block.x.y + reach) * cells_per_length().y), ends.x, ends.y);
  let y = max(i32(low), cell.y);
  let shape = grid_shape();
  var c = vec3i(cell.x, y, cell.z);
  c = select(c, c - shape, c >= shape);
  c = select(c, c + shape, c < vec3i(0));
  let at = START + cell_number(c, shape);
  let length = min(i32(high) - y, shape.y - 1 - c.y) + 1;
  if (y + length <= i32(high)) { next = vec3i(cell.x, y + length, cell.z); }
  return Strip(cells[at], cells[at + u32(length)], next);
}

const SPANS = 12u;
var<workgroup> spans: array<vec2u, 64u * SPANS>;

// The next spans of columns of a thread, those at its SPANS entries up to `end`, and the strip behind.
struct Walk { end: u32, next: vec3i }

// Find the next columns of a block that have boids. Threads then go through them in one loop: it turns
// as often as a thread has candidates, and not for each strip as often as the fullest one has.
fn next_spans(i: u32, cell: vec3i, block: Block) -> Walk {
  let first = (i % 64u) * SPANS;
  var end = first;
  var at = cell;
  while (end < first + SPANS && at.z <= block.last.z + i32(FLOCKS > 1u)) {
    let strip = strip_at(at, block);
    at = strip.next;
    if (strip.first < strip.end) {
      spans[end] = vec2u(strip.first, strip.end);
      end++;
    }
  }
  return Walk(end, at);
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
