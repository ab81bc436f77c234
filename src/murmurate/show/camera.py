"""Move the camera: compute the projection of each picture of a film.

`fit_2d`, `fit_3d` and `fit_space_3d` compute the view in which points fill the picture.
`FlockTracker` follows the flocks with a smoothed centre.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from murmurate.frame import FlockFrame, Frame
from murmurate.measures.geometry import centroid
from murmurate.model.obstacles import ObstacleShape
from murmurate.model.space import Space
from murmurate.model.view import View
from murmurate.show.projection import Array, Orthographic, Perspective, camera_axes

FIELD_OF_VIEW = math.radians(36.0)  # vertical
MAX_WIDENING = 2.0  # of a 2-D view, to include minor flocks and obstacles
MIN_HALF_WIDTH = 8  # boid lengths from the centre of the view to its edge
ZOOM_OUT, ZOOM_IN = 0.2, 2.0  # time constants of the camera's distance, seconds of film
PAN = 0.5  # time constant of the camera's sideways motion, seconds of film
MARGIN = 0.88  # part of the picture that a space or a flock fills
MIN_DISTANCE = 1.8  # distance of the camera, relative to the depth of the nearest boid
SAMPLE = 8_000  # boids whose quantiles stand for those of the flock
MAX_OUTLIER = 2.0  # distance of followed boids from the centre, relative to their 96 % quantile
CROPPED_BOIDS = 1000  # boids from which the ends of a flock may leave the picture
SLIM, CROP = 2.0, 0.6  # elongation relative to the picture from which they do, and how much of it
MINOR = 1 / 8  # a flock smaller than this part of the largest does not move the camera
NEARBY = 1.6  # distance of a minor flock in a 3-D view, relative to the radius of the flock
FULL, NONE = 1.2, 1.6  # widening up to which a near point is framed, and from which it is not
SETTLE = 0.6  # time constant of the tracked centre, seconds of film


class Camera:
    """Camera that fits the whole space or follows the flocks, and may orbit over time.

    Parameters
    ----------
    space : Space
    view : View
    above, below : float, default 0
        Pixels at the upper and the lower edge of the picture that are reserved for text.
    goals : (N, D), optional
        Points that a 2-D view includes while they are near: those of paths and goals.
    """

    def __init__(
        self, space: Space, view: View, above: float = 0.0, below: float = 0.0,
        goals: Array | None = None,
    ) -> None:  # fmt: skip
        self._space, self._view, self._camera = space, view, view.camera.decided(space)
        width, total = view.size
        height = max(total - above - below, 0.5 * total)
        self._focal = 0.5 * height / math.tan(0.5 * FIELD_OF_VIEW)
        self._area = float(width), float(height)  # pixels of the area without text
        self._row = above + 0.5 * height
        self._wrap = tuple(
            side if periodic else 0.0
            for side, periodic in zip(space.size, space.periodic, strict=True)
        )
        self._pictures = 0
        self._tracker: FlockTracker | None = None
        self._fit: FitInPicture | None = None
        if self._camera.follow == "flock":
            self._tracker = FlockTracker(space, view, goals)
        else:
            self._fit_space()

    def next_projection(self, frame: Frame) -> Orthographic | Perspective:
        """Return the projection of the next picture. Each call advances by one picture."""
        camera = self._camera
        turned = camera.turn * self._pictures / self._view.frames_per_second
        azimuth = math.radians((camera.azimuth + turned) % 360.0)
        elevation = math.radians(camera.elevation)
        self._pictures += 1
        half = 0.5 * np.array(self._space.size)
        centre, reach = np.array(self._space.lower) + half, 0.67 * half
        axes = camera_axes(azimuth, elevation) if self._space.dims == 3 else np.eye(2)
        if self._tracker is not None:
            self._tracker.update(frame)
            centre, reach = self._tracker.centre, self._tracker.reach
            self._approach(self._tracker, axes)
        if self._fit is None:  # no boid had a finite position yet
            self._fit_space(centred=False)
        assert self._fit is not None
        centre = centre + self._fit.offset @ axes[:2]
        common = (*self._view.size, self._row, tuple(float(c) for c in centre), self._wrap)
        if self._space.dims == 2:
            return Orthographic(*common, camera.zoom / self._fit.distance)
        distance, radius = self._fit.distance / camera.zoom, 1.2 * float(np.linalg.norm(reach))
        return Perspective(*common, azimuth, elevation, distance, self._focal, radius)

    def _fit_space(self, centred: bool = True) -> None:
        """Fit the space; its image is not `centred` if flocks will be in the centre later."""
        half = 0.5 * np.array(self._space.size)
        if self._space.dims == 2:
            self._fit = fit_2d(np.array([-half, half]), *self._area)
            return
        # An orbiting camera keeps its distance: the one that fits the corners from all sides.
        camera = self._camera
        azimuths = np.radians(range(0, 360, 5) if camera.turn else [camera.azimuth])
        elevation = math.radians(camera.elevation)
        distance, lift = fit_space_3d(half, azimuths, elevation, *self._area, self._focal)
        self._fit = FitInPicture(np.zeros(2), distance)
        self._row += lift * camera.zoom * centred

    def _approach(self, tracker: FlockTracker, axes: Array) -> None:
        """Move the distance and the offset of the camera towards those that fit the boids."""
        if not len(tracker.followed):
            return
        own = fit = self._fit_of(tracker.followed, axes)
        points = tracker.followed
        for more, share in ((tracker.secondary, self._share), (tracker.goals, _near_share)):
            if more:
                points = np.concatenate([points, *more])
                both = self._fit_of(points, axes)
                fit = fit.interpolate(both, share(max(both.distance / own.distance, 1.0)))
        if self._fit is None:
            self._fit = fit
        seconds = ZOOM_OUT if fit.distance > self._fit.distance else ZOOM_IN
        zoom_part, pan_part = (
            1.0 - math.exp(-1.0 / (time * self._view.frames_per_second)) for time in (seconds, PAN)
        )
        distance = self._fit.interpolate(fit, zoom_part).distance
        self._fit = FitInPicture(self._fit.interpolate(fit, pan_part).offset, distance)

    def _share(self, widening: float) -> float:
        """Return how far the camera goes to the view with minor flocks, which is wider.

        In 2-D it widens the view up to a limit. In 3-D it frames them while they are near.
        """
        if self._space.dims == 2:
            return min(1.0, math.log(MAX_WIDENING) / max(math.log(widening), 1e-9))
        return _near_share(widening)

    def _fit_of(self, offsets: Array, axes: Array) -> FitInPicture:
        """Return the view that fits offsets of boids, with a minimum half-width."""
        half_width = max(0.02 * max(self._space.size), MIN_HALF_WIDTH * self._view.boid_size)
        min_distance = half_width / (0.5 * min(self._area))
        if self._space.dims == 2:
            fit = fit_2d(offsets, *self._area)
        else:
            fit = fit_3d(axes, offsets, *self._area, self._focal)
            min_distance *= self._focal
        return FitInPicture(fit.offset, max(fit.distance, min_distance))


# --- framing


def _near_share(widening: float) -> float:
    """Return how far the camera goes to a wider view: less and less as its points go away."""
    return min(max((NONE - widening) / (NONE - FULL), 0.0), 1.0)


class FitInPicture(NamedTuple):
    """View in which some points fill the picture.

    Attributes
    ----------
    offset : (2,)
        Shift of the view's centre to the right and up, relative to the origin of the offsets.
    distance : float
        Distance of the camera in 3-D; length units per pixel in 2-D.
    """

    offset: Array
    distance: float

    def interpolate(self, other: FitInPicture, part: float) -> FitInPicture:
        """Return the view between the two, from this one at 0 to the other at 1."""
        distance = self.distance * (other.distance / self.distance) ** part
        return FitInPicture(self.offset + part * (other.offset - self.offset), distance)


def fit_2d(offsets: Array, width: float, height: float) -> FitInPicture:
    """Fit (N, 2) offsets to a picture of width x height pixels."""
    low, high = offsets.min(axis=0), offsets.max(axis=0)
    units_per_pixel = (high - low) / (MARGIN * np.array([width, height]))
    return FitInPicture(0.5 * (low + high), float(units_per_pixel.max()))


def fit_3d(axes: Array, offsets: Array, width: float, height: float, focal: float) -> FitInPicture:
    """Find the nearest camera that has offsets in its picture.

    A camera that looks at (a, b) from a distance d sees a point (x, y, z) if |x - a| <= s (d + z)
    and |y - b| <= t (d + z), where s and t are the slopes of the picture's edges. For each edge one
    point is decisive, and the offset balances opposite edges. A flock of many boids that is much
    slimmer than the picture would be small in it; the camera goes nearer, and its ends are cut off.

    axes  (3, 3) right, up and forward of the camera
    offsets  (N, 3) offsets of points, length units
    width, height  size of the picture, pixels
    focal  focal length in pixels; see Perspective
    """
    across, up, z = axes @ offsets.T
    distances, offset = [MIN_DISTANCE * -float(z.min())], np.zeros(2)
    for k, (positions, pixels) in enumerate(((across, width), (up, height))):
        slope = 0.5 * MARGIN * pixels / focal
        high = float((positions - slope * z).max())
        low = -float((positions + slope * z).min())
        distances.append(0.5 * (high + low) / slope)
        offset[k] = 0.5 * (high - low)
    if len(offsets) >= CROPPED_BOIDS:
        slimmest = SLIM * min(distances[1:])
        distances = [d * min(1.0, slimmest / max(d, 1e-30)) ** CROP for d in distances]
    return FitInPicture(offset, max(distances))


def fit_space_3d(
    half: Array, azimuths: Iterable[float], elevation: float, width: float, height: float,
    focal: float,
) -> tuple[float, float]:  # fmt: skip
    """Fit a space with these half sides to the picture, seen from several azimuths.

    half  (3,) half sides, length units
    azimuths  radians
    elevation  radians
    width, height, focal  pixels
    distance  distance of the camera, length units
    lift  pixels by which the centre of the space is below the centre of its image
    """
    corners = np.array(list(itertools.product(*[(-h, h) for h in half]))).T
    views = [camera_axes(azimuth, elevation) for azimuth in azimuths]
    across, up, z = np.concatenate([axes @ corners for axes in views], axis=1)
    size = math.hypot(*half)
    near, far = size, 200.0 * size * max(1.0, height / width)
    for _ in range(60):
        distance = 0.5 * (near + far)
        scale = focal / (distance + z)
        fits = (
            2 * np.abs(across * scale).max() <= MARGIN * width
            and np.ptp(up * scale) <= MARGIN * height
        )
        near, far = (near, distance) if fits else (distance, far)
    rows = up * focal / (far + z)
    return far, 0.5 * float(rows.max() + rows.min())


# --- tracking


class FlockTracker:
    """Track the centre of the flocks from picture to picture.

    The centre is tracked with its velocity by a critically damped alpha-beta filter, so the camera
    does not lag behind a flock in straight motion. Quantiles make it robust against outliers. Along
    periodic axes offsets are to the nearest image of the last centre. Minor flocks (a dog, a
    leader) and obstacles are secondary in 2-D. In 3-D only boids of minor flocks are, while they
    are near: a predator that comes and goes would make the picture zoom in and out.

    centre  (D,) inside the box along periodic axes
    reach  (D,) 96 % quantile of the distance of boids from the centre along each axis, with a
        margin
    followed  (N, D) offsets from the centre of the boids that are followed
    secondary  (M, D) offsets of each minor flock, and in 2-D of the corners around each box and
        sphere
    goals  (M, D) offsets of the goals; none in 3-D
    """

    def __init__(self, space: Space, view: View, goals: Array | None = None) -> None:
        self._space = space
        self._goals = [] if goals is None or len(goals) == 0 or space.dims == 3 else [goals]
        self._size = np.array(space.size)
        self._periodic = np.array(space.periodic)
        decay = math.exp(-1.0 / (SETTLE * view.frames_per_second))
        self._alpha = 1.0 - decay * decay
        self._beta = (1.0 - decay) ** 2
        self._slow = 1.0 - math.exp(-1.0 / (1.5 * SETTLE * view.frames_per_second))
        self._pictures = 0
        self.centre = np.array(space.lower) + 0.5 * self._size
        self._drift = np.zeros(space.dims)
        self.reach = 0.5 * self._size
        self.followed = np.zeros((0, space.dims))
        self.secondary: list[np.ndarray] = []
        self.goals: list[np.ndarray] = []

    def update(self, frame: Frame) -> None:
        """Update with the next frame. A frame without a finite position changes nothing."""
        flocks = [positions for flock in frame.values() if len(positions := _sample(flock))]
        if not flocks:
            return
        largest = max(map(len, flocks))
        positions = np.concatenate([flock for flock in flocks if len(flock) >= MINOR * largest])
        guess = self.centre + self._drift if self._pictures else self._first_guess(positions)
        offsets = self._space.minimum_image(positions - guess)
        error = 0.5 * quantile(offsets, 0.03, 0.97).sum(axis=0)
        reach = np.maximum(1.2 * _reach(offsets - error), 0.02 * self._size.max())
        # The first picture gives the centre, and the second its velocity. From then on the filter
        # adapts slowly.
        alpha = self._alpha if self._pictures > 1 else 1.0
        beta = self._beta if self._pictures > 1 else float(self._pictures)
        slow = self._slow if self._pictures else 1.0
        self.centre = guess + alpha * error
        self._drift = self._drift + beta * error
        self.reach = self.reach * (reach / self.reach) ** slow
        self.followed = _without_outliers(offsets - error) + (1.0 - alpha) * error
        minor = [flock for flock in flocks if len(flock) < MINOR * largest]
        if self._space.dims == 2:
            minor += [
                _corners(shape, self._space)
                for shape in frame.obstacles.values()
                if not (shape.unbounded or shape.encloses)
            ]
        self.secondary, self.goals = (
            [self._space.minimum_image(points - self.centre) for points in group]
            for group in (minor, self._goals)
        )
        if self._space.dims == 3:
            limit = NEARBY * _distances(self.followed).max()
            near = [points[_distances(points) <= limit] for points in self.secondary]
            self.secondary = [points for points in near if len(points)]
        self._pictures += 1
        self.centre = self._space.wrap(self.centre)

    def _first_guess(self, positions: np.ndarray) -> np.ndarray:
        none = np.zeros(len(positions), np.int64)
        sample = FlockFrame("all", none, positions, positions, none, self._space)
        return np.where(self._periodic, centroid(sample), np.median(positions, axis=0))


def _sample(flock: FlockFrame) -> np.ndarray:
    """Return (N, D) float64 finite positions of a sample of its boids."""
    positions = np.asarray(flock.positions[:: max(1, len(flock) // SAMPLE)], np.float64)
    finite = np.isfinite(positions)
    return positions if finite.all() else positions[finite.all(axis=1)]


def _corners(shape: ObstacleShape, space: Space) -> np.ndarray:
    """Return the (4, 2) corners of its bounding box in a 2-D space."""
    position, scale, _ = shape.placement(space)
    signs = np.array(list(itertools.product((-1.0, 1.0), repeat=2)))
    return position[:2] + signs * scale[:2]


def _without_outliers(offsets: np.ndarray) -> np.ndarray:
    """Return the offsets (M, D) without those that are very far from the centre."""
    distance = _distances(offsets)
    return offsets[distance <= MAX_OUTLIER * quantile(distance, 0.96)[0]]


def _distances(offsets: np.ndarray) -> np.ndarray:
    """Return the lengths (N,) of offsets (N, D)."""
    return np.sqrt(np.einsum("ij,ij->i", offsets, offsets))


def _reach(offsets: np.ndarray) -> np.ndarray:
    """Return the 96 % quantile (D,) of the distances from the centre along each axis."""
    return quantile(np.abs(offsets), 0.96)[0]


def quantile(values: np.ndarray, *parts: float) -> np.ndarray:
    """Return quantiles (parts, ...) of (N, ...) values, as the nearest of the values."""
    index = [round(part * (len(values) - 1)) for part in parts]
    return np.partition(values.T, index)[..., index].T
