"""Positions of tracked animals for regressions, without jumps at periodic sides or of trackers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np

from murmurate.errors import MeasureError
from murmurate.model.space import Space
from murmurate.neighbours.periodic import displacements
from murmurate.tracks import Tracks

JUMP = 12.0
"""Deviation of a jump from the steps around it, in robust standard deviations. It is also larger
than a usual step."""
USUAL = 0.95  # part of the steps that are not longer than a usual one
GAP = 5
"""Frames from the nearest known position within which a position is interpolated."""
NORMAL = 1.4826  # standard deviation over median absolute deviation


class Group(NamedTuple):
    """Animals that respond to each other.

    positions  (T, N, D) without jumps, nan where an animal is not seen
    interval  time between frames
    jumps  number of jumps at which tracks were cut
    paths  (T, M, D) of the M animals before tracks were cut
    lengths  (T - 1, N) of steps, or the usual one of each animal
    kicks, headings  (T, N) whether an animal kicks, and (T - 1, N, D) directions of its glides; of
        animals that kick and glide
    """

    positions: np.ndarray
    space: Space
    interval: float
    jumps: int
    paths: np.ndarray
    lengths: np.ndarray = np.zeros(0)
    kicks: np.ndarray = np.zeros(0)
    headings: np.ndarray = np.zeros(0)

    @classmethod
    def of(cls, tracks: Tracks, rows: np.ndarray) -> Group:
        """Return the animals in these columns of tracks."""
        paths = unwrapped(tracks, rows)
        positions, jumps = cut_at_jumps(paths)
        return cls(positions, tracks.space, 1.0 / tracks.rate, jumps, paths)

    def unseen(self, frames: slice, lag: int) -> np.ndarray:
        """Return estimated positions of animals whose last step is not known, (T, M, D), else nan.

        frames  ends of steps
        lag  1 for positions before these steps, 0 for those after them
        """
        near = slice(max(0, frames.start - GAP), frames.stop + GAP)
        paths = self.paths[near]
        out = paths[frames.start - near.start - lag : frames.stop - near.start - lag].copy()
        is_seen = np.isfinite(self.paths[frames.start - 1 : frames.stop, :, 0])
        is_known = is_seen[1:] & is_seen[:-1]
        out[is_known] = np.nan
        times = np.arange(len(paths))
        for animal in np.flatnonzero(~is_known.all(axis=0)):
            seen = np.flatnonzero(np.isfinite(paths[:, animal, 0]))
            missing = np.flatnonzero(~is_known[:, animal])
            at = missing + frames.start - near.start - lag
            if len(seen):
                gaps = np.abs(seen[:, None] - at).min(axis=0)
                for axis in range(paths.shape[2]):
                    values = np.interp(times[at], seen, paths[seen, animal, axis])
                    out[missing, animal, axis] = np.where(gaps <= GAP, values, np.nan)
        return out


def unwrapped(tracks: Tracks, rows: np.ndarray) -> np.ndarray:
    """Return positions (T, N, D) without jumps at periodic sides, nan where not seen."""
    positions = tracks.positions[:, rows]
    if not any(tracks.space.periodic):
        return positions
    last = np.zeros(positions.shape[1:])  # the last known position
    out = np.empty_like(positions)
    offset = np.zeros_like(last)
    for k, row in enumerate(positions):
        is_seen = np.isfinite(row)
        jump = displacements(row, last, tracks.space) - (row - last)
        offset = np.where(is_seen & (k > 0), offset + np.where(is_seen, jump, 0.0), offset)
        last = np.where(is_seen, row, last)
        out[k] = row + offset
    return out


def cut_at_jumps(positions: np.ndarray) -> tuple[np.ndarray, int]:
    """Cut tracks at jumps, where a tracker may have swapped two animals.

    positions  (T, N, D), nan where an animal is not seen
    returns  (T, N + jumps, D), and the number of jumps
    """
    deviations = []
    peaks = np.zeros((len(positions) - 1, positions.shape[1]))
    for animal, path in enumerate(np.moveaxis(positions, 1, 0)):
        frames = np.flatnonzero(np.isfinite(path[:, 0]))
        if len(frames) > 2:
            times = np.diff(frames)
            rates = np.diff(path[frames], axis=0) / times[:, None]
            around = np.concatenate([rates[1:2], rates, rates[-2:-1]])
            changes = np.abs(rates - (around[:-2] + around[2:]) / 2).max(axis=1)
            deviations.append(times * changes)
            # the steps before and after a jump deviate by half as much: only the largest is a jump
            padded = np.pad(changes, 1)
            is_peak = changes >= np.maximum(padded[:-2], padded[2:])
            peaks[frames[1:] - 1, animal] = times * changes * is_peak  # of a gap, at its end
    if not deviations:
        return positions, 0
    lengths = np.linalg.norm(np.diff(positions, axis=0), axis=2)
    usual = float(np.nanquantile(lengths, USUAL)) if np.isfinite(lengths).any() else 0.0
    is_jump = peaks > max(JUMP * NORMAL * float(np.median(np.concatenate(deviations))), usual)
    columns = [positions]
    cut = positions.copy()
    for frame, animal in np.argwhere(is_jump):
        rest = np.full((len(cut), 1, cut.shape[2]), np.nan)
        following = is_jump[frame + 1 :, animal]
        end = frame + 1 + int(following.argmax()) + 1 if following.any() else len(cut)
        rest[frame + 1 : end, 0] = positions[frame + 1 : end, animal]
        cut[frame + 1 : end, animal] = np.nan
        columns.append(rest)
    columns[0] = cut
    return np.concatenate(columns, axis=1), int(is_jump.sum())


MIN_PRODUCTS = 5  # of second differences of a track that tells how it moves
MIN_STEPS = 20  # of an animal with a usual length of its own
STEADY = 0.2  # standard deviation of lengths of steps over their mean, at most, of a steady speed


def step_lengths(positions: np.ndarray, noise: float) -> np.ndarray:
    """Return lengths of steps, (T - 1, N), or the usual length of each animal at a steady speed.

    noise  standard deviation of errors of positions, for which usual lengths are corrected
    """
    squares = np.square(np.diff(positions, axis=0)).sum(axis=2)
    is_step = np.isfinite(squares) & (squares > 0)
    lengths = np.sqrt(np.where(is_step, squares, np.nan))
    counts, sums = is_step.sum(axis=0), np.where(is_step, squares, 0.0).sum(axis=0)
    overall = sums.sum() / max(1, counts.sum())
    means = np.where(is_step, lengths, 0.0).sum(axis=0) / np.maximum(counts, 1)
    variances = sums / np.maximum(counts, 1) - means**2 - 2 * noise**2
    usual = np.where(counts >= MIN_STEPS, sums / np.maximum(counts, 1), overall)
    usual = np.maximum(usual - 2 * positions.shape[2] * noise**2, 0.25 * usual)
    is_steady = np.sum(counts * variances) < STEADY**2 * np.sum(counts * means**2)
    return np.broadcast_to(np.sqrt(usual), lengths.shape) if is_steady else lengths


def error_of_positions(groups: list[Group]) -> float:
    """Return the standard deviation of errors of positions, from the lengths of steps.

    An error makes a step longer and the next shorter, depending on the angle between them. Changes
    of speed two steps apart share one error, and nothing else if speeds vary without memory.
    """
    products, cosines, length = [np.zeros(0)], [np.zeros(0)], 0.0
    for group in groups:
        steps = np.diff(group.positions, axis=0)
        lengths = np.linalg.norm(steps, axis=2)
        changes = np.diff(lengths, axis=0)
        length += np.nansum(lengths)
        units = steps / np.where(lengths > 0, lengths, np.nan)[..., None]
        products.append((changes[:-2] * changes[2:]).ravel())
        cosines.append((units[1:-2] * units[2:-1]).sum(axis=2).ravel())
    product, cosine = np.concatenate(products), np.concatenate(cosines)
    is_known = np.isfinite(product) & np.isfinite(cosine)
    product, cosine = product[is_known], cosine[is_known]
    if not len(product) or cosine.mean() <= 0:
        return 0.0
    mean, error = product.mean(), product.std() / np.sqrt(len(product))
    size = float(np.sqrt(max(mean, 0.0) / cosine.mean()))
    return size if mean > 2 * error and size > TINY * length / len(product) else 0.0


TINY = 1e-6  # of a step: largest effect of rounding
SMOOTH, SUDDEN = 0.02, 0.08
"""Squared random change of heading in half a window, in radians: the largest of smooth motion, and
the smallest of steps."""


def motion_of(groups: list[Group], half: int) -> Literal["smooth", "steps"]:
    """Return whether motion within 2 half + 1 frames is smooth, or headings change at random.

    Raises MeasureError for motion in between. Second differences of positions are sums of three
    parts, with different covariances at lags 0, 1 and 2. Those of errors of positions are as 6, -4
    and 1, and those of smooth changes are nearly equal. Random changes have lag 0 only.
    """
    rows = [row for group in groups for row in _covariances(group.positions)]
    if not rows:
        return "smooth"  # refused later
    first, next_, last, squares = np.array(rows).T
    # medians of tracks, since a swap of near animals may not be cut
    sudden = max(float(np.median(first + next_ - 2 * last)), 0.0)
    own = float(np.median(squares - 2 * (last - next_) / 5))  # without errors
    change = half * sudden / max(own, 1e-300)
    if SMOOTH < change < SUDDEN:
        size, low, high = np.degrees(np.sqrt([change, SMOOTH, SUDDEN]))
        raise MeasureError(
            f"motion: got headings that change by {size:.0f} degrees at random within {half} "
            f"frames; expected less than {low:.0f} for smooth motion, and more than {high:.0f} for "
            "motion in steps. Give motion 'smooth' or 'steps'"
        )
    return "smooth" if change <= SMOOTH else "steps"


def _covariances(positions: np.ndarray) -> Iterator[np.ndarray]:
    """Yield mean products of second differences at lags 0, 1 and 2, and the mean square of a step,
    of each track (T, D) in positions (T, N, D)."""
    for path in np.moveaxis(positions, 1, 0):
        steps = np.diff(path, axis=0)
        second = np.diff(steps, axis=0)
        products = [second[: len(second) - lag] * second[lag:] for lag in range(3)]
        sums = [each.sum(axis=1) for each in (*products, np.square(steps))]
        finite = [each[np.isfinite(each)] for each in sums]
        if min(map(len, finite)) >= MIN_PRODUCTS:
            yield np.array([each.mean() for each in finite])
