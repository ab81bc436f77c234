"""murmurate resume, info and run -o: recordings."""

from __future__ import annotations

import json as json_text
import shlex
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Group, Parameter

from murmurate.cli.engine_flags import OwnOptions, chosen, own_words
from murmurate.cli.interrupt import ask_to_stop, cause
from murmurate.cli.options import FLIGHT, InFlight, setting
from murmurate.cli.plot_options import InPlot, PlotOptions
from murmurate.cli.progress import RecordingProgress, recorded_measures, show_notes
from murmurate.cli.resume import passed_words
from murmurate.cli.terminal import (
    EXIT_FAILED,
    EXIT_INTERRUPTED,
    EXIT_OK,
    console,
    print_error,
    print_line,
)
from murmurate.cli.tracks import TrackOptions, read_tracks
from murmurate.errors import CommandError, DeviceError, MurmurateError
from murmurate.model.names import file_name
from murmurate.number_text import size_text

if TYPE_CHECKING:
    from murmurate.engines.base import EngineChoice
    from murmurate.record import Recording
    from murmurate.tracks import Tracks

BRANCH = Group("A new recording", sort_key=2)
PathName = Annotated[Path, Parameter(help="A recording: a folder NAME.zarr.")]
Rules = Annotated[
    tuple[Path, ...],
    Parameter(
        name="--rules", help="A Python file with rules of your own that its model names; it is run."
    ),
]
Threads = Annotated[int | None, Parameter(help="Threads; all cores by default.", group=FLIGHT)]
Quiet = Annotated[bool, Parameter(help="Print nothing but errors.")]


@Parameter(name="*", group=BRANCH)
@dataclass(frozen=True, kw_only=True)
class BranchOptions:
    """A new recording that continues another.

    Parameters
    ----------
    output
        The new recording, NAME.zarr.
    at
        The step to continue from. Default: the last.
    set
        PATH=VALUE changes a number of the model.
    every
        Steps from one frame to the next.
    force
        Replace an existing recording.
    """

    output: Annotated[Path | None, Parameter(alias="-o")] = None
    at: int | None = None
    set: Annotated[tuple[str, ...], Parameter(name="--set")] = ()
    every: int | None = None
    force: bool = False

    def checked_output(self) -> Path | None:
        """Return the new recording; None to continue the old one, to which no option applies."""
        if self.output is None and (passed := passed_words(self)):
            raise CommandError(
                f"{', '.join(passed)}: got it without -o; expected both. A recording is continued "
                "with its own model; -o NAME.zarr begins another"
            )
        return self.output


def resume(
    recording: PathName,
    /,
    *,
    steps: InFlight[int | None] = None,
    threads: Threads = None,
    engine: InFlight[str | None] = None,
    own: OwnOptions | None = None,
    branch: BranchOptions | None = None,
    quiet: Quiet = False,
    rules: Rules = (),
) -> int:
    """Resume a recording; or continue from one of its steps with a changed model.

    A resumed recording equals a run without a break, bit for bit. Damaged files at the end are
    simulated and written again.

    For instance:

        murmurate resume flock.zarr
        murmurate resume flock.zarr --steps 40000
        murmurate resume flock.zarr --engine slabs --address auto
        murmurate resume flock.zarr --at 5000 --set rules.alignment.weight=0 -o other.zarr

    Parameters
    ----------
    steps
        Simulate up to this step, counted from the start; by default as at first.
    engine
        In place of the recorded one. Engines of one family, such as cpu and slabs, give the same
        bits; another, or another --adapter, leaves other bits from then on.
    """
    from murmurate.rules.rule_file import load_rules
    from murmurate.runs import resume_run

    for file in rules:
        load_rules(file)
    branch = branch or BranchOptions()
    output = branch.checked_output()
    if output is None:
        return run_recorded(
            recording,
            lambda **callbacks: resume_run.resume(
                recording, steps, threads=threads, engine=_engine(recording, engine, own),
                exact=engine is None and not own_words(own), **callbacks,
            ),
            quiet,
        )  # fmt: skip
    changes = dict(setting(text) for text in branch.set)
    return run_recorded(
        output,
        lambda **callbacks: resume_run.branch(
            recording, output, branch.at, changes, steps=steps, every=branch.every,
            threads=threads, engine=_engine(recording, engine, own), force=branch.force,
            **callbacks,
        ),
        quiet,
    )  # fmt: skip


