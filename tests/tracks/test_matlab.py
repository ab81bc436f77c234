"""MATLAB files in several layouts: version 5 by scipy, and 7.3 as MATLAB lays it out in HDF5."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from cut_files import check_cuts, check_damages
from scipy.io import savemat
from scipy.sparse import csc_matrix
from written_tables import POSITIONS, assert_positions

import murmurate as mm

X, Y = POSITIONS[..., 0], POSITIONS[..., 1]
FRAMES, ANIMALS = X.shape
SECONDS = np.arange(FRAMES) / 25


def structs(**fields: Any) -> np.ndarray:
    """A struct array with an element per animal; a field is a function of the animal."""
    kinds = [(name, object) for name in fields]
    return np.array([tuple(of(k) for of in fields.values()) for k in range(ANIMALS)], kinds)


def detections() -> dict[str, np.ndarray]:
    frames, animals = np.meshgrid(np.arange(FRAMES), np.arange(ANIMALS), indexing="ij")
    return {"x": X.ravel(), "y": Y.ravel(), "frame": frames.ravel(), "id": animals.ravel()}


def read(path: Path, variables: dict[str, Any], **options: Any) -> mm.Tracks:
    savemat(path / "a.mat", variables)
    return mm.open_tracks(path / "a.mat", table=mm.TableFormat(**options))


LAYOUTS: dict[str, tuple[dict[str, Any], dict[str, Any], float | None]] = {
    "frames, animals, axes": ({"tracks": POSITIONS, "fps": 25}, {}, 25),
    "animals, axes, frames": ({"tracks": POSITIONS.transpose(1, 2, 0)}, {}, None),
    "axes named": ({"p": POSITIONS.transpose(2, 0, 1)}, {"axes": "xy,t,id"}, None),
    "X and Y": ({"X": X, "Y": Y, "time_s": SECONDS}, {}, 25),
    "of animals first": ({"x_pos": X.T, "y_pos": Y.T}, {}, None),
    "in a struct": ({"data": {"X": X, "Y": Y, "fps": 25}, "note": "fish"}, {}, 25),
    "in a struct, named": ({"a": {"p": POSITIONS}, "p": POSITIONS}, {"variable": "a.p"}, None),
    "struct array": ({"trx": structs(x=lambda k: X[:, k], y=lambda k: Y[:, k],
                                     t_ms=lambda k: 1000 * SECONDS)}, {}, 25),
    "struct array of points": ({"a": structs(pos=lambda k: POSITIONS[:, k].T)}, {}, None),
    "JAABA": ({"trx": structs(x=lambda k: 9 * X[:, k], y=lambda k: 9 * Y[:, k], fps=lambda k: 25,
                              x_mm=lambda k: X[:, k], y_mm=lambda k: Y[:, k],
                              firstframe=lambda k: 1, id=lambda k: k)},
              {"columns": "x=x_mm,y=y_mm"}, 25),
    "detections": (detections(), {}, None),
    "flat, by ntargets": (detections() | {"frame": 0, "ntargets": np.full(FRAMES, ANIMALS)},
                          {}, None),
    "a matrix": ({"m": np.stack([*detections().values()], axis=1)},
                 {"variable": "m", "columns": "x=1,y=2,frame=3,id=4"}, None),
}  # fmt: skip


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts(layout: str, tmp_path: Path) -> None:
    variables, options, rate = LAYOUTS[layout]
    tracks = read(tmp_path, variables, **options)
    assert tracks.source == "MATLAB's file" and tracks.timed == (rate is not None)
    assert tracks.rate == pytest.approx(rate or 1)
    assert tracks.attrs["variable"] == options.get("variable", tracks.attrs["variable"])
    assert_positions(tracks)


def test_animals_that_begin_later(tmp_path: Path) -> None:
    """Names, first frames and a frame rate in the elements."""
    first = (0, 3, 1, 4, 2)
    array = structs(xy=lambda k: POSITIONS[first[k] :, k], firstframe=lambda k: first[k] + 1,
                    name=lambda k: f"ant {k}", fps=lambda k: 50)  # fmt: skip
    tracks = read(tmp_path, {"ants": array})
    expected = POSITIONS.copy()
    for k, begin in enumerate(first):
        expected[:begin, k] = np.nan
    assert_positions(tracks, expected)
    assert tracks.names == [f"ant {k}" for k in range(ANIMALS)] and tracks.rate == 50
    assert tracks.start == 1


@pytest.mark.parametrize("name", ["ab", "Zoë"])
def test_names_in_a_matrix_of_characters(name: str, tmp_path: Path) -> None:
    """One in each row, padded with blanks; text is in UTF-8 or UTF-16."""
    names = np.array([f"{name}{10**k}" for k in range(ANIMALS)] * FRAMES)
    fields = {name: value for name, value in detections().items() if name != "id"}
    tracks = read(tmp_path, {"d": fields | {"name": names}})
    assert_positions(tracks)
    assert tracks.names == names[:ANIMALS].tolist()


def test_degrees(tmp_path: Path) -> None:
    """Longitude and latitude in matrices are projected, as in tables."""
    tracks = read(tmp_path, {"lon": 9 + X * 1e-5, "lat": 47 + Y * 1e-5, "time_s": SECONDS})
    assert tracks.unit == "m" and any("are projected to metres" in note for note in tracks.notes)
    east = np.diff(tracks.positions[..., 0], axis=0) / np.diff(X, axis=0)
    np.testing.assert_allclose(east[np.isfinite(east)], 0.761, rtol=2e-3)


def test_two_animals_in_matrices(tmp_path: Path) -> None:
    """(frames, 2) of x and y: the axis of coordinates is known; as one array it is not."""
    tracks = read(tmp_path, {"X": X[:, :2], "Y": Y[:, :2]})
    assert_positions(tracks, POSITIONS[:, :2])
    with pytest.raises(mm.TracksError, match=r"shape \(40, 2, 2\), of which 2 axes could be x"):
        read(tmp_path, {"p": POSITIONS[:, :2]})


@pytest.mark.parametrize(
    ("variables", "words"),
    [
        ({"a": POSITIONS, "b": {"p": POSITIONS}}, "one of a, b.p. Choose one: --variable a"),
        ({"m": np.ones((6, 4)), "s": "hi"}, "variables m 6x4, s; expected tracks: an array"),
        ({"x": X, "y": Y[:-1]}, r"shapes \(40, 5\), \(39, 5\); expected equal matrices"),
        ({"trx": structs(x=lambda k: X[:, k], y=lambda k: Y[:, k], x_mm=lambda k: X[:, k])},
         "got 2 columns x; expected one for x. Name it: --columns x=x or x_mm"),
        ({"s": structs(x=lambda k: X[k:, k], y=lambda k: Y[k:, k])},
         "animals of 36 to 40 entries without times; expected a field frame, time or firstframe"),
        ({"s": structs(x=lambda k: X[k:, k], y=lambda k: Y[:, k])}, r"s\(2\): got 39 entries of x"),
        ({"p": np.random.default_rng(1).normal(size=(9, 8, 2))}, "do not show which axis is time"),
    ],
)  # fmt: skip
def test_what_is_refused(variables: dict[str, Any], words: str, tmp_path: Path) -> None:
    with pytest.raises(mm.TracksError, match=words):
        read(tmp_path, variables)
    with pytest.raises(mm.TracksError, match="got the variable nothing; expected one of p"):
        read(tmp_path, {"p": POSITIONS}, variable="nothing")
    with pytest.raises(mm.TracksError, match="variable: got a value for a table of detections"):
        (tmp_path / "a.csv").write_text("frame,id,x,y\n0,1,1,1\n1,1,1,1\n")
        mm.open_tracks(tmp_path / "a.csv", table=mm.TableFormat(variable="p"))


def write_7_3(path: Path) -> None:
    """Arrays with reversed axes, text as numbers, and a struct array as fields of references."""
    with h5py.File(path, "w", userblock_size=512) as file:

        def add(group: h5py.Group, name: str, data: Any, kind: str = "double") -> None:
            group.create_dataset(name, data=data).attrs["MATLAB_class"] = np.bytes_(kind)

        add(file, "tracks", POSITIONS.T)
        add(file, "fps", np.full((1, 1), 25.0))
        references = file.create_group("#refs#")
        ants = file.create_group("ants")
        ants.attrs["MATLAB_class"] = np.bytes_("struct")
        for field, of in (("x", X), ("y", Y), ("name", None)):
            fields = []
            for k in range(ANIMALS):
                text = np.array([[ord(letter)] for letter in f"ant{k}"], np.uint16)
                data, kind = (text, "char") if of is None else (of[:, k][None], "double")
                add(references, f"{field}{k}", data, kind)
                fields.append(references[f"{field}{k}"].ref)
            ants.create_dataset(field, data=np.array(fields, h5py.ref_dtype)[:, None])
    data = bytearray(path.read_bytes())
    data[:25] = b"MATLAB 7.3 MAT-file, Plat"
    path.write_bytes(data)


def test_version_7_3(tmp_path: Path) -> None:
    write_7_3(tmp_path / "a.mat")
    array, ants = (mm.open_tracks(tmp_path / "a.mat", table=mm.TableFormat(variable=name))
                   for name in ("tracks", "ants"))  # fmt: skip
    assert_positions(array)
    assert_positions(ants)
    assert array.rate == 25 and ants.names == [f"ant{k}" for k in range(ANIMALS)]
    with pytest.raises(mm.TracksError, match="expected one of ants, tracks"):
        mm.open_tracks(tmp_path / "a.mat")


@pytest.mark.parametrize("compressed", [False, True])
def test_a_cut_file_gives_a_clear_error_or_true_positions(compressed: bool, tmp_path: Path) -> None:
    savemat(tmp_path / "whole.mat", {"tracks": POSITIONS, "fps": 25}, do_compression=compressed)
    check_cuts(tmp_path / "a.mat", (tmp_path / "whole.mat").read_bytes(), 40)
    check_damages(tmp_path / "a.mat", (tmp_path / "whole.mat").read_bytes(), 40)


def test_damaged_structs_and_version_7_3(tmp_path: Path) -> None:
    """scipy's compiled reader ends the process for some of these."""
    write_7_3(tmp_path / "whole.mat")
    check_damages(tmp_path / "a.mat", (tmp_path / "whole.mat").read_bytes(), 20)
    savemat(tmp_path / "whole.mat", LAYOUTS["struct array"][0])
    check_damages(tmp_path / "a.mat", (tmp_path / "whole.mat").read_bytes()[:4000], 60)


