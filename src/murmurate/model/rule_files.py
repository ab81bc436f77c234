"""Rules of model files that name a file, such as a learned policy.

    [rules.dog]
    kind = "policy"
    file = "shepherd.npz"
    moves = "dog"

The file is read together with the model, and becomes fields of the rule. So a model never contains
a path, and texts from pages and recordings cannot read files.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from murmurate.errors import ModelError
from murmurate.model.messages import format_value
from murmurate.model.named_files import file_in
from murmurate.model.registry import RULES


def read_rule_files(data: dict[str, Any], folder: Path | None) -> list[str]:
    """Replace `file` in tables of rules by the fields that are in the file.

    data    the tables of a model, which are changed
    folder  the folder of the model file, in which files must be; None if it may name none

    Returns error messages. Rules with errors become others, so that all other parts can be checked.
    """
    problems: list[str] = []
    rules: Any = data.get("rules")
    for name, table in list(rules.items()) if isinstance(rules, dict) else []:
        if not isinstance(table, dict) or "file" not in table:
            continue
        cls = _class_of(str(table.get("kind", name)))
        if not hasattr(cls, "fields_of_file"):
            continue
        fields = {key: value for key, value in table.items() if key != "file"}
        try:
            rules[name] = fields | _fields(cls, table["file"], fields, folder)
        except ModelError as error:
            problems += [f"rules.{name}.{line}" for line in str(error).splitlines()]
            moves = {"moves": table["moves"]} if "moves" in table else {}
            rules[name] = {"kind": "command"} | moves
    return problems


def _class_of(kind: str) -> Any:
    """Return the class of a kind of rule, or None."""
    try:
        return RULES.find(kind)
    except ModelError:
        return None


def _fields(cls: Any, name: Any, fields: dict[str, Any], folder: Path | None) -> dict[str, Any]:
    if folder is None:
        raise ModelError(
            f"file: got {format_value(name)}; expected what is in it. Only model files on disk "
            f"name files: load the model from its file, or use {cls.__name__}.from_file in Python"
        )
    file = file_in(folder, "file", name, "a file in the folder of the model file")
    try:
        result: dict[str, Any] = cls.fields_of_file(file, fields)
    except ModelError as error:
        about_file = str(error).startswith(f"{file}: ")
        text = str(error).removeprefix(f"{file}: ")
        raise ModelError(f"file: {file.name}: {text}" if about_file else text) from None
    return result
