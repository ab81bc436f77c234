"""Files that end too early: each gives a clear error, or true positions as far as it goes."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np

import murmurate as mm

SAID = ("has no end", "header states")
"""Of notes that a file may have been cut."""


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
