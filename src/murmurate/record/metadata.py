"""Zarr metadata of a recording: attributes, zarr.json.

Everything here is a function of the header, so that damaged metadata can be rewritten.
"""

from __future__ import annotations

import json
from typing import Any

from murmurate.model.check import NAME
from murmurate.model.text_reader import TextError, read_json, read_toml
from murmurate.record.errors import RecordingRefused
from murmurate.record.fixed_arrays import fixed_arrays
from murmurate.record.schema import SCHEMA, VERSION, boid_arrays, frame_arrays

JOURNAL = {"zarr_format": 3, "node_type": "group", "attributes": {}}
"""zarr.json of the journal's folder, so that tools see a group without arrays."""


def attributes(header: dict[str, Any], frames: int, target: int) -> dict[str, Any]:
    """The root's attributes: flat, so that they survive in NetCDF too. `settings` is the whole
    header as JSON, but for the model."""
    settings = {key: value for key, value in header.items() if key != "model"}
    out = {
        "schema": SCHEMA,
        "schema_version": header["schema_version"],
        "title": header["title"],
        "model": header["model"],
        "seed": header["seed"],
        "engine": header["engine"],
        "dtype": header["dtype"],
        "dt": header["dt"],
        "every": header["every"],
        "steps": target,
        "frames": frames,
        "versions": versions_in_words(header),
        "command": header["command"],
        "citations": header["citations"],
        "coordinates": "step flock id_in_flock",
        "settings": json.dumps(settings, sort_keys=True),
    }
    if header["precision"] is not None:
        out["precision"] = header["precision"]
    if header["parent"]:
        out["parent"] = json.dumps(header["parent"], sort_keys=True)
    return out


def parts_of(header: dict[str, Any]) -> list[dict[str, Any]]:
    """The parts that were flown with other versions than the part before: from which frame on, and
    the versions."""
    first = {"frame": 0, "versions": header["versions"]}
    return list(header.get("parts") or [first])


def versions_in_words(header: dict[str, Any]) -> str:
    """The versions of all parts, in one line."""
    first, *others = parts_of(header)
    steps = [header["first_step"] + part["frame"] * header["every"] for part in others]
    more = [
        f"; from step {step} on: {part['versions']}"
        for step, part in zip(steps, others, strict=True)
    ]
    return first["versions"] + "".join(more)


def root_metadata(header: dict[str, Any], frames: int, target: int) -> dict[str, Any]:
    """The root's zarr.json, with the metadata of all arrays in it: one file, replaced in one step,
    so that whoever opens it sees arrays of one length."""
    arrays: dict[str, Any] = {array.name: array.metadata(frames) for array in boid_arrays(header)}
    arrays |= {array.name: array.metadata(frames) for array in frame_arrays(header)}
    arrays |= {name: array.metadata for name, array in fixed_arrays(header).items()}
    return {
        "zarr_format": 3,
        "node_type": "group",
        "attributes": attributes(header, frames, target),
        "consolidated_metadata": {
            "kind": "inline",
            "must_understand": False,
            "metadata": dict(sorted(arrays.items())),
        },
    }


def header_of(root: dict[str, Any], path: object) -> dict[str, Any]:
    """The header that a root's zarr.json holds. Raises RecordingRefused for another."""
    try:
        found = root["attributes"]
        if found["schema"] != SCHEMA:
            raise KeyError("schema")
        check_version(found["schema_version"], path)
        return {**read_json(found["settings"]), "model": found["model"]}
    except (KeyError, TypeError, ValueError):
        raise RecordingRefused(
            f"{path}: this is a Zarr store, but no murmurate recording; murmurate run MODEL -o "
            "NAME.zarr makes one"
        ) from None


def check_names(header: dict[str, Any], path: object) -> None:
    """Raises RecordingRefused where a measure or flock has a name that no recording has: measures
    name folders."""
    for name in (*header["measures"], *header["counts"]):
        if not NAME.fullmatch(name):
            raise RecordingRefused(
                f"{path}: {name!r} in its header is no name of a measure or flock: murmurate did "
                "not write it; take it from a copy"
            )


def in_model_order(header: dict[str, Any]) -> dict[str, Any]:
    """A header that was read, with its flocks in the model's order, which is that of the rows in
    the arrays. On disk they are sorted by name."""
    try:
        flocks = list(read_toml(header["model"])["flocks"])
    except (KeyError, TextError):  # a model without flocks; a model that was damaged
        return header
    counts = sorted(header["counts"].items(), key=lambda item: flocks.index(item[0]))
    return {**header, "counts": dict(counts)}


def check_version(version: object, path: object) -> None:
    """Raises RecordingRefused for a recording of a later schema than this one."""
    if not isinstance(version, int) or version > VERSION:
        raise RecordingRefused(
            f"{path}: its schema is version {version}, and this murmurate reads versions up to "
            f"{VERSION}: pip install --upgrade murmurate"
        )
