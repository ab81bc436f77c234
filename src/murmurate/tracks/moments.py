"""Times of a table: numbers in some unit, dates, clocks -> seconds."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import numpy as np

from murmurate.record.errors import RecordingRefused
from murmurate.tracks.column_names import SECONDS, Column
from murmurate.tracks.table import Columns
from murmurate.tracks.text_head import is_missing

CLOCK = re.compile(r"(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2}(?:[.,]\d{1,9})?)")
FRAMES = ("frame", "frames")


def seconds_of(
    found: Columns, dated: bool, column: Column, notes: list[str], path: object
) -> np.ndarray:
    """(n,) seconds of a column 'time'; of dates, seconds since 1970 in UTC. Raises RecordingRefused
    for a word that is no time."""
    if not dated:
        unit = column.unit.lower()
        if unit and unit not in SECONDS and unit not in FRAMES:
            notes.append(f"column {column.written}: the unit {column.unit!r} is not known; times "
                         "are taken for seconds")  # fmt: skip
        return found.number("time") * SECONDS.get(unit, 1.0)
    words = found.words["time"]
    try:
        moments = np.array([_seconds(word) for word in words.names] or [np.nan])
    except ValueError:
        wrong = next(word for word in words.names if not _is_time(word))
        row = found.place(int(np.argmax(words.codes == words.numbers[wrong])))
        raise RecordingRefused(
            f"{path}: column {column.written} has {wrong[:40]!r} in {row}; it "
            "must be a number, or a time such as 2026-05-01 10:00:00.04 or 10:00:00.04"
        ) from None
    return moments[words.codes]


def counts_frames(times: np.ndarray, column: Column, dated: bool) -> bool:
    """Whether a column of times counts frames: it says so, or it has whole numbers and no unit."""
    if column.unit:
        return column.unit.lower() in FRAMES
    known = times[np.isfinite(times)]
    seconds = column.name in ("seconds", "timestamp")
    return not dated and not seconds and bool((known == np.round(known)).all())


def rate_of_frames(frames: np.ndarray, times: np.ndarray) -> float | None:
    """Frames a second of rows that have both; None where they say none."""
    known = np.isfinite(frames) & np.isfinite(times)
    if not known.any():
        return None
    frames, times = frames[known], times[known]
    first, last = int(frames.argmin()), int(frames.argmax())
    span = times[last] - times[first]
    return float((frames[last] - frames[first]) / span) if span > 0 else None


def _is_time(word: str) -> bool:
    try:
        _seconds(word)
    except ValueError:
        return False
    return True


def _seconds(word: str) -> float:
    if is_missing(word):
        return np.nan
    if clock := CLOCK.fullmatch(word):
        hours, minutes, seconds = clock.groups()
        return 3600 * int(hours or 0) + 60 * int(minutes) + float(seconds.replace(",", "."))
    return seconds_of_date(word.replace("/", "-"))


def seconds_of_date(word: str) -> float:
    """A date and time as ISO 8601 has it -> seconds since 1970 in UTC, which it is in unless it
    says otherwise. Raises ValueError."""
    moment = datetime.fromisoformat(word)
    moment = moment.replace(tzinfo=moment.tzinfo or UTC)
    since = moment - datetime(1970, 1, 1, tzinfo=UTC)
    return since.days * 86400 + since.seconds + since.microseconds / 1e6
