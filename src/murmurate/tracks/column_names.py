"""Meaning of the columns of a table, by their names and units, or as the user specifies.

`Layout` describes how each program writes a table with one detection per row.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from murmurate.errors import TracksError

# Role -> plain names of its column, by priority.
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
# Name of a unit of time -> seconds.
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
# Word in the name of a column that is not a position, even if it mentions x, y or z.
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
    """A column of a table.

    number   its index from 0
    written  its name as in the file
    name     its plain name, see `plain_name`
    unit     '' if it has none
    """

    number: int
    written: str
    name: str
    unit: str


@dataclass
class ColumnReport:
    """How the columns of a table were understood, for `murmurate info`.

    used     column -> its contents
    ignored  column -> why it is not used
    """

    used: dict[str, str] = field(default_factory=dict)
    ignored: dict[str, str] = field(default_factory=dict)

    def add_used(self, column: Column, contents: str) -> None:
        """Record that a column is used, and for what."""
        unit = f", {column.unit}" if column.unit else ""
        self.used[column.written or f"column {column.number + 1}"] = f"{contents}{unit}"

    def ignore_others(self, columns: Iterable[Column]) -> None:
        """Record for each remaining column why it is not used."""
        for column in columns:
            name = column.written or f"column {column.number + 1}"
            if name not in self.used and name not in self.ignored:
                self.ignored[name] = find_quantity(column.name) or "not needed"

    @property
    def attrs(self) -> dict[str, dict[str, str]]:
        return {"columns": dict(self.used), "ignored": dict(self.ignored)}


@dataclass(frozen=True)
class Layout:
    """How a program writes a table with one detection per row.

    needs             plain names of the columns by which it is recognised
    roles             role -> column, where it differs from the usual one
    group_column      a column that is part of the id: ids are unique within one of its values only
    unit              of lengths, unless the header has it
    y_down            whether y grows downwards
    headers           whether the header may have further rows
    seconds           whether whole numbers in the column of times are seconds
    allow_missing_id  whether rows without an id are spots of no track, and left out
    drop              column -> the value that marks a row to be left out
    infinite          whether inf means that an animal was not seen
    degrees           whether x and y are longitude and latitude
    """

    needs: tuple[str, ...]
    roles: Mapping[str, str] = field(default_factory=dict)
    group_column: str = ""
    unit: str = ""
    y_down: bool = False
    headers: bool = False
    seconds: bool = False
    allow_missing_id: bool = False
    drop: Mapping[str, str] = field(default_factory=dict)
    infinite: bool = False
    degrees: bool = False


PLAIN = Layout(())
MURMURATE = Layout(("step", "time", "flock", "id", "x", "y"), {"id": "id", "frame": "step"},
                   seconds=True)  # fmt: skip
TRACKMATE = Layout(
    ("track_id", "position_x", "position_y", "frame"),
    {"id": "track_id", "time": "position_t", "x": "position_x", "y": "position_y",
     "z": "position_z"},
    y_down=True, headers=True, allow_missing_id=True,
)  # fmt: skip
TOXTRAC = Layout(
    ("arena", "track", "pos_x", "pos_y", "label"),
    {"id": "track"}, group_column="arena", unit="mm", y_down=True, seconds=True,
    drop={"label": "3"},  # a reflection in a mirror
)  # fmt: skip
FASTTRACK = Layout(
    ("xbody", "ybody", "tbody", "imagenumber", "id"), {"id": "id"}, unit="px", y_down=True
)
ANIMALTA = Layout(("frame", "time", "arena", "ind", "x", "y"), {"id": "ind"},
                  group_column="arena", y_down=True, seconds=True)  # fmt: skip
TRACKPY = Layout(("frame", "particle", "x", "y"), unit="px", y_down=True)
TREX = Layout(("frame", "x#wcentroid", "y#wcentroid"),
              {"x": "x#wcentroid", "y": "y#wcentroid"},
              unit="cm", y_down=True, infinite=True)  # fmt: skip
MOVEBANK = Layout(
    ("timestamp", "location_long", "location_lat"),
    {"id": "individual_local_identifier", "time": "timestamp", "x": "location_long",
     "y": "location_lat", "z": ""},
    allow_missing_id=True, drop={"visible": "false"}, degrees=True,
)  # fmt: skip


def parse_headers(header: Sequence[str]) -> list[Column]:
    """Return the columns of a header, with their plain names and units."""
    columns = []
    for number, written in enumerate(header):
        written = " ".join(written.split())
        bare, unit = written, ""
        match = ENCLOSED.fullmatch(bare)
        if match and (not match[3] or match[3].lower() in UNITS):
            bare, unit = match[1], (match[2] or match[3] or "").strip()
        name = plain_name(bare)
        stem, _, tail = name.rpartition("_")
        if not unit and stem and (tail in SECONDS or tail in LENGTHS or tail in DEGREES):
            role = next((role for role, names in NAMES.items() if stem in names), "")
            is_length = role in ("x", "y", "z") or AXIS.fullmatch(stem)
            units: Iterable[str] = LENGTHS if is_length else SECONDS if role == "time" else ()
            if stem in (*LONGITUDES, *LATITUDES):
                units = DEGREES
            if tail in units:
                name, unit = stem, tail
        columns.append(Column(number, written, name, unit))
    return columns


def plain_name(written: str) -> str:
    """Return a name in lower case, with one _ for spaces, points and hyphens."""
    return re.sub(r"[\s\-_.:]+", "_", written.lower()).strip("_")


def find_quantity(name: str) -> str:
    """Return the quantity, other than a position, that a column's name mentions; '' if none."""
    words = (word.rstrip("0123456789") for word in name.split("_"))
    return next((QUANTITIES[word] for word in words if word in QUANTITIES), "")


