"""Meaning of the columns of a table, by their names, units and contents, or as the user specifies.

ROLES, FLAGS and the sets of words below are the only table of meanings; `find_roles` decides by it.
`Dialect` describes how each program writes a table with one detection per row.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from murmurate.errors import TracksError

# Name of a unit of time -> seconds.
SECONDS = {
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), 1.0),
    **dict.fromkeys(("cs", "csec", "centisec", "centisecs", "centisecond", "centiseconds"), 1e-2),
    **dict.fromkeys(("ms", "msec", "msecs", "millis", "millisec", "millisecs", "millisecond",
                     "milliseconds"), 1e-3),
    **dict.fromkeys(("us", "µs", "μs", "usec", "usecs", "microsec", "microsecs", "microsecond",
                     "microseconds"), 1e-6),
    **dict.fromkeys(("ns", "nsec", "nsecs", "nanosec", "nanosecs", "nanosecond", "nanoseconds"),
                    1e-9),
    **dict.fromkeys(("min", "mins", "minute", "minutes"), 60.0),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), 3600.0),
    **dict.fromkeys(("d", "day", "days"), 86400.0),
}  # fmt: skip
FRAMES = ("frame", "frames")
PIXELS = ("px", "pixel", "pixels")
LENGTHS = (*PIXELS, "um", "µm", "μm", "micron", "microns", "mm", "cm", "m", "km")
ANGLES = {
    **dict.fromkeys(("°", "deg", "degs", "degree", "degrees"), "degrees"),
    **dict.fromkeys(("rad", "rads", "radian", "radians"), "radians"),
}
"""Units of longitude and latitude."""
ANGLE = "degrees or radians"
"""The unit of longitude and latitude that have none: degrees, unless they could be radians."""
DECIMAL = frozenset(("decimal", "dec", "dd"))
"""Words of names of decimal degrees."""
UNITS = frozenset((*SECONDS, *LENGTHS, *ANGLES, *FRAMES, "%", "hz"))
ANIMALS = frozenset((
    "animal", "individual", "ind", "id", "track", "fish", "zebrafish", "guppy", "bird", "starling",
    "pigeon", "mouse", "rat", "fly", "ant", "bee", "locust", "sheep", "goat", "cow", "horse", "dog",
    "cat", "monkey", "baboon", "bat", "frog", "worm", "larva", "cell", "robot", "drone", "agent",
    "boid", "ped", "person", "pedestrian", "player", "stork", "gull", "jackdaw", "wolf", "deer",
    "elephant", "whale", "shark", "penguin", "chick", "swimmer", "vehicle",
))  # fmt: skip
_ID = "(?:id|ids|uid|no|nr|num|number|idx|index|label|name|key|code|identifier|local_identifier)"
_ANIMAL = f"(?:{'|'.join(sorted(ANIMALS - {'id', 'track'}))}|agent|subject|target|identity)s?"
_CLOCK = ("(?:gmt|utc|local|gps|trial|recording|video|movie|elapsed|relative|rel|absolute|abs|unix|"
          "epoch|posix|fix|event|acquisition|study_local|system|sys|wall|session|experiment|frame|sample|"
          "capture|study|position|location|solar)")  # fmt: skip
_PLACE = ("(?:pos|pose|position|loc|location|coord|coords|coordinate|centroid|wcentroid|center|"
          "centre|body)")  # fmt: skip
_COUNTED = "|".join({*SECONDS} - {"d", "h", "hr", "min", "us", "ns", "cs"})
_GEO = "(?:gps|location|loc|decimal|dec|geo|fix|argos|pos|position|wgs|wgs_84|wgs84|dd)"
_CENTRE = "(?:center|centre|ctr|mid|c)"
_BOX = "(?:bb|bbox|box|bounding_box|roi|rect|rectangle)"
_LEFT, _TOP, _RIGHT, _BOTTOM = (
    rf"(?:{_BOX}_)?(?:{side}|{side}_?{axis}|{axis}_?(?:{side}|{end}|{corner})|{end}_?{axis}|"
    rf"(?:{corner}|{long})_?{axis})"
    for side, axis, end, corner, long in (
        ("left", "x", "min", "tl|ul|lt", "(?:top|upper)_?left"),
        ("top", "y", "min", "tl|ul|lt", "(?:top|upper)_?left"),
        ("right", "x", "max", "br|lr|rb", "(?:bottom|lower)_?right"),
        ("bottom", "y", "max", "br|lr|rb", "(?:bottom|lower)_?right"),
    )
)
# Role -> patterns of the key of its column (`Column.key`), by priority.
ROLES: dict[str, tuple[str, ...]] = {
    "id": (
        rf"(?:track|tracklet|traj|trajectory)_?(?:{_ID}|n)|track_?objects_label(?:_\d+)?",
        "particle|tid", r"individual_local_identifier", rf"{_ANIMAL}(?:_?{_ID})?",
        "track|tracklet|trajectory|traj",
        rf"(?:tag|collar|logger|device|transmitter|deployment|ring)(?:_?{_ID})?",
        r"object(?:_?(?:id|name))?|name", "ids?|uid|identifier",
    ),
    "frame": (
        r"frames?|fr|fnum", r"(?:(?:video|movie|camera|cam|source)_)?(?:frames?|image|img|slice)_?"
        r"(?:idx|index|id|no|nr|n|num|number|count|counter)",
    ),
    "unit": (r"(?:coordinate|length|position)_?units?|units?",),
    "rate": (r"fps|frame_?rate|frames_per_second",),
    "date": (rf"(?:{_CLOCK}_)?date",),
    "time": (
        "times?|t|seconds|timestamps?|(?:.*_)?stamp",
        r"date_?time|position_t|metadata_t|clock|unix|epoch|elapsed",
        rf"(?:{_CLOCK}_?)+(?:time|time_?stamp|date_?time)|(?:time_?stamp|date_?time|time)_{_CLOCK}|"
        r"time_stamp", rf"(?:{_COUNTED})(?:_by_fps)?|jd|julian_(?:date|days?)|datenum",
    ),
    "x": ("x", rf"(?:{_BOX}_)?(?:x_?{_CENTRE}|{_CENTRE}_?x)", rf"(?:{_PLACE}_?)*x(?:_?{_PLACE})*",
          "(?:utm_)?easting|utm_[ex]"),
    "y": ("y", rf"(?:{_BOX}_)?(?:y_?{_CENTRE}|{_CENTRE}_?y)", rf"(?:{_PLACE}_?)*y(?:_?{_PLACE})*",
          "(?:utm_)?northing|utm_[ny]"),
    "z": ("z", rf"(?:{_PLACE}_?)*z(?:_?{_PLACE})*"),
    "longitude": (rf"(?:{_GEO}_)*(?:lon|long|lng|longitude)(?:_{_GEO})*",),
    "latitude": (rf"(?:{_GEO}_)*(?:lat|latitude)(?:_{_GEO})*",),
    "left": (rf"{_BOX}_?(?:x|x_?1)|{_LEFT}|b_?x", "x_?1"),
    "top": (rf"{_BOX}_?(?:y|y_?1)|{_TOP}|b_?y", "y_?1"),
    "width": (rf"(?:{_BOX}_?)?(?:width|w)",),
    "height": (rf"(?:{_BOX}_?)?(?:height|h)",),
    "right": (rf"{_BOX}_?x_?2|{_RIGHT}", "x_?2"),
    "bottom": (rf"{_BOX}_?y_?2|{_BOTTOM}", "y_?2"),
}  # fmt: skip
BOXES = (("left", "top", "width", "height"), ("left", "top", "right", "bottom"))
"""Roles of boxes around animals, whose centres are the positions."""
CORNERS = frozenset(role for box in BOXES for role in box)
OTHER = "another quantity"
MAX_UNKNOWN = 8  # columns that a note names
# Word in the name of a column that is not a position, even if it mentions x, y or z.
QUANTITIES = {
    **dict.fromkeys(("vel", "velocity", "speed", "twist", "angular", "vx", "vy", "vz"),
                    "a velocity"),
    **dict.fromkeys(("acc", "accel", "acceleration", "ax", "ay", "az"), "an acceleration"),
    **dict.fromkeys(("error", "err", "std", "sd", "stdev", "var", "variance", "sem", "se",
                     "uncertainty", "residual", "cov", "hdop", "pdop", "dop"), "an error"),
    **dict.fromkeys(("score", "likelihood", "confidence", "conf", "prob", "probability",
                     "visibility", "ncams", "quality"), "a score"),
    **dict.fromkeys(("heading", "angle", "theta", "orientation", "direction", "dir", "rot", "yaw",
                     "rad", "deg", "pitch", "roll", "quat", "quaternion", "rotation",
                     "course"), "a direction"),
    **dict.fromkeys(("dx", "dy", "dz", "dt", "displacement", "delta", "diff"), "a displacement"),
    **dict.fromkeys(("width", "height", "length", "size", "area", "offset", "volume", "radius",
                     "mass", "ecc", "major", "minor", "shape"), "a size"),
    **dict.fromkeys(("mag", "magnetometer", "gyro", "force", "field"), "a sensor's reading"),
    **dict.fromkeys(("^", "**", "coef", "coeff", "coefficient", "poly", "polynomial", "order",
                     "degree", "power", "fourier", "knot"), "a coefficient"),
    **dict.fromkeys(("temperature", "temp", "battery", "altitude", "alt", "elevation",
                     "depth", "light", "pressure", "humidity", "satcount", "satellites",
                     "duration", "intensity", "signal", "color", "colour"), OTHER),
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
SIDES = frozenset(("left", "right", "l", "r", "front", "hind", "fore", "upper", "lower", "base",
                   "tip", "inner", "outer", "mid", "top", "bottom"))  # fmt: skip
VERSIONS = SIDES | frozenset((
    "raw", "smooth", "smoothed", "filt", "filter", "filtered", "unfiltered", "kalman", "kf", "ekf",
    "ukf", "rts", "spline", "lowess", "loess", "savgol", "median", "mean", "avg", "average",
    "interp", "interpolated", "corrected", "corr", "clean", "cleaned", "orig", "original", "est",
    "estimated", "estimate", "hat", "pred", "predicted", "prediction", "true", "truth", "gt",
    "groundtruth", "ground", "ref", "reference", "measured", "meas", "obs", "observed", "noisy",
    "denoised", "distorted", "undistorted", "rectified", "warped", "transformed", "projected",
    "world", "image", "img", "camera", "cam", "view", "screen", "local", "global", "rel",
    "relative", "abs", "absolute", "norm", "normalized", "normalised", "scaled", "unscaled",
    "rotated", "aligned", "centered", "centred", *PIXELS, *LENGTHS, "metric", "start", "end",
    "begin", "old", "new", "prev", "previous", "next", "last", "first", "init", "initial", "final",
    "goal", "target", "setpoint", "desired", "cmd", "command", "v", "ver", "version", "manual",
    "auto", "tracked", "detected", "fitted", "fit", "model", "sim", "simulated", "real",
    "resampled", "calibrated", "uncalibrated",
))  # fmt: skip
"""Words for versions of one position, views of it, or other points: never animals."""
# Words of a flag -> whether a row with it has a position; None: it has a doubtful one.
FLAGS: dict[str, bool | None] = {
    **dict.fromkeys(("lost", "outlier", "missing", "miss", "missed", "invalid", "excluded",
                     "exclude", "rejected", "reject", "deleted", "removed", "discard", "discarded",
                     "ignore", "ignored", "outside", "invisible", "undetected", "unseen", "absent",
                     "artifact", "artefact", "nofix", "bad", "void", "dropped", "dropout",
                     "untracked", "unreliable", "erroneous", "fail", "failed", "offscreen",
                     "off_screen", "out_of_frame", "out_of_view", "out_of_bounds", "outofframe",
                     "outofview"), False),
    **dict.fromkeys(("visible", "valid", "detected", "found", "seen", "present", "tracked",
                     "observed", "good", "fix", "fixed", "fixtype", "gpsgot", "got", "in_view",
                     "in_frame", "on_screen", "onscreen", "inview", "ok", "okay", "pass", "passed",
                     "included", "usable", "reliable", "keep", "confirmed"), True),
    **dict.fromkeys(("occluded", "occlusion", "generated", "interpolated", "predicted", "imputed",
                     "estimated", "extrapolated", "hidden", "truncated", "crossing", "manual",
                     "merged", "flagged", "masked", "censored", "suspect", "suspicious"), None),
}  # fmt: skip
FLAG = re.compile(rf"(?<![^_])({'|'.join(sorted(FLAGS, key=len, reverse=True))})s?(?![^_])")
NOT = frozenset(("not", "no", "un", "non"))
TRUE = frozenset(("1", "true", "t", "yes", "y", "on", "x", "wahr", "ja", "vrai", "oui", "si", "sí",
                  "sim", "verdadero", "verdadeiro", "vero", "✓"))  # fmt: skip
FALSE = frozenset(("0", "false", "f", "no", "n", "off", "falsch", "nein", "faux", "non", "não",
                   "nao", "falso"))  # fmt: skip
FIXED = frozenset(("2", "3", "2d", "3d"))
VOID = {"a": True, "v": False}
"""Values of the status of a fix in NMEA 0183: A, valid; V, void."""
SIGNS = {"n": ("y", 1), "north": ("y", 1), "s": ("y", -1), "south": ("y", -1),
         "e": ("x", 1), "east": ("x", 1), "w": ("x", -1), "west": ("x", -1)}  # fmt: skip
"""A hemisphere -> the axis whose sign it gives, and the sign."""
FIXES = ("gps", "gnss", "argos", "location", "position", "fix")
"""Words in the kinds of a logger's rows that have positions."""
SAMPLED = TRUE | FALSE | FIXED | {*VOID, *SIGNS}
ENCLOSED = re.compile(r"(.*?)[\s_]*(?:[(\[]([^)\]]*)[)\]]|/([a-zµμ°]+))\s*", re.IGNORECASE)
_CORNERS = "|".join(f"(?P<{role}>{ROLES[role][0]})" for role in sorted(CORNERS))
WIDE_BOXES = (re.compile(rf"(?P<who>.+?)_(?:{_CORNERS})"),
              re.compile(rf"(?:{_CORNERS})(?:_(?=.)|(?=\d))(?P<who>.+)"))  # fmt: skip
