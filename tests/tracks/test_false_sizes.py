"""Files that state wrong sizes are refused, and take no more memory than their length allows.

Memory is limited in a separate process.
"""

from __future__ import annotations

import struct
import subprocess
import sys
import zipfile
from pathlib import Path

import h5py
import numpy as np
import pytest

import murmurate as mm
from murmurate.tracks import hdf5_file
from murmurate.tracks.files import total_size
from processes import CHILD_LIMIT

READ = """
import re, resource, sys
import h5py, h5netcdf, pandas, xarray, pyarrow.parquet
import murmurate as mm
from murmurate.tracks import opening
opening.limit_memory = __import__("contextlib").nullcontext  # the checks of sizes alone
def used(word):
    return 1024 * int(re.search(word + r":\\s+(\\d+)", open("/proc/self/status").read())[1])
mm.open_tracks(sys.argv[1])
room = int(float(sys.argv[3]) * 2**20)
limit = used("VmSize") + room
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
try:
    mm.open_tracks(sys.argv[2])
    print("opened")
except mm.TracksError as error:
    print("refused:", error)
"""
LAYOUTS = [{}, {"chunks": (2,)}, {"chunks": (2,), "compression": 1}]
LAYOUTS += [{"chunks": (2,), "shuffle": True, "compression": 9}]
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are those of Linux")


