"""Cases: files of tracks that say they are larger than they are, or have a strange structure. What
reading them takes is measured in memory, not in time."""

from __future__ import annotations

import os
import re
import struct
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import valid_files
from guard import Fault, Guard

import murmurate as mm

ROOM = 700 << 20  # bytes that a case may take: libraries that it is the first to load among them
PROCESSOR = 30.0  # seconds of the processor
BINARY = (
    "fish.nc", "fish.h5", "sleap.h5", "deeplabcut.h5", "poses.nwb", "fish.parquet", "fish.npy",
    "video_id0.npz", "dictionary.npy", "old.nc", "atoms.gsd",
)  # fmt: skip
_counter: list[int] = []  # what begins the count of memory anew, opened before files are watched
WORDS = [
    value.to_bytes(size, order)  # type: ignore[arg-type]
    for size in (4, 8)
    for value in (2**31 - 1, 2**32 - 1, 2**40 - 1, 2**63 - 1, 2**64 - 1, 10**9, 2**28)
    if value < 256**size
    for order in ("little", "big")
]
WORDS.append(b"\xff" * 7 + b"\x7f")


def prepare(folder: Path) -> None:
    """Valid files, and one of the classic NetCDF format."""
    from scipy.io import netcdf_file

    valid_files.write_tracks(folder)
    if sys.platform == "linux":
        _counter[:] = [os.open("/proc/self/clear_refs", os.O_WRONLY)]
    tracks = np.load(folder / "fish.npy")
    with netcdf_file(folder / "old.nc", "w") as file:
        for name, size in (("time", None), ("space", 2), ("individual", 5)):
            file.createDimension(name, size)
        variable = file.createVariable("position", "d", ("time", "space", "individual"))
        variable[:] = tracks.transpose(0, 2, 1)
    for name in BINARY:
        if name.endswith((".nc", ".h5", ".nwb", ".parquet")):
            mm_open(folder / name)  # its library is loaded


def mm_open(path: Path) -> None:
    try:
        mm.open_tracks(path)
    except mm.MurmurateError:
        return


def case(dice: Random, valid: Path, guard: Guard) -> None:
    """One file, asked for and opened."""
    name = dice.choice(list(STRUCTURES)) if dice.random() < 0.3 else dice.choice(BINARY)
    path = guard.folder / name
    if name in STRUCTURES:
        STRUCTURES[name](dice, path)
        guard.did(f"structure {name}")
    else:
        data = bytearray((valid / name).read_bytes())
        for _ in range(dice.choice([1, 1, 1, 2])):
            offset, word = dice.randrange(len(data)), dice.choice(WORDS)
            data[offset : offset + len(word)] = word
            guard.did(f"{word.hex()} at {offset} of {name}")
        path.write_bytes(data)
    begin_measuring()
    before, spent = peak(), sum(os.times()[:2])
    if dice.random() < 0.3:
        guard.command("info", name)
    mm_open(path)
    if peak() - before > ROOM:
        raise Fault(f"took {(peak() - before) >> 20} MB for {path.lstat().st_size} bytes")
    if sum(os.times()[:2]) - spent > PROCESSOR:
        raise Fault("took the processor for longer than a file of this length can need")


def begin_measuring() -> None:
    """The peak of this process's memory is counted from here on."""
    if _counter:
        os.pwrite(_counter[0], b"5", 0)


def peak() -> int:
    """Bytes; 0 where the system does not say."""
    if sys.platform != "linux":
        return 0
    found = re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())
    return 1024 * int(found[1]) if found else 0


# --- structures


def nested(dice: Random, path: Path) -> None:
    """Groups in groups; some lead back to where they began."""
    import h5py

    with h5py.File(path, "w") as file:
        group: Any = file
        for depth in range(dice.choice([3, 30, 40, 400, 1500])):
            child = group.create_group("g")
            if dice.random() < 0.2:
                group["h"] = child
            group = child
            if depth > 1 and dice.random() < 0.05:
                group["back"] = file["g"]
        dice.choice([file, group])["position"] = np.ones((4, 2, 1))