AXIS = re.compile(r"(?P<axis>[xyz])_?(?P<who>.+)|(?P<who2>.+?)_(?P<axis2>[xyz])")
WORD = re.compile(r"[A-Zµμ]+(?![a-zµμ])|[A-Zµμ]?[a-zµμ]+|[^\W\dA-Za-z_]+|\d+|\^|\*\*")


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

    @cached_property
    def words(self) -> list[str]:
        """The words and numbers of its name, without the unit: image, number of imageNumber."""
        bare, match = self.written, ENCLOSED.fullmatch(self.written)
        if match and self.unit:
            bare = match[1]
        words = words_of(bare)
        if self.unit and words and words[-1] == self.unit.lower():
            words = words[: -2 if words[-2:-1] == ["in"] else -1]
        return words

    @cached_property
    def key(self) -> str:
        """Its words, joined by _."""
        return "_".join(self.words)

    @property
    def title(self) -> str:
        """Its name in messages."""
        return self.written or f"column {self.number + 1}"


@dataclass
class Report:
    """What was decided about a table, for `murmurate info`, and the notes of these decisions.

    used      column -> its contents
    ignored   column -> why it is not used
    decided   subject, such as rate, unit or rows -> the decision and its reason
    notes     assumptions that are printed with every command
    """

    used: dict[str, str] = field(default_factory=dict)
    ignored: dict[str, str] = field(default_factory=dict)
    decided: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def add_used(self, column: Column, contents: str) -> None:
        """Record that a column is used, and for what."""
        unit = f", {column.unit}" if column.unit else ""
        self.used[column.title] = f"{contents}{unit}"

    def ignore_others(self, columns: Iterable[Column], note: bool = False) -> None:
        """Record for each remaining column why it is not used; note those of unknown meaning."""
        unknown = []
        for column in columns:
            name = column.title
            if name in self.used or name in self.ignored:
                continue
            role = role_of(column)[0]
            reason = find_quantity(column) or (f"another column of {role}s" if role else "")
            self.ignored[name] = reason or "not needed"
            if column.written and not reason:
                unknown.append(name[:60])
        if note and unknown:
            more = ", ..." if len(unknown) > MAX_UNKNOWN else ""
            self.notes.append(f"not used: {', '.join(unknown[:MAX_UNKNOWN])}{more}")

    @property
    def attrs(self) -> dict[str, object]:
        return {"columns": dict(self.used), "ignored": dict(self.ignored), **self.decided}


