"""Settings of a sweep or a fit that is in a folder: it is resumed with those, and no others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from murmurate.cli.error_output import BadInput


def given(**options: Any) -> dict[str, Any]:
    """Those options that have a value; 0 is one."""
    return {
        name: value
        for name, value in options.items()
        if value is not None and value is not False and value != ()
    }


def refuse_new_settings(
    kind: str, folder: str, options: Iterable[str], arguments: Iterable[str] = ()
) -> None:
    """Raises BadInput where a command that resumes what is in a folder gives it other settings.

    kind     'sweep' or 'fit'
    options  names of options that were given, such as warm_up
    """
    words = [*arguments, *(f"--{option.replace('_', '-')}" for option in options)]
    if words:
        raise BadInput(
            f"{', '.join(words)}: {folder} is a {kind} already, with settings of its own: resume "
            f"it by its name alone, or name a model to begin another {kind}, in a folder given by "
            "-o"
        )
