"""Plausibility warnings for tracks. Suspicious data are reported, never changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from murmurate.errors import TracksError
from murmurate.model.space import Space
from murmurate.tracks.column_names import is_geographic

JUMP_STEPS, JUMP_EXTENT = 15.0, 0.1
"""A jump exceeds both: this multiple of the median step, and this part of the extent."""
AXES_RATIO, ANIMAL_RATIO = 30.0, 100.0
"""Suspicious ratios of median steps: between x and y, and of one animal to the others."""
HALF_SIDE = 0.9  # of half a periodic side: longer steps may have gone the other way round
MIN_OFFSET, MIN_DECIMALS = 2.0, 0.5
"""Coordinates that may be degrees: distance from 0 in extents, and the part that has more than 3
decimals."""
SHORT_JUMP = 5.0  # median steps, to and from a point that means not seen
MAX_ENDS, MAX_POINTS, MAX_COPIES = 100_000, 8, 50
SENTINELS = (0.0, -1.0, -9.0, -99.0, -999.0, -9999.0, -99999.0, -999999.0, 9999.0, 99999.0,
             999999.0, -32768.0, 32767.0)  # fmt: skip
"""Coordinates that programs write where an animal was not seen."""
MIN_SENTINEL = 3  # index of SENTINELS, from which on no jump is needed
MIN_STEPS = 20  # for a median


def plausibility_warnings(
    positions: np.ndarray, names: Sequence[str], first: float, every: int, steps: np.ndarray,
    nearest: Space | None = None,
) -> list[str]:  # fmt: skip
    """Return warnings about jumps, and about axes or animals in different units.

    positions  (T, N, D) positions, nan where an animal was not seen
    names  names of the animals
    first, every  number of the first frame, and the frames of the file from one to the next
    steps  (T - 1, N, D) displacements from frame to frame
    nearest  the space, if steps along its periodic axes are only known to the nearest image
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
    """Set positions that equal `missing`, or have that coordinate, to nan; note their number.

    positions  (T, N, D), in the numbers of the file

    Raises TracksError if `missing` has another number of coordinates.
    """
    if not missing:
        return positions, ()
    dims = positions.shape[2]
    if len(missing) not in (1, dims):
        raise TracksError(f"{path}: missing: got {len(missing)} coordinates; expected {dims}, or 1")
    equal = positions == np.array(missing)
    equal = equal.any(axis=2) if len(missing) == 1 else equal.all(axis=2)
    if not equal.any() and len(missing) == dims == 2:  # latitude, longitude
        equal = (positions == np.array(missing[::-1])).all(axis=2)
    out = np.where(equal[..., None], np.nan, positions.astype(np.float64))
    point = ", ".join(f"{x:g}" for x in missing)
    return out, (f"{int(equal.sum()):,} positions of ({point}) count as not seen",)


@np.errstate(over="ignore", invalid="ignore")
def find_missing(
    positions: np.ndarray, missing: tuple[float, ...] | None, unit: str, path: object
) -> tuple[np.ndarray, list[str], list[str]]:
    """Set positions that mean not seen to nan: those given, else those that can mean nothing else.

    positions  (T, N, D)
    missing  see ReadOptions
    unit  unit of positions
    path  file name for messages
    positions  (T, N, D)
    notes, warnings  warnings name a point that animals reach and leave by jumps, or several animals
        share
    """
    if missing:
        positions, notes = drop_missing(positions, missing, path)
        return positions, list(notes), []
    gaps: list[str] = []
    warnings: list[str] = []
    for point in _suspicious_points(positions) if missing is not None else ():
        equal = (positions == point).all(axis=2)
        others = positions[np.isfinite(positions).all(axis=2) & ~equal]
        if not len(others):
            warnings += ["every position is the same: it may mean not seen, or is of other columns"]
            break
        count, text_of_point = int(equal.sum()), ",".join(f"{x:.10g}" for x in point)
        is_outside = ((point < others.min(axis=0)) | (point > others.max(axis=0))).all()
        is_origin = is_geographic(unit) and not point.any() and _is_far(point, others)
        jumps, is_shared = _find_jumps(positions, equal)
        text = f"{count:,} {'position is' if count == 1 else 'positions are'} ({text_of_point})"
        is_far = _is_far(point, others) and _comes_and_goes(positions, equal)
        is_known = is_outside and len(set(point)) == 1 and (is_far or point[0] in SENTINELS)
        if is_origin or (is_known and (jumps or is_far or point[0] in SENTINELS[MIN_SENTINEL:])):
            positions = np.where(equal[..., None], np.nan, positions)
            gaps.append(f"{text}, read as not seen (--missing none keeps them)")
        elif jumps and (is_outside or is_shared):
            warnings.append(
                f"{text}, which animals reach and leave by jumps, or share: if that means not "
                f"seen, --missing {text_of_point} makes gaps"
            )
    return positions, gaps, warnings + (_odd_coordinates(positions) if missing is not None else [])


def _odd_coordinates(positions: np.ndarray) -> list[str]:
    """Warn of coordinates of SENTINELS outside all others, beside a usual coordinate."""
    values = np.unique(positions[np.isin(positions, SENTINELS[MIN_SENTINEL:])])
    rest = positions[np.isfinite(positions) & ~np.isin(positions, values)]
    return [
        f"a coordinate is {value:.10g}, outside all others: if that means not seen, --missing "
        f"{value:.10g} makes gaps"
        for value in values
        if len(rest) and not rest.min() <= value <= rest.max()
    ]


