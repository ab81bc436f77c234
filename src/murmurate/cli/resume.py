"""Resume a study from its folder: with its own settings, and with rules by permission."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from murmurate.errors import CommandError


def passed_options(**options: Any) -> dict[str, Any]:
    """Return the options that were passed. 0 is a value."""
    return {
        name: value
        for name, value in options.items()
        if value is not None and value is not False and value != ()
    }


def refuse_settings(
    kind: str, folder: str, options: Iterable[str], arguments: Iterable[str] = ()
) -> None:
    """Raise CommandError if a command that resumes a folder has settings.

    Parameters
    ----------
    kind : str
        What the folder contains, such as 'sweep'.
    options : iterable of str
        Names of passed options, such as warm_up.
    arguments : iterable of str
        Other arguments.
    """
    words = [*arguments, *(f"--{option.replace('_', '-')}" for option in options)]
    if words:
        raise CommandError(
            f"{', '.join(words)}: got settings for {folder}, a {kind} with its own settings. "
            f"Resume it by its name alone, or begin another {kind} of a model with -o FOLDER"
        )


def allow_rules(folder: Path, stored: Sequence[str], passed: Sequence[Path]) -> None:
    """Raise CommandError unless --rules names each rule file of a folder.

    A folder may come from somebody else, so its code runs only by permission.
    """
    named = [str(path.resolve()) for path in passed]
    missing = [file for file in stored if file not in named]
    if missing:
        raise CommandError(
            f"{folder}: its runs need the code of {', '.join(missing)}. If you trust it, resume "
            f"with{rules_options(stored)}"
        )


def other_rules(stored: Sequence[str], passed: Sequence[Path]) -> tuple[Path, ...]:
    """Return the files of --rules that are not those of the folder."""
    return tuple(path for path in passed if str(path.resolve()) not in stored)


def rules_options(stored: Sequence[str]) -> str:
    """Return ' --rules FILE' for each file, as on the command line."""
    return "".join(f" --rules {shlex.quote(file)}" for file in stored)
