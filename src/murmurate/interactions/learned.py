"""Interactions learned from tracks: functions of distance and directions, with bands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from murmurate.errors import MeasureError
from murmurate.interactions.basis import (
    DRIVE,
    PARTS,
    SECTORS,
    TERMS,
    WALLS,
    Basis,
    Term,
    sector_of,
)
from murmurate.interactions.regression import Regression
from murmurate.interactions.steps import Stepping
from murmurate.model.flock import Flock
from murmurate.model.model import Model
from murmurate.model.number_table import pack_table
from murmurate.model.rule import Motion, Rule
from murmurate.model.space import Space
from murmurate.model.start import Directions as StartDirections
from murmurate.model.start import InBall
from murmurate.rules.learned import Learned, LearnedWalls
from murmurate.rules.motions import Add, SelfPropelled
from murmurate.rules.turning import RandomTurn

if TYPE_CHECKING:
    from pathlib import Path

    from murmurate.plots.style import Colours, SizeName

MIN_PAIRS = 100
MIN_SEEN = 25
MIN_BLOCKS = 5
"""Pairs near a distance, those of them in a sector of directions, and blocks that have one, from
which on a response there is drawn."""
MAX_INFLATION = 30.0
"""Largest variance of an identified function, over that with all others fixed."""
POINTS = 60  # of a curve


class At(NamedTuple):
    """A neighbour, or a wall: its direction and its heading in degrees; None: any heading."""

    bearing: float
    heading: float | None = None
    is_wall: bool = False


@dataclass(frozen=True, eq=False)
class Response:
    """Values of a response with 95% bands, or nan if the data do not determine them.

    Attributes
    ----------
    x : (P,) array
        Distances, or speeds.
    value, lower, upper : (P,) arrays
        Accelerations, in lengths per squared time; for motion 'steps' radians per frame, for
        'kicks' radians.
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
    visits : (B, 3, sectors, knots + 3) array
        Sums of the splines of distance over the pairs of each block, by the bearing of the
        neighbour and by the difference of headings; over walls, by their bearings.
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
            motions 'steps' and 'kicks' it is the turn in a frame or at a kick, in radians, of an
            animal with one neighbour.
        """
        distances = np.atleast_1d(np.asarray(distance, float))
        return self._turning(distances, [At(bearing, relative_heading)])

    def speeding(
        self, distance: Any, bearing: float = 0.0, relative_heading: float = 0.0
    ) -> Response:
        """Return the acceleration along the heading in response to one neighbour.

        Parameters and result as of `turning`; the neighbour has the animal's own speed. Raises
        MeasureError for motion 'steps', whose speed is constant.
        """
        self._check_smooth("speeding")
        distances = np.atleast_1d(np.asarray(distance, float))
        at = At(bearing, relative_heading)
        return self._mean(distances, [at], self._rows("speeding", distances, at)[None])

    def at_walls(self, distance: Any, bearing: float = 45.0) -> Response:
        """Return the turning in response to a wall.

        Parameters
        ----------
        distance : array_like of shape (P,)
            Distances of the wall.
        bearing : float, default 45
            Direction of its nearest point in degrees from the heading, positive to the left.

        Returns
        -------
        Response
            As of `turning`: negative away from a wall on the left.

        Raises
        ------
        MeasureError
            For interactions that were learned without walls.
        """
        self._check_walls("at_walls")
        distances = np.atleast_1d(np.asarray(distance, float))
        return self._turning(distances, [At(bearing, is_wall=True)])

    def seen(
        self,
        distance: Any,
        bearing: float | None = None,
        relative_heading: float | None = None,
    ) -> np.ndarray:
        """Return whether enough neighbours were seen at each distance to tell a response.

        Parameters
        ----------
        distance : array_like of shape (P,)
        bearing, relative_heading : float, optional
            In degrees. Only neighbours in this direction, and with this heading, count, of eight
            sectors from 0 to 180 degrees on both sides.

        Returns
        -------
        (P,) array of bool
        """
        distances = np.atleast_1d(np.asarray(distance, float))
        return self._seen(distances, {0: bearing, 1: relative_heading})

    def _seen(self, distances: np.ndarray, angles: Mapping[int, float | None]) -> np.ndarray:
        """Return where pairs were seen at angles in degrees, by their number in `visits`.

        Nowhere, if neighbours' responses are not added.
        """
        if 2 not in angles and not self.is_determined:
            return np.zeros(len(distances), bool)
        design = self.basis.splines(self.basis.terms[0], distances).toarray()
        counts = [(self.visits[:, min(angles)].sum(axis=1), MIN_PAIRS)]
        for k, angle in angles.items():
            if angle is not None:
                counts.append((self.visits[:, k, sector_of(np.radians(angle))], MIN_SEEN))
        out: np.ndarray = (distances >= 0) & (distances <= self.basis.radius)
        for visits, min_pairs in counts:
            pairs = visits @ design.T
            out &= (pairs.sum(axis=0) >= min_pairs) & ((pairs >= 1).sum(axis=0) >= MIN_BLOCKS)
        return out

    @property
    def is_determined(self) -> bool:
        """Whether tracks determine responses to one neighbour.

        They do not if animals have several neighbours and responses do not add up, so that the
        largest are smaller than predicted. Then all responses to neighbours are blank.
        """
        return self.count == 2 or self.basis.nearest == 1 or self.fit.is_additive

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
        towards its heading; 'approach' is the speeding with a neighbour in front, and minus that
        with one behind; 'speed' the speeding to a neighbour's speed, for a difference of the mean
        speed; 'walls' the turning towards a wall, and 'braking' the speeding towards it; 'drive'
        the speeding of an animal alone, by its speed. For motions 'steps' and 'kicks' only animals'
        turning is there. Curves are means over the directions in which neighbours, or walls, were
        `seen` at a distance.
        """
        distances = np.linspace(0.0, self.basis.radius, POINTS + 1)[1:]
        angles = (np.arange(SECTORS) + 0.5) * 180 / SECTORS
        around = np.concatenate([angles, -angles])
        towards = [At(b, h) for b in angles for h in around]
        alignment = [At(b, h) for h in angles for b in around]
        curves = {
            "towards": self._turning(distances, towards),
            "alignment": self._turning(distances, alignment),
        }
        ahead_or_behind, walls = (
            [At(b, None, is_wall) for b in around] for is_wall in (False, True)
        )
        signs = np.sign(np.cos(np.radians(around)))[:, None, None]
        if self.basis.motion == "smooth":
            equal, faster = (
                np.array([self._rows("speeding", distances, at, s) for at in ahead_or_behind])
                for s in (1.0, 2.0)
            )
            curves["approach"] = self._mean(distances, ahead_or_behind, signs * equal)
            curves["speed"] = self._mean(distances, ahead_or_behind, faster - equal)
        if self.basis.arena is not None:
            curves["walls"] = self._turning(distances, [At(b, None, True) for b in angles])
        if self.basis.arena is not None and self.basis.motion == "smooth":
            rows = np.array([self._rows("speeding", distances, at) for at in walls])
            curves["braking"] = self._mean(distances, walls, signs * rows)
        if self.basis.motion == "smooth":
            curves["drive"] = self.drive(np.linspace(*self.basis.speeds, POINTS))
        return curves

    def rule(self) -> Learned:
        """Return the rule with the learned responses.

        At a distance without a response it is that at the nearest distance with one.

        Raises
        ------
        MeasureError
            If the tracks do not determine responses to neighbours.
        """
        if not self.is_determined:
            raise MeasureError(
                "rule: got tracks of groups in which responses do not add up; expected pairs. "
                "Use tracks of pairs, or learn with nearest=1"
            )
        table = self._table(self.basis.pair_terms, TERMS["angles"], 0)
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
            headings=self.basis.motion == "kicks",
            lowest_speed=self.basis.speeds[0],
            highest_speed=self.basis.speeds[1],
        )

    def _table(self, terms: Sequence[Term], columns: Sequence[Term], visited: int) -> np.ndarray:
        """Return values of terms at distances from 0 to the radius, (61, columns).

        visited  which of `visits`: where there are none, values are those at the nearest distance
        """
        distances = np.linspace(0.0, self.basis.radius, POINTS + 1)
        seen = np.flatnonzero(self._seen(distances, {visited: None}))
        table = np.zeros((len(distances), len(columns)))
        if not len(seen):
            return table
        gaps = np.abs(seen[None, :] - np.arange(len(distances))[:, None])
        nearest = seen[gaps.argmin(axis=1)]
        for term in terms:
            design = self.basis.splines(term, distances[nearest]).toarray()
            values = design @ self.fit.coefficients[self.basis.columns(term)]
            for part in PARTS.get(term, (term,)):
                table[:, columns.index(part)] += values
        return table

    def wall_rule(self) -> LearnedWalls:
        """Return the rule by which boids respond to walls as was learned.

        Raises
        ------
        MeasureError
            For interactions that were learned without walls.
        """
        self._check_walls("wall_rule")
        table = self._table(self.basis.wall_terms, WALLS["smooth"], 2)
        return LearnedWalls(radius=self.basis.radius, table=pack_table(table.ravel()))

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
        arena = self.basis.arena
        space, side = self.space, 4 * self.extent
        extent = self.extent
        centre: tuple[float, ...] = ()
        rules: dict[str, Rule] = {"learned": self.rule(), **self._noise()}
        if arena is not None:
            rest = (0.0,) * (space.dims - 2)
            space, centre = arena.space(space.dims, side), (*arena.centre, *rest)
            extent = min(extent, 0.9 * arena.room)
            rules["walls"] = self.wall_rule()
        elif not any(space.periodic):
            space = Space(size=(side,) * space.dims)
        start = InBall(
            radius=extent, centre=centre, velocity=StartDirections(speed=self.basis.speed)
        )
        return Model(
            name=name,
            title=f"Interactions learned from the tracks of {self.count} animals",
            dt=self.interval,
            space=space,
            flocks={"boids": Flock(count=self.count, start=start, motion=self._motion())},
            rules=rules,
            obstacles={} if arena is None else arena.obstacles(space.dims),
        )

    def _motion(self) -> Motion:
        if self.stepping is None:
            return Add()
        if self.stepping.kicks is not None:
            return self.stepping.kicks
        return SelfPropelled(
            speed=self.basis.speed, noise=self.stepping.noise, noise_law="gaussian",
            advance=self.stepping.advance,
        )  # fmt: skip

    def _noise(self) -> dict[str, Rule]:
        """Return the errors of headings of animals that kick; those of steps are in the motion."""
        if self.stepping is None or self.stepping.kicks is None:
            return {}
        return {"noise": RandomTurn(range=1.0, calm=0.0, weight=self.stepping.noise)}

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

    def _check_walls(self, name: str) -> None:
        if self.basis.arena is None:
            raise MeasureError(
                f"{name}: got interactions that were learned without walls; expected some. Learn "
                "them with `walls`"
            )

    def _turning(self, distances: np.ndarray, directions: list[At]) -> Response:
        """Return the mean turning with one neighbour, or one wall, in some directions."""
        left = np.array([self._rows("turning", distances, at) for at in directions])
        if self.basis.motion != "steps":
            return self._mean(distances, directions, left)
        weights = self._weights(distances, directions)
        along = np.array([self._rows("speeding", distances, at) for at in directions])

        def angles_of(coefficients: np.ndarray) -> np.ndarray:
            return np.arctan2(left @ coefficients, 1.0 + along @ coefficients)

        value = angles_of(self.fit.coefficients)
        # a change by more than half a circle is one to the other side
        changes = [(angles_of(c) - value + np.pi) % (2 * np.pi) - np.pi for c in self.fit.draws]
        moved = [angles_of(self.fit.coefficients - b) - value for b in self.fit.biases]
        drawn, biases = (np.einsum("dp,bdp->bp", weights, part) for part in (changes, moved))
        half = self.fit.half_width(drawn, biases)
        value = (weights * value).sum(axis=0)
        is_known = weights.any(axis=0) & self._is_identified(_averaged(weights, left))
        return _response(distances, value, half, is_known)

    def _mean(self, distances: np.ndarray, directions: list[At], rows: np.ndarray) -> Response:
        """Return a mean of functions (A, P, K) of coefficients, in A directions."""
        weights = self._weights(distances, directions)
        mean = _averaged(weights, rows)
        return self._bands(distances, mean, weights.any(axis=0) & self._is_identified(mean))

    def _weights(self, distances: np.ndarray, directions: list[At]) -> np.ndarray:
        """Return the weight of each direction in a mean, (A, P), 0 where too few were seen."""
        seen = np.array(
            [
                self._seen(distances, {2: b} if is_wall else {0: b, 1: h})
                for b, h, is_wall in directions
            ]
        )
        weights: np.ndarray = seen / np.maximum(seen.sum(axis=0), 1)
        return weights

    def _rows(self, part: str, distances: np.ndarray, at: At, speed: float = 1.0) -> np.ndarray:
        """Return the coefficients' factors (P, K) in a response; `speed` over the mean speed."""
        out = np.zeros((len(distances), self.basis.size))
        vectors = self.basis.directions(
            np.radians(at.bearing), np.radians(at.heading or 0.0), speed
        )
        for term in self.basis.wall_terms if at.is_wall else self.basis.pair_terms:
            if term.part in (part, "both"):
                along, left = vectors[term]
                design = self.basis.splines(term, distances).toarray()
                out[:, self.basis.columns(term)] = (left if part == "turning" else along) * design
        return out

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
        if self.stepping is not None and self.stepping.kicks is not None:
            kicks = self.stepping.kicks
            yield (
                f"an animal kicks every {kicks.duration:.3g} {self.time_unit} on the mean, and "
                f"goes {kicks.length:.3g} {self.unit}".rstrip()
            )
        if self.stepping is not None:
            old = ", from where neighbours were before the last step"
            yield (
                f"headings are chosen with an error of {np.degrees(self.stepping.noise):.3g} "
                f"degrees{old if self.stepping.advance == 'old' else ''}"
            )
        if self.basis.motion == "steps" and self.stepping is not None:
            error = self.stepping.error
            yield (
                f"errors of positions of {error:.3g} are corrected for"
                if error
                else ("errors of positions are taken as none")
            )
        distances = np.linspace(0.0, self.basis.radius, POINTS + 1)[1:]
        angles = (np.arange(SECTORS) + 0.5) * 180 / SECTORS
        bearings = np.mean([self.seen(distances, a) for a in angles])
        headings = np.mean([self.seen(distances, None, a) for a in angles])
        ratio, error = self.fit.saturation
        if not self.fit.is_additive:
            yield (
                f"large responses are {ratio:.2f} ± {error:.2f} times as large as small ones "
                "predict: turns have a limit, or responses do not add up"
            )
        if self.is_determined:
            yield (
                f"neighbours were seen in {bearings:.0%} of all distances and bearings, and in "
                f"{headings:.0%} of all distances and differences of headings: elsewhere the rule "
                "is a guess"
            )
        else:
            yield "so tracks of groups do not determine responses to one neighbour: use pairs"
        what = "accelerations" if self.stepping is None else "changes of heading"
        for form, (skill, error) in self.skills.items():
            chosen = " (chosen)" if form == form_name(self.basis) else ""
            yield f"{form}: predicts {skill:.1%} ± {error:.1%} of left-out {what}{chosen}"


def _averaged(weights: np.ndarray, rows: np.ndarray) -> np.ndarray:
    mean: np.ndarray = np.einsum("ap,apk->pk", weights, rows)
    return mean


def _response(x: np.ndarray, value: np.ndarray, half: np.ndarray, visited: np.ndarray) -> Response:
    value, half = np.where(visited, value, np.nan), np.where(visited, half, np.nan)
    return Response(x, value, value - half, value + half)


def form_name(basis: Basis) -> str:
    """Return the name of a form in comparisons."""
    depends = "distance alone" if basis.form == "distance" else "distance and directions"
    return f"{'mean' if basis.mean else 'sum'} of neighbours, by {depends}"