def _engine(recording: Path, engine: str | None, own: OwnOptions | None) -> EngineChoice | None:
    """Return the engine that continues a recording; None for that by which it was recorded.

    Options without the name of an engine are for the engine of the recording.
    """
    if engine is None and own_words(own):
        from murmurate.record import Recording
        from murmurate.record.header import last_engine

        engine = last_engine(dict(Recording(recording).header))[0]
    return None if engine is None else chosen(engine, own)


def info(
    recording: Path,
    /,
    *,
    check: bool = False,
    json: bool = False,
    plotting: PlotOptions | None = None,
    force: InPlot[bool] = False,
    tracks: TrackOptions | None = None,
) -> int:
    """Describe a recording or tracks of animals, and what looks wrong in them.

    For instance:

        murmurate info flock.zarr
        murmurate info flock.zarr --check
        murmurate info fish.csv --plot fish.png

    Parameters
    ----------
    recording
        A recording, NAME.zarr, or tracks of animals: a file or a folder.
    check
        Of a recording: read all, metadata too, and report damage.
    json
        Print it as JSON.
    force
        Replace an existing plot.
    """
    read = read_tracks(str(recording), tracks, errors=True, quiet=True)
    plotting = plotting or PlotOptions()
    if read is None and plotting.plot is not None:
        raise CommandError(f"--plot: for tracks of animals; murmurate still draws {recording}")
    plot = plotting.path(file_name(recording.stem, "-tracks.png"), force, [recording])
    if read is not None:
        if check:
            raise CommandError("--check: for recordings, which have checksums; leave it out")
        return _tracks_info(read, json, plot, plotting, force)
    from murmurate.record import open as opened
    from murmurate.record.check import find_damage

    rec = opened(recording)
    facts = rec.info()
    damaged = find_damage(rec) if check else []
    if json:
        print_line(json_text.dumps(facts | ({"damages": damaged} if check else {}), indent=2))
    else:
        print_info(facts)
        if check and not damaged:
            print_line("checked     all frames and metadata can be read, and every checksum fits")
    for text in damaged:
        print_error(text)
    return EXIT_FAILED if damaged else EXIT_OK


def _tracks_info(
    tracks: Tracks, as_json: bool, plot: Path | None, plotting: PlotOptions, force: bool
) -> int:
    from murmurate.cli.tracks import print_tracks
    from murmurate.plots.tracks import save_tracks_plot

    print_tracks(tracks, as_json)
    if plot is not None:
        print_line(save_tracks_plot(tracks, plot, force=force, **plotting.look))
    return EXIT_OK


# --- what recording commands print


def run_recorded(path: Path, simulate: Any, quiet: bool, as_json: bool = False) -> int:
    """Run a recorded simulation with a progress bar until Ctrl-C, and return the exit code.

    path  the recording
    simulate  called with `progress`; returns the recording
    quiet, as_json  print nothing, or JSON
    """
    from murmurate.record.header import COMMAND

    bar = RecordingProgress(path, quiet or as_json)

    def progress(done: int, total: int) -> None:
        bar.update(done, total)
        if stop.is_set() and done < total:
            raise KeyboardInterrupt

    token = COMMAND.set(command_line())
    try:
        with ask_to_stop() as stop, show_notes(quiet or as_json), bar:
            recording = simulate(progress=progress)
    except KeyboardInterrupt:  # after a frame, or within a step; frames before it are committed
        unfinished = _unfinished(path)
        if unfinished is None:
            raise
        recording = unfinished
    except MurmurateError as error:
        with suppress(MurmurateError):
            from murmurate.record import open as open_recording

            if bar.frames and "frames are kept" not in str(error):
                kept = f"{path}: {len(open_recording(path))} frames are kept"
                if isinstance(error, DeviceError):
                    kept += f". To resume: murmurate resume {path}, or with --engine cpu"
                print_error(kept, kind="note")
        raise
    finally:
        COMMAND.reset(token)
    stopped = stop.is_set() and not recording.complete
    if stopped:
        print_error(
            f"ended by {cause()} after step {recording.steps[-1]} of {recording.target}; all "
            f"{len(recording)} frames are kept. To resume: murmurate resume {path}",
            kind="stopped",
        )
    if as_json:
        print_line(json_text.dumps(recording.info(), indent=2))
    elif not quiet:
        bar.conclude(recording)
    return EXIT_INTERRUPTED if stopped else EXIT_OK


