"""Damaged files, and files that end too early, for which a clear error or true positions count."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np

import murmurate as mm

SAID = ("has no end", "header states")
"""Of notes that a file may have been cut."""


def check_damages(path: Path, data: bytes, count: int) -> None:
    """Open copies with some changed bytes: each is read, or refused in one line."""
    dice = Random(2)
    for _ in range(count):
        changed = bytearray(data)
        for _ in range(dice.randint(1, 4)):
            changed[dice.randrange(len(data))] = dice.randrange(256)
        path.write_bytes(changed)
        try:
            mm.open_tracks(path)
        except mm.TracksError as error:
            assert "\n" not in str(error) and str(error).startswith(str(path))


def check_cuts(path: Path, data: bytes, count: int) -> None:
    """Open beginnings of a file: `count` at random, and those that end near its end."""
    path.write_bytes(data)
    complete = mm.open_tracks(path)
    lengths = range(len(data))
    for length in sorted({*Random(1).sample(lengths, min(count, len(lengths))), *lengths[-3:]}):
        path.write_bytes(data[:length])
        try:
            part = mm.open_tracks(path)
        except mm.TracksError as error:
            text = str(error)
            assert "\n" not in text and text.startswith(str(path)), (length, text)
            continue
        if any(word in note for note in part.notes for word in SAID):
            continue
        names = list(complete.names or ())
        columns = [names.index(name) for name in part.names or ()]
        first = int(part.start - complete.start)
        expected = complete.positions[first : first + len(part), columns]
        seen = np.isfinite(part.positions)
        np.testing.assert_allclose(part.positions[seen], expected[seen], err_msg=str(length))