def assign_roles(
    columns: Sequence[Column], requested: Mapping[str, str], usual: Mapping[str, str], path: object
) -> dict[str, Column]:
    """Assign columns to roles.

    Parameters
    ----------
    columns : sequence of Column
        The columns of the table.
    requested : mapping of str to str
        Role -> column, as the user specifies it.
    usual : mapping of str to str
        Role -> plain name of its column in such a file; '' if such a file has none. Roles that are
        neither requested nor listed here are searched in NAMES.
    path : path
        File name for messages.

    Raises
    ------
    TracksError
        If a requested column does not exist, or a role has two candidates.
    """
    roles: dict[str, Column] = {}
    for role, names in NAMES.items():
        if role in requested:
            roles[role] = _find_given(columns, requested[role], role, path)
            continue
        first = usual.get(role)
        for name in names if first is None else (first, *names) if first else ():
            same = [column for column in columns if name and column.name == name]
            if same:
                roles[role] = _choose_column(same, role, path)
                break
    if usual.get("x") is None and not {"x", "y"} & set(roles):
        roles |= _find_degrees(columns, path)
    if "time" in requested and "frame" not in requested:
        roles.pop("frame", None)
    if "date" in roles and "time" not in roles:
        roles["time"] = roles.pop("date")
    box = () if {"x", "y"} & set(roles) else find_box(roles)
    return {role: column for role, column in roles.items() if role in box or role not in CORNERS}


def find_box(roles: Iterable[str]) -> tuple[str, ...]:
    """Return the roles of a complete box among some roles, () if there is none."""
    return next((box for box in BOXES if set(box) <= set(roles)), ())


def _find_degrees(columns: Sequence[Column], path: object) -> dict[str, Column]:
    """Return columns of longitude and latitude as x and y, {} unless there are both."""
    roles = {}
    for role, names in (("x", LONGITUDES), ("y", LATITUDES)):
        for name in names:
            same = [column for column in columns if column.name == name]
            if same:
                column = _choose_column(same, role, path)
                roles[role] = Column(column.number, column.written, column.name, "degrees")
                break
    return roles if len(roles) == 2 else {}


def is_in_degrees(column: Column) -> bool:
    """Return whether the unit of a column is degrees."""
    return column.unit.lower() in DEGREES


def _choose_column(same: Sequence[Column], role: str, path: object) -> Column:
    """Return the only column of a name; of one in pixels and one in a length, the latter."""
    if len(same) == 1:
        return same[0]
    lengths = [column for column in same if column.unit and column.unit.lower() not in PIXELS]
    if len(lengths) == 1 and all(column.unit for column in same):
        return lengths[0]
    raise _ambiguous(same, same[0].written, role, path)


def _ambiguous(same: Sequence[Column], name: str, role: str, path: object) -> TracksError:
    return TracksError(
        f"{path}: got {len(same)} columns {name}; expected one for {role}. Name it by its "
        f"position: --columns {role}={same[0].number + 1}"
    )