@dataclass(frozen=True)
class Dialect:
    """How a program writes a table with one detection per row.

    needs             plain names of the columns by which it is recognised
    roles             role -> plain name of its column, where it differs from the usual one
    group_column      a column that is part of the id: ids are unique within one of its values only
    unit              of positions, unless the header has it
    y_down            whether y grows downwards
    headers           whether the header may have further rows
    seconds           whether whole numbers in the column of times are seconds
    allow_missing_id  whether rows without an id are spots of no track, and left out
    drop              column -> the value that marks a row to be left out
    infinite          whether inf means that an animal was not seen
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


PLAIN = Dialect(())
MURMURATE = Dialect(("step", "time", "flock", "id", "x", "y"), {"id": "id", "frame": "step"},
                   seconds=True)  # fmt: skip
TRACKMATE = Dialect(
    ("track_id", "position_x", "position_y", "frame"),
    y_down=True, headers=True, allow_missing_id=True,
)  # fmt: skip
TOXTRAC = Dialect(
    ("arena", "track", "pos_x", "pos_y", "label"),
    {"id": "track"}, group_column="arena", unit="mm", y_down=True, seconds=True,
    drop={"label": "3"},  # a reflection in a mirror
)  # fmt: skip
FASTTRACK = Dialect(
    ("xbody", "ybody", "tbody", "imagenumber", "id"), {"id": "id", "x": "xbody", "y": "ybody"},
    unit="px", y_down=True,
)  # fmt: skip
ANIMALTA = Dialect(("frame", "time", "arena", "ind", "x", "y"), {"id": "ind"},
                  group_column="arena", y_down=True, seconds=True)  # fmt: skip
TRACKPY = Dialect(("frame", "particle", "x", "y"), unit="px", y_down=True)
TREX = Dialect(("frame", "x#wcentroid", "y#wcentroid"),
              {"x": "x#wcentroid", "y": "y#wcentroid"},
              unit="cm", y_down=True, infinite=True)  # fmt: skip
MESA = Dialect(("step", "agentid"), {"frame": "step", "id": "agentid"})
AGENTS_JL = Dialect(
    ("id", "pos_1", "pos_2"),
    {"id": "id", "frame": "step", "x": "pos_1", "y": "pos_2", "z": "pos_3"},
)  # fmt: skip
MOVEBANK = Dialect(
    ("timestamp", "location_long", "location_lat"),
    {"id": "individual_local_identifier", "time": "timestamp", "x": "", "y": "", "z": ""},
    unit="degrees", allow_missing_id=True,
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
        tail = (words_of(bare) or [""])[-1]
        stem = Column(number, bare, name, tail).key  # time of TimeMs, and of time_in_ms
        if not unit and stem and (tail in SECONDS or tail in LENGTHS or tail in ANGLES):
            role = role_of(Column(number, stem, stem, ""))[0]
            is_length = role in ("x", "y", "z", *CORNERS) or AXIS.fullmatch(stem)
            units: Iterable[str] = LENGTHS if is_length else SECONDS if role == "time" else ()
            if role in ("longitude", "latitude"):
                units = ANGLES
            if tail in units:
                name, unit = stem, tail
        columns.append(Column(number, written, name, unit))
    return columns


def plain_name(written: str) -> str:
    """Return a name in lower case, with one _ for spaces, points and hyphens."""
    return re.sub(r"[\s\-_.:]+", "_", written.lower()).strip("_")


def words_of(name: str) -> list[str]:
    """Return the words and numbers of a name: image, number of imageNumber."""
    return [word.lower() for word in WORD.findall(name.replace("GPSgot", "gpsgot"))]


def role_of(column: Column) -> tuple[str, int]:
    """Return the role that a column's name has in ROLES, and its priority; ('', 0) if none."""
    return _find_role(
        re.sub(r"\d+", lambda n: n[0] if n[0] in ("1", "2", "84") else "9", column.key)
    )


