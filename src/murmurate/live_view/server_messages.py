"""The contract of messages to pages; those of pages are in messages.py.

The types of the viewer are written from both by viewer/contracts.py. Python sends text: an infinite
number is the word "inf" there, and nan is null.
"""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from murmurate.model.value import Plain
from murmurate.show.scene_types import ObstaclesMessage, SceneMessage


class ValuesMessage(TypedDict):
    """Values that have changed."""

    type: Literal["values"]
    values: dict[str, Plain]
    off: list[str]
    """All rules that are switched off now."""


class StatusMessage(TypedDict):
    """Activity and speed."""

    type: Literal["status"]
    playing: bool
    rate: float | None
    """Steps per second that were asked for."""
    steps_per_second: float
    boid_steps_per_second: float
    step: int
    time: float
    clients: int
    busy: str
    """What is being done before the flock moves."""
    seed: NotRequired[str]
    """Of a flock that is simulated in the page."""
    engine: NotRequired[str]
    """The engine of a flock that is simulated in the page."""


class MeasurePoint(TypedDict):
    """The values of the charts at a step."""

    step: int
    time: float
    flocks: dict[str, dict[str, float | None]]
    """Flock -> measure -> its value; null if it has none."""


class MeasuresMessage(TypedDict):
    """Points of the charts."""

    type: Literal["measures"]
    points: list[MeasurePoint]
    begin: NotRequired[bool]
    """Whether these are all points, in place of those that were sent before."""


class RuleReach(TypedDict):
    """How far a rule of the chosen boid senses."""

    rule: str
    radius: float | None
    """Null: everywhere."""
    field_of_view: float


class RuleVector(TypedDict):
    """The steering vector of a rule."""

    rule: str
    vector: list[float]


class BoidMessage(TypedDict):
    """The chosen boid; vectors have three numbers."""

    type: Literal["boid"]
    flock: str
    id: int
    position: list[float]
    velocity: list[float]
    speed: float
    neighbours: list[int]
    """Numbered through all flocks, the nearest ones first."""
    neighbour_ids: NotRequired[list[tuple[int, int]]]
    """Flock and index of the neighbours, if boids join and leave."""
    numbers: NotRequired[dict[str, float]]
    """Path -> trait or state of the boid."""
    radius: list[RuleReach]
    steering: list[RuleVector]
    total: list[float]


Level = Literal["error", "warning", "info", "clear"]
JobState = Literal["working", "done", "failed"]


class NoticeMessage(TypedDict):
    """A line to show, or one about the same to withdraw."""

    type: Literal["notice"]
    level: Level
    text: NotRequired[str]
    about: NotRequired[str]
    sticky: NotRequired[bool]
    """Whether it stays until it is withdrawn."""


class MadeMessage(TypedDict):
    """The progress of a film or page."""

    type: Literal["made"]
    job: int
    what: Literal["film", "page"]
    state: JobState
    progress: NotRequired[float]
    """From 0 to 1."""
    url: NotRequired[str]
    name: NotRequired[str]
    error: NotRequired[str]


class ReplyFields(TypedDict, total=False):
    """What a reply has besides its result."""

    toml: str
    seed: int
    changed: dict[str, tuple[Plain, Plain]]
    """Path -> values before and after, of an edit."""
    compiling: bool
    """Whether rules are being compiled before it holds."""
    step: int
    """The step after which a command holds."""
    job: int
    """The number of a film or page that was begun."""


class ReplyMessage(ReplyFields):
    """The reply to a message with an id."""

    type: Literal["reply"]
    to: int | None
    ok: bool
    error: NotRequired[str]


class ByeMessage(TypedDict):
    """The end of the connection."""

    type: Literal["bye"]
    reason: NotRequired[str]


ServerMessage = (
    SceneMessage | ValuesMessage | ObstaclesMessage | StatusMessage | MeasuresMessage | BoidMessage
    | ReplyMessage | NoticeMessage | MadeMessage | ByeMessage
)  # fmt: skip
