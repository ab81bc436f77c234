"""Rule files that a sweep or a fit was begun with: a folder may come from somebody else, so their
code is run only when the command that resumes it names them."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from murmurate.cli.error_output import BadInput


def allow_rules(folder: Path, kept: Sequence[str], given: Sequence[Path]) -> None:
    """Raises BadInput unless --rules names each file whose code a folder asks for."""
    named = [str(path.resolve()) for path in given]
    missing = [file for file in kept if file not in named]
    if missing:
        raise BadInput(
            f"{folder}: its runs need the code of {', '.join(missing)}; if that is yours, resume "
            f"it with{rules_options(kept)}"
        )


def other_rules(kept: Sequence[str], given: Sequence[Path]) -> tuple[Path, ...]:
    """Files given with --rules that it was begun without."""
    return tuple(path for path in given if str(path.resolve()) not in kept)


def rules_options(kept: Sequence[str]) -> str:
    """' --rules FILE' for each, as a command has them."""
    return "".join(f" --rules {shlex.quote(file)}" for file in kept)
