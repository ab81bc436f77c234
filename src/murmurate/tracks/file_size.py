"""How much is read of a file of tracks: what it may ask for follows from its length.

Gaps in a table, and what was never written in HDF5, take memory and no room in a file.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from murmurate.record.errors import RecordingRefused

MOST = 1_000_000_000  # numbers: 8 GB
# Numbers that are read of any file, and for each of its bytes: tracks cannot be packed that well.
MOST_SMALL, MOST_BYTE = 8_000_000, 20


def most_numbers(path: Path) -> int:
    """Numbers that tracks from that file may have."""
    return min(MOST, MOST_SMALL + MOST_BYTE * size_of(path))


def size_of(path: Path) -> int:
    """Bytes of a file, of all files in a folder, or of those that a pattern names."""
    files = [path] if path.is_file() else path.rglob("*")
    if not path.exists():
        files = path.parent.glob(path.name)
    return sum(one.stat().st_size for one in files if one.is_file())


def check_numbers(count: int, what: str, path: Path) -> None:
    """Raises RecordingRefused for more numbers than may be read of a file of that length."""
    if count > (most := most_numbers(path)):
        raise RecordingRefused(
            f"{path}: {what} has {count:,} numbers; of a file of {size_of(path):,} bytes, at "
            f"most {most:,} are read: divide the file"
        )


# Bytes of addresses that libraries take, whatever the file, and for each core: their threads.
LIBRARIES, A_CORE = 1 << 30, 256 << 20
COPIES = 8  # of the numbers of a file, while they are read


@contextmanager
def within_memory(path: Path) -> Iterator[None]:
    """A second line of defence behind the checks of sizes: libraries make room for whatever a
    damaged file says, and here they get no more than a file of its length can need.

    Only on Linux, where a process can limit its addresses, and where no other thread could run into
    the limit. What does not fit raises MemoryError, or what the library makes of it.
    """
    if sys.platform != "linux" or threading.active_count() > 1:
        yield
        return
    import resource

    with open("/proc/self/statm", encoding="ascii") as file:
        taken = int(file.read().split()[0]) * resource.getpagesize()
    size = size_of(path)
    room = LIBRARIES + A_CORE * (os.cpu_count() or 1)
    room += COPIES * 8 * min(MOST, MOST_SMALL + MOST_BYTE * size)
    before, hard = resource.getrlimit(resource.RLIMIT_AS)
    limits = [taken + room, *(one for one in (before, hard) if one != resource.RLIM_INFINITY)]
    resource.setrlimit(resource.RLIMIT_AS, (min(limits), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (before, hard))
