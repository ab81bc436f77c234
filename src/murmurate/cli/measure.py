"""murmurate measure: every measure of a model, a recording or real animals' tracks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Group, Parameter

from murmurate.cli.error_output import FINE, BadInput
from murmurate.cli.options import (
    FLIGHT,
    MODEL,
    PLOT_SIZE,
    Changes,
    FlightOptions,
    PlotSize,
    load_model,
    setting,
)
from murmurate.cli.terminal import console, progress_bar, say
from murmurate.cli.track_options import TRACKS, TrackOptions, tracks_of

if TYPE_CHECKING:
    from rich.table import Table

    from murmurate.analysis import MeasureTable
    from murmurate.tracks import Tracks

FRAMES = Group("What is measured", sort_key=1)
OUTPUT = Group("What is written", sort_key=4)
MOST_ANIMALS = 40  # whose values are printed, a row each


def measure(
    what: Annotated[
        str,
        Parameter(
            help="A model (it is flown), a recording, or tracks of animals: a table (.csv, .txt, "
            ".parquet), or a tracker's file or folder."
        ),
    ],
    /,
    *measures: Annotated[
        str,
        Parameter(
            help="Measures; unless given, those that need no option, are quick and follow neither "
            "one event nor each animal."
        ),
    ],
    every_measure: Annotated[
        bool,
        Parameter(
            name="--all",
            help="Those too that are slow, or follow one event or each animal.",
            group=FRAMES,
        ),
    ] = False,
    flock: Annotated[
        str | None, Parameter(help="The flock; the largest unless given.", group=FRAMES)
    ] = None,
    predators: Annotated[
        str | None, Parameter(help="The predators, for measures of a hunt.", group=FRAMES)
    ] = None,
    steps: Annotated[
        int | None, Parameter(help="Steps to fly a model; 1000 unless given.", group=FRAMES)
    ] = None,
    warm_up: Annotated[
        int | None,
        Parameter(
            help="Steps before the first measured frame. Default: a fifth of the steps of a model, "
            "else 0.",
            group=FRAMES,
        ),
    ] = None,
    last: Annotated[
        int | None,
        Parameter(name="--to", help="The last step of a recording or of tracks.", group=FRAMES),
    ] = None,
    every: Annotated[
        int | None,
        Parameter(
            help="Of a model: steps from one measurement to the next, 10 unless given; else every "
            "so-manieth frame.",
            group=FRAMES,
        ),
    ] = None,
    option: Annotated[
        tuple[str, ...],
        Parameter(
            help="MEASURE.OPTION=VALUE, such as collisions.radius=0.5 or "
            "'time_in_zone.zone=circle 10 20 5'; may be given again.",
            group=FRAMES,
        ),
    ] = (),
    json: Annotated[bool, Parameter(help="Print all as JSON.", group=OUTPUT)] = False,
    csv: Annotated[bool, Parameter(help="Print all as CSV.", group=OUTPUT)] = False,
    output: Annotated[
        Path | None, Parameter(name=("--output", "-o"), help="Write .json or .csv.", group=OUTPUT)
    ] = None,
    plot: Annotated[
        Path | None, Parameter(help="Draw all of it: .png, .svg or .pdf.", group=OUTPUT)
    ] = None,
    style: Annotated[
        Literal["light", "dark"] | None,
        Parameter(help="The plot's colours; light unless given.", group=OUTPUT),
    ] = None,
    size: Annotated[PlotSize | None, Parameter(help=PLOT_SIZE, group=OUTPUT)] = None,
    force: Annotated[bool, Parameter(help="Replace files that are there.", group=OUTPUT)] = False,
    quiet: Annotated[bool, Parameter(help="No progress.")] = False,
    tracks: Annotated[TrackOptions | None, Parameter(name="*", group=TRACKS)] = None,
    flight: Annotated[FlightOptions | None, Parameter(name="*", group=FLIGHT)] = None,
    changes: Annotated[Changes | None, Parameter(name="*", group=MODEL)] = None,
) -> int:
    """Measure a flock: measures with their standard errors.

    For instance:

        murmurate measure couzin-2002 --steps 2000
        murmurate measure flock.zarr polarization correlation_length --plot figure.png
        murmurate measure fish.npy --fps 32 --json
        murmurate measure fish.csv --columns time=Time_s,id=Fish,x=X,y=Y
        murmurate measure flock.zarr --all
    """
    from murmurate import analysis
    from murmurate.measures.measure_frames import ALL
    from murmurate.plots.style import check_output_path
    from murmurate.show.output import check_apart

    if json and csv:
        raise BadInput("--json and --csv: give one of them")
    for path, endings in ((output, (".json", ".csv")), (plot, (".png", ".svg", ".pdf"))):
        if path is not None:
            check_output_path(path, endings, force)  # refused before anything is flown
            if Path(what).exists():
                check_apart(path, what)
    for word, value in (("--style", style), ("--size", size)):
        if value is not None and plot is None:
            raise BadInput(
                f"{word}: for a plot, and there is none: give --plot too, or leave it out"
            )
    options = options_of(option)
    named = [name for text in measures for name in text.split(",") if name]
    if every_measure and named:
        raise BadInput(f"--all and {', '.join(named)}: give --all, or names of measures")
    asked = ALL if every_measure else named or None
    read = tracks_of(what, tracks, errors=json or csv, quiet=quiet)
    with _Bar(silent=quiet or json or csv) as bar:
        found = analysis.measure(
            _opened(what, changes, read), asked, flock=flock, predators=predators,
            measure_options=options, steps=steps, warm_up=warm_up, last=last, every=every,
            progress=bar.update, **_run_options(flight),
        )  # fmt: skip
    if output is not None:
        found.save(output, force=force)
    if plot is not None:
        found.save_plot(plot, style=style or "light", size=size or "screen", force=force)
    if json or csv:
        say(found.to_json() if json else found.to_csv(), end="\n" if json else "")
    else:
        _print(found, [path for path in (output, plot) if path is not None])
    return FINE


def options_of(texts: tuple[str, ...]) -> dict[str, dict[str, Any]]:
    """'collisions.radius=0.5' -> {'collisions': {'radius': 0.5}}. Raises BadInput."""
    found: dict[str, dict[str, Any]] = {}
    for text in texts:
        name, dot, _ = text.partition("=")[0].partition(".")
        if not dot or "=" not in text:
            raise BadInput(f"--option {text}: it must be MEASURE.OPTION=VALUE, such as "
                           "collisions.radius=0.5")  # fmt: skip
        path, value = setting(text)
        found.setdefault(name.strip(), {})[path.split(".", 1)[1]] = value
    return found


def _run_options(flight: FlightOptions | None) -> dict[str, Any]:
    """Return the options of a run that were passed.

    An option that was passed with its default value is unknown; the seed represents it.
    """
    if flight is None:
        return {}
    return {"options": flight.run_options()} if flight.words() else {"seed": flight.seed}


def _opened(what: str, changes: Changes | None, tracks: Tracks | None) -> Any:
    """What the command names, of which tracks are read; --set and the like are for models."""
    from murmurate.analysis.inputs import open_input
    from murmurate.model.files import zoo

    changed = changes is not None and (changes.set or changes.boids is not None)
    path = Path(what)
    if what in zoo() or path.suffix.lower() == ".toml" or (changed and not path.exists()):
        return load_model(what, changes)
    for file in changes.rules if changes is not None else ():
        from murmurate.rules.rule_file import load_rules

        load_rules(file)
    if changed:
        raise BadInput(f"--set and --boids change models, and {what} is none")
    return open_input(what) if tracks is None else tracks


def _print(found: MeasureTable, written: list[Path]) -> None:
    from rich.text import Text

    from murmurate.cli.tables import table
    from murmurate.measures.summary import has_value

    out = console(uncut=True)
    out.print(Text(found.title, "bold"), soft_wrap=True)
    made = table("measure", "mean", "unit", "frames", "samples")
    for column in (0, 1):
        made.columns[column].no_wrap = True
    for column in (3, 4):
        made.columns[column].justify = "right"
    rows = found.rows
    for row in rows:
        if row.note:
            made.add_row(Text(row.label, "cyan"), "-", Text(row.note, "dim"), "", "")
            continue
        known = row.independent == row.independent and row.independent > 0
        star = "*" if row.short and has_value(row) else ""
        made.add_row(
            Text(row.label, "cyan"), row.text + star, Text(row.unit, "dim"),
            f"{row.frames}", f"{row.independent:.3g}" if known else "",
        )  # fmt: skip
    out.print(made)
    for animals in _animals(found):
        out.print(animals)
    for remark in found.remarks("--all"):
        out.print(Text(remark))
    if any(row.short and has_value(row) for row in rows):
        out.print(
            "* the run is too short, against its own memory, to trust this error", style="dim"
        )
    for path in written:
        say(path)


def _animals(found: MeasureTable) -> Iterator[Table | str]:
    """The values per animal, a row each; of many animals only where they are."""
    from rich.text import Text

    from murmurate.cli.tables import number, table

    taken = found.per_animal
    rows = found.animal_rows()
    if not rows:
        return
    if len(rows) > MOST_ANIMALS:
        yield f"{len(rows):,} animals: --csv and --json have the value of each"
        return
    made = table("animal", *taken, numbers=len(taken))
    for name, values in rows:
        made.add_row(Text(name, "cyan"), *map(number, values))
    yield made


class _Bar:
    """Frames measured, with the time left, on a terminal."""

    def __init__(self, silent: bool) -> None:
        self._silent, self._bar, self._task = silent, None, None

    def __enter__(self) -> _Bar:
        out = console(errors=True)
        if not self._silent and out.is_terminal:
            from rich.progress import BarColumn, MofNCompleteColumn
            from rich.progress import TimeRemainingColumn as Left

            columns = ("frames", BarColumn(), MofNCompleteColumn(), Left())
            bar: Any = progress_bar(*columns, console=out, transient=True)
            bar.start()
            self._bar = bar
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def update(self, done: int, total: int) -> None:
        if self._bar is not None:
            if self._task is None:
                self._task = self._bar.add_task("frames", total=total or None)
            self._bar.update(self._task, completed=done)