@lru_cache(1 << 16)
def _find_role(key: str) -> tuple[str, int]:
    for role, patterns in ROLES.items():
        for priority, pattern in enumerate(patterns):
            if re.fullmatch(pattern, key):
                return role, priority
    return "", 0


def find_quantity(column: Column) -> str:
    """Return the quantity, other than a position, that a column's name mentions; '' if none."""
    return next((QUANTITIES[word] for word in column.words if word in QUANTITIES), "")


def find_flag(column: Column) -> tuple[bool, bool | None]:
    """Return whether a column's name is that of a flag, and what its rows have (see FLAGS)."""
    meanings = [FLAGS[word] for word in FLAG.findall(column.key)]
    if not meanings:
        return False, None
    meaning = next((value for value in meanings if value is not None), None)
    is_negated = meaning is not None and bool(NOT & set(column.words))
    return True, not meaning if is_negated else meaning


def find_value_flag(value: str) -> tuple[bool, bool | None]:
    """Return whether a value of a column is a flag, such as 'not visible', and its meaning."""
    column = Column(0, value, value, "")
    rest = set(words_of(FLAG.sub("", column.key))) - NOT
    return (False, None) if rest else find_flag(column)


def find_roles(
    columns: Sequence[Column], requested: Mapping[str, str], usual: Mapping[str, str], path: object
) -> tuple[dict[str, Column], list[Column]]:
    """Decide which column has which role.

    requested  role -> column, as the user specifies it
    usual  role -> plain name of its column in such a file; '' if such a file has none. Roles that
        are neither requested nor listed here are searched in ROLES.
    path  file name for messages
    ids  all columns that may hold animals, the most likely first
    raises TracksError  if a requested column does not exist, or a role has two candidates
    """
    named: dict[str, list[tuple[int, Column]]] = {}
    for column in columns:
        role, priority = role_of(column)
        if role:
            named.setdefault(role, []).append((priority, column))
    roles: dict[str, Column] = {}
    for role in ROLES:
        if role in requested:
            roles[role] = find_given(columns, requested[role], role, path)
            continue
        first = usual.get(role)
        same = [column for column in columns if first and column.name == first]
        if not same and first != "" and role in named:
            best = min(priority for priority, _ in named[role])
            same = [column for priority, column in named[role] if priority == best]
        if same:
            roles[role] = _choose_column(same, role, path)
    degrees = [roles.pop(role) for role in ("longitude", "latitude") if role in roles]
    if not {"x", "y"} & set(roles) and len(degrees) == 2:
        for column in degrees:
            if column.unit.lower() in UNITS - {*ANGLES}:
                raise TracksError(
                    f"{path}: column {column.title}: got {column.unit}; expected degrees or "
                    "radians. Convert it, or name x and y"
                )
        roles |= zip("xy", degrees, strict=True)
    if "time" in requested and "frame" not in requested:
        roles.pop("frame", None)
    if "date" in roles and "time" not in roles:
        roles["time"] = roles.pop("date")
    if {"left", "top"} <= set(requested):
        roles = {role: column for role, column in roles.items() if role not in ("x", "y", "z")}
    box = () if {"x", "y"} & set(roles) else find_box(roles)
    if (
        "id" not in roles
        and not {*box} & {*requested}
        and (
            any(role_of(roles[role])[1] for role in box)
            or (box and any(map(find_box, _group_corners(columns).values())))
        )
    ):
        box = ()  # x1, y1, x2 and y2 are two animals, unless each row is of one
    roles = {role: column for role, column in roles.items() if role in box or role not in CORNERS}
    ids = [column for _, column in sorted(named.get("id", ()), key=lambda pair: pair[0])]
    if "id" in requested or usual.get("id") or "id" not in roles:
        ids = [roles["id"]] if "id" in roles else []
    return roles, ids


