"""Export a recording: options are checked first, and the file is renamed when complete."""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from murmurate.disk import atomic_write, not_a_file
from murmurate.errors import ExportError, ExportRefused
from murmurate.exports.columns_file import path_of_columns, write_columns
from murmurate.exports.formats import Options, check_options, format_of
from murmurate.exports.selection import Progress, Selection
from murmurate.exports.sky import path_of_sky, sky_of, write_picture
from murmurate.model.number import frame_rate
from murmurate.optional import optional
from murmurate.record.recording import Recording
from murmurate.show.output import check_apart
from murmurate.tracks.formats import may_be_tracks
from murmurate.tracks.opening import open_tracks
from murmurate.tracks.track_recording import TrackRecording
from murmurate.tracks.tracks import Tracks


@dataclass(frozen=True)
class Exported:
    """A file that was written: its path, frames, boids, and size in bytes; and the files beside it:
    of a table that which says what its columns are, of a scene the picture of its sky."""

    path: Path
    frames: int
    boids: int
    bytes: int
    columns: Path | None = None
    sky: Path | None = None


def export(
    recording: Recording | Tracks | str | os.PathLike[str],
    path: str | os.PathLike[str],
    *,
    first_step: int | None = None,
    last_step: int | None = None,
    every: int | None = None,
    flocks: Sequence[str] | str | None = None,
    layout: str = "",
    legacy_names: bool = False,
    frames_per_second: float | None = None,
    fps: float | None = None,
    boid_size: float | None = None,
    scene: bool = False,
    force: bool = False,
    progress: Progress | None = None,
) -> Exported:
    """Writes a recording or tracks, or a part of them, to one file that other tools open.

    recording   a Recording, Tracks, or the path of either. Tracks have one flock, 'boids', in the
                coordinates of their file, and nan where an animal is not seen; a scene (USD, glTF)
                hides it there

    path        .nc, .parquet, .csv, .xyz, .gsd, .vtkhdf, .usdc, .usda, .usdz, .glb, .npy or .npz
    first_step, last_step  frames from this step to that one, both with it; all unless given
    every       steps from one frame to the next, a multiple of the recording's; as recorded unless
                given
    flocks      names of flocks, or one name; all unless given
    layout      .nc: 'movement' (unless given), 'native' or 'cf'; .csv, .parquet: 'long' (unless
                given) or 'trackpy'
    legacy_names       dimensions' names in plural, for movement before 0.17
    frames_per_second  USD, glTF: how fast it plays; as the model's view says unless given;
                fps is short for it
    boid_size   USD, glTF: length of a boid, length units; from how closely they fly unless given
    scene       USD, glTF: with a camera that follows as the film's does, sun, sky (USD) and ground;
                along periodic axes boids stand where the film shows them
    force       replace a file that is there
    progress    called with (frames done, of how many) after each piece

    Beside a table, flock.csv, flock.csv.columns.json says what its columns are and in which units;
    beside a scene whose sky has more than one colour, film.usdc, stands its picture,
    film.usdc.sky.png (in a .usdz it is inside).
    It is read and written in pieces, so memory is bounded however long the recording is. The file
    appears under its name when it is complete. Raises ExportRefused before anything is written for
    what cannot be done, ExportError when writing fails (no unfinished file is left then),
    an OutputRefused for a file in the recording itself,
    RecordingRefused and RecordingDamaged for a recording that cannot be read.
    """
    whole, rate = Path(path), frame_rate(frames_per_second, fps)
    format = format_of(whole)
    options = check_options(whole, format, Options(layout, legacy_names, rate, boid_size, scene))
    _check_place(whole, force)
    rec = _opened(recording)
    columns = path_of_columns(whole) if format.columns else None
    sky = path_of_sky(whole) if options.scene and format.sky and not sky_of(rec).plain else None
    for one in filter(None, (whole, columns, sky)):
        _check_place(one, force)
        check_apart(one, rec.path)
    chosen = [flocks] if isinstance(flocks, str) else flocks
    selection = Selection(
        rec, first_step=first_step, last_step=last_step, every=every, flocks=chosen,
        progress=progress,
    )  # fmt: skip
    with optional(f"{whole}", ExportRefused, "export"):
        write = format.write
    try:
        with ExitStack() as drafts:  # renamed when all are complete
            if columns is not None:
                side = drafts.enter_context(atomic_write(columns))
                write_columns(side, whole, selection, options.layout)
            if sky is not None:
                write_picture(drafts.enter_context(atomic_write(sky)), sky_of(rec).picture())
                options = replace(options, sky=sky.name)
            write(drafts.enter_context(atomic_write(whole)), selection, options)
        size = whole.stat().st_size
    except (OSError, RuntimeError) as error:  # HDF5 and USD raise RuntimeError for a full disk
        raise write_error(whole, error) from error
    return Exported(whole, len(selection), len(selection.ids), size, columns, sky)


def _opened(recording: Recording | Tracks | str | os.PathLike[str]) -> Recording:
    """The recording; tracks with the interface of one."""
    if isinstance(recording, str | os.PathLike) and may_be_tracks(Path(recording)):
        recording = open_tracks(recording)
    if isinstance(recording, Tracks):
        return cast(Recording, TrackRecording(recording))
    return recording if isinstance(recording, Recording) else Recording(recording)


def _check_place(path: Path, force: bool) -> None:
    """Raises ExportRefused where no file can be put there."""
    folder = path.parent
    if path.is_dir():
        raise ExportRefused(f"{path} is a folder; give the name of a file")
    if problem := not_a_file(path):
        raise ExportRefused(f"{path}: {problem}. Give another path")
    if not folder.is_dir():
        found = "is a file, not a folder" if folder.exists() else "is not there; make it"
        raise ExportRefused(f"{path}: the folder {folder} {found}, or give another path")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ExportRefused(f"{path}: no permission to write in {folder}; give another path")
    if path.exists() and not force:
        raise ExportRefused(
            f"{path} exists and is kept; give another name, or --force to replace it"
        )


# Causes of a failed write, with a remedy.
CAUSES = {
    errno.ENOSPC: "the disk is full; free some space",
    errno.EDQUOT: "your disk quota is used up; free some space",
    errno.EFBIG: "the file exceeds the size limit there; give another path",
    errno.EACCES: "there is no permission to write there; change it, or give another path",
    errno.EPERM: "there is no permission to write there; change it, or give another path",
    errno.EROFS: "the disk is read-only; give another path",
    errno.ENOENT: "its folder was removed; create it again",
    errno.EIO: "the disk reports an error; check it",
}


def write_error(path: object, error: Exception) -> ExportError:
    """Return the ExportError for an error of the system or of a library during writing.

    Some libraries (USD) give the system's error as text only, which is searched for the cause.
    """
    words = " ".join(str(getattr(error, "strerror", None) or error).split())
    number = getattr(error, "errno", None)
    if number is None:
        number = next((cause for cause in CAUSES if os.strerror(cause) in words), 0)
    cause = CAUSES.get(number, f"{words[:200] or type(error).__name__}; is the disk full?")
    return ExportError(f"{path}: writing failed: {cause}. No partial file was left")
