"""The contract of live pages: what one holds besides the viewer.

The types of the viewer are written from these by viewer/contracts.py. Code is packed as text:
deflated, in base64.
"""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from murmurate.classroom.task import Task
from murmurate.engines.manifest_types import (
    Manifest,
    PopulationManifest,
    Programmed,
    StartManifest,
    StartNumbers,
    Unprogrammed,
)
from murmurate.language.formula_tables import FormulaTables
from murmurate.model.value import Plain, Schema, Table
from murmurate.show.scene_types import FlockInfo, SceneMessage

Role = Literal["flee", "hunt", "goal", "path", "avoid", "predators-avoid"]
"""The use of a spare rule: flee and hunt act from the first predator on."""


class SpareRule(TypedDict):
    """A rule that a page has room for."""

    path: str
    table: Table
    values: dict[str, Plain]
    """All of its values, by whole path."""
    schema: Schema
    formula: str


class FoundedFlock(TypedDict):
    """The flock that the first predator creates."""

    table: Table
    values: dict[str, Plain]
    """All of its values, by whole path."""
    schemas: dict[str, Schema]
    """Of the flock and its motion, by path."""
    flock: FlockInfo
    moves: dict[str, str]
    """Rules that moved the only flock without naming it: path -> `moves`."""
    only: str
    """The only other flock, which drawn rules then name as well; empty if there are several."""
    reach: float
    """How far its start reaches around the predator on each axis."""


class PredatorPlace(TypedDict):
    """The flock that predators join; empty if none can be drawn."""

    flock: str
    founded: FoundedFlock | None


class DrawingData(TypedDict):
    """What can be drawn in a page."""

    obstacles: int
    """Number of obstacles that there is room for."""
    points: int
    """Number of corners of a path that there is room for."""
    speed: float
    """Of the flocks that paths lead."""
    shapes: dict[str, Schema]
    """Kind of obstacle -> its schema."""
    rules: dict[Role, SpareRule]
    """In the order in which they act."""
    predators: PredatorPlace


class PackedModule(TypedDict):
    """A module of WebAssembly."""

    code: str
    manifest: Manifest


class PackedStart(TypedDict):
    """The module that computes starts."""

    code: str
    manifest: StartManifest


class PackedPopulation(TypedDict):
    """The module of births and deaths."""

    code: str
    manifest: PopulationManifest


class PackedFlight(TypedDict):
    """A model in a live page."""

    format: int
    scene: SceneMessage
    tables: Table
    """The model as a model file has it."""
    infinite: list[list[str]]
    """Keys of each infinite number in the tables, where it is a word."""
    modules: list[PackedModule]
    """The page uses the first one that serves its radii."""
    start: PackedStart
    starts: dict[str, StartNumbers]
    population: NotRequired[PackedPopulation]
    """Where boids join and leave."""
    order_key: str
    """The second key of the generator of shuffled orders; 64 bits as text."""
    seed: str
    max_boids: int
    """Largest number of boids with WebAssembly."""
    states: dict[str, list[str]]
    """Flock -> names of its boids' state, in the order of the rows of memory."""
    name: str
    formulas: NotRequired[FormulaTables]
    """Where rules can be edited."""
    drawing: NotRequired[DrawingData]
    gpu: NotRequired[Programmed | Unprogrammed]


class PackedTask(TypedDict):
    """A task in a page."""

    script: str
    """The script that shows it."""
    digest: str
    """The key of codes of results, in hexadecimal digits."""
    task: Task
    """The task as its file has it."""


class PackedPage(PackedFlight):
    """What is packed in a live page."""

    worker: str
    """The script of the worker."""
    second: PackedFlight | None
    """Another model, which is shown beside."""
    task: NotRequired[PackedTask]


class FlightHead(TypedDict):
    """What a live page tells before it is unpacked."""

    format: int
    name: str
