"""murmurate learn: how animals respond to each other, from their tracks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Group, Parameter

from murmurate.cli.options import T
from murmurate.cli.plot_options import PlotOptions
from murmurate.cli.terminal import EXIT_OK, console, make_table, print_line
from murmurate.cli.tracks import TrackOptions, read_tracks
from murmurate.disk import write_file
from murmurate.errors import CommandError

if TYPE_CHECKING:
    from murmurate.interactions import LearnedInteractions

InResponse = Annotated[T, Parameter(group=Group("What is learned", sort_key=1))]
InOutput = Annotated[T, Parameter(group=Group("What is written", sort_key=4))]
ROWS = 8  # of a printed curve


def learn(
    *files: Path,
    radius: InResponse[float | None] = None,
    nearest: InResponse[int | None] = None,
    neighbours: InResponse[Literal["sum", "mean"] | None] = None,
    form: InResponse[Literal["distance", "angles"] | None] = None,
    motion: InResponse[Literal["auto", "smooth", "steps", "kicks"]] = "auto",
    noise: InResponse[float | None] = None,
    window: InResponse[int] = 17,
    walls: InResponse[str | None] = None,
    flock: InResponse[str | None] = None,
    output: Annotated[InOutput[Path | None], Parameter(name=("--output", "-o"))] = None,
    plotting: PlotOptions | None = None,
    force: InOutput[bool] = False,
    tracks: TrackOptions | None = None,
) -> int:
    """Learn from tracks how animals respond to each other, and write it as a model.

    For instance:

        murmurate learn fish.csv --plot
        murmurate learn trial-1.npy trial-2.npy --fps 30 --radius 40 -o fish.toml
        murmurate film fish.toml

    Parameters
    ----------
    files
        Tracks: one group of animals, or several with the same rules.
    radius
        Largest distance of neighbours. Default: five mean nearest-neighbour distances.
    nearest
        Number of nearest neighbours that count. Default: all.
    neighbours
        Whether responses to several neighbours are summed or averaged. Default: what predicts
        left-out tracks better.
    form
        distance: responses depend on the distance; angles: also on bearing and heading of the
        neighbour. Default: what predicts left-out tracks better.
    motion
        smooth: animals accelerate; steps: they choose a heading in every frame; kicks: they turn
        when they kick, and glide between two kicks; auto: what the tracks show.
    noise
        Standard deviation of errors of positions, for motion steps. Default: estimated.
    window
        Frames over which motion is smooth.
    walls
        Walls of the arena, to which responses are learned too: 'circle X Y RADIUS', 'box X1 Y1 X2
        Y2', 'polygon X1 Y1 X2 Y2 ...' or a file of corners.
    flock
        The group. Default: the largest.
    output
        A model file to write, in which boids respond as was learned.
    force
        Replace existing files.
    """
    from murmurate.interactions import learn_interactions
    from murmurate.model.files import to_toml
    from murmurate.model.names import file_name, usable_name
    from murmurate.plots.style import check_output_path

    if not files:
        raise CommandError("FILES: got none; expected tracks of animals")
    if output is not None:
        check_output_path(output, (".toml",), force)
    plotting = plotting or PlotOptions()
    inputs = [str(file) for file in files]
    plot = plotting.path(file_name(files[0].stem, "-interactions.png"), force, inputs)
    read = []
    for file in inputs:
        followed = read_tracks(file, tracks, errors=False, quiet=False)
        if followed is None:
            raise CommandError(f"{file}: expected tracks of animals")
        read.append(followed)
    learned = learn_interactions(
        read, radius=radius, nearest=nearest, form=form, motion=motion, noise=noise,
        window=window, flock=flock, walls=walls,
        mean=None if neighbours is None else neighbours == "mean",
    )  # fmt: skip
    _print(learned)
    if output is not None:
        write_file(output, to_toml(learned.model(usable_name(files[0].stem))))
        print_line(str(output))
    if plot is not None:
        print_line(str(learned.save_plot(plot, force=force, **plotting.look)))
    return EXIT_OK


def _print(learned: LearnedInteractions) -> None:
    from rich.text import Text

    from murmurate.plots.interactions import PANELS

    out = console(uncut=True)
    for line in learned.summary():
        out.print(Text(line))
    length, time = learned.unit or "length", learned.time_unit
    for name, curve in learned.curves().items():
        x = f"speed ({length}/{time})" if name == "drive" else f"distance ({length})"
        y = "turn (radians)" if learned.stepping else f"acceleration ({length}/{time}²)"
        table = make_table(x, y, "95% band", numbers=3)
        for k in range(len(curve.x) // ROWS // 2, len(curve.x), len(curve.x) // ROWS):
            if curve.is_known[k]:
                band = f"{curve.lower[k]:.3g} to {curve.upper[k]:.3g}"
                table.add_row(f"{curve.x[k]:.3g}", f"{curve.value[k]:.3g}", band)
            else:
                table.add_row(f"{curve.x[k]:.3g}", "", "the tracks cannot tell")
        out.print(Text(f"\n{PANELS[name]}", "bold"))
        out.print(table)