def _suspicious_points(positions: np.ndarray) -> list[np.ndarray]:
    """Return exact points that occur several times at the ends of long steps, or are SENTINELS."""
    flat = positions.reshape(-1, positions.shape[2])
    points = [
        np.full(flat.shape[1], value) for value in SENTINELS if (flat == value).all(axis=1).any()
    ]
    steps = np.linalg.norm(np.diff(positions, axis=0), axis=2)
    moving = steps[steps > 0]
    finite = flat[np.isfinite(flat).all(axis=1)]
    for axis in range(flat.shape[1] if len(finite) else 0):
        points += [finite[finite[:, axis].argmin()], finite[finite[:, axis].argmax()]]
    if len(moving):
        jumps = steps > SHORT_JUMP * np.quantile(moving, 0.25)
        ends = np.concatenate([positions[:-1][jumps], positions[1:][jumps]])[:MAX_ENDS]
        for point, _ in Counter(map(tuple, ends.tolist())).most_common(MAX_POINTS):
            points.append(np.array(point))
    several = {tuple(point): (flat == point).all(axis=1).sum() > 1 for point in points}
    return [np.array(point) for point, is_several in several.items()
            if is_several or point[0] in SENTINELS]  # fmt: skip


def _is_far(point: np.ndarray, others: np.ndarray) -> bool:
    """Return whether a point is at a larger distance from others than these from each other."""
    distance = np.linalg.norm(others - point, axis=1).min()
    return bool(distance > np.linalg.norm(np.ptp(others, axis=0)))


def _comes_and_goes(positions: np.ndarray, equal: np.ndarray) -> bool:
    """Return whether an animal is at a point and elsewhere: one at rest tells nothing."""
    elsewhere = np.isfinite(positions).all(axis=2) & ~equal
    return bool((equal.any(axis=0) & elsewhere.any(axis=0)).any())


def _find_jumps(positions: np.ndarray, equal: np.ndarray) -> tuple[bool, bool]:
    """Return whether most steps to and from a point are long, and whether it is shared.

    equal  (T, N) whether an animal is there

    It is shared by animals, or by times if one both reaches and leaves it. Without other steps,
    only those of a shared point are long.
    """
    change = equal[1:] != equal[:-1]
    steps = np.linalg.norm(np.diff(positions, axis=0), axis=2)
    usual = steps[~change & ~equal[1:] & (steps > 0)]
    jumps = steps[change & np.isfinite(steps)] > SHORT_JUMP * (
        np.median(usual) if len(usual) else 0
    )
    both = bool((equal[1:] & change).any() and (equal[:-1] & change).any())
    shared = bool((equal.sum(axis=1) > 1).any()) or both
    is_known = bool(len(usual)) or shared
    return is_known and bool(len(jumps) and jumps.mean() > 0.5), shared


def drop_missing_rows(
    positions: np.ndarray, animals: np.ndarray, times: np.ndarray,
    missing: tuple[float, ...] | None, unit: str, path: object,
) -> tuple[np.ndarray, list[str]]:  # fmt: skip
    """Apply `find_missing` to detections (n, D) in any order; return positions and notes."""
    order = np.lexsort((times, animals))
    out, notes, warnings = find_missing(positions[order][:, None], missing, unit, path)
    positions = positions.copy()
    positions[order] = out[:, 0]
    return positions, notes + warnings


def warn_of_copies(positions: np.ndarray, names: Sequence[str]) -> list[str]:
    """Warn of two animals that are always closer to each other than they move in a frame."""
    if not 2 <= len(names) <= MAX_COPIES or len(positions) < 2:
        return []
    steps = np.linalg.norm(np.diff(positions, axis=0), axis=2)
    for k, name in enumerate(names):
        for j in range(k):
            distances = np.linalg.norm(positions[:, k] - positions[:, j], axis=1)
            finite = distances[np.isfinite(distances)]
            if len(finite) and np.quantile(finite, 0.9) < np.nanmedian(steps[:, [j, k]]):
                return [
                    f"{names[j]} and {name} are closer to each other than they move in a frame: "
                    f"they may be two versions of one animal (--columns x=...,y=... selects one)"
                ]
    return []


def warn_of_degrees(positions: np.ndarray, unit: str, dated: bool) -> list[str]:
    """Warn of coordinates without a unit that look like longitude and latitude.

    Those lie within the bounds of degrees, have many decimals, and either have dates, or are far
    from 0 compared with their extent.
    """
    if unit or positions.shape[2] != 2:
        return []
    is_known = positions[np.isfinite(positions).all(axis=2)]
    if len(is_known) < 2 or not any((np.abs(is_known) <= b).all() for b in ((180, 90), (90, 180))):
        return []
    extent, nearest = np.ptp(is_known, axis=0), np.abs(is_known).min(axis=0)
    scaled = is_known * (1e2 if dated else 1e3)
    decimals = (np.abs(scaled - np.round(scaled)) > 1e-6).mean(axis=0)
    if (decimals < MIN_DECIMALS).all() or not (dated or (nearest > MIN_OFFSET * extent).any()):
        return []
    return [
        "x and y have no unit, stay within 180 and 90, and have many decimals: they may be "
        "longitude and latitude. --unit degrees (or radians) projects them to metres"
    ]
