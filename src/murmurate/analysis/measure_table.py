"""MeasureTable: measures of one flock with their errors, as a table, JSON, CSV or plot."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np

from murmurate.disk import write_file
from murmurate.errors import MeasureError, MissingMeasureError
from murmurate.measures.curve import Curve
from murmurate.measures.estimate import Estimate
from murmurate.measures.measure_frames import Result
from murmurate.measures.per_animal import EVENTS, PerAnimal
from murmurate.measures.registry import find_measure
from murmurate.measures.summary import MODEL_UNITS, Row, Units, make_rows
from murmurate.plots.measures import plot_measures, save_measures_plot
from murmurate.plots.style import Colours, SizeName, check_output_path
from murmurate.tables import to_csv, to_dataframe, to_html

COLUMNS = (
    "measure", "kind", "part", "x", "x_unit", "value", "error", "low", "high", "unit",
    "independent", "frames", "note",
)  # fmt: skip
OMITTED = {
    "slow": "slow measures",
    "event": "of one turn or escape that begins with the first frame",
    "path": "of each animal",
    "population": "of individuals that come and go",
}
"""Property of a measure that is measured only by name -> what a remark calls such measures."""
ERROR_NOTE = "± standard errors; JSON, CSV and interval() have 95% intervals, by Student's t"


EVENT_COLUMNS = ["measure", "first", "second", "start", "end", "time", "closest"]
KIND_OF = {"values": "value", "curves": "curve"}
COLUMNS_OF = {
    "values": [
        "measure", "part", "value", "error", "low", "high", "unit", "independent", "frames", "note",
    ],
    "curves": ["measure", "x", "x_unit", "value", "error", "unit", "independent"],
}  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class MeasureTable:
    """Measures of one flock, each with its standard error.

    It displays as a table. Its values (by `interval` of an Estimate), JSON and CSV also have 95%
    intervals, by Student's t.

    Attributes
    ----------
    source : str
        Name of the model or file.
    kind : {'model', 'recording', 'tracks', 'frames'}
        What the source is.
    frame_range : str
        Description of the frames that were measured.
    flock : str
        Name of the flock.
    boids : int
        Largest number of boids of the flock.
    frames : int
        Number of frames.
    times : tuple of float
        Times of the first and the last frame; empty for frames of one flock, which have no time.
    results : dict of str to Result
        Result of each measure: value (an Estimate, Curve, PerAnimal, or dict word -> Estimate),
        series and options.
    no_data_note : str
        Remark on data that no frame has, such as "no animal is seen in any frame"; else ''.
    units : Units
        Units of lengths and times. Those of a model are its own.
    skipped : tuple of str
        Measures that were skipped because none was named: slow ones, and those that follow an event
        or the paths of animals.
    names : tuple of str
        Names of animals, by id; empty for boids, which are named by their ids.
    min_boids : int
        Smallest number of boids of the flock in a frame.
    boids_change : bool
        True if boids join or leave the flock.
    """

    source: str
    kind: str
    frame_range: str
    flock: str
    boids: int
    frames: int
    times: tuple[float, ...]
    results: dict[str, Result] = field(default_factory=dict)
    no_data_note: str = ""
    units: Units = MODEL_UNITS
    skipped: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    min_boids: int = 0
    boids_change: bool = False

    def __getitem__(self, name: str) -> Any:
        """Return the value of a measure.

        returns  for numbers; curves, with errors; measures per animal; words, as word -> Estimate
            of its fraction; None if the measure could not be computed. `missing` has the reason for
            it and for a value of nan.
        raises MissingMeasureError  A KeyError, if the table does not contain the measure
        """
        if name not in self.results:
            names = ", ".join(self.results) or "none"
            raise MissingMeasureError(
                f"measure: got {name!r}; expected one of the table: {names}. Name it in measure()."
            )
        return self.results[name].value

    def __iter__(self) -> Iterator[str]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    @property
    def rows(self) -> list[Row]:
        """Rows of the table."""
        return list(make_rows(self.results, self.frames, self.units))

    @property
    def missing(self) -> dict[str, str]:
        """Why measures have no value: measure -> reason, for those without one."""
        return {row.name: row.note for row in self.rows if row.note}

    @property
    def title(self) -> str:
        """Description of the source in one line."""
        flock = self.flock
        if self.boids == 1 and not flock.endswith("ss"):
            flock = flock.removesuffix("s")
        frames = "1 frame" if self.frames == 1 else f"{self.frames:,} frames"
        low = f"{self.min_boids:,} to " if self.boids_change and self.min_boids < self.boids else ""
        parts = [f"{low}{self.boids:,} {flock}", frames, self.frame_range]
        return f"{self.source}: " + ", ".join(part for part in parts if part)

    def __repr__(self) -> str:
        rows = self.rows
        width = max((len(row.label) for row in rows), default=0)
        lines = [f"{row.label:<{width}}  {row.text:<24}  {row.note or row.unit}" for row in rows]
        return "\n".join([self.title, *lines, *self.remarks("measures='all'")])

    def remarks(self, remedy: str) -> list[str]:
        """Return the remarks below the table: data that no frame has, and omitted measures.

        Parameters
        ----------
        remedy : str
            How to request all measures, such as "measures='all'".
        """
        omitted = []
        for kind, what in OMITTED.items():
            names = [name for name in self.skipped if getattr(find_measure(name), kind)]
            if names and (kind != "population" or self.boids_change):
                omitted.append(f"{len(names)} {what} ({names[0]}{', ...' * (len(names) > 1)})")
        texts = (
            ERROR_NOTE if any(math.isfinite(row.error) for row in self.rows) else "",
            self.no_data_note,
            omitted and f"left out: {', '.join(omitted)}. Name them, or give {remedy} for all",
        )
        return [text for text in texts if text]

    def _repr_html_(self) -> str:
        rows = [
            (
                row.label, row.text, row.note or row.unit,
                f"{row.independent:.0f}" if math.isfinite(row.independent) else "",
            )
            for row in self.rows
        ]  # fmt: skip
        columns = ("measure", "mean", "unit", "samples")
        return to_html(columns, rows, self.title, self.remarks("measures='all'"))

    def animal_name(self, animal: int) -> str:
        """Return the name of an animal by its id, or the id as text if it has no name."""
        return self.names[animal] if 0 <= animal < len(self.names) else str(animal)

    @property
    def per_animal(self) -> dict[str, PerAnimal]:
        """Values of the measures per animal."""
        values = {name: result.value for name, result in self.results.items()}
        return {name: value for name, value in values.items() if isinstance(value, PerAnimal)}

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield all data as rows with the columns of `to_csv`.

        These are the value of each measure (of each state), the points of each curve, the frames of
        each series, the value of each animal (`independent` is its number of steps or frames), and
        events (x is the time at which one begins, value the smallest distance).
        """
        for row in self.rows:
            if not isinstance(self.results[row.name].value, Curve):
                yield dict(zip(COLUMNS, (
                    row.name, "value", row.part, None, "", row.value, row.error, *row.interval,
                    row.unit, row.independent, row.frames, row.note,
                ), strict=True))  # fmt: skip
        for name, result in self.results.items():
            if isinstance(result.value, Curve):
                yield from _curve_records(name, result, self.units)
            elif isinstance(result.value, PerAnimal):
                yield from self._animal_records(name, result.value, result)
            elif result.series is not None:
                time_unit, unit = self.units.of("time"), self.units.of(result.measure.unit)
                for time, value in zip(result.times, result.series, strict=True):
                    yield _record(name, "series", time, time_unit, value, math.nan, unit)

    def _animal_records(
        self, name: str, value: PerAnimal, result: Result
    ) -> Iterator[dict[str, Any]]:
        unit, nan = self.units.of(result.measure.unit), math.nan
        for animal, number, count in zip(value.ids, value.values, value.counts, strict=True):
            row = _record(name, "animal", nan, "", number, nan, unit, float(count))
            yield row | {"part": self.animal_name(animal), "note": value.counted}
        time, length = self.units.of("time"), self.units.of("length")
        for event in self.events(name):
            row = _record(name, "event", event["time"], time, event["closest"], nan, length)
            end = "the last" if event["end"] is None else event["end"]
            both = f"{event['first']}, {event['second']}"
            yield row | {"part": both, "note": f"frame {event['start']} to {end}"}

    def events(self, name: str) -> list[dict[str, Any]]:
        """Return the events of a measure per animal, in the order in which they begin.

        Returns
        -------
        list of dict
            `first` and `second`: names of the two animals. `start` and `end`: frame numbers (steps
            of a simulation), end is None for an event that has not ended. `time`: time of the
            start. `closest`: smallest distance in length units.
        """
        steps, value = self.results[name].steps, self[name]
        if not isinstance(value, PerAnimal) or not value.events:
            return []
        rows = zip(*(value.events[key].tolist() for key in EVENTS), strict=True)
        return [
            {
                "first": self.animal_name(first), "second": self.animal_name(second),
                "start": int(steps[start]), "end": None if end < 0 else int(steps[end]),
                "time": time, "closest": closest,
            }
            for first, second, start, end, time, closest in rows
        ]  # fmt: skip

    def to_dataframe(
        self, what: Literal["values", "curves", "series", "animals", "events"] = "values"
    ) -> Any:
        """Return a pandas DataFrame.

        Parameters
        ----------
        what : {'values', 'curves', 'series', 'animals', 'events'}
            'values' has a row per measure. 'curves' has a row per point of a curve. 'series' has a
            row per frame and a column per measure that is a number per frame. 'animals' has a row
            per animal and two columns per measure: its value, and its number of steps or frames.
            'events' has a row per event, such as an approach.

        Raises
        ------
        MeasureError
            For another value, or if pandas is missing.
        """
        if what == "series":
            results = {name: r for name, r in self.results.items() if r.series is not None}
            times = next((result.times for result in results.values()), np.empty(0))
            series = {name: result.series for name, result in results.items()}
            return to_dataframe({"time": times, **series}, error=MeasureError)
        if what == "animals":
            return to_dataframe(self._animal_columns(), error=MeasureError)
        if what == "events":
            events = [
                {"measure": name, **event}
                for name in self.per_animal
                for event in self.events(name)
            ]
            return to_dataframe(events, EVENT_COLUMNS, error=MeasureError)
        if what not in KIND_OF:
            raise MeasureError(
                f"what: got {what!r}; expected 'values', 'curves', 'series', 'animals' or 'events'"
            )
        rows = [row for row in self.records() if row["kind"] == KIND_OF[what]]
        return to_dataframe(rows, COLUMNS_OF[what], error=MeasureError)

    def _animal_columns(self) -> dict[str, Any]:
        """Return column -> one value per animal, nan if a measure has none."""
        per_animal = self.per_animal
        ids = np.unique(
            np.concatenate([result.ids for result in per_animal.values()] or [np.empty(0, int)])
        )
        columns: dict[str, Any] = {"animal": [self.animal_name(animal) for animal in ids]}
        for name, result in per_animal.items():
            rows = np.searchsorted(ids, result.ids)
            for column, values in (
                (name, result.values),
                (f"{name}: {result.counted}", result.counts),
            ):
                columns[column] = np.full(len(ids), math.nan)
                columns[column][rows] = values
        return columns

    def animal_rows(self) -> list[tuple[str, list[float]]]:
        """Return the name of each animal with its values of the measures in `per_animal`."""
        columns, per_animal = self._animal_columns(), self.per_animal
        values = [columns[name] for name in per_animal]
        return [
            (name, [float(column[k]) for column in values])
            for k, name in enumerate(columns["animal"])
        ]

    def to_csv(self) -> str:
        """Return all rows of `records` as CSV. Cells of unknown values are empty."""
        rows = ({key: _plain(value) for key, value in row.items()} for row in self.records())
        return to_csv(rows, COLUMNS)

    def to_dict(self) -> dict[str, Any]:
        """Return all data as plain numbers, lists and text; None for a missing number."""
        return {
            "source": self.source, "kind": self.kind, "moments": self.frame_range,
            "flock": self.flock,
            "boids": self.boids, "min_boids": self.min_boids, "frames": self.frames,
            "times": [_plain(t) for t in self.times],
            "omitted": list(self.skipped),
            "measures": {
                name: _result_dict(result, self.units) | self._animals_dict(name, result.value)
                for name, result in self.results.items()
            },
        }  # fmt: skip

    def _animals_dict(self, name: str, value: Any) -> dict[str, Any]:
        if not isinstance(value, PerAnimal):
            return {}
        data: dict[str, Any] = {
            "counted": value.counted,
            "animals": [
                {"animal": self.animal_name(animal), "value": _plain(number), "count": int(count)}
                for animal, number, count in zip(value.ids, value.values, value.counts, strict=True)
            ],
        }
        if value.events:
            data["events"] = self.events(name)
        return data

    def to_json(self) -> str:
        """Return `to_dict` as JSON text."""
        return json.dumps(self.to_dict(), indent=2)

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> Path:
        """Write a .json or .csv file, and return its path.

        Raises OutputError for another ending, and for an existing file unless `force` is True.
        """
        texts = {".json": self.to_json, ".csv": self.to_csv}
        path = check_output_path(path, texts, force)
        write_file(path, texts[path.suffix.lower()]())
        return path

    def plot(self, ax: Any = None, *, style: Colours = "light", size: SizeName = "screen") -> Any:
        """Plot each measure that has a value, and return the Axes.

        Numbers are drawn over time, with their mean and its 95% interval by Student's t; curves and
        fractions with standard errors. The plot states which.

        Parameters
        ----------
        ax : Axes or sequence of Axes, optional
            One per measure with a value. The default is a new figure.
        style : {'light', 'dark'}, default 'light'
            Colours.
        size : {'screen', 'talk', 'single-column', 'double-column'}, default 'screen'
            Size of a new figure.

        Returns
        -------
        Axes, or (n,) array of Axes for n > 1 measures

        Raises
        ------
        MeasureError
            If matplotlib is missing, no measure has a value, or the number of Axes is wrong.
        """
        return plot_measures(
            self.results, ax, units=self.units, style=style, size=size, name_of=self.animal_name
        )

    def save_plot(
        self, path: str | os.PathLike[str], *, style: Colours = "light", size: SizeName = "screen",
        force: bool = False,
    ) -> Path:  # fmt: skip
        """Plot each measure to a file, and return its path. See `plot`.

        Parameters
        ----------
        path : str or path-like
            .png, .svg or .pdf.
        style : {'light', 'dark'}, default 'light'
            Colours.
        size : {'screen', 'talk', 'single-column', 'double-column'}, default 'screen'
            Format. The last two are as wide as a paper's column or page (86 or 178 mm), and have no
            title.
        force : bool, default False
            True to replace an existing file.

        Raises
        ------
        OutputError
            For an existing file, unless forced, and for another ending.
        MeasureError
            If matplotlib is missing, or no measure has a value.
        """
        return save_measures_plot(
            self.results, path, title=self.title, units=self.units, style=style, size=size,
            force=force, name_of=self.animal_name,
        )  # fmt: skip


