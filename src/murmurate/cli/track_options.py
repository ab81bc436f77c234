"""Options of commands that read tracks of animals, and the tracks that they ask for."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Group, Parameter

from murmurate.cli.error_output import BadInput, complain
from murmurate.cli.terminal import say

if TYPE_CHECKING:
    from murmurate.runs.track_playback import TrackDrawing
    from murmurate.tracks import Tracks

TRACKS = Group("Reading tracks of animals", sort_key=3)
DRAWING = Group("Drawing tracks of animals", sort_key=4)
SPEED = "Of tracks: times real time, such as 0.5 or 20; 1 unless given."


@Parameter(name="*", group=TRACKS)
@dataclass(frozen=True, kw_only=True)
class TrackReading:
    """What is said of a file of tracks, where guessing ends; its frames a second not among it."""

    columns: Annotated[
        str | None,
        Parameter(
            help="A table's columns by name, or by position from 1: ROLE=NAME,... of time, date, "
            "frame, id, x, y, z; such as time=Time_s,id=Fish,x=X,y=Y. Boxes: left, top, width, "
            "height."
        ),
    ] = None
    unit: Annotated[str | None, Parameter(help="The unit of lengths, such as cm.")] = None
    y_down: Annotated[bool, Parameter(help="The file's y grows downwards: turn it round.")] = False
    part: Annotated[
        str | None,
        Parameter(
            help="The body part that is an animal's position; mean: the mean of them; each: "
            "columns that look like body parts are animals."
        ),
    ] = None
    min_likelihood: Annotated[
        float | None,
        Parameter(help="Body parts less likely count as not seen; all count unless given."),
    ] = None
    header: Annotated[
        bool | None,
        Parameter(
            help="Whether a table's first row has the names of its columns; found from its cells "
            "unless given."
        ),
    ] = None
    time_format: Annotated[
        str | None,
        Parameter(
            help='How dates are written, such as "%d/%m/%Y %H:%M".', allow_leading_hyphen=True
        ),
    ] = None
    missing: Annotated[
        str | None,
        Parameter(help="Coordinates of animals that were not seen, such as 0,0."),
    ] = None
    body_part: Annotated[str | None, Parameter(show=False)] = None
    likelihood: Annotated[float | None, Parameter(show=False)] = None
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

    def at(self, fps: float | None) -> TrackOptions:
        """The same with frames a second."""
        return TrackOptions(fps=fps, **{one.name: getattr(self, one.name) for one in fields(self)})

    @property
    def given(self) -> list[str]:
        """The options that were given, as they are written."""
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        names = [
            name for name, value in values.items()
            if value is not None and (value is not False or name == "header")
        ]  # fmt: skip
        names.sort(key=lambda name: name != "fps")  # which is first in the help too
        return [_option(name) for name in names]


RENAMED = {"body_part": "part", "likelihood": "min_likelihood"}


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")


@Parameter(name="*", group=TRACKS)
@dataclass(frozen=True, kw_only=True)
class TrackOptions(TrackReading):
    """What is said of a file of tracks, where guessing ends."""

    fps: Annotated[float | None, Parameter(help="Frames a second; before what the file says.")] = (
        None
    )


@Parameter(name="*", group=DRAWING)
@dataclass(frozen=True, kw_only=True)
class DrawingOptions:
    """How tracks of animals are drawn."""

    names: Annotated[bool, Parameter(help="Write the name beside each animal.")] = False
    over: Annotated[
        Path | None,
        Parameter(
            help="A video that tracks in pixels are drawn over, y downwards: frame k of the tracks "
            "on frame k of the video, whose size and pace the film has."
        ),
    ] = None
    offset: Annotated[
        int,
        Parameter(help="With --over: frames of the video before frame 0 of the tracks."),
    ] = 0
    px_per_unit: Annotated[
        float | None,
        Parameter(help="With --over: pixels in a length unit of tracks that are not in pixels."),
    ] = None

    @property
    def given(self) -> list[str]:
        """The options that were given, as they are written."""
        plain = DrawingOptions()
        names = [f.name for f in fields(self) if getattr(self, f.name) != getattr(plain, f.name)]
        return ["--" + name.replace("_", "-") for name in names]

    def drawing(self, speed: float | None = None) -> TrackDrawing:
        """The same, checked. Raises ModelError."""
        from murmurate.runs.track_playback import TrackDrawing

        return TrackDrawing(
            1.0 if speed is None else speed, self.names, self.over, self.offset, self.px_per_unit
        )


@dataclass(frozen=True)
class ShownTracks:
    """How a command that shows something reads and draws tracks.

    reading  how their file is read
    drawing  how they are drawn; None for a command that draws none
    speed    times real time
    quiet    say nothing of how they were read
    """

    reading: TrackOptions
    drawing: DrawingOptions | None = None
    speed: float | None = None
    quiet: bool = False

    @property
    def plan(self) -> TrackDrawing:
        """How they are drawn, checked. Raises ModelError."""
        return (self.drawing or DrawingOptions()).drawing(self.speed)

    @property
    def given(self) -> list[str]:
        """The options that were given and are for tracks alone, as they are written."""
        own = [name for name in self.reading.given if name != "--fps"]
        own += [] if self.drawing is None else self.drawing.given
        return own + ([] if self.speed is None else ["--speed"])


def refuse_track_options(what: str, shown: ShownTracks | None) -> None:
    """Raises BadInput for options of tracks, where what is shown is none."""
    if shown is not None and shown.given:
        from murmurate.tracks.formats import ENDINGS

        raise BadInput(f"{', '.join(shown.given)}: for tracks of animals "
                       f"({', '.join(ENDINGS)}), and {what} has none")  # fmt: skip


def tracks_of(what: str, options: TrackOptions | None, errors: bool, quiet: bool) -> Tracks | None:
    """The tracks that are named, having said how they were read; None where no tracks are named.

    errors  say it on stderr, where stdout has something to be read by programs
    Raises OpenError, and BadInput for options of tracks where there are none.
    """
    from murmurate.tracks import open_tracks
    from murmurate.tracks.formats import ENDINGS, may_be_tracks
    from murmurate.tracks.long_table import table_files

    options = options or TrackOptions()
    for old, new in RENAMED.items():
        if getattr(options, old) is not None:
            complain(f"{_option(old)} is now called {_option(new)}", kind="warning")
    named = options.columns is not None and bool(table_files(Path(what)))
    if not named and not may_be_tracks(Path(what)):
        if options.given:
            raise BadInput(f"{', '.join(options.given)}: for tracks of animals "
                           f"({', '.join(ENDINGS)}), and {what} has none")  # fmt: skip
        return None
    found = open_tracks(
        what, options.fps, columns=options.columns, unit=options.unit, y_down=options.y_down,
        part=options.part if options.part is not None else options.body_part,
        min_likelihood=options.min_likelihood if options.min_likelihood is not None
        else options.likelihood,
        skip_bad=options.skip_bad, header=options.header, time_format=options.time_format,
        missing=options.missing,
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
