"""murmurate resume, branch, info; and what `run -o` does: recordings."""

from __future__ import annotations

import json as json_text
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from murmurate.cli.engine_flags import OwnOptions, chosen, own_words
from murmurate.cli.options import FLIGHT, setting
from murmurate.cli.recorded import command_line, print_info, recorded
from murmurate.cli.terminal import EXIT_FAILED, EXIT_OK, CommandError, print_error, print_line
from murmurate.cli.tracks import TRACKS, TrackOptions, read_tracks

if TYPE_CHECKING:
    from murmurate.engines.base import EngineChoice
    from murmurate.tracks import Tracks

PathName = Annotated[Path, Parameter(help="A recording: a folder NAME.zarr.")]
Rules = Annotated[
    tuple[Path, ...],
    Parameter(
        name="--rules", help="A Python file with rules of your own that its model names; it is run."
    ),
]
Threads = Annotated[int | None, Parameter(help="Threads; all cores unless given.", group=FLIGHT)]
Quiet = Annotated[bool, Parameter(help="Print nothing but errors.")]


def resume(
    recording: PathName,
    /,
    *,
    steps: Annotated[
        int | None,
        Parameter(
            help="Fly up to this step, counted from the start; as was asked for at first "
            "unless given.",
            group=FLIGHT,
        ),
    ] = None,
    threads: Threads = None,
    engine: Annotated[
        str | None,
        Parameter(
            help="In place of the one that it was recorded with: one of the same family, which "
            "leaves the same bits, as cpu and slabs do.",
            group=FLIGHT,
        ),
    ] = None,
    own: OwnOptions | None = None,
    quiet: Quiet = False,
    rules: Rules = (),
) -> int:
    """Resume a recording from its last complete frame: after a crash, or to fly further.

    It becomes what it would have been without a break, bit for bit. What was damaged of its newest
    files is flown and written again.

    For instance:

        murmurate resume flock.zarr
        murmurate resume flock.zarr --steps 40000
        murmurate resume flock.zarr --engine slabs --address auto
    """
    from murmurate.runs.resumed_run import resume as resume_run

    _run_rules(rules)

    def found(again: Any) -> None:
        for note in again.notes:
            print_error(f"{recording}: {note}", kind="note")
        if not quiet:
            print_line(f"{recording}: resumes from step {again.step}", errors=True)

    return recorded(
        recording,
        lambda **watch: resume_run(
            recording,
            steps,
            threads=threads,
            engine=_engine(recording, engine, own),
            found=found,
            **watch,
        ),
        quiet,
    )


def _engine(recording: Path, engine: str | None, own: OwnOptions | None) -> EngineChoice | None:
    """The engine that is to continue a recording, if not that by which it was recorded. Options of
    an engine that is not named are those of the recording's."""
    if engine is None and own_words(own):
        from murmurate.record import Recording

        engine = Recording(recording).header["engine"]
    return None if engine is None else chosen(engine, own)


def branch(
    recording: PathName,
    /,
    *,
    output: Annotated[Path, Parameter(alias="-o", help="The new recording, NAME.zarr.")],
    at: Annotated[
        int | None,
        Parameter(help="The step to continue from; the last unless given.", group=FLIGHT),
    ] = None,
    set: Annotated[
        tuple[str, ...],
        Parameter(name="--set", help="PATH=VALUE changes a number of the model."),
    ] = (),
    steps: Annotated[
        int | None,
        Parameter(help="Fly up to this step; as the parent unless given.", group=FLIGHT),
    ] = None,
    every: Annotated[
        int | None, Parameter(help="Steps from one frame to the next.", group=FLIGHT)
    ] = None,
    threads: Threads = None,
    force: Annotated[bool, Parameter(help="Replace a recording that is there.")] = False,
    quiet: Quiet = False,
    rules: Rules = (),
) -> int:
    """Continue from a recorded step with a changed model, as a new recording.

    For instance:

        murmurate branch flock.zarr --at 5000 --set rules.alignment.weight=0 -o other.zarr
    """
    from murmurate.runs.branched_run import branch as begin_branch

    _run_rules(rules)
    changes = dict(setting(text) for text in set)
    return recorded(
        output,
        lambda **watch: begin_branch(
            recording, output, at, changes, steps=steps, every=every, threads=threads,
            force=force, command=command_line(), **watch,
        ),
        quiet,
    )  # fmt: skip


def info(
    recording: Annotated[
        Path, Parameter(help="A recording, NAME.zarr, or tracks of animals: a file or a folder.")
    ],
    /,
    *,
    check: Annotated[
        bool, Parameter(help="Of a recording: read all, metadata too, and report damage.")
    ] = False,
    json: Annotated[bool, Parameter(help="Print it as JSON.")] = False,
    plot: Annotated[
        Path | None,
        Parameter(help="Of tracks: draw them and their gaps; .png, .svg or .pdf.", group=TRACKS),
    ] = None,
    style: Annotated[
        Literal["light", "dark"] | None,
        Parameter(help="The picture's colours; light unless given.", group=TRACKS),
    ] = None,
    force: Annotated[
        bool, Parameter(help="Replace a picture that is there.", group=TRACKS)
    ] = False,
    tracks: Annotated[TrackOptions | None, Parameter(name="*", group=TRACKS)] = None,
) -> int:
    """Show what a recording is: model, seed, versions, frames, size, figures; or what tracks of
    animals are, how they were read, and what looks wrong in them.

    For instance:

        murmurate info flock.zarr
        murmurate info flock.zarr --check
        murmurate info fish.csv --plot fish.png
    """
    read = read_tracks(str(recording), tracks, errors=True, quiet=True)
    if style is not None and plot is None:
        raise CommandError("--style: for a picture, and there is none: give --plot too")
    if read is not None:
        if check:
            raise CommandError("--check: for recordings, which have checksums; leave it out")
        return _tracks_info(read, json, plot, style, force)
    if plot is not None:
        raise CommandError(f"--plot: for tracks of animals; murmurate still draws {recording}")
    from murmurate.record import open as opened
    from murmurate.record.check import find_damage

    rec = opened(recording)
    found = rec.info()
    damaged = find_damage(rec) if check else []
    if json:
        print_line(json_text.dumps(found | ({"damages": damaged} if check else {}), indent=2))
    else:
        print_info(found)
        if check and not damaged:
            print_line("checked     all frames and metadata can be read, and every checksum fits")
    for text in damaged:
        print_error(text)
    return EXIT_FAILED if damaged else EXIT_OK


def _tracks_info(
    tracks: Tracks, as_json: bool, plot: Path | None, style: Literal["light", "dark"] | None,
    force: bool,
) -> int:  # fmt: skip
    from murmurate.cli.tracks import plot_tracks, print_tracks
    from murmurate.show.output import check_apart

    if plot is not None:
        check_apart(plot, tracks.path)
    print_tracks(tracks, as_json)
    if plot is not None:
        plot_tracks(tracks, plot, style, force)
    return EXIT_OK


def _run_rules(files: tuple[Path, ...]) -> None:
    from murmurate.rules.rule_file import load_rules

    for file in files:
        load_rules(file)
