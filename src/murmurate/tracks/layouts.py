"""Layouts of tables with one sighting a row, by the program that writes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Layout:
    """How a program writes a table.

    needs      columns that tell it, in plain names (column_names.py)
    roles      role -> column, where that is not the usual one
    within     a column that is a part of the id: animals are counted anew in each
    unit       of lengths, unless the header has it
    y_down     whether y grows downwards
    headers    whether more rows of headers may follow the first
    seconds    whether whole numbers in the column of times are seconds all the same
    loose      whether rows without an id are spots of nobody, and left out
    drop       column -> the word that says that a row is not to be taken
    infinite   whether inf says that an animal was not seen
    degrees    whether x and y are longitude and latitude
    """

    needs: tuple[str, ...]
    roles: Mapping[str, str] = field(default_factory=dict)
    within: str = ""
    unit: str = ""
    y_down: bool = False
    headers: bool = False
    seconds: bool = False
    loose: bool = False
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
    y_down=True, headers=True, loose=True,
)  # fmt: skip
TOXTRAC = Layout(
    ("arena", "track", "pos_x", "pos_y", "label"),
    {"id": "track"}, within="arena", unit="mm", y_down=True, seconds=True,
    drop={"label": "3"},  # an image in a mirror
)  # fmt: skip
FASTTRACK = Layout(
    ("xbody", "ybody", "tbody", "imagenumber", "id"), {"id": "id"}, unit="px", y_down=True
)
ANIMALTA = Layout(("frame", "time", "arena", "ind", "x", "y"), {"id": "ind"}, within="arena",
                  y_down=True, seconds=True)  # fmt: skip
TRACKPY = Layout(("frame", "particle", "x", "y"), unit="px", y_down=True)
TREX = Layout(("frame", "x#wcentroid", "y#wcentroid"),
              {"x": "x#wcentroid", "y": "y#wcentroid"},
              unit="cm", y_down=True, infinite=True)  # fmt: skip
MOVEBANK = Layout(
    ("timestamp", "location_long", "location_lat"),
    {"id": "individual_local_identifier", "time": "timestamp", "x": "location_long",
     "y": "location_lat", "z": ""},
    loose=True, drop={"visible": "false"}, degrees=True,
)  # fmt: skip
