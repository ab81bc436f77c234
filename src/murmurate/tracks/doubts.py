"""Doubts: what in tracks looks wrong without being impossible. It is said, and never mended."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from murmurate.model.space import Space
from murmurate.record.errors import RecordingRefused

FAR, WIDE = 15.0, 0.1  # of a jump: times the median step, and a part of the extent
UNLIKE_AXES, UNLIKE_ANIMALS = 30.0, 100.0  # times: steps along x and y, and of one animal and most
HALF = 0.9  # of half a periodic side: steps so long may have been longer
DEGREES_WIDE, FAR_OFF, MOSTLY = 5.0, 20.0, 0.5
"""Coordinates that may be degrees: extent, times the extent from 0, part with over 3 decimals."""
FEWEST = 20  # steps, to say anything of a median


def doubts_of(
    positions: np.ndarray, names: Sequence[str], first: float, every: int, steps: np.ndarray,
    nearest: Space | None = None,
) -> list[str]:  # fmt: skip
    """What looks wrong in (T, N, D) positions: jumps, axes or animals in different units.

    steps    (T - 1, N, D) displacements from frame to frame
    nearest  the space, where steps on its periodic axes are to the nearest image for want of better
    """
    lengths = np.sqrt(np.einsum("tnd,tnd->tn", steps, steps))
    known = np.isfinite(lengths)
    if known.sum() < FEWEST:
        return []
    usual = float(np.median(lengths[known]))
    lower, upper = np.nanmin(positions, axis=(0, 1)), np.nanmax(positions, axis=(0, 1))
    extent = float(np.linalg.norm(upper - lower))
    found = _long_steps(steps, nearest)
    # A longer step than both is one animal's place in another's track, mostly.
    jumps = known & (lengths > FAR * usual) & (lengths > WIDE * extent)
    if usual > 0 and jumps.any():
        frame, animal = (int(k) for k in np.argwhere(jumps)[0])
        count = int(jumps.sum())
        found.append(
            f"{count:,} {'step looks' if count == 1 else 'steps look'} like exchanged animals: the "
            f"first, of {names[animal]} after frame {first + frame * every:g}, is "
            f"{lengths[frame, animal]:.4g} long, and most are {usual:.3g}"
        )
    along = [float(np.nanmedian(np.abs(steps[:, :, axis]))) for axis in (0, 1)]
    if min(along) > 0 and max(along) > UNLIKE_AXES * min(along):
        found.append(
            f"steps along x are {along[0]:.3g}, and along y {along[1]:.3g}: x and y may be in "
            "different units, or other columns than they seem"
        )
    counts = known.sum(axis=0)
    enough = np.flatnonzero(counts >= FEWEST)
    each = np.array([np.median(lengths[known[:, k], k]) for k in enough])
    moving = each[each > 0]
    if len(moving) >= 2:
        middle = float(np.median(moving))
        odd = [int(k) for k, x in zip(enough, each, strict=True) if x > UNLIKE_ANIMALS * middle]
        if odd:
            found.append(
                f"{names[odd[0]]} moves {lengths[known[:, odd[0]], odd[0]].mean() / middle:,.0f} "
                "times as far in a frame as most: it may be in other units"
            )
    return found


def _long_steps(steps: np.ndarray, space: Space | None) -> list[str]:
    """Whether some steps come close to half a periodic side, so that others may exceed it."""
    for axis in np.flatnonzero(space.periodic) if space is not None else ():
        side = space.size[axis]  # type: ignore[union-attr]
        longest = float(np.nanmax(np.abs(steps[:, :, axis]), initial=0.0))
        if longest > HALF * side / 2:
            return [
                f"steps along {'xyz'[axis]} are up to {longest:.3g}, and half the periodic side is "
                f"{side / 2:.3g}: animals may have gone the other way round, and velocities be "
                "wrong; frames must be closer in time"
            ]
    return []


def without_missing(
    positions: np.ndarray, missing: tuple[float, ...], path: object
) -> tuple[np.ndarray, tuple[str, ...]]:
    """Positions without those that say that an animal was not seen; and what to note."""
    if not missing:
        return positions, ()
    if len(missing) != positions.shape[2]:
        raise RecordingRefused(
            f"{path}: missing: got {len(missing)} coordinates; expected {positions.shape[2]}"
        )
    here = (positions == np.array(missing)).all(axis=2)
    out = np.where(here[..., None], np.nan, positions.astype(np.float64))
    said = ", ".join(f"{x:g}" for x in missing)
    return out, (f"{int(here.sum()):,} positions of ({said}) count as not seen",)


def doubts_of_zeros(positions: np.ndarray) -> list[str]:
    """Whether positions of exactly 0 come and go among positive ones: trackers write them for what
    they did not see."""
    known = np.isfinite(positions).all(axis=2)
    zero = (positions == 0).all(axis=2)
    others = positions[known & ~zero]
    if not zero.any() or not len(others) or others.min() <= 0:
        return []
    steps = np.linalg.norm(np.diff(np.where(zero[..., None], np.nan, positions), axis=0), axis=2)
    usual = float(np.nanmedian(steps)) if np.isfinite(steps).any() else 0.0
    if np.linalg.norm(others, axis=1).min() <= FAR * usual:  # an animal may have been there
        return []
    count, dims = int(zero.sum()), positions.shape[2]
    said = ", ".join("0" * dims)
    return [
        f"{count:,} {'position is' if count == 1 else 'positions are'} exactly ({said}), and all "
        "others are positive: trackers write that where an animal was not seen. --missing "
        f"{said.replace(' ', '')} makes them gaps"
    ]


def doubts_of_degrees(positions: np.ndarray, unit: str) -> list[str]:
    """Whether coordinates without a unit look like longitude and latitude: within their bounds,
    with many decimals, and far from 0 for how far they extend."""
    if unit or positions.shape[2] != 2:
        return []
    known = positions[np.isfinite(positions).all(axis=2)]
    if len(known) < 2 or (np.abs(known) > (180, 90)).any():
        return []
    extent, far = np.ptp(known, axis=0), np.abs(known).max(axis=0)
    fine = (np.abs(known * 1e3 - np.round(known * 1e3)) > 1e-6).mean(axis=0)
    if (extent >= DEGREES_WIDE).any() or (fine < MOSTLY).any() or (far <= FAR_OFF * extent).all():
        return []
    return [
        "x and y have no unit, stay within 180 and 90, and have many decimals: they may be "
        "longitude and latitude. --unit degrees projects them to metres"
    ]