def find_box(roles: Iterable[str]) -> tuple[str, ...]:
    """Return the roles of a complete box among some roles, () if there is none."""
    return next((box for box in BOXES if set(box) <= set(roles)), ())


def is_geographic(unit: str) -> bool:
    """Return whether positions in a unit are longitude and latitude."""
    return unit == ANGLE or unit.lower() in ANGLES


def angle_unit(x: Column, y: Column, path: object) -> str:
    """Return the unit of columns of longitude and latitude: '' if their names are of other columns.

    It is ANGLE if the names have none. "Decimal" is for degrees. Raises TracksError for two units.
    """
    units = {
        "degrees" if DECIMAL & {*words_of(c.written)} else ANGLES.get(c.unit.lower(), "")
        for c in (x, y)
    }
    if {"degrees", "radians"} <= units:
        return common_unit([x, y], path)
    if (role_of(x)[0], role_of(y)[0]) == ("longitude", "latitude"):
        return max(units) or ANGLE
    return "" if "" in units else units.pop()


def _choose_column(same: Sequence[Column], role: str, path: object) -> Column:
    """Return the column of a role; of one in pixels and one in a length, the latter."""
    if len(same) == 1 or role not in ("x", "y", "z", "frame", *CORNERS, "longitude", "latitude"):
        return same[0]
    lengths = [column for column in same if column.unit and column.unit.lower() not in PIXELS]
    if len(lengths) == 1 and all(column.unit for column in same):
        return lengths[0]
    raise _ambiguous(same, same[0].written, role, path)


