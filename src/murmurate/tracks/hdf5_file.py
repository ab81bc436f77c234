"""HDF5 files as they come from elsewhere: opened to be read, and nothing but them.

What a file says of itself may be wrong, by damage or on purpose. HDF5 makes room for what a file
says before it looks for the data: a text whose length says 4 GB takes 4 GB. So before anything is
read, the groups are counted, and of what is read, sizes are compared with that of the file.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.disk import regular
from murmurate.record.errors import RecordingRefused
from murmurate.tracks.file_size import check_numbers

MOST_DEPTH = 32  # groups in groups; files of trackers have up to five
MOST_OBJECTS = 20_000  # links to groups and datasets
CHUNKED, CONTIGUOUS = 2, 1  # layouts of a dataset: H5D_CHUNKED, H5D_CONTIGUOUS
DEFLATE, SHUFFLE = 1, 2  # filters: H5Z_FILTER_DEFLATE and so on; texts can have no checksum


@contextmanager
def open_hdf5(path: Path) -> Iterator[Any]:
    """The file, as h5py has it. Raises RecordingRefused where parts of it are in other files, which
    it may name at will, and for groups that are nested too deep or too many."""
    import h5py

    with h5py.File(regular(path)) as file:
        _check_objects(file, path)
        yield file


def _check_objects(file: Any, path: Path) -> None:
    """Visit each object once. Neither deep nesting nor links that lead in circles take long."""
    import h5py

    seen = set[int]()
    waiting: list[tuple[Any, int]] = [(h5py.h5g.open(file.id, b"/"), 0)]
    count = 0
    while waiting:
        group, depth = waiting.pop()
        count += group.get_num_objs()
        if depth > MOST_DEPTH or count > MOST_OBJECTS:
            found = f"groups nested more than {MOST_DEPTH} deep" if depth > MOST_DEPTH else (
                f"more than {MOST_OBJECTS:,} groups and datasets"
            )  # fmt: skip
            raise RecordingRefused(
                f"{path}: got {found}; expected the few of a tracker's file. Save the tracks alone"
            )
        for name in group:
            kind = group.links.get_info(name).type
            if kind == h5py.h5l.TYPE_SOFT:
                continue
            one = h5py.h5o.open(group, name) if kind == h5py.h5l.TYPE_HARD else None
            if one is None or (isinstance(one, h5py.h5d.DatasetID) and _is_elsewhere(one)):
                raise RecordingRefused(
                    f"{path}: its {name.decode(errors='replace')} is in another file, which is not "
                    "read; save all of it in one file"
                )
            address = h5py.h5o.get_info(one).addr
            if isinstance(one, h5py.h5g.GroupID) and address not in seen:
                seen.add(address)
                waiting.append((one, depth + 1))


def _is_elsewhere(dataset: Any) -> bool:
    """Whether its numbers are in other files."""
    import h5py

    made = dataset.get_create_plist()
    return made.get_external_count() > 0 or made.get_layout() == h5py.h5d.VIRTUAL


def check_hdf5(path: Path) -> None:
    """Raises what h5py says of a damaged file. h5netcdf's file would fail in the same offset, and
    once more when it is deleted, which Python prints. Raises RecordingRefused for arrays that are
    too large: coordinates are read when a file is opened."""
    import h5py

    if h5py.is_hdf5(regular(path)):
        with open_hdf5(path) as file:
            file.attrs.get("_nc3_strict")
            for name in sorted(file, key="position".__ne__):  # the one that matters most is first
                if isinstance(file[name], h5py.Dataset):
                    check_dataset(file[name], path)


def read_dataset(dataset: Any, path: Path) -> Any:
    """The values of a dataset, of which there is room for all. Raises RecordingRefused."""
    check_dataset(dataset, path)
    return dataset[()]


def check_dataset(dataset: Any, path: Path) -> None:
    """Raises RecordingRefused for a dataset, or a chunk of it, that is too large for a file of this
    length, and for texts and lists in it that would be longer than the file."""
    item = dataset.id.get_type().get_size()
    name = dataset.name.removeprefix("/")
    check_numbers(math.prod(dataset.shape or (1,)) * max(1, item // 8), name, path)
    if dataset.chunks is not None:
        check_numbers(math.prod(dataset.chunks) * max(1, item // 8), f"a chunk of {name}", path)
    for offset, size in _lengths(dataset.id.get_type()):
        _check_lengths(dataset.id, offset, size, path, name)


def _lengths(kind: Any, offset: int = 0) -> Iterator[tuple[int, int]]:
    """(offset, bytes of one item) of each text or list of variable length in an element."""
    import h5py

    if isinstance(kind, h5py.h5t.TypeStringID) and kind.is_variable_str():
        yield offset, 1
    elif isinstance(kind, h5py.h5t.TypeVlenID):
        yield offset, max(1, kind.get_super().get_size())
    elif isinstance(kind, h5py.h5t.TypeCompoundID):
        for k in range(kind.get_nmembers()):
            yield from _lengths(kind.get_member_type(k), offset + kind.get_member_offset(k))


def _check_lengths(dataset: Any, offset: int, size: int, path: Path, name: str) -> None:
    """Add up the lengths that stand at an offset of each element: 4 bytes, which the address of a
    heap and a number in it follow."""
    length, total = path.stat().st_size, 0
    for data in _stored(dataset, path, length):
        item = dataset.get_type().get_size()
        elements = np.frombuffer(data[: len(data) // item * item], np.uint8).reshape(-1, item)
        lengths = elements[:, offset : offset + 4].copy().view("<u4")[:, 0].astype(np.int64)
        if lengths.size and (longest := int(lengths.max()) * size) > length:
            raise RecordingRefused(
                f"{path}: got a text or list of {longest:,} bytes in {name}; expected no more than "
                f"the {length:,} bytes of the file. It is damaged: take it from a copy"
            )
        total += int(lengths.sum()) * size
    check_numbers(total // 8, f"the text in {name}", path)


def _stored(dataset: Any, path: Path, length: int) -> Iterator[bytes]:
    """The bytes of a dataset as they are in the file, its chunks unpacked where their filters are
    those that HDF5 itself has."""
    made = dataset.get_create_plist()
    with open(regular(path), "rb") as file:
        if made.get_layout() == CONTIGUOUS and (begin := dataset.get_offset()) is not None:
            file.seek(begin)
            yield file.read(min(dataset.get_storage_size(), length))
        elif made.get_layout() == CHUNKED:
            filters = [made.get_filter(k)[0] for k in range(made.get_nfilters())]
            if not set(filters) <= {DEFLATE, SHUFFLE}:
                return
            item = dataset.get_type().get_size()
            room = math.prod(made.get_chunk()) * item
            for k in range(dataset.get_num_chunks()):
                chunk = dataset.get_chunk_info(k)
                file.seek(min(chunk.byte_offset, length))
                data = file.read(min(chunk.size, length))
                yield _unpacked(data, filters, chunk.filter_mask, item, room)


def _unpacked(data: bytes, filters: list[int], skipped: int, item: int, room: int) -> bytes:
    """A chunk without its filters; what cannot be unpacked is for HDF5 to refuse."""
    for number, kind in reversed(list(enumerate(filters))):
        if skipped & 1 << number:
            continue
        if kind == DEFLATE:
            try:
                data = zlib.decompressobj().decompress(data, room + 8)
            except zlib.error:
                return b""
        else:
            whole = len(data) // item * item
            planes = np.frombuffer(data[:whole], np.uint8).reshape(item, -1)
            data = planes.T.tobytes() + data[whole:]
    return data
