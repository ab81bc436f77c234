"""Models as TOML files: read, written, found in the zoo."""

from __future__ import annotations

import os
from importlib import resources
from pathlib import Path
from typing import Any

import tomli_w

from murmurate.disk import open_regular
from murmurate.errors import ModelError
from murmurate.model.messages import unknown
from murmurate.model.model import Model
from murmurate.model.names import usable_name
from murmurate.model.text_reader import TextError, read_toml

TRACKS = (  # endings of files with tracks of animals
    ".csv", ".dat", ".dump", ".extxyz", ".gpx", ".gsd", ".h5", ".hdf5", ".lammpstrj", ".nc",
    ".npy", ".npz", ".nwb", ".parquet", ".slp", ".tsv", ".txt", ".xml", ".xyz",
)  # fmt: skip
LONGEST = 16 << 20  # bytes of a model file: positions of some 200,000 boids, one by one


def zoo() -> dict[str, str]:
    """The published flocks that come with murmurate: name -> TOML text, in alphabetical order."""
    folder = resources.files("murmurate") / "zoo"
    files = sorted((f for f in folder.iterdir() if f.name.endswith(".toml")), key=lambda f: f.name)
    return {f.name.removesuffix(".toml"): f.read_text(encoding="utf-8") for f in files}


def load(name: str | Path) -> Model:
    """The model of that name in the zoo, or in the TOML file of that path.

    Raises ModelError when there is none, or when it is not a model; every wrong value is named.
    """
    text, where = source_text(name)
    return parse(text, where)


def model_of(model: object, argument: str = "model") -> Model:
    """Return a model as it is, or load the one of a name or path, as every public function does.

    Raises ModelError for anything else; the message names `argument`.
    """
    if isinstance(model, Model):
        return model
    if isinstance(model, str | os.PathLike):
        return load(Path(model) if isinstance(model, os.PathLike) else model)
    raise ModelError(
        f"{argument}: got a {type(model).__name__}; expected a Model, the name of a published "
        "flock or the path of a model file"
    )


def source_text(name: str | Path) -> tuple[str, str]:
    """The text of a model file, and where it is, for messages."""
    path = Path(name)
    if path.suffix == ".toml" or path.is_file():
        return _read(path), str(path)
    flocks = zoo()
    if str(name) not in flocks:
        text = unknown("model", str(name), flocks)
        raise ModelError(f"{text}; a model file of your own ends in .toml")
    return flocks[str(name)], f"{name}.toml"


def _read(path: Path) -> str:
    if path.suffix.lower() in TRACKS:
        raise ModelError(
            f"{path}: is no model file, which ends in .toml; where it has tracks of animals, "
            f"murmurate measure {path} measures them"
        )
    try:
        with open_regular(path) as file:
            data: bytes = file.read(LONGEST + 1)
        if len(data) <= LONGEST:
            return data.decode("utf-8").replace("\r\n", "\n")
        raise ModelError(
            f"{path}: is too long for a model file, which may have {LONGEST >> 20} MiB; boids of "
            "which each has its place may start from a recording instead: murmurate branch"
        )
    except UnicodeDecodeError:
        known = path.suffix == ".toml"
        hint = "save it as that" if known else "a model file of your own ends in .toml"
        raise ModelError(f"{path}: is no model file: it is not text in UTF-8; {hint}") from None
    except FileNotFoundError:
        raise ModelError(
            f"{path}: cannot be read: there is no such file; murmurate new NAME {path} makes one "
            "from a published flock"
        ) from None
    except OSError as error:
        raise ModelError(f"{path}: cannot be read: {error.strerror or error}") from None


def parse(text: str, where: str = "model.toml") -> Model:
    """The model that a TOML text describes. Raises ModelError, naming `where`."""
    try:
        data: dict[str, Any] = read_toml(text)
    except TextError as error:
        raise ModelError(f"{where}: not a TOML file: {error}") from None
    data.setdefault("name", usable_name(Path(where).stem))
    try:
        return Model(**data)
    except ModelError as error:
        lines = str(error).splitlines()
        raise ModelError("\n".join(f"{where}: {line}" for line in lines)) from None
    except TypeError as error:
        raise ModelError(f"{where}: {error}") from None


def to_toml(model: Model | str | os.PathLike[str]) -> str:
    """Return a model, or that of a name or path, as TOML text: parse(to_toml(model)) == model."""
    return tomli_w.dumps(model_of(model).to_dict(), multiline_strings=True)
