"""Models as TOML text: the zoo, model files, and the verify files beside them."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Literal

import tomli_w

from murmurate.errors import ModelError
from murmurate.model.mesh_tables import read_mesh_tables
from murmurate.model.messages import closest, shorten
from murmurate.model.model import Model
from murmurate.model.named_files import read_file
from murmurate.model.names import usable_name
from murmurate.model.number_files import read_number_files
from murmurate.model.rule_files import read_rule_files
from murmurate.model.shape_tables import read_shape_tables
from murmurate.model.text_reader import TextError, read_toml
from murmurate.model.zoo_search import find_published, list_published

TRACKS = (  # endings of files with tracks of animals
    ".c3d", ".csv", ".dat", ".dump", ".extxyz", ".gpx", ".gsd", ".h5", ".hdf5", ".igc", ".kml",
    ".lammpstrj", ".mat", ".nc", ".npy", ".npz", ".nwb", ".parquet", ".slp", ".trc", ".tsv", ".txt",
    ".xml", ".xyz",
)  # fmt: skip
MAX_BYTES = 16 << 20  # of a model file: positions of about 200,000 boids

VERIFY_ENDING = ".verify.toml"
VERIFY_KEYS = ("expect", "figure")


@dataclass(frozen=True)
class ModelText:
    """The TOML texts of a model and of the verify file beside it, if any.

    where  the name of its file, for messages
    verify  its [[expect]] and [[figure]] tables; '' where there is no second file
    verify_where  the name of the second file, for messages
    folder  the folder of the model file, in which it may name files of numbers. None for texts from
        elsewhere, which may not name files.
    """

    text: str
    where: str
    verify: str = ""
    verify_where: str = ""
    folder: Path | None = None


def zoo() -> dict[str, str]:
    """Return the published flocks: name -> TOML text, in alphabetical order.

    Each text has the model first, then the content of its verify file.
    """
    return {name: f"{text}\n{verify}" for name, (text, verify) in _zoo_texts().items()}


@cache
def _zoo_texts() -> dict[str, tuple[str, str]]:
    """Return name -> (model, verify file) of the published flocks."""
    folder = resources.files("murmurate") / "zoo"
    texts = {
        file.name: file.read_text(encoding="utf-8")
        for file in folder.iterdir()
        if file.name.endswith(".toml")
    }
    stems = sorted(name[: -len(".toml")] for name in texts if not name.endswith(VERIFY_ENDING))
    return {stem: (texts[f"{stem}.toml"], texts.get(stem + VERIFY_ENDING, "")) for stem in stems}


def load(name: str | Path) -> Model:
    """Load a published flock by name, or a model file by path.

    Expectations and figures may be in a second file beside the model file: `mine.verify.toml`
    beside `mine.toml`.

    Parameters
    ----------
    name : str or Path
        A name of the zoo, or the path of a TOML file.

    Returns
    -------
    Model

    Raises
    ------
    ModelError
        For an unknown name, and for a file that is not a model. The message lists all wrong values.
    """
    return parse_texts(model_text(name))


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


def model_text(name: str | Path) -> ModelText:
    """Read the text of a model, and of its verify file, without parsing them. Raises ModelError."""
    path = Path(name)
    if path.suffix == ".toml" or path.is_file():
        text, verify_file = _read(path), verify_path(path)
        if not verify_file.exists():
            return ModelText(text, str(path), folder=path.parent)
        return ModelText(text, str(path), _read(verify_file), str(verify_file), path.parent)
    texts = _zoo_texts()
    if str(name) not in texts:
        raise ModelError(_describe_unknown(str(name), zoo()))
    text, verify = texts[str(name)]
    return ModelText(text, f"{name}.toml", verify, f"{name}{VERIFY_ENDING}")


def _describe_unknown(name: str, texts: Mapping[str, str]) -> str:
    """Return the message for an unknown name, with the published flocks that it can mean."""
    if names := find_published(name, texts):
        return (
            f"{shorten(name)}: got the name of no model; expected one of these flocks, or a file "
            f"that ends in .toml. Choose one:\n{list_published(names, texts)}"
        )
    close = closest(name, texts)
    hint = f"did you mean {close!r}?" if close else "murmurate models lists the published flocks."
    return f"no model named {shorten(name)!r}: {hint} The name of a model file ends in .toml"


def verify_path(path: Path) -> Path:
    """Return the path of the verify file beside a model file: mine.toml -> mine.verify.toml."""
    return path.with_name(f"{path.stem}{VERIFY_ENDING}")


def _read(path: Path) -> str:
    if path.suffix.lower() in TRACKS:
        raise ModelError(
            f"{path}: got a file for tracks of animals; expected a model file, which ends in "
            f".toml. To measure tracks, use murmurate measure {path}"
        )
    data = read_file(
        path,
        MAX_BYTES,
        "To give many boids their positions, start from a recording with murmurate resume -o",
        missing=f"no such file. To write it from a published flock, use murmurate new NAME {path}",
    )
    try:
        return data.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError:
        is_toml = path.suffix == ".toml"
        hint = "Save it in UTF-8" if is_toml else "Name a model file, which ends in .toml"
        raise ModelError(f"{path}: got other bytes; expected text in UTF-8. {hint}") from None


def parse(text: str, where: str = "model.toml") -> Model:
    """Return the model that a TOML text describes.

    Parameters
    ----------
    text : str
        A model file, which may have its expectations and figures in it.
    where : str, default "model.toml"
        The name of the file, for messages. The model takes its name from it, unless the text
        has one.

    Returns
    -------
    Model

    Raises
    ------
    ModelError
        For a text that is not a model. The message lists all wrong values.
    """
    if not isinstance(text, str):
        raise ModelError(
            f"text: got {shorten(repr(text))}; expected the text of a model file. Use "
            "murmurate.load for a file, and murmurate.Model for values"
        )
    return parse_texts(ModelText(text, where))


def parse_texts(source: ModelText) -> Model:
    """Return the model that a text and its verify file describe. Raises ModelError."""
    where = source.where
    data = _tables(source.text, where)
    if data and where.endswith(VERIFY_ENDING) and not data.keys() - set(VERIFY_KEYS):
        model_file = where.removesuffix(VERIFY_ENDING) + ".toml"
        raise ModelError(
            f"{where}: got expectations and figures only; expected a model. "
            f"Name {model_file} instead, which is read together with this file"
        )
    second = _verify_tables(source, data) if source.verify else {}
    data |= second
    data.setdefault("name", usable_name(Path(where).stem))
    problems = [
        *read_shape_tables(data, source.folder), *read_mesh_tables(data, source.folder),
        *read_rule_files(data, source.folder),
    ]  # fmt: skip
    if source.folder is not None:
        problems += read_number_files(data, source.folder)
    try:
        model = Model(**data)
        if not problems:
            return model
        raise ModelError("")
    except ModelError as error:
        lines = [*problems, *str(error).splitlines()]
        files = [
            source.verify_where if re.split(r"[.:]", line)[0] in second else where for line in lines
        ]
        named = (f"{file}: {line}" for file, line in zip(files, lines, strict=True))
        raise ModelError("\n".join(named)) from None
    except TypeError as error:
        raise ModelError(f"{where}: {error}") from None


def _tables(text: str, where: str) -> dict[str, Any]:
    try:
        return read_toml(text)
    except TextError as error:
        raise ModelError(f"{where}: not a TOML file: {error}") from None


def _verify_tables(source: ModelText, model: Mapping[str, Any]) -> dict[str, Any]:
    """Return the tables of a verify file. Raises ModelError for other tables."""
    file, tables = source.verify_where, _tables(source.verify, source.verify_where)
    if others := [key for key in tables if key not in VERIFY_KEYS]:
        raise ModelError(
            f"{file}: got {', '.join(others)}; expected [[expect]] and [[figure]] tables only. "
            f"Move the rest to {source.where}"
        )
    if both := [key for key in tables if key in model]:
        raise ModelError(
            f"{file}: got [[{both[0]}]], which {source.where} has too; expected it in one of the "
            "two files. Move all of it to one"
        )
    return tables


def to_toml(
    model: Model | str | os.PathLike[str], part: Literal["all", "model", "verify"] = "all"
) -> str:
    """Return a model as TOML text, such that parse(to_toml(model)) == model.

    Parameters
    ----------
    model : Model, str or path
        A model, the name of a published flock or the path of a model file.
    part : {"all", "model", "verify"}, default "all"
        "model" leaves out [[expect]] and [[figure]] tables, "verify" has only those: the contents
        of `mine.toml` and of `mine.verify.toml` beside it.

    Returns
    -------
    str

    Raises
    ------
    ModelError
        For an unknown name, and for a file that is not a model.
    """
    tables = model_of(model).to_dict()
    if part != "all":
        tables = {
            key: table
            for key, table in tables.items()
            if (key in VERIFY_KEYS) == (part == "verify")
        }
    return tomli_w.dumps(tables, multiline_strings=True)