def _ambiguous(same: Sequence[Column], name: str, role: str, path: object) -> TracksError:
    titles = dict.fromkeys(column.title for column in same)
    remedy = f" by its position: --columns {role}={same[0].number + 1}"
    if len(titles) == len(same):
        remedy = f": --columns {role}={' or '.join(titles)}"
    return TracksError(
        f"{path}: got {len(same)} columns {name}; expected one for {role}. Name it{remedy}"
    )


def find_given(columns: Sequence[Column], requested: str, role: str, path: object) -> Column:
    """Return the column that the user names, by its position from 1 or by its name.

    A name that is a number is written in quotes.
    """
    quoted = re.fullmatch(r"\"(.*)\"|'(.*)'", requested)
    if requested.isascii() and requested.isdecimal() and not quoted:
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
    columns: Sequence[Column], report: Report | None = None
) -> dict[str, dict[str, Column]]:
    """Return animal -> axis -> column for names such as x1 and y1, or fish2_x and fish2_y.

    Only animals with x and y are returned, with their width and height if there are both; without
    any, those with a box: left, top, and width, height or right, bottom. Velocities, errors, scores
    and coefficients of an axis are not positions. If an animal has positions in pixels and in a
    length, the lengths are used.
    """
    boxes = _group_corners(columns)
    complete = {who: {role: of_roles[role] for role in find_box(of_roles)}
                for who, of_roles in boxes.items() if find_box(of_roles)}  # fmt: skip
    corners = {column for of_roles in complete.values() for column in of_roles.values()}
    animals = _group_axes([column for column in columns if column not in corners], report)
    for who, axes in animals.items():
        if who in boxes and {"width", "height"} <= {*boxes[who]}:
            axes |= {role: boxes[who][role] for role in ("width", "height")}
    return animals or complete


