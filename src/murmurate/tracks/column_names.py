"""Meaning of the columns of a table, by their names, units and contents, or as the user specifies.

`find_roles` decides by the words of column_words.
`Dialect` describes how each program writes a table with one detection per row.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from murmurate.errors import TracksError
from murmurate.tracks.column_words import (
    ANGLE,
    ANGLES,
    ANIMALS,
    AXIS,
    BODY_PARTS,
    BOXES,
    CORNERS,
    DECIMAL,
    ENCLOSED,
    FLAG,
    FLAGS,
    LENGTHS,
    MAX_UNKNOWN,
    NOT,
    OTHER,
    PIXELS,
    QUANTITIES,
    ROLES,
    SECONDS,
    SIDES,
    UNITS,
    VERSIONS,
    WIDE_BOXES,
    WORD,
)


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
    """Decisions about a table, for `murmurate info`, and their notes.

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
        """Record the use of a column."""
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
    """Return whether a column's name is that of a flag, and the meaning of its rows (see FLAGS)."""
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
    """Return the roles of a complete box among some roles, or ()."""
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
