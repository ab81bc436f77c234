"""The process that holds a device of WebGPU. This is the one module that calls wgpu.

wgpu ends its process where a driver loses the device, and a driver may never answer. The process
that simulates therefore starts this one, sends it requests, and outlives it: device.py.

A message is two sizes, a pickled head, and raw data. The head of a request is (operation,
whether an answer is expected, arguments); that of an answer is ("ok", result) or (kind, message).
After an error, all requests fail until the next `open`.
"""

from __future__ import annotations

import logging
import os
import pickle
import re
import signal
import struct
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any, BinaryIO

SIZES = struct.Struct("<QQ")
SIZE_LIMITS = ("max-storage-buffer-binding-size", "max-buffer-size")
COUNT_LIMIT = "max-storage-buffers-per-shader-stage"
LIMITS = (*SIZE_LIMITS, COUNT_LIMIT)
"""Limits that a device gets as its adapter has them; all others are those of any WebGPU device."""
USAGE = "COPY_DST|COPY_SRC"
FIRST_PASSES = 16  # of the first submission
MAX_SECONDS = 0.05  # of a submission: drivers reset a card that is busy for seconds

MEMORY, LOST, FAULT = "memory", "lost", "fault"
"""Kinds of errors: the device has no memory left, it is lost, and all others."""
UNIFORM, STORED = ("uniform", "var<uniform>"), ("read-only-storage", "var<storage, read>")
"""How passes bind settings and declare them: on cards, and on software adapters. Mesa's software
adapter compiles a pass again whenever its uniforms are bound, if a branch or the length of a loop
depends on them alone."""
Pass = tuple[int, int, tuple[int, int]]
"""A pass: pipeline, group of buffers, workgroups on two axes."""


def send(stream: BinaryIO, head: object, data: bytes | memoryview = b"") -> None:
    """Write a message."""
    text = pickle.dumps(head)
    stream.write(SIZES.pack(len(text), len(data)))
    stream.write(text)
    stream.write(data)
    stream.flush()


def receive(stream: BinaryIO) -> tuple[Any, bytearray]:
    """Return the head and the data of the next message. Raises EOFError at the end."""
    size, count = SIZES.unpack(_read(stream, SIZES.size))
    return pickle.loads(_read(stream, size)), _read(stream, count)


def _read(stream: BinaryIO, size: int) -> bytearray:
    data = bytearray(size)
    if stream.readinto(data) != size:  # type: ignore[attr-defined]
        raise EOFError
    return data


