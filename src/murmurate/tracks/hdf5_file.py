"""Read HDF5 files of unknown origin safely.

What a file states about itself may be wrong, by damage or on purpose. HDF5 allocates the stated
size before it looks for the data: a text with a stated length of 4 GB takes 4 GB. So the groups are
counted before anything is read, and sizes are compared with that of the file.
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
from murmurate.errors import TracksError
from murmurate.tracks.files import check_numbers

MAX_DEPTH = 32  # nested groups; files of trackers have up to five
MAX_OBJECTS = 20_000  # links to groups and datasets; files of trackers have a few
CHUNKED, CONTIGUOUS = 2, 1  # layouts of a dataset: H5D_CHUNKED, H5D_CONTIGUOUS
DEFLATE, SHUFFLE = 1, 2  # filters: H5Z_FILTER_DEFLATE, H5Z_FILTER_SHUFFLE


@contextmanager
def open_hdf5(path: Path, max_objects: int = MAX_OBJECTS) -> Iterator[Any]:
    """Open an HDF5 file with h5py for reading.

    Raises TracksError for parts in other files, groups nested deeper than MAX_DEPTH, and more
    than `max_objects` links to groups and datasets.
    """
    import h5py

    with h5py.File(regular(path)) as file:
        _check_objects(file, path, max_objects)
        yield file


def _check_objects(file: Any, path: Path, max_objects: int) -> None:
    """Visit each object once, so that neither deep nesting nor cyclic links take long."""
    import h5py

    seen = set[int]()
    pending: list[tuple[Any, int]] = [(h5py.h5g.open(file.id, b"/"), 0)]
    count = 0
    while pending:
        group, depth = pending.pop()
        count += group.get_num_objs()
        if depth > MAX_DEPTH or count > max_objects:
            got = f"groups nested more than {MAX_DEPTH} deep" if depth > MAX_DEPTH else (
                f"more than {max_objects:,} groups and datasets"
            )  # fmt: skip
            raise TracksError(
                f"{path}: got {got}; expected the few of a tracker's file. Save only the tracks"
            )
        for name in group:
            kind = group.links.get_info(name).type
            if kind == h5py.h5l.TYPE_SOFT:
                continue
            item = h5py.h5o.open(group, name) if kind == h5py.h5l.TYPE_HARD else None
            if item is None or (isinstance(item, h5py.h5d.DatasetID) and _is_external(item)):
                raise TracksError(
                    f"{path}: got {name.decode(errors='replace')} in another file; expected all "
                    "data in one file. Save it so"
                )
            address = h5py.h5o.get_info(item).addr
            if isinstance(item, h5py.h5g.GroupID) and address not in seen:
                seen.add(address)
                pending.append((item, depth + 1))


def _is_external(dataset: Any) -> bool:
    """Return whether the numbers of a dataset are in other files."""
    import h5py

    properties = dataset.get_create_plist()
    return properties.get_external_count() > 0 or properties.get_layout() == h5py.h5d.VIRTUAL


def check_hdf5(path: Path) -> None:
    """Check an HDF5 file before another library opens it.

    Raises h5py's error for a damaged file. (h5netcdf's file object would fail at the same offset,
    and again when it is deleted, which Python prints.) Raises TracksError for arrays that are
    too large, since coordinates are read when a file is opened.
    """
    import h5py

    if h5py.is_hdf5(regular(path)):
        with open_hdf5(path) as file:
            file.attrs.get("_nc3_strict")
            for name in sorted(file, key="position".__ne__):  # report the main array first
                if isinstance(file[name], h5py.Dataset):
                    check_dataset(file[name], path)


def read_dataset(dataset: Any, path: Path) -> Any:
    """Return the values of a dataset that passes `check_dataset`."""
    check_dataset(dataset, path)
    return dataset[()]


def check_dataset(dataset: Any, path: Path) -> None:
    """Raise TracksError if a dataset states sizes that its file cannot hold."""
    item = dataset.id.get_type().get_size()
    name = dataset.name.removeprefix("/")
    check_numbers(math.prod(dataset.shape or (1,)) * max(1, item // 8), name, path)
    if dataset.chunks is not None:
        check_numbers(math.prod(dataset.chunks) * max(1, item // 8), f"a chunk of {name}", path)
    for offset, size in _variable_items(dataset.id.get_type()):
        _check_lengths(dataset.id, offset, size, path, name)


def _variable_items(kind: Any, offset: int = 0) -> Iterator[tuple[int, int]]:
    """Yield (offset, bytes per item) of each text or list of variable length in an element."""
    import h5py

    if isinstance(kind, h5py.h5t.TypeStringID) and kind.is_variable_str():
        yield offset, 1
    elif isinstance(kind, h5py.h5t.TypeVlenID):
        yield offset, max(1, kind.get_super().get_size())
    elif isinstance(kind, h5py.h5t.TypeCompoundID):
        for k in range(kind.get_nmembers()):
            member = kind.get_member_type(k)
            yield from _variable_items(member, offset + kind.get_member_offset(k))


def _check_lengths(dataset: Any, offset: int, size: int, path: Path, name: str) -> None:
    """Add up the stated lengths at an offset of each element.

    A length has 4 bytes; the address of a heap and an index into it follow.
    """
    length, total = path.stat().st_size, 0
    for data in _stored_bytes(dataset, path, length):
        item = dataset.get_type().get_size()
        elements = np.frombuffer(data[: len(data) // item * item], np.uint8).reshape(-1, item)
        lengths = elements[:, offset : offset + 4].copy().view("<u4")[:, 0].astype(np.int64)
        if lengths.size and (longest := int(lengths.max()) * size) > length:
            raise TracksError(
                f"{path}: got a text or list of {longest:,} bytes in {name}; expected at most the "
                f"{length:,} bytes of the file. It is damaged: take it from a copy"
            )
        total += int(lengths.sum()) * size
    check_numbers(total // 8, f"the text in {name}", path)


def _stored_bytes(dataset: Any, path: Path, length: int) -> Iterator[bytes]:
    """Yield the bytes of a dataset as they are in the file.

    Chunks are unpacked, unless they have filters that HDF5 itself lacks.
    """
    properties = dataset.get_create_plist()
    with open(regular(path), "rb") as file:
        if properties.get_layout() == CONTIGUOUS and (begin := dataset.get_offset()) is not None:
            file.seek(begin)
            yield file.read(min(dataset.get_storage_size(), length))
        elif properties.get_layout() == CHUNKED:
            filters = [properties.get_filter(k)[0] for k in range(properties.get_nfilters())]
            if not set(filters) <= {DEFLATE, SHUFFLE}:
                return
            item = dataset.get_type().get_size()
            chunk_bytes = math.prod(properties.get_chunk()) * item
            for k in range(dataset.get_num_chunks()):
                chunk = dataset.get_chunk_info(k)
                file.seek(min(chunk.byte_offset, length))
                data = file.read(min(chunk.size, length))
                yield _unpack(data, filters, chunk.filter_mask, item, chunk_bytes)


def _unpack(data: bytes, filters: list[int], skipped: int, item: int, max_bytes: int) -> bytes:
    """Undo the filters of a chunk; HDF5 itself refuses damaged chunks."""
    for number, kind in reversed(list(enumerate(filters))):
        if skipped & 1 << number:
            continue
        if kind == DEFLATE:
            try:
                data = zlib.decompressobj().decompress(data, max_bytes + 8)
            except zlib.error:
                return b""
        else:
            complete = len(data) // item * item
            planes = np.frombuffer(data[:complete], np.uint8).reshape(item, -1)
            data = planes.T.tobytes() + data[complete:]
    return data
