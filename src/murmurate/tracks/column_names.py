"""What the columns of a table hold: known from their names and units, or from the user's word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from murmurate.record.errors import RecordingRefused

# What columns are called, by priority; in lower case, with one _ for spaces, points and hyphens.
NAMES: dict[str, tuple[str, ...]] = {
    "id": (
        "track_id", "trackid", "particle", "individual_local_identifier", "individual",
        "individual_id", "animal_id", "animal", "fish_id", "fish", "bird", "agent_id", "agent",
        "target", "identity", "ind", "track", "tag", "name", "ped_id", "id",
    ),
    "frame": (
        "frame", "frames", "frame_idx", "frame_id", "frame_number", "framenumber", "imagenumber",
        "fnum", "fr",
    ),
    "date": ("date", "gmt_date", "utc_date", "local_date"),
    "time": (
        "time", "t", "seconds", "timestamp", "datetime", "date_time", "position_t", "gmt_time",
        "utc_time", "local_time", "trial_time", "recording_time", "clock",
    ),
    "x": (
        "x", "xpos", "pos_x", "x_pos", "position_x", "x_position", "xbody",
        "x#wcentroid", "x_center",
    ),
    "y": (
        "y", "ypos", "pos_y", "y_pos", "position_y", "y_position", "ybody",
        "y#wcentroid", "y_center",
    ),
    "z": ("z", "pos_z", "z_pos", "position_z", "z_position", "z_center"),
    "left": ("bb_left", "bbox_left", "xmin", "x_min", "left"),
    "top": ("bb_top", "bbox_top", "ymin", "y_min", "top"),
    "width": ("bb_width", "bbox_width", "width", "w"),
    "height": ("bb_height", "bbox_height", "height", "h"),
    "right": ("xmax", "x_max", "right"),
    "bottom": ("ymax", "y_max", "bottom"),
}  # fmt: skip
BOXES = (("left", "top", "width", "height"), ("left", "top", "right", "bottom"))
"""Roles of boxes around animals, whose centres are the positions."""
CORNERS = frozenset(role for box in BOXES for role in box)
LONGITUDES = ("longitude", "lon", "long", "lng", "location_long", "gps_longitude")
LATITUDES = ("latitude", "lat", "location_lat", "gps_latitude")
DEGREES = frozenset(("°", "deg", "degs", "degree", "degrees"))
# Seconds in a unit of time, by the words for it.
SECONDS = {
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), 1.0),
    **dict.fromkeys(("ms", "msec", "millisecond", "milliseconds"), 1e-3),
    **dict.fromkeys(("us", "µs", "μs", "microsecond", "microseconds"), 1e-6),
    **dict.fromkeys(("ns", "nanosecond", "nanoseconds"), 1e-9),
    **dict.fromkeys(("min", "mins", "minute", "minutes"), 60.0),
    **dict.fromkeys(("h", "hour", "hours"), 3600.0),
}
PIXELS = ("px", "pixel", "pixels")
LENGTHS = (*PIXELS, "um", "µm", "μm", "micron", "microns", "mm", "cm", "m", "km")
UNITS = frozenset((*SECONDS, *LENGTHS, *DEGREES, "frame", "frames", "rad", "%", "hz"))
# Words in the name of a column that is no position, though it may also say x, y or z.
QUANTITIES = {
    **dict.fromkeys(("vel", "velocity", "speed", "vx", "vy", "vz"), "a velocity"),
    **dict.fromkeys(("acc", "accel", "acceleration", "ax", "ay", "az"), "an acceleration"),
    **dict.fromkeys(("error", "err", "std", "sd", "stdev", "var", "variance", "sem", "se",
                     "uncertainty", "residual", "cov"), "an error"),
    **dict.fromkeys(("score", "likelihood", "confidence", "conf", "prob", "probability",
                     "visibility", "visible", "occluded", "ncams", "quality"), "a score"),
    **dict.fromkeys(("heading", "angle", "theta", "orientation", "direction", "dir", "rot", "yaw",
                     "pitch", "roll"), "a direction"),
    **dict.fromkeys(("dx", "dy", "dz", "displacement", "delta", "diff"), "a displacement"),
    **dict.fromkeys(("width", "height", "length", "size", "area", "offset"), "a size"),
}  # fmt: skip
BODY_PARTS = frozenset((
    "nose", "snout", "head", "neck", "throat", "mouth", "beak", "bill", "eye", "ear", "antenna",
    "thorax", "chest", "abdomen", "body", "back", "spine", "torso", "trunk", "belly", "centroid",
    "center", "centre", "middle", "mid", "com", "hip", "pelvis", "rump", "tail", "tailbase",
    "tail_base", "tailtip", "tail_tip", "fin", "wing", "shoulder", "elbow", "wrist", "hand", "paw",
    "finger", "thumb", "knee", "ankle", "foot", "leg", "arm", "forepaw", "hindpaw", "dorsal",
    "caudal", "pectoral", "operculum", "gill", "shell", "claw", "point", "pt", "node", "keypoint",
    "kp", "marker", "corner",
))  # fmt: skip
ANIMALS = frozenset((
    "animal", "individual", "ind", "id", "track", "fish", "zebrafish", "guppy", "bird", "starling",
    "pigeon", "mouse", "rat", "fly", "ant", "bee", "locust", "sheep", "goat", "cow", "horse", "dog",
    "cat", "monkey", "baboon", "bat", "frog", "worm", "larva", "cell", "robot", "drone", "agent",
    "boid", "ped", "person", "pedestrian", "player",
))  # fmt: skip
SIDES = frozenset(("left", "right", "l", "r", "front", "hind", "fore", "upper", "lower", "base",
                   "tip", "inner", "outer", "mid", "top", "bottom"))  # fmt: skip
ENCLOSED = re.compile(r"(.*?)[\s_]*(?:[(\[]([^)\]]*)[)\]]|/([a-zµμ°]+))\s*", re.IGNORECASE)
AXIS = re.compile(r"(?P<axis>[xyz])_?(?P<who>.+)|(?P<who2>.+?)_(?P<axis2>[xyz])")


@dataclass(frozen=True)
class Column:
    """A column: its place from 0, its name as it is written, plainly, and its unit, '' for none."""

    number: int
    written: str
    name: str
    unit: str


@dataclass
class Understanding:
    """How the columns of a table were understood, for `murmurate info`.

    used     column -> what it holds
    ignored  column -> why it is not used
    """

    used: dict[str, str] = field(default_factory=dict)
    ignored: dict[str, str] = field(default_factory=dict)

    def use(self, column: Column, what: str) -> None:
        unit = f", {column.unit}" if column.unit else ""
        self.used[column.written or f"column {column.number + 1}"] = f"{what}{unit}"

    def rest(self, columns: Iterable[Column]) -> None:
        """The columns that are not used: why."""
        for column in columns:
            name = column.written or f"column {column.number + 1}"
            if name not in self.used and name not in self.ignored:
                self.ignored[name] = quantity_of(column.name) or "not needed"

    @property
    def attrs(self) -> dict[str, dict[str, str]]:
        return {"columns": dict(self.used), "ignored": dict(self.ignored)}


def columns_of(header: Sequence[str]) -> list[Column]:
    """The columns of a header."""
    out = []
    for number, written in enumerate(header):
        written = " ".join(written.split())
        bare, unit = written, ""
        found = ENCLOSED.fullmatch(bare)
        if found and (not found[3] or found[3].lower() in UNITS):
            bare, unit = found[1], (found[2] or found[3] or "").strip()
        name = plain_name(bare)
        head, _, tail = name.rpartition("_")
        if not unit and head and (tail in SECONDS or tail in LENGTHS or tail in DEGREES):
            role = next((role for role, names in NAMES.items() if head in names), "")
            lengths = role in ("x", "y", "z") or AXIS.fullmatch(head)
            units: Iterable[str] = LENGTHS if lengths else SECONDS if role == "time" else ()
            if head in (*LONGITUDES, *LATITUDES):
                units = DEGREES
            if tail in units:
                name, unit = head, tail
        out.append(Column(number, written, name, unit))
    return out


def plain_name(written: str) -> str:
    """A name in lower case, with one _ for spaces, points and hyphens."""
    return re.sub(r"[\s\-_.:]+", "_", written.lower()).strip("_")


def quantity_of(name: str) -> str:
    """What a column holds that is no position, by a word in its name; '' if no word says so."""
    words = (word.rstrip("0123456789") for word in name.split("_"))
    return next((QUANTITIES[word] for word in words if word in QUANTITIES), "")


def found_roles(
    columns: Sequence[Column], asked: Mapping[str, str], usual: Mapping[str, str], path: object
) -> dict[str, Column]:
    """role -> its column: as asked for, else by the plain name that it usually has in such a file
    ('': such a file has none), else by any of its names. Raises RecordingRefused for a column that
    is asked for and not there, or that there are two of."""
    out: dict[str, Column] = {}
    for role, names in NAMES.items():
        if role in asked:
            out[role] = _asked(columns, asked[role], role, path)
            continue
        first = usual.get(role)
        for name in names if first is None else (first, *names) if first else ():
            same = [column for column in columns if name and column.name == name]
            if same:
                out[role] = _only(same, role, path)
                break
    if usual.get("x") is None and not {"x", "y"} & set(out):
        out |= _in_degrees(columns, path)
    if "time" in asked and "frame" not in asked:
        out.pop("frame", None)
    if "date" in out and "time" not in out:
        out["time"] = out.pop("date")
    box = () if {"x", "y"} & set(out) else box_of(out)
    return {role: column for role, column in out.items() if role in box or role not in CORNERS}


def box_of(roles: Iterable[str]) -> tuple[str, ...]:
    """The roles of a box that are among some; () if there is no whole one."""
    return next((box for box in BOXES if set(box) <= set(roles)), ())


def _in_degrees(columns: Sequence[Column], path: object) -> dict[str, Column]:
    """Columns of longitude and latitude, as x and y."""
    out = {}
    for role, names in (("x", LONGITUDES), ("y", LATITUDES)):
        for name in names:
            same = [column for column in columns if column.name == name]
            if same:
                found = _only(same, role, path)
                out[role] = Column(found.number, found.written, found.name, "degrees")
                break
    return out if len(out) == 2 else {}


def is_in_degrees(column: Column) -> bool:
    """Whether a column of positions holds degrees of longitude or latitude."""
    return column.unit.lower() in DEGREES


def _only(same: Sequence[Column], role: str, path: object) -> Column:
    """The one of columns of a plain name; of one in pixels and one in a length, the length."""
    if len(same) == 1:
        return same[0]
    lengths = [one for one in same if one.unit and one.unit.lower() not in PIXELS]
    if len(lengths) == 1 and all(one.unit for one in same):
        return lengths[0]
    raise RecordingRefused(
        f"{path}: has {len(same)} columns {same[0].written}; say which one is the {role}, by its "
        f"number: --columns {role}={same[0].number + 1}"
    )


def _asked(columns: Sequence[Column], wanted: str, role: str, path: object) -> Column:
    """The column that the user names: by its position, from 1, if that is a number, else by name;
    a name that is a number is written in quotes."""
    quoted = re.fullmatch(r"\"(.*)\"|'(.*)'", wanted)
    if wanted.isdecimal() and not quoted:
        if 1 <= int(wanted) <= len(columns):
            return columns[int(wanted) - 1]
        raise RecordingRefused(
            f"{path}: columns: {role}={wanted}: got position {wanted}; expected 1 to "
            f"{len(columns)}, the positions of its columns. A name that is a number is written in "
            f'quotes: {role}="{wanted}"'
        )
    name = (quoted[1] or quoted[2] or "") if quoted else wanted
    for match in (
        [column for column in columns if column.written == name],
        [column for column in columns if column.written.lower() == name.lower()],
        [column for column in columns if column.name and column.name == name.lower()],
    ):
        if len(match) > 1:
            raise RecordingRefused(
                f"{path}: has {len(match)} columns {name}; say which one is the {role}, by its "
                f"number: --columns {role}={match[0].number + 1}"
            )
        if match:
            return match[0]
    there = ", ".join(column.written or "(no name)" for column in columns)
    raise RecordingRefused(f"{path}: columns: {role}={wanted}: there is no such column; there are "
                           f"{there}")  # fmt: skip


def wide_columns(
    columns: Sequence[Column], understanding: Understanding | None = None
) -> dict[str, dict[str, Column]]:
    """who -> axis -> its column, of names such as x1 and y1, fish2_x and fish2_y; of those that
    have x and y. Velocities, errors and scores of an axis are no positions. Of pixels beside
    lengths, the lengths."""
    found: dict[str, dict[str, Column]] = {}
    for column in columns:
        if quantity_of(column.name):
            continue
        if match := AXIS.fullmatch(column.name):
            axis, who = match["axis"] or match["axis2"], match["who"] or match["who2"]
            axes = found.setdefault(who, {})
            before = axes.get(axis)
            if before is None or (before.unit in PIXELS and column.unit not in ("", *PIXELS)):
                axes[axis] = column
            if before is not None and understanding is not None:
                other = column if axes[axis] is before else before
                understanding.ignored[other.written] = f"{axes[axis].written} is used"
    found = {who: axes for who, axes in found.items() if {"x", "y"} <= set(axes)}
    for who in list(found):
        owner = next((one for one in found if who.startswith(f"{one}_")), None)
        if owner is not None:  # robot1_goal_x beside robot1_x
            for column in found.pop(who).values():
                if understanding is not None:
                    understanding.ignored[column.written] = f"{owner} has x and y of its own"
    return found


def have_scores(names: Sequence[str], columns: Sequence[Column]) -> bool:
    """Whether every name has a column of a score, as points of poses have, and none is the word for
    an animal."""
    scored = {
        column.name.rpartition("_")[0]
        for column in columns
        if QUANTITIES.get(column.name.rpartition("_")[2]) == "a score"
    }
    animals = any(name.split("_")[0].rstrip("0123456789") in ANIMALS for name in names)
    return not animals and len(names) > 1 and set(names) <= scored


def divided(names: Sequence[str]) -> tuple[list[str], list[str]] | None:
    """(animals, parts) of names such as fish1_head, if every animal has every part; None if the
    names are not made so."""
    for split in (str.rpartition, str.partition):
        pairs = [(first, last) for first, _, last in (split(name, "_") for name in names)]
        if any(not first or not last for first, last in pairs):
            continue
        firsts, lasts = (list(dict.fromkeys(column)) for column in zip(*pairs, strict=True))
        full = len(set(pairs)) == len(firsts) * len(lasts) == len(names)
        if full and len(lasts) > 1 and all(map(is_body_part, lasts)):
            return firsts, lasts
    return None


def is_body_part(name: str) -> bool:
    """Whether a name is that of a point of a body, such as nose or left_ear_2."""
    words = [word.rstrip("0123456789") for word in name.split("_")]
    words = [word for word in words if word and word not in SIDES]
    if not words:
        return False
    whole = "_".join(words)
    return all(word in BODY_PARTS or word.rstrip("s") in BODY_PARTS for word in words) or (
        whole.replace("_", "") in BODY_PARTS
    )


def unit_of(columns: Sequence[Column], path: object) -> str:
    """The unit of lengths that columns of coordinates have in common. Raises RecordingRefused where
    they have several."""
    units = {column.unit: column for column in columns if column.unit}
    if len(units) > 1:
        one, other = list(units.values())[:2]
        raise RecordingRefused(
            f"{path}: column {one.written} is in {one.unit}, and {other.written} in {other.unit}; "
            "coordinates must have one unit: convert one of them, or name other columns"
        )
    return next(iter(units), "")
