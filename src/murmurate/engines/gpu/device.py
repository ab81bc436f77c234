"""Adapters and devices of WebGPU: buffers, pipelines, and runs of passes.

A device lives in a process of its own (device_process.py), because a driver that fails may end its
process or never answer. Here that is an error, and the program continues. Processes are used again:
they keep the passes that they compiled.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
import tempfile
import threading
import weakref
from collections import deque
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from queue import SimpleQueue
from typing import Any, BinaryIO

import numpy as np

from murmurate.engines.gpu.device_process import LOST, MEMORY, Pass, receive, send
from murmurate.engines.gpu.wgsl_modules import BINDINGS, READ, WRITE, Module
from murmurate.errors import DeviceError, ModelError
from murmurate.optional import require

BACKENDS = ("Vulkan", "Metal", "D3D12")
KINDS = ("DiscreteGPU", "IntegratedGPU", "VirtualGPU", "Unknown", "CPU")
"""Kinds of adapters, in the order of preference."""
MAX_SECONDS = 600.0  # until a device answers
PIPE_BYTES = 1 << 20
MAX_IDLE = 2  # processes that wait for a device
INSTALL = {
    "Linux": "Install the Vulkan driver of the card, or mesa-vulkan-drivers for a software "
    "adapter; in containers with NVIDIA cards set NVIDIA_DRIVER_CAPABILITIES=graphics",
    "Windows": "Install the driver of the card that its maker offers: it needs Direct3D 12 or "
    "Vulkan",
    "Darwin": "It needs macOS 10.13 or later and a card with Metal",
}
"""What provides an adapter, by the name of the system."""
AGAIN = (
    "Run it again, on another adapter or with engine 'cpu'; murmurate resume continues a recording"
)
Request = tuple[tuple[str, bool, tuple[Any, ...]], bytes, "Future[tuple[Any, bytearray]] | None"]
"""The head of a message, its data, and the future of its answer if one is expected."""


@dataclass(frozen=True)
class Adapter:
    """A graphics card, or a software adapter.

    name         as its driver states it
    kind         one of KINDS
    backend      one of BACKENDS
    max_bytes    of a buffer
    max_buffers  storage buffers that a pass may bind besides the settings
    """

    name: str
    kind: str
    backend: str
    max_bytes: int
    max_buffers: int

    @property
    def label(self) -> str:
        """Name, kind and backend in one line."""
        return f"{self.name} ({self.kind}, {self.backend})"


@lru_cache(maxsize=1)
def adapters() -> tuple[Adapter, ...]:
    """Return the adapters of this machine, graphics cards before software.

    raises ModelError  wgpu is not installed
    raises DeviceError  a driver fails
    """
    if find_spec("wgpu") is None:
        require("wgpu", "engine 'gpu'", ModelError)
    process = take_process()
    rows = process.ask("adapters", adapter="")[0]
    give_back(process)
    result = [Adapter(*row) for row in rows if row[2] in BACKENDS]
    return tuple(sorted(result, key=lambda a: KINDS.index(a.kind) if a.kind in KINDS else 3))


def install_text() -> str:
    """Return the source of an adapter on this system, in a sentence without its full stop."""
    return INSTALL.get(platform.system(), INSTALL["Linux"])


def choose_adapter(name: str | None) -> Adapter:
    """Return the first adapter whose name contains a text, or raise ModelError."""
    available = adapters()
    if not available:
        raise ModelError(
            f"engine 'gpu': found no adapter for WebGPU; expected one. {install_text()}. Or use "
            "engine 'cpu'"
        )
    for adapter in available:
        if name is None or name.lower() in adapter.name.lower():
            return adapter
    names = "; ".join(adapter.label for adapter in available)
    raise ModelError(f"adapter: got {name!r}; expected part of the name of one of: {names}")


class DeviceProcess:
    """A process that holds a device, and the thread that exchanges messages with it.

    Ctrl-C interrupts the thread that waits for an answer, never the exchange of a message.
    """

    def __init__(self) -> None:
        code = (
            f"import sys; sys.path[:] = {[path for path in sys.path if isinstance(path, str)]!r}; "
            "from murmurate.engines.gpu.device_process import main; main()"
        )
        self._log = tempfile.TemporaryFile()  # noqa: SIM115  # closed by _end
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=self._log, env=os.environ | {"RUST_BACKTRACE": "0"},
            )  # fmt: skip
        except OSError as error:
            self._log.close()
            raise DeviceError(f"engine 'gpu': cannot start a process: {error}. {AGAIN}") from error
        for pipe in (self._process.stdin, self._process.stdout):
            enlarge(pipe)
        self._owner = os.getpid()
        self._requests: SimpleQueue[Request | None] = SimpleQueue()
        arguments = self._process, self._requests, self._log
        threading.Thread(
            target=_exchange, args=arguments, name="murmurate-device", daemon=True
        ).start()
        self.end = weakref.finalize(self, _end, *arguments)

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self._process.poll() is None

    @property
    def pid(self) -> int:
        """Number of the process."""
        return self._process.pid

    def post(self, operation: str, *arguments: Any, data: bytes = b"") -> None:
        """Request an operation. An error is raised by the next `ask`."""
        self._requests.put(((operation, False, arguments), data, None))

    def ask(self, operation: str, *arguments: Any, adapter: str) -> tuple[Any, bytearray]:
        """Request an operation and return its result, and its data.

        adapter  for messages; '' if it is not known yet

        raises DeviceError  this operation or one before it failed, the process ended, or it does
            not answer
        """
        subject = f"adapter {adapter}" if adapter else "adapters"
        if os.getpid() != self._owner:
            raise DeviceError(
                f"{subject}: got a device of process {self._owner}; expected one of this "
                "process, which was forked from it. Create the simulation in this process"
            )
        future: Future[tuple[Any, bytearray]] = Future()
        try:
            if not self.end.alive:
                raise TimeoutError
            self._requests.put(((operation, True, arguments), b"", future))
            return future.result(MAX_SECONDS)
        except TimeoutError:
            self.end()
            raise DeviceError(
                f"{subject}: got no answer for {MAX_SECONDS:g} s; expected a device that "
                f"answers. {AGAIN}"
            ) from None
        except _RequestError as error:
            raise DeviceError(_describe(subject, error.kind, error.text)) from None


def enlarge(pipe: Any) -> None:
    """Enlarge the buffer of a pipe where the system allows it, since frames are large."""
    with suppress(ImportError, AttributeError, OSError):
        import fcntl

        fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, PIPE_BYTES)


class _RequestError(Exception):
    """A request failed: the kind of the error, and its text."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind, self.text = kind, text