def _group_corners(columns: Sequence[Column]) -> dict[str, dict[str, Column]]:
    """Return animal -> role -> column of the corners and sizes of boxes."""
    boxes: dict[str, dict[str, Column]] = {}
    for column in columns:
        for match in filter(None, (pattern.fullmatch(column.name) for pattern in WIDE_BOXES)):
            role = next(role for role in CORNERS if match[role])
            boxes.setdefault(match["who"], {}).setdefault(role, column)
    return boxes


def _group_axes(columns: Sequence[Column], report: Report | None) -> dict[str, dict[str, Column]]:
    """Return animal -> axis -> column of animals with x and y."""
    ignored = {} if report is None else report.ignored
    animals: dict[str, dict[str, Column]] = {}
    for column in columns:
        match = AXIS.fullmatch(column.name)
        if match is None or find_quantity(column) not in ("", OTHER):
            continue
        axis, animal = match["axis"] or match["axis2"], match["who"] or match["who2"]
        axes = animals.setdefault(animal, {})
        before = axes.get(axis)
        if before is None or (before.unit in PIXELS and column.unit not in ("", *PIXELS)):
            axes[axis] = column
        if before is not None:
            other = column if axes[axis] is before else before
            ignored[other.written] = f"{axes[axis].written} is used"
    animals = {animal: axes for animal, axes in animals.items() if {"x", "y"} <= set(axes)}
    left_out = []
    for animal in list(animals):
        owner = next((name for name in _prefixes(animal) if name in animals), None)
        if owner is not None:  # robot1_goal_x of robot1, which has robot1_x
            for column in animals.pop(animal).values():
                ignored[column.written] = f"{owner} has x and y of its own"
                left_out.append(column.title)
    if report is not None and left_out:
        report.notes.append(
            f"not used: {', '.join(left_out[:MAX_UNKNOWN])}, since these animals have other "
            "columns of x and y"
        )
    return animals


