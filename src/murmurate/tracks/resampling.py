"""Resampling: sightings at uneven times, as those of GPS loggers, interpolated to equal times."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from murmurate.model.space import Space
from murmurate.neighbours.periodic import displacements, wrap
from murmurate.record.errors import RecordingRefused
from murmurate.tracks.grid import Named, check_span, check_times

GAP = 3.0  # of its usual intervals: an animal unseen for longer is missing until it is seen again


@dataclass(frozen=True)
class Sightings:
    """Rows: animals (n,) whose each is, times (n,) seconds, places (n, axes) nan where not seen."""

    animals: np.ndarray
    times: np.ndarray
    places: np.ndarray


def resampled(
    rows: Sightings, step: float, animals: int, row: Named, path: Path, space: Space | None = None
) -> tuple[Sightings, str]:
    """Sightings every `step` seconds from the first time on, on straight lines from one of an
    animal to its next; and what was done.

    An animal has none before its first sighting, after its last, and between two that are farther
    apart than GAP of its usual (median) intervals and of `step`. Of several sightings of an animal
    at one time the first counts. Along periodic axes of `space` lines go to the nearest image of
    the next sighting. Raises RecordingRefused where a row has no time, for a place outside of the
    space, and where so many moments cannot be held.
    """
    check_times(rows.times, row, path)
    seen = np.isfinite(rows.places).all(axis=1)
    if not seen.any():
        return Sightings(rows.animals[seen], rows.times[seen], rows.places[seen]), ""
    if space is not None:
        _check_inside(rows.places, space, row, path)
    start, last = float(rows.times[seen].min()), float(rows.times[seen].max())
    check_span(start, last, (last - start) / step + 1, int(seen.sum()), animals, path)
    whose, when, where = [], [], []
    shift = np.where(space.periodic, space.lower, 0.0) if space is not None else 0.0
    for animal in range(animals):
        mine = seen & (rows.animals == animal)
        if not mine.any():
            continue
        times, first = np.unique(rows.times[mine], return_index=True)
        places = rows.places[mine][first]
        if space is not None:
            steps = displacements(places[1:], places[:-1], space)
            places = places[0] + np.concatenate([0 * places[:1], np.cumsum(steps, axis=0)])
        usual = float(np.median(np.diff(times))) if len(times) > 1 else 0.0
        gap = GAP * max(usual, step)
        # A moment that is a sighting's own, but for rounding, is that sighting's.
        near = 1e-3 * step
        begin, end = np.ceil((times[0] - start - near) / step), (times[-1] - start + near) // step
        moments = start + step * np.arange(begin, end + 1)
        after = np.clip(np.searchsorted(times, moments - near), 0, len(times) - 1)
        before = np.where(times[after] - moments <= near, after, after - 1)
        held = times[after] - times[before] <= gap
        whose.append(np.full(int(held.sum()), animal))
        when.append(moments[held])
        columns = [np.interp(moments[held], times, column) for column in places.T]
        places = np.stack(columns, axis=1)
        where.append(places if space is None else wrap(places, space) + shift)
    made = Sightings(np.concatenate(whose), np.concatenate(when), np.concatenate(where))
    return made, (
        f"{int(seen.sum()):,} sightings are interpolated to {len(made.times):,}, every {step:g} s; "
        f"an animal is missing where its own are farther apart than {GAP:g} of its usual intervals"
    )


def _check_inside(places: np.ndarray, space: Space, row: Named, path: Path) -> None:
    with np.errstate(invalid="ignore"):
        wrong = ((places < space.lower) | (places > space.upper)).any(axis=1)
    if wrong.any():
        k = int(np.argmax(wrong))
        place = ", ".join(f"{x:.10g}" for x in places[k])
        ends = zip(space.lower, space.upper, strict=True)
        raise RecordingRefused(
            f"{path}: space: got ({place}) in {row(k)}; expected "
            f"{' and '.join(f'{a:g} to {b:g}' for a, b in ends)}. Give the space in the units of "
            "the file, and its lower corner by --origin"
        )