def _find_given(columns: Sequence[Column], requested: str, role: str, path: object) -> Column:
    """Return the column that the user names, by its position from 1 or by its name.

    A name that is a number is written in quotes.
    """
    quoted = re.fullmatch(r"\"(.*)\"|'(.*)'", requested)
    if requested.isdecimal() and not quoted:
        if 1 <= int(requested) <= len(columns):
            return columns[int(requested) - 1]
        raise TracksError(
            f"{path}: columns: {role}={requested}: got position {requested}; expected 1 to "
            f"{len(columns)}, the positions of its columns. A name that is a number is written in "
            f'quotes: {role}="{requested}"'
        )
    name = (quoted[1] or quoted[2] or "") if quoted else requested
    for matches in (
        [column for column in columns if column.written == name],
        [column for column in columns if column.written.lower() == name.lower()],
        [column for column in columns if column.name and column.name == name.lower()],
    ):
        if len(matches) > 1:
            raise _ambiguous(matches, name, role, path)
        if matches:
            return matches[0]
    existing = ", ".join(column.written or "(no name)" for column in columns)
    raise TracksError(
        f"{path}: columns: got {role}={requested}; expected one of its columns: {existing}"
    )


def group_wide_columns(
    columns: Sequence[Column], report: ColumnReport | None = None
) -> dict[str, dict[str, Column]]:
    """Return animal -> axis -> column for names such as x1 and y1, or fish2_x and fish2_y.

    Only animals with x and y are returned. Velocities, errors and scores of an axis are not
    positions. If an animal has positions in pixels and in a length, the lengths are used.
    """
    animals: dict[str, dict[str, Column]] = {}
    for column in columns:
        if find_quantity(column.name):
            continue
        if match := AXIS.fullmatch(column.name):
            axis, animal = match["axis"] or match["axis2"], match["who"] or match["who2"]
            axes = animals.setdefault(animal, {})
            before = axes.get(axis)
            if before is None or (before.unit in PIXELS and column.unit not in ("", *PIXELS)):
                axes[axis] = column
            if before is not None and report is not None:
                other = column if axes[axis] is before else before
                report.ignored[other.written] = f"{axes[axis].written} is used"
    animals = {animal: axes for animal, axes in animals.items() if {"x", "y"} <= set(axes)}
    for animal in list(animals):
        owner = next((name for name in animals if animal.startswith(f"{name}_")), None)
        if owner is not None:  # robot1_goal_x of robot1, which has robot1_x
            for column in animals.pop(animal).values():
                if report is not None:
                    report.ignored[column.written] = f"{owner} has x and y of its own"
    return animals


def have_scores(names: Sequence[str], columns: Sequence[Column]) -> bool:
    """Return whether every name has a column of scores and none is a word for an animal.

    Points of poses have scores; animals do not.
    """
    scored = {
        column.name.rpartition("_")[0]
        for column in columns
        if QUANTITIES.get(column.name.rpartition("_")[2]) == "a score"
    }
    has_animal = any(name.split("_")[0].rstrip("0123456789") in ANIMALS for name in names)
    return not has_animal and len(names) > 1 and set(names) <= scored


def split_body_parts(names: Sequence[str]) -> tuple[list[str], list[str]] | None:
    """Split names such as fish1_head into (animals, body parts).

    Returns None unless the names are all combinations of animals and body parts.
    """
    for split in (str.rpartition, str.partition):
        pairs = [(first, last) for first, _, last in (split(name, "_") for name in names)]
        if any(not first or not last for first, last in pairs):
            continue
        firsts, lasts = (list(dict.fromkeys(column)) for column in zip(*pairs, strict=True))
        complete = len(set(pairs)) == len(firsts) * len(lasts) == len(names)
        if complete and len(lasts) > 1 and all(map(is_body_part, lasts)):
            return firsts, lasts
    return None


def is_body_part(name: str) -> bool:
    """Return whether a name is that of a point of a body, such as nose or left_ear_2."""
    words = [word.rstrip("0123456789") for word in name.split("_")]
    words = [word for word in words if word and word not in SIDES]
    if not words:
        return False
    return all(word in BODY_PARTS or word.rstrip("s") in BODY_PARTS for word in words) or (
        "".join(words) in BODY_PARTS
    )


def common_unit(columns: Sequence[Column], path: object) -> str:
    """Return the unit that columns of coordinates share, '' if they have none.

    Raises TracksError if they have several.
    """
    units = {column.unit: column for column in columns if column.unit}
    if len(units) > 1:
        first, second = list(units.values())[:2]
        raise TracksError(
            f"{path}: got column {first.written} in {first.unit}, and {second.written} in "
            f"{second.unit}; expected one unit for all coordinates. Convert one of them, or name "
            "other columns"
        )
    return next(iter(units), "")
