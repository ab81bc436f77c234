"""How much is read of a file of tracks: what it may ask for follows from its length.

Gaps in a table, and what was never written in HDF5, take memory and no room in a file.
"""

from __future__ import annotations

from pathlib import Path

from murmurate.record.errors import RecordingRefused

MOST = 1_000_000_000  # numbers: 8 GB
# Numbers that are read of any file, and for each of its bytes: tracks cannot be packed that well.
MOST_SMALL, MOST_BYTE = 8_000_000, 20


def most_numbers(path: Path) -> int:
    """Numbers that tracks from that file may have."""
    return min(MOST, MOST_SMALL + MOST_BYTE * path.stat().st_size)


def check_numbers(count: int, what: str, path: Path) -> None:
    """Raises RecordingRefused for more numbers than may be read of a file of that length."""
    if count > (most := most_numbers(path)):
        raise RecordingRefused(
            f"{path}: {what} has {count:,} numbers; of a file of {path.stat().st_size:,} bytes, at "
            f"most {most:,} are read: divide the file"
        )
