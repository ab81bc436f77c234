"""murmurate measure: measures of a model, a recording or tracks of real animals."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Group, Parameter

from murmurate.cli.options import (
    Changes,
    FlightOptions,
    T,
    load_model,
    model_name,
    setting,
)
from murmurate.cli.plot_options import PlotOptions
from murmurate.cli.terminal import EXIT_OK, ProgressBar, console, make_table, print_line
from murmurate.cli.tracks import TrackOptions, read_tracks
from murmurate.errors import CommandError
from murmurate.model.description import format_number

if TYPE_CHECKING:
    from rich.table import Table

    from murmurate.analysis import MeasureTable
    from murmurate.tracks import Tracks

InFrames = Annotated[T, Parameter(group=Group("What is measured", sort_key=1))]
InOutput = Annotated[T, Parameter(group=Group("What is written", sort_key=4))]
MAX_ANIMALS = 40  # whose values are printed, a row each


def measure(
    what: Annotated[str, Parameter(converter=model_name)],
    /,
    *measures: str,
    every_measure: Annotated[InFrames[bool], Parameter(name="--all")] = False,
    flock: InFrames[str | None] = None,
    predators: InFrames[str | None] = None,
    trait: InFrames[str | None] = None,
    zone: InFrames[str | None] = None,
    steps: InFrames[int | None] = None,
    warm_up: InFrames[int | None] = None,
    last: Annotated[InFrames[int | None], Parameter(name="--to")] = None,
    every: InFrames[int | None] = None,
    option: InFrames[tuple[str, ...]] = (),
    json: InOutput[bool] = False,
    csv: InOutput[bool] = False,
    output: Annotated[InOutput[Path | None], Parameter(name=("--output", "-o"))] = None,
    plotting: PlotOptions | None = None,
    force: InOutput[bool] = False,
    quiet: bool = False,
    tracks: TrackOptions | None = None,
    flight: FlightOptions | None = None,
    changes: Changes | None = None,
) -> int:
    """Measure a model, a recording or tracks of animals, with standard errors.

    For instance:

        murmurate measure couzin-2002 --steps 2000
        murmurate measure flock.zarr polarization correlation_length --plot figure.png
        murmurate measure fish.npy --fps 32 --json
        murmurate measure fish.csv --columns time=Time_s,id=Fish,x=X,y=Y
        murmurate measure fish.csv --groups species --smooth 0.3s
        murmurate measure flock.zarr --all
        murmurate measure flock.zarr front_trait_correlation --trait weight

    Parameters
    ----------
    what
        A model, which is simulated, a recording, or tracks of animals: a table (.csv, .txt,
        .parquet), or the file or folder of a tracker.
    measures
        Measures. Default: those that need no option, are fast, and follow neither an event nor each
        animal.
    every_measure
        Also measures that are slow, or follow an event or each animal.
    flock
        The flock. Default: the largest; each group of --groups, a table each.
    predators
        The flock of predators, for measures of a hunt.
    trait
        A number that differs between boids, such as weight, for measures that compare one with
        motion and position.
    zone
        A zone, for measures of visits and time in it: 'circle X Y RADIUS', 'box X1 Y1 X2 Y2',
        'polygon X1 Y1 X2 Y2 ...', or a file of corners.
    steps
        Steps of a model. Default: 1000.
    warm_up
        Steps before the first measured frame. Default: a fifth of the steps of a model, else 0.
    last
        The last step of a recording or of tracks.
    every
        Steps between measured frames. Default: 10 of a model, else every frame. A frame of tracks
        is a step.
    option
        MEASURE.OPTION=VALUE, such as collisions.radius=0.5 or 'wall_distance.wall=box 0 0 20 30';
        repeat it for others.
    json
        Print all data as JSON.
    csv
        Print all data as CSV.
    output
        The file to write: .json or .csv.
    force
        Replace existing files.
    quiet
        Print no progress.
    """
    from murmurate.analysis.inputs import FrameChoice
    from murmurate.analysis.measure_table import join_tables
    from murmurate.analysis.run_measures import measure_chosen
    from murmurate.disk import write_file
    from murmurate.measures.measure_frames import ALL
    from murmurate.model.names import file_name, usable_name
    from murmurate.plots.style import check_output_path
    from murmurate.show.output import check_apart

    if json and csv:
        raise CommandError("--json and --csv: got both; expected one of them")
    if output is not None:
        check_output_path(output, (".json", ".csv"), force)
        if Path(what).exists():
            check_apart(output, what)
    plotting = plotting or PlotOptions()
    plot = plotting.path(file_name(Path(what).stem, "-measures.png"), force, [what])
    options = parse_options(option)
    names = [name for text in measures for name in text.split(",") if name]
    if every_measure and names:
        raise CommandError(f"--all and {', '.join(names)}: give --all, or names of measures")
    read = read_tracks(what, tracks, errors=json or csv, quiet=quiet)
    run_options = None if flight is None else flight.run_options()
    source = _open(what, changes, read)

    def measured(name: str | None) -> MeasureTable:
        with ProgressBar("frames", silent=quiet or json or csv, transient=True) as bar:
            return measure_chosen(
                source, ALL if every_measure else names or None,
                FrameChoice(steps, warm_up, last, every, run_options), flock=name,
                predators=predators, trait=trait, zone=zone, measure_options=options,
                progress=bar.update,
            )  # fmt: skip

    groups = _groups(read, tracks, flock, predators)
    plots = [] if plot is None else [
        check_output_path(plot.with_stem(usable_name(f"{plot.stem}-{name}")), (plot.suffix,), force)
        for name in groups
    ] or [plot]  # fmt: skip
    tables = {name or "": measured(name) for name in groups or [flock]}
    if output is not None:
        output = check_output_path(output, (".json", ".csv"), force)
        write_file(output, join_tables(tables, output.suffix.lower()))
    for path, table in zip(plots, tables.values(), strict=False):
        table.save_plot(path, force=force, **plotting.look)
    if json or csv:
        text = join_tables(tables, ".json" if json else ".csv")
        print_line(text, end="\n" if json else "")
        return EXIT_OK
    for number, table in enumerate(tables.values()):
        print_line("", end="\n" * (number > 0))
        _print(table)
    for path in [*([] if output is None else [output]), *plots]:
        print_line(path)
    return EXIT_OK


def parse_options(texts: tuple[str, ...]) -> dict[str, dict[str, Any]]:
    """Return {'collisions': {'radius': 0.5}} for 'collisions.radius=0.5'.

    Raises CommandError for invalid text.
    """
    options: dict[str, dict[str, Any]] = {}
    for text in texts:
        name, dot, _ = text.partition("=")[0].partition(".")
        if not dot or "=" not in text:
            raise CommandError(
                f"--option: got {text}; expected MEASURE.OPTION=VALUE, such as "
                "collisions.radius=0.5"
            )
        path, value = setting(text)
        options.setdefault(name.strip(), {})[path.split(".", 1)[1]] = value
    return options


def _open(what: str, changes: Changes | None, tracks: Tracks | None) -> Any:
    """Return the model, recording or tracks to measure. --set and --boids are for models."""
    from murmurate.model.files import zoo
    from murmurate.rules.rule_file import load_rules
    from murmurate.runs.sources import open_named

    changed = changes is not None and (changes.set or changes.boids is not None)
    path = Path(what)
    if what in zoo() or path.suffix.lower() == ".toml" or (changed and not path.exists()):
        return load_model(what, changes)
    for file in changes.rules if changes is not None else ():
        load_rules(file)
    if changed:
        raise CommandError(f"--set, --boids: got {what}; expected a model. Leave them out")
    return open_named(what) if tracks is None else tracks


def _groups(
    read: Tracks | None, tracks: TrackOptions | None, flock: str | None, predators: str | None
) -> list[str | None]:
    """Return the groups that are measured, a table each; none without --groups."""
    if read is None or tracks is None or tracks.groups is None or flock is not None:
        return []
    return [name for name in read.flocks if name != predators]


def _print(table: MeasureTable) -> None:
    """Print the table, the values per animal, and remarks."""
    from rich.text import Text

    from murmurate.measures.summary import has_value

    out = console(uncut=True)
    out.print(Text(table.title, "bold"), soft_wrap=True)
    rows = make_table("measure", "mean", "unit", "frames", "samples")
    rows.columns[1].no_wrap = True
    for column, width in ((0, 16), (2, 8), (3, 6), (4, 7)):  # a narrow terminal wraps labels
        rows.columns[column].min_width = width
    for column in (3, 4):
        rows.columns[column].justify = "right"
    notes = []
    for row in table.rows:
        if row.note:
            notes.append(row)
            rows.add_row(Text(row.label, "cyan"), "-", Text(row.unit, "dim"), f"{row.frames}", "")
            continue
        has_samples = row.independent == row.independent and row.independent > 0
        star = "*" if row.short and has_value(row) else ""
        rows.add_row(
            Text(row.label, "cyan"), row.text + star, Text(row.unit, "dim"),
            f"{row.frames}", f"{row.independent:.3g}" if has_samples else "",
        )  # fmt: skip
    out.print(rows)
    for animals in _animal_tables(table):
        out.print(animals)
    for row in notes:
        out.print(Text(f"- {row.name}: {row.note}"))
    for remark in table.remarks("--all"):
        out.print(Text(remark))
    if any(row.short and has_value(row) for row in table.rows):
        out.print(
            "* the run is too short, compared with its correlation time, to trust this error",
            style="dim",
        )


def _animal_tables(table: MeasureTable) -> Iterator[Table | str]:
    """Yield the values per animal, a row each; for many animals a remark."""
    from rich.text import Text

    measures, rows = table.per_animal, table.animal_rows()
    if not rows:
        return
    if len(rows) > MAX_ANIMALS:
        yield f"{len(rows):,} animals: --csv and --json have the value of each"
        return
    animals = make_table("animal", *measures, numbers=len(measures))
    for name, values in rows:
        animals.add_row(Text(name, "cyan"), *map(format_number, values))
    yield animals
