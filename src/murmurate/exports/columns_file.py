"""The file beside a table: what its columns are, in which units, and what flew."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from murmurate.exports.selection import Selection
from murmurate.exports.table_columns import column_types
from murmurate.version import __version__

UNITS = "length and time are those of the model, which chooses its own"
ENDING = ".columns.json"

# name -> unit and meaning. Units are words, since a model chooses its own; "1" is a plain number.
COLUMNS = {
    "step": ("1", "step of the simulation, counted from its start"),
    "time": ("time", "model time: the step times dt"),
    "flock": ("1", "name of the boid's flock"),
    "id": ("1", "the boid's number, counted through all flocks of the recording"),
    "frame": ("1", "number of the frame in this table, from 0"),
    "particle": ("1", "the boid's number, counted through all flocks of the recording"),
    "perch_timer": ("steps", "steps that the boid still stays on the ground; 0 in flight"),
}
AXES = {
    **{axis: ("length", f"position along {axis}") for axis in "xyz"},
    **{f"v{axis}": ("length/time", f"velocity along {axis}") for axis in "xyz"},
}


def path_of_columns(table: Path) -> Path:
    """flock.csv -> flock.csv.columns.json"""
    return table.with_name(table.name + ENDING)


def write_columns(draft: Path, table: Path, selection: Selection, layout: str) -> None:
    """Write what is in the table of that path, as JSON; see `columns_of`."""
    said = columns_of(table, selection, layout)
    draft.write_text(json.dumps(said, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def columns_of(table: Path, selection: Selection, layout: str) -> dict[str, Any]:
    """Return what is in the table of that path, as plain words and numbers.

    columns  for each, in order: name, type, unit, meaning
    flocks   name -> boids
    dt       model time of a step; every: steps from one frame to the next
    space    lower corner, size, boundary and periodicity of each axis
    model    its name, title and fingerprint, and the references to give
    versions those that it was recorded with; exported_by: that of this program
    """
    header, steps, space = selection.recording.header, selection.steps, selection.space
    return {
        "file": table.name,
        "rows": "one for each boid and frame, in order of time, then of the boid's number",
        "columns": [
            dict(
                zip(
                    ("name", "type", "unit", "meaning"),
                    (name, kind, *_unit(name, header)),
                    strict=True,
                )
            )
            for name, kind in column_types(selection, layout).items()
        ],
        "units": getattr(selection.recording, "units", UNITS),
        "layout": layout,
        "frames": len(selection),
        "flocks": selection.counts,
        "dt": header["dt"],
        "first_step": steps[0],
        "last_step": steps[-1],
        "every": steps.step,
        "precision": header["precision"],
        "space": {
            "lower": list(space.lower),
            "size": list(space.size),
            "boundary": list(space.boundaries),
            "periodic": list(space.periodic),
        },
        "model": {key: header[key] for key in ("name", "title", "fingerprint")},
        "seed": header["seed"],
        "versions": header["versions"],
        "exported_by": f"murmurate {__version__}",
        "citations": header["citations"],
    }


def _unit(name: str, header: dict[str, Any]) -> tuple[str, str]:
    """Its unit and meaning."""
    if name in COLUMNS | AXES:
        return (COLUMNS | AXES)[name]
    number = int(name.removeprefix("memory_"))
    kept = {
        flock: names[number]
        for flock, names in header.get("kept_names", {}).items()
        if number < len(names)
    }
    said = ", ".join(f"{what} of {flock}" for flock, what in kept.items())
    return "", f"what the boid remembers: {said or 'a past state, for delayed perception'}"
