"""Resume a study from its folder: with its own settings, and with rules by permission."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from murmurate.errors import CommandError

if TYPE_CHECKING:
    from murmurate.sweeps.study_folder import StudyFolder


def passed_options(**options: Any) -> dict[str, Any]:
    """Return the options that were passed. 0 is a value."""
    return {
        name: value
        for name, value in options.items()
        if value is not None and value is not False and value != ()
    }


def passed_fields(options: Any) -> dict[str, Any]:
    """Return field -> value of those fields of a dataclass of options that were passed.

    Options of engines, in `own`, are left out: see `own_words`.
    """
    values = {item.name: (getattr(options, item.name), item.default) for item in fields(options)}
    return {
        name: value
        for name, (value, default) in values.items()
        if value != default and name != "own"
    }


def passed_words(options: Any) -> list[str]:
    """Return the options of a dataclass that were passed, such as '--warm-up'."""
    return ["--" + name.replace("_", "-") for name in passed_fields(options)]


def allow_resume(
    folder: StudyFolder[Any],
    stored: Sequence[str],
    passed: Sequence[Path],
    options: Iterable[str],
    arguments: Iterable[str] = (),
) -> None:
    """Check that a command may resume a study, and load the rule files of its folder.

    stored  its rule files. A folder may come from somebody else, so they run only by permission.
    passed  files of --rules, each of which permits one
    options  names of other passed options, such as warm_up
    arguments  other arguments
    raises CommandError  if the command has settings, or if --rules does not name each rule file
    """
    from murmurate.rules.rule_file import load_rules

    permitted = {str(path.resolve()) for path in passed}
    others = ["rules"] if permitted - set(stored) else []
    words = [*arguments, *(f"--{name.replace('_', '-')}" for name in (*options, *others))]
    if words:
        raise CommandError(
            f"{', '.join(words)}: got settings for {folder.path}, a {folder.kind} with its own "
            f"settings. Resume it by its name alone, or begin another {folder.kind} of a model "
            "with -o FOLDER"
        )
    missing = [file for file in stored if file not in permitted]
    if missing:
        raise CommandError(
            f"{folder.path}: its runs need the code of {', '.join(missing)}. If you trust it, "
            f"resume with{rules_options(stored)}"
        )
    for file in stored:
        load_rules(file)


def rules_options(stored: Sequence[str]) -> str:
    """Return ' --rules FILE' for each file, as on the command line."""
    return "".join(f" --rules {shlex.quote(file)}" for file in stored)