def _describe(subject: str, kind: str, text: str) -> str:
    """Return the message of an error in the process of a device."""
    if kind == MEMORY:
        return (
            f"{subject}: got too little memory ({text}); expected enough for all boids. "
            "Simulate fewer boids, close programs that use the card, or use engine 'cpu'"
        )
    if kind == LOST:
        return (
            f"{subject}: got a lost device ({text}); expected one that answers. Its driver "
            f"was reset, or the card was removed. {AGAIN}"
        )
    return f"{subject}: got an error of the driver: {text}. {AGAIN}"


def _exchange(
    process: subprocess.Popen[bytes], requests: SimpleQueue[Request | None], log: BinaryIO
) -> None:
    """Send requests and receive their answers, until None comes."""
    failure: tuple[str, str] | None = None
    assert process.stdin is not None and process.stdout is not None
    while (request := requests.get()) is not None:
        head, data, future = request
        answer: tuple[Any, bytearray] = None, bytearray()
        if failure is None:
            try:
                send(process.stdin, head, data)  # type: ignore[arg-type]
                if future is not None:
                    (kind, result), raw = receive(process.stdout)  # type: ignore[arg-type]
                    answer = result, raw
                    if kind != "ok":
                        future.set_exception(_RequestError(kind, result))
                        continue
            except (OSError, EOFError, ValueError):
                failure = _cause_of_death(process, log)
        if future is not None and failure is not None:
            future.set_exception(_RequestError(*failure))
        elif future is not None:
            future.set_result(answer)


