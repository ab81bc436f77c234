// A client of the live view, for browsers and Node 22: frames as typed arrays; numbers, commands and
// predators to the flock.
//
//     const flock = await Flock.open("http://127.0.0.1:8600/?token=...", { rgb: true });
//     const { step, positions, velocities, rgb } = await flock.frame();
//     await flock.set({ "rules.cohesion.weight": 0.05 });

const WIRE = 1; // the version before the point that this client reads
const CHANGING = 2, RGB = 8; // flags of frames
const COMMAND = 0x43524d46, SOME = 1;

/** A connection. `scene` is the header: flocks, space, model, values, and the wire's version. */
export class Flock {
  scene = null;
  #newest = null;
  #waiting = new Map(); // what promises wait for: a scene, a frame, the reply with an id
  #id = 0;

  /** Connect to the address that murmurate printed, with the token. */
  static async open(address, { rgb = false } = {}) {
    const flock = new Flock();
    const url = address.replace("http", "ws").replace("/?", "/ws?") + `&wire=${WIRE}&rgb=${Number(rgb)}`;
    flock.socket = new WebSocket(url);
    flock.socket.binaryType = "arraybuffer";
    flock.socket.onmessage = ({ data }) => flock.#receive(data);
    flock.socket.onclose = () => flock.#end("the connection is closed");
    await flock.#wait("scene");
    return flock;
  }

  /** The next frame. Those that come while you compute are skipped, not queued. */
  async frame() {
    if (!this.#newest) await this.#wait("frame");
    const data = this.#newest;
    this.#newest = null;
    this.socket.send('{"type":"credit"}'); // for one more frame
    return this.#decode(data);
  }

  /** Change numbers of the model: { "rules.cohesion.weight": 0.05 }. */
  set = (values) => this.request("set", { values });

  /** Add a predator; the first one brings the rules by which it hunts and others flee. */
  placePredator = (position) => this.request("place", { position });

  /** Command all boids of a flock, or those with some indices: an array of all numbers. The model
      needs a rule of kind `command`. No numbers: all commands end. */
  command(name, numbers = [], boids = null) {
    const { dims } = this.scene, id = ++this.#id, flags = boids ? SOME : 0;
    const head = [COMMAND, WIRE | (dims << 16), id, numbers.length / dims, flags | (name.length << 16)];
    const padded = name.padEnd(Math.ceil(name.length / 4) * 4, "\0");
    const parts = [Uint32Array.from(head), padded, Uint32Array.from(boids ?? []), Float32Array.from(numbers)];
    this.socket.send(new Blob(parts)); // little-endian, as all machines with browsers are
    return this.#wait(id);
  }

  /** Send a message; its reply, or an error if it is refused. */
  request(type, fields = {}) {
    const id = ++this.#id;
    this.socket.send(JSON.stringify({ type, id, ...fields }));
    return this.#wait(id);
  }

  close = () => this.socket.close();

  #wait = (key) => new Promise((resolve, reject) => this.#waiting.set(key, { resolve, reject }));

  #settle(key, value, error) {
    const promise = this.#waiting.get(key);
    this.#waiting.delete(key);
    error ? promise?.reject(new Error(error)) : promise?.resolve(value);
  }

  #end = (reason) => [...this.#waiting.keys()].forEach((key) => this.#settle(key, null, reason));

  #receive(data) {
    if (typeof data !== "string") {
      this.#newest = data;
      return this.#settle("frame");
    }
    const message = JSON.parse(data);
    if (message.type === "scene") this.scene = message;
    if (message.type === "bye") this.#end(message.reason);
    if (message.type === "reply") this.#settle(message.to, message, message.error);
    else this.#settle(message.type, message);
  }

  #decode(data) {
    const view = new DataView(data);
    const u32 = (at) => view.getUint32(at, true), f32 = (at) => view.getFloat32(at, true);
    const dims = view.getUint16(6, true), count = u32(12), flags = u32(60);
    const lower = [32, 36, 40].map(f32), side = [44, 48, 52].map(f32), fastest = f32(56);
    const positions = new Float32Array(3 * count), velocities = new Float32Array(3 * count);
    for (let i = 0, at = 96; i < count; i++, at += 12) {
      const heading = [8, 9, 10].map((k) => view.getInt8(at + k));
      const scale = (view.getUint16(at + 6, true) / 65535) * fastest / (Math.hypot(...heading) || 1);
      for (let k = 0; k < dims; k++) {
        const level = (view.getUint16(at + 2 * k, true) + 0.5) / 65536;
        positions[3 * i + k] = lower[k] + level * side[k];
        velocities[3 * i + k] = heading[k] * scale;
      }
    }
    const end = 96 + 12 * count, changing = flags & CHANGING; // flocks with numbers that change
    const flocks = {}, known = this.scene.flocks;
    let last = 0;
    for (const [k, { name, count }] of known.entries())
      flocks[name] = [last, (last += changing ? u32(end + 8 * k) : count)];
    const first = end + 8 * known.length;
    const indices = changing ? new Uint32Array(data.slice(first, first + 4 * count)) : null;
    const rgb = flags & RGB ? new Uint8Array(data, data.byteLength - 3 * count) : null;
    const step = view.getFloat64(16, true), time = view.getFloat64(24, true);
    return { step, time, count, dims, flocks, positions, velocities, rgb, indices };
  }
}
