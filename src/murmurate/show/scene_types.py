"""The contract of scenes: what a page knows of a model.

The types of the viewer are written from these by viewer/contracts.py.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import GetPydanticSchema, WithJsonSchema
from typing_extensions import TypedDict

from murmurate.model.model import Source
from murmurate.model.shapes.shape import ShapeRow
from murmurate.model.value import Plain, Schema, Table
from murmurate.model.view import Camera, Shape, View

Dims = Annotated[int, WithJsonSchema({"enum": [2, 3]})]
SourceTable = Annotated[dict[str, Any], GetPydanticSchema(lambda _, make: make(Source))]
ViewTable = Annotated[dict[str, Any], GetPydanticSchema(lambda _, make: make(ViewInfo))]


class CameraInfo(Camera):
    """The camera of a 3-D picture, decided for a space."""

    follow: Literal["space", "flock"] = "space"
    """What it shows: the whole space, or the flock in the centre."""


class ViewInfo(View):
    """Settings of pictures, decided for a space."""

    box: bool = True
    """Whether the outline of the space is drawn."""
    text: bool = True
    """Whether time, number of boids and polarization are written."""
    camera: CameraInfo = CameraInfo()


class FlockInfo(TypedDict):
    """A flock: its look, and how many boids it has."""

    name: str
    count: int
    colour: str
    scale: float
    shape: NotRequired[Literal["auto", Shape]]
    max_boids: NotRequired[int]
    """The largest number of boids, if boids join and leave."""
    perches: NotRequired[bool]
    """Whether its boids perch."""


class SpaceInfo(TypedDict):
    """The space; vectors have three numbers."""

    lower: list[float]
    upper: list[float]
    periodic: list[bool]
    boundaries: NotRequired[list[str]]


class ShapeInfo(ShapeRow):
    """A shape of obstacles, and its surface of unit size: see murmurate.model.shapes.shape."""

    encloses: bool
    axes: list[int | None]
    """The numbers by which its surface is scaled along each axis."""
    profile: list[list[float]]
    sides: int
    """0 for a shape whose obstacles have triangles of their own."""
    lines: int


class ObstacleInfo(TypedDict):
    """An obstacle at a time, or a wire; vectors have three numbers."""

    name: str
    kind: str
    """A shape of the scene, or wire."""
    position: NotRequired[list[float]]
    numbers: NotRequired[list[float]]
    """The last numbers of its row in tables of obstacles."""
    start: NotRequired[list[float]]
    end: NotRequired[list[float]]
    sag: NotRequired[float]
    vertices: NotRequired[str]
    """Of a mesh, around its centre: float32 in base64."""
    faces: NotRequired[str]
    """Of a mesh: three uint32 for each triangle, in base64."""


class HandleInfo(TypedDict):
    """A point of an obstacle or a rule that can be dragged."""

    path: str
    label: str
    position: list[float]
    kind: Literal["obstacle", "place"]
    closes: NotRequired[bool]
    """Whether it is the last corner of a path that returns to its first."""


class PerBoid(TypedDict):
    """A number that each boid has."""

    name: str
    """Its path, such as rules.cohesion.weight."""
    kind: NotRequired[Literal["trait", "state"]]
    """Whether it differs between boids and stays, or changes in time."""
    cyclic: bool
    """Whether it is an angle or phase."""
    range: NotRequired[tuple[float, float] | None]
    """The range of its colours, if it is known."""
    unit: NotRequired[str]


class ChartInfo(TypedDict):
    """A measure to chart."""

    name: str
    """As in the messages."""
    label: str
    unit: str
    """"1" for measures without a unit."""
    about: str
    """Its definition, in a line."""


class MenuEntry(TypedDict):
    """A model that a page may open."""

    name: str
    title: str
    dims: int
    boids: int


class Abilities(TypedDict, total=False):
    """What a page can ask for."""

    film: bool
    page: bool
    open: bool
    toml: bool
    change: bool
    """False: a recording, of which nothing can be changed."""
    draw: bool
    """Whether the structure of the model can be changed too."""
    kinds: list[str]
    """What can be drawn; everything by default."""
    functions: bool
    """Whether the functions of rules can be edited."""
    alone: bool
    """Whether the page simulates the flock itself."""


class SceneCore(TypedDict):
    """What a renderer needs to know of a model."""

    name: str
    title: str
    about: str
    source: NotRequired[SourceTable | None]
    dims: Dims
    space: SpaceInfo
    flocks: list[FlockInfo]
    """In the order of frames."""
    view: ViewTable
    obstacles: list[ObstacleInfo]
    shapes: dict[str, ShapeInfo]
    """Shapes of obstacles by kind."""
    paths: NotRequired[list[list[list[float]]]]
    """Lines along which boids are led, of a replay; a live view has them as handles."""
    charts: list[ChartInfo]
    """From the top."""
    per_boid: NotRequired[list[PerBoid]]
    """Numbers that boids may be coloured by."""


class ModelScene(SceneCore):
    """The scene message without what a session adds."""

    type: Literal["scene"]
    scene: int
    """Its number, which frames repeat."""
    dt: float
    model: Table
    values: dict[str, Plain]
    """Dotted path -> value of everything that has a control."""
    tries: NotRequired[list[str]]
    """Lines 'path=value: what it does', to try."""
    schemas: dict[str, Schema]
    """Path of a part -> its schema; "" has the numbers of the model."""
    formulas: dict[str, str]
    """Path of a rule -> its formula."""
    defaults: dict[str, Plain]
    """The values of the model as it was loaded."""
    handles: list[HandleInfo]


class WireInfo(TypedDict):
    """How frames are read; see murmurate.show.wire_format."""

    version: str
    """Readers of another number before the point would misread frames."""
    frame: list[list[str | int]]
    """Name, type and, of several numbers, their count of each field of the header."""
    boid: list[list[str | int]]
    """The same of the record of a boid."""


class SceneMessage(ModelScene):
    """A model with its controls."""

    wire: NotRequired[WireInfo]
    zoo: list[MenuEntry]
    off: list[str]
    """Rules that are switched off."""
    functions: NotRequired[dict[str, str]]
    """Path of a rule -> its functions as text, where they can be edited."""
    can: NotRequired[Abilities]
    drawn: NotRequired[dict[str, Table]]
    """In a page that simulates: path -> table of what was drawn."""


class ObstaclesMessage(TypedDict):
    """Obstacles and handles that have moved."""

    type: Literal["obstacles"]
    obstacles: list[ObstacleInfo]
    handles: list[HandleInfo]