class Operations:
    """A device with named buffers: each public method is an operation that a request may name."""

    def __init__(self) -> None:
        import wgpu

        self._gpu = wgpu.gpu
        self.messages = Messages()
        logging.getLogger("wgpu").addHandler(self.messages)
        self._adapter: tuple[str, ...] = ()
        self._device: Any = None
        self._passes = FIRST_PASSES  # of a submission
        self._submitted, self._begin = 0, 0.0  # passes since the last read, and its time
        self.clear()

    def clear(self) -> None:
        """Free all buffers."""
        self._buffers: dict[str, Any] = {}
        self._bindings: list[tuple[Mapping[int, str], Mapping[int, str]]] = []
        self._groups: dict[int, Any] = {}

    def perform(self, operation: str, arguments: Sequence[Any], data: bytes) -> Any:
        """Return the result of an operation. Raises an error that wgpu only logs, too."""
        self.messages.texts.clear()
        result = getattr(self, operation)(*arguments, *([data] if data else []))
        if self.messages.texts and operation not in ("open", "close", "clear", "adapters"):
            raise RuntimeError(" ".join(self.messages.texts))
        return result

    def adapters(self) -> list[tuple[str, str, str, int, int]]:
        """Return the fields of each adapter: see murmurate.engines.gpu.device.Adapter."""
        rows = []
        for handle in self._gpu.enumerate_adapters_sync():
            name, kind, backend = _names(handle)
            max_bytes = min(int(handle.limits[name]) for name in SIZE_LIMITS)
            max_buffers = int(handle.limits[COUNT_LIMIT]) - (_binding_of_settings(kind) == STORED)
            rows.append((name, kind, backend, max_bytes, max_buffers))
        return rows

    def open(self, adapter: tuple[str, str, str]) -> None:
        """Use a device of an adapter, without buffers. Compiled passes of an open one remain."""
        self.clear()
        if adapter == self._adapter:
            return
        self.close()
        handles = [h for h in self._gpu.enumerate_adapters_sync() if _names(h) == adapter]
        if not handles:
            raise LookupError("the adapter is no longer there")
        limits = {name: int(handles[0].limits[name]) for name in LIMITS}
        self._device = handles[0].request_device_sync(required_limits=limits)
        self._adapter = adapter
        self._settings = _binding_of_settings(adapter[1])
        self._pipelines: list[Any] = []
        self._layouts: dict[object, Any] = {}
        self._compiled: dict[object, int] = {}
        self._modules: dict[str, Any] = {}

    def close(self) -> None:
        """Destroy the device, which frees its memory; operations on it fail."""
        self._adapter = ()
        if self._device is not None:
            self._device.destroy()

    def allocate(self, name: str, size: int) -> None:
        """Create a buffer of zeros."""
        self._groups.clear()
        self._buffers[name] = self._device.create_buffer(size=size, usage=f"STORAGE|{USAGE}")

    def put(self, name: str, uniform: bool, data: bytes) -> None:
        """Create a buffer with data, or write them into the buffer of this name and size."""
        buffer = self._buffers.get(name)
        if buffer is not None and buffer.size == len(data):
            self._device.queue.write_buffer(buffer, 0, data)
            return
        self._groups.clear()
        usage = f"{'UNIFORM|' if uniform else ''}STORAGE|{USAGE}"
        self._buffers[name] = self._device.create_buffer_with_data(data=data, usage=usage)

    def write(self, name: str, first: int, data: bytes) -> None:
        """Write data into a buffer, from a byte on."""
        self._device.queue.write_buffer(self._buffers[name], first, data)

    def read(self, name: str, size: int) -> memoryview:
        """Return the first bytes of a buffer, when all passes before are done."""
        data: memoryview = self._device.queue.read_buffer(self._buffers[name], 0, size)
        if self._submitted:
            seconds = max(time.perf_counter() - self._begin, 1e-6)
            fitting = int(self._submitted * MAX_SECONDS / seconds)
            self._passes = max(1, min(4 * self._passes, fitting))
            self._submitted = 0
        return data

    def pipeline(self, text: str, entry: str, bindings: Mapping[int, str]) -> int:
        """Compile a pass, or return the same one: the number of a pipeline."""
        key = text, entry, tuple(bindings.items())
        if key in self._compiled:
            return self._compiled[key]
        if text not in self._modules:
            code = text.replace(UNIFORM[1], self._settings[1])
            self._modules[text] = self._device.create_shader_module(code=code)
        layout = self._layout(bindings)
        self._pipelines.append(
            self._device.create_compute_pipeline(
                layout=self._device.create_pipeline_layout(bind_group_layouts=[layout]),
                compute={"module": self._modules[text], "entry_point": entry},
            )
        )
        self._compiled[key] = len(self._pipelines) - 1
        return self._compiled[key]

    def _layout(self, bindings: Mapping[int, str]) -> Any:
        """Return the layout of groups of buffers; passes with the same kinds share groups."""
        key = tuple(bindings.items())
        if key not in self._layouts:
            kinds = {k: self._settings[0] if v == UNIFORM[0] else v for k, v in bindings.items()}
            self._layouts[key] = self._device.create_bind_group_layout(
                entries=[
                    {"binding": number, "visibility": "COMPUTE", "buffer": {"type": kind}}
                    for number, kind in kinds.items()
                ]
            )
        return self._layouts[key]

    def bind(self, bindings: Mapping[int, str], names: Mapping[int, str]) -> None:
        """Define the next group of buffers: their kinds and names by the numbers of bindings."""
        self._bindings.append((bindings, names))

    def _group(self, number: int) -> Any:
        if number not in self._groups:
            bindings, names = self._bindings[number]
            entries = [
                {
                    "binding": binding,
                    "resource": {
                        "buffer": self._buffers[name], "offset": 0,
                        "size": self._buffers[name].size,
                    },
                }
                for binding, name in names.items()
            ]  # fmt: skip
            layout = self._layout(bindings)
            self._groups[number] = self._device.create_bind_group(layout=layout, entries=entries)
        return self._groups[number]

    def run(self, steps: Sequence[Sequence[Pass]], count: int, end: Sequence[Pass]) -> None:
        """Submit the passes of some steps in order, a part at a time.

        steps  the passes of the first steps; the next ones repeat them
        end    passes after the last step
        """
        if not self._submitted:
            self._begin = time.perf_counter()
        passes = [p for k in range(count) for p in steps[k % len(steps)]] + [*end]
        for first in range(0, len(passes), self._passes):
            encoder = self._device.create_command_encoder()
            work = encoder.begin_compute_pass()
            set_pipeline, set_group = -1, -1
            for pipeline, group, (columns, rows) in passes[first : first + self._passes]:
                if pipeline != set_pipeline:
                    work.set_pipeline(self._pipelines[pipeline])
                if group != set_group:
                    work.set_bind_group(0, self._group(group))
                set_pipeline, set_group = pipeline, group
                work.dispatch_workgroups(columns, rows, 1)
            work.end()
            self._device.queue.submit([encoder.finish()])
        self._submitted += len(passes)


def _names(handle: Any) -> tuple[str, str, str]:
    """Return name, kind and backend of an adapter."""
    info = handle.info
    return info["device"], info["adapter_type"], info["backend_type"]


def _binding_of_settings(kind: str) -> tuple[str, str]:
    """Return how passes bind settings on a kind of adapter."""
    return STORED if kind == "CPU" else UNIFORM


class Messages(logging.Handler):
    """Keeps the errors that wgpu logs because it can raise them nowhere."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the text of an error."""
        self.texts.append(record.getMessage())


def describe(error: BaseException) -> tuple[str, str]:
    """Return the kind of an error, and its text in one line."""
    text = " ".join(str(error).split()) or type(error).__name__
    lower = text.lower()
    if isinstance(error, MemoryError) or "enough memory" in lower or "out of memory" in lower:
        return MEMORY, text
    return (LOST if re.search("device (is|was)? ?lost", lower) else FAULT), text


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer requests until their stream ends."""
    operations: Operations | None = None
    failure: tuple[str, str] | None = None
    while True:
        try:
            (operation, expected, arguments), data = receive(requests)
        except EOFError:
            return
        result: Any = None
        if operation == "open":
            failure = None
        try:
            if failure is None:
                operations = operations or Operations()
                result = operations.perform(operation, arguments, bytes(data))
        except Exception as error:
            failure = describe(error)
        if expected and failure is not None:
            send(answers, failure)
        elif expected:
            raw = result if isinstance(result, memoryview) else b""
            send(answers, ("ok", None if raw else result), raw)


def main() -> None:
    """Serve the process at the other ends of stdin and stdout. Drivers print to stderr."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that simulates
    requests = sys.stdin.buffer
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    serve(requests, answers)
