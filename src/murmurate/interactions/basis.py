"""Functions whose sum is a response: splines of distance times functions of direction.

A response has two parts: `turning`, across the heading, and `speeding`, along it. The terms are
vectors, so they are the same in two and three dimensions, and mirror images of each other respond
alike. With e the unit vector of the own heading, u that to a neighbour, w the neighbour's velocity
over the mean speed, and _|_ the part of a vector across the heading:

    turning     u_|_ (u.e)^n        towards the neighbour, by its bearing
                w_|_ (u.e)^n        towards its heading
                w_|_ (w.e/|w|)^n    towards its heading, by the difference of headings
    speeding    e (u.e)^n           by the bearing of the neighbour
                e (w.e - the animal's speed over the mean speed)    to the neighbour's speed
                e               by the animal's speed

Animals that choose a heading in every frame take that of e plus such terms. Parts along the heading
count too, so the first terms are whole vectors:

    both        u               towards the neighbour
                w               towards its heading

Walls are neighbours without a heading: their terms are those with u, the direction to the wall.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from scipy.interpolate import BSpline
from scipy.sparse import csr_array

from murmurate.interactions.arena import Arena
from murmurate.model.space import Space

Form = Literal["distance", "angles"]
Motion = Literal["smooth", "steps", "kicks"]
DEGREE = 3
DRIVE_PIECES = 4  # of the spline of speed
SECTORS = 8
"""Of bearings and of differences of headings, up to 180 degrees, in which pairs are counted."""


class Term(NamedTuple):
    """A term of a response, without its function of distance.

    name  "pull": towards a neighbour; "heading": towards its heading; "bearing" and "speed": of
        speeding; "drive": of the animal's speed alone
    bearing, heading  powers of the cosines of the bearing and of the difference of headings
    """

    part: Literal["turning", "speeding", "both"]
    name: str
    bearing: int = 0
    heading: int = 0


TERMS: dict[Form, tuple[Term, ...]] = {
    "distance": (
        Term("turning", "pull"),
        Term("turning", "heading"),
        Term("speeding", "bearing", bearing=1),
        Term("speeding", "speed"),
    ),
    "angles": (
        *(Term("turning", "pull", bearing=n) for n in range(4)),
        *(Term("turning", "heading", heading=n) for n in range(3)),
        Term("turning", "heading", bearing=1),
        *(Term("speeding", "bearing", bearing=n) for n in range(4)),
        *(Term("speeding", "speed", bearing=n) for n in range(2)),
    ),
}
DRIVE = Term("speeding", "drive")
WALLS: dict[Motion, tuple[Term, ...]] = {
    "smooth": (Term("turning", "wall"), Term("speeding", "wall", bearing=1)),
    "steps": (Term("both", "wall"),),
    "kicks": (Term("turning", "wall"),),
}
PULL, HEADING = Term("both", "pull"), Term("both", "heading")
STEP_TERMS: dict[Form, tuple[Term, ...]] = {
    "distance": (PULL, HEADING),
    "angles": (
        PULL,
        HEADING,
        *(Term("turning", "pull", bearing=n) for n in range(1, 4)),
        *(Term("turning", "heading", heading=n) for n in range(1, 3)),
        Term("turning", "heading", bearing=1),
    ),
}
PARTS = {
    PULL: (Term("turning", "pull"), Term("speeding", "bearing", bearing=1)),
    HEADING: (
        Term("turning", "heading"), Term("speeding", "speed"), Term("speeding", "bearing"),
    ),
    WALLS["steps"][0]: WALLS["smooth"],
}  # fmt: skip
"""Term of steps -> terms of smooth motion whose sum it is, at the mean speed."""


class Pairs(NamedTuple):
    """P pairs of an animal and a neighbour.

    rows  (P,) row of the animal, in order
    distances  (P,)
    directions, headings  (P, D) unit vectors to the neighbour, and along the animal's velocity
    speeds, velocities  (P,) and (P, D) the animal's speed and the neighbour's velocity, over the
        mean speed
    """

    rows: np.ndarray
    distances: np.ndarray
    directions: np.ndarray
    headings: np.ndarray
    speeds: np.ndarray
    velocities: np.ndarray


class Angles(NamedTuple):
    """Directions and velocities of pairs along the heading, and cosines of velocities, (P,)."""

    forward: np.ndarray
    along: np.ndarray
    cosine: np.ndarray

    @classmethod
    def of(cls, pairs: Pairs) -> Angles:
        along = _dot(pairs.velocities, pairs.headings)
        sizes = np.sqrt(_dot(pairs.velocities, pairs.velocities))
        return cls(_dot(pairs.directions, pairs.headings), along, along / sizes)


def _dot(vectors: np.ndarray, others: np.ndarray) -> np.ndarray:
    product: np.ndarray = np.einsum("pd,pd->p", vectors, others)
    return product


def sector_of(angles: np.ndarray) -> np.ndarray:
    """Return the sectors of angles in radians, whatever their side."""
    turned = np.abs((angles + np.pi) % (2 * np.pi) - np.pi)
    return np.asarray(np.minimum((turned / np.pi * SECTORS).astype(int), SECTORS - 1))


@dataclass(frozen=True)
class Basis:
    """The functions of a response.

    radius  largest distance of a neighbour
    nearest  the number of nearest neighbours; None: all within the radius
    mean  divide by the number of neighbours
    knots  pieces of the splines of distance
    form  which terms
    speed  the mean speed, unit of the terms' velocities
    speeds  lowest and highest speed, ends of the spline of speed
    motion  'smooth': terms are accelerations; 'steps': they are added to the own heading of length
        1; 'kicks': turns in radians, in response to headings whatever the speed
    arena  its walls
    """

    radius: float
    nearest: int | None
    mean: bool
    knots: int
    form: Form
    speed: float
    speeds: tuple[float, float]
    motion: Motion = "smooth"
    arena: Arena | None = None

    @property
    def pair_terms(self) -> tuple[Term, ...]:
        if self.motion == "kicks":
            return tuple(term for term in TERMS[self.form] if term.part == "turning")
        return (TERMS if self.motion == "smooth" else STEP_TERMS)[self.form]

    @property
    def terms(self) -> tuple[Term, ...]:
        drive = (DRIVE,) if self.motion == "smooth" else ()
        return (*self.pair_terms, *self.wall_terms, *drive)

    @property
    def wall_terms(self) -> tuple[Term, ...]:
        return WALLS[self.motion] if self.arena is not None else ()

    @cached_property
    def _columns(self) -> dict[Term, slice]:
        ends = np.cumsum([self.width(term) for term in self.terms]).tolist()
        return {t: slice(e - self.width(t), e) for t, e in zip(self.terms, ends, strict=True)}

    def columns(self, term: Term) -> slice:
        """Return the columns of a term."""
        return self._columns[term]

    def columns_of(self, terms: Sequence[Term]) -> np.ndarray:
        """Return the columns of several terms."""
        return np.concatenate([np.r_[self.columns(term)] for term in terms])

    def pieces(self, term: Term) -> int:
        """Return the number of pieces of a term's splines."""
        return DRIVE_PIECES if term == DRIVE else self.knots

    def width(self, term: Term) -> int:
        """Return the number of splines of a term."""
        return self.pieces(term) + DEGREE

    @property
    def size(self) -> int:
        return sum(map(self.width, self.terms))

    def knots_of(self, term: Term) -> np.ndarray:
        """Return the knots of a term's splines."""
        ends = self.speeds if term == DRIVE else (0.0, self.radius)
        inner = np.linspace(*ends, self.pieces(term) + 1)
        return np.concatenate([[ends[0]] * DEGREE, inner, [ends[1]] * DEGREE])

    def splines(self, term: Term, values: np.ndarray) -> csr_array:
        """Return the splines of a term at distances or speeds, (P, width)."""
        if not len(values):
            return csr_array((0, self.width(term)))
        knots = self.knots_of(term)
        inside = np.clip(values, knots[0], np.nextafter(knots[-1], -np.inf))
        return csr_array(BSpline.design_matrix(inside, knots, DEGREE))

    def fields(self, positions: np.ndarray, velocities: np.ndarray, space: Space) -> np.ndarray:
        """Return the vectors of all functions, (T, N, D, K), nan where an animal is not known.

        positions, velocities  (T, N, D)
        """
        pairs, counts = self.pairs(positions, velocities, space)
        sums = self.sums(pairs, counts, positions, velocities)
        return sums.reshape(*positions.shape, self.size)

    def sums(
        self, pairs: Pairs, counts: np.ndarray, positions: np.ndarray, velocities: np.ndarray
    ) -> np.ndarray:
        """Return the vectors of all functions, (T N, D, K), of the pairs of these animals."""
        dims = velocities.shape[2]
        speeds = np.linalg.norm(velocities, axis=2).reshape(-1)
        out = np.zeros((len(speeds), dims, self.size))
        is_moving = np.isfinite(speeds) & (speeds > 0)
        vectors = np.where(is_moving[:, None], velocities.reshape(-1, dims), 1.0)
        heading = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        self._add(out, self.pair_terms, pairs)
        if self.mean:
            out /= np.maximum(counts, 1)[:, None, None]
        if self.wall_terms:
            self._add(out, self.wall_terms, self.wall_pairs(positions, velocities))
        if DRIVE in self.terms:
            alone = self.splines(DRIVE, np.where(is_moving, speeds, 0.0)).toarray()
            out[:, :, self.columns(DRIVE)] = heading[:, :, None] * alone[:, None, :]
        out[~is_moving] = np.nan
        return out

    def _add(self, out: np.ndarray, terms: Sequence[Term], pairs: Pairs) -> None:
        """Write the sums over pairs of some terms, (R, D, K)."""
        designs, angles = self.splines(self.terms[0], pairs.distances), Angles.of(pairs)
        order = np.arange(len(pairs.rows), dtype=np.int32)
        ends = np.searchsorted(pairs.rows, np.arange(len(out) + 1)).astype(np.int32)
        shape = (len(out), len(order))
        for term in terms:
            weights = _vectors(term, pairs, angles)
            for axis in range(out.shape[1]):
                shares = csr_array((weights[:, axis], order, ends), shape=shape)
                out[:, axis, self.columns(term)] = (shares @ designs).toarray()

    def visits(self, pairs: Pairs, positions: np.ndarray, velocities: np.ndarray) -> np.ndarray:
        """Return the sums of the splines of distance over pairs, (3, SECTORS, knots + 3).

        First by their bearings, then by their differences of headings; of walls by their bearings.
        """
        angles = Angles.of(pairs)
        counted = [(pairs, angles.forward), (pairs, angles.cosine)]
        if self.arena is not None:
            walls = self.wall_pairs(positions, velocities)
            counted.append((walls, Angles.of(walls).forward))
        out = np.zeros((3, SECTORS, self.width(self.terms[0])))
        for k, (some, cosines) in enumerate(counted):
            order = np.arange(len(cosines))
            sectors = sector_of(np.arccos(np.clip(cosines, -1, 1)))
            shape = (SECTORS, len(order))
            ones = csr_array((np.ones(len(order)), (sectors, order)), shape)
            out[k] = (ones @ self.splines(self.terms[0], some.distances)).toarray()
        return out

    def wall_pairs(self, positions: np.ndarray, velocities: np.ndarray) -> Pairs:
        """Return all pairs of an animal, (T, N, D), and a wall within the radius."""
        assert self.arena is not None
        dims = positions.shape[2]
        points, moves = positions.reshape(-1, dims), velocities.reshape(-1, dims)
        speeds = np.linalg.norm(moves, axis=1)
        parts = []
        for distances, towards in self.arena.near(points):
            rows = np.flatnonzero((distances < self.radius) & (speeds > 0))
            parts.append((rows, distances[rows], towards[rows]))
        rows, distances, towards = (np.concatenate(part) for part in zip(*parts, strict=True))
        order = np.argsort(rows, kind="stable")
        rows, distances, towards = rows[order], distances[order], towards[order]
        headings = moves[rows] / speeds[rows][:, None]
        return Pairs(rows, distances, towards, headings, speeds[rows] / self.speed, headings)

    def pairs(
        self, positions: np.ndarray, velocities: np.ndarray, space: Space
    ) -> tuple[Pairs, np.ndarray]:
        """Return all pairs within the radius, and the number of neighbours of each animal."""
        animals = positions.shape[1]
        gaps = space.minimum_image(positions[:, None, :, :] - positions[:, :, None, :])
        distances = np.sqrt(np.einsum("tijd,tijd->tij", gaps, gaps))
        distances[:, np.arange(animals), np.arange(animals)] = np.inf
        speeds = np.linalg.norm(velocities, axis=2)
        is_moving = np.isfinite(speeds) & (speeds > 0)
        is_near = (distances < self.radius) & is_moving[:, :, None] & is_moving[:, None, :]
        if self.nearest is not None and self.nearest < animals - 1:
            ranked = np.where(is_near, distances, np.inf)
            limit = np.partition(ranked, self.nearest - 1, axis=2)[..., self.nearest - 1]
            is_near &= ranked <= limit[..., None]
        frame, animal, neighbour = np.nonzero(is_near)
        lengths = np.maximum(distances[is_near], 1e-12 * self.radius)
        pairs = Pairs(
            frame * animals + animal,
            lengths,
            gaps[is_near] / lengths[:, None],
            velocities[frame, animal] / speeds[frame, animal][:, None],
            speeds[frame, animal] / self.speed,
            velocities[frame, neighbour] / self.speed,
        )
        return pairs, is_near.sum(axis=2).reshape(-1)

    def directions(self, bearing: float, heading: float, speed: float) -> dict[Term, np.ndarray]:
        """Return the vector of each term for one neighbour in 2-D: along the heading, and left.

        bearing, heading  of the neighbour, radians from the own heading, positive to the left
        speed  its speed over the mean speed, which is the animal's
        """
        unit = np.ones(1)
        pair = Pairs(
            np.zeros(1, int), unit, np.array([[np.cos(bearing), np.sin(bearing)]]),
            np.array([[1.0, 0.0]]), unit, speed * np.array([[np.cos(heading), np.sin(heading)]]),
        )  # fmt: skip
        angles = Angles.of(pair)
        terms = (*self.pair_terms, *self.wall_terms)
        return {term: _vectors(term, pair, angles)[0] for term in terms}


def _vectors(term: Term, pairs: Pairs, angles: Angles) -> np.ndarray:
    """Return the vector of a term of each pair, (P, D), without its function of distance."""
    headings, velocities = pairs.headings, pairs.velocities
    if term.part == "both":
        return velocities if term == HEADING else pairs.directions
    factor = angles.forward**term.bearing * angles.cosine**term.heading
    if term.name == "pull" or (term.name, term.part) == ("wall", "turning"):
        vectors = pairs.directions - angles.forward[:, None] * headings
    elif term.name == "heading":
        vectors = velocities - angles.along[:, None] * headings
    elif term.name == "speed":
        vectors = (angles.along - pairs.speeds)[:, None] * headings
    else:
        vectors = headings
    return factor[:, None] * vectors
