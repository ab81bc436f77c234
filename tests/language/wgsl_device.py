"""Run functions of a WGSL text on a device, or by Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from interpreted_wgsl import module_of


def device() -> Any:
    """Return a device of the first adapter; skip the test if there is none."""
    wgpu = pytest.importorskip("wgpu")
    adapters = wgpu.gpu.enumerate_adapters_sync()
    chosen = [a for a in adapters if a.info["backend_type"] in ("Vulkan", "Metal", "D3D12")]
    if not chosen:
        pytest.skip("no adapter for WebGPU")
    return chosen[0].request_device_sync()


def run(device: Any, text: str, entry: str, numbers: np.ndarray, width: int) -> np.ndarray:
    """Run a kernel once for each row of numbers.

    text     with a kernel `entry` that reads `inputs` and writes `results`, (rows, width) each
    numbers  (rows, columns) float32
    """
    rows = len(numbers)
    inputs = device.create_buffer_with_data(data=np.float32(numbers).tobytes(), usage="STORAGE")
    results = device.create_buffer(size=4 * rows * width, usage="STORAGE|COPY_SRC")
    pipeline = device.create_compute_pipeline(
        layout="auto",
        compute={"module": device.create_shader_module(code=text), "entry_point": entry},
    )
    group = device.create_bind_group(
        layout=pipeline.get_bind_group_layout(0),
        entries=[
            {"binding": k, "resource": {"buffer": b, "offset": 0, "size": b.size}}
            for k, b in enumerate((inputs, results))
        ],
    )
    encoder = device.create_command_encoder()
    work = encoder.begin_compute_pass()
    work.set_pipeline(pipeline)
    work.set_bind_group(0, group)
    work.dispatch_workgroups(rows)
    work.end()
    device.queue.submit([encoder.finish()])
    return np.frombuffer(device.queue.read_buffer(results), np.float32).reshape(rows, width).copy()


def interpret(text: str, entry: str, numbers: np.ndarray, width: int) -> np.ndarray:
    """Do what `run` does without a device."""
    inputs, results = np.float32(numbers).ravel(), np.zeros((len(numbers), width), np.float32)
    buffers = {0: inputs.view(np.uint8), 1: results.ravel().view(np.uint8)}
    module_of(text).run(entry, buffers, (len(numbers), 1))
    return results


HEAD = """
@group(0) @binding(0) var<storage, read> inputs: array<f32>;
@group(0) @binding(1) var<storage, read_write> results: array<f32>;
"""


def kernel(entry: str, columns: int, width: int, body: str) -> str:
    """Return a kernel; `body` reads `a[k]` and assigns `r[k]`."""
    return f"""
@compute @workgroup_size(1)
fn {entry}(@builtin(workgroup_id) group: vec3u) {{
  var a: array<f32, {columns}>;
  for (var k = 0u; k < {columns}u; k++) {{ a[k] = inputs[group.x * {columns}u + k]; }}
  var r: array<f32, {width}>;
{body}
  for (var k = 0u; k < {width}u; k++) {{ results[group.x * {width}u + k] = r[k]; }}
}}
"""