def _prefixes(name: str) -> Iterable[str]:
    """Yield the beginnings of a name that end before a _."""
    return (name[: match.start()] for match in re.finditer("_", name))


def have_scores(names: Sequence[str], columns: Sequence[Column]) -> bool:
    """Return whether every name has a column of scores, as points of poses have and animals have
    not.
    """
    scored = {
        column.name.rpartition("_")[0]
        for column in columns
        if QUANTITIES.get(column.name.rpartition("_")[2]) == "a score"
    }
    has_animal = any(name.split("_")[0].rstrip("0123456789") in ANIMALS for name in names)
    return not has_animal and len(names) > 1 and set(names) <= scored


def split_points(
    names: Sequence[str], is_point: Callable[[str], bool]
) -> tuple[list[str], list[str]] | None:
    """Split names such as fish1_head into (animals, points); None unless all combinations exist."""
    for split, swap in ((str.rpartition, False), (str.partition, False), (str.partition, True),
                        (str.rpartition, True)):  # fmt: skip
        pairs = [(first, last) for first, _, last in (split(name, "_") for name in names)]
        if any(not first or not last for first, last in pairs):
            continue
        firsts, lasts = (list(dict.fromkeys(column)) for column in zip(*pairs, strict=True))
        firsts, lasts = (lasts, firsts) if swap else (firsts, lasts)
        complete = len(set(pairs)) == len(firsts) * len(lasts) == len(names)
        if complete and len(lasts) > 1 and all(map(is_point, lasts)):
            return firsts, lasts
    return None


def is_version(name: str) -> bool:
    """Return whether a name is that of a version or view of a position, such as raw or cam_2."""
    words = [word for word in re.split(r"[_\d]+", name) if word]
    return bool(words) and all(word in VERSIONS for word in words)


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
    """Return the unit that columns share, '' if they have none. Raises TracksError for several."""
    units = {column.unit: column for column in columns if column.unit}
    if len(units) > 1:
        first, second = list(units.values())[:2]
        raise TracksError(
            f"{path}: got column {first.written} in {first.unit}, and {second.written} in "
            f"{second.unit}; expected one unit for all coordinates. Convert one of them, or name "
            "other columns"
        )
    return next(iter(units), "")
