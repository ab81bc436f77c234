"""Read and describe tracks of animals, for all commands that take them."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

from cyclopts import Group, Parameter

from murmurate.cli.resume import passed_words
from murmurate.cli.terminal import print_error, print_line
from murmurate.errors import CommandError

if TYPE_CHECKING:
    from murmurate.runs.track_playback import TrackDrawing
    from murmurate.tracks import Tracks

TRACKS = Group("Reading tracks of animals", sort_key=3)
DRAWING = Group("Drawing tracks of animals", sort_key=4)
SPEED = "Of tracks: multiple of real time, such as 0.5 or 20. Default: 1."
MAX_NAMES = 8


@Parameter(name="*", group=TRACKS)
@dataclass(frozen=True, kw_only=True)
class TrackReading:
    """How to read a file of tracks, without its frame rate.

    Parameters
    ----------
    columns
        A table's columns by name, or by position from 1: ROLE=NAME,... of time, date, frame, id, x,
        y, z; such as time=Time_s,id=Fish,x=X,y=Y. Boxes: left, top, width, height.
    unit
        The unit of lengths, such as cm; degrees or radians: of longitude and latitude.
    y_down
        y of the file increases downwards: invert it.
    part
        The body part that is the position of an animal; mean: the mean of all; each: columns that
        look like body parts are animals. Of boxes a_x, a_y, a_w, a_h of each animal: x and y of
        centre or corner.
    min_likelihood
        Body parts with a lower likelihood count as not seen. Default: all count.
    header
        Whether the first row of a table has the names of its columns. Default: guessed from its
        cells.
    time_format
        Format of dates, such as "%d/%m/%Y %H:%M", or unit of numeric times: s, ms, us, min, h,
        days, frames.
    missing
        Coordinates that mark animals as not seen, such as 0,0 or -999; none: none do.
    drop
        COLUMN=VALUE,... of rows without a position, such as lost=1; none: all have one. Default: by
        columns such as lost, visible, outlier.
    groups
        NAME=TRACK,... of groups that are measured apart, such as sheep=0,1,2,dog=3; or the column
        that has the group, such as species.
    ids
        Use these tracks only: names such as 0,1,2 or 'fish*'.
    smooth
        Smooth positions over a window of frames (9) or seconds (0.3s) by polynomials of order 3
        (Savitzky-Golay), or another: 0.3s,2. Gaps stay gaps.
    skip_bad
        Leave out invalid rows.
    axes
        Order of the axes of an array: t,id,xy is frames, animals, coordinates.
    variable
        Variable of a MATLAB file, such as data.tracks, or part of Motive's table, such as Marker.
    up
        Of motion capture: the axis of the file that points up, y or z.
    resample
        Seconds: interpolate positions at uneven times to this interval.
    space
        Size of the space, such as 100x100, in place of that in the file.
    origin
        Lower corner of --space, such as -50,-50. Default: zeros.
    periodic
        Periodic axes of the space, such as xy, x or none.
    """

    columns: str | None = None
    unit: str | None = None
    y_down: bool = False
    part: str | None = None
    min_likelihood: float | None = None
    header: bool | None = None
    time_format: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None
    missing: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None
    drop: str | None = None
    groups: str | None = None
    ids: str | None = None
    smooth: str | None = None
    skip_bad: bool = False
    axes: str | None = None
    variable: str | None = None
    up: str | None = None
    resample: float | None = None

    space: str | None = None
    origin: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None
    periodic: str | None = None  # fmt: skip

    def at(self, fps: float | None) -> TrackOptions:
        """Return the same options with a frame rate."""
        return TrackOptions(fps=fps, **{f.name: getattr(self, f.name) for f in fields(self)})

    @property
    def passed(self) -> list[str]:
        """The options that were passed, as on the command line."""
        # --fps is first in the help too
        return sorted(passed_words(self), key=lambda word: word != "--fps")


@Parameter(name="*", group=TRACKS)
@dataclass(frozen=True, kw_only=True)
class TrackOptions(TrackReading):
    """How to read a file of tracks.

    Parameters
    ----------
    fps
        Frames per second, in place of those in the file.
    """

    fps: float | None = None


@Parameter(name="*", group=DRAWING)
@dataclass(frozen=True, kw_only=True)
class DrawingOptions:
    """How to draw tracks.

    Parameters
    ----------
    names
        Write names beside animals.
    over
        A video to draw tracks over, frame k on frame k; tracks are in pixels with y downwards. The
        film has the size and frame rate of the video.
    offset
        With --over: frames of the video before frame 0 of the tracks.
    px_per_unit
        With --over: pixels per length unit of tracks that are not in pixels.
    """

    names: bool = False
    over: Path | None = None
    offset: int = 0
    px_per_unit: float | None = None

    @property
    def passed(self) -> list[str]:
        """The options that were passed, as on the command line."""
        return passed_words(self)

    def drawing(self, speed: float | None = None) -> TrackDrawing:
        """Return the same options, checked. Raises ModelError."""
        from murmurate.runs.track_playback import TrackDrawing

        return TrackDrawing(
            1.0 if speed is None else speed, self.names, self.over, self.offset, self.px_per_unit
        )


@dataclass(frozen=True)
class TrackRequest:
    """How a command reads and draws tracks.

    reading  how to read the file
    drawing  how to draw tracks; None for a command that draws none
    speed  multiple of real time
    quiet  true to print nothing about the file
    """

    reading: TrackOptions
    drawing: DrawingOptions | None = None
    speed: float | None = None
    quiet: bool = False

    @property
    def drawn(self) -> TrackDrawing:
        """Drawing options, checked. Raises ModelError."""
        return (self.drawing or DrawingOptions()).drawing(self.speed)

    @property
    def suffix(self) -> str:
        """The end of the name of a picture over a video."""
        return "" if self.drawing is None or self.drawing.over is None else "-over-video"

    @property
    def passed(self) -> list[str]:
        """The options that were passed and are for tracks only, as on the command line."""
        own = [name for name in self.reading.passed if name != "--fps"]
        own += [] if self.drawing is None else self.drawing.passed
        return own + ([] if self.speed is None else ["--speed"])


def refuse_track_options(what: str, request: TrackRequest | None) -> None:
    """Raise CommandError if options of tracks were passed for something else."""
    if request is not None and request.passed:
        _refuse_options(what, request.passed)


def _refuse_options(what: str, options: list[str]) -> NoReturn:
    from murmurate.tracks.formats import ENDINGS

    raise CommandError(
        f"{', '.join(options)}: got {what}; expected tracks of animals ({', '.join(ENDINGS)})"
    )


def read_tracks(
    what: str, options: TrackOptions | None, errors: bool, quiet: bool
) -> Tracks | None:
    """Read tracks and print how they were read. Returns None if `what` is not a file of tracks.

    errors  true to print on stderr, because programs read stdout
    quiet  true to print nothing
    raises OpenError  for a file that cannot be read
    raises CommandError  for options of tracks without tracks
    """
    from murmurate.tracks import TableFormat, open_tracks
    from murmurate.tracks.formats import may_be_tracks
    from murmurate.tracks.options import parse_space
    from murmurate.tracks.smoothing import parse_smoothing
    from murmurate.tracks.table_folder import table_files

    options = options or TrackOptions()
    named = options.columns is not None and bool(table_files(Path(what)))
    if not named and not may_be_tracks(Path(what)):
        if options.passed:
            _refuse_options(what, options.passed)
        return None
    space, periodic = parse_space(options.space, options.periodic, options.origin)
    smoothing = None if options.smooth is None else parse_smoothing(options.smooth)
    tracks = open_tracks(
        what, options.fps,
        table=TableFormat(**{f.name: getattr(options, f.name) for f in fields(TableFormat)}),
        unit=options.unit, y_down=options.y_down, part=options.part,
        min_likelihood=options.min_likelihood, space=space, periodic=periodic,
        groups=options.groups,
    )  # fmt: skip
    if options.ids is not None:
        tracks = tracks.select(*(name.strip() for name in options.ids.split(",")))
    if smoothing is not None:
        tracks = tracks.smooth(*smoothing)
    if not quiet:
        print_line(tracks.summary, errors=errors)
        print_notes(tracks)
    return tracks


def print_notes(tracks: Tracks) -> None:
    """Print on stderr how tracks were read, and plausibility warnings."""
    for note in tracks.notes:
        print_error(note, kind="note")
    for warning in tracks.warnings:
        print_error(warning, kind="warning")


# --- description


def print_tracks(tracks: Tracks, as_json: bool) -> None:
    """Print a description of tracks, as lines or as JSON."""
    from murmurate.tracks.tracks import describe_tracks

    description = describe_tracks(tracks)
    if as_json:
        print_line(json.dumps(description, indent=2))
        return
    for name, text in _description_lines(description).items():
        if text:
            print_line(f"{name:<9} {text}")
    print_notes(tracks)


def _description_lines(about: dict[str, Any]) -> dict[str, str]:
    """Return label -> text of each line of a description."""
    names, unit = about["names"], about["unit"] or "units of the file"
    listed = ", ".join(names[:MAX_NAMES]) + (", ..." if len(names) > MAX_NAMES else "")
    rate = about["frames_per_second"]
    time = "no frame rate: time counts frames (--fps)"
    if rate is not None:
        time = f"{rate:.6g} per second, {about['seconds']:.6g} s"
    last = about["first_frame"] + max(about["frames"] - 1, 0) * about["every"]
    every = f", one in {about['every']}" if about["every"] > 1 else ""
    lines = {
        "read as": about["read_as"],
        "tracks": f"{about['tracks']:,}: {listed}",
        "frames": f"{about['frames']:,}, {about['first_frame']:.10g} to {last:.10g}{every}; {time}",
    }
    if about["lower"] is not None:
        low, high = (", ".join(f"{x:.5g}" for x in about[end]) for end in ("lower", "upper"))
        down = (
            "; y increases downwards, as in pictures (--y-down inverts it)"
            if about["y_down"]
            else ""
        )
        lines["positions"] = f"({low}) to ({high}), {unit}{down}"
    if len(about["flocks"]) > 1:
        flocks = (f"{name} {count:,}" for name, count in about["flocks"].items())
        lines["flocks"] = ", ".join(flocks)
    for name, value in about["attrs"].items():
        if isinstance(value, dict):
            value = "; ".join(f"{column}: {what}" for column, what in value.items())
        if name != "assumed":  # the notes below
            lines[name] = str(value)
    if about["median_step"] is not None:
        lines["steps"] = f"{about['median_step']:.4g} from frame to frame, the median"
    gaps = f"{100 * about['missing']:.3g} % of positions"
    if gap := about["longest_gap"]:
        gaps += (
            f", in {about['gaps']:,} {'gap' if about['gaps'] == 1 else 'gaps'} between positions; "
            f"the longest is of {gap['animal']}, {gap['frames']:,} "
            f"{'frame' if gap['frames'] == 1 else 'frames'} from frame {gap['first_frame']:.10g}"
        )
    lines["missing"] = gaps
    return lines
