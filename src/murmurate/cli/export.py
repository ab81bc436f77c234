"""murmurate export: write a recording or tracks as a file that other tools open."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Group, Parameter

from murmurate.cli.engine_flags import FLIGHT
from murmurate.cli.film_length import set_length
from murmurate.cli.flight_options import (
    LimitOptions,
    Planning,
    certificate_table,
    flight_options,
)
from murmurate.cli.options import Changes, FlightOptions, NameOfModel, T, load_source
from murmurate.cli.picture_options import pacing
from murmurate.cli.terminal import EXIT_OK, ProgressBar, console, print_line
from murmurate.cli.tracks import TrackReading, read_tracks
from murmurate.errors import CommandError

if TYPE_CHECKING:
    from murmurate.runs.frame_source import Source

InPart = Annotated[T, Parameter(group=Group("The part to write", sort_key=1))]
InFormat = Annotated[T, Parameter(group=Group("The format", sort_key=2))]


@Parameter(name="*", group=FLIGHT)
@dataclass(frozen=True, kw_only=True)
class Length:
    """How long a model is simulated.

    Parameters
    ----------
    steps
        Steps of a model to write; those of its film by default.
    seconds
        Length of a model's film, instead of --steps.
    warm_up
        Steps of a model to simulate before the first frame.
    """

    steps: int | None = None
    seconds: float | None = None
    warm_up: int | None = None

    @property
    def words(self) -> list[str]:
        """The options that were passed, as on the command line."""
        words = [text.split()[0] for text, _ in pacing(self.steps, warm_up=self.warm_up).values()]
        return words if self.seconds is None else [*words, "--seconds"]


def export(
    source: NameOfModel,
    output: Path,
    /,
    *,
    first_step: Annotated[InPart[int | None], Parameter(name="--from")] = None,
    last_step: Annotated[InPart[int | None], Parameter(name="--to")] = None,
    every: InPart[int | None] = None,
    flock: Annotated[InPart[tuple[str, ...]], Parameter(name="--flock")] = (),
    ids: InPart[str | None] = None,
    layout: InFormat[str] = "",
    legacy_names: InFormat[bool] = False,
    fps: InFormat[float | None] = None,
    boid_size: InFormat[float | None] = None,
    scene: InFormat[bool] = False,
    upright: InFormat[bool] = False,
    force: bool = False,
    quiet: bool = False,
    length: Length | None = None,
    flight: FlightOptions | None = None,
    changes: Changes | None = None,
    reading: TrackReading | None = None,
    planning: Planning | None = None,
    limits: LimitOptions | None = None,
) -> int:
    """Write a recording, a model or tracks as a file that other tools open.

    The suffix chooses the format: NetCDF for movement and xarray, tables for pandas and R,
    trajectories for OVITO, VTKHDF for ParaView, USD for Blender, glTF for games and the web, point
    caches and vertex animation textures for game engines, arrays for NumPy, shows and missions for
    drones. The file is written in pieces, so that a recording may have any length, and gets its
    name when it is complete.

    For instance:

        murmurate export flock.zarr flock.nc
        murmurate export flock.zarr hunters.csv --flock predators --from 1000 --to 2000
        murmurate export flock.zarr flock.usdc --every 20 --fps 30 --scene
        murmurate export starlings starlings.usdc --seconds 10 --seed 3 --scene
        murmurate export fish.h5 fish.csv --fps 25
        murmurate export drones.zarr drones.skyc --time-scale auto

    Parameters
    ----------
    source
        A recording, a folder NAME.zarr; tracks of animals, a file or folder; or a model, which is
        simulated as for its film.
    output
        The file: .nc, .parquet, .csv, .xyz, .gsd, .vtkhdf, .usdc, .usda, .usdz, .glb, .gltf, .hcsv,
        .hbjson, .png, .npy or .npz; a flight of drones: .skyc, .zip, .vviz or .mcap.
    first_step
        The first step.
    last_step
        The last step.
    every
        Steps between frames, a multiple of those in the recording.
    flock
        A flock; repeat it for others.
    ids
        Ids of boids and ranges of them, such as 0-9,15.
    layout
        .nc: movement (default), native or cf. .csv, .parquet: long (default) or trackpy. .zip:
        skybrush (default), crazyswarm, waypoints or plan.
    legacy_names
        .nc: plural names of dimensions, for movement before 0.17.
    fps
        USD, glTF, caches: frames per second, by default those of the model's view. Tracks: their
        frames per second, in place of those in the file.
    boid_size
        USD, glTF, .png: length of a boid. Default: from the distances between boids.
    scene
        USD, glTF: add a camera that moves as in the film, sun, sky and ground.
    upright
        USD, glTF, caches: keep wings level; otherwise boids bank and fly through loops as in the
        film.
    force
        Replace an existing file.
    quiet
        Print nothing but errors.
    """
    from murmurate.exports import ExportOptions
    from murmurate.exports import export as write_export
    from murmurate.number_text import size_text

    length = length or Length()
    lengths = length.words if last_step is None else ["--to", *length.words]
    if len({"--steps", "--seconds", "--to"} & set(lengths)) > 1:
        raise CommandError(
            f"{', '.join(lengths)}: got several lengths; expected one. Leave one out"
        )
    opened, rate = _open(source, reading, every, fps, length, flight, changes, quiet)
    with ProgressBar("frames", silent=quiet, transient=True) as bar:
        result = write_export(
            opened, output,
            ExportOptions(
                layout, legacy_names, rate, boid_size, scene, upright,
                flight_options(planning, limits),
            ),
            first_step=first_step, last_step=last_step, every=every, flocks=flock, ids=ids,
            force=force, progress=bar.update,
        )  # fmt: skip
    if not quiet:
        size = size_text(result.bytes)
        print_line(f"{result.path}: {result.frames:,} frames of {result.boids:,} boids, {size}")
        if result.columns is not None:
            print_line(f"{result.columns}: its columns and their units")
        if result.sky is not None:
            print_line(f"{result.sky}: the picture of its sky, which belongs to it")
        if result.buffer is not None:
            print_line(f"{result.buffer}: its numbers, which belong to it")
        if (report := result.flight) is not None:
            for note in report.notes:
                print_line(note)
            print_line(f"{report.certificate.duration:.1f} s, of the file as written; times are "
                       f"{report.time_scale:.4g} of the flock's")  # fmt: skip
            console(uncut=True).print(certificate_table(report.certificate))
    return EXIT_OK


def _open(
    name: str, reading: TrackReading | None, every: int | None, fps: float | None, length: Length,
    flight: FlightOptions | None, changes: Changes | None, quiet: bool,
) -> tuple[Source, float | None]:  # fmt: skip
    """Return the source of an export, and --fps unless it is the frame rate of tracks.

    raises CommandError  options of a model were passed for something else
    """
    from murmurate.runs.sources import is_recording, open_source
    from murmurate.tracks.formats import may_be_tracks

    of_tracks = may_be_tracks(Path(name))
    options = None
    if reading is not None or of_tracks:
        options = (reading or TrackReading()).at(fps if of_tracks else None)
    tracks = read_tracks(name, options, True, quiet)
    if tracks is None and not is_recording(name):
        pace = pacing(length.steps, every, fps, warm_up=length.warm_up)
        source = load_source(name, flight, changes, pace)
        set_length(source, length.seconds, length.steps)
        return source, fps
    changed = [f"--{word}" for word, value in vars(changes or Changes()).items() if value]
    words = [*length.words, *(flight or FlightOptions()).words(), *changed]
    if words or flight is not None:
        raise CommandError(
            f"{', '.join(words or ['--seed'])}: for simulating a model; {name} has "
            f"{'frames' if tracks is None else 'tracks of animals'}. Give --from, --to and --every"
        )
    return open_source(name if tracks is None else tracks), fps if tracks is None else None
