"""Random tables of known tracks, as programs and people write them, and what became of them.

A table is drawn from families of names, units, clocks, flags, sentinels and layouts. `judge` opens
it: the tracks are right, or an error asks, or a note or warning names what was assumed; anything
else is silently wrong.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import murmurate as mm

IDS = ("id", "ID", "track_id", "TrackID", "Track ID", "trajectory_id", "trackId", "animal",
       "Animal ID", "fish", "bird_id", "individual", "individual-local-identifier", "tracklet_id",
       "particle", "agent_id", "subject", "object_id", "tag-local-identifier", "ped_id",
       "collar_id", "device_id", "sheep_no", "mouseID")  # fmt: skip
STRANGE_IDS = ("Vogel", "who", "oiseau", "nr_of_being", "Tier", "owner")
FRAMES = ("frame", "Frame", "frame_id", "frameIdx", "FRAME", "frame number", "Frame#",
          "image_number", "imageNumber", "fnum", "frame_no", "video_frame_number",
          "frame_index")  # fmt: skip
COUNTERS = ("ID", "id", "row_id", "spot_id", "index", "event-id", "detection_id", "ObjectNumber",
            "name", "label", "uid")  # fmt: skip
PLACES = (("x", "y"), ("X", "Y"), ("pos_x", "pos_y"), ("Position X", "Position Y"),
          ("xpos", "ypos"), ("x_coord", "y_coord"), ("centroid_x", "centroid_y"),
          ("Location_Center_X", "Location_Center_Y"), ("x_position", "y_position"),
          ("loc_x", "loc_y"), ("coordX", "coordY"), ("body_x", "body_y"),
          ("easting", "northing"))  # fmt: skip
DEGREES = (("lon", "lat"), ("longitude", "latitude"), ("location-long", "location-lat"),
           ("GPS Longitude", "GPS Latitude"), ("Longitude [deg]", "Latitude [deg]"), ("lng", "lat"),
           ("decimalLongitude", "decimalLatitude"), ("lon_deg", "lat_deg"),
           ("gps_lon", "gps_lat"))  # fmt: skip
RADIANS = (("lon_rad", "lat_rad"), ("Longitude [rad]", "Latitude [rad]"), ("lonRad", "latRad"),
           ("longitude_in_radians", "latitude_in_radians"), ("lon", "lat"), ("lng", "lat"),
           ("gps_lon_radians", "gps_lat_radians"))  # fmt: skip
WIDE_BOXES = ("{k}_{r}", "{r}_{k}", "fish{k}_{r}", "{r}{k}", "Bird {k} {r}")
LOST = ("lost", "outlier", "is_outlier", "manually-marked-outlier", "missing", "Invalid",
        "excluded", "rejected", "isLost", "outside", "not_visible", "bad",
        "undetected")  # fmt: skip
SEEN = ("visible", "valid", "detected", "found", "is_valid", "seen", "tracked", "inView_ok",
        "present", "Detected?", "GPSgot?", "has_fix", "fix", "gps_fix", "good")  # fmt: skip
STRANGE_FLAGS = ("foo", "state", "occ", "occluded", "generated", "interpolated", "q", "flag")
STATES = (("lost", "tracked"), ("outlier", "ok"), ("invalid", "valid"), ("missing", "present"),
          ("V", "A"), ("occluded", "visible"), ("bad", "good"), ("rejected", "ok"))  # fmt: skip
TRUTHS = (("1", "0"), ("true", "false"), ("TRUE", "FALSE"), ("yes", "no"), ("T", "F"), ("Y", "N"),
          ("True", "False"), ("1.0", "0.0"))  # fmt: skip
OTHERS = ("vx", "x_error", "score", "likelihood", "heading", "area", "speed", "vel_x", "acc_y",
          "confidence", "xVelocity", "mag_x", "temperature", "notes", "dx", "hdop",
          "radius")  # fmt: skip
VERSIONS = (("raw", "smooth"), ("raw", "filtered"), ("measured", "kalman"), ("orig", "corrected"),
            ("cam1", "cam2"), ("gt", "pred"), ("world", "image"), ("obs", "est"), ("true", "noisy"),
            ("raw", "interp"), ("start", "end"), ("left", "right"), ("foo", "bar"))  # fmt: skip
UNITS = {"s": 1.0, "ms": 1e3, "us": 1e6, "min": 1 / 60, "h": 1 / 3600, "sec": 1.0, "cs": 100.0,
         "centisec": 100.0, "msec": 1e3, "days": 1 / 86400, "seconds": 1.0,
         "Millisecond": 1e3, "hours": 1 / 3600, "microseconds": 1e6}  # fmt: skip
STRANGE_UNITS = ("jiffies", "ticks", "fortnights", "1/90000 s", "weeks", "clk", "shakes")
CLOCKS = ("time", "Time", "t", "timestamp", "datetime", "UTC_time", "gps_time", "timeStamp")
SENTINELS = ("-1", "0", "-999", "-9999", "99999", "-16512", "-1000000", "1e10", "65535")
NOTHING = ("", "NA", "nan", "NaN", "-", "null", "None")


@dataclass
class Table:
    """A table with its truth.

    columns    name -> cells
    positions  (T, N, 2) as they should be read; in metres for degrees
    rate       frames per second; None if the table has no times
    words      kind -> words of which a note or warning must have one, if the tracks are not right
    head       lines above the header
    """

    columns: dict[str, list[str]]
    positions: np.ndarray
    rate: float | None
    words: dict[str, tuple[str, ...]] = field(default_factory=dict)
    head: str = ""
    units: dict[str, str] = field(default_factory=dict)
    degrees: bool = False


def draw_table(random: Random) -> Table:
    """Return a random table."""
    count, frames = random.randint(1, 4), random.randint(8, 24)
    numbers = np.random.default_rng(random.randrange(2**32))
    start = numbers.uniform(50, 400, (count, 2))
    steps = numbers.uniform(2, 9, (1, count, 2)) * numbers.choice([-1, 1], (1, count, 2))
    steps = steps + numbers.normal(0, 0.5, (frames, count, 2))
    positions = np.round(start + 200 + np.cumsum(steps, axis=0), random.choice([0, 1, 3]))
    return (_wide if random.random() < 0.3 else _long)(random, positions)


def _long(random: Random, positions: np.ndarray) -> Table:
    frames, count = positions.shape[:2]
    rows = [(t, k) for t in range(frames) for k in range(count)]
    table = Table({}, positions.copy(), None)
    kind = random.random()
    if kind < 0.2:
        names, xy = _degrees(random, table)
    else:
        names, xy = random.choice(PLACES), positions
    cells = [[f"{xy[t, k, axis]:.10g}" for t, k in rows] for axis in (0, 1)]
    if kind > 0.85 and not table.degrees:
        _box(random, table, cells, rows)
    else:
        table.columns |= dict(zip(names, cells, strict=True))
    if not table.degrees and random.random() < 0.12:
        table.columns |= _versions_beside(random, table, cells)
    labels = random.choice((["a", "b", "c", "d"], ["1", "2", "3", "4"], ["7", "12", "30", "101"]))
    if random.random() < 0.25:  # which numbers rows, before or after the column of animals
        name = random.choice(COUNTERS)
        table.columns[name] = [str(n + 1) for n in range(len(rows))]
        table.words["counter"] = (name,)
    if count > 1 or random.random() < 0.7:
        strange = random.random() < 0.08
        name = _free(random, STRANGE_IDS if strange else IDS, table)
        table.columns[name] = [labels[k] for _, k in rows]
        if strange:
            table.words["id"] = (name,)
    _clock(random, table, [t for t, _ in rows])
    _flag(random, table, rows, list(table.columns)[:2])
    _sentinel(random, table, rows, list(table.columns)[:2])
    for name in random.sample(OTHERS, random.randint(0, 3)):
        if name not in table.columns:
            table.columns[name] = [f"{random.gauss(0, 9):.3f}" for _ in rows]
    return table


def _wide(random: Random, positions: np.ndarray) -> Table:
    frames, count = positions.shape[:2]
    table = Table({}, positions.copy(), None)
    kind = random.random()
    if kind < 0.1:  # no animals
        degree = random.randint(3, 7)
        form = random.choice(("{a}^{k}", "{a}_coef{k}", "coef_{k}_{a}", "{a}**{k}", "poly{k}_{a}"))
        table.columns = {form.format(a=a, k=k): [f"{random.random():.3f}" for _ in range(frames)]
                         for a in "xy" for k in range(degree)}  # fmt: skip
        table.positions = np.full((frames, 1, 2), np.nan)
        table.words["coefficient"] = ("coef",)
        return table
    if kind < 0.3:
        positions = positions[:, :1]
        table.positions = positions
        pair = random.choice(VERSIONS)
        form = random.choice(("{a}_{v}", "{v}_{a}", "{v}.{a}", "{a}{v}", "{V}_{A}"))
        for n, version in enumerate(pair):
            for axis in (0, 1):
                name = form.format(a="xy"[axis], v=version, A="XY"[axis], V=version.title())
                table.columns[name] = [f"{x + 0.01 * n:.10g}" for x in positions[:, 0, axis]]
        table.words["versions"] = ("version", *pair)
    elif kind < 0.45:
        form, roles = random.choice(WIDE_BOXES), random.choice((
            ("x", "y", "w", "h"), ("x", "y", "width", "height"), ("cx", "cy", "w", "h"),
            ("left", "top", "width", "height"), ("xmin", "ymin", "xmax", "ymax"),
            ("bbox_x", "bbox_y", "bbox_w", "bbox_h"), ("x_min", "y_min", "x_max", "y_max"),
        ))  # fmt: skip
        sizes = np.stack([4 + 2.0 * (np.arange(frames) % 3), np.full(frames, 6.0)], axis=1)
        for k in range(count):
            centre = positions[:, k]
            corner = centre if "cx" in roles else centre - sizes / 2
            far = centre + sizes / 2 if roles[2].endswith("max") else sizes
            for role, cells in zip(roles, np.hstack([corner, far]).T, strict=True):
                table.columns[form.format(k=k + 1, r=role)] = [f"{x:.10g}" for x in cells]
    else:
        form = random.choice(("{a}{k}", "{a}_{k}", "fish{k}_{a}", "{A}{k}", "ind{k}.{a}",
                              "animal {k} {A}", "ant-{k}-{a}", "{a} {k}"))  # fmt: skip
        for k in range(count):
            for axis in (0, 1):
                name = form.format(a="xy"[axis], A="XY"[axis], k=k + 1)
                table.columns[name] = [f"{x:.10g}" for x in positions[:, k, axis]]
        if random.random() < 0.2:
            extra = random.choice(
                ("velocity", "speed", "_vel", "_error", "_smooth", "_goal", "Score")
            )
            for k in range(count):
                for a in "xy":
                    table.columns[form.format(a=a, A=a.upper(), k=k + 1) + extra] = [
                        f"{random.random():.3f}" for _ in range(frames)]  # fmt: skip
            table.words["extra"] = (extra.strip("_").lower(),)
    rows = [(t, -1) for t in range(frames)]
    xy_names = list(table.columns)
    _clock(random, table, list(range(frames)))
    _flag(random, table, rows, xy_names)
    return table


def _free(random: Random, names: tuple[str, ...], table: Table) -> str:
    used = {name.lower() for name in table.columns}
    return random.choice([name for name in names if name.lower() not in used])


def _degrees(random: Random, table: Table) -> tuple[tuple[str, str], np.ndarray]:
    """Replace lengths by degrees, perhaps with hemispheres in columns of their own."""
    south, west = random.random() < 0.5, random.random() < 0.5
    base = np.array([random.uniform(5, 170), random.uniform(5, 60)])
    scale = np.array([111320 * np.cos(np.radians(base[1])), 110900])
    sign = np.array([-1 if west else 1, -1 if south else 1])
    degrees = np.round(sign * base + (table.positions - 400) / scale, 7)
    table.degrees = True
    names = random.choice(DEGREES)
    if random.random() < 0.5:
        ends = random.choice((("NS", "EW"), ("LatitudeDir", "LongitudeDir"), ("lat_hem", "lon_hem"),
                              ("GPSLatitudeRef", "GPSLongitudeRef"), ("N/S", "E/W")))  # fmt: skip
        letters = ("S" if south else "N", "W" if west else "E")
        size = table.positions.shape[0] * table.positions.shape[1]
        table.columns = dict(zip(names, ([], []), strict=True))
        table.columns |= {name: [letter] * size for name, letter in zip(ends, letters, strict=True)}
        degrees = np.abs(degrees)
    elif random.random() < 0.3:
        names = ("x", "y")
        table.words["degrees"] = ("--unit degrees",)
    elif random.random() < 0.5:
        names, degrees = random.choice(RADIANS), np.round(np.radians(degrees), 11)
    return names, degrees


def _box(random: Random, table: Table, cells: list[list[str]], rows: list[tuple[int, int]]) -> None:
    """Write boxes of varying size, by corners or centres."""
    form = random.randrange(4)
    x, y = (np.array(column, float) for column in cells)
    w = np.array([4 + 2 * (t % 3) for t, _ in rows], float)
    h = np.full(len(rows), 6.0)
    corner = ([f"{v:.10g}" for v in x - w / 2], [f"{v:.10g}" for v in y - h / 2])
    sizes = ([f"{v:g}" for v in w], [f"{v:g}" for v in h])
    if form == 0:
        prefix = random.choice(("bb_", "bbox_", "box_", ""))
        names = tuple(prefix + word for word in ("left", "top", "width", "height"))
        table.columns |= dict(zip(names, (*corner, *sizes), strict=True))
    elif form == 1:
        names = random.choice((("xmin", "ymin", "xmax", "ymax"),
                               ("x_min", "y_min", "x_max", "y_max"),
                               ("bbox_x1", "bbox_y1", "bbox_x2", "bbox_y2")))  # fmt: skip
        far = ([f"{v:.10g}" for v in x + w / 2], [f"{v:.10g}" for v in y + h / 2])
        table.columns |= dict(zip(names, (*corner, *far), strict=True))
    elif form == 2:
        names = random.choice((("x", "y", "width", "height"), ("x", "y", "w", "h"),
                               ("bbox_x", "bbox_y", "bbox_w", "bbox_h")))  # fmt: skip
        table.columns |= dict(zip(names, (*corner, *sizes), strict=True))
        table.words["corner"] = ("corner",)
    else:
        names = random.choice((("x_center", "y_center", "width", "height"),
                               ("xCenter", "yCenter", "w", "h")))  # fmt: skip
        table.columns |= dict(zip(names, (*cells, *sizes), strict=True))


def _versions_beside(
    random: Random, table: Table, cells: list[list[str]]
) -> dict[str, list[str]]:  # fmt: skip
    word = random.choice(random.choice(VERSIONS[:10]))
    return {f"{a}_{word}": [f"{float(cell) + 0.02:.10g}" for cell in column]
            for a, column in zip("xy", cells, strict=True)}  # fmt: skip


def _clock(random: Random, table: Table, instants: list[int]) -> None:
    """Write frame numbers, times, or both."""
    kind = random.random()
    first = random.choice((0, 1, 100))
    if kind < 0.4:
        table.columns[_free(random, FRAMES, table)] = [str(first + t) for t in instants]
        if kind > 0.25:
            return
    table.rate = random.choice((25.0, 50.0, 1.0, 10.0, 4.0))
    seconds = [t / table.rate for t in instants]
    if kind < 0.08:  # the clock of a computer beside a stated frame rate
        name = _free(random, CLOCKS, table)
        table.columns[name] = [str(1_600_000_000_000 + 70 * t + t * t % 13) for t in instants]
        table.head = random.choice(("# Source FPS: {:g}\n", "# framerate: {:g} fps\n",
                                    "# fps = {:g}\n")).format(table.rate)  # fmt: skip
        return
    form = random.randrange(9)
    name = _free(random, CLOCKS, table)
    table.words["time"] = (name.lower(),)
    origin = datetime(2021, 5, 17, 10, tzinfo=UTC)
    stamps = [origin + timedelta(seconds=second) for second in seconds]
    if form == 0:
        unit = random.choice(tuple(UNITS))
        written = random.choice(("{} ({})", "{} [{}]", "{}_{}", "{}/{}")).format(name, unit)
        table.columns[written] = [f"{second * UNITS[unit]:.12g}" for second in seconds]
    elif form == 1:
        unit = random.choice(STRANGE_UNITS)
        table.columns[f"{name} ({unit})"] = [f"{second * 77:.12g}" for second in seconds]
    elif form == 2:
        scale = random.choice((1, 10**3, 10**6, 10**9))
        since = int(origin.timestamp())
        table.columns[name] = [str(since * scale + round(second * scale)) if scale > 1 else
                               f"{since + second:.3f}" for second in seconds]  # fmt: skip
    elif form == 3:
        written = random.choice(("%Y-%m-%d %H:%M:%S.%f", "%Y-%m-%dT%H:%M:%S.%fZ",
                                 "%d.%m.%Y %H:%M:%S.%f", "%m/%d/%Y %H:%M:%S.%f"))  # fmt: skip
        table.columns[name] = [stamp.strftime(written) for stamp in stamps]
    elif form == 4:
        zero = random.choice((25569.0, 719529.0, 2440587.5, 0.0))
        table.columns[name] = [f"{zero + stamp.timestamp() / 86400:.10f}" for stamp in stamps]
    elif form == 5 and not {"date", "clock"} & {column.lower() for column in table.columns}:
        table.columns["Date"] = [stamp.strftime("%Y-%m-%d") for stamp in stamps]
        table.columns["Clock"] = [stamp.strftime("%H:%M:%S.%f") for stamp in stamps]
    elif form == 6:
        scale = random.choice((1, 1000, 1 / 60))  # without a unit
        table.columns[name] = [f"{second * scale:.12g}" for second in seconds]
    elif form == 7:
        name = random.choice(("seconds", "ms", "milliseconds", "time_ms", "t_s", "elapsed_ms"))
        scale = 1 if name in ("seconds", "t_s") else 1000
        table.words["time"] = (name,)
        table.columns[name] = [f"{second * scale:.12g}" for second in seconds]
    else:
        table.columns[random.choice(("fps", "frame_rate", "FPS"))] = [f"{table.rate:g}"] * len(
            seconds
        )
        if not any(column in FRAMES for column in table.columns):
            table.columns["frame"] = [str(t) for t in instants]


def _flag(random: Random, table: Table, rows: list[tuple[int, int]], xy_names: list[str]) -> None:
    """Mark some rows as without a position, and write another position into them."""
    if random.random() > 0.35:
        return
    kind = random.random()
    names = LOST if kind < 0.4 else SEEN if kind < 0.8 else STRANGE_FLAGS
    name = _free(random, names, table)
    yes, no = random.choice(TRUTHS)
    frames = sorted(random.sample(range(2, len(table.positions) - 2), 2))
    marked = [t in frames and k in (0, -1) for t, k in rows]
    bad, good = (no, yes) if names is SEEN else (yes, no)
    if name in ("fix", "gps_fix") and random.random() < 0.5:
        bad, good = random.choice((("0", "3"), ("none", "3D"), ("No Fix", "3D Fix"), ("1", "3")))
    if kind > 0.93:
        name = _free(
            random, ("state", "status", "tracking_state", "quality_code", "comment"), table
        )
        bad, good = random.choice(STATES)
    owner = ""
    if rows[0][1] < 0 and table.positions.shape[1] > 1 and random.random() < 0.5:
        owner = xy_names[0]  # a column of flags for each animal
        xy_names = xy_names[:2]
        number = next(part for part in words_in(owner) if part.isdigit())
        others = [part for part in words_in(owner) if part not in ("x", "y")]
        stem = "_".join(others)
        name = random.choice((f"{stem}_{name}", f"{name}_{number}", f"{name}{number}"))
        for k in range(2, table.positions.shape[1] + 1):
            table.columns[name.replace(number, str(k))] = [good] * len(rows)
    table.columns[name] = [bad if mark else good for mark in marked]
    for label in xy_names:
        column = table.columns[label]
        for n, mark in enumerate(marked):
            if mark:
                column[n] = column[n - (len(rows) // len(table.positions))]
    for t, k in (row for row, mark in zip(rows, marked, strict=True) if mark):
        table.positions[t, k if k >= 0 else 0 if owner else slice(None)] = np.nan
    table.words["flag"] = (
        f"{name} =".lower(),
        f"column {name} has".lower(),
        f"the column {name} and".lower(),
    )


def words_in(name: str) -> list[str]:
    """Return the words and numbers of a column's name, in lower case."""
    return re.findall(r"[a-z]+|[0-9]+", name.lower())