def test_what_is_no_number_is_left_out(tmp_path: Path) -> None:
    """Cells, text, complex numbers and sparse matrices, in either order of bytes."""
    others = {"cell": np.array([1, "a"], object), "text": "fish", "z": X + 1j * Y,
              "sparse": csc_matrix(np.eye(3))}  # fmt: skip
    assert_positions(read(tmp_path, {**others, "p": POSITIONS}))
    for version in ("-v4", "none"):
        (tmp_path / "b.mat").write_bytes(version.encode() * 100)
        with pytest.raises(mm.TracksError, match="not a MATLAB file of version 5 to 7"):
            mm.open_tracks(tmp_path / "b.mat")


def big_endian(data: np.ndarray) -> bytes:
    """Version 5 as big-endian machines write it: an array p, by the tags of the format."""

    def element(kind: int, content: bytes) -> bytes:
        return struct.pack(">II", kind, len(content)) + content.ljust(
            -(-len(content) // 8) * 8, b"\0"
        )

    parts = element(6, struct.pack(">II", 6, 0)) + element(5, struct.pack(">3i", *data.shape))
    parts += element(1, b"p") + element(9, data.astype(">f8").tobytes(order="F"))
    return b"MATLAB 5.0 MAT-file".ljust(124) + b"\1\0MI" + element(14, parts)


def test_the_other_order_of_bytes(tmp_path: Path) -> None:
    (tmp_path / "a.mat").write_bytes(big_endian(POSITIONS))
    assert_positions(mm.open_tracks(tmp_path / "a.mat"))


def test_a_cut_file_of_version_7_3(tmp_path: Path) -> None:
    write_7_3(tmp_path / "whole.mat")
    for length in (0, 100, 520, 1000, 4000):
        (tmp_path / "a.mat").write_bytes((tmp_path / "whole.mat").read_bytes()[:length])
        with pytest.raises(mm.TracksError, match=r"a\.mat: "):
            mm.open_tracks(tmp_path / "a.mat")
