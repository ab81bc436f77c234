"""Learn interaction functions from tracks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from typing import Any, Literal, NamedTuple

import numpy as np

from murmurate.errors import MeasureError
from murmurate.interactions.arena import Arena
from murmurate.interactions.basis import Basis, Form, Motion
from murmurate.interactions.followed import Group, error_of_positions, motion_of, step_lengths
from murmurate.interactions.kicks import is_gliding, kick_motion, with_glides
from murmurate.interactions.learned import MIN_PAIRS, LearnedInteractions, form_name
from murmurate.interactions.local_fits import local_fits
from murmurate.interactions.products import Products, block_products
from murmurate.interactions.regression import Regression, Sums, regress
from murmurate.interactions.steps import (
    ADVANCES,
    Advance,
    Stepping,
    StepProducts,
    heading_noise,
    step_blocks,
)
from murmurate.measures import nearest_neighbour_distance, of_arrays
from murmurate.measures.flock_data import valid_rows
from murmurate.measures.limits import check_integer, check_positive, format_value, is_number
from murmurate.tracks import Tracks

REACH = 5.0  # default radius, in mean nearest-neighbour distances
KNOTS, FEW_KNOTS = 20, 10  # of the result, and of what is compared
HALF = 8
DRAWS = 200  # of blocks
SEED = 1  # of these draws, and of errors that are added
BLOCKS = 40  # in all tracks together
MIN_BLOCKS = 8
MIN_FRAMES = 10  # of a block of steps
MAX_ERROR = 0.35
"""Errors of positions over the length of a step, up to which a parabola extrapolates well."""
MAX_BLOCK = 200  # frames, since the functions of a block are in memory at once
ROUNDING = 1e-12  # of positions, which is no motion
OUTER = 0.005  # part of the speeds that is beyond the ends of the spline


def learn_interactions(
    tracks: Tracks | Sequence[Tracks],
    *,
    radius: float | None = None,
    nearest: int | None = None,
    mean: bool | None = None,
    form: Form | None = None,
    motion: Motion | Literal["auto"] = "auto",
    noise: float | None = None,
    window: int = 2 * HALF + 1,
    flock: str | None = None,
    walls: Any = None,
) -> LearnedInteractions:
    """Learn from tracks how animals turn and change speed in response to neighbours.

    Parameters
    ----------
    tracks : Tracks, or a sequence of Tracks
        Of one group of animals, or several groups with the same rules.
    radius : float, optional
        Largest distance of neighbours, in length units. The default is five mean nearest-neighbour
        distances.
    nearest : int, optional
        The number of nearest neighbours within the radius that count. The default is all.
    mean : bool, optional
        Whether responses to several neighbours are averaged; else they are summed. By default the
        one that predicts left-out tracks better.
    form : {'distance', 'angles'}, optional
        'distance': how strong a response is depends on the distance alone; 'angles': also on the
        bearing of the neighbour and on the difference of headings. By default the first, unless
        the second predicts left-out tracks better by more than a standard error.
    motion : {'auto', 'smooth', 'steps', 'kicks'}, default 'auto'
        'smooth': animals accelerate, and change little within the window; 'steps': they choose a
        heading in every frame and move at constant speed, as in Vicsek's model; 'kicks': they turn
        when they kick, and glide straight on with falling speed. By default what the tracks show;
        if they do not tell, an error asks.
    noise : float, optional
        Standard deviation of the errors of positions, for motion 'steps'. By default it is
        estimated from the lengths of steps. For smooth motion no level has to be known.
    window : int, default 17
        Frames of which a position and a velocity are estimated, for smooth motion. Motion within it
        must be smooth.
    flock : str, optional
        Name of the group, of tracks with several. The default is the largest.
    walls : str, array_like or path, optional
        Outline of a circle, a box or a convex polygon, in the formats of `zone` of `time_in_zone`:
        responses to its walls within the radius are learned too. In 3-D walls are vertical.

    Returns
    -------
    LearnedInteractions

    Raises
    ------
    MeasureError
        For tracks that are too short, and invalid options.

    Notes
    -----
    Accelerations are regressed on splines of distance times functions of directions, with penalised
    roughness (Eilers and Marx 1996, doi:10.1214/ss/1038425655), as in Lu, Zhong, Tang and Maggioni
    2019, doi:10.1073/pnas.1822012116. Errors of the tracker do not bias the functions, if those of
    different frames are independent: see `local_fits`. All functions are fitted
    together: in a `force_map`, which is a mean over pairs, each contains the effects of the others
    and of the pattern of the group (Mudaliar and Schaerf 2020, doi:10.1371/journal.pone.0243631).
    """
    files = [tracks] if isinstance(tracks, Tracks) else list(tracks)
    if not files:
        raise MeasureError("tracks: got none; expected at least one")
    for file in files:
        if "smoothed" in file.attrs:
            raise MeasureError(
                f"{file.path}: got smoothed positions; expected those of the tracker, whose errors "
                "are independent from frame to frame. Leave --smooth out"
            )
    _check_same(files)
    rows = [_rows(file, flock) for file in files]
    groups = [Group.of(file, columns) for file, columns in zip(files, rows, strict=True)]
    half = (check_integer(window, "window", 15) - 1) // 2
    notes = []
    if radius is None:
        radius = REACH * _nearest_distance(files, rows)
        notes.append(f"neighbours within {radius:.3g}, five mean nearest-neighbour distances")
    check_positive(radius, "radius")
    if nearest is not None:
        check_integer(nearest, "nearest", 1)
    arena = None if walls is None else Arena.of(walls, files[0].space)
    motion = _motion(groups, half, motion, noise)
    assumed = {
        "smooth": f"motion is taken as smooth over {2 * half + 1} frames",
        "steps": "animals choose a heading in every frame",
        "kicks": "animals turn when they kick, and glide between two kicks",
    }
    notes.append(assumed[motion])
    if jumps := sum(group.jumps for group in groups):
        notes.append(f"tracks are cut at {jumps} jumps, where two may have been swapped")
    averages = (False, True) if mean is None else (mean,)
    forms: tuple[Form, ...] = ("distance", "angles") if form is None else (form,)  # widest last
    search = Search(radius, nearest, averages, forms, motion, arena)
    learn = _learn_smooth if motion == "smooth" else _learn_steps
    choice, blocks, fit, stepping = learn(groups, search, half, noise)
    return LearnedInteractions(
        fit.basis,
        fit,
        np.array([b.visits for b in blocks]),
        choice.skills | {form_name(fit.basis): (fit.skill, fit.error)},
        files[0].unit,
        "s" if files[0].timed else "frame",
        groups[0].interval,
        files[0].space,
        len(rows[0]),
        float(np.mean([_extent(file, columns) for file, columns in zip(files, rows, strict=True)])),
        tuple(notes),
        stepping,
    )


def _motion(
    groups: list[Group], half: int, motion: Motion | Literal["auto"], noise: float | None
) -> Motion:
    """Check the options of motion, and return which it is."""
    if motion not in ("auto", "smooth", "steps", "kicks"):
        raise MeasureError(f"motion: got {motion!r}; expected 'auto', 'smooth', 'steps' or 'kicks'")
    if noise is not None and not (is_number(noise) and noise >= 0):
        raise MeasureError(f"noise: got {format_value(noise)}; expected a number from 0")
    if motion == "auto":
        motion = "kicks" if is_gliding(groups) else motion_of(groups, half)
    if motion != "steps" and noise is not None:
        raise MeasureError(
            f"noise: got {noise} for motion {motion!r}; expected none, since there errors of "
            "positions matter little. Leave it out, or give motion 'steps'"
        )
    return motion


class Choice(NamedTuple):
    """What predicts best: a basis, when neighbours are sensed, and the skills of all forms."""

    basis: Basis
    advance: Advance
    skills: dict[str, tuple[float, float]]


BlocksOf = Callable[[Basis, Advance], Sequence[Sums]]


def _choose(
    first: Basis, advances: Sequence[Advance], search: Search, blocks_of: BlocksOf
) -> Choice:
    """Compare sums and means, when neighbours are sensed, and then the wider form."""
    bases = [replace(first, mean=mean) for mean in search.averages]
    options = list(product(bases, advances))
    if len(options) == len(search.forms) == 1:
        return Choice(*options[0], {})
    fits = {option: regress(option[0], blocks_of(*option), 0, SEED) for option in options}
    best = max(fits, key=lambda option: fits[option].skill)
    if len(search.forms) > 1:
        wide = (replace(best[0], form=search.forms[-1]), best[1])
        fits[wide] = regress(wide[0], blocks_of(*wide), 0, SEED)
        gain = fits[wide].folds - fits[best].folds
        best = wide if gain.mean() > gain.std(ddof=1) / np.sqrt(len(gain)) else best
    skills = {form_name(b): (f.skill, f.error) for (b, a), f in fits.items() if a == best[1]}
    return Choice(*best, skills)


class Search(NamedTuple):
    """Candidates that are compared."""

    radius: float
    nearest: int | None
    averages: tuple[bool, ...]
    forms: tuple[Form, ...]
    motion: Motion
    arena: Arena | None

    def basis(self, speed: float, speeds: tuple[float, float]) -> Basis:
        return Basis(
            self.radius, self.nearest, False, FEW_KNOTS, self.forms[0], speed, speeds,
            self.motion, self.arena,
        )  # fmt: skip


Learned = tuple[Choice, Sequence[Sums], Regression, Stepping | None]


def _learn_smooth(groups: list[Group], search: Search, half: int, _: float | None) -> Learned:
    """Learn smooth motion; what a wider window changes is in the bands."""

    frames = _block_length(groups, 4 * half)

    def blocks_of(basis: Basis, half: int = half, min_blocks: int = MIN_BLOCKS) -> list[Products]:
        blocks = [b for group in groups for b in block_products(group, basis, half, frames)]
        _check_blocks(blocks, frames, basis.radius, min_blocks)
        return blocks

    first = search.basis(*_speeds(groups, half))
    choice = _choose(first, ADVANCES[:1], search, lambda basis, _: blocks_of(basis))
    basis = replace(choice.basis, knots=KNOTS)
    blocks = blocks_of(basis)
    fit = regress(basis, blocks, DRAWS, SEED)
    wider = regress(basis, blocks_of(basis, half + half // 2, 2), 0, SEED)
    fit.biases[1] = fit.coefficients - wider.coefficients
    return choice, blocks, fit, None


def _learn_steps(groups: list[Group], search: Search, _: int, noise: float | None) -> Learned:
    """Choose when and how neighbours count without correction for errors, then correct for them."""
    error = noise or 0.0
    if search.motion == "steps" and noise is None:
        error = error_of_positions(groups)
    lengths = np.concatenate([step_lengths(group.positions, error).ravel() for group in groups])
    squares = lengths[np.isfinite(lengths)] ** 2
    speed = float(np.sqrt(squares.mean())) / groups[0].interval if len(squares) else 0.0
    if not speed > 0:
        raise MeasureError("tracks: got no animal that moves; expected some")
    part = error / (speed * groups[0].interval)
    if part > MAX_ERROR:
        raise MeasureError(
            f"noise: got errors of {error:.3g}, {part:.0%} of a step; expected at most "
            f"{MAX_ERROR:.0%}. Such tracks have no usable headings"
        )
    frames, advances, kicks = _block_length(groups, MIN_FRAMES), ADVANCES, None
    if search.motion == "kicks":
        groups, advances = [with_glides(group) for group in groups], ADVANCES[:1]
        kicks = kick_motion(groups)

    def blocks_of(basis: Basis, advance: Advance, error: float = 0.0) -> list[StepProducts]:
        blocks = step_blocks(groups, basis, advance, frames, error, SEED)
        _check_blocks(blocks, frames, search.radius)
        return blocks

    first = search.basis(speed, (0.99 * speed, 1.01 * speed))
    choice = _choose(first, advances, search, blocks_of)
    basis, advance = replace(choice.basis, knots=KNOTS), choice.advance
    blocks = blocks_of(basis, advance, error)
    fit = regress(basis, blocks, DRAWS, SEED)
    spread = heading_noise([block.steps for block in blocks], fit.coefficients, part)
    return choice, blocks, fit, Stepping(advance, error, spread, kicks)


def _block_length(groups: list[Group], shortest: int) -> int:
    frames = sum(len(group.positions) for group in groups) // BLOCKS
    return min(max(frames, shortest), MAX_BLOCK)


def _check_blocks(
    blocks: Sequence[Sums], frames: int, radius: float, min_blocks: int = MIN_BLOCKS
) -> None:
    if len(blocks) < min_blocks:
        raise MeasureError(
            f"tracks: got {len(blocks)} blocks of {frames} frames in which animals are followed; "
            f"expected at least {min_blocks}. Give longer tracks, or a smaller window"
        )
    pairs = sum(float(block.visits[0].sum()) for block in blocks)
    if not pairs >= MIN_PAIRS:
        raise MeasureError(
            f"radius: got {radius:.3g}, within which {pairs:.0f} neighbours were seen; expected "
            f"{MIN_PAIRS} or more. Give a larger radius, or longer tracks"
        )


def _rows(tracks: Tracks, flock: str | None) -> np.ndarray:
    """Return the columns of a group of animals."""
    flocks = tracks.flocks
    name = max(flocks, key=lambda n: len(flocks[n])) if flock is None else flock
    if name not in flocks:
        raise MeasureError(f"flock: got {name!r}; expected one of {', '.join(flocks)}")
    if len(flocks[name]) < 2:
        raise MeasureError(f"{tracks.path}: got one animal; expected two or more")
    return np.asarray(flocks[name])


def _check_same(groups: list[Tracks]) -> None:
    """Raise MeasureError for tracks that differ in units, rate or dimension."""
    first = groups[0]
    for other in groups[1:]:
        for what in ("unit", "rate", "timed"):
            if getattr(other, what) != getattr(first, what):
                got, expected = (getattr(tracks, what) or "none" for tracks in (other, first))
                raise MeasureError(
                    f"{other.path}: got the {what} {got}; expected {expected}, that of {first.path}"
                )
        if other.space.dims != first.space.dims:
            raise MeasureError(
                f"{other.path}: got {other.space.dims}-D; expected {first.space.dims}-D"
            )


def _nearest_distance(files: list[Tracks], rows: list[np.ndarray]) -> float:
    """Return the mean nearest-neighbour distance in some frames of all tracks."""
    distances = []
    for tracks, columns in zip(files, rows, strict=True):
        for frame in range(0, len(tracks), max(1, len(tracks) // 20)):
            flock = of_arrays(tracks.positions[frame, columns], space=tracks.space)
            seen = valid_rows(flock, "positions")
            if len(seen) > 1:
                distances.append(nearest_neighbour_distance(seen))
    if not distances:
        raise MeasureError("tracks: got no frame with two animals; expected some")
    return float(np.mean(distances))


def _extent(tracks: Tracks, rows: np.ndarray) -> float:
    """Return the radius of a ball with the mean squared distance of a group from its centre."""
    squares = []
    for positions in tracks.positions[:: max(1, len(tracks) // 100), rows]:
        seen = positions[np.isfinite(positions).all(axis=1)]
        if len(seen):
            gaps = tracks.space.minimum_image(seen - seen[0])
            squares.append(((gaps - gaps.mean(axis=0)) ** 2).sum(axis=1).mean())
    dims = tracks.space.dims
    return float(np.sqrt((dims + 2) / dims * np.median(squares)))


def _speeds(groups: list[Group], half: int) -> tuple[float, tuple[float, float]]:
    """Return the mean speed, and the lowest and highest but for a few, of smoothed tracks."""
    paths = [local_fits(group.positions, half)[0] for group in groups]
    moves = [np.gradient(path, groups[0].interval, axis=0) for path in paths]
    speeds = np.concatenate([np.linalg.norm(move, axis=2).ravel() for move in moves])
    speeds = speeds[np.isfinite(speeds)]
    size = max(np.nanmax(np.abs(group.positions)) / group.interval for group in groups)
    if not len(speeds) or not speeds.max() > ROUNDING * size:
        raise MeasureError("tracks: got no animal that moves; expected some")
    low, high = np.quantile(speeds, [OUTER, 1 - OUTER])
    if not high > low:
        low, high = 0.99 * low, 1.01 * high
    return float(speeds.mean()), (float(low), float(high))
