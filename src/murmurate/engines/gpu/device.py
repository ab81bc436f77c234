"""A device of WebGPU: adapters, buffers, pipelines, and runs of passes.

This is the one module that calls wgpu. It asks for the limits that every WebGPU device has, and for
larger buffers only where the adapter has them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from murmurate.engines.gpu.model_text import BINDINGS, READ, WRITE, Module
from murmurate.errors import ModelError, RunError
from murmurate.optional import require

BACKENDS = ("Vulkan", "Metal", "D3D12")
KINDS = ("DiscreteGPU", "IntegratedGPU", "VirtualGPU", "Unknown", "CPU")
"""Kinds of adapters, in the order of preference."""
INSTALL = (
    "Windows and macOS need nothing else; on Linux install the Vulkan driver of the card, or "
    "mesa-vulkan-drivers for a software adapter; in containers with NVIDIA cards set "
    "NVIDIA_DRIVER_CAPABILITIES=graphics"
)
Binding = tuple[int, str]
"""Binding of a buffer in a pass: its number, and the buffer's name."""


@dataclass(frozen=True)
class Adapter:
    """A graphics card, or a software adapter.

    name     as its driver states it
    kind     one of KINDS
    backend  one of BACKENDS
    """

    name: str
    kind: str
    backend: str
    handle: Any

    @property
    def label(self) -> str:
        """Name, kind and backend in one line."""
        return f"{self.name} ({self.kind}, {self.backend})"


def wgpu_module() -> Any:
    """Return the module wgpu. Raises ModelError if it is not installed."""
    require("wgpu", "engine 'gpu'", ModelError)
    import wgpu

    return wgpu


@lru_cache(maxsize=1)
def adapters() -> tuple[Adapter, ...]:
    """Return the adapters of this machine, graphics cards before software."""
    result = []
    for handle in wgpu_module().gpu.enumerate_adapters_sync():
        info = handle.info
        if info["backend_type"] in BACKENDS:
            kind = info["adapter_type"] if info["adapter_type"] in KINDS else "Unknown"
            result.append(Adapter(info["device"], kind, info["backend_type"], handle))
    return tuple(sorted(result, key=lambda a: KINDS.index(a.kind)))


def choose_adapter(name: str | None) -> Adapter:
    """Return the first adapter whose name contains a text; the first of all for None.

    Raises
    ------
    ModelError
        There is none.
    """
    available = adapters()
    if not available:
        raise ModelError(f"engine 'gpu': found no adapter for WebGPU; expected one. {INSTALL}")
    for adapter in available:
        if name is None or name.lower() in adapter.name.lower():
            return adapter
    names = "; ".join(adapter.label for adapter in available)
    raise ModelError(f"adapter: got {name!r}; expected part of the name of one of: {names}")


