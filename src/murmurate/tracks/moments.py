"""Times of a table: numbers in some unit, dates, clocks -> seconds."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import numpy as np

from murmurate.record.errors import RecordingRefused
from murmurate.tracks.column_names import SECONDS, Column
from murmurate.tracks.table import Columns, Words
from murmurate.tracks.text_head import is_missing

CLOCK = re.compile(r"(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2}(?:[.,]\d{1,9})?)\s*([AaPp]\.?[Mm]\.?)?")
DATED = re.compile(r"(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})(?:[T\s]+(.*))?")
FRAMES = ("frame", "frames")
# Seconds since 1970 between 2000 and 2100, in units of seconds: 10, 13, 16 and 19 digits.
EPOCH = (946684800.0, 4102444800.0)
EPOCH_UNITS = {1.0: "seconds", 1e-3: "milliseconds", 1e-6: "microseconds", 1e-9: "nanoseconds"}
DAY = 86400.0


def seconds_of(
    found: Columns, dated: bool, column: Column, notes: list[str], path: object,
    skip_bad: bool = False, time_format: str | None = None,
) -> np.ndarray:  # fmt: skip
    """(n,) seconds of a column 'time', and of one 'date' beside it; of dates, seconds since 1970 in
    UTC. With skip_bad, nan for what is no time. Raises RecordingRefused for a word that is no time,
    and for dates whose day and month cannot be told apart."""
    if not dated:
        return _of_numbers(found.number("time"), column, notes)
    words = found.words["time"]
    texts, codes = list(words.numbers), words.codes
    if "date" in found.words:
        texts, codes = _joined(found.words["date"], words)
    return _of_words(texts, codes, column, notes, path, skip_bad, time_format, found.place)


def _of_numbers(times: np.ndarray, column: Column, notes: list[str]) -> np.ndarray:
    unit = column.unit.lower()
    if unit and unit not in SECONDS and unit not in FRAMES:
        notes.append(f"column {column.written}: the unit {column.unit!r} is not known; times are "
                     "taken for seconds")  # fmt: skip
    if not unit and (part := epoch_part(times)):
        notes.append(
            f"column {column.written}: numbers of that size are taken for {EPOCH_UNITS[part]} "
            "since 1970"
        )
        return times * part
    return times * SECONDS.get(unit, 1.0)


def epoch_part(times: np.ndarray) -> float:
    """The unit, in seconds, of whole numbers that count time since 1970; 0.0 for other numbers."""
    known = times[np.isfinite(times)]
    for part in EPOCH_UNITS:
        low, high = EPOCH[0] / part, EPOCH[1] / part
        if len(known) and low <= known.min() and known.max() <= high:
            return part
    return 0.0


def _joined(dates: Words, clocks: Words) -> tuple[list[str], np.ndarray]:
    """Date and clock of each row as one text."""
    first, last = list(dates.numbers), list(clocks.numbers)
    pairs, codes = np.unique(
        dates.codes.astype(np.int64) * len(last) + clocks.codes, return_inverse=True
    )
    texts = [f"{first[k // len(last)]} {last[k % len(last)]}" for k in pairs.tolist()]
    return texts, codes


def _of_words(
    texts: Sequence[str], codes: np.ndarray, column: Column, notes: list[str], path: object,
    skip_bad: bool, time_format: str | None, place: Callable[[int], str],
) -> np.ndarray:  # fmt: skip
    def row_of(text: str) -> str:
        return place(int(np.argmax(codes == texts.index(text))))

    order = ""
    if time_format is None:
        order = _order(texts, column, path)
        if order:
            notes.append(f"column {column.written}: dates are taken for {order}")
    moments = np.full(max(len(texts), 1), np.nan)
    for k, text in enumerate(texts):
        try:
            moments[k] = _seconds(text, order, time_format)
        except ValueError as error:
            if skip_bad:
                continue
            expected = (
                f"a time of the format {time_format}"
                if time_format is not None
                else "a number, or a time such as 2026-05-01 10:00:00.04 or 10:00:00.04"
            )
            why = f" ({error})" if str(error).startswith("a clock") else ""
            raise RecordingRefused(
                f"{path}: column {column.written} has {text[:40]!r} in {row_of(text)}{why}; it "
                f"must be {expected}. --skip-bad leaves such rows out"
            ) from None
    return moments[codes]


def _order(texts: Sequence[str], column: Column, path: object) -> str:
    """The order of day and month in dates that do not begin with the year; '' if none does.
    Raises RecordingRefused where every date could be read in both orders."""
    dates = [match for text in texts if (match := DATED.fullmatch(text.strip()))]
    dates = [match for match in dates if len(match[1]) <= 2]
    if not dates:
        return ""
    if all(match[2] == "." for match in dates):
        return "day.month.year"
    first = any(int(match[1]) > 12 for match in dates)
    second = any(int(match[3]) > 12 for match in dates)
    if first and not second:
        return "day/month/year"
    if second and not first:
        return "month/day/year"
    example = dates[0][0]
    if first and second:
        return "day/month/year"  # then some date is refused, and named
    raise RecordingRefused(
        f"{path}: column {column.written}: dates such as {example!r} may have the day or the month "
        "first; say which: --time-format "
        f'"{_format_like(dates[0], "%d", "%m")}" or "{_format_like(dates[0], "%m", "%d")}"'
    )


def _format_like(match: re.Match[str], first: str, second: str) -> str:
    """The format of a date, as strptime has it."""
    year = "%Y" if len(match[4]) == 4 else "%y"
    text = f"{first}{match[2]}{second}{match[2]}{year}"
    clock = (match[5] or "").strip()
    if not clock:
        return text
    half = re.search(r"[AaPp][Mm]", clock)
    seconds = ":%S" if clock.count(":") == 2 else ""
    return f"{text} {'%I' if half else '%H'}:%M{seconds}{'.%f' if '.' in clock else ''}" + (
        " %p" if half else ""
    )


def counts_frames(times: np.ndarray, column: Column, dated: bool) -> bool:
    """Whether a column of times counts frames: it says so, or it has whole numbers and no unit."""
    if column.unit:
        return column.unit.lower() in FRAMES
    known = times[np.isfinite(times)]
    seconds = column.name in ("seconds", "timestamp") or bool(epoch_part(times))
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


def _seconds(word: str, order: str = "", time_format: str | None = None) -> float:
    """A time as seconds. Raises ValueError."""
    word = word.strip()
    if is_missing(word):
        return np.nan
    if time_format is not None:
        return _by_format(word, time_format)
    if clock := CLOCK.fullmatch(word):
        return _seconds_of_clock(clock, beside_date=False)
    match = DATED.fullmatch(word)
    if match is None:
        return seconds_of_date(word)
    if len(match[1]) == 4 or not order:
        try:
            return seconds_of_date(word.replace("/", "-"))
        except ValueError:  # 2026-5-1 3:07 PM
            year, month, day = (int(match[k]) for k in (1, 3, 4))
            return _since_1970(datetime(year, month, day)) + _of_clock(match[5])
    day, month = int(match[1]), int(match[3])
    if order.startswith("month"):
        day, month = month, day
    year = int(match[4]) + (2000 if len(match[4]) <= 2 else 0)
    return _since_1970(datetime(year, month, day)) + _of_clock(match[5])


def _by_format(word: str, time_format: str) -> float:
    """A time by the user's format, which may be that of the date alone where the clock has a column
    of its own."""
    try:
        return _since_1970(datetime.strptime(word, time_format))
    except ValueError:
        date, _, clock = word.partition(" ")
        if not CLOCK.fullmatch(clock.strip()):
            raise
        return _since_1970(datetime.strptime(date, time_format)) + _of_clock(clock)


def _of_clock(text: str | None) -> float:
    """Seconds of a clock beside a date, 0 if there is none. Raises ValueError."""
    if not text:
        return 0.0
    clock = CLOCK.fullmatch(text.strip())
    if clock is None:
        raise ValueError
    found = _seconds_of_clock(clock, beside_date=True)
    if found >= DAY:
        raise ValueError("a clock beside a date goes up to 24 hours")
    return found


def _seconds_of_clock(clock: re.Match[str], beside_date: bool) -> float:
    """Seconds of a match of CLOCK. Two numbers are hours and minutes beside a date and with AM or
    PM; else they are minutes and seconds."""
    hours, minutes, seconds, half = clock.groups()
    if hours is None and (half or beside_date):
        hours, minutes, seconds = minutes, seconds, "0"
    if half:
        hours = str(int(hours) % 12 + (12 if half[0] in "pP" else 0))
    return 3600 * int(hours or 0) + 60 * int(minutes) + float(seconds.replace(",", "."))


def _since_1970(moment: datetime) -> float:
    moment = moment.replace(tzinfo=moment.tzinfo or UTC)
    since = moment - datetime(1970, 1, 1, tzinfo=UTC)
    return since.days * DAY + since.seconds + since.microseconds / 1e6


def seconds_of_date(word: str) -> float:
    """A date and time as ISO 8601 has it -> seconds since 1970 in UTC, which it is in unless it
    says otherwise. Raises ValueError."""
    return _since_1970(datetime.fromisoformat(word))