def _sentinel(
    random: Random, table: Table, rows: list[tuple[int, int]], xy_names: list[str]
) -> None:
    """Write a number in place of positions."""
    if random.random() > 0.3 or "flag" in table.words:
        return
    value = random.choice((*SENTINELS, *NOTHING))
    frames = set(random.sample(range(1, len(table.positions)), 3))
    is_all = random.random() < 0.4
    for n, (t, k) in enumerate(rows):
        if t in frames and (is_all or k == 0):
            for label in xy_names:
                table.columns[label][n] = value
            table.positions[t, k] = np.nan
    text = value if value in NOTHING else f"{float(value):.10g}"
    table.words["sentinel"] = (f"({text},{text})", "look like exchanged", "looks like exchanged")


def write(table: Table, random: Random, path: Path) -> None:
    """Write a table with random separators, decimal signs, quotes, order of columns and rows."""
    separator = random.choice((",", ";", "\t", ",", ";"))
    comma = separator != "," and random.random() < 0.3
    names = list(table.columns)
    random.shuffle(names)
    rows = list(zip(*(table.columns[name] for name in names), strict=True))
    if random.random() < 0.4:
        random.shuffle(rows)
    quoted = random.random() < 0.2

    def cell(text: str) -> str:
        is_decimal = comma and text.replace(".", "").replace("-", "").replace("e", "").isdigit()
        text = text.replace(".", ",") if is_decimal else text
        return f'"{text}"' if quoted else text

    lines = [separator.join(map(cell, row)) for row in rows]
    header = separator.join(f'"{name}"' if quoted else name for name in names)
    mark = "\ufeff" if random.random() < 0.1 else ""
    end = "\r\n" if random.random() < 0.2 else "\n"
    text = mark + table.head + header + "\n" + "\n".join(lines) + "\n"
    path.write_text(text.replace("\n", end), encoding="utf-8", newline="")


