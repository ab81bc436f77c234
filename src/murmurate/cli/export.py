"""murmurate export: write a recording or tracks as a file that other tools open."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Group, Parameter

from murmurate.cli.terminal import EXIT_OK, ProgressBar, print_line
from murmurate.cli.tracks import TrackOptions, TrackReading, read_tracks

PART = Group("The part to write", sort_key=1)
FORMAT = Group("The format", sort_key=2)


def export(
    recording: Annotated[
        Path,
        Parameter(
            help="A recording, a folder NAME.zarr; tracks of animals, a file or folder; or a "
            "model, which is simulated as for its film."
        ),
    ],
    output: Annotated[
        Path,
        Parameter(
            help="The file: .nc, .parquet, .csv, .xyz, .gsd, .vtkhdf, .usdc, .usda, .usdz, "
            ".glb, .gltf, .npy or .npz."
        ),
    ],
    /,
    *,
    first_step: Annotated[
        int | None, Parameter(name="--from", help="The first step.", group=PART)
    ] = None,
    last_step: Annotated[
        int | None, Parameter(name="--to", help="The last step.", group=PART)
    ] = None,
    every: Annotated[
        int | None,
        Parameter(help="Steps between frames, a multiple of those in the recording.", group=PART),
    ] = None,
    flock: Annotated[
        tuple[str, ...],
        Parameter(name="--flock", help="A flock; repeat it for others.", group=PART),
    ] = (),
    ids: Annotated[
        str | None,
        Parameter(help="Ids of boids and ranges of them, such as 0-9,15.", group=PART),
    ] = None,
    layout: Annotated[
        str,
        Parameter(
            help=".nc: movement (default), native or cf. .csv, .parquet: long (default) or "
            "trackpy.",
            group=FORMAT,
        ),
    ] = "",
    legacy_names: Annotated[
        bool,
        Parameter(help=".nc: plural names of dimensions, for movement before 0.17.", group=FORMAT),
    ] = False,
    fps: Annotated[
        float | None,
        Parameter(
            help="USD, glTF: frames per second, by default those of the model's view. Tracks: "
            "their frames per second, in place of those in the file.",
            group=FORMAT,
        ),
    ] = None,
    boid_size: Annotated[
        float | None,
        Parameter(
            help="USD, glTF: length of a boid. Default: from the distances between boids.",
            group=FORMAT,
        ),
    ] = None,
    scene: Annotated[
        bool,
        Parameter(
            help="USD, glTF: add a camera that moves as in the film, sun, sky and ground.",
            group=FORMAT,
        ),
    ] = False,
    upright: Annotated[
        bool,
        Parameter(
            help="USD, glTF: keep wings level; otherwise boids bank and fly through loops as in "
            "the film.",
            group=FORMAT,
        ),
    ] = False,
    force: Annotated[bool, Parameter(help="Replace an existing file.")] = False,
    quiet: Annotated[bool, Parameter(help="Print nothing but errors.")] = False,
    reading: TrackReading | None = None,
) -> int:
    """Write a recording or tracks as a file that other tools open.

    The suffix chooses the format: NetCDF for movement and xarray, tables for pandas and R,
    trajectories for OVITO, VTKHDF for ParaView, USD for Blender, glTF for games and the web, arrays
    for NumPy. The file is written in pieces, so that a recording may have any length, and gets its
    name when it is complete.

    For instance:

        murmurate export flock.zarr flock.nc
        murmurate export flock.zarr hunters.csv --flock predators --from 1000 --to 2000
        murmurate export flock.zarr flock.usdc --every 20 --fps 30 --scene
        murmurate export fish.h5 fish.csv --fps 25
    """
    from murmurate.exports import ExportOptions
    from murmurate.exports import export as write_export
    from murmurate.number_text import size_text

    tracks = read_tracks(str(recording), _reading(recording, reading, fps), True, quiet)
    with ProgressBar("frames", silent=quiet, transient=True) as bar:
        result = write_export(
            recording if tracks is None else tracks, output,
            ExportOptions(
                layout, legacy_names, fps if tracks is None else None, boid_size, scene, upright
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
    return EXIT_OK


def _reading(path: Path, reading: TrackReading | None, fps: float | None) -> TrackOptions | None:
    """Return the options for reading tracks. For them --fps is their frame rate."""
    from murmurate.tracks.formats import may_be_tracks

    if reading is None and not may_be_tracks(path):
        return None
    return (reading or TrackReading()).at(fps if may_be_tracks(path) else None)
