"""Cases: files of tracks with changed bytes, texts or numbers, which are then measured."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import valid_files
from guard import Guard
from mutations import changed_bytes, changed_text

import murmurate as mm

prepare = valid_files.write_tracks
RATES = [(), ("--fps", "25"), ("--fps", "1e-9"), ("--fps", "1e9"), ("--fps", "1e300")]


def case(dice: Random, valid: Path, guard: Guard) -> None:
    """One file."""
    name = dice.choice(valid_files.TRACKS)
    data = (valid / name).read_bytes()
    if name == "fish.csv" and dice.random() < 0.7:
        data = changed_text(dice, data.decode()).encode(errors="replace")
    elif name == "fish.npy" and dice.random() < 0.5:
        numbers(dice, guard.folder / name, np.load(valid / name))
        data = (guard.folder / name).read_bytes()
    else:
        data = changed_bytes(dice, data)
    name = dice.choice([name] * 9 + list(valid_files.TRACKS))
    (guard.folder / name).write_bytes(data)
    guard.did(f"{len(data)} bytes of {name}")
    guard.command("measure", name, *dice.choice(RATES), *dice.choice([(), ("--json",), ("--csv",)]))
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
        t, n = dice.randrange(20), dice.randrange(3)
        place = dice.choice([(t, n, 0), (t, n), (t,), (slice(None), n), (slice(None), n, 1)])
        tracks[place] = dice.choice(values)
    shapes = [(20, 3, 2), (20, 3, 2), (3, 20, 2), (20, 2, 3), (0, 3, 2), (20, 0, 2), (60, 1, 2),
              (1, 60, 2), (120,), (20, 6), (1, 1, 2)]  # fmt: skip
    shape = dice.choice(shapes)
    tracks = np.resize(tracks, shape)
    kinds = ["f8", "f8", "f8", "f4", "f2", "c16", "i4", "?", "S8", ">f8"]
    with np.errstate(all="ignore"):
        np.save(path, tracks.astype(dice.choice(kinds)))
