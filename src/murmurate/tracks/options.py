"""ReadOptions: what a user says of a file of tracks where guessing ends."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from murmurate.record.errors import RecordingRefused
from murmurate.tracks.given_space import NOTHING, GivenSpace

ROLES = ("time", "frame", "id", "x", "y", "z")
SURE = 0.6  # likelihood from which a point counts as seen: DeepLabCut's own pcutoff


@dataclass(frozen=True)
class ReadOptions:
    """What is said of a file.

    frames_per_second  before what the file says; None: the file's
    columns            role -> the name, or the number from 1, of a table's column; roles are time,
                       frame, id, x, y, z
    unit               of lengths, a word such as cm; None: the file's
    y_down             the file's y grows downwards: it is turned round
    body_part          the point of a body that is the animal's place; None: the mean of them
    likelihood         of pose files: points that are less likely count as not seen
    skip_bad           rows that cannot be used are left out, and counted
    axes               of an array: its axes in order, of t, id and xy
    resample           seconds: positions are interpolated to times so far apart; None: as they are
    space              the box and its periodic axes
    """

    frames_per_second: float | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    unit: str | None = None
    y_down: bool = False
    body_part: str | None = None
    likelihood: float | None = None
    skip_bad: bool = False
    axes: tuple[str, ...] = ()
    resample: float | None = None
    space: GivenSpace = NOTHING

    def __post_init__(self) -> None:
        for role in self.columns:
            if role not in ROLES:
                raise RecordingRefused(
                    f"columns: there is no role {role!r}; roles are {', '.join(ROLES)}, such as "
                    "time=Time_s,id=Fish,x=X,y=Y"
                )
        if self.axes and sorted(self.axes) != ["id", "t", "xy"]:
            raise RecordingRefused(
                f"axes: {','.join(self.axes)}: they must be t, id and xy, in the order that the "
                "array has them, such as t,id,xy"
            )
        if self.likelihood is not None and not 0 <= self.likelihood <= 1:
            raise RecordingRefused(
                f"likelihood: {self.likelihood:g}: it must be a number from 0 to 1"
            )

        if self.resample is not None and not 0 < self.resample < math.inf:
            raise RecordingRefused(
                f"resample: {self.resample:g}: it must be a number of seconds above 0"
            )

    @property
    def sure(self) -> float:
        """The likelihood from which a point counts as seen."""
        return SURE if self.likelihood is None else self.likelihood

    @property
    def said(self) -> list[str]:
        """The options that were given and that only some formats take."""
        names = ("columns", "body_part", "likelihood", "skip_bad", "axes", "resample")
        return [name for name in names if getattr(self, name) not in (None, False, (), {})]


def columns_of(text: str | Mapping[str, str] | None) -> Mapping[str, str]:
    """'time=Time_s,id=Fish' -> {'time': 'Time_s', 'id': 'Fish'}. Raises RecordingRefused."""
    if not isinstance(text, str):
        return {str(k): str(v) for k, v in (text or {}).items()}
    found: dict[str, str] = {}
    for part in text.split(","):
        role, equals, name = (word.strip() for word in part.partition("="))
        if not (role and equals and name) or role in found:
            raise RecordingRefused(
                f"columns: {part!r} of {text!r}: each part must be ROLE=NAME, each role once, such "
                "as time=Time_s,id=Fish,x=X,y=Y"
            )
        found[role] = name
    return found


def axes_of(text: str | Sequence[str] | None) -> tuple[str, ...]:
    """'t,id,xy' -> ('t', 'id', 'xy')."""
    if isinstance(text, str):
        return tuple(word.strip() for word in text.split(","))
    return tuple(text or ())
