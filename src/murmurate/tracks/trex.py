"""Files of TRex: an .npz or a table per animal, alone or in a folder with the others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from murmurate.errors import TracksError
from murmurate.tracks.file_preview import FilePreview
from murmurate.tracks.frame_table import fill_frames, frames_from_numbers, row_names
from murmurate.tracks.numpy_file import read_npz
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.raw_tracks import RawTracks, parse_rate
from murmurate.tracks.timestamps import frame_rate_of_rows

NAME = re.compile(r"(?P<video>.*?)_?(?:id|fish)_?(?P<number>\d{1,9})\.(?:npz|csv)")
NEEDED = ("frame", "X#wcentroid", "Y#wcentroid")
ARRAYS = (*NEEDED, "time", "frame_rate")


def animal_files(folder: Path) -> list[Path]:
    """Return the files of animals in a folder, sorted by number: .npz, else .csv; not of
    postures."""
    matches = [(match["video"], int(match["number"]), path) for path in folder.iterdir()
               if (match := NAME.fullmatch(path.name)) and "_posture" not in path.name]  # fmt: skip
    files = [path for _, _, path in sorted(matches)]
    return [path for path in files if path.suffix == ".npz"] or files


def read_file(preview: FilePreview, options: ReadOptions) -> RawTracks:
    """Read one animal."""
    return _read_files([preview.path], preview.path)


def read_folder(preview: FilePreview, options: ReadOptions) -> RawTracks:
    """Read all animals of a video. Raises TracksError for several videos."""
    files = animal_files(preview.path)
    videos = sorted({match["video"] for path in files if (match := NAME.fullmatch(path.name))})
    if len(videos) > 1:
        raise TracksError(
            f"{preview.path}: got animals of {len(videos)} videos ({', '.join(videos[:5])}); "
            "expected one video. Move the files of each into a folder of its own"
        )
    return _read_files(files, preview.path)


def _read_table(file: Path) -> dict[str, np.ndarray]:
    """Return the arrays of a table, whose columns have the unit in their names."""
    preview = FilePreview(file)
    names = {name.lower(): name for name in ARRAYS}
    columns = {names[column.name]: column for column in preview.columns if column.name in names}
    data = preview.table().read(columns, {}, skip_bad=False)
    return {name: data.number(name) for name in columns}


def _read_files(files: Sequence[Path], path: Path) -> RawTracks:
    """Read the centroids of animals into the same frames; inf marks unseen ones."""
    frames, animals, positions, rates = [], [], [], []
    for k, file in enumerate(files):
        arrays = read_npz(file, ARRAYS) if file.suffix == ".npz" else _read_table(file)
        missing = [name for name in NEEDED if name not in arrays]
        if missing:
            raise TracksError(
                f"{file}: got no {', '.join(missing)}; expected frame, X#wcentroid and "
                "Y#wcentroid. Add them to the output_fields of TRex"
            )
        frame, x, y = (np.ravel(arrays[name]).astype(np.float64) for name in NEEDED)
        if not len(frame) == len(x) == len(y):
            raise TracksError(
                f"{file}: got arrays of {len(frame)}, {len(x)} and {len(y)} entries; expected "
                "equal lengths. Take the file from a copy"
            )
        xy = np.stack([x, y], axis=1)
        xy[~np.isfinite(xy).all(axis=1)] = np.nan
        frames.append(frame)
        animals.append(np.full(len(frame), k))
        positions.append(xy)
        rate = parse_rate(arrays.get("frame_rate"), "frame_rate", file)
        time = np.ravel(arrays["time"]).astype(np.float64) if "time" in arrays else np.zeros(0)
        if rate is None and len(time) == len(frame):
            rate = frame_rate_of_rows(frame, np.where(np.isfinite(time), time, np.nan))
        rates.append(rate)
    names = [match["number"] if (match := NAME.fullmatch(file.name)) else file.stem
             for file in files]  # fmt: skip
    row_name = row_names("entry")
    row_frames = frames_from_numbers(np.concatenate(frames), len(files), row_name, path)
    out, _ = fill_frames(row_frames, np.concatenate(animals), np.concatenate(positions), names,
                         row_name, False, path)  # fmt: skip
    rate = next((rate for rate in rates if rate), None)
    note = "centimetres are those of TRex: they depend on its setting cm_per_pixel"
    return RawTracks(out, rate, names, "cm", row_frames.start, int(row_frames.step), True, (note,))