def wide(dice: Random, path: Path) -> None:
    """Very many groups or attributes."""
    import h5py

    with h5py.File(path, "w") as file:
        for k in range(dice.choice([10, 1000, 25_000])):
            file.create_group(f"g{k}")
        for k in range(dice.choice([0, 500])):
            file.attrs[f"a{k}"] = k
        file["trajectories"] = np.ones((4, 1, 2))


def sparse(dice: Random, path: Path) -> None:
    """Datasets and chunks of which nothing was ever written."""
    import h5py

    side = dice.choice([10, 10**4, 10**6, 10**9])
    kind = dice.choice(["f8", "i1", "S1000", h5py.string_dtype()])
    with h5py.File(path, "w") as file:
        shape, chunks = (side, 5, 2), (min(side, dice.choice([10, 10**5])), 5, 2)
        name = dice.choice(["trajectories", "position", "tracks", "frames_per_second"])
        file.create_dataset(name, shape, kind, chunks=chunks, compression=dice.choice([None, 1]))
        if name != "trajectories":
            file["trajectories"] = np.ones((4, 1, 2))


def long_texts(dice: Random, path: Path) -> None:
    """Texts of variable length, whose lengths are not those of the texts."""
    import h5py

    with h5py.File(path, "w") as file:
        file["trajectories"] = np.ones((4, 1, 2))
        file["track_names"] = np.array(["a", "b"], object)
        options = dice.choice([{}, {"chunks": (2,)}, {"chunks": (2,), "compression": 1}])
        file.create_dataset("node_names", data=["c", "d"], dtype=h5py.string_dtype(), **options)
        file["tracks"] = np.ones((1, 2, 2, 4))
        file.attrs["identities_labels"] = ["e", "f"]
    data = bytearray(path.read_bytes())
    heaps = [found.start() for found in re.finditer(b"GCOL", data)]
    for heap in heaps:  # what refers to a heap: its length stands before its address
        for found in re.finditer(re.escape(struct.pack("<Q", heap)), bytes(data)):
            if found.start() >= 4 and dice.random() < 0.5:
                data[found.start() - 4 : found.start()] = dice.choice(WORDS)[:4]
    path.write_bytes(data)


def long_header(dice: Random, path: Path) -> None:
    """An .npy whose header says that it is long."""
    length = dice.choice([2**32 - 1, 2**31, 10**6, 80])
    path.write_bytes(b"\x93NUMPY" + bytes([dice.choice([2, 3]), 0]) + struct.pack("<I", length) +
                     b"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 1, 2)}")  # fmt: skip


def bomb(dice: Random, path: Path) -> None:
    """An archive of zeros, and one whose directory says another size."""
    count = dice.choice([10, 10**6, 3 * 10**7])
    header = np.lib.format.header_data_from_array_1_0(np.zeros((1, 1, 2)))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("frame", "X#wcentroid", "Y#wcentroid"):
            with archive.open(f"{name}.npy", "w") as member:
                np.lib.format.write_array_header_1_0(member, {**header, "shape": (count,)})
                for _ in range(0, 8 * count, 1 << 20):
                    member.write(bytes(min(8 * count, 1 << 20)))


def pipe(dice: Random, path: Path) -> None:
    """A named pipe that nobody writes to."""
    if hasattr(os, "mkfifo"):
        os.mkfifo(path)


STRUCTURES: dict[str, Callable[[Random, Path], None]] = {
    "nested.nc": nested, "nested.h5": nested, "nested.nwb": nested, "wide.h5": wide,
    "sparse.h5": sparse, "sparse.nc": sparse, "texts.h5": long_texts, "texts.nc": long_texts,
    "header.npy": long_header, "bomb_id0.npz": bomb, "pipe.h5": pipe, "pipe.csv": pipe,
    "pipe.npz": pipe, "pipe.parquet": pipe, "pipe.xml": pipe,
}  # fmt: skip
