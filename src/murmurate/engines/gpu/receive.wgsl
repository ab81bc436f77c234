// The row of `perceived` with the last message of boid j that reached a boid, or NOBODY.
fn received(sensor: u32, id: u32, index: u32, j: u32) -> u32 {
  let first = sensing_of(sensor, 3u);
  let sensed = flock_of(perceived[(2u * first + 1u) * settings.n_boids + j].w);
  let sender = index_of(j, sensed);
  let stream = stream_of(sensor, sensed, 3u);
  let refresh = i32(sensing_of(sensor, 1u));
  let sent = sent_step(sensor, sensed, sender);
  let message = select(sent / refresh, -1, sent < 0);
  var drawn = message + 1;
  var is_bad = false;
  for (var age = 0i; age < i32(sensing_of(sensor, 4u)); age++) {
    let k = message - age;
    if (k < 0) { return first + u32(age); }
    let bits = philox(vec4u(index, u32(k), sender, stream)) >> vec4u(8u);
    if (k < drawn) {
      drawn = k;
      var link = bits;
      while (drawn > 0 && link.x < sensing_of(sensor, 5u)) {
        drawn--;
        link = philox(vec4u(index, u32(drawn), sender, stream)) >> vec4u(8u);
      }
      is_bad = link.y < sensing_of(sensor, 6u);
    }
    let arrives = bits.z >= sensing_of(sensor, select(7u, 8u, is_bad));
    if (arrives && reaches(sensor, u32(sent - age * refresh), j, id)) { return first + u32(age); }
  }
  return NOBODY;
}