def _unfinished(path: Path) -> Recording | None:
    """Return a recording with frames that is not complete, or None."""
    from murmurate.record import open as open_recording

    try:
        recording = open_recording(path)
    except MurmurateError:
        return None
    return None if recording.complete or not len(recording) else recording


def command_line() -> str:
    """Return the command as it was typed."""
    return " ".join(["murmurate", *(shlex.quote(word) for word in sys.argv[1:])])


def print_info(facts: dict[str, Any]) -> None:
    from murmurate.cli.terminal import make_measures_table
    from murmurate.model.description import format_boids

    exact = "lossless"
    if facts["precision"] is not None:
        exact = (
            f"positions within {facts['precision']:g}, velocities within "
            f"{facts['velocity_precision']:.3g}"
        )
    flocks = ", ".join(f"{name} {count:,}" for name, count in facts["flocks"].items())
    boids = format_boids(facts["boids"])
    if "numbers" in facts:
        boids = f"from {facts['first_boids']:,} to {boids}"
        flocks = ", ".join(
            f"{name} {n['smallest']:,} to {n['largest']:,}, {n['ever']:,} ever"
            for name, n in facts["numbers"].items()
        )
    more = "" if facts["complete"] else f" of {facts['asked_steps']}: murmurate resume continues it"
    lines = {
        "model": f"{facts['model']}: {facts['title']}",
        "boids": f"{boids} ({flocks})" if "numbers" in facts or len(facts["flocks"]) > 1 else boids,
        "frames": f"{facts['frames']:,}, every {_steps_text(facts['every'])}",
        "steps": f"{facts['first_step']} to {facts['last_step']}{more}",
        "seed": f"{facts['seed']}, {facts['dtype']}, engine {facts['engine']}",
        "size": f"{exact}, {size_text(facts['bytes'])}, "
        f"{facts['bytes_per_boid_frame']:.1f} bytes a boid and frame",
        "inputs": f"{facts['inputs']:,}, the last after step {facts['last_input']}, "
        f"{size_text(facts['input_bytes'])}"
        if facts.get("inputs")
        else "",
        "made with": "; ".join(
            part["versions"] if k == 0 else f"from step {part['first_step']} on {part['versions']}"
            for k, part in enumerate(facts["parts"])
        ),
        "": ""
        if facts["same_versions"]
        else "other versions are installed: a resumed run may differ in its last bits",
        "command": facts["command"],
    }
    if facts["parent"]:
        parent = facts["parent"]
        changes = ", ".join(f"{k}={v}" for k, v in parent["changes"].items()) or "nothing changed"
        lines["branch of"] = f"{parent['path']} at step {parent['step']}, {changes}"
    for note in facts["notes"]:
        lines["note"] = note
    for name, text in lines.items():
        if text:
            print_line(f"{name:<11} {text}")
    if facts["frames"]:
        print_line(f"\nat step {facts['measured_step']}:")
        console().print(make_measures_table(recorded_measures(facts)))


def _steps_text(count: int) -> str:
    return "step" if count == 1 else f"{count} steps"
