"""The contract of replays: all that a page has besides its frames, which replay.py packs.

The types of the viewer are written from these by viewer/contracts.py.
"""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from murmurate.model.value import Plain
from murmurate.show.scene_types import Dims, SceneCore


class EvenSeries(TypedDict):
    """Evenly spaced numbers: the first one and the distance between two."""

    first: float
    step: float


Series = list[float] | EvenSeries


class ReplayScene(SceneCore):
    """The scene of a replay."""

    dt: float
    obstacle_tracks: NotRequired[dict[str, dict[str, list[Plain]]]]
    """Obstacle -> number that changes -> its values by frame."""


class BoidRows(TypedDict):
    """The boids in each row, and when they are there. Item k of each list is about boid k."""

    rows: list[int]
    """Rows of each flock."""
    row: list[int]
    id: list[int]
    """Index within its flock."""
    first: list[int]
    """First frame in which it is there."""
    last: list[int]


class ReplayBoids(BoidRows):
    """Boids that join and leave, and their rows."""

    ever: dict[str, Series]
    """Flock -> number of boids that it has ever had, in each frame."""


class ReplayNumber(TypedDict):
    """A number of each boid: value = low + level / levels * (high - low)."""

    name: str
    kind: Literal["trait", "state"]
    low: float
    high: float


class ReplayNumbers(TypedDict):
    """Numbers of each boid, in the order of the scene's `per_boid`."""

    names: list[ReplayNumber]
    text: str
    """Packed levels of all numbers, in order."""


class ReplayHead(TypedDict):
    """All of a replay that is not its frames."""

    version: int
    dims: Dims
    frames: int
    count: int
    """Number of boids, or of rows if boids join and leave."""
    order: int
    """Order of the differences in time: 1, 2 or 3."""
    lower: list[float]
    side: list[float]
    periodic: list[bool]
    every_seconds: float
    """Film time from one frame to the next."""
    times: Series
    """Model times of the frames."""
    steps: Series
    unseen: NotRequired[list[tuple[int, int, int]]]
    """Boid, first and last frame of a gap in which it is not seen. Only tracks have gaps."""
    boids: NotRequired[ReplayBoids]
    """If boids join and leave."""
    numbers: NotRequired[ReplayNumbers]
    fastest: float
    """The highest speed of any boid."""
    scene: ReplayScene
    measures: dict[str, dict[str, list[float | None]]]
    """Flock -> measure -> its values by frame; null if it has none."""
    toml: str
    comment: str