def read_within(valid: Path, path: Path, megabytes: float = 300) -> str:
    """Return the output of a process that opens a file with `megabytes` more than a valid one."""
    done = subprocess.run(
        [sys.executable, "-c", READ, valid, path, str(megabytes)],
        capture_output=True, text=True, timeout=CHILD_LIMIT,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the fuzzer's files in many formats."""
    folder_of_tests = Path(__file__).parents[1] / "fuzz"
    sys.path.insert(0, str(folder_of_tests))
    try:
        import valid_files
    finally:
        sys.path.remove(str(folder_of_tests))
    folder = tmp_path_factory.mktemp("valid")
    valid_files.write_tracks(folder)
    return folder


@pytest.mark.slow
@LINUX
def test_the_length_of_a_text_is_not_trusted(folder: Path, tmp_path: Path) -> None:
    """Eight bytes of a NetCDF file of 10 kB are damaged, one of them in the length of a label."""
    data = (folder / "fish.nc").read_bytes()
    with h5py.File(folder / "fish.nc") as file:
        label = file["space"].id.get_offset()
    assert data[label : label + 4] == b"\1\0\0\0"
    damaged = bytearray(data)
    damaged[label + 3 : label + 11] = b"\xff" * 7 + b"\x7f"
    (tmp_path / "damaged.nc").write_bytes(damaged)
    output = read_within(folder / "fish.nc", tmp_path / "damaged.nc")
    assert "refused:" in output and "4,278,190,081 bytes in" in output


@pytest.mark.parametrize("options", LAYOUTS)
@pytest.mark.parametrize("length", [2**32 - 1, 2**31 - 1, 100_000])
def test_lengths_are_found_in_every_layout(options: dict, length: int, tmp_path: Path) -> None:
    path = tmp_path / "a.h5"
    with h5py.File(path, "w") as file:
        item = file.create_dataset(
            "a", data=["some", "texts"], dtype=h5py.string_dtype(), **options
        )
        hdf5_file.check_dataset(item, path)
    raw = np.array([(length, 0, 0)], [("length", "<u4"), ("heap", "<u8"), ("number", "<u4")])
    with h5py.File(path, "r+") as file:
        item = file["a"]
        if options:
            lies = hdf5_bytes(raw.tobytes() * 2, item)
            item.id.write_direct_chunk((0,), lies)
        else:
            offset = item.id.get_offset()
    if not options:
        data = bytearray(path.read_bytes())
        data[offset : offset + 4] = raw.tobytes()[:4]
        path.write_bytes(data)
    with h5py.File(path) as file, pytest.raises(mm.TracksError, match="a text or list of"):
        hdf5_file.check_dataset(file["a"], path)


def hdf5_bytes(data: bytes, item: h5py.Dataset) -> bytes:
    """Return a chunk packed with the filters of the dataset."""
    import zlib

    if item.shuffle:
        data = np.frombuffer(data, np.uint8).reshape(-1, 16).T.tobytes()
    if item.compression:
        data = zlib.compress(data)
    return data


def test_existing_texts_are_read(tmp_path: Path) -> None:
    texts = ["x" * 5000, "", "é" * 10] * 50
    path = tmp_path / "a.h5"
    with h5py.File(path, "w") as file:
        for name, options in {"a": {}, "b": {"chunks": (7,), "compression": 9}}.items():
            file.create_dataset(name, data=texts, dtype=h5py.string_dtype(), **options)
    with h5py.File(path) as file:
        for name in file:
            assert [item.decode() for item in hdf5_file.read_dataset(file[name], path)] == texts


# --- groups


def group_of(path: Path, depth: int) -> None:
    with h5py.File(path, "w") as file:
        group = file
        for _ in range(depth):
            group = group.create_group("g")


def test_the_nesting_of_groups_is_limited(tmp_path: Path) -> None:
    path = tmp_path / "a.h5"
    group_of(path, hdf5_file.MAX_DEPTH)
    with hdf5_file.open_hdf5(path):
        pass
    for depth in (hdf5_file.MAX_DEPTH + 1, 1500):
        group_of(path, depth)
        for ending in (".h5", ".nwb", ".nc", ".slp"):
            with pytest.raises(mm.TracksError, match=r"groups nested more|sleap_io"):
                mm.open_tracks(path.rename(path.with_suffix(ending)))
            path.with_suffix(ending).rename(path)


def test_each_group_is_visited_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two links from each group to the next make 2^25 paths; others are cyclic."""
    with h5py.File(tmp_path / "a.h5", "w") as file:
        group = file
        for _ in range(25):
            child = group.create_group("a")
            group["b"] = child
            child["back"] = file
            group = child
        file["trajectories"] = np.ones((4, 1, 2))
    opened: list[bytes] = []
    plain = h5py.h5o.open
    monkeypatch.setattr(
        h5py.h5o, "open", lambda g, name, **how: opened.append(name) or plain(g, name, **how)
    )
    with hdf5_file.open_hdf5(tmp_path / "a.h5"):
        assert len(opened) <= 4 * 25
    assert len(mm.open_tracks(tmp_path / "a.h5")) == 4


def test_too_many_groups(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "a.h5", "w") as file:
        for k in range(101):
            file.create_group(str(k))
    with (
        pytest.raises(mm.TracksError, match="more than 100 groups and datasets"),
        hdf5_file.open_hdf5(tmp_path / "a.h5", max_objects=100),
    ):
        pass


# --- sizes


@pytest.mark.slow
@LINUX
@pytest.mark.parametrize("kind", ["f8", "S1000", h5py.string_dtype()])
def test_unwritten_chunks_take_no_memory(kind: str, folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.h5"
    for name in ("trajectories", "frames_per_second"):
        with h5py.File(path, "w") as file:
            shape = (10**9, 5, 2) if kind != "S1000" else (10**6, 5, 2)
            file.create_dataset(name, shape, kind, chunks=(10**4, 5, 2))
            if name != "trajectories":
                file["trajectories"] = np.ones((4, 1, 2))
        assert "refused:" in read_within(folder / "fish.h5", path)


@pytest.mark.slow
@LINUX
def test_a_numpy_header_with_a_wrong_length(folder: Path, tmp_path: Path) -> None:
    text = b"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 4, 2)}"
    data = b"\x93NUMPY\2\0" + struct.pack("<I", 2**32 - 1) + text + bytes(128)
    (tmp_path / "a.npy").write_bytes(data)
    output = read_within(folder / "fish.npy", tmp_path / "a.npy")
    assert "refused:" in output and "its header has 4,294,967,295 bytes" in output


@pytest.mark.slow
@LINUX
def test_an_archive_of_zeros(folder: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(
        tmp_path / "a_id0.npz", "w", zipfile.ZIP_DEFLATED, compresslevel=1
    ) as archive:
        for name in ("frame", "X#wcentroid", "Y#wcentroid"):
            with archive.open(f"{name}.npy", "w") as member:
                np.lib.format.write_array_header_1_0(
                    member, {"descr": "<f8", "fortran_order": False, "shape": (10**8,)}
                )
                for _ in range(800):
                    member.write(bytes(10**6))
    assert "refused:" in read_within(folder / "video_id0.npz", tmp_path / "a_id0.npz")


@pytest.mark.slow
@LINUX
def test_the_limit_of_memory(tmp_path: Path) -> None:
    """The system refuses an allocation that passed the checks of sizes."""
    code = (
        "import numpy\n"
        "import murmurate as mm\n"
        "from murmurate.tracks import long_table\n"
        "long_table.read = lambda *_, layout: numpy.ones(10**12)\n"
        "try: mm.open_tracks('a.csv')\n"
        "except mm.TracksError as error: print(error)\n"
    )
    (tmp_path / "a.csv").write_text("frame,x,y\n1,2,3\n")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          cwd=tmp_path, timeout=CHILD_LIMIT)  # fmt: skip
    assert "more memory than a file of this length" in done.stdout, done.stderr


def test_the_limit_is_lifted_afterwards(folder: Path) -> None:
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_AS)
    mm.open_tracks(folder / "fish.csv")
    with pytest.raises(mm.TracksError):
        mm.open_tracks(folder / "missing.csv")
    assert resource.getrlimit(resource.RLIMIT_AS) == before


def test_a_table_with_too_many_columns(tmp_path: Path) -> None:
    names = ",".join(f"x{k},y{k}" for k in range(50_001))
    (tmp_path / "wide.csv").write_text(f"{names}\n{'1,' * 100_001}1\n")
    with pytest.raises(mm.TracksError, match="cells; expected at most 100,000"):
        mm.open_tracks(tmp_path / "wide.csv")


def test_the_bytes_of_a_file_a_folder_and_a_pattern(tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    for name, size in (("a.csv", 3), ("b.csv", 4), ("more/c.npz", 5)):
        (tmp_path / name).write_bytes(bytes(size))
    sizes = {name: total_size(tmp_path / name) for name in ("a.csv", "more", "*.csv", "none")}
    assert sizes == {"a.csv": 3, "more": 5, "*.csv": 7, "none": 0}
    assert total_size(tmp_path) == 12