def _cause_of_death(process: subprocess.Popen[bytes], log: BinaryIO) -> tuple[str, str]:
    """Return the kind of error that ended a process, and its last output."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(10.0)
    text = ""
    with suppress(OSError, ValueError):
        log.seek(0)
        text = log.read().decode("utf-8", "replace")
    panic = re.search(r"panicked at [^\n]*\n(.*?)(?:\nstack backtrace|\nnote:|\Z)", text, re.DOTALL)
    cause = " ".join(panic[1].split()) if panic else ""
    kind = MEMORY if "enough memory" in cause.lower() else LOST
    return kind, cause or f"its process ended with code {process.returncode}"


def _end(
    process: subprocess.Popen[bytes], requests: SimpleQueue[Request | None], log: BinaryIO
) -> None:
    """End a process and its thread."""
    requests.put(None)
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout, log):
        with suppress(OSError, ValueError):
            stream.close()  # type: ignore[union-attr]


_idle: deque[DeviceProcess] = deque()


def take_process() -> DeviceProcess:
    """Return a process that waits for a device, or a new one."""
    while _idle:
        with suppress(IndexError):
            process = _idle.pop()
            if process.alive:
                return process
    return DeviceProcess()


def give_back(process: DeviceProcess) -> None:
    """Let a process wait for its next device, or end it."""
    if process.alive and len(_idle) < MAX_IDLE:
        process.post("clear")
        _idle.append(process)
    else:
        process.end()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_idle.clear)


class Device:
    """A device with named buffers.

    process  the process that holds the device
    bytes_read  bytes of buffers that were read
    raises DeviceError  the adapter gives no device
    """

    def __init__(self, adapter: Adapter, process: DeviceProcess | None = None) -> None:
        self.adapter = adapter
        self.bytes_read = 0
        self._sizes: dict[str, int] = {}
        self._bound: dict[object, int] = {}
        self.process = process or take_process()
        if process is None:
            weakref.finalize(self, give_back, self.process)
        try:
            self._ask("open", (adapter.name, adapter.kind, adapter.backend))
        except DeviceError:
            adapters.cache_clear()  # it may have been removed
            raise

    def _ask(self, operation: str, *arguments: Any) -> tuple[Any, bytearray]:
        return self.process.ask(operation, *arguments, adapter=self.adapter.label)

    @property
    def nbytes(self) -> int:
        """Return the bytes of all buffers."""
        return sum(self._sizes.values())

    def close(self) -> None:
        """Destroy the device: its memory is free, and all that uses it fails."""
        self.process.post("close")

    def put(self, name: str, data: np.ndarray, uniform: bool = False) -> None:
        """Create a buffer with data, or write them into the buffer of this name and size."""
        raw = np.ascontiguousarray(data).tobytes() or bytes(16)
        raw += bytes(-len(raw) % 16)
        self._sizes[name] = len(raw)
        self.process.post("put", name, uniform, data=raw)

    def allocate(self, name: str, size: int) -> None:
        """Create a buffer of zeros of at least 16 bytes."""
        self._sizes[name] = max(16, size + -size % 16)
        self.process.post("allocate", name, self._sizes[name])

    def read(self, name: str, dtype: Any, count: int) -> np.ndarray:
        """Return the first numbers of a buffer."""
        size = count * np.dtype(dtype).itemsize
        if not size:
            return np.zeros(0, dtype)
        _, raw = self._ask("read", name, size + -size % 4)
        self.bytes_read += len(raw)
        return np.frombuffer(raw, dtype, count)

    def write(self, name: str, first: int, data: np.ndarray) -> None:
        """Write numbers of 4 bytes into a buffer, from its number `first` on."""
        if data.size:
            self.process.post("write", name, 4 * first, data=data.tobytes())

    def pipeline(self, module: Module, entry: str) -> int:
        """Compile a pass and return the number of its pipeline.

        module  WGSL, and the buffers that it uses
        entry  name of the kernel
        raises DeviceError  the driver does not compile the text
        """
        number: int = self._ask("pipeline", module.text, entry, kinds_of_buffers(module))[0]
        return number

    def bind(self, module: Module, names: Mapping[int, str]) -> int:
        """Return the number of a group of buffers of a module, by the numbers of their bindings."""
        kinds = kinds_of_buffers(module)
        key = tuple(kinds.items()), tuple(names.items())
        if key not in self._bound:
            self._bound[key] = len(self._bound)
            self.process.post("bind", kinds, dict(names))
        return self._bound[key]

    def run(
        self, steps: Sequence[Sequence[Pass]], count: int = 1, end: Sequence[Pass] = ()
    ) -> None:
        """Run the passes of some steps in order. A lost device is an error of the next read.

        steps  the passes of the first steps; the next ones repeat them
        end    passes after the last step
        """
        self.process.post("run", steps, count, end)


def kinds_of_buffers(module: Module) -> dict[int, str]:
    """Return the kinds of a module's buffers by the numbers of their bindings."""
    kinds = {READ: "read-only-storage", WRITE: "storage"}
    return {0: "uniform"} | {BINDINGS[k][0]: kinds[how] for k, how in module.access.items()}
