"""Options of commands that read tracks of animals, and the tracks that they ask for."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Group, Parameter

from murmurate.cli.error_output import BadInput, complain
from murmurate.cli.terminal import say

if TYPE_CHECKING:
    from murmurate.tracks import Tracks

TRACKS = Group("Reading tracks of animals", sort_key=3)


@Parameter(name="*", group=TRACKS)
@dataclass(frozen=True, kw_only=True)
class TrackOptions:
    """What is said of a file of tracks, where guessing ends."""

    fps: Annotated[float | None, Parameter(help="Frames a second; before what the file says.")] = (
        None
    )
    columns: Annotated[
        str | None,
        Parameter(
            help="A table's columns by name, or by number from 1: ROLE=NAME,... of time, frame, "
            "id, x, y, z; such as time=Time_s,id=Fish,x=X,y=Y."
        ),
    ] = None
    unit: Annotated[str | None, Parameter(help="The unit of lengths, such as cm.")] = None
    y_down: Annotated[bool, Parameter(help="The file's y grows downwards: turn it round.")] = False
    body_part: Annotated[
        str | None,
        Parameter(help="The body part that is an animal's place; the mean of them unless given."),
    ] = None
    likelihood: Annotated[
        float | None,
        Parameter(help="Body parts less likely count as not seen; 0.6 unless given."),
    ] = None
    skip_bad: Annotated[bool, Parameter(help="Leave out rows that cannot be used.")] = False
    axes: Annotated[
        str | None,
        Parameter(help="The axes of an array, in order: t,id,xy is frames, animals, coordinates."),
    ] = None
    resample: Annotated[
        float | None,
        Parameter(help="Seconds: sightings at uneven times are interpolated to equal ones."),
    ] = None

    space: Annotated[
        str | None,
        Parameter(
            help="The sides of the box that the animals are in, such as 100x100; before "
            "what the file says."
        ),
    ] = None
    origin: Annotated[
        str | None,
        Parameter(
            help="The lower corner of --space, such as -50,-50; zeros unless given.",
            allow_leading_hyphen=True,
        ),
    ] = None
    periodic: Annotated[
        str | None,
        Parameter(help="Periodic axes of the space, such as xy or x; none says that there are "
                  "none."),
    ] = None  # fmt: skip

    @property
    def given(self) -> list[str]:
        """The options that were given, as they are written."""
        names = [one.name for one in fields(self) if getattr(self, one.name) not in (None, False)]
        return ["--" + name.replace("_", "-") for name in names]


def tracks_of(what: str, options: TrackOptions | None, errors: bool, quiet: bool) -> Tracks | None:
    """The tracks that are named, having said how they were read; None where no tracks are named.

    errors  say it on stderr, where stdout has something to be read by programs
    Raises RecordingRefused, and BadInput for options of tracks where there are none.
    """
    from murmurate.tracks import open_tracks
    from murmurate.tracks.formats import ENDINGS, may_be_tracks

    options = options or TrackOptions()
    if not may_be_tracks(Path(what)):
        if options.given:
            raise BadInput(f"{', '.join(options.given)}: for tracks of animals "
                           f"({', '.join(ENDINGS)}), and {what} has none")  # fmt: skip
        return None
    found = open_tracks(
        what, options.fps, columns=options.columns, unit=options.unit, y_down=options.y_down,
        body_part=options.body_part, likelihood=options.likelihood, skip_bad=options.skip_bad,
        axes=options.axes, resample=options.resample, space=options.space, origin=options.origin,
        periodic=options.periodic,
    )  # fmt: skip
    if not quiet:
        say(found.summary, errors=errors)
        say_notes(found)
    return found


def say_notes(found: Tracks) -> None:
    """Says on stderr what was done to read tracks, and what looks wrong in them."""
    for note in found.notes:
        complain(note, kind="note")
    for warning in found.warnings:
        complain(warning, kind="warning")
