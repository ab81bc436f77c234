// A step that evaluates the forces several times: engines/cpu/model_arguments.py has the numbers.

// The boids where the forces of an evaluation are taken, by id, from the evaluation before it.
fn place(id: u32, evaluation: u32) {
  var x = bitcast<vec3f>(by_id[id].xyz);
  var v = bitcast<vec3f>(by_id[settings.n_boids + id].xyz);
  if (timer_of(by_id[settings.n_boids + id].w) == 0u) {
    let span = PARTS[evaluation] * numbers[row(0u) + TIME_STEP];
    let bend = BENDS[evaluation - 1u];
    let a = slope(evaluation - 1u, id, 0u);
    x += span * (slope(evaluation - 1u, id, 1u) + bend * span * a);
    v += span * a;
  }
  for (var k = 0u; k < DIMS; k++) {
    if (settings.periodic[k] != 0u) {
      x[k] = wrap_coordinate(x[k], settings.lower[k], settings.upper[k]);
    }
  }
  next_boids[id] = vec4u(bitcast<vec3u>(x), id);
  next_boids[settings.n_boids + id] = vec4u(bitcast<vec3u>(v), by_id[settings.n_boids + id].w);
}

// The acceleration (0) or the velocity (1) of an evaluation.
fn slope(evaluation: u32, id: u32, which: u32) -> vec3f {
  return bitcast<vec3f>(slopes[2u * (evaluation * settings.n_boids + id) + which].xyz);
}
