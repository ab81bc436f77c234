"""Zones and walls, per animal: time in a zone, distance to a wall."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from murmurate.frame import FlockFrame, Frame
from murmurate.measures.animal_paths import PathValues
from murmurate.measures.curve import ratio
from murmurate.measures.over_frames import collect, time_step
from murmurate.measures.per_animal import PerAnimal
from murmurate.measures.registry import measure
from murmurate.measures.zones import images, in_box, zone_of
from murmurate.model.space import Space


class ShareInZone(PathValues):
    """The share of each step that lies in a zone, added up."""

    numbers = ("inside", "steps")

    def __init__(self, zone: Any) -> None:
        super().__init__()
        self.zone = zone_of(zone, "zone")

    def follow(self, here: np.ndarray, step: np.ndarray, space: Space) -> None:
        rows = np.flatnonzero(np.isfinite(step[:, 0]))
        start, along = in_box(self.of["last"][rows], space), step[rows, :2]
        for zone in images(self.zone, space, "zone"):
            self.of["inside"][rows] += zone.inside(start, along)
        self.of["steps"][rows] += 1

    def values(self) -> tuple[np.ndarray, np.ndarray]:
        time_step(self.times)
        return ratio(self.of["inside"], self.of["steps"]), self.of["steps"]


class TimeInZone(ShareInZone):
    """The same as a time."""

    def values(self) -> tuple[np.ndarray, np.ndarray]:
        share, steps = super().values()
        return share * steps * time_step(self.times), steps


class WallDistance(PathValues):
    """Distances to a wall, added up."""

    numbers = ("distance",)
    counted = "frames"

    def __init__(self, wall: Any) -> None:
        super().__init__()
        self.wall = zone_of(wall, "wall")

    def follow(self, here: np.ndarray, step: np.ndarray, space: Space) -> None:
        rows = np.flatnonzero(np.isfinite(here[:, 0]))
        points = in_box(here[rows], space)
        each = [wall.distances(points) for wall in images(self.wall, space, "wall")]
        self.of["distance"][rows] += np.min(each, axis=0)

    def values(self) -> tuple[np.ndarray, np.ndarray]:
        return ratio(self.of["distance"], self.of["seen"]), self.of["seen"]


@measure(
    "per animal",
    unit="time",
    bounds="0 up",
    definition="time that each animal is in a zone, straight on from frame to frame",
    collector=TimeInZone,
)
def time_in_zone(
    frames: Iterable[Frame | FlockFrame], *, zone: Any, flock: str | None = None
) -> PerAnimal:
    """The time that each animal spends in a zone, in time units: dt sum over steps of the share of
    the step that lies in the zone. An animal is taken to go straight on and evenly from one frame
    to the next, so the time does not jump by whole frames.

    frames  at equal times; of `Frame`s, the largest flock is taken
    zone    text: "circle X Y RADIUS", "box X1 Y1 X2 Y2" or "polygon X1 Y1 X2 Y2 X3 Y3 ...", with
            blanks or commas between numbers; or an array of (V, 2) corners; or the name of a file
            (.csv, .txt, .tsv, .dat) with a corner in each line, or such a text in it. Length
            units of the frames. In 3-D x and y alone count
    flock   the name of another flock

    Gaps add nothing: a step needs both frames, and `counts` are the steps that were seen. Animals
    that were seen for different times are compared by `share_in_zone`. On periodic axes a step is
    to the nearest image, and all images of the zone count. nan for an animal that has no step. An
    animal that rests on the very outline may count as outside.

    Returns PerAnimal (N values, `counts` are steps). Cost: O(N V^2) a frame for V corners.
    Raises MeasureError for what is no zone, a zone wider than a periodic box, and frames that
    are not at equal times.
    """
    return collect(TimeInZone(zone), frames, flock)


@measure(
    "per animal",
    unit="1",
    bounds="0 to 1",
    definition="time that each animal is in a zone / time that it is seen",
    collector=ShareInZone,
)
def share_in_zone(
    frames: Iterable[Frame | FlockFrame], *, zone: Any, flock: str | None = None
) -> PerAnimal:
    """The share of its time that each animal spends in a zone (no unit): `time_in_zone` over the
    time of the steps that were seen. So it does not depend on how much of an animal is missing, if
    it is as often in the zone while it is not seen.

    frames, zone, flock  as for `time_in_zone`; so are gaps and periodic axes

    Returns PerAnimal (N values, `counts` are steps).
    Raises MeasureError as `time_in_zone` does.
    """
    return collect(ShareInZone(zone), frames, flock)


@measure(
    "per animal",
    unit="length",
    bounds="0 up",
    definition="mean over frames of each animal's distance to the outline of a shape",
    collector=WallDistance,
)
def wall_distance(
    frames: Iterable[Frame | FlockFrame], *, wall: Any, flock: str | None = None
) -> PerAnimal:
    """The mean distance of each animal to a wall, in length units: the mean, over the frames in
    which it is seen, of the distance to the nearest point of the wall.

    frames  of one flock; of `Frame`s, the largest flock is taken
    wall    the outline of a circle, box or polygon, as `zone` of `time_in_zone`. In 3-D walls
            stand upright: x and y alone count
    flock   the name of another flock

    The distance is above 0 on both sides: an animal that a tracking error puts behind the wall is
    taken to be as far from it. Gaps: frames in which an animal is not seen are left out; `counts`
    are the others. On periodic axes the distance is to the nearest image of the wall.

    Returns PerAnimal (N values, `counts` are frames). Cost: O(N V) a frame for V corners.
    Raises MeasureError for what is no wall, and a wall wider than a periodic box.
    """
    return collect(WallDistance(wall), frames, flock)
