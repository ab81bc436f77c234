"""Memory that a model needs at least, memory that is free, and the check that the model fits.

Without the check, the system would kill a simulation of too many boids while it fills its arrays,
and the machine might stop responding before that. Each engine states the least memory that it needs
(`min_memory`). Free memory is the smallest of the limits of machine, container and process.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from murmurate.engines.options import RunOptions
from murmurate.engines.registry import engine_class
from murmurate.errors import ModelError
from murmurate.model.model import Model

START_ITEM_BYTES = 8  # of a number of the start, which is float64
NUMBERING_BYTES = 24  # of a boid's ids, flock indices and timers
DIVIDE = ", or use engine 'slabs' on several machines"
WORLD_BYTES = 2**13  # of the arguments of a world
UNLIMITED = 1 << 60  # bytes; version 1 of control groups writes a larger number for no limit


def min_array_memory(model: Model, options: RunOptions) -> int:
    """Return the bytes that an engine needs at least which keeps boids in arrays.

    The sum counts the start in float64, and the state before and after a step with per-boid state
    and the numbers that differ between boids in the precision of the run. It omits cells and
    threads.
    """
    item_bytes = 4 if options.dtype == "float32" else 8
    total = 0
    for name, flock in model.flocks.items():
        numbers = 2 * model.space.dims + len(model.memory_of(name))
        boid_bytes = numbers * (START_ITEM_BYTES + 2 * item_bytes) + NUMBERING_BYTES
        boid_bytes += len(model.traits_of(name)) * item_bytes
        total += flock.count * boid_bytes
    return total


def check_memory(
    model: Model, options: RunOptions, free: int | None = None, copies: int = 1
) -> None:
    """Check that a model fits into memory, before any is allocated.

    model  the model to simulate
    options  its engine and precision
    free  bytes of free memory. The default is `free_memory()`.
    copies  number of worlds with such a model
    raises ModelError  the engine needs more memory than is free
    """
    required = engine_class(options.engine).min_memory(model, options)
    free = free_memory() if free is None else free
    if required is not None and copies > 1:
        required += WORLD_BYTES
    if required is None or free is None or copies * required <= free:
        return
    if copies > 1:
        raise ModelError(
            f"count: got {copies:,}; expected a number of worlds that fits in memory: each needs "
            f"at least {format_bytes(required)}, and {format_bytes(free)} are free here"
        )
    largest = max(model.flocks, key=lambda name: model.flocks[name].count)
    boids = sum(flock.count for flock in model.flocks.values())
    slabs = "" if engine_class("slabs").problems(model, options) else DIVIDE
    raise ModelError(
        f"flocks.{largest}.count: got {model.flocks[largest].count:,}; expected a number of boids "
        f"that fits in memory: {boids:,} need at least {format_bytes(required)}, and "
        f"{format_bytes(free)} are free here. Reduce them to {int(boids * free / required):,} in "
        f"all{slabs}"
    )


def format_bytes(count: int) -> str:
    """Return a number of bytes in GB or MB."""
    return f"{count / 1e9:,.1f} GB" if count >= 1e8 else f"{count / 1e6:,.1f} MB"


def free_memory(root: Path = Path("/"), *, process_limit: bool = True) -> int | None:
    """Return the bytes that this process may still allocate; None if the system states no limit.

    root  folder that contains `proc` and `sys`. The default is the file system's root.
    process_limit  whether the limit of this process's addresses counts (ulimit -v)
    """
    limits = [*_machine_limits(root), *_group_limits(root)]
    if process_limit:
        limits += _process_limits(root)
    return max(0, min(limits)) if limits else None


def _machine_limits(root: Path) -> Iterator[int]:
    """Yield the free memory of the machine."""
    lines = _text(root / "proc/meminfo").splitlines()
    fields = {line.split(":")[0]: line.split()[1] for line in lines if len(line.split()) > 1}
    if "MemAvailable" in fields:
        with suppress(ValueError):
            yield 1024 * (int(fields["MemAvailable"]) + int(fields.get("SwapFree", 0)))
        return
    if sys.platform == "win32":
        yield from _windows_limits()
        return
    with suppress(ValueError, OSError, AttributeError):  # macOS: all memory, free or not
        yield os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def _windows_limits() -> Iterator[int]:
    """Yield the free memory of a machine with Windows."""
    import ctypes

    class Status(ctypes.Structure):
        """MEMORYSTATUSEX of the Windows API."""

        _fields_ = (
            ("length", ctypes.c_ulong), ("load", ctypes.c_ulong), ("total", ctypes.c_ulonglong),
            ("free", ctypes.c_ulonglong), ("page_total", ctypes.c_ulonglong),
            ("page_free", ctypes.c_ulonglong), ("virtual_total", ctypes.c_ulonglong),
            ("virtual_free", ctypes.c_ulonglong), ("extended", ctypes.c_ulonglong),
        )  # fmt: skip

    status = Status(length=ctypes.sizeof(Status))
    if ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status)):  # type: ignore[attr-defined,unused-ignore]
        yield status.page_free


def _group_limits(root: Path) -> Iterator[int]:
    """Yield the free memory of the control groups of this process and of their parents."""
    base = root / "sys/fs/cgroup"
    for line in _text(root / "proc/self/cgroup").splitlines():
        number, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if number == "0" and not controllers:
            yield from _limits(base, path, "memory.max", "memory.current", "inactive_file")
        elif "memory" in controllers.split(","):
            names = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
            yield from _limits(base / "memory", path, *names)


def _limits(base: Path, path: str, limit: str, used: str, cached: str) -> Iterator[int]:
    """Yield the free memory of each group between the root and a path.

    In a container the path is that of the host, and only the root exists.

    limit, used : files of a group that state its limit and its use
    cached : field of memory.stat with the bytes of cached files
    """
    parts = [part for part in path.split("/") if part and part != ".."]
    for depth in range(len(parts) + 1):
        folder = base.joinpath(*parts[:depth])
        with suppress(ValueError):  # 'max' or nothing means no limit
            total, in_use = int(_text(folder / limit)), int(_text(folder / used) or 0)
            if total < UNLIMITED:
                yield total - in_use + _statistic(folder / "memory.stat", cached)


def _statistic(file: Path, name: str) -> int:
    """Return a field of memory.stat: bytes of cached files, which the system can drop."""
    for line in _text(file).splitlines():
        key, _, value = line.partition(" ")
        if key == name and value.isdigit():
            return int(value)
    return 0


def _process_limits(root: Path) -> Iterator[int]:
    """Yield the free part of the limit of this process's addresses (ulimit -v)."""
    try:
        import resource
    except ImportError:  # Windows
        return
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit == resource.RLIM_INFINITY:
        return
    pages = _text(root / "proc/self/statm").split()
    yield limit - (int(pages[0]) * resource.getpagesize() if pages else 0)


def _text(file: Path) -> str:
    """Return the text of a file; empty if it cannot be read."""
    try:
        return file.read_text()
    except (OSError, ValueError):
        return ""