def join_tables(tables: Mapping[str, MeasureTable], ending: str) -> str:
    """Return tables as text, '.json' or '.csv'. Those of several flocks have their names too."""
    if len(tables) == 1:
        (table,) = tables.values()
        return table.to_json() if ending == ".json" else table.to_csv()
    if ending == ".json":
        return json.dumps({name: table.to_dict() for name, table in tables.items()}, indent=2)
    rows = (
        {"flock": name, **{key: _plain(value) for key, value in row.items()}}
        for name, table in tables.items()
        for row in table.records()
    )
    return to_csv(rows, ("flock", *COLUMNS))


def _curve_records(name: str, result: Result, units: Units) -> Iterator[dict[str, Any]]:
    curve = result.value
    assert isinstance(curve, Curve)
    errors = np.full(len(curve), math.nan) if curve.error is None else curve.error
    across, unit = units.of(result.measure.across), units.of(result.measure.unit)
    for x, y, error, count in zip(curve.x, curve.y, errors, curve.count, strict=True):
        yield _record(name, "curve", x, across, y, error, unit, count)


def _record(
    name: str, kind: str, x: float, x_unit: str, value: float, error: float, unit: str,
    count: float = math.nan,
) -> dict[str, Any]:  # fmt: skip
    nan = math.nan
    return dict(zip(COLUMNS, (name, kind, "", x, x_unit, value, error, nan, nan, unit, count, None,
                              ""), strict=True))  # fmt: skip


