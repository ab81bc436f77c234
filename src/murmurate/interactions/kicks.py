"""Kicks and glides: animals that turn when they kick, and glide straight on with falling speed.

Between two kicks a heading does not change, so it is that from the position at one kick to that at
the next. Errors of positions change it little, and are not corrected for (Calovi et al. 2018,
doi:10.1371/journal.pcbi.1005933).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from murmurate.errors import MeasureError
from murmurate.interactions.followed import Group
from murmurate.rules.motions import BurstAndCoast

WIDTH = 2  # frames before and after one whose speeds are compared
RISE = 0.2  # over the mean speed: the least increase of speed that is a kick
FALLS = 0.03  # over the mean speed: the median decrease by which animals are taken to glide
MIN_GLIDES = 50


def speed_changes(positions: np.ndarray) -> np.ndarray:
    """Return changes of speed at each frame over the mean speed, (T, N), nan where not known."""
    speeds = np.linalg.norm(positions[WIDTH:] - positions[:-WIDTH], axis=2)
    out = np.full(positions.shape[:2], np.nan)
    out[WIDTH:-WIDTH] = (speeds[WIDTH:] - speeds[:-WIDTH]) / np.nanmean(speeds)
    return out


def is_gliding(groups: Sequence[Group]) -> bool:
    """Return whether speeds fall in most frames, as they do between kicks."""
    changes = np.concatenate([speed_changes(group.positions).ravel() for group in groups])
    finite = changes[np.isfinite(changes)]
    return len(finite) > 0 and bool(np.median(finite) < -FALLS)


def with_glides(group: Group) -> Group:
    """Return the group with its kicks, (T, N), and the headings of glides, (T - 1, N, D)."""
    changes = np.nan_to_num(speed_changes(group.positions), nan=-np.inf)
    padded = np.pad(changes, ((WIDTH, WIDTH), (0, 0)), constant_values=-np.inf)
    frames = len(changes)
    near = np.max([padded[k : k + frames] for k in range(2 * WIDTH + 1)], axis=0)
    is_kick = (changes >= RISE) & (changes == near)
    headings = np.full((len(group.positions) - 1, *group.positions.shape[1:]), np.nan)
    for animal, (path, kicks) in enumerate(
        zip(np.moveaxis(group.positions, 1, 0), is_kick.T, strict=True)
    ):
        is_seen = np.isfinite(path[:, 0])
        ends = [0, *np.flatnonzero(kicks).tolist(), len(path) - 1]
        for begin, end in pairwise(ends):
            seen = begin + np.flatnonzero(is_seen[begin : end + 1])
            if len(seen) > 1:
                way = path[seen[-1]] - path[seen[0]]
                headings[seen[0] : seen[-1], animal] = way / max(np.linalg.norm(way), 1e-300)
    return group._replace(kicks=is_kick, headings=headings)


def turned(headings: np.ndarray, following: np.ndarray) -> np.ndarray:
    """Return headings plus vectors across them, as long as the turns in radians, (R, D)."""
    cosines = (headings * following).sum(axis=1)
    across = following - cosines[:, None] * headings
    sines = np.linalg.norm(across, axis=1)
    factors = np.arctan2(sines, cosines) / np.maximum(sines, 1e-300)
    return np.asarray(headings + factors[:, None] * across)


def kick_motion(groups: Sequence[Group]) -> BurstAndCoast:
    """Return how often and how far animals kick, and how their speed falls."""
    interval, durations, lengths, sums = groups[0].interval, [0], [0.0], np.zeros(2)
    for group in groups:
        steps = np.linalg.norm(np.diff(group.positions, axis=0), axis=2)
        for path, kicks, step in zip(
            np.moveaxis(group.positions, 1, 0), group.kicks.T, steps.T, strict=True
        ):
            ends = np.flatnonzero(kicks)
            ways = np.linalg.norm(np.diff(path[ends], axis=0), axis=1)
            durations += np.diff(ends)[np.isfinite(ways)].tolist()
            lengths += ways[np.isfinite(ways)].tolist()
            pair = np.stack([step[:-1], step[1:]])[:, ~kicks[1:-1]]
            sums += pair[:, np.isfinite(pair).all(axis=0)].sum(axis=1)
    if len(lengths) <= MIN_GLIDES:
        raise MeasureError(
            f"tracks: got {len(lengths) - 1} glides between two kicks; expected {MIN_GLIDES} or "
            "more. Give longer tracks, or motion 'smooth' or 'steps'"
        )
    time, length = interval * np.array(durations[1:]), np.array(lengths[1:])
    fade = np.clip(sums[1] / sums[0], 1e-3, 0.999)
    return BurstAndCoast(
        length=float(length.mean()),
        length_spread=float(length.std() / length.mean()),
        duration=float(time.mean()),
        duration_spread=float(time.std() / time.mean()),
        decay=float(-interval / np.log(fade)),
    )
