"""TableFormat and ReadOptions: facts that users state about a file of tracks."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from murmurate.errors import TracksError
from murmurate.model.space import Space
from murmurate.number_text import parse_number

ROLES = (
    "time", "date", "frame", "id", "x", "y", "z", "left", "top", "width", "height", "right",
    "bottom",
)  # fmt: skip
AXES = "xyz"
SPACE_EXAMPLE = "--space 100x100 --periodic xy"


@dataclass(frozen=True, kw_only=True)
class TableFormat:
    """Options for reading a table or a bare array.

    Parameters
    ----------
    columns : str or mapping, optional
        Role -> the name of a column, or its position from 1; or as text
        "time=Time_s,id=Fish,x=X,y=Y". Roles are time, date, frame, id, x, y, z, and left, top,
        width, height of boxes. A name that is a number is in quotes.
    header : bool, optional
        Whether the first row has the names of the columns; inferred by default.
    time_format : str, optional
        The format of dates, such as "%d/%m/%Y %H:%M" (see datetime.strptime), or the unit of
        numeric times: "s", "ms", "us", "min", "h", "days" or "frames".
    resample : float, optional
        Of detections and GPX with uneven times: seconds between the frames to which positions are
        interpolated linearly. Long gaps stay missing.
    missing : str or sequence of float, optional
        Coordinates that the file has where an animal was not seen, such as "0,0", or "-999" for any
        of them. By default, points that can mean nothing else; "none": there are none.
    drop : str or mapping, optional
        Columns and the values that mark rows without a position, such as "lost=1". By default,
        those of columns such as lost, visible and outlier; "none": there are none.
    skip_bad : bool, default False
        Leave out unusable rows and note their number, instead of raising an error.
    axes : str or sequence of str, optional
        Of a bare array: its axes in order, such as "t,id,xy"; inferred by default.
    variable : str, optional
        Of a file with several: the variable of a MATLAB file, such as "data.tracks", or what is
        read of Motive's table, such as "Marker".
    up : str, optional
        Of motion capture: the axis of the file that points up, "y" or "z"; z of the tracks does.
        By default as the file says, else y of Motive and z of others.
    """

    columns: str | Mapping[str, str] | None = None
    header: bool | None = None
    time_format: str | None = None
    resample: float | None = None
    missing: str | Sequence[float] | None = None
    drop: str | Mapping[str, object] | None = None
    skip_bad: bool = False
    axes: str | Sequence[str] | None = None
    variable: str | None = None
    up: str | None = None


@dataclass(frozen=True)
class ReadOptions:
    """Facts that the user states about a file.

    frames_per_second  overrides the file; None: as in the file
    columns            role -> the name, or the position from 1, of a table's column, see ROLES. A
                       name that is a number is in quotes
    unit               of lengths, a word such as cm; None: as in the file
    y_down             y grows downwards in the file: flip it
    part               the point of a body that is the animal's position, MEAN or EACH; None: the
                       format decides
    min_likelihood     of pose files: less likely points count as not seen; None: all count
    skip_bad           leave out rows that cannot be used, and count them
    axes               of an array: its axes in order, of t, id and xy
    resample           seconds between frames to which positions are interpolated; None: keep times
    space              the box, with its periodic axes; None: as in the file
    periodic           without a space: names of the periodic axes of the file's, () for none; None:
                       as in the file
    header             whether the first row of a table has the names of its columns; None: inferred
    time_format        of dates, in the notation of strptime, or the unit of numeric times; None:
                       inferred
    missing            (x, y), (x, y, z) or a coordinate that a file has where no animal was seen;
                       (): inferred; None: none
    drop               column -> values that mark rows without a position; None: inferred
    groups             group -> its tracks, or the column of a table that names the group; None: one
    variable, up       see TableFormat; None: decided by the contents

    Raises TracksError for values out of range.
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
    space: Space | None = None
    periodic: tuple[str, ...] | None = None
    header: bool | None = None
    time_format: str | None = None
    missing: tuple[float, ...] | None = ()
    drop: Mapping[str, tuple[str, ...]] | None = None
    groups: Mapping[str, tuple[str, ...]] | str | None = None
    variable: str | None = None
    up: str | None = None

    def __post_init__(self) -> None:
        for role in self.columns:
            if role not in ROLES:
                raise TracksError(
                    f"columns: got the role {role!r}; expected one of {', '.join(ROLES)}. Write "
                    "ROLE=NAME, such as time=Time_s,id=Fish,x=X,y=Y"
                )
        if self.axes and sorted(self.axes) != ["id", "t", "xy"]:
            raise TracksError(
                f"axes: got {','.join(self.axes)}; expected t, id and xy in the array's order, "
                "such as t,id,xy"
            )
        if self.up not in (None, *AXES):
            raise TracksError(f"up: got {self.up}; expected x, y or z")
        if self.min_likelihood is not None and not 0 <= self.min_likelihood <= 1:
            raise TracksError(
                f"min_likelihood: got {self.min_likelihood:g}; expected a number from 0 to 1"
            )
        if self.resample is not None and not 0 < self.resample < math.inf:
            raise TracksError(
                f"resample: got {self.resample:g}; expected a number of seconds above 0"
            )

    @property
    def gives_space(self) -> bool:
        """Whether the user specifies anything about the space."""
        return self.space is not None or self.periodic is not None

    @property
    def format_options(self) -> list[str]:
        """Names of the options that are set and that only some formats accept."""
        defaults = ReadOptions()
        names = (
            "columns", "part", "min_likelihood", "skip_bad", "axes", "resample", "header",
            "time_format", "drop", "variable", "up",
        )  # fmt: skip
        return [name for name in names if getattr(self, name) != getattr(defaults, name)]


