"""The files that the commands and the Python of a page write, by their names."""

from __future__ import annotations

import ast
import shlex
from collections.abc import Iterator
from pathlib import PurePosixPath

from page_blocks import Block, commands

ENDINGS = {"film": ".mp4", "still": ".png", "page": ".html"}
FROM_A_SOURCE = ("film", "still", "export", "replay_page", "live_page", "branch")
"""Functions of Python whose second argument is the file; of the others below it is the first."""
WRITERS = ("savefig", "save", "save_plot", "run", "sweep", "fit", *FROM_A_SOURCE)
SKIPPED = ("skip", "example", "checkout", "output")


def outputs(block: Block) -> set[str]:
    """Return the files that a block writes into the folder of the reader."""
    if name := block.argument("file"):
        return {name}
    if block.marker.split(" ")[0] in (*SKIPPED, "adds", "changes", "exit", "raises"):
        return set()
    if block.language in ("console", "bash"):
        lines = [shlex.split(line) for line in commands(block.text)]
        return {name for words in lines if words[0] == "murmurate" for name in _written(words[1:])}
    if block.language == "python":
        return set(_written_by_python(block.text))
    return set()


def _written(words: list[str]) -> Iterator[str]:
    """Yield the outputs of a command."""
    command, *rest = words
    named = [rest[k + 1] for k, word in enumerate(rest[:-1]) if word in ("-o", "--output")]
    places = [word for word in rest if not word.startswith("-")]
    if "--force" in rest or "--help" in rest:
        return
    if named:
        yield from (name.rstrip("/") for name in named)
    elif command == "new" and "--rule" in rest:
        yield f"{places[0]}.py"
    elif command == "new":
        yield places[1] if len(places) > 1 else f"{places[0]}.toml"
    elif command == "export":
        yield places[1]
    elif command in ENDINGS:
        path = PurePosixPath(places[0])
        yield (path.stem if path.suffix in (".toml", ".zarr", ".csv") else path.name) + ENDINGS[
            command
        ]


def _written_by_python(text: str) -> Iterator[str]:
    """Yield the names of files in calls of functions that write."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call):
            continue
        function = node.func
        name = function.attr if isinstance(function, ast.Attribute) else ast.unparse(function)
        if name not in WRITERS or any(word.arg == "force" for word in node.keywords):
            continue
        place = 1 if name in FROM_A_SOURCE else 0
        values = [w.value for w in node.keywords if w.arg in ("output", "path")]
        values += node.args[place : place + 1]
        for value in values:
            if (
                isinstance(value, ast.Constant)
                and isinstance(value.value, str)
                and "." in value.value
            ):
                yield value.value
