"""murmurate export: a recording as a file that other tools open."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Group, Parameter

from murmurate.cli.error_output import FINE
from murmurate.cli.terminal import console, progress_bar, say
from murmurate.cli.track_options import TrackOptions, TrackReading, tracks_of

WHICH = Group("Which part of it", sort_key=1)
HOW = Group("How it is written", sort_key=2)


def export(
    recording: Annotated[
        Path,
        Parameter(help="A recording, a folder NAME.zarr; or tracks of animals, a file or folder."),
    ],
    output: Annotated[
        Path,
        Parameter(
            help="The file: .nc, .parquet, .csv, .xyz, .gsd, .vtkhdf, .usdc, .usda, .usdz, "
            ".glb, .npy or .npz."
        ),
    ],
    /,
    *,
    first_step: Annotated[
        int | None, Parameter(name="--from", help="The first step.", group=WHICH)
    ] = None,
    last_step: Annotated[
        int | None, Parameter(name="--to", help="The last step.", group=WHICH)
    ] = None,
    every: Annotated[
        int | None,
        Parameter(
            help="Steps from one frame to the next, a multiple of those recorded.", group=WHICH
        ),
    ] = None,
    flock: Annotated[
        tuple[str, ...],
        Parameter(name="--flock", help="A flock; may be given again for others.", group=WHICH),
    ] = (),
    layout: Annotated[
        str,
        Parameter(
            help=".nc: movement (unless given), native or cf. .csv, .parquet: long (unless given) "
            "or trackpy.",
            group=HOW,
        ),
    ] = "",
    legacy_names: Annotated[
        bool,
        Parameter(help=".nc: dimensions in plural, for movement before 0.17.", group=HOW),
    ] = False,
    fps: Annotated[
        float | None,
        Parameter(
            help="USD, glTF: frames a second; as the model's view says unless given. Of tracks "
            "their frames a second, before what the file says.",
            group=HOW,
        ),
    ] = None,
    boid_size: Annotated[
        float | None,
        Parameter(
            help="USD, glTF: length of a boid; from how closely they fly unless given.", group=HOW
        ),
    ] = None,
    scene: Annotated[
        bool,
        Parameter(
            help="USD, glTF: with a camera that follows as the film's does, sun, sky and ground.",
            group=HOW,
        ),
    ] = False,
    force: Annotated[bool, Parameter(help="Replace a file that is there.")] = False,
    quiet: Annotated[bool, Parameter(help="Print nothing but errors.")] = False,
    reading: TrackReading | None = None,
) -> int:
    """Write a recording or tracks of animals, or a part of them, as a file that other tools open.

    What the suffix says is written: NetCDF for movement and xarray, tables for pandas and R,
    trajectories for OVITO, VTKHDF for ParaView, USD for Blender, glTF for games and the web, arrays
    for NumPy. It is written in pieces, so that a recording may be of any length, and appears under
    its name when it is whole.

    For instance:

        murmurate export flock.zarr flock.nc
        murmurate export flock.zarr hunters.csv --flock predators --from 1000 --to 2000
        murmurate export flock.zarr flock.usdc --every 20 --fps 30 --scene
        murmurate export fish.h5 fish.csv --fps 25
    """
    from murmurate.cli.picture_progress import size_in_words
    from murmurate.exports import export as exported

    tracks = tracks_of(str(recording), _reading(recording, reading, fps), True, quiet)
    watch = _Watch(output, quiet)
    with watch:
        made = exported(
            recording if tracks is None else tracks, output, first_step=first_step,
            last_step=last_step, every=every, flocks=flock, layout=layout,
            legacy_names=legacy_names, frames_per_second=fps if tracks is None else None,
            boid_size=boid_size, scene=scene, force=force, progress=watch.update,
        )  # fmt: skip
    if not quiet:
        size = size_in_words(made.bytes)
        say(f"{made.path}: {made.frames:,} frames of {made.boids:,} boids, {size}")
        if made.columns is not None:
            say(f"{made.columns}: what its columns are, and their units")
        if made.sky is not None:
            say(f"{made.sky}: the picture of its sky, which belongs to it")
    return FINE


def _reading(path: Path, reading: TrackReading | None, fps: float | None) -> TrackOptions | None:
    """What is said of a file of tracks; --fps says it of them alone."""
    from murmurate.tracks.formats import may_be_tracks

    if reading is None and not may_be_tracks(path):
        return None
    return (reading or TrackReading()).at(fps if may_be_tracks(path) else None)


class _Watch:
    """Shows how far it is: a bar on a terminal, a line now and then elsewhere."""

    def __init__(self, path: Path, quiet: bool) -> None:
        self._path, self._quiet = path, quiet
        self._out = console(errors=True)
        self._bar: Any = None
        self._task: Any = None
        self._begin = time.monotonic()
        self._next_line = 0.1

    def __enter__(self) -> _Watch:
        if not self._quiet and self._out.is_terminal:
            from rich.progress import BarColumn, TimeRemainingColumn

            self._bar = progress_bar(
                "{task.description}",
                BarColumn(bar_width=24),
                "{task.percentage:>3.0f}%",
                TimeRemainingColumn(),
                console=self._out,
                transient=True,
            )
            self._bar.start()
            self._task = self._bar.add_task(self._path.name, total=None)
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def update(self, done: int, of: int) -> None:
        """So many frames are done."""
        if self._bar is not None:
            self._bar.update(self._task, completed=done, total=of)
            return
        long = time.monotonic() - self._begin > 5
        if long and not self._quiet and done >= self._next_line * of:
            self._next_line = done / of + 0.1
            self._out.print(f"{self._path.name}: {100 * done // of}%", soft_wrap=True)
