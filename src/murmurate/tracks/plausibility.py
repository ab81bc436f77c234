"""Plausibility warnings for tracks. Suspicious data are reported, never changed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from murmurate.errors import TracksError
from murmurate.model.space import Space

JUMP_STEPS, JUMP_EXTENT = 15.0, 0.1
"""A jump exceeds both: this multiple of the median step, and this part of the extent."""
AXES_RATIO, ANIMAL_RATIO = 30.0, 100.0
"""Suspicious ratios of median steps: between x and y, and of one animal to the others."""
HALF_SIDE = 0.9  # of half a periodic side: longer steps may have gone the other way round
MAX_DEGREES_EXTENT, MIN_OFFSET, MIN_DECIMALS = 5.0, 20.0, 0.5
"""Coordinates that may be degrees: extent, distance from 0 in extents, and the part that has more
than 3 decimals."""
MIN_STEPS = 20  # for a median


def plausibility_warnings(
    positions: np.ndarray, names: Sequence[str], first: float, every: int, steps: np.ndarray,
    nearest: Space | None = None,
) -> list[str]:  # fmt: skip
    """Return warnings about jumps, and about axes or animals in different units.

    Parameters
    ----------
    positions : (T, N, D) float array
        Positions, nan where an animal was not seen.
    names : sequence of N str
        Names of the animals.
    first, every : float, int
        Number of the first frame, and the frames of the file from one to the next.
    steps : (T - 1, N, D) float array
        Displacements from frame to frame.
    nearest : Space or None
        The space, if steps along its periodic axes are only known to the nearest image.
    """
    lengths = np.sqrt(np.einsum("tnd,tnd->tn", steps, steps))
    is_known = np.isfinite(lengths)
    if is_known.sum() < MIN_STEPS:
        return []
    median = float(np.median(lengths[is_known]))
    lower, upper = np.nanmin(positions, axis=(0, 1)), np.nanmax(positions, axis=(0, 1))
    extent = float(np.linalg.norm(upper - lower))
    warnings = _warn_of_half_sides(steps, nearest)
    # steps that exceed both limits are mostly exchanged identities
    jumps = is_known & (lengths > JUMP_STEPS * median) & (lengths > JUMP_EXTENT * extent)
    if median > 0 and jumps.any():
        frame, animal = (int(k) for k in np.argwhere(jumps)[0])
        count = int(jumps.sum())
        warnings.append(
            f"{count:,} {'step looks' if count == 1 else 'steps look'} like exchanged animals: the "
            f"first, of {names[animal]} after frame {first + frame * every:g}, is "
            f"{lengths[frame, animal]:.4g} long, and the median is {median:.3g}"
        )
    along = [float(np.nanmedian(np.abs(steps[:, :, axis]))) for axis in (0, 1)]
    if min(along) > 0 and max(along) > AXES_RATIO * min(along):
        warnings.append(
            f"the median step is {along[0]:.3g} along x and {along[1]:.3g} along y: x and y may be "
            "in different units, or may be the wrong columns"
        )
    return warnings + _warn_of_animals(lengths, is_known, names)


def _warn_of_animals(lengths: np.ndarray, is_known: np.ndarray, names: Sequence[str]) -> list[str]:
    """Warn of an animal whose steps are much longer than those of the others."""
    enough = np.flatnonzero(is_known.sum(axis=0) >= MIN_STEPS)
    medians = np.array([np.median(lengths[is_known[:, k], k]) for k in enough])
    moving = medians[medians > 0]
    if len(moving) < 2:
        return []
    usual = float(np.median(moving))
    outliers = [int(k) for k, x in zip(enough, medians, strict=True) if x > ANIMAL_RATIO * usual]
    if not outliers:
        return []
    ratio = lengths[is_known[:, outliers[0]], outliers[0]].mean() / usual
    return [
        f"{names[outliers[0]]} moves {ratio:,.0f} times as far per frame as the median animal: it "
        "may be in other units"
    ]


def _warn_of_half_sides(steps: np.ndarray, space: Space | None) -> list[str]:
    """Warn of steps close to half a periodic side, since longer ones would be misread."""
    for axis in np.flatnonzero(space.periodic) if space is not None else ():
        side = space.size[axis]  # type: ignore[union-attr]
        longest = float(np.nanmax(np.abs(steps[:, :, axis]), initial=0.0))
        if longest > HALF_SIDE * side / 2:
            return [
                f"steps along {'xyz'[axis]} are up to {longest:.3g}, and half the periodic side is "
                f"{side / 2:.3g}: animals may have gone the other way round, so velocities may be "
                "wrong. Frames must be closer in time"
            ]
    return []


def drop_missing(
    positions: np.ndarray, missing: tuple[float, ...], path: object
) -> tuple[np.ndarray, tuple[str, ...]]:
    """Set positions that equal `missing` to nan, and note how many there are.

    Raises TracksError if `missing` has another number of coordinates.
    """
    if not missing:
        return positions, ()
    if len(missing) != positions.shape[2]:
        raise TracksError(
            f"{path}: missing: got {len(missing)} coordinates; expected {positions.shape[2]}"
        )
    equal = (positions == np.array(missing)).all(axis=2)
    out = np.where(equal[..., None], np.nan, positions.astype(np.float64))
    point = ", ".join(f"{x:g}" for x in missing)
    return out, (f"{int(equal.sum()):,} positions of ({point}) count as not seen",)


def warn_of_zeros(positions: np.ndarray) -> list[str]:
    """Warn of positions of exactly 0 among positive ones.

    Some trackers write zeros where an animal was not seen.
    """
    is_known = np.isfinite(positions).all(axis=2)
    zero = (positions == 0).all(axis=2)
    others = positions[is_known & ~zero]
    if not zero.any() or not len(others) or others.min() <= 0:
        return []
    steps = np.linalg.norm(np.diff(np.where(zero[..., None], np.nan, positions), axis=0), axis=2)
    median = float(np.nanmedian(steps)) if np.isfinite(steps).any() else 0.0
    if np.linalg.norm(others, axis=1).min() <= JUMP_STEPS * median:  # an animal may reach 0
        return []
    count, dims = int(zero.sum()), positions.shape[2]
    point = ", ".join("0" * dims)
    return [
        f"{count:,} {'position is' if count == 1 else 'positions are'} exactly ({point}), and all "
        "others are positive: some trackers write that where an animal was not seen. --missing "
        f"{point.replace(' ', '')} makes them gaps"
    ]


def warn_of_degrees(positions: np.ndarray, unit: str) -> list[str]:
    """Warn of coordinates without a unit that look like longitude and latitude.

    Those lie within the bounds of degrees, have many decimals, and are far from 0 compared with
    their extent.
    """
    if unit or positions.shape[2] != 2:
        return []
    is_known = positions[np.isfinite(positions).all(axis=2)]
    if len(is_known) < 2 or (np.abs(is_known) > (180, 90)).any():
        return []
    extent, offset = np.ptp(is_known, axis=0), np.abs(is_known).max(axis=0)
    decimals = (np.abs(is_known * 1e3 - np.round(is_known * 1e3)) > 1e-6).mean(axis=0)
    if (
        (extent >= MAX_DEGREES_EXTENT).any()
        or (decimals < MIN_DECIMALS).any()
        or (offset <= MIN_OFFSET * extent).all()
    ):
        return []
    return [
        "x and y have no unit, stay within 180 and 90, and have many decimals: they may be "
        "longitude and latitude. --unit degrees projects them to metres"
    ]
