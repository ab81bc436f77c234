"""Sightings, one a row, in any order -> positions (frames, animals, axes)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from murmurate.record.errors import RecordingRefused
from murmurate.tracks.file_size import most_numbers

UNEVEN = 0.02  # of a step: how far a time may lie from its place among equal ones without a word
GAP = 1000  # times the usual step: a gap from which on something may be wrong
ROUNDED = 0.25  # the same, with a word: times that were written with few decimals


Named = Callable[[int], str]  # a sighting's place -> what it is called in its file


def numbered(what: str) -> Named:
    """'point 1', 'point 2', ... of the places 0, 1, ..."""
    return lambda place: f"{what} {place + 1}"


@dataclass(frozen=True)
class Frames:
    """Frames of rows.

    index  (n,) which frame each row is in, from 0
    count  frames in all
    start  the first: its number, or its time
    step   from one to the next: numbers of frames, or seconds
    notes  what was taken for something
    """

    index: np.ndarray
    count: int
    start: float
    step: float
    notes: tuple[str, ...] = ()


def frames_of_numbers(numbers: np.ndarray, animals: int, row: Named,
                      path: Path) -> Frames:  # fmt: skip
    """Rows by their frame numbers. Where only every so-manieth frame was tracked, those are the
    frames. Raises RecordingRefused unless they are whole numbers, and all frames from the first to
    the last can be held."""
    wrong = ~np.isfinite(numbers) | (numbers != np.round(numbers))
    if wrong.any():
        k = int(np.argmax(wrong))
        here = "nothing" if np.isnan(numbers[k]) else f"{numbers[k]:g}"
        raise RecordingRefused(
            f"{path}: frame must be whole numbers; here {here}, in {row(k)}. "
            "Where the column holds times, say so: --columns time=NAME"
        )
    if not len(numbers):
        raise RecordingRefused(f"{path}: has no rows in which an animal is seen")
    first, last = float(numbers.min()), float(numbers.max())
    if max(abs(first), abs(last)) > 2**53:
        check_span(first, last, last - first + 1, len(numbers), animals, path)
    whole = numbers.astype(np.int64)
    whole -= whole.min()
    step = max(int(np.gcd.reduce(np.unique(whole))), 1)
    count = int(whole.max()) // step + 1
    check_span(first, last, count, len(numbers), animals, path)
    notes = (f"only one frame in {step} is there",) if step > 1 else ()
    return Frames(whole // step, count, first, step, notes)


def frames_of_times(times: np.ndarray, animals: int, row: Named,
                    path: Path) -> Frames:  # fmt: skip
    """Rows by their times, in seconds. Raises RecordingRefused unless these are equally far apart,
    but for gaps."""
    check_times(times, row, path)
    if not len(times):
        raise RecordingRefused(f"{path}: has no rows in which an animal is seen")
    moments, which = np.unique(times, return_inverse=True)
    if len(moments) == 1:
        return Frames(which, 1, float(moments[0]), 1.0)
    steps = np.diff(moments)
    usual = float(np.median(steps))
    alike = steps[np.round(steps / usual) == 1]
    usual = float(alike.mean() if len(alike) else steps.min())
    jumps = np.maximum(np.round(steps / usual), 0)
    check_span(moments[0], moments[-1], jumps.sum() + 1, len(times), animals, path)
    places = np.concatenate([[0], np.cumsum(jumps)]).astype(np.int64)
    middle = places.mean()
    step = float(((places - middle) * moments).sum() / ((places - middle) ** 2).sum())
    away = moments - moments.mean() - step * (places - middle)
    worst = int(np.argmax(np.abs(away)))
    off = abs(float(away[worst]))
    if off > ROUNDED * step or (jumps < 1).any():
        k = int(np.argmax(np.abs(steps - usual * np.maximum(jumps, 1))))
        raise RecordingRefused(
            f"{path}: times must be equally far apart; from {moments[k]:.10g} to "
            f"{moments[k + 1]:.10g} are {steps[k]:.6g} seconds, and {usual:.6g} from most to the "
            f"next. --resample {usual:.3g} interpolates the positions of sightings and of GPX to "
            "equal times; where frames are equally far apart, name their column: --columns "
            "frame=NAME"
        )
    note = f"times are up to {off:.2g} s off equal steps of {step:.6g} s, and taken as equal"
    notes: tuple[str, ...] = (note,) if off > UNEVEN * step else ()
    if (longest := int(np.argmax(steps))) >= 0 and steps[longest] >= GAP * usual:
        before = int(np.argmax(times == moments[longest]))
        after = int(np.argmax(times == moments[longest + 1]))
        notes += (
            f"from {row(before)} to {row(after)} is a gap of {steps[longest]:.6g} s, "
            f"{steps[longest] / usual:,.0f} times the usual step: {int(places[-1]) + 1:,} frames, "
            f"of which {len(moments):,} have sightings. If a time is wrong, correct it",
        )
    return Frames(places[which], int(places[-1]) + 1, float(moments[0]), step, notes)


def filled(
    frames: Frames, animals: np.ndarray, places: np.ndarray, names: Sequence[str],
    row: Named, skip_bad: bool, path: Path, when: Named | None = None, advice: str = "",
) -> tuple[np.ndarray, int]:  # fmt: skip
    """(frames, animals, axes), nan where nobody was seen; and how many rows were left out since
    their animal was there already. Raises RecordingRefused for such a row unless skip_bad."""
    count = len(names)
    flat = frames.index * count + animals
    rows = np.full(frames.count * count, -1, np.int64)
    rows[flat[::-1]] = np.arange(len(flat))[::-1]  # the first of several comes last, and stays
    again = rows[flat] != np.arange(len(flat))
    if again.any() and not skip_bad:
        k = int(np.argmax(again))
        number = frames.start + frames.index[k] * frames.step
        moment = f"frame {number:.10g}" if when is None else when(k)
        raise RecordingRefused(
            f"{path}: {moment} has {names[animals[k]]} twice, in "
            f"{row(int(rows[flat[k]]))} and {row(k)}"
            f"{_more(int(again.sum()))}; an animal has one position at a time: keep one of them "
            f"(--skip-bad keeps the first){advice}"
        )
    out = np.full((frames.count * count, places.shape[1]), np.nan)
    seen = rows >= 0
    out[seen] = places[rows[seen]]
    return out.reshape(frames.count, count, -1), int(again.sum())


def check_times(times: np.ndarray, row: Named, path: Path) -> None:
    """Raises RecordingRefused for a time that is none."""
    wrong = ~np.isfinite(times)
    if wrong.any():
        raise RecordingRefused(
            f"{path}: {row(int(np.argmax(wrong)))} has no time; --skip-bad leaves such rows out"
        )


def _more(count: int) -> str:
    return "" if count == 1 else f", and {count - 1:,} more"


def check_span(
    first: float, last: float, count: float, rows: int, animals: int, path: Path
) -> None:
    """Raises RecordingRefused for more frames than can be held."""
    most = most_numbers(path) // max(3 * animals, 1)
    if count > most:
        raise RecordingRefused(
            f"{path}: frames go from {first:g} to {last:g}, which spans {count:,.6g} frames for "
            f"{rows:,} rows; at most {most:,} frames of {animals:,} animals are read of a table of "
            "that length: correct the number, or divide the table"
        )


def in_order(names: Sequence[str]) -> list[int]:
    """The places of names in their natural order: 2 before 10, fish 2 before fish 10."""

    def key(place: int) -> list[tuple[int, int, str]]:
        parts = re.split(r"(\d{1,30})", names[place])
        return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts if part]

    return sorted(range(len(names)), key=key)
