"""Interactions learned from tracks: functions of distance and directions, with bands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from murmurate.errors import MeasureError
from murmurate.interactions.basis import DRIVE, PARTS, TERMS, Basis
from murmurate.interactions.regression import Regression
from murmurate.interactions.steps import Stepping
from murmurate.model.flock import Flock
from murmurate.model.model import Model
from murmurate.model.number_table import pack_table
from murmurate.model.rule import Motion
from murmurate.model.space import Space
from murmurate.model.start import Directions, InBall
from murmurate.rules.learned import Learned
from murmurate.rules.motions import Add, SelfPropelled

if TYPE_CHECKING:
    from pathlib import Path

    from murmurate.plots.style import Colours, SizeName

MIN_PAIRS = 100
MIN_BLOCKS = 5
"""Pairs near a distance, and blocks that have one, from which on a response there is drawn."""
MAX_INFLATION = 30.0
"""Largest variance of an identified function, over that with all others fixed."""
POINTS = 60  # of a curve
ANGLES = 24  # over which a curve is averaged


@dataclass(frozen=True, eq=False)
class Response:
    """Values of a response with 95% bands, or nan if the data do not determine them.

    Attributes
    ----------
    x : (P,) array
        Distances, or speeds.
    value, lower, upper : (P,) arrays
        Accelerations, in lengths per squared time; for motion 'steps' radians per frame.
    """

    x: np.ndarray
    value: np.ndarray
    lower: np.ndarray
    upper: np.ndarray

    @property
    def is_known(self) -> np.ndarray:
        """(P,) bool: whether the data determine the value."""
        return np.isfinite(self.value)


@dataclass(frozen=True, eq=False)
class LearnedInteractions:
    """How animals respond to each other, learned from tracks.

    Attributes
    ----------
    basis : Basis
        The functions: splines of distance times functions of directions.
    fit : Regression
        Their coefficients.
    visits : (B, knots + 3) array
        Sums of the splines of distance over the pairs of each block.
    skills : dict
        (skill, standard error) of each form that was compared: the part of the variance of
        accelerations in left-out blocks that it predicts. Errors of the tracker are part of the
        variance, so a perfect model does not reach 1.
    unit : str
        Of lengths; '' if unknown.
    time_unit : str
        's', or 'frame' if the frame rate is unknown.
    interval : float
        Time between frames.
    space : Space
        Of the first tracks.
    count : int
        Animals in them.
    extent : float
        Radius of a ball with the group's mean squared distance from its centre.
    notes : tuple of str
        Assumptions.
    stepping : Stepping, optional
        Steps of animals that choose a heading in every frame; None for smooth motion.
    """

    basis: Basis
    fit: Regression
    visits: np.ndarray
    skills: dict[str, tuple[float, float]]
    unit: str
    time_unit: str
    interval: float
    space: Space
    count: int
    extent: float
    notes: tuple[str, ...]
    stepping: Stepping | None = None

    def turning(
        self, distance: Any, bearing: float = 90.0, relative_heading: float = 0.0
    ) -> Response:
        """Return the acceleration across the heading in response to one neighbour.

        Parameters
        ----------
        distance : array_like of shape (P,)
            Distances of the neighbour.
        bearing : float, default 90
            Direction of the neighbour in degrees from the heading, positive to the left.
        relative_heading : float, default 0
            Its heading in degrees from the animal's, positive to the left.

        Returns
        -------
        Response
            Positive to the left. Divide by the speed for the turning rate in radians per time. For
            motion 'steps' it is the turn in a frame, in radians, of an animal with one neighbour.
        """
        distances = np.atleast_1d(np.asarray(distance, float))
        if self.stepping is None:
            rows = self._rows("turning", distances, bearing, relative_heading)
            return self._curve(distances, rows)
        return self._turn_response(distances, [(bearing, relative_heading)])

    def speeding(
        self, distance: Any, bearing: float = 0.0, relative_heading: float = 0.0
    ) -> Response:
        """Return the acceleration along the heading in response to one neighbour.

        Parameters and result as of `turning`; the neighbour has the animal's own speed. Raises
        MeasureError for motion 'steps', whose speed is constant.
        """
        self._check_smooth("speeding")
        distances = np.atleast_1d(np.asarray(distance, float))
        rows = self._rows("speeding", distances, bearing, relative_heading)
        return self._curve(distances, rows)

    def drive(self, speed: Any) -> Response:
        """Return the acceleration along the heading of an animal alone, by its speed.

        Parameters
        ----------
        speed : array_like of shape (P,)
            Within the speeds that were observed; nan outside.

        Raises
        ------
        MeasureError
            For motion 'steps', whose speed is constant.
        """
        self._check_smooth("drive")
        speeds = np.atleast_1d(np.asarray(speed, float))
        rows = np.zeros((len(speeds), self.basis.size))
        rows[:, self.basis.columns(DRIVE)] = self.basis.splines(DRIVE, speeds).toarray()
        low, high = self.basis.speeds
        inside = (speeds >= low) & (speeds <= high)
        return self._bands(speeds, rows, inside & self._is_identified(rows))

    def curves(self) -> dict[str, Response]:
        """Return the responses that plots show, by name, each a function of distance or speed.

        'towards' is the turning towards a neighbour on the left or right, and 'alignment' that
        towards its heading, means over directions; 'approach' is the speeding with a neighbour in
        front minus that with one behind, halved; 'speed' the speeding to a neighbour's speed, for
        a difference of the mean speed; 'drive' the speeding of an animal alone, by its speed. For
        motion 'steps' there are the first two.
        """
        distances = np.linspace(0.0, self.basis.radius, POINTS + 1)[1:]
        angles = (np.arange(ANGLES) + 0.5) * 180 / ANGLES
        around = np.concatenate([angles, -angles])
        if self.stepping is not None:
            some = [(a, b) for a in angles[1::3] for b in around[1::3]]
            return {
                "towards": self._turn_response(distances, some),
                "alignment": self._turn_response(distances, [(b, h) for h, b in some]),
            }
        turning = [self._rows("turning", distances, a) for a in angles]
        heading = [
            self._rows("turning", distances, b, h) + self._rows("turning", distances, -b, h)
            for b in angles[1::3]
            for h in angles[1::3]
        ]
        signs = np.sign(np.cos(np.radians(around)))
        equal = [self._rows("speeding", distances, a) for a in around]
        faster = [self._rows("speeding", distances, a, speed=2.0) for a in around]
        approach = [sign * row for sign, row in zip(signs, equal, strict=True)]
        speed = [row - other for row, other in zip(faster, equal, strict=True)]
        means = {
            "towards": np.mean(turning, axis=0),
            "alignment": np.mean(heading, axis=0) / 2,
            "approach": np.mean(approach, axis=0),
            "speed": np.mean(speed, axis=0),
        }
        curves = {name: self._curve(distances, rows) for name, rows in means.items()}
        curves["drive"] = self.drive(np.linspace(*self.basis.speeds, POINTS))
        return curves

    def rule(self) -> Learned:
        """Return the rule with the learned responses.

        At a distance without a response it is that at the nearest distance with one.
        """
        distances = np.linspace(0.0, self.basis.radius, POINTS + 1)
        visited = np.flatnonzero(self._visited(distances))
        gaps = np.abs(visited[None, :] - np.arange(len(distances))[:, None])
        nearest = visited[gaps.argmin(axis=1)]
        table = np.zeros((len(distances), len(TERMS["angles"])))
        for term in self.basis.pair_terms:
            design = self.basis.splines(term, distances[nearest]).toarray()
            values = design @ self.fit.coefficients[self.basis.columns(term)]
            for part in PARTS.get(term, (term,)):
                table[:, TERMS["angles"].index(part)] += values
        drive = np.ones(2)  # the own heading
        if self.stepping is None:
            speeds = np.linspace(*self.basis.speeds, POINTS + 1)
            alone = self.basis.splines(DRIVE, speeds).toarray()
            drive = alone @ self.fit.coefficients[self.basis.columns(DRIVE)]
        return Learned(
            radius=self.basis.radius,
            nearest=self.basis.nearest or 0,
            mean=self.basis.mean,
            table=pack_table(table.ravel()),
            speed=self.basis.speed,
            drive=pack_table(drive),
            lowest_speed=self.basis.speeds[0],
            highest_speed=self.basis.speeds[1],
        )

    def model(self, name: str = "learned") -> Model:
        """Return a flock of boids that respond as learned, one for each animal.

        Parameters
        ----------
        name : str, default "learned"
            Its name.

        Returns
        -------
        Model
            In the space of the tracks if an axis of it is periodic, else in open space. Boids start
            as wide apart as the group was, at the mean speed, with any headings.
        """
        space, side = self.space, 4 * self.extent
        if not any(space.periodic):
            space = Space(size=(side,) * space.dims)
        start = InBall(radius=self.extent, velocity=Directions(speed=self.basis.speed))
        return Model(
            name=name,
            title=f"Interactions learned from the tracks of {self.count} animals",
            dt=self.interval,
            space=space,
            flocks={"boids": Flock(count=self.count, start=start, motion=self._motion())},
            rules={"learned": self.rule()},
        )

    def _motion(self) -> Motion:
        if self.stepping is None:
            return Add()
        return SelfPropelled(
            speed=self.basis.speed, noise=self.stepping.noise, noise_law="gaussian",
            advance=self.stepping.advance,
        )  # fmt: skip

    def plot(self, ax: Any = None, *, style: Colours = "light", size: SizeName = "screen") -> Any:
        """Plot the curves, one a panel. Needs matplotlib.

        Parameters
        ----------
        ax : sequence of Axes, one for each curve, optional
            The default is a new figure.
        style : {'light', 'dark'}
        size : {'screen', 'talk', 'single-column', 'double-column'}

        Returns
        -------
        array of Axes, one for each curve
        """
        from murmurate.plots.interactions import plot_interactions

        return plot_interactions(self, ax, style=style, size=size)

    def save_plot(
        self, path: str | Path, *, style: Colours = "light", size: SizeName = "screen",
        force: bool = False,
    ) -> Path:  # fmt: skip
        """Plot the curves to a .png, .svg or .pdf, and return its path."""
        from murmurate.plots.interactions import save_interactions_plot

        return save_interactions_plot(self, path, style=style, size=size, force=force)

    def _check_smooth(self, name: str) -> None:
        if self.stepping is not None:
            raise MeasureError(
                f"{name}: got interactions of motion 'steps', whose speed is constant; expected "
                "smooth motion"
            )

    def _turn_response(
        self, distances: np.ndarray, neighbours: list[tuple[float, float]]
    ) -> Response:
        """Return the mean turn, in radians, of an animal with one neighbour.

        neighbours  bearings and relative headings in degrees
        """
        along = np.array([self._rows("speeding", distances, b, h) for b, h in neighbours])
        left = np.array([self._rows("turning", distances, b, h) for b, h in neighbours])

        def angles_of(coefficients: np.ndarray) -> np.ndarray:
            return np.arctan2(left @ coefficients, 1.0 + along @ coefficients)

        value = angles_of(self.fit.coefficients)
        # a change by more than half a circle is one to the other side
        changes = [(angles_of(c) - value + np.pi) % (2 * np.pi) - np.pi for c in self.fit.draws]
        half = self.fit.half_width(np.mean(changes, axis=1))
        visited = self._is_visited(distances, left.mean(axis=0))
        return _response(distances, value.mean(axis=0), half, visited)

    def _rows(
        self,
        part: str,
        distances: np.ndarray,
        bearing: float,
        heading: float = 0.0,
        speed: float = 1.0,
    ) -> np.ndarray:
        """Return the coefficients' factors (P, K) in a response; `speed` over the mean speed."""
        out = np.zeros((len(distances), self.basis.size))
        vectors = self.basis.directions(np.radians(bearing), np.radians(heading), speed)
        for term, (along, left) in vectors.items():
            if term.part in (part, "both"):
                design = self.basis.splines(term, distances).toarray()
                out[:, self.basis.columns(term)] = (left if part == "turning" else along) * design
        return out

    def _curve(self, distances: np.ndarray, rows: np.ndarray) -> Response:
        return self._bands(distances, rows, self._is_visited(distances, rows))

    def _is_visited(self, distances: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Return at which distances the data tell a function (P, K) of coefficients."""
        inside = (distances > 0) & (distances <= self.basis.radius)
        return self._visited(distances) & inside & self._is_identified(rows)

    def _visited(self, distances: np.ndarray) -> np.ndarray:
        """Return at which distances there are enough pairs."""
        pairs = self.visits @ self.basis.splines(self.basis.terms[0], distances).toarray().T
        visited: np.ndarray = (pairs.sum(axis=0) >= MIN_PAIRS) & (
            (pairs >= 1).sum(axis=0) >= MIN_BLOCKS
        )
        return visited

    def _is_identified(self, rows: np.ndarray) -> np.ndarray:
        """Return which functions (P, K) the others cannot replace."""
        terms = [t for t in self.basis.terms if rows[:, self.basis.columns(t)].any()]
        if not terms:
            return np.ones(len(rows), bool)
        columns = self.basis.columns_of(terms)
        identified: np.ndarray = self.fit.inflation(rows, columns) < MAX_INFLATION
        return identified

    def _bands(self, x: np.ndarray, rows: np.ndarray, visited: np.ndarray) -> Response:
        return _response(x, *self.fit.estimate(rows), visited)

    def summary(self) -> Iterator[str]:
        """Yield lines on results and assumptions."""
        yield from self.notes
        if self.stepping is not None:
            old = ", from where neighbours were before the last step"
            yield (
                f"headings are chosen with an error of {np.degrees(self.stepping.noise):.3g} "
                f"degrees{old if self.stepping.advance == 'old' else ''}"
            )
            error = self.stepping.error
            yield (
                f"errors of positions of {error:.3g} are corrected for"
                if error
                else ("errors of positions are taken as none")
            )
        what = "accelerations" if self.stepping is None else "changes of heading"
        for form, (skill, error) in self.skills.items():
            chosen = " (chosen)" if form == form_name(self.basis) else ""
            yield f"{form}: predicts {skill:.1%} +- {error:.1%} of left-out {what}{chosen}"


def _response(x: np.ndarray, value: np.ndarray, half: np.ndarray, visited: np.ndarray) -> Response:
    value, half = np.where(visited, value, np.nan), np.where(visited, half, np.nan)
    return Response(x, value, value - half, value + half)


def form_name(basis: Basis) -> str:
    """Return the name of a form in comparisons."""
    depends = "distance alone" if basis.form == "distance" else "distance and directions"
    return f"{'mean' if basis.mean else 'sum'} of neighbours, by {depends}"
