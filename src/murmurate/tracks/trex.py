"""TRex's files: an .npz or a table an animal, alone or in a folder with the others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from murmurate.record.errors import RecordingRefused
from murmurate.tracks.file_head import Head
from murmurate.tracks.grid import filled, frames_of_numbers, numbered
from murmurate.tracks.moments import rate_of_frames
from murmurate.tracks.npz_file import read_npz
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.reading import Reading, rate_of

NAME = re.compile(r"(?P<video>.*?)_?(?:id|fish)_?(?P<number>\d{1,9})\.(?:npz|csv)")
ARRAYS = ("frame", "time", "X#wcentroid", "Y#wcentroid", "frame_rate")


def animal_files(folder: Path) -> list[Path]:
    """The files of animals in a folder, in the order of their numbers: .npz, or .csv where there
    are none. Those of their postures are others."""
    found = [(match["video"], int(match["number"]), path) for path in folder.iterdir()
             if (match := NAME.fullmatch(path.name)) and "_posture" not in path.name]  # fmt: skip
    files = [path for _, _, path in sorted(found)]
    return [path for path in files if path.suffix == ".npz"] or files


def read_file(head: Head, options: ReadOptions) -> Reading:
    """One animal."""
    return _read([head.path], head.path)


def read_folder(head: Head, options: ReadOptions) -> Reading:
    """All animals of a video. Raises RecordingRefused where there are several videos."""
    files = animal_files(head.path)
    videos = sorted({match["video"] for path in files if (match := NAME.fullmatch(path.name))})
    if len(videos) > 1:
        raise RecordingRefused(
            f"{head.path}: has animals of {len(videos)} videos ({', '.join(videos[:5])}); put "
            "those of one into a folder of their own"
        )
    return _read(files, head.path)


def _of_table(file: Path) -> dict[str, np.ndarray]:
    """The same arrays of a table, whose columns have the unit in their names."""
    head = Head(file)
    wanted = {name.lower(): name for name in ARRAYS}
    columns = {wanted[one.name]: one for one in head.columns if one.name in wanted}
    found = head.table().read(columns, {}, skip_bad=False)
    return {name: found.number(name) for name in columns}


def _read(files: Sequence[Path], path: Path) -> Reading:
    """The centres of mass; where one is missing TRex writes inf. All in one grid of frames."""
    frames, animals, places, rates = [], [], [], []
    for k, file in enumerate(files):
        arrays = read_npz(file, ARRAYS) if file.suffix == ".npz" else _of_table(file)
        lacking = [name for name in ARRAYS[:1] + ARRAYS[2:4] if name not in arrays]
        if lacking:
            raise RecordingRefused(
                f"{file}: has no {', '.join(lacking)}; TRex's files have frame, X#wcentroid and "
                "Y#wcentroid: add them to its output_fields"
            )
        frame, x, y = (
            np.ravel(arrays[name]).astype(np.float64) for name in ARRAYS[:1] + ARRAYS[2:4]
        )
        if not len(frame) == len(x) == len(y):
            raise RecordingRefused(f"{file}: its arrays are not of one length: "
                                   f"{len(frame)}, {len(x)} and {len(y)}")  # fmt: skip
        one = np.stack([x, y], axis=1)
        one[~np.isfinite(one).all(axis=1)] = np.nan
        frames.append(frame)
        animals.append(np.full(len(frame), k))
        places.append(one)
        rate = rate_of(arrays.get("frame_rate"), "frame_rate", file)
        time = np.ravel(arrays["time"]).astype(np.float64) if "time" in arrays else np.zeros(0)
        if rate is None and len(time) == len(frame):
            rate = rate_of_frames(frame, np.where(np.isfinite(time), time, np.nan))
        rates.append(rate)
    names = [match["number"] if (match := NAME.fullmatch(file.name)) else file.stem
             for file in files]  # fmt: skip
    numbers = np.concatenate(frames)
    made = frames_of_numbers(numbers, len(files), numbered("entry"), path)
    out, _ = filled(made, np.concatenate(animals), np.concatenate(places), names,
                    numbered("entry"), False, path)  # fmt: skip
    rate = next((rate for rate in rates if rate), None)
    note = "centimetres are TRex's: they mean what cm_per_pixel was set to"
    return Reading(out, rate, names, "cm", made.start, int(made.step), True, (note,))
