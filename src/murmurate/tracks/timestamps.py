"""Timestamps of a table (numbers in some unit, dates, clock times) in seconds."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np

from murmurate.errors import TracksError
from murmurate.tracks.column_names import Column, Report
from murmurate.tracks.column_words import FRAMES, SECONDS
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.table import TableData, WordColumn
from murmurate.tracks.text_table import is_missing

ZONE = re.compile(r"[Zz]$|[T ].*[-+]\d\d(:?\d\d)?$", re.ASCII)
CLOCK = re.compile(
    r"(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2}(?:[.,]\d{1,9})?)\s*([AaPp]\.?[Mm]\.?)?", re.ASCII
)
DATED = re.compile(r"(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})(?:[T\s]+(.*))?", re.ASCII)
DAY = 86400.0
ZONES = ("utc", "gmt", "local", "unix", "epoch", "posix")  # in the place of a unit
SINCE_1970, SINCE_1900 = "since 1970", "since 1900, as in Excel"
# Unit of time counted from an epoch -> its seconds, and the numbers of the years 2000 to 2100.
EPOCHS = (
    (f"seconds {SINCE_1970}", 1.0, 946684800.0, 4102444800.0),
    (f"milliseconds {SINCE_1970}", 1e-3, 946684800e3, 4102444800e3),
    (f"microseconds {SINCE_1970}", 1e-6, 946684800e6, 4102444800e6),
    (f"nanoseconds {SINCE_1970}", 1e-9, 946684800e9, 4102444800e9),
    ("days since year 0, as in Matlab", DAY, 730486.0, 767011.0),
    ("Julian days", DAY, 2451544.5, 2488069.5),
)
DAY_NUMBERS = ((SINCE_1900, 36526.0, 73051.0), (SINCE_1970, 10957.0, 36526.0))
"""The same for counts of days that may also be seconds."""
MIN_STEP = 1e-4  # seconds between frames that are filmed
DATE_WORDS = frozenset(("date", "datetime", "timestamp", "stamp"))
NUMBERS = ", ".join(("s", "ms", "us", "min", "h", "days", "frames"))


@dataclass(frozen=True)
class Times:
    """The times of rows.

    values  (n,) seconds after `origin`, or frame numbers
    origin  seconds since 1970; 0 if the times have no date
    counts  whether the values are frame numbers
    """

    values: np.ndarray
    origin: float = 0.0
    counts: bool = False


def read_times(
    data: TableData, dated: bool, column: Column, report: Report, path: object,
    options: ReadOptions, in_seconds: bool,
) -> Times:  # fmt: skip
    """Return the column 'time', with a column 'date' if any.

    dated  whether the times are dates or clock times
    report  receives the assumptions
    path  file name for messages
    options  `time_format` is the format of dates or the unit of numbers; inferred by default. With
        `skip_bad`, a text that is not a time becomes nan.
    in_seconds  whether numbers without a unit are known to be seconds
    raises TracksError  for a text that is not a time, dates in which day and month are ambiguous,
        and numbers in an unknown unit
    """
    if not dated:
        numbers = data.number("time")
        unit, source = _find_unit(numbers, column, options.time_format, in_seconds, path)
        if source:
            report.notes.append(f"column {column.title}: {source}")
        report.used[column.title] = f"time, in {unit}"
        if unit in FRAMES:
            return Times(numbers, counts=True)
        seconds = next(
            (size for name, size, _, _ in EPOCHS if name == unit), SECONDS.get(unit, DAY)
        )
        return _shift(numbers, seconds)
    words = data.words["time"]
    texts, codes = list(words.codes_by_name), words.codes
    if "date" in data.words:
        texts, codes = _join_dates(data.words["date"], words)
    microseconds = _parse_texts(texts, codes, column, report.notes, path, options.skip_bad,
                                options.time_format, data.row_name)  # fmt: skip
    return _shift(microseconds, 1e-6)


def _shift(numbers: np.ndarray, unit: float) -> Times:
    """Return numbers in a unit as seconds after a whole day, since large numbers lose digits."""
    finite = numbers[np.isfinite(numbers)]
    days = np.floor(finite.min() * unit / DAY) if len(finite) else 0.0
    per_second = round(1 / unit) if unit < 1 else 1 / unit
    shifted = numbers - days * DAY * per_second
    return Times(shifted / per_second if unit < 1 else shifted * unit, days * DAY)


def _find_unit(
    numbers: np.ndarray, column: Column, requested: str | None, in_seconds: bool, path: object
) -> tuple[str, str]:
    """Decide the unit of numeric times.

    Returns a unit of SECONDS, FRAMES, EPOCHS or DAY_NUMBERS, and a note, '' if it is known.
    """
    if requested is not None and requested.lower() in (*SECONDS, *FRAMES):
        return requested.lower(), ""
    unit = column.unit.lower()
    if unit in (*SECONDS, *FRAMES):
        return unit, ""
    if unit and unit not in ZONES:
        raise TracksError(
            f"{path}: column {column.title}: got times in {column.unit!r}; expected a unit such as "
            f"{NUMBERS}. --time-format gives the unit of its numbers"
        )
    finite = numbers[np.isfinite(numbers)]
    low, high = (finite.min(), finite.max()) if len(finite) else (0.0, 0.0)
    is_whole = bool((finite == np.round(finite)).all())
    is_date = bool(DATE_WORDS & set(column.words)) or column.key.endswith("date")
    for name, size, first, last in EPOCHS:
        if first <= low and high <= last and (size < DAY or is_date or not is_whole):
            return name, f"numbers of this size are read as {name}"
    for digits, date_format in ((14, "%Y%m%d%H%M%S"), (12, "%Y%m%d%H%M"), (8, "%Y%m%d")):
        scale = 10.0 ** (digits - 4)
        if is_whole and is_date and 2000 * scale < low and high < 2100 * scale:
            raise TracksError(
                f"{path}: column {column.title}: got numbers such as {low:.14g}, which may be "
                f'dates; expected a format. Give it: --time-format "{date_format}", or s'
            )
    if high > EPOCHS[0][3]:
        raise TracksError(
            f"{path}: column {column.title}: got numbers such as {low:.14g}, which count no known "
            f"unit since 1970; expected a unit. Give it: --time-format {NUMBERS}"
        )
    named = [word for word in (*column.words[:1], *column.words[-1:]) if word in SECONDS]
    if named:
        return named[0], ""
    for epoch, first, last in DAY_NUMBERS:
        if not (first <= low and high <= last) or in_seconds:
            continue
        if is_date:
            return (
                epoch,
                f"numbers of this size are read as days {epoch} (--time-format s: seconds)",
            )
        if not is_whole and epoch == SINCE_1900:
            raise TracksError(
                f"{path}: column {column.title}: got numbers such as {low:.10g}, which may be days "
                f"{epoch}, or seconds; expected a unit. Give it: --time-format days, or s"
            )
    if in_seconds:
        return "s", ""
    if not is_whole and 0 <= low < high < 1 and np.median(np.diff(np.unique(finite))) < MIN_STEP:
        raise TracksError(
            f"{path}: column {column.title}: got numbers such as {low:.10g}, which may be parts of "
            "a day, or seconds; expected a unit. Give it: --time-format days, or s"
        )
    if is_whole and not is_date:
        return "frames", (
            "whole numbers without a unit are read as frame numbers (--time-format s reads them "
            "as seconds)"
        )
    return "s", f"numbers without a unit are read as seconds (--time-format {NUMBERS})"


def _join_dates(dates: WordColumn, clocks: WordColumn) -> tuple[list[str], np.ndarray]:
    """Return the distinct texts 'date clock', and the code of each row."""
    first, last = list(dates.codes_by_name), list(clocks.codes_by_name)
    pairs, codes = np.unique(
        dates.codes.astype(np.int64) * len(last) + clocks.codes, return_inverse=True
    )
    texts = [f"{first[k // len(last)]} {last[k % len(last)]}" for k in pairs.tolist()]
    return texts, codes


def _parse_texts(
    texts: Sequence[str], codes: np.ndarray, column: Column, notes: list[str], path: object,
    skip_bad: bool, time_format: str | None, row_name: Callable[[int], str],
) -> np.ndarray:  # fmt: skip
    order = ""
    if time_format is None:
        order = _infer_date_order(texts, column, path)
        if order:
            notes.append(f"column {column.written}: dates are read as {order}")
    times = np.full(max(len(texts), 1), np.nan)
    for k, text in enumerate(texts):
        try:
            times[k] = _parse_time(text, order, time_format)
        except ValueError as error:
            if skip_bad:
                continue
            expected = (
                f"a time of the format {time_format}"
                if time_format is not None
                else "a number, or a time such as 2026-05-01 10:00:00.04 or 10:00:00.04"
            )
            reason = f" ({error})" if str(error).startswith("a clock") else ""
            row = row_name(int(np.argmax(codes == k)))
            raise TracksError(
                f"{path}: column {column.written}: got {text[:40]!r} in {row}{reason}; expected "
                f"{expected}. --skip-bad leaves such rows out"
            ) from None
    kinds = {has_zone(text): text for text in texts if not is_missing(text)}
    if len(kinds) == 2:
        raise TracksError(
            f"{path}: column {column.written}: got {kinds[True][:40]!r}, with a zone, and "
            f"{kinds[False][:40]!r}; expected one in all times, or in none"
        )
    return times[codes]


def _infer_date_order(texts: Sequence[str], column: Column, path: object) -> str:
    """Return the order of day and month in dates that do not begin with the year.

    Returns '' if there are no such dates. Raises TracksError if every date fits both orders.
    """
    dates = [match for text in texts if (match := DATED.fullmatch(text.strip()))]
    dates = [match for match in dates if len(match[1]) <= 2]
    if not dates:
        return ""
    if all(match[2] == "." for match in dates):
        return "day.month.year"
    first_is_day = any(int(match[1]) > 12 for match in dates)
    second_is_day = any(int(match[3]) > 12 for match in dates)
    if first_is_day and not second_is_day:
        return "day/month/year"
    if second_is_day and not first_is_day:
        return "month/day/year"
    example = dates[0][0]
    if first_is_day and second_is_day:
        return "day/month/year"  # a date that does not fit is refused by name
    raise TracksError(
        f"{path}: column {column.written}: got dates such as {example!r}, which may have the day "
        "or the month first; expected an unambiguous date. Give the format: --time-format "
        f'"{_infer_format(dates[0], "%d", "%m")}" or "{_infer_format(dates[0], "%m", "%d")}"'
    )


def _infer_format(match: re.Match[str], first: str, second: str) -> str:
    """Return the format of a date, in the notation of strptime."""
    year = "%Y" if len(match[4]) == 4 else "%y"
    date = f"{first}{match[2]}{second}{match[2]}{year}"
    clock = (match[5] or "").strip()
    if not clock:
        return date
    half = re.search(r"[AaPp][Mm]", clock)
    seconds = ":%S" if clock.count(":") == 2 else ""
    return f"{date} {'%I' if half else '%H'}:%M{seconds}{'.%f' if '.' in clock else ''}" + (
        " %p" if half else ""
    )


def frame_rate_of_rows(frames: np.ndarray, times: np.ndarray) -> float | None:
    """Return frames per second from (n,) frame numbers and seconds, nan where unknown; or None."""
    finite = np.isfinite(frames) & np.isfinite(times)
    if not finite.any():
        return None
    frames, times = frames[finite], times[finite]
    first, last = int(frames.argmin()), int(frames.argmax())
    span = times[last] - times[first]
    return float((frames[last] - frames[first]) / span) if span > 0 else None


def _parse_time(text: str, order: str = "", time_format: str | None = None) -> float:
    """Return a date or clock time in microseconds, nan for a missing one. Raises ValueError."""
    text = text.strip()
    if is_missing(text):
        return np.nan
    if time_format is not None:
        return _parse_with_format(text, time_format)
    if clock := CLOCK.fullmatch(text):
        return 1e6 * _clock_seconds(clock, has_date=False)
    match = DATED.fullmatch(text)
    if match is None:
        return _since_1970(datetime.fromisoformat(text))
    if len(match[1]) == 4 or not order:
        try:
            return _since_1970(datetime.fromisoformat(text.replace("/", "-")))
        except ValueError:  # 2026-5-1 3:07 PM
            year, month, day = (int(match[k]) for k in (1, 3, 4))
            return _since_1970(datetime(year, month, day)) + 1e6 * _parse_clock(match[5])
    day, month = int(match[1]), int(match[3])
    if order.startswith("month"):
        day, month = month, day
    year = int(match[4]) + (2000 if len(match[4]) <= 2 else 0)
    return _since_1970(datetime(year, month, day)) + 1e6 * _parse_clock(match[5])


def _parse_with_format(text: str, time_format: str) -> float:
    """Parse a time by the user's format.

    The format may be that of the date alone if clock times have a column of their own.
    """
    if any(sign.isdecimal() and not sign.isascii() for sign in text):
        raise ValueError
    try:
        return _since_1970(datetime.strptime(text, time_format))
    except ValueError:
        date, _, clock = text.partition(" ")
        if not CLOCK.fullmatch(clock.strip()):
            raise
        return _since_1970(datetime.strptime(date, time_format)) + 1e6 * _parse_clock(clock)


def _parse_clock(text: str | None) -> float:
    """Return the seconds of a clock time after a date, 0 without one. Raises ValueError."""
    if not text:
        return 0.0
    clock = CLOCK.fullmatch(text.strip())
    if clock is None:
        raise ValueError
    seconds = _clock_seconds(clock, has_date=True)
    if seconds >= DAY:
        raise ValueError("a clock time after a date is below 24 hours")
    return seconds


def _clock_seconds(clock: re.Match[str], has_date: bool) -> float:
    """Return the seconds of a match of CLOCK."""
    hours, minutes, seconds, half = clock.groups()
    if hours is None and (half or has_date):
        hours, minutes, seconds = minutes, seconds, "0"
    if half:
        hours = str(int(hours) % 12 + (12 if half[0] in "pP" else 0))
    return 3600 * int(hours or 0) + 60 * int(minutes) + float(seconds.replace(",", "."))


def _since_1970(time: datetime) -> float:
    """Return whole microseconds since 1970, which a float holds exactly."""
    time = time.replace(tzinfo=time.tzinfo or UTC)
    return float((time - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1))


def parse_iso_date(text: str) -> float:
    """Return an ISO 8601 date and time in seconds since 1970, in UTC by default, or raise
    ValueError.
    """
    return _since_1970(datetime.fromisoformat(text)) / 1e6


def has_zone(text: str) -> bool:
    """Return whether a date and time has a zone, such as Z or +02:00."""
    return ZONE.search(text.strip()) is not None


def split_clock(column: Column) -> tuple[str, float | None]:
    """Return the name of a column without its unit of time, and the seconds of that."""
    unit = column.unit.lower() or (column.words or [""])[-1]
    return column.key.removesuffix(unit).strip("_"), SECONDS.get(unit)


def is_stamp(seconds: np.ndarray, parts: np.ndarray) -> bool:
    """Return whether nanoseconds are parts of whole seconds, and not another clock."""
    is_whole = (seconds == np.round(seconds)).all() and (parts == np.round(parts)).all()
    return bool(is_whole and (parts >= 0).all() and (parts < 1e9).all())
