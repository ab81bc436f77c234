"""Export a recording: check the options, write a draft and rename it when it is complete."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from murmurate.disk import WRITE_CAUSES, as_path, atomic_write, check_writable
from murmurate.errors import ExportError, ExportOptionsError
from murmurate.exports.formats import BufferFile, ExportOptions, check_options, format_of
from murmurate.exports.selection import Progress, Selection
from murmurate.exports.surroundings import path_of_sky, sky_of, write_picture
from murmurate.exports.tables import path_of_columns, write_columns
from murmurate.optional import optional
from murmurate.record.recording import Recording
from murmurate.show.output import check_apart
from murmurate.tracks.formats import may_be_tracks
from murmurate.tracks.opening import open_tracks
from murmurate.tracks.track_recording import TrackRecording
from murmurate.tracks.tracks import Tracks


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
        Numbers of a .gltf.
    """

    path: Path
    frames: int
    boids: int
    bytes: int
    columns: Path | None = None
    sky: Path | None = None
    buffer: Path | None = None


def export(
    recording: Recording | Tracks | str | os.PathLike[str],
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
    """Write a recording or tracks, or a part of them, to one file that other tools open.

    Parameters
    ----------
    recording : Recording, Tracks or path
        Tracks have one flock, 'boids', in the coordinates of their file, and nan for animals that
        are not observed. Scenes (USD, glTF) hide these.
    path : path
        A .nc, .parquet, .csv, .xyz, .gsd, .vtkhdf, .usdc, .usda, .usdz, .glb, .gltf, .npy
        or .npz file.
    options : ExportOptions, optional
        Layout, playing speed and scenery of formats that have them.
    first_step, last_step : int, optional
        First and last step, both included; by default those of the recording.
    every : int, optional
        Steps between frames, a multiple of those between recorded frames, which is the default.
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
    OutputError
        The file is inside the recording.
    OpenError, DamagedRecordingError
        The recording cannot be read.

    Notes
    -----
    A table flock.csv is accompanied by flock.csv.columns.json, which describes its columns and
    their units. A scene film.usdc whose sky has several colours is accompanied by its picture,
    film.usdc.sky.png; a .usdz contains it. The numbers of film.gltf are in film.bin. Data are
    read and written in pieces, so memory does not grow with the length of the recording. The file
    appears under its name when it is complete.
    """
    if not isinstance(options, ExportOptions | None):
        raise ExportOptionsError(
            f"options: got {options!r}; expected ExportOptions, such as ExportOptions(scene=True)"
        )
    target = as_path(path, ExportOptionsError)
    format = format_of(target)
    chosen = check_options(target, format, options or ExportOptions())
    check_writable(target, force, ExportOptionsError)
    rec = _open(recording)
    columns = path_of_columns(target) if format.columns else None
    sky = path_of_sky(target) if chosen.scene and format.sky and not sky_of(rec).plain else None
    buffer = target.with_suffix(".bin") if format.buffer else None
    for file in filter(None, (target, columns, sky, buffer)):
        check_writable(file, force, ExportOptionsError)
        check_apart(file, rec.path)
    names = [flocks] if isinstance(flocks, str) else flocks
    selection = Selection(
        rec, first_step=first_step, last_step=last_step, every=every, flocks=names, ids=ids,
        progress=progress,
    )  # fmt: skip
    with optional(f"{target}", ExportOptionsError, "export"):
        write = format.write
    try:
        with ExitStack() as drafts:  # renamed when all of them are complete
            if columns is not None:
                description = drafts.enter_context(atomic_write(columns))
                write_columns(description, target, selection, chosen.layout)
            if sky is not None:
                write_picture(drafts.enter_context(atomic_write(sky)), sky_of(rec).picture())
                chosen = replace(chosen, sky=sky.name)
            if buffer is not None:
                numbers = BufferFile(drafts.enter_context(atomic_write(buffer)), buffer.name)
                chosen = replace(chosen, buffer=numbers)
            write(drafts.enter_context(atomic_write(target)), selection, chosen)
        size = sum(file.stat().st_size for file in (target, buffer) if file is not None)
    except (OSError, RuntimeError) as error:  # HDF5 and USD raise RuntimeError for a full disk
        raise write_error(target, error) from error
    return Exported(target, len(selection), len(selection.ids), size, columns, sky, buffer)


def _open(recording: Recording | Tracks | str | os.PathLike[str]) -> Recording:
    """Return the recording, or tracks with the interface of a recording."""
    if isinstance(recording, str | os.PathLike) and may_be_tracks(Path(recording)):
        recording = open_tracks(recording)
    if isinstance(recording, Tracks):
        return cast(Recording, TrackRecording(recording))
    return recording if isinstance(recording, Recording) else Recording(recording)


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
