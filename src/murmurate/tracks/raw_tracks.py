"""RawTracks: contents of a file of tracks, before they are checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from murmurate.errors import TracksError
from murmurate.model.space import Space

MAX_RATE = 1_000_000_000  # frames per second
MEAN, EACH = "mean", "each"
"""Values of `part`: the mean of all points of a body, and each point as an animal of its own."""


@dataclass(frozen=True)
class RawTracks:
    """The contents of a file of tracks.

    positions          (T, N, D), nan where an animal was not seen; D is 2 or 3
    frames_per_second  None if the file does not say
    names              N names; None if the file has none
    unit               of lengths; '' if the file does not say
    start              number of the first frame; 0 if the file has only times
    every              frames of the file from one of these to the next
    y_down             whether y grows downwards, as in images
    notes              what the user should know: data left out, assumptions
    attrs              which data came from where: plain words and numbers by name
    space              the file's box and its periodic axes; None if it has none
    space_from         the source of the space, in words
    lacks_space        the error message if the file should have a space and lacks it, and the user
                       gives none
    velocities         (T, N, D) as in the file; None if it has none
    clock              whether the unit of time of the velocities is that of frames_per_second;
                       else the duration of a frame is unknown
    images             (T, N, D) whole numbers: how often each periodic side was crossed; None if
                       not counted
    flocks             name -> (n,) the animals in it; None: all are one flock
    checked            whether positions that mean not seen are nan already
    groups             N names of groups, from the column that the user gives; None: not given
    simulated          whether start and every count steps of a simulation instead of frames of a
                       film: then the user's frame rate is that of the frames in the file
    """

    positions: np.ndarray
    frames_per_second: float | None = None
    names: Sequence[str] | None = None
    unit: str = ""
    start: float = 0.0
    every: int = 1
    y_down: bool = False
    notes: tuple[str, ...] = ()
    attrs: Mapping[str, Any] = field(default_factory=dict)
    space: Space | None = None
    space_from: str = ""
    lacks_space: str = ""
    velocities: np.ndarray | None = None
    clock: bool = True
    images: np.ndarray | None = None
    flocks: Mapping[str, np.ndarray] | None = None
    groups: Sequence[str] | None = None
    checked: bool = False
    simulated: bool = False


def distinct_names(names: Sequence[str]) -> list[str]:
    """Return names, with their number where several are the same."""
    counts = Counter(names)
    return [name if counts[name] == 1 else f"{name} ({k})" for k, name in enumerate(names)]


def drop_flat_z(positions: np.ndarray) -> tuple[np.ndarray, tuple[str, ...]]:
    """Drop a constant z from (n, 2 or 3) positions, as trackers write for films; with notes."""
    if positions.shape[1] < 3:
        return positions, ()
    z = positions[np.isfinite(positions[:, 2]), 2]
    if len(z) and z.min() < z.max():
        return positions, ()
    value = f"{z[0]:g} everywhere" if len(z) else "empty"
    return positions[:, :2], (f"z is {value} and is left out",)


def select_point(
    points: np.ndarray, names: Sequence[str], part: str | None, path: object
) -> tuple[np.ndarray, tuple[str, ...]]:
    """Reduce the points of each body to one position.

    points  (T, N, P, D) points, nan where not seen
    names  names of the body parts
    part  the body part that is the position; None or "mean" for the mean of the parts seen
    path  file name for messages
    positions  (T, N, D)
    notes  a note that the mean is used, if `part` is None
    raises TracksError  if there is no such part
    """
    if part is not None and part != MEAN:
        if part not in names:
            raise TracksError(
                f"{path}: part: got {part!r}; expected one of {', '.join(names)}, or {MEAN} for "
                "their mean"
            )
        return points[:, :, list(names).index(part)], ()
    if points.shape[2] == 1:
        return points[:, :, 0], ()
    seen = np.isfinite(points).all(axis=3, keepdims=True)
    count = seen.sum(axis=2)
    with np.errstate(invalid="ignore"):
        mean = np.where(seen, points, 0.0).sum(axis=2) / np.where(count, count, np.nan)
    note = f"an animal's position is the mean of its {len(names)} body parts ({', '.join(names)})"
    return mean, (note,) if part is None else ()


def parse_rate(value: object, name: str, path: object) -> float | None:
    """Return a file's frames per second, None if it has none. Raises TracksError for other
    texts."""
    if isinstance(value, np.generic | np.ndarray) and value.size == 1:
        value = value.item()
    if value is not None and (
        isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > MAX_RATE
    ):
        is_integer = isinstance(value, int) and not isinstance(value, bool)  # may have 1e5 digits
        got = "a larger one" if is_integer else repr(value)[:40]
        raise TracksError(f"{path}: {name}: got {got}; expected a number up to {MAX_RATE:,}")
    return value
