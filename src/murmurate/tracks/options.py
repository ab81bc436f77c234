"""ReadOptions: what the user says about a file of tracks."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from murmurate.record.errors import RecordingRefused
from murmurate.tracks.given_space import NOTHING, GivenSpace, numbers_of

ROLES = (
    "time", "date", "frame", "id", "x", "y", "z", "left", "top", "width", "height", "right",
    "bottom",
)  # fmt: skip


@dataclass(frozen=True)
class ReadOptions:
    """What the user says about a file.

    frames_per_second  before what the file says; None: the file's
    columns            role -> the name, or the position from 1, of a table's column: see ROLES. A
                       name that is a number is in quotes
    header             whether the first row of a table has the names of its columns; None: found
                       from its cells
    time_format        of dates, as strptime has it; None: found from its cells
    missing            (x, y) or (x, y, z) that a file has where nobody was seen; (): none
    unit               of lengths, a word such as cm; None: the file's
    y_down             y grows downwards in the file: flip it
    part               the point of a body that is the animal's position, MEAN or EACH; None: the
                       file's format decides
    min_likelihood     of pose files: points that are less likely count as not seen; None: all count
    skip_bad           leave out rows that cannot be used, and count them
    axes               of an array: its axes in order, of t, id and xy
    resample           seconds between frames, to which positions are interpolated; None: not
    space              the box and its periodic axes
    """

    frames_per_second: float | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    unit: str | None = None
    y_down: bool = False
    part: str | None = None
    min_likelihood: float | None = None
    skip_bad: bool = False
    axes: tuple[str, ...] = ()
    resample: float | None = None
    space: GivenSpace = NOTHING
    header: bool | None = None
    time_format: str | None = None
    missing: tuple[float, ...] = ()

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
        if self.min_likelihood is not None and not 0 <= self.min_likelihood <= 1:
            raise RecordingRefused(
                f"min_likelihood: {self.min_likelihood:g}: it must be a number from 0 to 1"
            )
        if self.resample is not None and not 0 < self.resample < math.inf:
            raise RecordingRefused(
                f"resample: {self.resample:g}: it must be a number of seconds above 0"
            )

    @property
    def said(self) -> list[str]:
        """The options that were given and that only some formats take."""
        plain = ReadOptions()
        names = (
            "columns", "part", "min_likelihood", "skip_bad", "axes", "resample", "header",
            "time_format",
        )  # fmt: skip
        return [name for name in names if getattr(self, name) != getattr(plain, name)]


def columns_of(text: str | Mapping[str, str] | None) -> Mapping[str, str]:
    """'time=Time_s,id=Fish' -> {'time': 'Time_s', 'id': 'Fish'}. Raises RecordingRefused."""
    if not isinstance(text, str):
        return {str(k): str(v) for k, v in (text or {}).items()}
    found: dict[str, str] = {}
    for part in re.findall(r"""(?:[^,"']|"[^"]*"|'[^']*')+""", text):
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


def missing_of(text: str | Sequence[float] | None) -> tuple[float, ...]:
    """'0,0' -> (0.0, 0.0). Raises RecordingRefused."""
    return () if text is None else numbers_of("missing", text, ",", "0,0")