def judge(seed: int, path: Path) -> tuple[str, Table, str]:
    """Return what becomes of a random table: right, refused, noted or wrong; the table, and why."""
    random = Random(seed)
    table = draw_table(random)
    write(table, random, path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tracks = mm.open_tracks(path)
        except mm.TracksError as error:
            return "refused", table, str(error)
        texts = " | ".join((*tracks.notes, *tracks.warnings)).lower()
    wrong = _compare(tracks, table)
    unsaid = [fault for fault in wrong if not any(
        word.lower() in texts for kind, words in table.words.items() if _explains(kind, fault)
        for word in words)]  # fmt: skip
    verdict = "wrong" if unsaid else "noted" if wrong else "right"
    return verdict, table, f"{wrong} {tracks.summary} {texts}"


def _explains(kind: str, fault: str) -> bool:
    return (kind == "time") == (fault == "rate")


def _compare(tracks: Any, table: Table) -> list[str]:
    """Return what differs from the truth."""
    faults = []
    if tracks.timed:
        rate = tracks.rate * tracks.every if table.rate is None else tracks.rate
        if table.rate is None or abs(rate / table.rate - 1) > 1e-3:
            faults.append("rate")
    elif table.rate is not None and "time" in table.words:
        faults += ["rate"] if not tracks.notes else []
    read, truth = (
        a[np.isfinite(a).any(axis=(1, 2))] for a in (np.asarray(tracks.positions), table.positions)
    )
    if read.shape != truth.shape:
        return [*faults, "shape"]
    tolerance = {"rtol": 1e-9, "atol": 1e-6}
    if table.degrees:
        read, truth = np.diff(read, axis=0), np.diff(truth, axis=0)
        tolerance = {"rtol": 0.02, "atol": 0.01 * np.nanmax(np.abs(truth), initial=0.0)}
    is_close = np.allclose(read, truth, equal_nan=True, **tolerance)
    return faults if is_close else [*faults, "positions"]


def main() -> None:
    """Print how many tables of a range of seeds are right, refused, noted and wrong."""
    import sys
    import tempfile
    from collections import Counter

    first, last = int(sys.argv[1]), int(sys.argv[2])
    verdicts: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, last):
            path = Path(folder) / "t.csv"
            verdict, table, why = judge(seed, path)
            verdicts[verdict] += 1
            if verdict == "wrong":
                kinds.update(list(table.words) or ["plain"])
                if len(sys.argv) > 3:
                    print(seed, table.words, why[:600], "\n", path.read_text()[:400], "\n")
    print(dict(verdicts), dict(kinds))


if __name__ == "__main__":
    main()
