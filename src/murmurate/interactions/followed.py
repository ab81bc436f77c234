"""Positions of tracked animals for regressions: without jumps of periodic sides and of trackers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from murmurate.model.space import Space
from murmurate.neighbours.periodic import displacements
from murmurate.tracks import Tracks

JUMP = 12.0
"""Robust standard deviations from its neighbours in time, from which on a step is a jump."""
NORMAL = 1.4826  # standard deviation over median absolute deviation


class Group(NamedTuple):
    """Animals that respond to each other.

    positions  (T, N, D) without jumps, nan where an animal is not seen
    interval  time between frames
    jumps  number of jumps at which tracks were cut
    """

    positions: np.ndarray
    space: Space
    interval: float
    jumps: int

    @classmethod
    def of(cls, tracks: Tracks, rows: np.ndarray) -> Group:
        """Return the animals in these columns of tracks."""
        positions, jumps = cut_at_jumps(unwrapped(tracks, rows))
        return cls(positions, tracks.space, 1.0 / tracks.rate, jumps)


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
    """Let an animal that jumps continue as another one, since a tracker may have swapped two.

    positions  (T, N, D), nan where an animal is not seen
    returns  (T, N + jumps, D), and the number of jumps
    """
    steps = np.diff(positions, axis=0)
    none = np.full_like(steps[:1], np.nan)
    around = np.stack([np.concatenate([none, steps[:-1]]), np.concatenate([steps[1:], none])])
    is_seen = np.isfinite(around)
    mean = np.where(is_seen, around, 0.0).sum(axis=0) / np.maximum(is_seen.sum(axis=0), 1)
    deviations = np.where(is_seen.any(axis=0), np.abs(steps - mean), np.nan).max(axis=2)
    finite = deviations[np.isfinite(deviations)]
    limit = JUMP * NORMAL * float(np.median(finite)) if len(finite) else np.inf
    # the steps before and after a jump deviate by half as much: only the largest is a jump
    is_jump = np.zeros(deviations.shape, bool)
    padded = np.pad(np.nan_to_num(deviations), ((1, 1), (0, 0)))
    is_jump = (padded[1:-1] > limit) & (padded[1:-1] >= np.maximum(padded[:-2], padded[2:]))
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