def _result_dict(result: Result, units: Units) -> dict[str, Any]:
    data: dict[str, Any] = {
        "kind": result.measure.kind, "unit": units.of(result.measure.unit),
        "definition": result.measure.definition,
    }  # fmt: skip
    if result.skipped:
        data["skipped"] = result.skipped
    if result.missing:
        data["missing"] = result.missing
    if isinstance(result.value, Estimate):
        data |= _estimate_dict(result.value)
    elif isinstance(result.value, PerAnimal):
        data |= _estimate_dict(result.value.mean)
    elif isinstance(result.value, dict):
        data["shares"] = {word: _estimate_dict(share) for word, share in result.value.items()}
    elif isinstance(result.value, Curve):
        curve = result.value
        data["across"] = units.of(result.measure.across)
        for key in ("x", "y", "error", "count", "edges"):
            array = getattr(curve, key)
            data[key] = None if array is None else [_plain(x) for x in array]
    if result.series is not None:
        data["times"] = [_plain(x) for x in result.times]
        data["series"] = [_plain(x) for x in result.series]
    return data


def _estimate_dict(result: Estimate) -> dict[str, Any]:
    return {
        "value": _plain(result.value), "error": _plain(result.error),
        "interval": [_plain(end) for end in result.interval()],
        "independent": _plain(result.independent), "method": result.method,
        "short": bool(result.short),
    }  # fmt: skip


def _plain(value: Any) -> Any:
    """Return a number as a Python float, and None if it is not finite."""
    if isinstance(value, float | np.floating | int | np.integer) and not isinstance(value, bool):
        return float(value) if math.isfinite(value) else None
    return value