def parse_columns(text: str | Mapping[str, str] | None) -> Mapping[str, str]:
    """Parse 'time=Time_s,id=Fish' into a dict, or raise TracksError."""
    if not isinstance(text, str):
        return {str(k): str(v) for k, v in (text or {}).items()}
    columns: dict[str, str] = {}
    for part in re.findall(r"""(?:[^,"']|"[^"]*"|'[^']*')+""", text):
        role, equals, name = (word.strip() for word in part.partition("="))
        if not (role and equals and name) or role in columns:
            raise TracksError(
                f"columns: got {part!r} in {text!r}; expected ROLE=NAME, with each role once. "
                "Write, for instance, time=Time_s,id=Fish,x=X,y=Y"
            )
        columns[role] = name
    return columns


def parse_axes(text: str | Sequence[str] | None) -> tuple[str, ...]:
    """Parse 't,id,xy' into ('t', 'id', 'xy')."""
    if isinstance(text, str):
        return tuple(word.strip() for word in text.split(","))
    return tuple(text or ())


def parse_missing(text: str | Sequence[float] | None) -> tuple[float, ...] | None:
    """Parse '0,0' into (0.0, 0.0), '-999' into (-999.0,) and 'none' into None."""
    if text is None or text == "none":
        return () if text is None else None
    return _parse_numbers("missing", text, ",", "0,0", (1, 2, 3))


def parse_drop(text: str | Mapping[str, object] | None) -> Mapping[str, tuple[str, ...]] | None:
    """Parse 'lost=1,kind=a,kind=b' into column -> values, and 'none' into {}."""
    if text is None or text == "none":
        return None if text is None else {}
    if not isinstance(text, str):
        return {str(name): tuple(map(str, values if isinstance(values, list | tuple) else [values]))
                for name, values in text.items()}  # fmt: skip
    dropped: dict[str, tuple[str, ...]] = {}
    for part in text.split(","):
        name, equals, value = (word.strip() for word in part.partition("="))
        if not (name and equals):
            raise TracksError(
                f"drop: got {part!r} in {text!r}; expected COLUMN=VALUE, such as lost=1, or none"
            )
        dropped[name] = (*dropped.get(name, ()), value)
    return dropped


