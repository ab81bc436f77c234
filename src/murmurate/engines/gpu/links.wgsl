// When boids send messages, and which ones reach a boid: see receive.py.j2. A flock that senses late,
// with errors or losses is a sensor; `sensing_of` has the columns of perceive.py.j2.

fn sensing_of(sensor: u32, column: u32) -> u32 { return SENSING[9u * sensor + column]; }

fn stream_of(sensor: u32, flock: u32, column: u32) -> u32 {
  return SENSING_STREAMS[4u * (sensor * FLOCKS + flock) + column];
}

// The step at which a boid sent its last message that may have arrived; -1 before the first.
fn sent_step(sensor: u32, flock: u32, index: u32) -> i32 {
  var clock = 0i;
  if (sensing_of(sensor, 2u) > 1u) {
    let bits = philox(vec4u(index, 0u, 0u, stream_of(sensor, flock, 2u))).x & 0xffffff00u;
    clock = i32(high_word(bits, sensing_of(sensor, 2u)));
  }
  let refresh = i32(sensing_of(sensor, 1u));
  let time = i32(atomicLoad(&control[STEP_LOW])) - i32(sensing_of(sensor, 0u)) - clock;
  return select(time / refresh * refresh + clock, -1, time < 0);
}
