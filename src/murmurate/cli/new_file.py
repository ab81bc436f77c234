"""New files for people to edit, written where none is unless replacing is asked for; and, beside a
model file, the schema by which editors complete and check it."""

from __future__ import annotations

from pathlib import Path

from murmurate.cli.error_output import UNWRITABLE, BadInput
from murmurate.cli.terminal import say
from murmurate.disk import not_a_file, read_text, write_file

SCHEMA = "murmurate.schema.json"
SCHEMA_LINE = f"#:schema ./{SCHEMA}\n"
"""The first line of a model file, by which editors built on Taplo find the schema."""


def write_new(path: Path, text: str, force: bool) -> None:
    """Writes a text file. Raises BadInput where one is there and `force` is not given, or where it
    cannot be written."""
    try:
        if problem := not_a_file(path):
            raise BadInput(f"{path}: {problem}. Give another name")
        if path.exists() and not force:
            raise FileExistsError
        write_file(path, text, new=not force)
    except FileExistsError:
        raise BadInput(
            f"{path} exists and is kept; give another name, or --force to replace it"
        ) from None
    except OSError as error:
        if error.errno in UNWRITABLE:
            raise BadInput(f"{path}: cannot be written: {error.strerror}") from None
        error.filename = path
        raise


def with_schema_line(text: str) -> str:
    """A model file whose first line names the schema beside it; one that names a schema already
    stays as it is."""
    return text if text.startswith("#:schema") else f"{SCHEMA_LINE}\n{text}"


def write_schema(folder: Path, force: bool) -> None:
    """Writes the schema into the folder of a model file, and says so. One that is there and is
    another, such as that of another version, is kept unless `force` is given."""
    from murmurate.schema import schema_text

    path, text = folder / SCHEMA, schema_text()
    if path.is_file() and not force:
        if read_text(path, "replace") != text:
            say(f"{path} is another version's, and is kept; --force replaces it")
        return
    write_new(path, text, force)
    say(f"{path}: what editors complete and check model files by")
