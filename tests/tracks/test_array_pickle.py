"""Pickled arrays of tracks, as NumPy saves them, are read without running code."""

from __future__ import annotations

import pickle
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import murmurate as mm


class Claim:
    """An object that is pickled as a function call."""

    def __init__(self, function: Any, *arguments: Any, state: Any = None) -> None:
        self.parts = (function, arguments, state)

    def __reduce__(self) -> Any:
        return self.parts[: 2 if self.parts[2] is None else 3]


def test_pickles_run_no_code(tmp_path: Path, capsys: Any) -> None:
    saved = {"trajectories": Claim(eval, "print('this must not be run')")}
    np.save(tmp_path / "t.npy", saved, allow_pickle=True)  # type: ignore[arg-type]
    with pytest.raises(mm.TracksError, match=r"got builtins.eval in its pickle"):
        mm.open_tracks(tmp_path / "t.npy")
    assert capsys.readouterr().out == ""


def object_file(pickled: bytes) -> bytes:
    """Return an .npy file of one object."""
    header = b"{'descr': '|O', 'fortran_order': False, 'shape': (), }"
    header += b" " * (-(10 + len(header) + 1) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + pickled


def folded(empty: Any, times: int = 40) -> Any:
    """Return nested lists, each with the next ten times: short in a pickle, 10^times expanded."""
    for _ in range(times):
        empty = type(empty)([empty] * 10)
    return empty


class Named(dict[str, Any]):
    """A dictionary that is pickled with keys whose hash takes too long."""

    def __reduce__(self) -> Any:
        return dict, ([(folded(()), 1)],)


RECONSTRUCT = np.zeros(1).__reduce__()[0]
LARGE = (40_000_000_000,)


@pytest.mark.parametrize(
    ("pickled", "words"),
    [
        (pickle.dumps(Claim(np.ndarray, LARGE)), "an array without its numbers"),
        (
            pickle.dumps(Claim(RECONSTRUCT, np.ndarray, LARGE, b"b")),
            "no array 'trajectories'|real numbers",
        ),
        (
            pickle.dumps(
                Claim(
                    RECONSTRUCT, np.ndarray, (0,), b"b",
                    state=(1, LARGE, np.dtype("f8"), False, b"few"),
                )
            ),
            r"an array of shape \(40000000000,\) without the numbers for it",
        ),
        (
            pickle.dumps(
                Claim(
                    RECONSTRUCT, np.ndarray, (0,), b"b",
                    state=(1, LARGE, np.dtype("O"), False, [None]),
                )
            ),
            r"an array of shape \(40000000000,\) without the numbers for it",
        ),
        (
            pickle.dumps(Claim(type(np.float64(0)).__reduce__(np.float64(0))[0], np.dtype("f8"))),  # type: ignore[index]
            "cannot be read",
        ),
        (pickle.dumps({"trajectories": np.dtype("V40000000")}), "numbers of type 'V40000000'"),
        (pickle.dumps({"trajectories": [[[1.0, 2.0]]]}), "no array 'trajectories'"),
        (b"\x80\x04Nr\xff\xff\xff\xff.", "asks to memoize 4,294,967,295 objects"),
        (b"\x80\x04\x8e\xff\xff\xff\xff\x09\x00\x00\x00abc.", "cannot be read"),
        (b"\x80\x04" + b"]" * 5 + b"a" * 4, "cannot be read"),
        (pickle.dumps(folded([])), "contain one another too often"),
        (pickle.dumps({"trajectories": folded([])}), "contain one another too often"),
        (pickle.dumps(Named()), "contain one another too often"),
        (pickle.dumps([[[1.0, 2.0]]]), "no array 'trajectories'"),
        (pickle.dumps({"trajectories": np.ones(1), "frames_per_second": 10**5000}),
         "frames_per_second: got .*expected a number up to"),
    ],
    ids=["ndarray", "reconstruct", "numbers", "objects", "scalar", "dtype", "lists", "memo",
         "bytes", "cut", "folded", "folded in a dictionary", "folded key",
         "list", "rate"],
)  # fmt: skip
def test_a_pickle_allocates_no_more_than_its_length(
    pickled: bytes, words: str, tmp_path: Path
) -> None:
    (tmp_path / "t.npy").write_bytes(object_file(pickled))
    tracemalloc.start()
    with pytest.raises(mm.TracksError, match=words):
        mm.open_tracks(tmp_path / "t.npy")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1 << 26


@pytest.mark.parametrize("frames", [30, 30_000_000_000])
def test_an_array_that_was_cut_short(frames: int, tmp_path: Path) -> None:
    """The stated length is checked before memory is allocated."""
    header = {"descr": "<f8", "fortran_order": False, "shape": (frames, 4, 2)}
    with open(tmp_path / "t.npy", "wb") as file:
        np.lib.format.write_array_header_1_0(file, header)
        file.write(bytes(1912))
    with pytest.raises(mm.TracksError, match="got 1,912 bytes for an array"):
        mm.open_tracks(tmp_path / "t.npy")


@pytest.mark.parametrize("protocol", range(2, 6))
def test_pickles_of_every_protocol(protocol: int, tracks: np.ndarray, tmp_path: Path) -> None:
    seen = {
        "trajectories": tracks.astype(">f8"), "frames_per_second": np.float64(32.0),
        "video_paths": ["a.avi"], "names": np.array(["a", "b"], object), "version": "5.2",
        "stats": {"accuracy": np.float32(0.5)}, "folder": Path("here"), "empty": np.zeros((0, 2)),
    }  # fmt: skip
    pickled = pickle.dumps(np.array(seen, object), protocol)
    (tmp_path / "t.npy").write_bytes(object_file(pickled))
    result = mm.open_tracks(tmp_path / "t.npy")
    assert result.frames_per_second == 32.0
    assert np.array_equal(result.positions, tracks, equal_nan=True)
