"""Memory: what a model needs at least, what is free here, and the refusal where that cannot fit.

A model of very many boids would be killed by the system while its arrays are filled, and the
machine might stop answering before. So the least that a flight can need is computed from the model,
and compared with what the system, the container and the process may still use.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from murmurate.engines.options import RunOptions
from murmurate.errors import ModelError
from murmurate.model.model import Model

REFERENCE_BOID = 600
"""Bytes of a boid of the reference engine at least: an object with two arrays."""
CHECKED = ("cpu", "reference", "wasm")
"""Engines that hold a whole flock in this process."""
START, NUMBERS = 8, 24  # bytes of a number of the start; of a boid's ids, flock numbers and timers
UNLIMITED = 1 << 60  # bytes; how version 1 of control groups writes that there is no limit


def least_memory(model: Model, options: RunOptions) -> int:
    """Return the bytes that a flight of this model needs at least.

    The start is in float64; the state before and after a step, and what rules keep of each boid,
    are in the flight's own precision. What cells and threads need is not counted.
    """
    item = 4 if options.dtype == "float32" else 8
    total = 0
    for name, flock in model.flocks.items():
        numbers, kept = 2 * model.space.dims, len(model.memory_of(name))
        one = START * (numbers + kept) + 2 * item * (numbers + kept) + NUMBERS
        if options.engine == "reference":
            one = START * (numbers + kept) + REFERENCE_BOID
        total += flock.count * one
    return total


def check_memory(model: Model, options: RunOptions) -> None:
    """Raise ModelError for a model that needs more memory than is free, before any is taken."""
    if options.engine not in CHECKED:
        return
    need, free = least_memory(model, options), free_memory()
    if free is None or need <= free:
        return
    largest = max(model.flocks, key=lambda name: model.flocks[name].count)
    boids = sum(flock.count for flock in model.flocks.values())
    raise ModelError(
        f"flocks.{largest}.count: got {model.flocks[largest].count:,}; expected a number of boids "
        f"that fits in memory: {boids:,} need at least {gigabytes(need)}, and {gigabytes(free)} "
        f"are free here. Ask for at most {int(boids * free / need):,} in all, or for engine "
        "'slabs' on several machines"
    )


def gigabytes(count: int) -> str:
    """Return a number of bytes in words."""
    return f"{count / 1e9:,.1f} GB" if count >= 1e8 else f"{count / 1e6:,.1f} MB"


def free_memory(root: Path = Path("/")) -> int | None:
    """Return the bytes that this process may still take, by the narrowest of all limits: the
    machine's, those of its control groups (containers), and its own; None where nobody says.

    root  where /proc and /sys are, for tests
    """
    limits = [*_of_machine(root), *_of_control_groups(root), *_of_process(root)]
    return max(0, min(limits)) if limits else None


def _of_machine(root: Path) -> Iterator[int]:
    lines = _text(root / "proc/meminfo").splitlines()
    known = {line.split(":")[0]: line.split()[1] for line in lines if len(line.split()) > 1}
    if "MemAvailable" in known:
        with suppress(ValueError):
            yield 1024 * (int(known["MemAvailable"]) + int(known.get("SwapFree", 0)))
        return
    if sys.platform == "win32":
        yield from _of_windows()
        return
    with suppress(ValueError, OSError, AttributeError):  # macOS: all there is, free or not
        yield os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def _of_windows() -> Iterator[int]:
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


def _of_control_groups(root: Path) -> Iterator[int]:
    """The limits of this process's control groups, and of those above them."""
    base = root / "sys/fs/cgroup"
    for line in _text(root / "proc/self/cgroup").splitlines():
        number, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if number == "0" and not controllers:
            yield from _limits(base, path, "memory.max", "memory.current", "inactive_file")
        elif "memory" in controllers.split(","):
            names = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
            yield from _limits(base / "memory", path, *names)


def _limits(base: Path, path: str, most: str, used: str, files: str) -> Iterator[int]:
    """What each group on the way from the root to a path leaves free. In a container the path is
    that of outside, and only the root is there."""
    parts = [part for part in path.split("/") if part and part != ".."]
    for depth in range(len(parts) + 1):
        folder = base.joinpath(*parts[:depth])
        with suppress(ValueError):  # 'max', or nothing: no limit
            limit, taken = int(_text(folder / most)), int(_text(folder / used) or 0)
            if limit < UNLIMITED:
                yield limit - taken + _statistic(folder / "memory.stat", files)


def _statistic(file: Path, name: str) -> int:
    """A number of memory.stat: pages of files that the system takes back when it needs them."""
    for line in _text(file).splitlines():
        key, _, value = line.partition(" ")
        if key == name and value.isdigit():
            return int(value)
    return 0


def _of_process(root: Path) -> Iterator[int]:
    """What the limit of the process's addresses leaves (ulimit -v)."""
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
    try:
        return file.read_text()
    except (OSError, ValueError):
        return ""