class Device:
    """A device with named buffers.

    Parameters
    ----------
    adapter : Adapter
        The adapter.
    """

    def __init__(self, adapter: Adapter) -> None:
        self.adapter = adapter
        limits = {
            name: int(adapter.handle.limits[name])
            for name in ("max-storage-buffer-binding-size", "max-buffer-size")
        }
        self.max_bytes = min(limits.values())
        try:
            self._device = adapter.handle.request_device_sync(required_limits=limits)
        except Exception as error:
            raise RunError(f"adapter {adapter.label}: got no device: {error}") from error
        self._buffers: dict[str, Any] = {}
        self._modules: dict[str, Any] = {}

    @property
    def nbytes(self) -> int:
        """Return the bytes of all buffers."""
        return sum(buffer.size for buffer in self._buffers.values())

    def check_size(self, name: str, size: int) -> None:
        """Raise ModelError if a buffer is larger than the adapter allows."""
        if size > self.max_bytes:
            raise ModelError(
                f"engine 'gpu': got {size:,} bytes for {name}; expected at most "
                f"{self.max_bytes:,}, which is what {self.adapter.name} allows. Use engine 'cpu'"
            )

    def put(self, name: str, data: np.ndarray, uniform: bool = False) -> None:
        """Create a buffer with data, or write them into the buffer of this name and size."""
        raw = np.ascontiguousarray(data).tobytes() or bytes(16)
        raw += bytes(-len(raw) % 16)
        self.check_size(name, len(raw))
        buffer = self._buffers.get(name)
        if buffer is None or buffer.size != len(raw):
            usage = f"{'UNIFORM' if uniform else 'STORAGE'}|COPY_DST|COPY_SRC"
            self._buffers[name] = self._device.create_buffer_with_data(data=raw, usage=usage)
        else:
            self._device.queue.write_buffer(buffer, 0, raw)

    def allocate(self, name: str, size: int) -> None:
        """Create a buffer of zeros of at least 16 bytes."""
        self.check_size(name, size)
        self._buffers[name] = self._device.create_buffer(
            size=max(16, size + -size % 16), usage="STORAGE|COPY_DST|COPY_SRC"
        )

    def read(self, name: str, dtype: Any, count: int) -> np.ndarray:
        """Return the first numbers of a buffer.

        Raises
        ------
        RunError
            The device is lost.
        """
        size = count * np.dtype(dtype).itemsize
        if not size:
            return np.zeros(0, dtype)
        try:
            raw = self._device.queue.read_buffer(self._buffers[name], 0, size + -size % 4)
        except Exception as error:
            raise RunError(f"adapter {self.adapter.label}: {error}") from error
        return np.frombuffer(raw, dtype, count).copy()

    def write(self, name: str, first: int, data: np.ndarray) -> None:
        """Write numbers of 4 bytes into a buffer, from its number `first` on."""
        if data.size:
            self._device.queue.write_buffer(self._buffers[name], 4 * first, data.tobytes())

    def pipeline(self, module: Module, entry: str) -> Any:
        """Return a compiled pass: a pipeline, and the layout of its buffers.

        Parameters
        ----------
        module : Module
            WGSL, and the buffers that it uses.
        entry : str
            Name of the kernel.

        Raises
        ------
        RunError
            The driver does not compile the text.
        """
        kinds = {READ: "read-only-storage", WRITE: "storage"}
        bindings = {0: "uniform"} | {BINDINGS[k][0]: kinds[how] for k, how in module.access.items()}
        try:
            if module.text not in self._modules:
                self._modules[module.text] = self._device.create_shader_module(code=module.text)
            entries = [
                {"binding": number, "visibility": "COMPUTE", "buffer": {"type": kind}}
                for number, kind in bindings.items()
            ]
            layout = self._device.create_bind_group_layout(entries=entries)
            compiled = self._device.create_compute_pipeline(
                layout=self._device.create_pipeline_layout(bind_group_layouts=[layout]),
                compute={"module": self._modules[module.text], "entry_point": entry},
            )
        except Exception as error:
            raise RunError(
                f"adapter {self.adapter.label}: {entry} does not compile: {error}"
            ) from error
        return compiled, layout

    def bind(self, layout: Any, names: Mapping[int, str]) -> Any:
        """Return a group of buffers by the numbers of their bindings."""
        entries = [
            {
                "binding": number,
                "resource": {
                    "buffer": self._buffers[name], "offset": 0, "size": self._buffers[name].size,
                },
            }
            for number, name in names.items()
        ]  # fmt: skip
        return self._device.create_bind_group(layout=layout, entries=entries)

    def run(self, passes: Sequence[tuple[Any, Any, tuple[int, int]]]) -> None:
        """Run passes in order: (pipeline, group of buffers, workgroups on two axes).

        Raises
        ------
        RunError
            The device is lost.
        """
        try:
            encoder = self._device.create_command_encoder()
            work = encoder.begin_compute_pass()
            for pipeline, group, (columns, rows) in passes:
                work.set_pipeline(pipeline)
                work.set_bind_group(0, group)
                work.dispatch_workgroups(columns, rows, 1)
            work.end()
            self._device.queue.submit([encoder.finish()])
        except Exception as error:
            raise RunError(f"adapter {self.adapter.label}: {error}") from error
