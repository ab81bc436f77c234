"""MeasureTable: the measures of one flock with their errors, as table, JSON, CSV or plot."""

from __future__ import annotations

import csv
import html
import io
import json
import math
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np

from murmurate.analysis.output import write_text
from murmurate.analysis.plot import draw
from murmurate.analysis.summary import Row, rows
from murmurate.analysis.units import MODEL_UNITS, Units
from murmurate.measures.curve import Curve
from murmurate.measures.estimate import Estimate
from murmurate.measures.limits import MeasureError
from murmurate.measures.measure_frames import Result
from murmurate.measures.per_animal import EVENTS, PerAnimal
from murmurate.measures.registry import find
from murmurate.optional import optional
from murmurate.show.plot_style import Colours, SizeName

COLUMNS = ("measure", "kind", "part", "x", "x_unit", "value", "error", "low", "high", "unit",
           "independent", "frames", "note")  # fmt: skip


ERRORS = "± standard errors; JSON, CSV and interval() have 95% intervals, by Student's t"


class NotTaken(MeasureError, KeyError):
    """A measure is asked for that was not taken."""

    def __str__(self) -> str:  # that of KeyError would put it in quotes
        return str(self.args[0])


@dataclass(frozen=True, eq=False, repr=False)
class MeasureTable:
    """Measures of one flock, each with its standard error. It shows itself as a table; the values
    themselves (`interval` of an Estimate), JSON and CSV have 95% intervals by Student's t too.

    source, kind  the model or file, and what it is: model, recording, tracks or frames
    moments       which of its frames were measured, in words
    flock, boids  the flock's name, and how many boids it had at most
    frames        how many frames were measured
    times         of the first and the last
    results       name -> Result: value (an Estimate, Curve, or dict word -> Estimate), series
    lack          what no frame has, in words: "no animal is seen in any frame"; '' for nothing
    units         what lengths and times count: those of a model are its own
    omitted       measures that were left out since none was named, and they are slow, or follow an
                  event or the paths of animals
    names         of animals, by id; boids have none, and go by their ids
    """

    source: str
    kind: str
    moments: str
    flock: str
    boids: int
    frames: int
    times: tuple[float, ...]
    results: dict[str, Result] = field(default_factory=dict)
    lack: str = ""
    units: Units = MODEL_UNITS
    omitted: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> Any:
        """The value of a measure: an Estimate, a Curve with errors, PerAnimal, or word -> Estimate.
        Raises NotTaken, a KeyError, for another one."""
        if name not in self.results:
            taken = ", ".join(self.results) or "none"
            raise NotTaken(f"{name!r} was not taken: name it in measure(); taken were: {taken}")
        return self.results[name].value

    def __iter__(self) -> Iterator[str]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    @property
    def rows(self) -> list[Row]:
        """The lines of the table."""
        return list(rows(self.results, self.frames, self.units))

    @property
    def title(self) -> str:
        """What was measured, in a line."""
        flock = self.flock
        if self.boids == 1 and not flock.endswith("ss"):
            flock = flock.removesuffix("s")
        frames = "1 frame" if self.frames == 1 else f"{self.frames:,} frames"
        parts = [f"{self.boids:,} {flock}", frames, self.moments]
        return f"{self.source}: " + ", ".join(part for part in parts if part)

    def __repr__(self) -> str:
        made = self.rows
        wide = max((len(row.label) for row in made), default=0)
        lines = [f"{row.label:<{wide}}  {row.text:<24}  {row.note or row.unit}" for row in made]
        return "\n".join([self.title, *lines, *self.remarks("measures='all'")])

    def remarks(self, how: str) -> list[str]:
        """What is to be said below the table: what no frame has, and what was left out.

        how  how to ask for all measures
        """
        slow = ", ".join(name for name in self.omitted if find(name).slow)
        event = ", ".join(name for name in self.omitted if find(name).event)
        path = ", ".join(name for name in self.omitted if find(name).path)
        texts = (
            ERRORS if any(math.isfinite(row.error) for row in self.rows) else "",
            self.lack,
            slow and f"left out, since they are slow: {slow}; name them, or give {how} for all",
            event
            and "left out, since they follow one turn or escape from the frame before it: "
            f"{event}; name them, and begin at that frame",
            path
            and f"left out, since they follow each animal from frame to frame: {path}; name them",
        )
        return [text for text in texts if text]

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{name}</th>" for name in ("measure", "mean", "unit", "samples"))
        body = ""
        for row in self.rows:
            samples = f"{row.independent:.0f}" if math.isfinite(row.independent) else ""
            cells = (row.label, row.text, row.note or row.unit, samples)
            body += "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells) + "</tr>"
        title = html.escape(self.title)
        below = "".join(f"<p>{html.escape(text)}</p>" for text in self.remarks("measures='all'"))
        return f"<table><caption>{title}</caption><tr>{head}</tr>{body}</table>{below}"

    def animal_name(self, animal: int) -> str:
        """The name of an animal, by its id; the id where it has none."""
        return self.names[animal] if 0 <= animal < len(self.names) else str(animal)

    @property
    def per_animal(self) -> dict[str, PerAnimal]:
        """The measures that have a value per animal."""
        values = {name: one.value for name, one in self.results.items()}
        return {name: one for name, one in values.items() if isinstance(one, PerAnimal)}

    def records(self) -> Iterator[dict[str, Any]]:
        """All that there is, a row each, with the columns of to_csv: the value of each measure (of
        each state), the points of each curve, the frames of each series, the value of each animal
        (`independent` says on how many steps or frames it stands), and events (x is the time at
        which one begins, value the smallest distance)."""
        for row in self.rows:
            if not isinstance(self.results[row.name].value, Curve):
                yield dict(zip(COLUMNS, (
                    row.name, "value", row.part, None, "", row.value, row.error, *row.interval,
                    row.unit, row.independent, row.frames, row.note,
                ), strict=True))  # fmt: skip
        for name, one in self.results.items():
            if isinstance(one.value, Curve):
                yield from _points(name, one, self.units)
            elif isinstance(one.value, PerAnimal):
                yield from self._animals(name, one.value, one)
            elif one.series is not None:
                time_unit, unit = self.units.of("time"), self.units.of(one.measure.unit)
                for time, value in zip(one.times, one.series, strict=True):
                    yield _point(name, "series", time, time_unit, value, math.nan, unit)

    def _animals(self, name: str, value: PerAnimal, one: Result) -> Iterator[dict[str, Any]]:
        unit, nan = self.units.of(one.measure.unit), math.nan
        for animal, number, count in zip(value.ids, value.values, value.counts, strict=True):
            row = _point(name, "animal", nan, "", number, nan, unit, float(count))
            yield row | {"part": self.animal_name(animal), "note": value.counted}
        time, length = self.units.of("time"), self.units.of("length")
        for event in self.events(name):
            row = _point(name, "event", event["time"], time, event["closest"], nan, length)
            end = "the last" if event["end"] is None else event["end"]
            both = f"{event['first']}, {event['second']}"
            yield row | {"part": both, "note": f"frame {event['start']} to {end}"}

    def events(self, name: str) -> list[dict[str, Any]]:
        """The events of a measure per animal, in the order in which they begin: `first` and
        `second`, names of the two animals; `start` and `end`, numbers of frames (steps of a
        simulation), None for one that has not ended; `time` of the start; `closest`, a length."""
        one, value = self.results[name], self[name]
        if not isinstance(value, PerAnimal) or not value.events:
            return []
        rows = zip(*(value.events[key].tolist() for key in EVENTS), strict=True)
        return [
            {
                "first": self.animal_name(first), "second": self.animal_name(second),
                "start": int(one.steps[start]), "end": None if end < 0 else int(one.steps[end]),
                "time": time, "closest": closest,
            }
            for first, second, start, end, time, closest in rows
        ]  # fmt: skip

    def to_dataframe(
        self, what: Literal["values", "curves", "series", "animals", "events"] = "values"
    ) -> Any:
        """A pandas DataFrame.

        what  'values': a row a measure; 'curves': a row a point of a curve; 'series': a row a
              frame, a column a measure that is one number a frame; 'animals': a row an animal, two
              columns a measure per animal, its value and on how many steps or frames it stands;
              'events': a row an event, such as an approach
        Raises MeasureError where pandas is missing.
        """
        with optional("a table in Python", MeasureError, "sweep"):
            import pandas
        if what == "series":
            known = {name: one for name, one in self.results.items() if one.series is not None}
            times = next((one.times for one in known.values()), np.empty(0))
            return pandas.DataFrame({"time": times, **{n: one.series for n, one in known.items()}})
        if what == "animals":
            return pandas.DataFrame(self._animal_columns())
        if what == "events":
            found = [{"measure": name, **row} for name in self.per_animal
                     for row in self.events(name)]  # fmt: skip
            columns = ["measure", "first", "second", "start", "end", "time", "closest"]
            return pandas.DataFrame(found, columns=columns)
        kinds = {"values": "value", "curves": "curve"}
        if what not in kinds:
            raise MeasureError(
                f"what is {what!r}: it must be values, curves or series, animals or events"
            )
        found = [row for row in self.records() if row["kind"] == kinds[what]]
        used = {
            "values": (
                "measure",
                "part",
                "value",
                "error",
                "low",
                "high",
                "unit",
                "independent",
                "frames",
                "note",
            ),
            "curves": ("measure", "x", "x_unit", "value", "error", "unit", "independent"),
        }
        return pandas.DataFrame(found, columns=list(COLUMNS))[list(used[what])]

    def _animal_columns(self) -> dict[str, Any]:
        """Column -> one value an animal, nan where a measure has none."""
        taken = self.per_animal
        ids = np.unique(np.concatenate([one.ids for one in taken.values()] or [np.empty(0, int)]))
        columns: dict[str, Any] = {"animal": [self.animal_name(animal) for animal in ids]}
        for name, one in taken.items():
            rows = np.searchsorted(ids, one.ids)
            for column, values in ((name, one.values), (f"{name}: {one.counted}", one.counts)):
                columns[column] = np.full(len(ids), math.nan)
                columns[column][rows] = values
        return columns

    def animal_rows(self) -> list[tuple[str, list[float]]]:
        """The name of each animal, and its values by the measures of `per_animal`."""
        columns, taken = self._animal_columns(), self.per_animal
        values = [columns[name] for name in taken]
        return [
            (name, [float(column[k]) for column in values])
            for k, name in enumerate(columns["animal"])
        ]

    def to_csv(self) -> str:
        """All rows of records() as CSV; what is not known is empty."""
        text = io.StringIO()
        writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
        writer.writeheader()
        for record in self.records():
            writer.writerow({key: _plain(value) for key, value in record.items()})
        return text.getvalue()

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain numbers, lists and words; None where there is no number."""
        return {
            "source": self.source, "kind": self.kind, "moments": self.moments, "flock": self.flock,
            "boids": self.boids, "frames": self.frames, "times": [_plain(t) for t in self.times],
            "omitted": list(self.omitted),
            "measures": {
                name: _of_result(one, self.units) | self._of_animals(name, one.value)
                for name, one in self.results.items()
            },
        }  # fmt: skip

    def _of_animals(self, name: str, value: Any) -> dict[str, Any]:
        if not isinstance(value, PerAnimal):
            return {}
        said: dict[str, Any] = {
            "counted": value.counted,
            "animals": [
                {"animal": self.animal_name(animal), "value": _plain(number), "count": int(count)}
                for animal, number, count in zip(value.ids, value.values, value.counts, strict=True)
            ],
        }
        if value.events:
            said["events"] = self.events(name)
        return said

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), indent=2)

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> Path:
        """Writes a .json or .csv file. Raises OutputRefused for a file that is there, unless
        forced, and for another ending."""
        texts = {".json": self.to_json, ".csv": self.to_csv}
        return write_text(path, texts, force=force)

    def plot(
        self, path: str | os.PathLike[str], *, style: Colours = "light", size: SizeName = "screen",
        force: bool = False,
    ) -> Path:  # fmt: skip
        """Draws every measure: numbers over time with their mean in a band, its 95% interval by
        Student's t; curves and shares with standard errors. The picture says which.

        path   .png, .svg or .pdf
        style  light or dark: its colours
        size   screen, talk, or as wide as a paper's column or page (86 or 178 mm), without a
               title: single-column, double-column

        Raises OutputRefused for a file that is there, unless forced; MeasureError where matplotlib
        is missing.
        """
        return draw(
            self.results, path, title=self.title, units=self.units, style=style, size=size,
            force=force, name_of=self.animal_name,
        )  # fmt: skip


def _points(name: str, one: Result, units: Units) -> Iterator[dict[str, Any]]:
    curve = one.value
    assert isinstance(curve, Curve)
    errors = np.full(len(curve), math.nan) if curve.error is None else curve.error
    across, unit = units.of(one.measure.across), units.of(one.measure.unit)
    for x, y, error, count in zip(curve.x, curve.y, errors, curve.count, strict=True):
        yield _point(name, "curve", x, across, y, error, unit, count)


def _point(
    name: str, kind: str, x: float, x_unit: str, value: float, error: float, unit: str,
    count: float = math.nan,
) -> dict[str, Any]:  # fmt: skip
    nan = math.nan
    return dict(zip(COLUMNS, (name, kind, "", x, x_unit, value, error, nan, nan, unit, count, None,
                              ""), strict=True))  # fmt: skip


def _of_result(one: Result, units: Units) -> dict[str, Any]:
    said: dict[str, Any] = {
        "kind": one.measure.kind, "unit": units.of(one.measure.unit),
        "definition": one.measure.definition,
    }  # fmt: skip
    if one.left_out:
        said["left_out"] = one.left_out
    if isinstance(one.value, Estimate):
        said |= _of_estimate(one.value)
    elif isinstance(one.value, PerAnimal):
        said |= _of_estimate(one.value.mean)
    elif isinstance(one.value, dict):
        said["shares"] = {word: _of_estimate(share) for word, share in one.value.items()}
    elif isinstance(one.value, Curve):
        curve = one.value
        said["across"] = units.of(one.measure.across)
        for key in ("x", "y", "error", "count", "edges"):
            array = getattr(curve, key)
            said[key] = None if array is None else [_plain(x) for x in array]
    if one.series is not None:
        said["times"] = [_plain(x) for x in one.times]
        said["series"] = [_plain(x) for x in one.series]
    return said


def _of_estimate(one: Estimate) -> dict[str, Any]:
    return {
        "value": _plain(one.value), "error": _plain(one.error),
        "interval": [_plain(end) for end in one.interval()],
        "independent": _plain(one.independent), "how": one.how, "short": bool(one.short),
    }  # fmt: skip


def _plain(value: Any) -> Any:
    """A number as Python's own; None where it is not finite."""
    if isinstance(value, float | np.floating | int | np.integer) and not isinstance(value, bool):
        return float(value) if math.isfinite(value) else None
    return value
