"""Flocks that a browser simulates by WebGPU on its software adapter, without the rest of a page."""

from __future__ import annotations

from importlib import resources
from typing import Any

import numpy as np

import murmurate as mm
from murmurate.runs.live_page import flight_head, page_capacity, page_gpu

ENGINE = """
window.inflate = async (text) => new Uint8Array(await new Response(new Blob([
  Uint8Array.from(atob(text), (c) => c.charCodeAt(0))]).stream()
  .pipeThrough(new DecompressionStream("deflate"))).arrayBuffer());
window.adapter = await navigator.gpu?.requestAdapter();
window.begin = async (head) => {
  const device = await (await navigator.gpu.requestAdapter()).requestDevice();
  const errors = [];
  device.onuncapturederror = (event) => errors.push(event.error.message);
  const start = { ...head.start, code: await inflate(head.start.code) };
  const { program } = head.gpu;
  const data = {
    ...head, values: {}, off: [], start,
    modules: head.modules.map(({ manifest }) => ({ manifest })),
    most: program.max_boids,
  };
  const open = await murmurateOpenDevice(device, program, data, window.script);
  const channel = open({});
  const replies = new Map();
  let [step, next] = [-1, 1];
  const boids = [];
  channel.onJson((message) => {
    if (message.type === "reply") replies.get(message.to)?.(message);
    if (message.type === "boid") boids.push(message);
    if (message.type === "notice" && message.level === "error") errors.push(message.text);
  });
  channel.onLost = (reason) => errors.push(reason);
  channel.onBinary((data) => {
    step = new DataView(data).getFloat64(16, true);
    channel.send({ type: "credit", frames: 1 });
  });
  const ask = (message) => new Promise((done) => {
    replies.set(next, done);
    channel.send({ ...message, id: next++ });
  });
  await new Promise((done) => setTimeout(done, 0));
  await ask({ type: "pause" });
  await ask({ type: "restart" });
  const until = async (what) => {
    while (!what() && errors.length === 0) await new Promise((done) => setTimeout(done, 5));
    if (errors.length > 0) throw new Error(errors.join("; "));
  };
  const run = async (steps) => {
    const { state } = await ask({ type: "state" });
    const goal = state.step + steps;
    await ask({ type: "step", steps });
    await until(() => step >= goal);
  };
  const bits = (array) => Array.from(new Uint32Array(array.buffer, array.byteOffset, array.length));
  const places = async () => bits((await ask({ type: "state" })).state.places);
  return { device, channel, ask, run, until, places, boids, errors };
};
"""


def script() -> str:
    """The script with which a page opens flocks on a device, whose rules can be edited."""
    folder = resources.files("murmurate.show") / "viewer"
    return "".join((folder / f"{name}.js").read_text("utf-8") for name in ("formulas", "flight"))


def head_of(model: mm.Model, seed: int) -> dict[str, Any]:
    """What a page has of a model. Modules of published flocks come with the package."""
    published = mm.load(model.name) if model.name in mm.zoo() else model
    capacity = page_capacity(published, None)
    return flight_head(model, seed, capacity) | {"gpu": page_gpu(model, seed)}


def rows(bits: list[int], dims: int) -> np.ndarray:
    """(2 axes, boids): positions and velocities of boids, in the order of ids."""
    return np.array(bits, np.uint32).view(np.float32).reshape(2 * dims, -1)
