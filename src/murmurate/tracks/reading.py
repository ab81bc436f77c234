"""Reading: what a reader finds in a file of tracks, before it is checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from murmurate.model.space import Space
from murmurate.record.errors import RecordingRefused

FASTEST = 1_000_000_000  # frames a second
MEAN, EACH = "mean", "each"
"""Words for `part`: the mean of all points of a body, and each of them an animal of its own."""


@dataclass(frozen=True)
class Reading:
    """What is in a file.

    positions          (T, N, D), nan where an animal was not seen; D is 2 or 3
    frames_per_second  None where the file does not say
    names              N names; None: they have none
    unit               of lengths, as the file says; '' where it does not
    start              number of the first frame; 0 where the file has times alone
    every              the file's frames from one of these to the next
    y_down             whether y grows downwards, as in pictures
    notes              what a reader should know: what was left out, or taken for something
    attrs              what was taken from where: plain words and numbers by name
    space              the file's box and its periodic axes; None where it has none
    space_from         who says so, in words
    lacks_space        the error unless the space is given, where the file should have one
    velocities         (T, N, D) as the file has them; None: it has none
    clock              of velocities: whether their unit of time is that of frames_per_second. Else
                       the file does not say what time a frame is
    images             (T, N, D) whole numbers: sides of periodic axes gone round; None: not counted
    flocks             name -> (n,) the animals in it; None: all are one
    simulated          whether start and every count steps of a simulation, and no frames of a film:
                       the user's frames per second are then those of the frames that are there
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
    simulated: bool = False


def without_flat_z(places: np.ndarray) -> tuple[np.ndarray, tuple[str, ...]]:
    """(n, 2 or 3) places without a z that never changes, which trackers write of films; and what to
    note of it."""
    if places.shape[1] < 3:
        return places, ()
    known = places[np.isfinite(places[:, 2]), 2]
    if len(known) and known.min() < known.max():
        return places, ()
    said = f"{known[0]:g} everywhere" if len(known) else "empty"
    return places[:, :2], (f"z is {said}, and left out",)


def one_point(
    points: np.ndarray, names: Sequence[str], part: str | None, path: object
) -> tuple[np.ndarray, tuple[str, ...]]:
    """(T, N, parts, D) -> the places (T, N, D) of a body part, or the mean of those that are seen;
    and what to note of it. Raises RecordingRefused for a part that is not there."""
    if part is not None and part != MEAN:
        if part not in names:
            raise RecordingRefused(
                f"{path}: part: got {part!r}; expected one of {', '.join(names)}, or {MEAN} for "
                "their mean"
            )
        return points[:, :, list(names).index(part)], ()
    if points.shape[2] == 1:
        return points[:, :, 0], ()
    seen = np.isfinite(points).all(axis=3, keepdims=True)
    count = seen.sum(axis=2)
    with np.errstate(invalid="ignore"):
        middle = np.where(seen, points, 0.0).sum(axis=2) / np.where(count, count, np.nan)
    note = f"an animal's position is the mean of its {len(names)} body parts ({', '.join(names)})"
    return middle, (note,) if part is None else ()


def rate_of(value: object, what: str, path: object) -> float | None:
    """A file's frames a second, None where it has none. Raises RecordingRefused for no number."""
    if isinstance(value, np.generic | np.ndarray) and value.size == 1:
        value = value.item()
    if value is not None and (
        isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > FASTEST
    ):
        raise RecordingRefused(f"{path}: its {what!r} is no number up to {FASTEST:,}")
    return value
