"""Cases: files of tracks with changed bytes, texts or numbers, or that say more than is in them;
they are measured."""

from __future__ import annotations

import io
import pickle
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import valid_files
from guard import Fault, Guard
from mutations import changed_bytes, changed_text

import murmurate as mm

prepare = valid_files.write_tracks
SAID = [
    (), (), (), ("--skip-bad",), ("--axes", "t,id,xy"), ("--axes", "id,xy,t"), ("--y-down",),
    ("--columns", "x=y,y=x"), ("--columns", "frame=1,id=2,x=3,y=4", "--skip-bad"),
    ("--part", "head"), ("--min-likelihood", "0.5"), ("--unit", "\u202ecm"),
    ("--space", "100x100", "--periodic", "xy"), ("--periodic", "none"), ("--periodic", "x"),
    ("--space", "1e300x1e-300", "--origin", "-5,1e9", "--periodic", "y"),
]  # fmt: skip
RATES = [(), ("--fps", "25"), ("--fps", "1e-9"), ("--fps", "1e9"), ("--fps", "1e300")]


def case(dice: Random, valid: Path, guard: Guard) -> None:
    """One file."""
    name = dice.choice(valid_files.TRACKS)
    data = (valid / name).read_bytes()
    if name in valid_files.TABLES and dice.random() < 0.7:
        data = changed_text(dice, data.decode()).encode(errors="replace")
    elif name == "fish.npy" and dice.random() < 0.5:
        numbers(dice, guard.folder / name, np.load(valid / name))
        data = (guard.folder / name).read_bytes()
    elif name == "dictionary.npy" and dice.random() < 0.3:
        data = boastful(dice)
    else:
        data = changed_bytes(dice, data)
    name = dice.choice([name] * 9 + list(valid_files.TRACKS))
    (guard.folder / name).write_bytes(data)
    guard.did(f"{len(data)} bytes of {name}")
    words = [*dice.choice(RATES), *dice.choice(SAID)]
    if dice.random() < 0.3:
        code = guard.command("info", name, *words, *dice.choice([(), ("--json",)]))
    else:
        code = guard.command("measure", name, *words, *dice.choice([(), ("--json",), ("--csv",)]))
    if code == 1:
        raise Fault("what is wrong in a file is bad input, and no failed run")
    try:
        tracks = mm.open_tracks(guard.folder / name)
    except mm.MurmurateError:
        return
    for frame in tracks[:3]:
        assert frame["boids"].positions.shape[1] in (2, 3)


def numbers(dice: Random, path: Path, tracks: np.ndarray) -> None:
    """Other numbers, another type or another shape."""
    values = [np.nan, np.inf, 1e70, -1e69, 1e-320, 0.0, tracks[0, 0, 0], 1e75]
    for _ in range(dice.randint(1, 5)):
        t, n = dice.randrange(20), dice.randrange(5)
        place = dice.choice([(t, n, 0), (t, n), (t,), (slice(None), n), (slice(None), n, 1)])
        tracks[place] = dice.choice(values)
    shapes = [(20, 5, 2), (20, 5, 2), (5, 20, 2), (20, 2, 5), (0, 5, 2), (20, 0, 2), (60, 1, 2),
              (1, 60, 2), (120,), (20, 6), (1, 1, 2)]  # fmt: skip
    shape = dice.choice(shapes)
    tracks = np.resize(tracks, shape)
    kinds = ["f8", "f8", "f8", "f4", "f2", "c16", "i4", "?", "S8", ">f8"]
    with np.errstate(all="ignore"):
        np.save(path, tracks.astype(dice.choice(kinds)))


def boastful(dice: Random) -> bytes:
    """A short .npy whose shape, or what it pickles, is large."""
    if dice.random() < 0.5:
        shape = tuple(dice.choice([0, 1, 2, 3, 20, 10**6, 10**11]) for _ in range(3))
        return npy({"descr": dice.choice(["<f8", "<i2", "|O"]), "shape": shape}, bytes(160))
    thing: Any = dice.choice([(), []])
    for _ in range(dice.choice([2, 5, 40])):
        thing = type(thing)([thing] * dice.choice([1, 2, 10]))
    key = dice.choice(["trajectories", "frames_per_second", "more"])
    said = dice.choice([thing, {"trajectories": np.ones((4, 1, 2)), key: thing}])
    return npy({"descr": "|O", "shape": ()}, pickle.dumps(said, dice.choice([2, 3, 4])))


def npy(header: dict[str, Any], data: bytes) -> bytes:
    """A .npy file, version 1."""
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"fortran_order": False, **header})
    return file.getvalue() + data
