"""murmurate new-rule: a file with a rule of one's own, its test, and a model that flies it."""

from __future__ import annotations

import keyword
import re
import shlex
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from murmurate.cli.error_output import BadInput
from murmurate.cli.new_file import write_new, write_schema
from murmurate.cli.terminal import say

KIND = re.compile(r"[a-z][a-z0-9]{0,30}(-[a-z][a-z0-9]{0,30}){0,3}")
TAKEN = ("murmurate", "numpy", "numba", "pytest", "pydantic", "scipy")
STEM = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")


def new_rule(
    name: Annotated[
        str,
        Parameter(help="The rule's name in model files: small letters, digits and hyphens."),
    ],
    /,
    *,
    output: Annotated[
        Path | None,
        Parameter(
            name=("--output", "-o"),
            help="The Python file to write; NAME.py in this folder unless given. Its test and a "
            "model that flies it are written beside it.",
        ),
    ] = None,
    motion: Annotated[bool, Parameter(help="Write a motion and not a rule.")] = False,
    force: Annotated[bool, Parameter(help="Replace files that are there.")] = False,
) -> None:
    """Write a rule of your own to begin with, its test, and a model that flies it.

    For instance:

        murmurate new-rule swirl
        murmurate watch swirl.toml --rules swirl.py
    """
    from murmurate.cli.new_rule_text import files

    _check_name(name, motion)
    path = output or Path(f"{name.replace('-', '_')}.py")
    stem = path.stem
    if path.suffix != ".py" or not STEM.fullmatch(stem) or keyword.iskeyword(stem):
        raise BadInput(
            f"{path}: its name must be a letter followed by letters, digits or '_', end in .py, "
            "and be no word of Python's own, so that its test can import it: -o my_rules.py"
        )
    if stem in sys.stdlib_module_names or stem in TAKEN:
        raise BadInput(
            f"{path}: Python has a module of this name, and would find the file in its place: "
            "-o my_rules.py"
        )
    if not path.parent.is_dir():
        raise BadInput(f"{path}: there is no folder {path.parent}; make it first")
    class_name = "".join(word.capitalize() for word in name.split("-"))
    texts = {
        path.parent / file: text for file, text in files(name, class_name, stem, motion).items()
    }
    there = [str(file) for file in texts if file.exists()]
    if there and not force:
        raise BadInput(
            f"{', '.join(there)} exist{'s' if len(there) == 1 else ''} and "
            f"{'is' if len(there) == 1 else 'are'} kept; give another name, or --force to replace"
        )
    for file, text in texts.items():
        write_new(file, text, force)
    rules, test, model = (shlex.quote(str(file)) for file in texts)
    say(f"{path}: a {'motion' if motion else 'rule'} to begin with. To fly it:")
    say(f"  murmurate watch {model} --rules {rules}")
    say(f"  murmurate film {model} --rules {rules}")
    say(f"Its test: pytest {test}")
    write_schema(path.parent, force)


def _check_name(name: str, motion: bool) -> None:
    """Raises BadInput for what cannot be a rule's name."""
    import murmurate.rules  # noqa: F401  the built-in ones make themselves known
    from murmurate.model.registry import MOTIONS, RULES

    what, known = ("motion", MOTIONS) if motion else ("rule", RULES)
    if not KIND.fullmatch(name):
        raise BadInput(
            f"{name[:64]!r} is no name of a {what}: it must be small letters and digits, in at "
            "most four words joined by hyphens, each from a letter on, such as swirl or swirl-left"
        )
    if name in known:
        raise BadInput(f"{name}: there is a {what} of this name already; choose another")
