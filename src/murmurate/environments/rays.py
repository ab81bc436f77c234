"""Rays: how far obstacles, closed faces and boids are in fixed directions around an agent."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from murmurate.codegen.kernel_cache import shared_module
from murmurate.codegen.plan import obstacle_table
from murmurate.errors import ModelError
from murmurate.jit import njit
from murmurate.model.model import Model
from murmurate.model.obstacles import Mesh

if TYPE_CHECKING:
    from murmurate.runs.worlds import Worlds

GOLDEN_ANGLE = math.pi * (3.0 - math.sqrt(5.0))
CLOSED = ("reflecting", "held")


@dataclass(frozen=True)
class Rays:
    """Rays from an agent: for each the distance to what it meets, and 1 if that is a boid.

    In 2-D they are spread evenly over the field of view, in 3-D over a sphere, both relative to the
    agent's velocity; to the first axis if the agent does not move. The distance is `reach` if a ray
    meets nothing.

    Parameters
    ----------
    count : int
        Number of rays, at least 1.
    reach : float
        Length of a ray, in length units.
    boid_radius : float
        Radius of a boid as a target, in length units; 0 for rays that pass through boids.
    field_of_view : float
        Half angle in degrees of the fan around the velocity, in 2-D only; 180: all around.
    """

    count: int = 16
    reach: float = 10.0
    boid_radius: float = 0.0
    field_of_view: float = 180.0

    def __post_init__(self) -> None:
        if isinstance(self.count, bool) or not isinstance(self.count, int) or self.count < 1:
            raise ModelError(f"count: got {self.count!r}; expected a whole number of at least 1")
        if not 0 < self.reach < math.inf:
            raise ModelError(f"reach: got {self.reach!r}; expected a length above 0")
        if not 0 <= self.boid_radius < math.inf:
            raise ModelError(f"boid_radius: got {self.boid_radius!r}; expected a length, 0 or more")
        if not 0 < self.field_of_view <= 180:
            raise ModelError(
                f"field_of_view: got {self.field_of_view!r}; expected half an angle above 0, up to "
                "180"
            )

    def columns(self, model: Model, flock: str) -> tuple[str, ...]:
        if meshes := [name for name, shape in model.obstacles.items() if isinstance(shape, Mesh)]:
            raise ModelError(f"rays: got obstacle {meshes[0]}, a mesh; expected other shapes")
        if model.space.dims == 3 and self.field_of_view < 180:
            raise ModelError("field_of_view: got rays in 3-D; expected 180, or a space in 2-D")
        return tuple(f"ray{i}.{what}" for i in range(self.count) for what in ("distance", "boid"))

    def directions(self, dims: int) -> np.ndarray:
        """Return (count, 3) unit vectors; the velocity is along the first axis."""
        i = np.arange(self.count)
        if dims == 3:  # a Fibonacci sphere
            x = 1.0 - (2.0 * i + 1.0) / self.count
            r = np.sqrt(1.0 - x * x)
            return np.column_stack([x, r * np.cos(GOLDEN_ANGLE * i), r * np.sin(GOLDEN_ANGLE * i)])
        angles = 2.0 * math.pi * i / self.count
        if self.field_of_view < 180:
            half = math.radians(self.field_of_view)
            angles = np.linspace(-half, half, self.count) if self.count > 1 else np.zeros(1)
        return np.column_stack([np.cos(angles), np.sin(angles), np.zeros(self.count)])

    def write(self, worlds: Worlds, flock: str, out: np.ndarray) -> None:
        model = worlds.model
        space, dims = model.space, model.space.dims
        flocks = [flock, *(name for name in model.flocks if name != flock)]
        if self.boid_radius == 0:
            flocks = flocks[:1]
        positions = np.concatenate([worlds[name].positions for name in flocks], axis=1)
        sides, low, high = np.zeros(3), np.full(3, -np.inf), np.full(3, np.inf)
        for axis, kind in enumerate(space.boundaries):
            if space.periodic[axis]:
                sides[axis] = space.size[axis]
            elif kind in CLOSED:
                low[axis], high[axis] = space.lower[axis], space.upper[axis]
        tables: dict[tuple[int, float], np.ndarray] = {}  # worlds at equal times share one
        keys = []
        for each, time in zip(worlds.models, worlds.times.tolist(), strict=True):
            keys.append((id(each), time))
            if keys[-1] not in tables:
                tables[keys[-1]] = obstacle_table(each, time)
        obstacles = np.array([tables[key] for key in keys])
        cast_function()(
            np.asarray(positions, np.float64), np.asarray(worlds[flock].velocities, np.float64),
            obstacles, sides, low, high, self.directions(dims), self.reach, self.boid_radius, out,
        )  # fmt: skip


@lru_cache(maxsize=1)
def cast_function() -> Callable[..., None]:
    """Return the compiled function that writes the columns; obstacles are those of all kernels."""
    shared: Any = shared_module("float64").imported()
    relative_to_obstacle, impact_distance = shared.relative_to_obstacle, shared.impact_distance

    @njit(nogil=True, error_model="numpy")
    def cast(x, v, obstacles, sides, low, high, directions, reach, radius, out):  # type: ignore[no-untyped-def]
        worlds, agents, dims = v.shape
        p, forward, side, up, gap = np.zeros(3), np.zeros(3), np.zeros(3), np.zeros(3), np.zeros(3)
        h = np.zeros(3)
        for world in range(worlds):
            for i in range(agents):
                p[:dims], forward[:] = x[world, i], 0.0
                forward[:dims] = v[world, i]
                make_frame(forward, side, up)
                for ray in range(len(directions)):
                    for axis in range(3):
                        h[axis] = (
                            directions[ray, 0] * forward[axis]
                            + directions[ray, 1] * side[axis]
                            + directions[ray, 2] * up[axis]
                        )
                    nearest, is_boid = reach, 0.0
                    for axis in range(dims):
                        if h[axis] > 0.0:
                            nearest = min(nearest, (high[axis] - p[axis]) / h[axis])
                        elif h[axis] < 0.0:
                            nearest = min(nearest, (low[axis] - p[axis]) / h[axis])
                    for k in range(obstacles.shape[1]):
                        obstacle = obstacles[world, k]
                        q = relative_to_obstacle(
                            obstacle, p[0], p[1], p[2], sides[0], sides[1], sides[2]
                        )
                        way = impact_distance(obstacle, q, (h[0], h[1], h[2]))
                        if way >= 0.0 and way < nearest:
                            nearest = way
                    for j in range(x.shape[1] if radius > 0.0 else 0):
                        if j == i:
                            continue
                        along, square = 0.0, 0.0
                        for axis in range(dims):
                            gap[axis] = x[world, j, axis] - p[axis]
                            if sides[axis] > 0.0 and abs(gap[axis]) > 0.5 * sides[axis]:
                                gap[axis] -= math.copysign(sides[axis], gap[axis])
                            along += gap[axis] * h[axis]
                            square += gap[axis] * gap[axis]
                        across = square - along * along
                        if along > 0.0 and across < radius * radius:
                            way = max(along - math.sqrt(radius * radius - across), 0.0)
                            if way < nearest:
                                nearest, is_boid = way, 1.0
                    out[world, i, 2 * ray], out[world, i, 2 * ray + 1] = max(nearest, 0.0), is_boid

    return cast


@njit(nogil=True, cache=True)
def make_frame(forward, side, up):  # type: ignore[no-untyped-def]
    """Make unit vectors: forward, a horizontal one across, and one across both."""
    square = forward[0] ** 2 + forward[1] ** 2 + forward[2] ** 2
    if not square > 0.0:  # at rest, or not there
        forward[0], forward[1], forward[2], square = 1.0, 0.0, 0.0, 1.0
    for axis in range(3):
        forward[axis] /= math.sqrt(square)
    level = math.sqrt(forward[0] ** 2 + forward[1] ** 2)
    side[0], side[1], side[2] = 0.0, 1.0, 0.0
    if level > 1e-9:
        side[0], side[1] = -forward[1] / level, forward[0] / level
    up[0] = -forward[2] * side[1]
    up[1] = forward[2] * side[0]
    up[2] = forward[0] * side[1] - forward[1] * side[0]
