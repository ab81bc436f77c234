// What runs in Chromium's workers: Reynolds' three rules by a cell list in plain JavaScript, the
// yardstick, and a page's worker that flies as fast as it can.

/** Milliseconds a step of so many boids on a torus of this side, sensing within 1 (separation: 0.5). */
function yardstick(boids, side, steps) {
  const count = 3 * boids;
  let [places, velocities] = [new Float32Array(count), new Float32Array(count)];
  let [nextPlaces, nextVelocities] = [new Float32Array(count), new Float32Array(count)];
  for (let i = 0; i < count; i++) {
    places[i] = Math.random() * side;
    velocities[i] = 0.1 * (Math.random() - 0.5);
  }
  const cells = Math.max(3, Math.floor(side));
  const size = side / cells;
  const start = new Int32Array(cells ** 3 + 1);
  const [cellOf, fill] = [new Int32Array(boids), new Int32Array(cells ** 3)];
  const [x, v] = [new Float32Array(count), new Float32Array(count)];
  const at = (a) => Math.min(cells - 1, Math.floor(a / size));
  const step = () => {
    start.fill(0);
    for (let i = 0; i < boids; i++) {
      const c = (at(places[3 * i]) * cells + at(places[3 * i + 1])) * cells + at(places[3 * i + 2]);
      cellOf[i] = c;
      start[c + 1]++;
    }
    for (let c = 0; c < cells ** 3; c++) start[c + 1] += start[c];
    fill.set(start.subarray(0, cells ** 3));
    for (let i = 0; i < boids; i++) {
      const k = 3 * fill[cellOf[i]]++;
      for (let d = 0; d < 3; d++) {
        x[k + d] = places[3 * i + d];
        v[k + d] = velocities[3 * i + d];
      }
    }
    for (let k = 0; k < count; k += 3) {
      const [px, py, pz, u, w, q] = [x[k], x[k + 1], x[k + 2], v[k], v[k + 1], v[k + 2]];
      const [a, b, c] = [at(px), at(py), at(pz)];
      let cx = 0, cy = 0, cz = 0, ax = 0, ay = 0, az = 0, sx = 0, sy = 0, sz = 0, many = 0;
      for (let i = -1; i < 2; i++) {
        const A = (a + i + cells) % cells, ox = a + i < 0 ? -side : a + i >= cells ? side : 0;
        for (let j = -1; j < 2; j++) {
          const B = (b + j + cells) % cells, oy = b + j < 0 ? -side : b + j >= cells ? side : 0;
          for (let l = -1; l < 2; l++) {
            const C = (c + l + cells) % cells, oz = c + l < 0 ? -side : c + l >= cells ? side : 0;
            const cell = (A * cells + B) * cells + C;
            const end = 3 * start[cell + 1];
            for (let n = 3 * start[cell]; n < end; n += 3) {
              const dx = x[n] + ox - px, dy = x[n + 1] + oy - py, dz = x[n + 2] + oz - pz;
              const r2 = dx * dx + dy * dy + dz * dz;
              if (r2 > 1 || n === k) continue;
              many++;
              cx += dx; cy += dy; cz += dz;
              ax += v[n]; ay += v[n + 1]; az += v[n + 2];
              if (r2 <= 0.25) {
                const s = 1 / Math.max(r2, 1e-18);
                sx -= dx * s; sy -= dy * s; sz -= dz * s;
              }
            }
          }
        }
      }
      const m = Math.max(many, 1);
      let [f, g, h] = [
        u + (0.005 * cx) / m + 0.05 * (ax / m - u) + 0.0025 * sx,
        w + (0.005 * cy) / m + 0.05 * (ay / m - w) + 0.0025 * sy,
        q + (0.005 * cz) / m + 0.05 * (az / m - q) + 0.0025 * sz,
      ];
      const speed = Math.sqrt(f * f + g * g + h * h);
      const cut = speed > 0.1 ? 0.1 / speed : 1;
      [f, g, h] = [f * cut, g * cut, h * cut];
      nextVelocities[k] = f; nextVelocities[k + 1] = g; nextVelocities[k + 2] = h;
      nextPlaces[k] = (px + f + side) % side;
      nextPlaces[k + 1] = (py + g + side) % side;
      nextPlaces[k + 2] = (pz + h + side) % side;
    }
    [places, nextPlaces] = [nextPlaces, places];
    [velocities, nextVelocities] = [nextVelocities, velocities];
  };
  for (let i = 0; i < 3; i++) step();
  const begin = performance.now();
  for (let i = 0; i < steps; i++) step();
  return (performance.now() - begin) / steps;
}

/** Milliseconds a step of what a page holds, in its worker. */
async function flown(worker, head, steps) {
  const inflate = async (text) => {
    const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  };
  const modules = [];
  for (const module of head.modules) modules.push({ ...module, code: await inflate(module.code) });
  const start = { ...head.start, code: await inflate(head.start.code) };
  const port = new Worker(URL.createObjectURL(new Blob([worker])));
  const waiting = new Map();
  let [next, step, arrived] = [1, 0, () => undefined];
  port.onmessage = ({ data }) => {
    if (data instanceof ArrayBuffer) {
      step = new DataView(data).getFloat64(16, true);
      port.postMessage({ type: "credit", frames: 1 });
      arrived();
    } else if (data.type === "reply") waiting.get(data.to)();
  };
  const ask = (message) => new Promise((done) => {
    waiting.set(next, done);
    port.postMessage({ ...message, id: next++ });
  });
  const fly = async (more) => {
    const goal = step + more;
    const done = new Promise((end) => (arrived = () => step >= goal && end()));
    await ask({ type: "step", steps: more });
    await done;
  };
  port.postMessage({ ...head, values: {}, off: [], modules, start });
  await ask({ type: "pause" });
  await ask({ type: "restart" });
  while (step !== 0) await new Promise((end) => setTimeout(end, 5));
  await fly(5);
  const begin = performance.now();
  await fly(steps);
  const took = (performance.now() - begin) / steps;
  port.terminate();
  return took;
}
