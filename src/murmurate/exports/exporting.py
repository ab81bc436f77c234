"""Export a recording: check the options, write a draft and rename it when it is complete."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from murmurate.disk import WRITE_CAUSES, as_path, atomic_write, check_writable
from murmurate.errors import ExportError, ExportOptionsError
from murmurate.exports.formats import BufferFile, ExportOptions, check_options, format_of
from murmurate.exports.selection import Progress, Selection
from murmurate.exports.surroundings import path_of_sky, sky_of, write_picture
from murmurate.exports.tables import path_of_columns, write_columns
from murmurate.flights.options import FlightReport
from murmurate.model.names import file_name
from murmurate.optional import optional
from murmurate.record.recording import Recording
from murmurate.runs.frame_source import Source
from murmurate.runs.record_run import record_frames
from murmurate.runs.sources import open_source
from murmurate.show.output import check_apart

if TYPE_CHECKING:
    from murmurate.runs.sources import SourceLike


@dataclass(frozen=True)
class Exported:
    """Result of an export.

    Attributes
    ----------
    path : Path
        The file.
    frames, boids : int
        Number of frames, and of boids in each. If boids come and go, of all that are in some
        exported frame.
    bytes : int
        Size of the file, with its buffer.
    columns : Path or None
        File that describes the columns of a table.
    sky : Path or None
        Picture of the sky of a scene.
    buffer : Path or None
        Numbers of a .gltf, or bounds of a .png.
    flight : FlightReport or None
        Certificate of a flight of drones, and what was assumed.
    """

    path: Path
    frames: int
    boids: int
    bytes: int
    columns: Path | None = None
    sky: Path | None = None
    buffer: Path | None = None
    flight: FlightReport | None = None


def export(
    model: SourceLike,
    path: str | os.PathLike[str],
    options: ExportOptions | None = None,
    *,
    first_step: int | None = None,
    last_step: int | None = None,
    every: int | None = None,
    flocks: Sequence[str] | str | None = None,
    ids: str | int | Sequence[int] | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> Exported:
    """Write a recording, tracks, a model or other frames to a file for other tools.

    Parameters
    ----------
    model : Recording, Tracks, Model, Simulation, FrameSource, str or path
        Tracks have one flock, 'boids', in the coordinates of their file, and nan for animals that
        are not observed. Scenes (USD, glTF) hide these. A model is simulated, as for its film, with
        seed 0. A Simulation or a FrameSource is copied, and the copy runs on from its present
        frame: Simulation(model, seed=3) has another seed.
    path : path
        A .nc, .parquet, .csv, .xyz, .gsd, .vtkhdf, .usdc, .usda, .usdz, .glb, .gltf, .hcsv,
        .hbjson, .png, .npy or .npz file; a flight of drones: .skyc, .zip, .vviz or .mcap.
    options : ExportOptions, optional
        Layout, playing speed and scenery of formats that have them.
    first_step, last_step : int, optional
        First and last step, both included; by default those of the recording, or of the film.
    every : int, optional
        Steps between frames, a multiple of those between recorded frames, which is the default. Of
        frames that are not recorded: by default the view's.
    flocks : str or sequence of str, optional
        Names of flocks; all by default.
    ids : str, int or sequence of int, optional
        Ids of boids, also as text with ranges: '0-9,15'; all by default.
    force : bool, default False
        Replace an existing file.
    progress : callable, optional
        Called with (frames done, frames in total) after each piece.

    Returns
    -------
    Exported

    Raises
    ------
    ExportOptionsError
        The file cannot be exported as requested. Raised before anything is written.
    ExportError
        Writing failed. No partial file is left.
    FlightError
        An option of a flight cannot be used.
    ModelError
        It is something else, or cannot be simulated.
    OutputError
        The file is inside the recording.
    OpenError, DamagedRecordingError
        The recording cannot be read.

    Notes
    -----
    A table flock.csv is accompanied by flock.csv.columns.json, which describes its columns and
    their units. A scene film.usdc whose sky has several colours is accompanied by its picture,
    film.usdc.sky.png; a .usdz contains it. The numbers of film.gltf are in film.bin, and the bounds
    of film_vat.png in film-remap_info.json. Data are read and written in pieces, so memory does not
    grow with the length of the recording, but for a .png; frames that are not recorded are first
    recorded in a temporary folder. The file appears under its name when it is complete.
    """
    if not isinstance(options, ExportOptions | None):
        raise ExportOptionsError(
            f"options: got {options!r}; expected ExportOptions, such as ExportOptions(scene=True)"
        )
    target = as_path(path, ExportOptionsError)
    format = format_of(target)
    chosen = check_options(target, format, options or ExportOptions())
    check_writable(target, force, ExportOptionsError)
    source = open_source(model)
    scene = source.model if source.stored is None else source.stored.scene
    columns = path_of_columns(target) if format.columns else None
    sky = path_of_sky(target) if chosen.scene and format.sky and not sky_of(scene).plain else None
    buffer = None
    if format.buffer:
        stem = target.stem.removesuffix("_vat") if format.suffix == ".png" else target.stem
        buffer = target.with_name(stem + format.buffer)
    for file in filter(None, (target, columns, sky, buffer)):
        check_writable(file, force, ExportOptionsError)
        for read in source.files:
            check_apart(file, read)
    with optional(f"{target}", ExportOptionsError, "export"):
        write = format.write
    names = [flocks] if isinstance(flocks, str) else flocks
    try:
        with (
            _recorded(source, first_step, last_step, every) as (recording, steps),
            ExitStack() as drafts,  # renamed when all of them are complete
        ):
            selection = Selection(recording, **steps, flocks=names, ids=ids, progress=progress)
            if columns is not None:
                description = drafts.enter_context(atomic_write(columns))
                write_columns(description, target, selection, chosen.layout)
            if sky is not None:
                write_picture(drafts.enter_context(atomic_write(sky)), sky_of(scene).picture())
                chosen = replace(chosen, sky=sky.name)
            if buffer is not None:
                numbers = BufferFile(drafts.enter_context(atomic_write(buffer)), buffer.name)
                chosen = replace(chosen, buffer=numbers)
            report = write(drafts.enter_context(atomic_write(target)), selection, chosen)
        size = sum(file.stat().st_size for file in (target, buffer) if file is not None)
    except (OSError, RuntimeError) as error:  # HDF5 and USD raise RuntimeError for a full disk
        raise write_error(target, error) from error
    flight = report if isinstance(report, FlightReport) else None
    return Exported(target, len(selection), len(selection.ids), size, columns, sky, buffer, flight)


@contextmanager
def _recorded(
    source: Source, first: int | None, last: int | None, every: int | None
) -> Iterator[tuple[Recording, dict[str, int | None]]]:
    """Yield the recording that a source is read from, and which of its steps are exported.

    The frames of another source, from `first` to `last`, are recorded in a temporary folder.
    """
    if source.stored is not None:
        yield source.stored, {"first_step": first, "last_step": last, "every": every}
        return
    view, playing = source.model.view, source.start()
    present = playing.step_number
    first = present + view.warm_up if first is None else first
    last = first + view.steps if last is None else last
    if not present <= first <= last:
        raise ExportOptionsError(
            f"steps: got {first} to {last}; expected steps from {present} on, the last not below "
            f"the first. By default the first is {present + view.warm_up}, as in the film"
        )
    playing.go_to(first)
    with TemporaryDirectory(prefix="murmurate-", ignore_cleanup_errors=True) as folder:
        path = Path(folder) / file_name(source.stem, ".zarr")
        with record_frames(
            playing, path, last - first, view.every if every is None else every
        ) as recording:
            recording.gaps = playing.gaps
            yield recording, {}


def write_error(path: object, error: Exception) -> ExportError:
    """Return the ExportError for an error of the system or of a library during writing.

    Some libraries (USD) give the system's error as text only, which is searched for the cause.
    """
    words = " ".join(str(getattr(error, "strerror", None) or error).split())
    number = getattr(error, "errno", None)
    if number is None:
        number = next((cause for cause in WRITE_CAUSES if os.strerror(cause) in words), 0)
    cause = WRITE_CAUSES.get(number, f"{words[:200] or type(error).__name__}; is the disk full?")
    return ExportError(f"{path}: writing failed: {cause}. No partial file was left")
