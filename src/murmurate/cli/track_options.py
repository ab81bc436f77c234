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

    def at(self, fps: float | None) -> TrackOptions:
        """The same with frames a second."""
        return TrackOptions(fps=fps, **{one.name: getattr(self, one.name) for one in fields(self)})

    @property
    def given(self) -> list[str]:
        """The options that were given, as they are written."""
        names = [one.name for one in fields(self) if getattr(self, one.name) not in (None, False)]
        names.sort(key=lambda name: name != "fps")  # which is first in the help too
        return ["--" + name.replace("_", "-") for name in names]


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
    """What a command that shows something is told of tracks.

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
        axes=options.axes, resample=options.resample,
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