def parse_groups(
    groups: str | Mapping[str, Sequence[str | int]] | None,
) -> Mapping[str, tuple[str, ...]] | str | None:
    """Parse 'sheep=0,1,dog=2' into group -> tracks; text without '=' names a column."""
    if groups is None or (isinstance(groups, str) and "=" not in groups):
        return groups
    if not isinstance(groups, str):
        return {str(name): tuple(map(str, tracks)) for name, tracks in groups.items()}
    named: dict[str, tuple[str, ...]] = {}
    name = ""
    for part in groups.split(","):
        first, equals, track = (word.strip() for word in part.rpartition("="))
        name = first if equals else name
        if not name or not track or (equals and name in named):
            raise TracksError(
                f"groups: got {part!r} in {groups!r}; expected NAME=TRACK,TRACK,... with each name "
                "once, such as sheep=0,1,2,dog=3, or the name of a column"
            )
        named[name] = (*named.get(name, ()), track)
    return named


def parse_space(
    space: str | Sequence[float] | Space | None,
    periodic: str | Sequence[str] | None,
    origin: str | None = None,
) -> tuple[Space | None, tuple[str, ...] | None]:
    """Return the space of '100x100', 'xy' (or 'none') and '0,0', or the axes without a size.

    Raises TracksError.
    """
    axes = None if periodic is None else _parse_periodic(periodic)
    if isinstance(space, Space):
        if axes is not None:
            raise TracksError(
                "space: got a Space and also periodic axes; expected all of it in the Space, or "
                "numbers. Leave the others out"
            )
        return space, None
    size = None if space is None else _parse_numbers("space", space, "x", "100x100")
    if size is not None and min(size) <= 0:
        raise TracksError(
            f"space: got {space}; expected lengths above 0, such as 100x100. Give each side"
        )
    corner = None if origin is None else _parse_numbers("origin", origin, ",", "-50,-50")
    if corner is not None and (size is None or len(corner) != len(size)):
        raise TracksError(
            f"origin: got {origin}; expected the lower corner of a space with as many axes. Give "
            "both, such as --space 100x100 --origin -50,-50"
        )
    if size is None:
        return None, axes
    surplus = [axis for axis in axes or () if axis not in AXES[: len(size)]]
    if surplus:
        raise TracksError(
            f"periodic: got {''.join(axes or ())} for {len(size)} axes; expected some of "
            f"{AXES[: len(size)]}, or none. Leave {', '.join(surplus)} out, or give a 3-D space"
        )
    boundary = boundaries(axes or (), len(size))
    return Space(size=size, origin=corner or (), boundary=boundary), None


def boundaries(periodic: Sequence[str], dims: int) -> tuple[Any, ...]:
    """Return 'periodic' or 'open' for each of the first `dims` axes."""
    return tuple("periodic" if axis in periodic else "open" for axis in AXES[:dims])


def _parse_periodic(text: str | Sequence[str]) -> tuple[str, ...]:
    """Parse 'xy', 'x,y' or ['x', 'y'] into ('x', 'y'), and 'none' into ()."""
    letters = text.replace(",", "").strip() if isinstance(text, str) else "".join(map(str, text))
    if letters == "none" or (not isinstance(text, str) and not letters):
        return ()
    if not letters or set(letters) - set(AXES) or len(set(letters)) < len(letters):
        raise TracksError(
            f"periodic: got {text!r}; expected names of axes such as x, xy or xyz, each once, or "
            "none. Name the axes along which the space is periodic"
        )
    return tuple(letters)


def _parse_numbers(
    name: str, value: str | Sequence[float], separator: str, example: str,
    lengths: tuple[int, ...] = (2, 3),
) -> tuple[float, ...]:  # fmt: skip
    """Parse two or three numbers from a list, or from text such as 100x100."""
    parts = value.lower().split(separator) if isinstance(value, str) else value
    try:
        numbers = tuple(parse_number(part) for part in parts)
    except (TypeError, ValueError):
        numbers = ()
    if len(numbers) not in lengths or not all(map(math.isfinite, numbers)):
        raise TracksError(
            f"{name}: got {value!r}; expected two or three numbers, such as {example}. Give one "
            "for each axis"
        )
    return numbers
