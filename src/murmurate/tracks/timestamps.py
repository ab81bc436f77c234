"""Timestamps of a table (numbers in some unit, dates, clock times) in seconds."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import numpy as np

from murmurate.errors import TracksError
from murmurate.tracks.column_names import SECONDS, Column
from murmurate.tracks.table import TableData, WordColumn
from murmurate.tracks.text_table import is_missing

CLOCK = re.compile(r"(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2}(?:[.,]\d{1,9})?)\s*([AaPp]\.?[Mm]\.?)?")
DATED = re.compile(r"(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})(?:[T\s]+(.*))?")
FRAMES = ("frame", "frames")
# Seconds since 1970 between 2000 and 2100, in units of seconds: 10, 13, 16 and 19 digits.
EPOCH = (946684800.0, 4102444800.0)
EPOCH_UNITS = {1.0: "seconds", 1e-3: "milliseconds", 1e-6: "microseconds", 1e-9: "nanoseconds"}
DAY = 86400.0


def read_seconds(
    data: TableData, dated: bool, column: Column, notes: list[str], path: object,
    skip_bad: bool = False, time_format: str | None = None,
) -> np.ndarray:  # fmt: skip
    """Return the column 'time', with a column 'date' if there is one, in seconds.

    Parameters
    ----------
    data : TableData
        The table.
    dated : bool
        Whether the times are dates or clock times.
    column : Column
        The column of times.
    notes : list of str
        Receives the assumptions.
    path : path
        File name for messages.
    skip_bad : bool, default False
        Return nan for a text that is not a time.
    time_format : str, optional
        The format of dates, in the notation of strptime; inferred by default.

    Returns
    -------
    (n,) float64 array
        Seconds; of dates, seconds since 1970 in UTC.

    Raises
    ------
    TracksError
        For a text that is not a time, and for dates in which day and month are ambiguous.
    """
    if not dated:
        return _scale_numbers(data.number("time"), column, notes)
    words = data.words["time"]
    texts, codes = list(words.codes_by_name), words.codes
    if "date" in data.words:
        texts, codes = _join_dates(data.words["date"], words)
    return _parse_texts(texts, codes, column, notes, path, skip_bad, time_format, data.row_name)


def _scale_numbers(times: np.ndarray, column: Column, notes: list[str]) -> np.ndarray:
    unit = column.unit.lower()
    if unit and unit not in SECONDS and unit not in FRAMES:
        notes.append(
            f"column {column.written}: the unit {column.unit!r} is unknown; times are read as "
            "seconds"
        )
    if not unit and (epoch_unit := infer_epoch_unit(times)):
        notes.append(
            f"column {column.written}: numbers of this size are read as {EPOCH_UNITS[epoch_unit]} "
            "since 1970"
        )
        return times * epoch_unit
    return times * SECONDS.get(unit, 1.0)


def infer_epoch_unit(times: np.ndarray) -> float:
    """Return the unit, in seconds, of numbers that count time since 1970; 0.0 for others."""
    finite = times[np.isfinite(times)]
    for unit in EPOCH_UNITS:
        low, high = EPOCH[0] / unit, EPOCH[1] / unit
        if len(finite) and low <= finite.min() and finite.max() <= high:
            return unit
    return 0.0


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
    seconds = np.full(max(len(texts), 1), np.nan)
    for k, text in enumerate(texts):
        try:
            seconds[k] = _parse_time(text, order, time_format)
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
    return seconds[codes]


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


def counts_frames(times: np.ndarray, column: Column, dated: bool) -> bool:
    """Return whether a column of times counts frames.

    Its unit says so, or it has whole numbers and no unit.
    """
    if column.unit:
        return column.unit.lower() in FRAMES
    finite = times[np.isfinite(times)]
    in_seconds = column.name in ("seconds", "timestamp") or bool(infer_epoch_unit(times))
    return not dated and not in_seconds and bool((finite == np.round(finite)).all())


def frame_rate_of_rows(frames: np.ndarray, times: np.ndarray) -> float | None:
    """Return frames per second of rows with frame numbers and times, None if undetermined.

    frames, times  (n,) numbers and seconds, nan where unknown
    """
    finite = np.isfinite(frames) & np.isfinite(times)
    if not finite.any():
        return None
    frames, times = frames[finite], times[finite]
    first, last = int(frames.argmin()), int(frames.argmax())
    span = times[last] - times[first]
    return float((frames[last] - frames[first]) / span) if span > 0 else None


def _parse_time(text: str, order: str = "", time_format: str | None = None) -> float:
    """Return a date or clock time in seconds, nan for a missing one. Raises ValueError."""
    text = text.strip()
    if is_missing(text):
        return np.nan
    if time_format is not None:
        return _parse_with_format(text, time_format)
    if clock := CLOCK.fullmatch(text):
        return _clock_seconds(clock, has_date=False)
    match = DATED.fullmatch(text)
    if match is None:
        return parse_iso_date(text)
    if len(match[1]) == 4 or not order:
        try:
            return parse_iso_date(text.replace("/", "-"))
        except ValueError:  # 2026-5-1 3:07 PM
            year, month, day = (int(match[k]) for k in (1, 3, 4))
            return _since_1970(datetime(year, month, day)) + _parse_clock(match[5])
    day, month = int(match[1]), int(match[3])
    if order.startswith("month"):
        day, month = month, day
    year = int(match[4]) + (2000 if len(match[4]) <= 2 else 0)
    return _since_1970(datetime(year, month, day)) + _parse_clock(match[5])


def _parse_with_format(text: str, time_format: str) -> float:
    """Parse a time by the user's format.

    The format may be that of the date alone if clock times have a column of their own.
    """
    try:
        return _since_1970(datetime.strptime(text, time_format))
    except ValueError:
        date, _, clock = text.partition(" ")
        if not CLOCK.fullmatch(clock.strip()):
            raise
        return _since_1970(datetime.strptime(date, time_format)) + _parse_clock(clock)


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
    """Return the seconds of a match of CLOCK.

    Two numbers are hours and minutes after a date or with AM or PM; else minutes and seconds.
    """
    hours, minutes, seconds, half = clock.groups()
    if hours is None and (half or has_date):
        hours, minutes, seconds = minutes, seconds, "0"
    if half:
        hours = str(int(hours) % 12 + (12 if half[0] in "pP" else 0))
    return 3600 * int(hours or 0) + 60 * int(minutes) + float(seconds.replace(",", "."))


def _since_1970(time: datetime) -> float:
    time = time.replace(tzinfo=time.tzinfo or UTC)
    since = time - datetime(1970, 1, 1, tzinfo=UTC)
    return since.days * DAY + since.seconds + since.microseconds / 1e6


def parse_iso_date(text: str) -> float:
    """Return an ISO 8601 date and time in seconds since 1970, in UTC by default.

    Raises ValueError.
    """
    return _since_1970(datetime.fromisoformat(text))
